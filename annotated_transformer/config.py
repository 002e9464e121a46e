"""Sizes of a Transformer, and the rows of the paper's Table 3 by name.

Paper: section 3 and Table 3. Chapter: *The whole model*. Only what shapes the network is here;
steps, learning rate and label smoothing shape a run and live in its recipe.
"""

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

from annotated_transformer import checks

Norm = Literal["post", "pre"]
Positions = Literal["sinusoidal", "learned", "rotary", "alibi", "none"]
Activation = Literal["relu", "gelu", "gelu_tanh", "silu", "none"]
Bias = Literal["feed_forward", "all", "none"]
SIZES = ("vocab_size", "n_layers", "d_model", "d_ff", "n_heads", "max_length", "d_k", "d_v")
OPTIONS = {
    "norm": get_args(Norm),
    "positions": get_args(Positions),
    "activation": get_args(Activation),
    "bias": get_args(Bias),
}
"""What the fields that are a choice may be."""


@dataclass(frozen=True, kw_only=True)
class TransformerConfig:
    """Everything that fixes the architecture; by default the base model.

    Raises:
        ValueError: a size is not a positive integer or is above its ceiling (`checks.CEILINGS`),
            `d_model` is not divisible by `n_heads` while `d_k` or `d_v` is left to follow from
            them, a probability is outside [0, 1), or an option is unknown. The message names the
            field, its value and what was expected.

    Source: Vaswani et al. 2017, sections 3.1 to 3.5 and Table 3.
    """

    vocab_size: int
    """Number of token ids, one vocabulary for both languages (section 3.4)."""
    n_layers: int = 6
    """Layers in the encoder, and again in the decoder (N in the paper)."""
    d_model: int = 512
    """Width of the vector that stands for a token between any two sublayers."""
    d_ff: int = 2048
    """Width inside the feed-forward network."""
    n_heads: int = 8
    """Attention heads per attention (h in the paper)."""
    d_k: int = None  # type: ignore[assignment]
    """Width of one head's queries and keys; None becomes d_model / n_heads."""
    d_v: int = None  # type: ignore[assignment]
    """Width of one head's values; None becomes d_model / n_heads."""
    dropout: float = 0.1
    """Probability of zeroing a component, at the two places of section 5.4."""
    norm: Norm = "post"
    """LayerNorm after each residual sum (paper) or before each sublayer."""
    positions: Positions = "sinusoidal"
    """Sinusoids (section 3.5); a learned vector per position (Table 3, row E); in self-attention,
    rotations (Su et al. 2024) or biases linear in the distance (Press et al. 2022); or none."""
    activation: Activation = "relu"
    """Between the two matrices of the feed-forward network: ReLU (section 3.3), GELU
    or its approximation by tanh, SiLU (Hendrycks and Gimpel 2016), or nothing,
    which leaves one linear map."""
    bias: Bias = "feed_forward"
    """Which matrices have a bias: those of the feed-forward network (equation 2), those of the
    attentions too, or none."""
    epsilon: float = 1e-6
    """What LayerNorm adds to a variance; not in the paper, this is that of the authors' code."""
    share_embeddings: bool = True
    """One matrix for both embeddings and the output projection (3.4)."""
    scale_embeddings: bool = True
    """Embeddings times sqrt(d_model), before positions are added (3.4)."""
    branch_gain: float = 1.0
    """Factor on the initial weights of what a sublayer adds to its input: values, outputs of
    attention, both matrices of the feed-forward network (Wang et al. 2022 call it beta)."""
    max_length: int = 512
    """Longest sequence that the model accepts, in tokens."""
    padding_id: int = 0
    """Token id that fills up short rows of a batch and is never attended to."""

    def __post_init__(self) -> None:
        checks.settle_numbers(self)
        for name in ("d_k", "d_v"):
            checks.follow(self, name, lambda: head_width(self.d_model, self.n_heads))
        for name in SIZES:
            checks.check_positive(name, getattr(self, name))
        for name, options in OPTIONS.items():
            checks.check_option(name, getattr(self, name), options)
        for name in ("share_embeddings", "scale_embeddings"):
            checks.check_flag(name, getattr(self, name))
        checks.check_probability("dropout", self.dropout)
        for name in ("branch_gain", "epsilon"):
            checks.check_factor(name, getattr(self, name))
        checks.check_token_id("padding_id", self.padding_id, self.vocab_size)
        checks.check_parameters(self)
        if self.positions == "rotary" and self.d_k % 2:
            raise ValueError(f"d_k={self.d_k} is odd: positions='rotary' turn pairs of components")

    @classmethod
    def base(cls, *, vocab_size: int, **overrides: Any) -> "TransformerConfig":
        """Return the paper's base model (Table 3, first row)."""
        return cls.from_dict({"vocab_size": vocab_size, **overrides})

    @classmethod
    def big(cls, *, vocab_size: int, **overrides: Any) -> "TransformerConfig":
        """Return the paper's big model (Table 3, last row; dropout 0.3: English-German)."""
        return cls.from_dict({"vocab_size": vocab_size, **TABLE3["big"].overrides, **overrides})

    @classmethod
    def tiny(cls, *, vocab_size: int, **overrides: Any) -> "TransformerConfig":
        """Return a model small enough to train on two cores while you read; not in the paper."""
        sizes = {"n_layers": 4, "d_model": 128, "d_ff": 256, "n_heads": 4}
        return cls.from_dict({"vocab_size": vocab_size, **sizes, **overrides})

    @classmethod
    def table3(cls, row: str, *, vocab_size: int = 37_000) -> "TransformerConfig":
        """Return a row of Table 3 by name: `"base"`, `"big"`, or `"ROW: field=value"`.

        The default vocabulary is the one of section 5.1. It does not reproduce
        the table's parameter counts; the chapter *The whole model* finds the
        one that does.

        Raises:
            ValueError: no such row, or a row that changes the training and not
            the model.
        """
        checks.check_row(row, list(TABLE3))
        return cls.base(vocab_size=vocab_size, **TABLE3[row].overrides)

    def to_dict(self) -> dict[str, Any]:
        """Return all fields by name, ready for JSON or TOML."""
        return {
            name: int(value) if isinstance(value, checks.Follows) else value
            for name, value in dataclasses.asdict(self).items()
        }

    @classmethod
    def from_dict(cls, fields: dict[str, Any]) -> "TransformerConfig":
        """Make a configuration of what `to_dict` returned.

        Raises:
            ValueError: a key that is no field, with the nearest one that is; a
                missing `vocab_size`; or a value that `TransformerConfig`
                refuses.
        """
        checks.check_fields(fields, [field.name for field in dataclasses.fields(cls)])
        return cls(**fields)


