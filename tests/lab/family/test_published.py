"""Published files as they come: in parts, in half precision, under older names, or unreadable."""

import json
import math

import pytest
import torch
from family_oracle import READER, disturbed
from safetensors.torch import load_file, save_file
from transformers import (
    BartConfig,
    BartForConditionalGeneration,
    BartModel,
    BertConfig,
    BertForMaskedLM,
)

from annotated_transformer.lab import family
from annotated_transformer.lab.family import BART, BERT, load_marian
from annotated_transformer.lab.family.marian import names as marian
from annotated_transformer.lab.family.published import INDEX, OTHERS, WEIGHTS

IDS = torch.tensor([[3, 4, 5, 6, 7]])


@pytest.fixture
def theirs():
    torch.manual_seed(0)
    return disturbed(BertForMaskedLM(BertConfig(**READER))).float()


@pytest.fixture
def whole(theirs, tmp_path):
    theirs.save_pretrained(tmp_path / "whole")
    return tmp_path / "whole"


@pytest.fixture
def parts(theirs, tmp_path):
    """The same in several files, as the reference splits it."""
    folder = tmp_path / "parts"
    theirs.save_pretrained(folder, max_shard_size="8kB")
    assert not (folder / WEIGHTS).exists()
    assert len(list(folder.glob("*.safetensors"))) > 2
    return folder


def same_weights(ours, others):
    own, tensors = ours.state_dict(), others.state_dict()
    return own.keys() == tensors.keys() and all(torch.equal(own[k], tensors[k]) for k in own)


def edited(folder, change):
    """Change the list of the parts."""
    path = folder / INDEX
    content = json.loads(path.read_text())
    change(content["weight_map"])
    path.write_text(json.dumps(content))


def test_parts_make_the_whole(whole, parts, theirs):
    ours = BERT.from_pretrained(parts)
    assert same_weights(ours, BERT.from_pretrained(whole))
    torch.testing.assert_close(ours(IDS), theirs(IDS).logits, rtol=1e-5, atol=1e-5)


def test_one_file_is_read_before_parts_as_the_reference_does(whole, parts):
    (whole / INDEX).write_text("{}")
    BERT.from_pretrained(whole)


def test_a_part_that_is_missing_is_named(parts):
    last = sorted(parts.glob("*.safetensors"))[-1]
    last.unlink()
    with pytest.raises(FileNotFoundError, match=f"{last.name} is missing"):
        BERT.from_pretrained(parts)


@pytest.mark.parametrize(
    "name",
    [
        "../whole/model.safetensors",
        "/etc/model.safetensors",
        "..\\model.safetensors",
        "deeper/model.safetensors",
        "~/model.safetensors",
        "model.bin",
        "",
        7,
        None,
        ["model.safetensors"],
    ],
)
def test_a_part_is_only_looked_for_in_the_same_folder(whole, parts, name):
    edited(parts, lambda places: places.update({next(iter(places)): name}))
    with pytest.raises(ValueError, match=r"index\.json: .* is said to be in .*same folder"):
        BERT.from_pretrained(parts)


def test_a_list_that_does_not_fit_its_parts_is_refused(parts):
    first, *_, last = sorted(path.name for path in parts.glob("*.safetensors"))
    places = json.loads((parts / INDEX).read_text())["weight_map"]
    moved = next(name for name, part in places.items() if part == first)
    edited(parts, lambda places: places.update({moved: last}))
    with pytest.raises(ValueError, match=rf"{first}: {moved} is here, but .* has it in '{last}'"):
        BERT.from_pretrained(parts)
    edited(parts, lambda places: places.update({moved: first, "more": last}))
    with pytest.raises(ValueError, match=rf"{last}: more is missing, though .* has it there"):
        BERT.from_pretrained(parts)
    for content in ({}, {"weight_map": {}}, {"weight_map": ["a"]}):
        (parts / INDEX).write_text(json.dumps(content))
        with pytest.raises(ValueError, match="weight_map names no tensor"):
            BERT.from_pretrained(parts)


@pytest.mark.parametrize("name", OTHERS)
def test_weights_in_another_form_are_refused_with_a_way(whole, name):
    (whole / WEIGHTS).rename(whole / name)
    with pytest.raises(ValueError, match=rf"{name}, which is not read here.*save_pretrained"):
        BERT.from_pretrained(whole)


def test_what_is_not_there_is_named(whole):
    (whole / WEIGHTS).unlink()
    for load in (BERT.from_pretrained, load_marian):
        with pytest.raises(FileNotFoundError, match="no folder bert-base-uncased; no hub"):
            load("bert-base-uncased")
    with pytest.raises(FileNotFoundError, match=r"model\.safetensors is missing"):
        BERT.from_pretrained(whole)
    (whole / "config.json").unlink()
    with pytest.raises(FileNotFoundError, match=r"config\.json is missing"):
        BERT.from_pretrained(whole)


