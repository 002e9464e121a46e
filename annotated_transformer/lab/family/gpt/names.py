"""What Hugging Face calls the tensors and settings of GPT-2."""

from torch import Tensor

from annotated_transformer.lab.family import harmless
from annotated_transformer.lab.family.reference import Made, Reference


def transposed(tensor: Tensor) -> Tensor:
    """Transpose (in, out) to (out, in); a bias stays."""
    return tensor.T if tensor.dim() == 2 else tensor


def third(number: int, tensor: Tensor) -> Tensor:
    """Cut the product for queries, keys or values out of one matrix, where all lie in a row."""
    return transposed(tensor.chunk(3, dim=-1)[number])


LAYER = {
    "self_attention.w_query.{p}": ("attn.c_attn.{p}", lambda x: third(0, x)),
    "self_attention.w_key.{p}": ("attn.c_attn.{p}", lambda x: third(1, x)),
    "self_attention.w_value.{p}": ("attn.c_attn.{p}", lambda x: third(2, x)),
    "self_attention.w_output.{p}": ("attn.c_proj.{p}", transposed),
    "after_attention.layer_norm.{g}": ("ln_1.{g}", None),
    "feed_forward.inner.{p}": ("mlp.c_fc.{p}", transposed),
    "feed_forward.outer.{p}": ("mlp.c_proj.{p}", transposed),
    "after_feed_forward.layer_norm.{g}": ("ln_2.{g}", None),
}
REFERENCE = Reference(
    {
        f"encoder.layers.{{n}}.{ours}": (
            f"h.{{n}}.{theirs}" if made is None else Made(f"h.{{n}}.{theirs}", made)
        )
        for ours, (theirs, made) in LAYER.items()
    }
    | {
        "embedding.weight": "wte.weight",
        "output.weight": "lm_head.weight",
        "positions.encoding": "wpe.weight",
        "encoder.final_norm.{g}": "ln_f.{g}",
    },
    {
        "vocab_size": "vocab_size",
        "n_layers": "n_layer",
        "d_model": "n_embd",
        "n_heads": "n_head",
        "dropout": "resid_pdrop",
        "epsilon": "layer_norm_epsilon",
        "max_length": "n_positions",
        "share_embeddings": "tie_word_embeddings",
    },
    harmless.ENCODER
    | {
        "model_type": "gpt2",
        "activation_function": "gelu_new",
        "scale_attn_weights": True,
        "scale_attn_by_inverse_layer_idx": False,
        "reorder_and_upcast_attn": False,
    },
    alike=(("n_positions", "n_ctx"),),
    read=("n_inner", "pad_token_id"),
    absent={"tie_word_embeddings": True},
    harmless=harmless.TEXTS | harmless.SUMMARY,
    unused=(r"attn\.(bias|masked_bias)$",),  # the causal mask
    repeated={r"^lm_head\.weight$": "embedding.weight"},
    aliases=((r"^transformer\.", ""),),  # the files on the hub go without
)
