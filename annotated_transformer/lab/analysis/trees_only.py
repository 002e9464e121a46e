"""A search that writes nothing but trees: it lets no symbol through after which none can follow.

Chapter: *Parsing*. A string is the line of a tree if and only if it has the four
properties of the theorem *Lines are trees*. So a beginning of a line can still
become one if the words without a tag and the phrases that are open can be
finished in the symbols that are left. `TreePrefix` counts both. The search is
that of every other model; what it may not write gets no probability
(`without_forbidden`), and what it may write keeps the one that the model gives.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from annotated_transformer.decoding.prefixes import (
    EncoderDecoder,
    Prefixes,
    start,
)
from annotated_transformer.tokenizer import (
    EOS_ID,
    N_FIXED,
    SPACE_MARK,
    Tokenizer,
)

END = ""
"""The end of a line, among the symbols."""


@dataclass(frozen=True, slots=True)
class TreePrefix:
    """The beginning of a line of a tree: all that decides how it may go on."""

    words: int
    """Words of the sentence that have no tag yet."""
    room: int
    """How many symbols still fit, the end of the line among them."""
    phrases: tuple[str, ...] = ()
    """Labels of the open phrases, the innermost last."""
    last: str = ""
    """The last symbol; before the first, nothing."""

    @property
    def whole(self) -> bool:
        """Whether it is the line of a tree."""
        return bool(self.last) and not self.phrases

    @property
    def needs(self) -> int:
        """The fewest symbols that make it a whole line with its end."""
        phrase = not self.last and self.words > 1  # that is not open yet
        return self.words + len(self.phrases) + 2 * phrase + 1

    def allows(self, symbol: str) -> bool:
        """Return whether it can still become a tree with this symbol after it."""
        if symbol == END or self.whole:
            return symbol == END and self.whole
        if symbol[0] == "(":
            opened = self.words + len(self.phrases) + 2
            return self.words > 0 and opened < self.room
        if symbol[0] == ")":
            fits = self.phrases[-1:] == (symbol[1:],) and self.last[0] != "("
            return fits and (len(self.phrases) > 1 or self.words == 0)
        return self.words > 0 and (bool(self.phrases) or self.words == 1)

    def after(self, symbol: str) -> "TreePrefix":
        """Return it with one more symbol, which it has to allow."""
        longer = replace(self, room=self.room - 1, last=symbol)
        if symbol[0] == "(":
            return replace(longer, phrases=(*self.phrases, symbol[1:]))
        if symbol[0] == ")":
            return replace(longer, phrases=self.phrases[:-1])
        return replace(longer, words=self.words - 1)


class TreesOnly:
    """A model to search whose lines are trees, each of as many words as its sentence has.

    Args:
        model: what was trained on lines of trees.
        tokenizer: its tokenizer, with one token for each symbol.
        words: how many words each sentence of the source has.
        max_length: that of the search: the most symbols of a line, its end
            included.

    Raises:
        ValueError: a sentence has no words or too many for the length, or the
            tokenizer cuts symbols in pieces.
    """

    def __init__(
        self,
        model: EncoderDecoder,
        tokenizer: Tokenizer,
        words: Sequence[int],
        max_length: int,
    ) -> None:
        self.config = model.config
        self.encode, self.decode = model.encode, model.decode
        self.modules, self.eval = model.modules, model.eval
        self._model, self._symbols = model, _Symbols(tokenizer)
        self._starts = [TreePrefix(n, max_length) for n in words]
        for row, first in enumerate(self._starts):
            if first.words < 1 or first.needs > max_length:
                raise ValueError(
                    f"row {row} of the source has {first.words} words, and "
                    f"max_length is {max_length}; expected at least one word, "
                    f"and for so many a length of {first.needs}"
                )

    def prefixes(
        self, source: Int[Tensor, "sentence source"]
    ) -> "TreePrefixes":
        """Encode the source and begin.

        Raises:
            ValueError: it has more or fewer sentences than `words` said.
        """
        if len(source) != len(self._starts):
            raise ValueError(
                f"the source has {len(source)} sentences, and words were "
                f"counted for {len(self._starts)}"
            )
        return TreePrefixes(
            start(self._model, source),
            self._symbols,
            self._starts,
            self.config.padding_id,
        )


class TreePrefixes:
    """`Prefixes` that are beginnings of lines of trees."""

    def __init__(
        self,
        inner: Prefixes,
        symbols: "_Symbols",
        starts: Sequence[TreePrefix],
        padding_id: int,
    ) -> None:
        self._inner, self._symbols = inner, symbols
        self._padding_id = padding_id
        self._states = [[first] for first in starts]
        self._empty = True

    def step(
        self, tokens: Int[Tensor, "sentence prefix"]
    ) -> Float[Tensor, "sentence prefix vocab"]:
        """Write one token after each prefix; only what may follow keeps its probability."""
        if not self._empty:  # the first token of all is BOS
            self._states = [
                [
                    state.after(self._symbols.names[token])
                    for state, token in zip(states, row, strict=True)
                ]
                for states, row in zip(
                    self._states, tokens.tolist(), strict=True
                )
            ]
        self._empty = False
        logits = self._inner.step(tokens)
        masks = [
            torch.stack([self._symbols.allowed(state) for state in states])
            for states in self._states
        ]
        allowed = torch.stack(masks).to(logits.device)
        return without_forbidden(logits, allowed, self._padding_id)

    def select(
        self, sentences: Sequence[int], prefixes: Sequence[Sequence[int]]
    ) -> None:
        """Reorder the batch, as `Prefixes` says."""
        self._states = [
            [self._states[sentence][prefix] for prefix in row]
            for sentence, row in zip(sentences, prefixes, strict=True)
        ]
        self._inner.select(sentences, prefixes)


def without_forbidden(
    logits: Float[Tensor, "*batch vocab"],
    allowed: Bool[Tensor, "*batch vocab"],
    padding_id: int,
) -> Float[Tensor, "*batch vocab"]:
    """Move the probability of all forbidden tokens to padding, which no search writes.

    The allowed tokens keep theirs, so that the score of a line is the
    probability that the model gives to it, and not one among trees alone.
    """
    forbidden = logits.masked_fill(allowed, -torch.inf).logsumexp(dim=-1)
    logits = logits.masked_fill(~allowed, -torch.inf)
    logits[..., padding_id] = forbidden
    return logits


class _Symbols:
    """The symbols that a tokenizer knows, by their ids, and which a prefix allows."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        pieces = tokenizer.vocabulary()[N_FIXED:]
        for piece in pieces:
            if piece[0] != SPACE_MARK or piece == SPACE_MARK:
                raise ValueError(
                    f"the tokenizer has the piece {piece!r}, which is no whole "
                    "symbol; take a tokenizer of the kind 'word'"
                )
        symbols = [piece.removeprefix(SPACE_MARK) for piece in pieces]
        closed = {symbol[1:] for symbol in symbols if symbol[0] == ")"}
        self.names = {EOS_ID: END} | {
            number: symbol
            for number, symbol in enumerate(symbols, start=N_FIXED)
            # A phrase without a closing bracket could never end.
            if symbol[0] != "(" or symbol[1:] in closed
        }
        self._size = tokenizer.vocab_size
        self._masks: dict[tuple[object, ...], Bool[Tensor, " vocab"]] = {}

    def allowed(self, prefix: TreePrefix) -> Bool[Tensor, " vocab"]:
        """Mark the tokens that the prefix allows."""
        # All opening brackets are allowed or none, and so are all tags, so that
        # few masks answer for all prefixes.
        inner = prefix.phrases[-1:]
        key = (
            prefix.whole,
            prefix.allows("("),
            prefix.allows("tag"),
            inner if inner and prefix.allows(f"){inner[0]}") else (),
        )
        if key not in self._masks:
            mask = torch.zeros(self._size, dtype=torch.bool)
            mask[
                [i for i, name in self.names.items() if prefix.allows(name)]
            ] = True
            self._masks[key] = mask
        return self._masks[key]
