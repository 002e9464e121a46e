"""Recipes: everything that decides a training run, as one TOML file.

A recipe names its corpus, tokenizer, model, training and evaluation. Equal recipes on the same
machine and number of threads give equal runs. Every field has a default except `name` and
`corpus.kind`, and every key that is no field is an error.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, get_type_hints

from annotated_transformer.checks import check_number
from annotated_transformer.config import TABLE3, TransformerConfig
from annotated_transformer.corpora import CORPORA
from annotated_transformer.training.recipe.schema import at_least, check_types, convert, dump

PRESETS = ("base", "big", "tiny")
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
        usual = {"lexicon": "small", "languages": (), "variant": "raw", "splits": {}}
        for name, value in usual.items():
            takers = [kind for kind, (_, settings) in CORPORA.items() if name in settings]
            if self.kind not in takers and getattr(self, name) != value:
                raise ValueError(f"{name} is for {' and '.join(takers)}, not for {self.kind}")
        pairs = LANGUAGES.get(self.kind)
        if pairs is not None and frozenset(self.languages) not in pairs:
            known = ", ".join("-".join(sorted(pair)) for pair in pairs)
            raise ValueError(
                f"languages {list(self.languages)}: {self.kind} takes two of one pair: {known}"
            )
        if self.kind in ("files", "tsv"):
            self._check_paths()

    def _check_paths(self) -> None:
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


@dataclass(frozen=True, kw_only=True)
class ModelRecipe:
    """A preset of `TransformerConfig` and the fields that differ from it."""

    preset: str = "base"
    """`base`, `big`, `tiny`, or a row of Table 3 such as `C: n_layers=2`."""
    overrides: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of `TransformerConfig`, written beside `preset` in the file."""

    def __post_init__(self) -> None:
        check_types(self)
        hints = get_type_hints(TransformerConfig)
        for key, value in self.overrides.items():
            if key in ("vocab_size", "padding_id"):
                raise ValueError(f"{key} follows from the tokenizer and cannot be set here")
            if key in hints:  # a key that is none is refused below, with the nearest one
                convert(hints[key], value, "model", key)
        self.config(vocab_size=1_000)  # any size will do: this is to refuse bad fields at once

    def config(self, vocab_size: int) -> TransformerConfig:
        """Return the model's configuration, once the tokenizer has decided the vocabulary."""
        if self.preset in PRESETS:
            preset = getattr(TransformerConfig, self.preset)
            return preset(vocab_size=vocab_size, **self.overrides)
        if ":" not in self.preset:
            rows = ", ".join(row for row in TABLE3 if ":" in row)
            raise ValueError(
                f"preset {self.preset!r} is none of {', '.join(PRESETS)} and no row of Table 3 "
                f"({rows})"
            )
        TransformerConfig.table3(self.preset, vocab_size=vocab_size)  # refuses what is no row
        # Merged before the widths of the heads follow from what is set.
        overrides = {**TABLE3[self.preset].overrides, **self.overrides}
        return TransformerConfig.base(vocab_size=vocab_size, **overrides)


