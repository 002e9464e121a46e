"""What Hugging Face calls the tensors and settings of LLaMA."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from annotated_transformer.lab.family import harmless
from annotated_transformer.lab.family.reference import Reference, not_built

LAYER = {
    "self_attention.w_query.weight": "self_attn.q_proj.weight",
    "self_attention.w_key.weight": "self_attn.k_proj.weight",
    "self_attention.w_value.weight": "self_attn.v_proj.weight",
    "self_attention.w_output.weight": "self_attn.o_proj.weight",
    "after_attention.layer_norm.{g}": "input_layernorm.{g}",
    "feed_forward.inner.weight": "mlp.gate_proj.weight",  # the one that is activated
    "feed_forward.gate.weight": "mlp.up_proj.weight",
    "feed_forward.outer.weight": "mlp.down_proj.weight",
    "after_feed_forward.layer_norm.{g}": "post_attention_layernorm.{g}",
}
ROTATION = ("rope_parameters", "rope_theta", "rope_scaling")
REFERENCE = Reference(
    {f"encoder.layers.{{n}}.{ours}": f"layers.{{n}}.{theirs}" for ours, theirs in LAYER.items()}
    | {
        "embedding.weight": "embed_tokens.weight",
        "encoder.final_norm.{g}": "norm.{g}",
        "output.weight": "lm_head.weight",
    },
    {
        "vocab_size": "vocab_size",
        "n_layers": "num_hidden_layers",
        "d_model": "hidden_size",
        "d_ff": "intermediate_size",
        "n_heads": "num_attention_heads",
        "epsilon": "rms_norm_eps",
        "max_length": "max_position_embeddings",
        "share_embeddings": "tie_word_embeddings",
    },
    harmless.ENCODER
    | {"model_type": "llama", "hidden_act": "silu", "attention_bias": False, "mlp_bias": False},
    read=("num_key_value_heads", "head_dim", "pad_token_id", *ROTATION),
    absent={"tie_word_embeddings": False},
    harmless=harmless.TEXTS
    | harmless.because("it chooses between ways to the same numbers", "pretraining_tp"),
    unused=(r"rotary_emb\.inv_freq$",),  # the frequencies, which follow from the base
    repeated={r"^lm_head\.weight$": "embedding.weight"},
    aliases=((r"^model\.", ""),),
)


def rotation(settings: Mapping[str, Any], origin: Path | str) -> dict[str, float]:
    """Return the fields of the rotary positions; older files have them under two keys.

    Raises:
        ValueError: a way to turn that is not built here.
    """
    key = "rope_scaling" if settings.get("rope_parameters") is None else "rope_parameters"
    table = {} if settings.get(key) is None else settings[key]
    if not isinstance(table, Mapping):
        raise not_built(origin, settings, key, "expected a table")
    told = {"rope_theta": settings.get("rope_theta", 10_000.0), **table}
    for older, value in (("rope_theta", told["rope_theta"]), ("rope_scaling", table)):
        if settings.get(older) not in (None, value):
            raise not_built(origin, settings, older, f"{key} says another; keep one of the two")
    kind = told.get("rope_type", told.get("type", "default"))
    known = {"rope_theta", "rope_type", "type"} | ({"factor"} if kind == "linear" else set())
    if kind not in ("default", "linear") or told.keys() - known:
        raise not_built(
            origin, settings, key, "expected a rope_theta, or a linear rope_type with its factor"
        )
    fields = {"rope_base": told.get("rope_theta", 10_000.0)}
    return fields | ({"stretch": told.get("factor")} if kind == "linear" else {})
