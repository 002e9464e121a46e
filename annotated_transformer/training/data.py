"""From a recipe to batches: the corpus, its tokenizer, and the endless stream of updates."""

import hashlib
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from annotated_transformer.corpora import SentencePair
from annotated_transformer.corpora.english_korean import SPLITS, english_korean
from annotated_transformer.corpora.files import iterate_parallel, iterate_tsv
from annotated_transformer.corpora.multi30k import SPLITS as MULTI30K_SPLITS
from annotated_transformer.corpora.multi30k import multi30k_files
from annotated_transformer.corpora.wmt14 import SPLITS as WMT14_SPLITS
from annotated_transformer.corpora.wmt14 import wmt14_files
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.training.batching import (
    Batch,
    Example,
    TokenPairs,
    check_batch_size,
    fingerprint,
    share,
    token_batches,
    tokens_to_predict,
)
from annotated_transformer.training.corpus_cache import (
    CacheKey,
    cached_pairs,
    check_lengths,
    encode_pairs,
    left_out,
)
from annotated_transformer.training.recipe import Recipe
from annotated_transformer.training.recipe.corpus import CorpusRecipe
from annotated_transformer.training.run.checkpoints import Progress

DATA_VARIABLE = "ANNOTATED_TRANSFORMER_DATA"
"""Environment variable that names the directory of downloads and caches."""


def data_directory() -> Path:
    """Where downloads and tokenised corpora lie.

    The directory that the environment variable ANNOTATED_TRANSFORMER_DATA names, else the usual
    place for caches on this system.
    """
    import pooch  # noqa: PLC0415  (imported in a notebook, it warns about its progress bar)

    return Path(
        os.environ.get(DATA_VARIABLE) or pooch.os_cache("annotated_transformer")
    )


def split_names(corpus: CorpusRecipe) -> tuple[str, ...]:
    """The splits that this corpus has."""
    own = {
        "english_korean": SPLITS,
        "multi30k": MULTI30K_SPLITS,
        "wmt14": WMT14_SPLITS,
    }
    return tuple(own.get(corpus.kind, corpus.splits))


def read_split(corpus: CorpusRecipe, split: str) -> list[SentencePair]:
    """The sentence pairs of one split, in the direction of the recipe; as `iterate_split`."""
    return list(iterate_split(corpus, split))


def iterate_split(corpus: CorpusRecipe, split: str) -> Iterator[SentencePair]:
    """The sentence pairs of one split, in the direction of the recipe, one at a time.

    Raises:
        FileNotFoundError: a file of the split does not exist.
        ValueError: there is no such split, or its text is malformed.
    """
    paths = split_files(corpus, split)
    if corpus.kind == "english_korean":
        pairs: Iterable[SentencePair] = english_korean(split)
    elif corpus.kind == "tsv":
        pairs = iterate_tsv(*paths)
    else:
        pairs = iterate_parallel(*paths)
    if split == "train" and corpus.train_pairs:
        pairs = islice(pairs, corpus.train_pairs)
    return map(reversed_pair, pairs) if corpus.reverse else iter(pairs)


def split_files(corpus: CorpusRecipe, split: str) -> tuple[Path, ...]:
    """The files of a split: two with parallel lines or one of two columns; none if embedded.

    Downloads are fetched if they are not in the directory (see `data_directory`) already.
    """
    if split not in split_names(corpus):
        raise ValueError(
            f"there is no split {split!r}; there are {', '.join(split_names(corpus))}"
        )
    if corpus.kind == "multi30k":
        folder = data_directory() / "multi30k"
        return multi30k_files(folder, corpus.variant, split, corpus.languages)
    if corpus.kind == "wmt14":
        return wmt14_files(data_directory() / "wmt14", split, corpus.languages)
    return () if corpus.kind == "english_korean" else corpus.splits[split]


def reversed_pair(pair: SentencePair) -> SentencePair:
    """The same pair in the other direction, gold alignment included."""
    links = pair.alignment
    turned = (
        None
        if links is None
        else tuple(sorted((target, source) for source, target in links))
    )
    return SentencePair(pair.target, pair.source, turned)


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


