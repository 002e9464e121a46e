"""Models so small that everything they can say can be listed.

Chapter: *Decoding*. The searches take them in place of a network, and the list of all
sentences says what a search should have found.
"""

import random
from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn

from annotated_transformer.config import TransformerConfig
from annotated_transformer.tokenizer import EOS_ID

_SPECIAL = ("<pad>", "<bos>", "<eos>", "<unk>")


class SmallModel(nn.Module):
    """A model that reads no source and computes nothing.

    A subclass says in `probabilities` what may follow a prefix. `asked` holds the
    prefixes about which a search has asked so far.
    """

    def __init__(self, vocab_size: int) -> None:
        super().__init__()
        self.config = TransformerConfig.tiny(vocab_size=vocab_size)
        self.asked: list[tuple[int, ...]] = []

    def probabilities(self, prefix: tuple[int, ...]) -> Sequence[float]:
        """Return the probability of each token after a prefix of token ids."""
        raise NotImplementedError

    def encode(self, source: Tensor) -> Tensor:
        """Return a memory that says nothing."""
        return torch.zeros(*source.shape, 1)

    def decode(self, target: Tensor, memory: Tensor, source: Tensor) -> Tensor:
        """Return the log probabilities after the last position, in float64."""
        prefixes = [tuple(row) for row in target[:, 1:].tolist()]
        self.asked += prefixes
        rows = [self.probabilities(prefix) for prefix in prefixes]
        return torch.tensor(rows, dtype=torch.float64).log()[:, None]

    def sentences(
        self, longest: int, prefix: tuple[int, ...] = (), p: float = 1.0
    ) -> dict[tuple[int, ...], float]:
        """Return every sentence of at most `longest` tokens, EOS included, with its p.

        EOS is counted and not listed. With a prefix of probability p: the
        sentences that begin so.
        """
        probabilities: dict[tuple[int, ...], float] = {}
        for token, q in enumerate(self.probabilities(prefix)):
            if q and token == EOS_ID:
                probabilities[prefix] = p * q
            elif q and len(prefix) + 1 < longest:
                probabilities |= self.sentences(
                    longest, (*prefix, token), p * q
                )
        return probabilities


class TableModel(SmallModel):
    """A model whose probabilities stand in a table.

    The table gives for a tuple of words the probability of each next word; after
    a beginning that is not in it, the sentence ends.
    """

    def __init__(
        self, table: Mapping[tuple[str, ...], Mapping[str, float]]
    ) -> None:
        words = (word for row in table.values() for word in row)
        self.words = list(dict.fromkeys((*_SPECIAL, *words)))
        super().__init__(vocab_size=len(self.words))
        self.table = table

    def probabilities(self, prefix: tuple[int, ...]) -> Sequence[float]:
        """Return one row of the table, with zeros for what it does not name."""
        row = self.table.get(tuple(self.text(prefix).split()), {"<eos>": 1.0})
        return [row.get(word, 0.0) for word in self.words]

    def text(self, ids: Sequence[int]) -> str:
        """Return the words of token ids."""
        return " ".join(self.words[i] for i in ids)


class RandomModel(SmallModel):
    """A model whose probabilities are drawn at random, the same for one seed."""

    def __init__(self, seed: int, n_words: int = 3) -> None:
        super().__init__(vocab_size=len(_SPECIAL) + n_words)
        self.seed, self.n_words = seed, n_words

    def probabilities(self, prefix: tuple[int, ...]) -> Sequence[float]:
        """Draw weights between 0 and 1 for EOS and the words, and normalise them."""
        draw = random.Random(f"{self.seed} {prefix}")
        end, *words = (draw.random() for _ in range(1 + self.n_words))
        total = sum((end, *words))
        weights = [0.0] * len(_SPECIAL) + words
        weights[EOS_ID] = end
        return [weight / total for weight in weights]
