"""From a recipe to batches: the corpus, its tokenizer, and the endless stream of updates."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotated_transformer.corpora import SentencePair
from annotated_transformer.corpora.english_korean import SPLITS, english_korean
from annotated_transformer.corpora.files import read_parallel, read_tsv
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.training.batching import (
    Batch,
    Example,
    check_batch_size,
    collate,
    encode_pairs,
    fingerprint,
    token_batches,
)
from annotated_transformer.training.checkpoints import Progress
from annotated_transformer.training.recipe import CorpusRecipe, Recipe


def split_names(corpus: CorpusRecipe) -> tuple[str, ...]:
    """The splits that this corpus has."""
    return SPLITS if corpus.kind == "english_korean" else tuple(corpus.splits)


def read_split(corpus: CorpusRecipe, split: str) -> list[SentencePair]:
    """The sentence pairs of one split, in the direction of the recipe.

    Raises:
        FileNotFoundError: a file of the split does not exist.
        ValueError: there is no such split, or its text is malformed.
    """
    if split not in split_names(corpus):
        raise ValueError(f"there is no split {split!r}; there are {', '.join(split_names(corpus))}")
    if corpus.kind == "english_korean":
        pairs = english_korean(split)
    elif corpus.kind == "files":
        pairs = read_parallel(*corpus.splits[split])
    else:
        pairs = read_tsv(*corpus.splits[split])
    if split == "train" and corpus.train_pairs:
        pairs = pairs[: corpus.train_pairs]
    return [reversed_pair(pair) for pair in pairs] if corpus.reverse else pairs


def reversed_pair(pair: SentencePair) -> SentencePair:
    """The same pair in the other direction, gold alignment included."""
    links = pair.alignment
    turned = None if links is None else tuple(sorted((target, source) for source, target in links))
    return SentencePair(pair.target, pair.source, turned)


@dataclass(frozen=True)
class TrainingData:
    """What training and validation read."""

    tokenizer: Tokenizer
    """Learned from both sides of the training split."""
    train: list[Example]
    """The training split as token ids."""
    valid: list[Example]
    """The validation split as token ids."""
    scored: dict[str, list[SentencePair]]
    """The splits that the finished model translates."""
    fingerprint: str
    """Identifies the training split and its tokenizer, so that a resumed run sees the same."""


def prepare_data(recipe: Recipe, tokenizer_path: Path) -> TrainingData:
    """Read the corpus, learn its tokenizer (or load it from the path), and encode the splits.

    The splits to be scored are encoded too: what the model cannot take is found before training.
    Nothing is written.

    Raises:
        FileNotFoundError, ValueError: as `read_split`, `encode_pairs` and `token_batches` do.
    """
    splits = dict.fromkeys(("train", "valid", *recipe.evaluation.splits))
    pairs = {split: read_split(recipe.corpus, split) for split in splits}
    tokenizer = _tokenizer(recipe, pairs["train"], tokenizer_path)
    max_length = recipe.model.config(tokenizer.vocab_size).max_length
    encoded = {
        split: encode_pairs(pairs[split], tokenizer, max_length=max_length, origin=split)
        for split in splits
    }
    for split in ("train", "valid"):
        check_batch_size(encoded[split], recipe.training.tokens_per_batch, origin=split)
    return TrainingData(
        tokenizer=tokenizer,
        train=encoded["train"],
        valid=encoded["valid"],
        scored={split: pairs[split] for split in recipe.evaluation.splits},
        fingerprint=fingerprint(encoded["train"]),
    )


def _tokenizer(recipe: Recipe, pairs: Sequence[SentencePair], path: Path) -> Tokenizer:
    """The tokenizer at `path`, learned from both sides of the pairs if it is not there yet."""
    if path.exists():
        return Tokenizer.load(path)
    lines = (line for pair in pairs for line in (pair.source, pair.target))
    return Tokenizer.train(
        lines, vocab_size=recipe.tokenizer.vocab_size, kind=recipe.tokenizer.kind
    )


def updates(
    examples: Sequence[Example], recipe: Recipe, progress: Progress
) -> Iterator[list[Batch]]:
    """The batches of one update after another, without end, from where `progress` stands.

    Moves `progress` (epoch and batch) past what it gives. An update takes `accumulate` batches,
    fewer at the end of an epoch.
    """
    settings = recipe.training
    while True:
        plan = token_batches(
            examples, settings.tokens_per_batch, seed=recipe.seed, epoch=progress.epoch
        )
        while progress.batch < len(plan):
            group = plan[progress.batch : progress.batch + settings.accumulate]
            progress.batch += len(group)
            yield [collate([examples[index] for index in batch]) for batch in group]
        progress.epoch, progress.batch = progress.epoch + 1, 0
