"""The data of a run, looked at without the run. Chapter: *Training*."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from annotated_transformer.corpora import find_corpus
from annotated_transformer.training.data import (
    TrainingData,
    encode_corpus,
    make_tokenizer,
    open_corpus,
)
from annotated_transformer.training.encoded import Array, Example, TokenPairs
from annotated_transformer.training.recipe import CorpusRecipe, Recipe


def split_names(corpus: CorpusRecipe) -> tuple[str, ...]:
    """Return the names of the splits that this corpus has."""
    return find_corpus(corpus.kind, vars(corpus)).splits()


def prepare_data(recipe: Recipe, tokenizer_path: Path) -> TrainingData:
    """Go through the stages from a recipe to the encoded data, without a run."""
    corpus = open_corpus(recipe)
    tokenizer = make_tokenizer(corpus, recipe, tokenizer_path)
    return encode_corpus(corpus, tokenizer, recipe)


def padding_share(examples: Sequence[Example], batches: Iterable[Sequence[int] | Array]) -> float:
    """Return the share of padding among all positions, source and target, of these batches."""
    pairs = TokenPairs.of(examples)
    filled = positions = 0
    for batch in batches:
        for lengths in (pairs.source_lengths[batch], pairs.target_lengths[batch]):
            filled += int(lengths.sum())
            positions += int(lengths.max()) * len(batch)
    return 1 - filled / positions
