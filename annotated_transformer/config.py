"""Sizes of a Transformer, and the rows of the paper's Table 3 by name.

Paper: section 3 and Table 3. Chapter: *The whole model*. Only what shapes the network is here;
steps, learning rate and label smoothing shape a run and live in its recipe.
"""

import dataclasses
import difflib
import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

Norm = Literal["post", "pre"]
Positions = Literal["sinusoidal", "learned", "rotary", "alibi", "none"]
Activation = Literal["relu", "gelu", "none"]


@dataclass(frozen=True, kw_only=True)
class TransformerConfig:
    """Everything that fixes the architecture; the defaults are the paper's base model.

    Raises:
        ValueError: a size is not a positive integer, `d_model` is not divisible by `n_heads`
            while `d_k` or `d_v` is left to follow from them, a probability is outside [0, 1), or
            an option is unknown. The message names the field, its value and what was expected.

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
    d_k: int | None = None
    """Width of one head's queries and keys; None means d_model / n_heads."""
    d_v: int | None = None
    """Width of one head's values; None means d_model / n_heads."""
    dropout: float = 0.1
    """Probability of zeroing a component, at the two places of section 5.4."""
    norm: Norm = "post"
    """LayerNorm after each residual sum (the paper), or before each sublayer ("pre")."""
    positions: Positions = "sinusoidal"
    """Sinusoids (section 3.5); a learned vector per position (Table 3, row E); in self-attention,
    rotations (Su et al. 2024) or biases linear in the distance (Press et al. 2022); or none."""
    activation: Activation = "relu"
    """Between the two matrices of the feed-forward network: ReLU (section 3.3), GELU
    (Hendrycks and Gimpel 2016), or nothing, which leaves one linear map."""
    share_embeddings: bool = True
    """One matrix for source embedding, target embedding and output projection (section 3.4)."""
    scale_embeddings: bool = True
    """Embeddings times sqrt(d_model) before the positions are added (section 3.4)."""
    branch_gain: float = 1.0
    """Factor on the initial weights of what a sublayer adds to its input: values, outputs of
    attention, both matrices of the feed-forward network (Wang et al. 2022 call it beta)."""
    max_length: int = 512
    """Longest sequence, in tokens, that the model accepts; longer input is an error."""
    padding_id: int = 0
    """Token id that fills up short rows of a batch and is never attended to."""

    def __post_init__(self) -> None:
        for name in (
            "vocab_size",
            "n_layers",
            "d_model",
            "d_ff",
            "n_heads",
            "max_length",
        ):
            check_positive(name, getattr(self, name))
        for name in ("d_k", "d_v"):
            if getattr(self, name) is None:
                if self.d_model % self.n_heads:
                    raise ValueError(
                        f"d_model={self.d_model} is not divisible by n_heads={self.n_heads}: "
                        "choose a multiple, or give d_k and d_v"
                    )
                # A frozen dataclass has no other way to fill in a value that depends on two more.
                object.__setattr__(self, name, self.d_model // self.n_heads)
            check_positive(name, getattr(self, name))
        if isinstance(self.dropout, bool) or not isinstance(
            self.dropout, int | float
        ):
            raise ValueError(f"dropout={self.dropout!r} must be a number")
        if not 0.0 <= self.dropout < 1.0:
            raise ValueError(
                f"dropout={self.dropout!r} must be at least 0 and below 1"
            )
        if (
            type(self.branch_gain) not in (int, float)
            or not 0 < self.branch_gain < math.inf
        ):
            raise ValueError(
                f"branch_gain={self.branch_gain!r} must be a positive number"
            )
        self._check_options()
        if self.positions == "rotary" and self.d_k is not None and self.d_k % 2:
            raise ValueError(
                f"d_k={self.d_k} is odd: positions='rotary' turn pairs of components"
            )
        if (
            type(self.padding_id) is not int
            or not 0 <= self.padding_id < self.vocab_size
        ):
            raise ValueError(
                f"padding_id={self.padding_id!r} is no token id; there are {self.vocab_size}"
            )

    def _check_options(self) -> None:
        for name, kind in (
            ("norm", Norm),
            ("positions", Positions),
            ("activation", Activation),
        ):
            check_option(name, getattr(self, name), get_args(kind))
        for name in ("share_embeddings", "scale_embeddings"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(
                    f"{name}={getattr(self, name)!r} must be True or False"
                )

    @classmethod
    def base(cls, *, vocab_size: int, **overrides: Any) -> "TransformerConfig":
        """The paper's base model (Table 3, first row)."""
        return cls.from_dict({"vocab_size": vocab_size, **overrides})

    @classmethod
    def big(cls, *, vocab_size: int, **overrides: Any) -> "TransformerConfig":
        """The paper's big model (Table 3, last row; dropout 0.3 as trained for English-German)."""
        sizes = {"d_model": 1024, "d_ff": 4096, "n_heads": 16, "dropout": 0.3}
        return cls.from_dict({"vocab_size": vocab_size, **sizes, **overrides})

    @classmethod
    def tiny(cls, *, vocab_size: int, **overrides: Any) -> "TransformerConfig":
        """Small enough to train on two CPU cores while you read; no row of the paper."""
        sizes = {"n_layers": 4, "d_model": 128, "d_ff": 256, "n_heads": 4}
        return cls.from_dict({"vocab_size": vocab_size, **sizes, **overrides})

    @classmethod
    def table3(
        cls, row: str, *, vocab_size: int = 37_000
    ) -> "TransformerConfig":
        """A row of Table 3 by name: `"base"`, `"big"`, or `"ROW: field=value"`.

        The default vocabulary is the one of section 5.1. It does not reproduce the table's
        parameter counts; the chapter *The whole model* finds the one that does.

        Raises:
            ValueError: no such row, or a row that changes the training and not the model.
        """
        if row.startswith("D: label_smoothing="):
            raise ValueError(
                f"row {row!r} changes the training, not the model: use the base model and set "
                f"training.{row.removeprefix('D: ')} in the recipe"
            )
        if row not in TABLE3:
            raise ValueError(
                f"no row {row!r} in Table 3{_nearest(row, list(TABLE3))}"
            )
        if row == "big":
            return cls.big(vocab_size=vocab_size)
        return cls.base(vocab_size=vocab_size, **TABLE3[row].overrides)

    def to_dict(self) -> dict[str, Any]:
        """All fields by name, ready for JSON or TOML."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, fields: dict[str, Any]) -> "TransformerConfig":
        """The inverse of `to_dict`.

        Raises:
            ValueError: a key that is no field, with the nearest one that is; a missing
                `vocab_size`; or a value that `TransformerConfig` refuses.
        """
        names = [field.name for field in dataclasses.fields(cls)]
        for key in fields:
            if key not in names:
                raise ValueError(
                    f"{key!r} is no field of TransformerConfig{_nearest(key, names)}"
                )
        if "vocab_size" not in fields:
            raise ValueError(
                "vocab_size is missing: a model needs to know how many tokens exist"
            )
        return cls(**fields)


class Table3Row(NamedTuple):
    """What a row of Table 3 changes in the base model, and the millions of parameters it prints."""

    overrides: dict[str, Any]
    millions: int | None = None


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
    "C: d_model=1024": Table3Row(
        {"d_model": 1024, "d_k": 128, "d_v": 128}, 168
    ),
    "C: d_ff=1024": Table3Row({"d_ff": 1024}, 53),
    "C: d_ff=4096": Table3Row({"d_ff": 4096}, 90),
    "D: dropout=0.0": Table3Row({"dropout": 0.0}),
    "D: dropout=0.2": Table3Row({"dropout": 0.2}),
    "E: positions=learned": Table3Row({"positions": "learned"}),
    "big": Table3Row(
        {"d_model": 1024, "d_ff": 4096, "n_heads": 16, "dropout": 0.3}, 213
    ),
}
"""Table 3 by row name; rows A, D and E print no parameter count of their own."""


def check_positive(name: str, value: object) -> None:
    """Refuse a size that is not a positive integer, by its name."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{name}={value!r} must be a positive integer")


def check_option(name: str, value: object, options: Collection[str]) -> None:
    """Refuse a choice that there is not, by its name."""
    if value not in options:
        raise ValueError(
            f"{name}={value!r} is unknown; choose one of {', '.join(options)}"
        )


def _nearest(key: str, names: list[str]) -> str:
    close = difflib.get_close_matches(key, names, n=1)
    return (
        f"; did you mean {close[0]!r}?"
        if close
        else f"; there are: {', '.join(names)}"
    )