class Table3Row(NamedTuple):
    """What a row changes in the base model, and the millions of parameters it prints."""

    overrides: dict[str, Any]
    """The fields of the configuration that differ from base, with their values."""
    millions: int | None = None
    """The number in the column params; None where the row leaves it empty."""


TABLE3: dict[str, Table3Row] = {
    "base": Table3Row({}, 65),
    "A: n_heads=1": Table3Row({"n_heads": 1, "d_k": 512, "d_v": 512}),
    "A: n_heads=4": Table3Row({"n_heads": 4, "d_k": 128, "d_v": 128}),
    "A: n_heads=16": Table3Row({"n_heads": 16, "d_k": 32, "d_v": 32}),
    "A: n_heads=32": Table3Row({"n_heads": 32, "d_k": 16, "d_v": 16}),
    "B: d_k=16": Table3Row({"d_k": 16}, 58),
    "B: d_k=32": Table3Row({"d_k": 32}, 60),
    "C: n_layers=2": Table3Row({"n_layers": 2}, 36),
    "C: n_layers=4": Table3Row({"n_layers": 4}, 50),
    "C: n_layers=8": Table3Row({"n_layers": 8}, 80),
    "C: d_model=256": Table3Row({"d_model": 256, "d_k": 32, "d_v": 32}, 28),
    "C: d_model=1024": Table3Row({"d_model": 1024, "d_k": 128, "d_v": 128}, 168),
    "C: d_ff=1024": Table3Row({"d_ff": 1024}, 53),
    "C: d_ff=4096": Table3Row({"d_ff": 4096}, 90),
    "D: dropout=0.0": Table3Row({"dropout": 0.0}),
    "D: dropout=0.2": Table3Row({"dropout": 0.2}),
    "E: positions=learned": Table3Row({"positions": "learned"}),
    "big": Table3Row({"d_model": 1024, "d_ff": 4096, "n_heads": 16, "dropout": 0.3}, 213),
}
"""Table 3 by row name; rows A, D and E print no parameter count."""


def head_width(d_model: int, n_heads: int) -> int:
    """Return d_model / n_heads: the width of a head where none is given (3.2.2)."""
    checks.check_divisible(d_model, n_heads)
    return int(d_model) // int(n_heads)
