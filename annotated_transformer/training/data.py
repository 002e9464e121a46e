"""From a recipe to encoded data: its corpus, the tokenizer learned from it, the token ids."""

import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np

from annotated_transformer.corpora import READING, Pairs, SentencePair, find_corpus
from annotated_transformer.storage.machine import data_directory
from annotated_transformer.text import TrainingText, copied_words
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.training.batching import check_batch_size
from annotated_transformer.training.corpus_cache import CacheKey, cached_pairs, left_out
from annotated_transformer.training.encoded import Example, TokenPairs, check_lengths, fingerprint
from annotated_transformer.training.recipe import Recipe
from annotated_transformer.training.recipe.recipes import CorpusRecipe


@dataclass(frozen=True)
class Split:
    """A split of a corpus: its sentence pairs, read anew each time that they are iterated over."""

    name: str
    """What the corpus calls it, such as `train`."""
    corpus: CorpusRecipe
    """Which corpus, in which direction, and how much of it."""
    pairs: Pairs
    """As the corpus has them: all, and in its direction."""

    @property
    def limit(self) -> int | None:
        """How many pairs of the text are taken; None for all."""
        return self.corpus.train_pairs or None if self.name == "train" else None

    def __iter__(self) -> Iterator[SentencePair]:
        """Yield the pairs one at a time; raise `ValueError` for malformed text."""
        pairs = islice(self.pairs, self.limit)
        return map(reversed_pair, pairs) if self.corpus.reverse else pairs


def open_split(corpus: CorpusRecipe, name: str) -> Split:
    """Open a split of a corpus, whose files are fetched first if it is a download.

    Raises `OSError` if they cannot be fetched, or are not there, `ValueError` without such a split.
    """
    named = find_corpus(corpus.kind, vars(corpus))
    if name not in named.splits():
        raise ValueError(f"there is no split {name!r}; there are {', '.join(named.splits())}")
    return Split(name, corpus, named.pairs(name))


def read_split(corpus: CorpusRecipe, name: str) -> list[SentencePair]:
    """Read all sentence pairs of one split, in the direction of the recipe."""
    return list(open_split(corpus, name))


def open_corpus(recipe: Recipe) -> dict[str, Split]:
    """Open the splits that a run reads: to train, to validate, and to score the finished model."""
    names = dict.fromkeys(("train", "valid", *recipe.evaluation.splits))
    return {name: open_split(recipe.corpus, name) for name in names}


def reversed_pair(pair: SentencePair) -> SentencePair:
    """Return the same pair in the other direction, gold alignment included."""
    links = pair.alignment
    turned = None if links is None else tuple(sorted((target, source) for source, target in links))
    return SentencePair(pair.target, pair.source, turned)


def make_tokenizer(corpus: Mapping[str, Split], recipe: Recipe, path: Path) -> Tokenizer:
    """Load the tokenizer at `path`; if there is none yet, learn one from both sides of train."""
    if path.exists():
        return Tokenizer.load(path)
    settings = recipe.tokenizer
    # What is derived once stays in this process, not in the one that learns.
    pairs: Iterable[SentencePair] = iter(corpus["train"])
    if settings.sample:
        pairs = sampled(pairs, settings.sample, recipe.seed)
    lines = (line for pair in pairs for line in (pair.source, pair.target))
    learn = partial(Tokenizer.train, lines, vocab_size=settings.vocab_size, kind=settings.kind)
    from annotated_transformer.training.child import in_child  # noqa: PLC0415  (only to learn)

    return Tokenizer(in_child(lambda: learn().to_bytes()))


def sampled(pairs: Iterable[SentencePair], size: int, seed: int) -> list[SentencePair]:
    """Draw `size` pairs without replacement, all with equal chance, in one pass.

    Only `size` pairs are in memory at a time. The same seed draws the same. This is Vitter's
    algorithm R.
    """
    random, chosen = np.random.default_rng(seed), []
    for number, pair in enumerate(pairs):
        if number < size:
            chosen.append(pair)
            continue
        index = int(random.integers(number + 1))
        if index < size:
            chosen[index] = pair
    return chosen