def prepare_data(recipe: Recipe, tokenizer_path: Path) -> TrainingData:
    """Read the corpus, learn its tokenizer (or load it from the path), and encode the splits.

    The splits to be scored are encoded too: what the model cannot take is found before training.
    A corpus in files is tokenised once, into a cache in the `data_directory`; the embedded one
    stays in memory and writes nothing.

    Raises:
        FileNotFoundError, ValueError: as `read_split`, `encode_pairs` and `token_batches` do.
        OSError: the cache cannot be written.
    """
    corpus = recipe.corpus
    tokenizer = _tokenizer(recipe, tokenizer_path)
    max_length = recipe.model.config(tokenizer.vocab_size).max_length
    train, valid = (
        encoded_split(corpus, split, tokenizer, max_length)
        for split in ("train", "valid")
    )
    for split, pairs in (("train", train), ("valid", valid)):
        check_batch_size(pairs, recipe.training.tokens_per_batch, origin=split)
    scored = {
        split: read_split(corpus, split) for split in recipe.evaluation.splits
    }
    for split, texts in scored.items():
        encode_pairs(texts, tokenizer, max_length=max_length, origin=split)
    return TrainingData(
        tokenizer=tokenizer,
        train=train,
        valid=valid,
        scored=scored,
        fingerprint=fingerprint(train),
    )


def encoded_split(
    corpus: CorpusRecipe,
    split: str,
    tokenizer: Tokenizer,
    max_length: int,
) -> TokenPairs:
    """A split as token ids, from the cache if it lies in files."""
    texts = iterate_split(corpus, split)
    paths = split_files(corpus, split)
    if not paths:
        return encode_pairs(
            texts, tokenizer, max_length=max_length, origin=split
        )
    key = CacheKey(
        content=_content(corpus, split, paths),
        tokenizer=tokenizer.fingerprint,
        longest=corpus.longest if split == "train" else 0,
    )
    folder = data_directory() / "tokens"
    pairs = cached_pairs(folder, key, texts, tokenizer, origin=split)
    skipped = left_out(folder, key)
    if skipped:
        print(
            f"{split}: {len(pairs):,} pairs; {skipped:,} with more than {key.longest} tokens on a "
            "side are left out (corpus.longest)",
            file=sys.stderr,
        )
    check_lengths(pairs, max_length, origin=split)
    return pairs


def _content(corpus: CorpusRecipe, split: str, paths: Sequence[Path]) -> str:
    """The sha256 of a split's text: of its files and of what is taken from them."""
    taken = corpus.train_pairs if split == "train" else 0
    digest = hashlib.sha256(repr((corpus.reverse, taken, len(paths))).encode())
    for path in paths:
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def _tokenizer(recipe: Recipe, path: Path) -> Tokenizer:
    """The tokenizer at `path`, learned from both sides of train if it is not there yet."""
    if path.exists():
        return Tokenizer.load(path)
    settings = recipe.tokenizer
    pairs: Iterable[SentencePair] = iterate_split(recipe.corpus, "train")
    if settings.sample:
        pairs = sampled(pairs, settings.sample, recipe.seed)
    lines = (line for pair in pairs for line in (pair.source, pair.target))
    return Tokenizer.train(
        lines, vocab_size=settings.vocab_size, kind=settings.kind
    )


def sampled(
    pairs: Iterable[SentencePair], size: int, seed: int
) -> list[SentencePair]:
    """Pairs drawn without replacement, all with equal chance, in one pass and `size` places.

    The same seed draws the same. This is Vitter's algorithm R.
    """
    random, chosen = np.random.default_rng(seed), []
    for number, pair in enumerate(pairs):
        if number < size:
            chosen.append(pair)
            continue
        place = int(random.integers(number + 1))
        if place < size:
            chosen[place] = pair
    return chosen


class Update(NamedTuple):
    """What one process contributes to an update of the weights."""

    batches: list[Batch]
    """Its share of each batch, in order."""
    n_tokens: int
    """Target tokens of the whole update, over all processes: what the loss is divided by."""


def updates(
    examples: Sequence[Example],
    recipe: Recipe,
    progress: Progress,
    *,
    rank: int = 0,
    world_size: int = 1,
) -> Iterator[Update]:
    """The share of one process in one update after another, without end, from `progress` on.

    Moves `progress` (epoch and batch) past what it gives. An update takes `accumulate` batches,
    fewer at the end of an epoch. Every batch is dealt row by row to the `world_size` processes,
    so that an update learns from the same sentences however many they are; a process that gets
    no row of a batch takes an idle one that predicts nothing. All processes move alike.
    """
    settings, pairs = recipe.training, TokenPairs.of(examples)
    while True:
        plan = token_batches(
            pairs,
            settings.tokens_per_batch,
            seed=recipe.seed,
            epoch=progress.epoch,
        )
        while progress.batch < len(plan):
            group = plan[progress.batch : progress.batch + settings.accumulate]
            progress.batch += len(group)
            mine = [
                pairs.batch(share(batch, rank, world_size)) for batch in group
            ]
            yield Update(mine, tokens_to_predict(pairs, group))
        progress.epoch, progress.batch = progress.epoch + 1, 0
