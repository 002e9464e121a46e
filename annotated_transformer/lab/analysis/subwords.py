"""How a tokenizer cuts words into pieces, in plain code: byte pairs and unigram.

Paper: section 5.1. Chapter: *Tokens and embeddings*. The model uses sentencepiece, through
`tokenizer.py`; the tests compare this code with it. Left out, because it matters only for large or
rare text: sentencepiece's faster bookkeeping (here everything is counted again before each merge),
the bytes of unknown characters, its limit of 16 characters for a piece, and its rule that all
characters of a piece belong to one script.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import sentencepiece

from annotated_transformer.tokenizer import (
    N_SPECIALS,
    SPACE_MARK,
    Tokenizer,
    check_text,
)

Pair = tuple[str, str]
Word = tuple[str, ...]


class Merge(NamedTuple):
    """Two pieces that are joined, and how often they stood side by side before that."""

    left: str
    """The piece on the left."""
    right: str
    """The piece on the right."""
    times: int
    """How often the two stood side by side."""

    @property
    def piece(self) -> str:
        """The new piece."""
        return self.left + self.right


def split_words(text: str) -> list[Word]:
    """Return the words of a line, each as a mark for the space before it and its characters.

    Raises ValueError naming character and position if sentencepiece could not keep the text.
    """
    check_text(text)
    words = text.split(" ") if text else []
    return [tuple(SPACE_MARK + word) for word in words]


def count_words(lines: Iterable[str]) -> Counter[Word]:
    """Count how often each word occurs in all lines together.

    Raises:
        ValueError: a text in place of a list of lines, no text, or text that `split_words`
            refuses.
    """
    if isinstance(lines, str):
        raise ValueError(
            "one text was given; expected a list of lines, such as [text]"
        )
    words = Counter(word for line in lines for word in split_words(line))
    if not words:
        raise ValueError("there is no text to learn merges from")
    return words


def count_pairs(words: Mapping[Word, int]) -> Counter[Pair]:
    """Count how often two pieces stand side by side, given how often each word occurs."""
    pairs: Counter[Pair] = Counter()
    for word, count in words.items():
        for pair in pairwise(word):
            pairs[pair] += count
    return pairs


def best_pair(pairs: Mapping[Pair, int]) -> Pair:
    """Return the most frequent pair; of several the shortest, then the first in Unicode order."""
    return min(
        pairs,
        key=lambda pair: (-pairs[pair], len("".join(pair)), "".join(pair)),
    )


def join_pair(word: Word, pair: Pair) -> Word:
    """Return the word with every occurrence of the pair joined, from the left."""
    joined: list[str] = []
    for piece in word:
        if joined and (joined[-1], piece) == pair:
            joined[-1] += piece
        else:
            joined.append(piece)
    return tuple(joined)


def learn_merges(lines: Iterable[str], n_merges: int) -> Iterator[Merge]:
    """Yield byte pairs: join the most frequent pair, count again, and so on.

    Raises:
        ValueError: `n_merges` is negative or not an integer, all words are one piece before that
            many merges, or `count_words` refuses the lines.

    Source: Sennrich et al. 2016, section 3.2; ties and characters as in sentencepiece.
    """
    if type(n_merges) is not int or n_merges < 0:
        raise ValueError(f"n_merges={n_merges!r} must be an integer, 0 or more")
    words = count_words(lines)
    known = {character for word in words for character in word}
    done = 0
    while done < n_merges:
        pairs = count_pairs(words)
        new = {
            pair: count
            for pair, count in pairs.items()
            if "".join(pair) not in known
        }
        if not new:
            raise ValueError(
                f"n_merges={n_merges} is too many: {done} leave nothing to join"
            )
        pair = best_pair(new)
        known.add("".join(pair))
        yield Merge(*pair, new[pair])
        done += 1
        words = Counter(
            {join_pair(word, pair): count for word, count in words.items()}
        )


def apply_merges(word: Word, merges: Sequence[Merge]) -> Iterator[Word]:
    """Yield a word after each join: the earliest merge first, from the left.

    Two pieces are joined whenever the result is a piece, even one that other pieces first made.
    """
    rank = {
        merge.piece: number
        for number, merge in reversed(list(enumerate(merges)))
    }
    yield word
    while True:
        joins = [
            (rank.get(a + b, math.inf), i)
            for i, (a, b) in enumerate(pairwise(word))
        ]
        first, i = min(joins, default=(math.inf, 0))
        if first == math.inf:
            return
        word = (*word[:i], word[i] + word[i + 1], *word[i + 2 :])
        yield word


def merge_text(text: str, merges: Sequence[Merge]) -> list[str]:
    """Return the pieces of a line under byte-pair encoding; unknown characters stay single."""
    pieces: list[str] = []
    for word in split_words(text):
        *_, last = apply_merges(word, merges)
        pieces += last
    return pieces


def most_probable_pieces(
    text: str, log_probability: Mapping[str, float]
) -> list[str]:
    """Cut a line so that the product of its pieces' probabilities is largest.

    The best segmentation of the first n characters ends in some piece; before that piece stands
    the best segmentation of the rest. One pass from left to right therefore finds the best of
    exponentially many.

    Raises:
        ValueError: no sequence of pieces spells the text, or `split_words` refuses it.

    Source: Kudo 2018, section 3.2, by the algorithm of Viterbi.
    """
    marked = "".join(
        character for word in split_words(text) for character in word
    )
    longest = max(map(len, log_probability), default=0)
    best: list[tuple[float, list[str]]] = [(0.0, [])]
    for end in range(1, len(marked) + 1):
        options = [(-math.inf, list[str]())]
        for start in range(max(0, end - longest), end):
            piece, (score, pieces) = marked[start:end], best[start]
            if piece in log_probability and score > -math.inf:
                options.append(
                    (score + log_probability[piece], [*pieces, piece])
                )
        best.append(max(options, key=lambda option: option[0]))
    if best[-1][0] == -math.inf:
        raise ValueError(f"the pieces cannot spell {text!r}")
    return best[-1][1]


def log_probabilities(tokenizer: Tokenizer) -> dict[str, float]:
    """Return the natural logarithm of each piece's probability, without specials and bytes.

    Raises ValueError for a model of byte pairs, whose numbers are ranks.
    """
    model = sentencepiece.SentencePieceProcessor(
        model_proto=tokenizer.to_bytes()
    )
    scores = {
        model.id_to_piece(i): model.get_score(i)
        for i in range(N_SPECIALS, tokenizer.vocab_size)
        if not model.is_byte(i)
    }
    # Only the rank of the first byte pair is 0; no piece has probability 1.
    if max(scores.values()) == 0:
        raise ValueError(
            "byte pairs have no probabilities; train with kind='unigram'"
        )
    return scores
