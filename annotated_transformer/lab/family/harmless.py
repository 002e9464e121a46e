"""Keys of a config.json that change nothing of what a loaded model computes, with the reasons.

All are tested: the reference is saved with other values of all of them that its
configuration has, and ours still gives the same numbers.
"""

from typing import Any


def because(reason: str, *names: str) -> dict[str, str]:
    """Give the same reason for each of these keys."""
    return dict.fromkeys(names, reason)


ORIGIN = because(
    "it says where the file comes from",
    "_name_or_path",
    "_commit_hash",
    "architectures",
    "finetuning_task",
    "name_or_path",
    "tokenizer_class",
    "transformers_version",
)
STORED = because(
    "each tensor of the file says itself what it is stored as",
    "dtype",
    "torch_dtype",
    "use_bfloat16",
)
ASKED = because(
    "it chooses what else the reference gives back",
    "output_attentions",
    "output_hidden_states",
    "output_past",
    "return_dict",
    "torchscript",
    "use_cache",
)
COMPUTED = because(
    "it chooses between ways to the same numbers",
    "_attn_implementation",
    "_attn_implementation_autoset",
    "attn_implementation",
    "chunk_size_feed_forward",
    "gradient_checkpointing",
    "tf_legacy_loss",
)
LABELS = because(
    "it is of heads that sort texts, which are not here",
    "_num_labels",
    "classif_dropout",
    "classifier_dropout",
    "id2label",
    "label2id",
    "num_labels",
    "problem_type",
)
NAMED = because("it names a class; how many there are is read from id2label", "label2id")
SUMMARY = because(
    "it is of a head that sorts texts or choices, which is not here",
    "summary_activation",
    "summary_first_dropout",
    "summary_last_dropout",
    "summary_proj_to_labels",
    "summary_type",
    "summary_use_proj",
)
TRAINED = because(
    "it is of training, or of the weights before it; ours has one dropout",
    "activation_dropout",
    "attention_dropout",
    "attention_probs_dropout_prob",
    "attn_pdrop",
    "decoder_layerdrop",
    "drop_path_rate",
    "embd_pdrop",
    "encoder_layerdrop",
    "init_std",
    "init_xavier_std",
    "initializer_factor",
    "initializer_range",
)
WRITING = because(
    "it is of a search; ours are told what to do by arguments",
    "bad_words_ids",
    "begin_suppress_tokens",
    "bos_token_id",
    "decoder_start_token_id",
    "diversity_penalty",
    "do_sample",
    "early_stopping",
    "encoder_no_repeat_ngram_size",
    "eos_token_id",
    "exponential_decay_length_penalty",
    "force_bos_token_to_be_generated",
    "forced_bos_token_id",
    "forced_eos_token_id",
    "length_penalty",
    "max_length",
    "max_new_tokens",
    "min_length",
    "no_repeat_ngram_size",
    "num_beam_groups",
    "num_beams",
    "num_return_sequences",
    "output_scores",
    "prefix",
    "remove_invalid_values",
    "repetition_penalty",
    "return_dict_in_generate",
    "sep_token_id",
    "suppress_tokens",
    "task_specific_params",
    "temperature",
    "top_k",
    "top_p",
    "typical_p",
)
COMMON = ORIGIN | STORED | ASKED | COMPUTED | TRAINED | WRITING
TEXTS = COMMON | LABELS
IMAGES = COMMON | NAMED

PLAIN: dict[str, Any] = {
    "add_cross_attention": False,
    "cross_attention_hidden_size": None,
    "is_decoder": False,
    "pruned_heads": {},
    "quantization_config": None,
    "tie_encoder_decoder": False,
}
"""What must stand in every file, if anything does: a model with nothing taken out or added."""
ENCODER = PLAIN | {"is_encoder_decoder": False}
BOTH = PLAIN | {"is_encoder_decoder": True}
