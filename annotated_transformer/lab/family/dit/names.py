"""What diffusers calls the tensors of DiT.

There every layer has a Condition of its own, and in published files these are
copies of one. Such files are not read here: the library's sinusoids of a step have
slightly other wavelengths than the authors' and ours (128 pairs reach 10,000 * 2 pi
with the last, not one later), and one of the LayerNorms another epsilon.
"""

from torch import Tensor

from annotated_transformer.lab.family.reference import Made, Reference


def in_pairs(weight: Tensor) -> Tensor:
    """Reorder columns: from all cosines, then all sines, to sine, cosine, sine ..."""
    return weight.unflatten(-1, (2, -1)).flip(1).mT.flatten(1)


CONDITION = "transformer_blocks.0.norm1.emb"
LAYER = {
    f"encoder.layers.{{n}}.{ours}": f"transformer_blocks.{{n}}.{theirs}"
    for ours, theirs in {
        "choose.{p}": "norm1.linear.{p}",
        "self_attention.w_query.{p}": "attn1.to_q.{p}",
        "self_attention.w_key.{p}": "attn1.to_k.{p}",
        "self_attention.w_value.{p}": "attn1.to_v.{p}",
        "self_attention.w_output.{p}": "attn1.to_out.0.{p}",
        "feed_forward.inner.{p}": "ff.net.0.proj.{p}",
        "feed_forward.outer.{p}": "ff.net.2.{p}",
    }.items()
}
REFERENCE = Reference(
    LAYER
    | {
        "patches.project.{p}": "pos_embed.proj.{p}",
        "condition.inner.weight": Made(f"{CONDITION}.timestep_embedder.linear_1.weight", in_pairs),
        "condition.inner.bias": f"{CONDITION}.timestep_embedder.linear_1.bias",
        "condition.outer.{p}": f"{CONDITION}.timestep_embedder.linear_2.{{p}}",
        "condition.classes.weight": f"{CONDITION}.class_embedder.embedding_table.weight",
        "encoder.choose.{p}": "proj_out_1.{p}",
        "pixels.project.{p}": "proj_out_2.{p}",
    },
    {},
    unread="files of DiT are not read here: diffusers computes other sinusoids "
    "of a step than the authors, and one LayerNorm with another epsilon",
    unused=(r"^transformer_blocks\.\d+\.norm1\.emb\.",),  # the same in each
)