@dataclass(frozen=True)
class TrainingData:
    """What training and validation read."""

    tokenizer: Tokenizer
    """Learned from both sides of the training split."""
    train: TokenPairs
    """The training split as token ids."""
    valid: TokenPairs
    """The validation split as token ids."""
    scored: dict[str, list[SentencePair]]
    """The splits that the finished model translates."""
    fingerprint: str
    """Identifies the training split and its tokenizer, so that a resumed run sees the same."""
    text: TrainingText | None = None
    """What the source side of the training split had, kept with the model."""


def encode_corpus(
    corpus: Mapping[str, Split], tokenizer: Tokenizer, recipe: Recipe
) -> TrainingData:
    """Encode the splits as token ids, and refuse before training what the model cannot take.

    Raises `ValueError` for a text that is malformed and a sentence too long for the model or for a
    batch, also in the splits to be scored; `OSError` for a file that cannot be read or written.
    """
    max_length = recipe.model.config(tokenizer.vocab_size).max_length
    encoded = {name: encode_split(split, tokenizer, max_length) for name, split in corpus.items()}
    for name in ("train", "valid"):
        check_batch_size(encoded[name], recipe.training.tokens_per_batch, origin=name)
    return TrainingData(
        tokenizer=tokenizer,
        train=encoded["train"],
        valid=encoded["valid"],
        scored={name: list(corpus[name]) for name in recipe.evaluation.splits},
        fingerprint=fingerprint(encoded["train"]),
        text=TrainingText.of(
            (pair.source for pair in corpus["train"]),
            longest_tokens=int(encoded["train"].source_lengths.max()),
            copied=copied_words((pair.source, pair.target) for pair in corpus["train"]),
        ),
    )


def encode_split(split: Split, tokenizer: Tokenizer, max_length: int) -> TokenPairs:
    """Encode a split as token ids.

    The ids of a corpus in files are cached in the `data_directory`, so that it is tokenised once;
    those of the embedded corpus stay in memory, and nothing is written.
    """
    examples = encode(split, tokenizer, origin=split.name)
    if split.pairs.files:  # none for the embedded grammar
        longest = split.corpus.longest if split.name == "train" else 0
        key = CacheKey(content=content_of(split), tokenizer=tokenizer.fingerprint, longest=longest)
        folder = data_directory() / "tokens"
        pairs = cached_pairs(folder, key, examples, tokenizer.vocab_size, origin=split.name)
        if skipped := left_out(folder, key):
            print(
                f"{split.name}: {len(pairs):,} pairs; {skipped:,} with more than {longest} tokens "
                "on a side are left out (corpus.longest)",
                file=sys.stderr,
            )
    else:
        pairs = TokenPairs.of(examples)
    check_lengths(pairs, max_length, origin=split.name)
    return pairs


def encode(
    pairs: Iterable[SentencePair], tokenizer: Tokenizer, *, origin: str
) -> Iterator[Example]:
    """Yield sentence pairs as token ids, one at a time.

    Raises `ValueError` for text that the tokenizer refuses, with its line in
    `origin`, which names the pairs in messages (a split or a file).
    """
    for number, pair in enumerate(pairs, start=1):
        try:
            source = tokenizer.source_ids(pair.source)
            target = tokenizer.target_ids(pair.target)
        except ValueError as error:
            raise ValueError(f"{origin}, line {number}: {error}") from error
        yield Example(tuple(source), tuple(target))


def content_of(split: Split) -> str:
    """Return the sha256 of a split's text: of its files, how they are read, what is taken."""
    files = split.pairs.files
    taken = (READING, split.corpus.reverse, split.limit or 0, len(files))
    digest = hashlib.sha256(repr(taken).encode())
    for path in files:
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()
