"""Sentences as vectors, from a published BERT that was trained for it.

Chapter: *Language models*. The model is that of bert.py and reader.py; new is
how the vectors of tokens become one.
"""

from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn.functional import normalize

from annotated_transformer.lab.family.bert.model import BERT
from annotated_transformer.lab.family.published_tokenizer import (
    PublishedTokenizer,
)
from annotated_transformer.storage.reading import read_json


def sentence_vectors(
    x: Float[Tensor, "text length d_model"], real: Bool[Tensor, "text length"]
) -> Float[Tensor, "text d_model"]:
    """Return the mean vector of each text's real tokens, made one long.

    The product of two is then the cosine of the angle between them.

    Source: Reimers and Gurevych 2019, section 3.
    """
    total = (x * real[..., None]).sum(dim=1)
    return normalize(total / real.sum(dim=1, keepdim=True), dim=-1)


class SentenceEncoder:
    """A published BERT and its tokenizer, which give each text a vector.

    Args:
        directory: holds config.json, the weights and tokenizer.json; perhaps, as
            files of sentence-transformers do, 1_Pooling/config.json and
            sentence_bert_config.json.

    Raises:
        FileNotFoundError: a file is missing.
        ValueError: the model cannot be read (`BERT.from_pretrained`), has fewer
            ids than its tokenizer, or asks for something else than the mean.
    """

    def __init__(self, directory: Path | str) -> None:
        folder = Path(directory)
        self.model = BERT.from_pretrained(folder)
        self.tokenizer = PublishedTokenizer.load(folder)
        config = self.model.config
        if self.tokenizer.vocab_size > config.vocab_size:
            raise ValueError(
                f"{folder}: tokenizer.json has {self.tokenizer.vocab_size} ids, the model "
                f"{config.vocab_size}"
            )
        self.max_length = config.max_length
        limit = folder / "sentence_bert_config.json"
        if limit.is_file():
            given = read_json(limit).get("max_seq_length")
            self.max_length = min(self.max_length, given or self.max_length)
        pooling = folder / "1_Pooling" / "config.json"
        if pooling.is_file():
            _check_mean(pooling)

    @torch.no_grad()  # and no `inference_mode`: something may learn from the vectors
    def __call__(self, texts: Sequence[str]) -> Float[Tensor, "text d_model"]:
        """Return a vector of length one for each text, in their order.

        Raises:
            ValueError: a text is none or too long; the message has its number.
        """
        padding = self.model.config.padding_id
        ids = self.tokenizer.batch(
            texts, padding_id=padding, max_length=self.max_length
        )
        return sentence_vectors(self.model.reader(ids), ids != padding)


def installed_model(distribution: str) -> Path | None:
    """Return the folder with the config.json of an installed package; None: it is not installed.

    The package's own code is not run.
    """
    try:
        listed = files(distribution) or []
    except PackageNotFoundError:
        return None
    folders = [
        Path(str(file.locate())).parent
        for file in listed
        if file.name == "model.safetensors"
    ]
    return folders[0] if folders else None


def _check_mean(path: Path) -> None:
    for key, value in read_json(path).items():
        mean = key == "pooling_mode_mean_tokens"
        if key.startswith("pooling_mode_") and value is not mean:
            raise ValueError(
                f"{path}: {key}={value!r} is not built here; expected the mean of all tokens alone"
            )