def restored(folder, **changes):
    """Store tensors of the file again, each as this changes it."""
    tensors = load_file(folder / WEIGHTS)
    for name, tensor in tensors.items():
        for end, change in changes.items():
            if name.replace(".", "_").endswith(end):
                tensors[name] = change(tensor)
    save_file(tensors, folder / WEIGHTS)
    return tensors


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_numbers_of_half_precision_are_computed_with_in_float32(whole, dtype):
    tensors = restored(whole, **{"": lambda tensor: tensor.to(dtype)})
    ours = BERT.from_pretrained(whole)
    assert {tensor.dtype for tensor in ours.state_dict().values()} == {torch.float32}
    name = "bert.embeddings.word_embeddings.weight"
    assert torch.equal(ours.reader.embedding.weight, tensors[name].float())


def test_one_tensor_of_float64_is_not_rounded(whole):
    tensors = restored(whole, predictions_bias=lambda tensor: tensor.double() + 1e-12)
    ours = BERT.from_pretrained(whole)
    assert torch.equal(ours.head.bias, tensors["cls.predictions.bias"])


@pytest.mark.parametrize("dtype", [torch.int8, torch.int64, torch.bool, torch.float8_e4m3fn])
def test_weights_that_are_no_plain_numbers_are_refused(whole, dtype):
    restored(whole, intermediate_dense_weight=lambda tensor: tensor.to(dtype))
    message = rf"intermediate\.dense\.weight is stored as {dtype}; expected floating point"
    with pytest.raises(ValueError, match=message):
        BERT.from_pretrained(whole)


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_weights_that_are_not_finite_are_refused(whole, number):
    restored(whole, intermediate_dense_weight=lambda tensor: tensor * number)
    message = r"intermediate\.dense\.weight has numbers that are infinite or none \(NaN\)"
    with pytest.raises(ValueError, match=message):
        BERT.from_pretrained(whole)


def test_an_adapter_beside_the_weights_is_not_left_out_in_silence(whole):
    (whole / "adapter_config.json").write_text("{}")
    with pytest.raises(ValueError, match=r"adapter_config\.json: .* merged in"):
        BERT.from_pretrained(whole)


def test_a_count_is_a_whole_number():
    own, theirs = torch.tensor(0), torch.tensor(0.5)
    with pytest.raises(ValueError, match=r"x is stored as torch\.float32; expected whole numbers"):
        family.reference.check_numbers(theirs, own, "x")
    family.reference.check_numbers(torch.tensor(3, dtype=torch.int32), own, "x")


def test_what_repeats_a_tensor_has_to_be_equal_to_it(whole):
    tensors = load_file(whole / WEIGHTS)
    again = tensors["bert.embeddings.word_embeddings.weight"].clone()
    name = "cls.predictions.decoder.weight"
    save_file(tensors | {name: again}, whole / WEIGHTS)
    BERT.from_pretrained(whole)
    again[3, 3] += 1
    save_file(tensors | {name: again}, whole / WEIGHTS)
    with pytest.raises(ValueError, match=rf"{name} is not equal to bert\.embeddings\.word_emb"):
        BERT.from_pretrained(whole)


def test_a_tensor_under_two_names_is_refused(whole):
    tensors = load_file(whole / WEIGHTS)
    more = {"embeddings.LayerNorm.gamma": torch.ones(16)}
    save_file(tensors | more, whole / WEIGHTS)
    with pytest.raises(ValueError, match=r"embeddings\.LayerNorm\.weight is there under two names"):
        BERT.from_pretrained(whole)


def test_what_is_left_over_or_missing_is_named(whole):
    tensors = load_file(whole / WEIGHTS)
    save_file(tensors | {"classifier.weight": torch.ones(2, 16)}, whole / WEIGHTS)
    with pytest.raises(ValueError, match=r"model\.safetensors: classifier\.weight is left over"):
        BERT.from_pretrained(whole)
    del tensors["cls.predictions.transform.dense.bias"]
    save_file(tensors, whole / WEIGHTS)
    with pytest.raises(ValueError, match=r"cls\.predictions\.transform\.dense\.bias, our head"):
        BERT.from_pretrained(whole)


