"""What Hugging Face calls the tensors and settings of BART, and of Marian, which has its layers."""

from annotated_transformer.lab.family import harmless
from annotated_transformer.lab.family.reference import Made, Reference, only

ATTENTION = {"w_query": "q_proj", "w_key": "k_proj", "w_value": "v_proj", "w_output": "out_proj"}


def _attention(ours: str, theirs: str) -> dict[str, str]:
    return {f"{ours}.{name}.{{p}}": f"{theirs}.{other}.{{p}}" for name, other in ATTENTION.items()}


LAYER = {
    **_attention("self_attention", "self_attn"),
    "after_attention.layer_norm.{g}": "self_attn_layer_norm.{g}",
    "feed_forward.inner.{p}": "fc1.{p}",
    "feed_forward.outer.{p}": "fc2.{p}",
    "after_feed_forward.layer_norm.{g}": "final_layer_norm.{g}",
}
"""An encoder layer."""
DECODER_LAYER = LAYER | {
    **_attention("cross_attention", "encoder_attn"),
    "after_cross_attention.layer_norm.{g}": "encoder_attn_layer_norm.{g}",
}
STACKS = {"encoder": LAYER, "decoder": DECODER_LAYER}
SETTINGS = {
    "vocab_size": "vocab_size",
    "n_layers": "encoder_layers",
    "d_model": "d_model",
    "d_ff": "encoder_ffn_dim",
    "n_heads": "encoder_attention_heads",
    "dropout": "dropout",
    "max_length": "max_position_embeddings",
    "scale_embeddings": "scale_embedding",
}
ALIKE = (
    ("encoder_layers", "decoder_layers"),
    ("encoder_ffn_dim", "decoder_ffn_dim"),
    ("encoder_attention_heads", "decoder_attention_heads"),
    ("encoder_layers", "num_hidden_layers"),
)
# Most of it only older files say; relatives with other answers exist.
POST_NORM = harmless.BOTH | {
    "normalize_before": False,
    "add_final_layer_norm": False,
    "tie_word_embeddings": True,
}
HARMLESS = harmless.TEXTS | harmless.because(
    "no part of the reference reads it", "add_bias_logits", "extra_pos_embeddings"
)
EMBEDDINGS = (r"^model\.(en|de)coder\.embed_tokens\.weight$", r"^lm_head\.weight$")
"""Tensors that hold the embedding again."""
STACKS_ALONE = (r"^(shared|encoder|decoder)\.", r"model.\1.")
"""Files of the two stacks alone lack the first word."""

REFERENCE = Reference(
    {
        f"{stack}.stack.layers.{{n}}.{ours}": f"model.{stack}.layers.{{n}}.{theirs}"
        for stack, layer in STACKS.items()
        for ours, theirs in layer.items()
    }
    | {
        f"{stack}.embedding_norm.{{g}}": f"model.{stack}.layernorm_embedding.{{g}}"
        for stack in STACKS
    }
    | {
        # The first two rows are of no position: theirs counts from 2.
        f"{side}_positions.encoding": Made(f"model.{stack}.embed_positions.weight", lambda x: x[2:])
        for side, stack in (("source", "encoder"), ("target", "decoder"))
    }
    | {
        "source_embedding.weight": "model.shared.weight",
        "output.bias": Made("final_logits_bias", only),
    },
    SETTINGS | {"padding_id": "pad_token_id"},
    expected=POST_NORM
    | {
        "model_type": "bart",
        "activation_function": "gelu",
        "normalize_embedding": True,
        "static_position_embeddings": False,
    },
    alike=ALIKE,
    harmless=HARMLESS,
    unused=(r"(en|de)coder\.version$",),
    repeated=dict.fromkeys(EMBEDDINGS, "source_embedding.weight"),
    aliases=(STACKS_ALONE,),
    optional=("output.bias",),
)
