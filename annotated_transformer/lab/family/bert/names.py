"""What Hugging Face calls the tensors and settings of BERT."""

from annotated_transformer.lab.family import harmless
from annotated_transformer.lab.family.reference import Reference

LAYER = {
    f"encoder.layers.{{n}}.{ours}": f"encoder.layer.{{n}}.{theirs}"
    for ours, theirs in {
        "self_attention.w_query.{p}": "attention.self.query.{p}",
        "self_attention.w_key.{p}": "attention.self.key.{p}",
        "self_attention.w_value.{p}": "attention.self.value.{p}",
        "self_attention.w_output.{p}": "attention.output.dense.{p}",
        "after_attention.layer_norm.{g}": "attention.output.LayerNorm.{g}",
        "feed_forward.inner.{p}": "intermediate.dense.{p}",
        "feed_forward.outer.{p}": "output.dense.{p}",
        "after_feed_forward.layer_norm.{g}": "output.LayerNorm.{g}",
    }.items()
}
"""An encoder layer, in all files of BERT and its relatives."""
READER = {f"reader.{ours}": theirs for ours, theirs in LAYER.items()} | {
    "reader.embedding.weight": "embeddings.word_embeddings.weight",
    "reader.segments.weight": "embeddings.token_type_embeddings.weight",
    "reader.positions.encoding": "embeddings.position_embeddings.weight",
    "reader.embedding_norm.{g}": "embeddings.LayerNorm.{g}",
}
SETTINGS = {
    "vocab_size": "vocab_size",
    "n_layers": "num_hidden_layers",
    "d_model": "hidden_size",
    "d_ff": "intermediate_size",
    "n_heads": "num_attention_heads",
    "dropout": "hidden_dropout_prob",
    "epsilon": "layer_norm_eps",
    "max_length": "max_position_embeddings",
    "n_segments": "type_vocab_size",
    "padding_id": "pad_token_id",
}

TIED = SETTINGS | {"share_embeddings": "tie_word_embeddings"}
EXPECTED = harmless.ENCODER | {"hidden_act": "gelu", "position_embedding_type": "absolute"}

REFERENCE = Reference(
    {ours: f"bert.{theirs}" for ours, theirs in READER.items()}
    | {
        "head.dense.{p}": "cls.predictions.transform.dense.{p}",
        "head.norm.{g}": "cls.predictions.transform.LayerNorm.{g}",
        "head.bias": "cls.predictions.bias",
        "head.output.{p}": "cls.predictions.decoder.{p}",
    },
    TIED,
    expected=EXPECTED | {"model_type": "bert"},
    absent={"tie_word_embeddings": True},
    harmless=harmless.TEXTS,
    unused=(
        r"^bert\.pooler\.",
        r"^cls\.seq_relationship\.",
        r"^bert\.embeddings\.position_ids$",
        # Of an output with a matrix of its own: the reference adds the bias of that.
        r"^cls\.predictions\.bias$",
    ),
    repeated={
        r"^cls\.predictions\.decoder\.weight$": "reader.embedding.weight",
        r"^cls\.predictions\.decoder\.bias$": "head.bias",
    },
    aliases=(
        (r"LayerNorm\.gamma$", "LayerNorm.weight"),
        (r"LayerNorm\.beta$", "LayerNorm.bias"),
        # A file of the encoder alone lacks the first word.
        (r"^(embeddings|encoder|pooler)\.", r"bert.\1."),
    ),
)