@dataclass(frozen=True, kw_only=True)
class TrainingRecipe:
    """The optimizer and its schedule; the defaults are the paper's base run (section 5)."""

    steps: int = 100_000
    """Updates of the weights (section 5.2)."""
    tokens_per_batch: int = 25_000
    """Most source, and most target, tokens in a batch, padding included (section 5.1)."""
    accumulate: int = 1
    """Batches whose gradients are summed into one update."""
    warmup_steps: int = 4_000
    """Updates over which the learning rate rises (section 5.3)."""
    learning_rate_scale: float = 1.0
    """Factor on the learning rate of equation 3; the paper has none, that is 1."""
    adam_beta1: float = 0.9
    """Decay of Adam's mean of gradients (section 5.3)."""
    adam_beta2: float = 0.98
    """Decay of Adam's mean of squared gradients (section 5.3)."""
    adam_epsilon: float = 1e-9
    """Added to the root in Adam's denominator (section 5.3)."""
    label_smoothing: float = 0.1
    """Probability mass spread over the whole vocabulary (section 5.4; Table 3, row D)."""
    clip_norm: float = 0.0
    """Largest norm of the whole gradient; 0 means no clipping, as in the paper."""
    precision: Literal["auto", "float32", "bfloat16"] = "auto"
    """Number format of matrix products, `auto` for bfloat16 where the processor or GPU computes in
    it; weights, their updates and the loss stay float32."""
    log_every: int = 10
    """Updates between two entries of the training loss in the log."""
    validate_every: int = 500
    """Updates between two looks at the validation split."""
    checkpoint_every: int = 500
    """Updates between two checkpoints."""
    keep_checkpoints: int = 2
    """Number of latest checkpoints that stay on the disk, beside the best by validation loss."""
    average_checkpoints: int = 0
    """The model is the mean of that many latest checkpoints (section 6.1); 0 or 1: the last one."""

    def __post_init__(self) -> None:
        check_types(self)
        at_least(1, self, "steps", "tokens_per_batch", "accumulate", "warmup_steps", "log_every")
        at_least(1, self, "validate_every", "checkpoint_every", "keep_checkpoints")
        at_least(0, self, "learning_rate_scale", "clip_norm", "adam_epsilon", "average_checkpoints")
        for name in ("adam_beta1", "adam_beta2", "label_smoothing"):
            if not 0 <= getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 0 and below 1: {getattr(self, name)}")
        if self.average_checkpoints > self.keep_checkpoints:
            raise ValueError(
                f"average_checkpoints = {self.average_checkpoints}, but only the last "
                f"{self.keep_checkpoints} are kept (keep_checkpoints)"
            )


@dataclass(frozen=True, kw_only=True)
class EvaluationRecipe:
    """What is translated and scored when training is over (section 6.1)."""

    splits: tuple[str, ...] = ("test",)
    """Splits of the corpus to translate; none is allowed, and the default where a recipe names
    files and none for `test`."""
    beam_size: int = 4
    """Prefixes kept at each step of the search."""
    length_penalty: float = 0.6
    """The exponent of the length penalty, `alpha` of `Translator` and of `beam_search`."""
    length_penalties: tuple[float, ...] = ()
    """Exponents to try on the split `valid` when training is over: the one with the highest BLEU
    takes the place of `length_penalty`, and the record keeps the score of each."""
    tokenize: Literal["13a", "char", "intl", "none", "zh"] = "13a"
    """Tokenisation inside sacrebleu's BLEU; `none` for text that is already tokenised."""

    def __post_init__(self) -> None:
        check_types(self)
        if len(set(self.splits)) < len(self.splits):
            raise ValueError(f"splits = {list(self.splits)} has a split twice; name each once")
        at_least(1, self, "beam_size")
        at_least(0, self, "length_penalty")
        for alpha in self.length_penalties:
            check_number("length_penalty", alpha)
        if self.length_penalties and "valid" not in self.splits:
            raise ValueError(
                "length_penalties are compared on the split 'valid', which is not among splits"
            )


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """A training run from text to scores."""

    name: str
    """What the run is called in its record."""
    description: str = ""
    """One sentence on what it is for."""
    seed: int = 1
    """Decides the initial weights, the order of the batches and dropout."""
    corpus: CorpusRecipe
    """Where the sentence pairs come from."""
    tokenizer: TokenizerRecipe = field(default_factory=TokenizerRecipe)
    """How text becomes tokens."""
    model: ModelRecipe = ModelRecipe()
    """Which Transformer."""
    training: TrainingRecipe = TrainingRecipe()
    """How it is trained."""
    evaluation: EvaluationRecipe = EvaluationRecipe()
    """How it is scored."""

    def __post_init__(self) -> None:
        check_types(self)
        if not (self.name.strip() and self.name.isprintable()):
            raise ValueError(f"name = {self.name!r}; expected a name on one line")
        if not 0 <= self.seed < 2**64:  # what PyTorch's generators take
            raise ValueError(f"seed must be at least 0 and below 2**64: {self.seed}")
        # Refused now, and not when the tokenizer has been learned.
        self.model.config(self.tokenizer.vocab_size)

    def to_dict(self) -> dict[str, Any]:
        """Return the recipe as nested dictionaries, as in its file; paths become strings."""
        return _plain(self)

    def to_toml(self) -> str:
        """Write the recipe as a file that `load_recipe` reads back to an equal one."""
        return dump(self.to_dict())


def _plain(value: Any) -> Any:
    if isinstance(value, ModelRecipe):
        return {"preset": value.preset, **value.overrides}
    if is_dataclass(value):
        return {item.name: _plain(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return str(value) if isinstance(value, Path) else value


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