def test_a_file_of_the_two_stacks_alone_is_a_whole_bart(tmp_path):
    """Its output is the embedding, and the constant there zero: nothing has to be made up."""
    torch.manual_seed(0)
    stack = {"layers": 1, "attention_heads": 2, "ffn_dim": 8}
    sizes = {f"{side}coder_{k}": n for side in ("en", "de") for k, n in stack.items()}
    config = BartConfig(vocab_size=30, d_model=8, max_position_embeddings=12, **sizes)
    whole = BartForConditionalGeneration(config).eval()
    whole.model.save_pretrained(tmp_path / "stacks")
    whole.save_pretrained(tmp_path / "whole")
    assert type(whole.model) is BartModel
    names = load_file(tmp_path / "stacks" / WEIGHTS).keys()
    assert not any(name.startswith("model.") for name in names)
    ours = BART.from_pretrained(tmp_path / "stacks")
    assert same_weights(ours, BART.from_pretrained(tmp_path / "whole"))
    expected = whole(IDS, decoder_input_ids=IDS).logits
    torch.testing.assert_close(ours(IDS, IDS), expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", ["SAM", "DiT"])
def test_members_whose_files_are_others_say_why(name, tmp_path):
    with pytest.raises(ValueError, match=f"files of {name} are not read here: "):
        getattr(family, name).from_pretrained(tmp_path)


def test_a_size_that_our_configuration_refuses_is_told_with_file_and_key(whole):
    path = whole / "config.json"
    settings = json.loads(path.read_text())
    for key, value in {
        "num_hidden_layers": 0,
        "layer_norm_eps": -1.0,
        "pad_token_id": 30,
    }.items():
        path.write_text(json.dumps(settings | {key: value}))
        with pytest.raises(ValueError, match=rf"config\.json: .*{value!r}.*is {key} there"):
            BERT.from_pretrained(whole)
    for key in settings.keys() & BERT.reference.settings.values():
        if key not in BERT.reference.absent:
            path.write_text(json.dumps({k: v for k, v in settings.items() if k != key}))
            with pytest.raises(ValueError, match=rf"config\.json: the key '{key}' is missing"):
                BERT.from_pretrained(whole)


GENERATED = {
    "early_stopping": True,
    "max_length": 142,
    "min_length": 56,
    "no_repeat_ngram_size": 3,
    "num_beams": 4,
    "length_penalty": 2.0,
    "task_specific_params": {"summarization": {"num_beams": 4}},
}
STACKS = {
    f"{stack}_{name}": size
    for stack in ("encoder", "decoder")
    for name, size in (("layers", 6), ("attention_heads", 8), ("ffn_dim", 2048), ("layerdrop", 0.0))
}
ENCODER = {
    "hidden_size": 768,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "intermediate_size": 3072,
    "hidden_act": "gelu",
    "hidden_dropout_prob": 0.1,
    "attention_probs_dropout_prob": 0.1,
    "initializer_range": 0.02,
    "layer_norm_eps": 1e-12,
}
TEXTS = ENCODER | {"vocab_size": 30522, "max_position_embeddings": 512, "type_vocab_size": 2}
TEXTS |= {"pad_token_id": 0, "position_embedding_type": "absolute", "use_cache": True}
SEEN = STACKS | {"dropout": 0.1, "d_model": 512, "max_position_embeddings": 512}
OLDER = {
    "BERT": TEXTS
    | {
        "architectures": ["BertForMaskedLM"],
        "model_type": "bert",
        "gradient_checkpointing": False,
        "transformers_version": "4.6.0.dev0",
    },
    "ELECTRA": TEXTS
    | {
        "architectures": ["ElectraForPreTraining"],
        "model_type": "electra",
        "embedding_size": 128,
        "summary_activation": "gelu",
        "summary_last_dropout": 0.1,
        "summary_type": "first",
        "summary_use_proj": True,
    },
    "GPT": {
        "activation_function": "gelu_new",
        "architectures": ["GPT2LMHeadModel"],
        "attn_pdrop": 0.1,
        "bos_token_id": 50256,
        "embd_pdrop": 0.1,
        "eos_token_id": 50256,
        "initializer_range": 0.02,
        "layer_norm_epsilon": 1e-05,
        "model_type": "gpt2",
        "n_ctx": 1024,
        "n_embd": 768,
        "n_head": 12,
        "n_layer": 12,
        "n_positions": 1024,
        "resid_pdrop": 0.1,
        "summary_activation": None,
        "summary_first_dropout": 0.1,
        "summary_proj_to_labels": True,
        "summary_type": "cls_index",
        "summary_use_proj": True,
        "task_specific_params": {"text-generation": {"do_sample": True, "max_length": 50}},
        "vocab_size": 50257,
    },
    "BART": SEEN
    | GENERATED
    | {
        "_num_labels": 3,
        "activation_dropout": 0.1,
        "activation_function": "gelu",
        "add_bias_logits": False,
        "add_final_layer_norm": False,
        "attention_dropout": 0.1,
        "bos_token_id": 0,
        "classif_dropout": 0.1,
        "decoder_start_token_id": 2,
        "eos_token_id": 2,
        "forced_eos_token_id": 2,
        "id2label": {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"},
        "init_std": 0.02,
        "is_encoder_decoder": True,
        "label2id": {"LABEL_0": 0, "LABEL_1": 1, "LABEL_2": 2},
        "model_type": "bart",
        "normalize_before": False,
        "normalize_embedding": True,
        "num_hidden_layers": 6,
        "pad_token_id": 1,
        "prefix": " ",
        "scale_embedding": False,
        "static_position_embeddings": False,
        "vocab_size": 50264,
    },
    "Marian": SEEN
    | {
        "activation_function": "swish",
        "bad_words_ids": [[58100]],
        "decoder_start_token_id": 58100,
        "decoder_vocab_size": 58101,
        "eos_token_id": 0,
        "forced_eos_token_id": 0,
        "is_encoder_decoder": True,
        "model_type": "marian",
        "normalize_embedding": False,
        "num_hidden_layers": 6,
        "pad_token_id": 58100,
        "scale_embedding": True,
        "share_encoder_decoder_embeddings": True,
        "static_position_embeddings": True,
        "vocab_size": 58101,
    },
    "T5": {
        "architectures": ["T5ForConditionalGeneration"],
        "d_ff": 2048,
        "d_kv": 64,
        "d_model": 512,
        "decoder_start_token_id": 0,
        "dropout_rate": 0.1,
        "eos_token_id": 1,
        "initializer_factor": 1.0,
        "is_encoder_decoder": True,
        "layer_norm_epsilon": 1e-06,
        "model_type": "t5",
        "n_positions": 512,
        "num_heads": 8,
        "num_layers": 6,
        "output_past": True,
        "pad_token_id": 0,
        "relative_attention_num_buckets": 32,
        "task_specific_params": {"translation_en_to_de": {"prefix": "translate ..."}},
        "vocab_size": 32128,
    },
    "ViT": ENCODER
    | {
        "model_type": "vit",
        "id2label": {str(number): str(number) for number in range(1000)},
        "image_size": 224,
        "num_channels": 3,
        "patch_size": 16,
        "qkv_bias": True,
    },
    "DETR": SEEN
    | {
        "activation_dropout": 0.0,
        "activation_function": "relu",
        "auxiliary_loss": False,
        "backbone": "resnet50",
        "backbone_config": None,
        "backbone_kwargs": {"in_chans": 3, "out_indices": [1, 2, 3, 4]},
        "bbox_cost": 5,
        "class_cost": 1,
        "classifier_dropout": 0.0,
        "dilation": False,
        "eos_coefficient": 0.1,
        "id2label": {str(number): str(number) for number in range(91)},
        "model_type": "detr",
        "num_channels": 3,
        "num_hidden_layers": 6,
        "num_queries": 100,
        "scale_embedding": False,
        "use_pretrained_backbone": True,
        "use_timm_backbone": True,
    },
}
"""The keys that files of the hub have had for years, some of which no class knows any more."""


@pytest.mark.parametrize("name", OLDER)
def test_the_keys_of_older_files_are_known(name):
    if name == "Marian":
        assert marian.REFERENCE.fields(OLDER[name], "x")["vocab_size"] == 58101
    else:
        getattr(family, name).config_from(OLDER[name], "x")


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("BERT", {"position_embedding_type": "relative_key"}),
        ("BERT", {"model_type": "roberta"}),
        ("BERT", {"quantization_config": {"bits": 4}}),
        ("BERT", {"pruned_heads": {"0": [1]}}),
        ("GPT", {"n_ctx": 512}),
        ("GPT", {"scale_attn_by_inverse_layer_idx": True}),
        ("BART", {"normalize_before": True}),
        ("BART", {"num_hidden_layers": 3}),
        ("T5", {"tie_encoder_decoder": True}),
        ("ViT", {"problem_type": "regression"}),
        ("ViT", {"num_labels": 10}),
        ("DETR", {"dilation": True}),
        ("DETR", {"backbone_kwargs": {"output_stride": 16}}),
        ("DETR", {"backbone_kwargs": {"out_indices": [1, 2, 3]}}),
    ],
)
def test_what_older_files_may_ask_for_and_is_not_built_is_refused(name, change):
    (key, value), *_ = change.items()
    if isinstance(value, dict) and name == "DETR":
        (key, value), *_ = value.items()
    text = str(value) if isinstance(value, bool | int | list) else ""
    with pytest.raises(ValueError, match=rf"^x.*{key}=.*{text[1:-1]}"):
        getattr(family, name).config_from(OLDER[name] | change, "x")
