"""The part of a recipe that decides its text: the corpus, and the tokenizer learned from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from annotated_transformer.training.recipe.schema import at_least, check_types

LANGUAGES = {
    "multi30k": (frozenset({"en", "de"}),),
    "wmt14": (frozenset({"en", "de"}), frozenset({"en", "fr"})),
}
"""The language pairs of each download, in either direction."""


@dataclass(frozen=True, kw_only=True)
class CorpusRecipe:
    """Where the sentence pairs come from."""

    kind: Literal["english_korean", "korean_english", "files", "tsv", "multi30k", "wmt14", "wsj"]
    """The embedded grammar in either direction, two text files or one TSV file per split, a
    download, or the Penn Treebank's Wall Street Journal: sentences and lines of their trees."""
    splits: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)
    """For files and tsv: split name to [source, target] or [tsv]; train and valid must be there."""
    languages: tuple[str, ...] = ()
    """For multi30k and wmt14: [source, target], such as ["en", "de"]."""
    variant: Literal["raw", "tok"] = "raw"
    """For multi30k: text as it was written, or lower-cased and tokenised by its publishers."""
    lexicon: Literal["small", "large", "open"] = "small"
    """For english_korean: the words and constructions of the experiments, everyday ones too, or
    more of what visitors type besides, with invented words that are copied."""
    reverse: bool = False
    """Translate from target to source instead."""
    train_pairs: int = 0
    """Use only that many pairs from the beginning of the training split; 0 means all."""
    longest: int = 0
    """Leave out training pairs with more tokens on a side, and say how many; 0 leaves out none."""

    def __post_init__(self) -> None:
        check_types(self)
        at_least(0, self, "train_pairs", "longest")
        if self.longest and self.kind in ("english_korean", "korean_english"):
            raise ValueError(f"longest = {self.longest}: {self.kind} has no long sentences")
        if self.lexicon != "small" and self.kind != "english_korean":
            raise ValueError(f"lexicon is for english_korean, not for {self.kind}")
        self._check_download()
        if self.kind not in ("files", "tsv"):
            if self.splits:
                raise ValueError(f"splits: the corpus {self.kind} brings its own")
            return
        n_paths = 2 if self.kind == "files" else 1
        for split in ("train", "valid"):
            if split not in self.splits:
                raise ValueError(f"splits: {split} is missing, kind {self.kind!r} needs it")
        for split, paths in self.splits.items():
            if len(paths) != n_paths:
                raise ValueError(
                    f"splits.{split}: kind {self.kind!r} takes {n_paths} path(s), got {len(paths)}"
                )
            for path in map(str, paths):
                if any(character < " " for character in path):
                    raise ValueError(
                        f"splits.{split}: {path!r} has a control character, which a backslash "
                        "between double quotes makes in TOML; write 'C:\\data' in single quotes"
                    )

    def _check_download(self) -> None:
        """Check the keys that only downloads have."""
        pairs = LANGUAGES.get(self.kind)
        if pairs is None and self.languages:
            raise ValueError(f"languages is for {' and '.join(LANGUAGES)}, not for {self.kind}")
        if pairs is not None and frozenset(self.languages) not in pairs:
            known = ", ".join("-".join(sorted(pair)) for pair in pairs)
            raise ValueError(
                f"languages {list(self.languages)}: {self.kind} takes two of one pair: {known}"
            )
        if self.variant != "raw" and self.kind != "multi30k":
            raise ValueError(f"variant {self.variant!r} is for multi30k, not for {self.kind}")


@dataclass(frozen=True, kw_only=True)
class TokenizerRecipe:
    """How text becomes tokens; one vocabulary is learned from both languages of train."""

    kind: Literal["bpe", "unigram", "word"] = "bpe"
    """Byte-pair encoding (section 5.1), the unigram language model, or whole words, of which those
    that have no token are written in bytes."""
    vocab_size: int = 2_000
    """Number of tokens, the four special ones and the 256 bytes included."""
    sample: int = 0
    """Learn from that many pairs of train, drawn at random by the seed; 0 means from all."""

    def __post_init__(self) -> None:
        check_types(self)
        at_least(1, self, "vocab_size")
        at_least(0, self, "sample")


def with_paths(corpus: Mapping[str, Any], directory: Path) -> dict[str, Any]:
    """Return the corpus section with absolute paths; a single path may stand without brackets."""
    corpus = dict(corpus)
    if isinstance(corpus.get("splits"), dict):
        corpus["splits"] = {
            split: _absolute([paths] if isinstance(paths, str) else paths, directory)
            for split, paths in corpus["splits"].items()
        }
    return corpus


def _absolute(paths: Any, directory: Path) -> Any:
    if not isinstance(paths, list):
        return paths  # the check of the types names it
    return [str((directory / path).absolute()) if isinstance(path, str) else path for path in paths]
