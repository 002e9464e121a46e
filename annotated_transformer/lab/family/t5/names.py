"""What Hugging Face calls the tensors and settings of T5."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from annotated_transformer.lab.family import harmless
from annotated_transformer.lab.family.reference import Reference, not_built


def _attention(ours: str, theirs: str) -> dict[str, str]:
    return {
        f"{ours}.w_{name}.weight": f"{theirs}.{name[0]}.weight"
        for name in ("query", "key", "value", "output")
    }


def _layer(stack: str, feed_forward: int) -> dict[str, str]:
    """Name the first sublayer, the last, and the norm that ends the stack."""
    ours, theirs = f"{stack}.layers.{{n}}", f"{stack}.block.{{n}}.layer"
    last = f"{theirs}.{feed_forward}"
    first = f"{stack}.block.0.layer.0.SelfAttention"  # whose table all layers use
    return _attention(f"{ours}.self_attention", f"{theirs}.0.SelfAttention") | {
        f"{stack}_bias.weight": f"{first}.relative_attention_bias.weight",
        f"{ours}.after_attention.layer_norm.{{g}}": f"{theirs}.0.layer_norm.{{g}}",
        f"{ours}.feed_forward.inner.weight": f"{last}.DenseReluDense.wi.weight",
        f"{ours}.feed_forward.gate.weight": f"{last}.DenseReluDense.wi_1.weight",
        f"{ours}.feed_forward.outer.weight": f"{last}.DenseReluDense.wo.weight",
        f"{ours}.after_feed_forward.layer_norm.{{g}}": f"{last}.layer_norm.{{g}}",
        f"{stack}.final_norm.{{g}}": f"{stack}.final_layer_norm.{{g}}",
    }


FORMS: dict[str, dict[str, Any]] = {
    "relu": {"activation": "relu", "gated": False},
    "gated-gelu": {"activation": "gelu_tanh", "gated": True},
}
"""The feed-forward networks of versions 1.0 and 1.1."""
INNER = {"relu": "relu", "gated-gelu": "gelu_new"}
"""What else says which it is, in their words."""
PROJECTION = "feed_forward_proj"
CROSS = "decoder.layers.{n}", "decoder.block.{n}.layer.1"
REFERENCE = Reference(
    {
        "embedding.weight": "shared.weight",
        "output.weight": "lm_head.weight",
        **_layer("encoder", 1),
        **_layer("decoder", 2),
        **_attention(f"{CROSS[0]}.cross_attention", f"{CROSS[1]}.EncDecAttention"),
        f"{CROSS[0]}.after_cross_attention.layer_norm.{{g}}": f"{CROSS[1]}.layer_norm.{{g}}",
    },
    {
        "vocab_size": "vocab_size",
        "n_layers": "num_layers",
        "d_model": "d_model",
        "d_k": "d_kv",
        "d_v": "d_kv",
        "d_ff": "d_ff",
        "n_heads": "num_heads",
        "dropout": "dropout_rate",
        "epsilon": "layer_norm_epsilon",
        "n_buckets": "relative_attention_num_buckets",
        "padding_id": "pad_token_id",
    },
    expected=harmless.BOTH | {"model_type": "t5"},
    alike=(("num_layers", "num_decoder_layers"),),
    derived={
        "dense_act_fn": lambda x: INNER.get(_form(x), x["dense_act_fn"]),
        "is_gated_act": lambda x: _form(x).startswith("gated-"),
    },
    read=(
        PROJECTION,
        "tie_word_embeddings",
        "scale_decoder_outputs",
        "relative_attention_max_distance",
    ),
    harmless=harmless.TEXTS | harmless.because("positions have no table that ends", "n_positions"),
    # The first files had a table of distances between two texts; it is not used.
    unused=(r"EncDecAttention\.relative_attention_bias\.weight$",),
    repeated={
        r"^(en|de)coder\.embed_tokens\.weight$": "embedding.weight",
        r"^lm_head\.weight$": "embedding.weight",
    },
    # With a gate there are two products; the first is the one that is activated.
    aliases=((r"DenseReluDense\.wi_0\.", "DenseReluDense.wi."),),
)


def _form(settings: Mapping[str, Any]) -> str:
    return str(settings.get(PROJECTION, "relu"))


def form(settings: Mapping[str, Any], origin: Path | str) -> dict[str, Any]:
    """Return the fields that differ between the versions.

    Raises:
        ValueError: the feed-forward network is of neither.
    """
    name = _form(settings)
    if name not in FORMS:
        wanted = f"expected one of {', '.join(FORMS)}"
        raise not_built(origin, settings, PROJECTION, wanted)
    # Older files say that the output is not scaled by not sharing the embedding.
    tied = settings.get("tie_word_embeddings", True)
    return FORMS[name] | {
        "share_embeddings": settings.get("scale_decoder_outputs", tied),
        "max_distance": settings.get("relative_attention_max_distance", 128),
    }
