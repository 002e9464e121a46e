"""What scaling and sharing the embeddings do (section 3.4): equal runs with and without each.

    python -m experiments.embeddings

Beside the translations, each run measures how large a component of an embedded test source token
is at the end of training: the root mean square after the factor, where a sinusoid has 0.71.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor

from annotated_transformer import Embedding, Translator
from annotated_transformer.lab.corpora.english_korean import english_korean
from experiments.variants import Comparison, Variant


def embedded_size(embedding: Embedding, ids: Int[Tensor, " token"]) -> float:
    """Root mean square over all components of the vectors that the ids become."""
    with torch.no_grad():
        return float(embedding(ids[None]).square().mean().sqrt())


def measure(translator: Translator) -> Iterator[dict[str, Any]]:
    """The size of the embedded sources and targets of the test split."""
    tokenizer, model = translator.tokenizer, translator.model
    pairs = english_korean("test")
    sides = {
        "source": (model.source_embedding, [tokenizer.source_ids(p.source) for p in pairs]),
        "target": (model.target_embedding, [tokenizer.target_ids(p.target)[:-1] for p in pairs]),
    }
    for side, (embedding, rows) in sides.items():
        ids = torch.tensor([i for row in rows for i in row])
        yield {
            "split": "test",
            "metric": f"{side}_size",
            "value": round(embedded_size(embedding, ids), 3),
            "signature": f"rms|embedding after its factor|{len(ids)} tokens",
        }


VARIANTS = [
    Variant(
        {"share_embeddings": share, "scale_embeddings": scale},
        [f"model.share_embeddings={share}".lower(), f"model.scale_embeddings={scale}".lower()],
    )
    for share, scale in product((True, False), repeat=2)
]
STUDY = Comparison("experiments.embeddings", __doc__, VARIANTS, measure=measure)


if __name__ == "__main__":
    STUDY.main()
