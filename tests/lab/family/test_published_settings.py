"""Every key of the reference's configurations is used, harmless, or refused by its name.

The keys come from the reference's own classes, so that one which a newer version adds is noticed.
"""

import contextlib
import json
import re
from collections.abc import Callable
from itertools import count
from typing import Any, NamedTuple

import pytest
import torch
import transformers
from family_oracle import disturbed
from safetensors.torch import load_file, save_file
from transformers import ResNetConfig, TimmBackboneConfig

from annotated_transformer.lab import family
from annotated_transformer.lab.family import load_marian
from annotated_transformer.lab.family.detr import resnet_names as resnet
from annotated_transformer.lab.family.electra.model import Generator
from annotated_transformer.lab.family.marian import names as marian
from annotated_transformer.lab.family.marian.model import config_from
from annotated_transformer.lab.family.published import WEIGHTS
from annotated_transformer.lab.family.reference import OneOf, Reference
from annotated_transformer.tokenizer import BOS_ID, PAD_ID
from count_new import members


def texts(pad, first=4):
    ids = torch.randint(first, 28, (3, 9), generator=torch.Generator().manual_seed(0))
    if pad is not None:
        ids[1, 6:] = pad
    return ids


def read(ours, theirs):
    ids = texts(theirs.config.pad_token_id)
    real = ids != (-1 if theirs.config.pad_token_id is None else theirs.config.pad_token_id)
    return [ours(ids)[real]], [theirs(ids, attention_mask=real.long())[0][real]]


def write(ours, theirs):
    pad = theirs.config.pad_token_id
    source, target = texts(pad), texts(None).flip(0)
    expected = theirs(source, attention_mask=(source != pad).long(), decoder_input_ids=target)
    return [ours(source, target)], [expected[0]]


def write_marian(ours, theirs):
    """Ids of ours are theirs moved by two; theirs begin with padding, ours with an id for that."""
    last = theirs.config.pad_token_id
    source, target = texts(last), texts(None).flip(0)
    target[:, 0] = last
    begun = torch.where(target == last, BOS_ID, target + 2)
    read = torch.where(source == last, PAD_ID, source + 2)
    expected = theirs(source, attention_mask=(source != last).long(), decoder_input_ids=target)[0]
    return [ours(read, begun)[..., 2:]], [expected[..., :-1]]


def see(ours, theirs):
    side = getattr(theirs.config, "image_size", 32)
    channels = theirs.config.num_channels
    images = torch.randn(2, channels, side, side, dtype=torch.float64)
    return [ours(images)], [theirs(images)[0]]


def find(ours, theirs):
    channels = theirs.config.backbone_config.num_channels
    images = torch.randn(1, channels, 64, 96, dtype=torch.float64)
    return ours(images), theirs(images)[:2]


class Case(NamedTuple):
    load: Callable[..., torch.nn.Module]
    table: Reference
    kind: str
    """The class of the reference's model."""
    sizes: dict[str, Any]
    outputs: Callable[..., Any]
    others: dict[str, Any]
    """Legal values other than the test would find, of keys that are used."""


LAYERS = {
    "hidden_size": 16,
    "num_hidden_layers": 2,  # what counts layers shows from the second on
    "num_attention_heads": 2,
    "intermediate_size": 24,
}
ENCODER = LAYERS | {"vocab_size": 30, "max_position_embeddings": 12}
STACKS = {
    f"{stack}_{name}": size
    for stack in ("encoder", "decoder")
    for name, size in (("layers", 2), ("attention_heads", 2), ("ffn_dim", 24))
} | {"d_model": 16}
WRITER = STACKS | {"vocab_size": 30, "max_position_embeddings": 12}
MARIAN = WRITER | {
    "pad_token_id": 29,
    "decoder_start_token_id": 29,
    "decoder_vocab_size": 30,
    "forced_eos_token_id": None,
    "activation_function": "gelu",
}
IMAGES = LAYERS | {"image_size": 8, "patch_size": 4, "num_channels": 2, "num_labels": 5}
STAGES = {"depths": [1, 1], "num_channels": 2, "num_labels": 5}
SWIN = STAGES | {"embed_dim": 8, "num_heads": [2, 2], "image_size": 16, "patch_size": 2}
PATCHES = {"patch_sizes": [3, 3], "strides": [2, 2], "sr_ratios": [2, 1], "mlp_ratios": [2, 2]}
SEGFORMER = STAGES | PATCHES | {"num_encoder_blocks": 2, "hidden_sizes": [8, 8]}
SEGFORMER |= {"num_attention_heads": [1, 2], "decoder_hidden_size": 6}
T5_SIZES = {"vocab_size": 30, "d_model": 16, "d_kv": 6, "d_ff": 24, "num_layers": 2, "num_heads": 2}
NET = {"embedding_size": 4, "hidden_sizes": [4, 4, 8, 8], "depths": [1, 1, 1, 1]}
LAST = NET | {"out_features": ["stage4"]}
THREE = NET | {"out_features": ["stage2", "stage3", "stage4"]}
DETECTOR = STACKS | {"use_timm_backbone": False, "num_queries": 5, "num_labels": 4}
TWO = {"id2label": {0: "a", 1: "b"}, "label2id": {"a": 0, "b": 1}}
OTHERS = {
    **dict.fromkeys(("hidden_size", "n_embd", "d_model", "embed_dim"), 24),
    "hidden_sizes": [16, 8],
    "depths": [1, 2],
    "patch_sizes": [5, 3],
    "strides": [4, 2],
    "sr_ratios": [1, 1],
    "window_size": 2,
    "patch_size": 2,
    "mlp_ratios": [1, 3],
}
LINEAR = {"rope_type": "linear", "rope_theta": 50.0, "factor": 2.0}
HEADS = {"num_heads": [1, 4], "num_attention_heads": [2, 4]}


def case(member, kind, sizes, outputs, others=None):
    others = OTHERS | (others or {})
    return Case(member.from_pretrained, member.reference, kind, sizes, outputs, others)


CASES = {
    "BERT": case(family.BERT, "BertForMaskedLM", ENCODER, read),
    "ELECTRA": case(family.ELECTRA, "ElectraForPreTraining", ENCODER | {"embedding_size": 8}, read),
    "Generator": case(Generator, "ElectraForMaskedLM", ENCODER | {"embedding_size": 8}, read),
    "GPT": case(
        family.GPT,
        "GPT2LMHeadModel",
        {"vocab_size": 30, "n_embd": 16, "n_layer": 2, "n_head": 2, "n_positions": 12},
        read,
        {"n_inner": 20},
    ),
    "LLaMA": case(
        family.LLaMA,
        "LlamaForCausalLM",
        ENCODER | {"num_attention_heads": 4, "num_key_value_heads": 2},
        read,
        {"rope_parameters": {"rope_parameters": LINEAR}},
    ),
    "BART": case(family.BART, "BartForConditionalGeneration", WRITER, write),
    "Marian": Case(
        load_marian,
        marian.REFERENCE,
        "MarianMTModel",
        MARIAN,
        write_marian,
        OTHERS
        | {
            "activation_function": "relu",
            "pad_token_id": {"pad_token_id": 4, "decoder_start_token_id": 4},
            "vocab_size": dict.fromkeys(("vocab_size", "decoder_vocab_size"), 31)
            | dict.fromkeys(("pad_token_id", "decoder_start_token_id"), 30),
        },
    ),
    "T5": case(
        family.T5,
        "T5ForConditionalGeneration",
        T5_SIZES | {"relative_attention_num_buckets": 8, "relative_attention_max_distance": 6},
        write,
        {"feed_forward_proj": "gated-gelu", "relative_attention_num_buckets": 10},
    ),
    "ViT": case(family.ViT, "ViTForImageClassification", IMAGES, see),
    "DeiT": case(family.DeiT, "DeiTForImageClassificationWithTeacher", IMAGES, see),
    "Swin": case(family.Swin, "SwinForImageClassification", SWIN | {"window_size": 4}, see, HEADS),
    "SegFormer": case(family.SegFormer, "SegformerForSemanticSegmentation", SEGFORMER, see, HEADS),
    "DETR": case(
        family.DETR,
        "DetrForObjectDetection",
        DETECTOR | {"backbone_config": LAST},
        find,
    ),
    "DeformableDETR": case(
        family.DeformableDETR,
        "DeformableDetrForObjectDetection",
        DETECTOR | {"backbone_config": THREE, "num_feature_levels": 4, "d_model": 32},
        find,
        {"d_model": 64, "num_feature_levels": 3},
    ),
}
ALL = pytest.mark.parametrize("name", CASES)
FILE_ALONE = {"dtype", "return_dict"}
"""What the reference's models cannot be built with, or not asked for."""
RENAMED = {"tie_word_embeddings"}
"""What T5 calls otherwise, once it has read it."""
WRITTEN = {"transformers_version", "model_type"}
"""What the reference writes itself."""
OUT = {"out_features": ["stage1"], "out_indices": [1]}
EITHER = {
    **dict.fromkeys(TWO, TWO),
    **dict.fromkeys(OUT, OUT),
}
"""Keys that the reference only changes together."""
NAMED = {
    "dtype": "float16",
    "architectures": ["Other"],
    "problem_type": "regression",
    "chunk_size_feed_forward": 1,
    "summary_type": "mean",
    "summary_activation": "tanh",
}


DOUBLED = re.compile("head|image_size")
"""Sizes that have to stay multiples of others."""


def config_of(name, **changes):
    kind = getattr(transformers, CASES[name].kind)
    sizes = CASES[name].sizes | changes
    if "id2label" in changes:
        sizes.pop("num_labels", None)
    net = sizes.get("backbone_config")
    if isinstance(net, dict):
        sizes["backbone_config"] = ResNetConfig(**net)
    return kind.config_class(**sizes)


def keys_of(name):
    return config_of(name).to_dict().keys()


def another(key, value):
    """Return other legal values of keys, for one that has this value; some come in pairs."""
    if key in EITHER:
        return EITHER[key]
    kinds = {
        type(None): lambda: 3,
        bool: lambda: not value,
        int: lambda: 2 * value if DOUBLED.search(key) else value + 1,
        float: lambda: value + 0.125,
        str: lambda: f"{value}_other",
    }
    if key not in NAMED and type(value) not in kinds:
        raise AssertionError(f"{key}={value!r}: say in this file what else it may be")
    return {key: NAMED[key] if key in NAMED else kinds[type(value)]()}


@pytest.fixture
def folders(tmp_path):
    return (tmp_path / str(number) for number in count())


def saved(name, folder, changes):
    """Save the reference with other settings, as it writes them itself; return it."""
    torch.manual_seed(0)
    built = {key: changes[key] for key in changes.keys() - FILE_ALONE}
    config = config_of(name, **built)
    for key in built.keys() - RENAMED:
        assert getattr(config, key) == changes[key], key
    if config.output_attentions:  # which "sdpa", the default, does not have
        config._attn_implementation = "eager"
    kind = getattr(transformers, CASES[name].kind)
    plain = kind(config)
    if name == "T5" and not config.scale_decoder_outputs:  # version 1.1 has a matrix of its own
        plain.lm_head.weight = torch.nn.Parameter(torch.randn(30, 16))
    fixed = {key: tensor.clone() for key, tensor in plain.state_dict().items()}
    theirs = disturbed(plain)
    for key, tensor in theirs.state_dict().items():
        if "embed_positions" in key and name == "Marian":  # sinusoids, which are no weights
            tensor.copy_(fixed[key])
    theirs.save_pretrained(folder)
    path = folder / "config.json"
    told = {key: value for key, value in changes.items() if key != "backbone_config"}
    path.write_text(json.dumps(json.loads(path.read_text()) | config.to_dict() | told))
    return theirs


def assert_same(name, ours, theirs):
    with torch.no_grad():
        found, expected = CASES[name].outputs(ours, theirs)
    # Some layers of the reference compute in float32, whatever they are given.
    rounded = theirs.config.output_attentions or name in ("T5", "LLaMA")
    tolerance = 1e-4 if rounded else 1e-10
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one, other, rtol=tolerance, atol=tolerance)


def test_every_member_that_reads_published_files_is_here():
    reads = {name for name, member in members().items() if not member.reference.unread}
    assert CASES.keys() == reads | {"Generator", "Marian"}
    assert members().keys() - reads == {"SAM", "DiT"}


@ALL
def test_every_key_of_the_reference_is_known(name):
    assert keys_of(name) - CASES[name].table.keys() == set()


@ALL
def test_a_key_is_in_one_part_of_the_table_alone(name):
    table = CASES[name].table
    parts = [set(table.settings.values()), set(table.expected), set(table.derived)]
    parts += [set(table.read), {other for _, other in table.alike}]
    for key in table.keys() - table.harmless.keys():
        named = sum(key in part for part in parts) or key in {one for one, _ in table.alike}
        assert named == 1, key
    # What one member looks at stands for many others among what is harmless.
    checked = table.harmless.keys() & set().union(*parts)
    assert checked <= {"decoder_start_token_id", "eos_token_id"}


@ALL
def test_harmless_keys_change_nothing_all_at_once(name, folders):
    table, settings = CASES[name].table, config_of(name).to_dict()
    changes = {}
    others = {other for _, other in table.alike}
    for key in settings.keys() & table.harmless.keys() - WRITTEN - table.expected.keys() - others:
        if key == "label2id" and "id2label" in table.read:
            continue  # changes with the other
        changes |= another(key, settings[key])
    assert len(changes) > 10
    theirs = saved(name, folder := next(folders), changes)
    assert_same(name, CASES[name].load(folder), theirs)


@ALL
def test_what_is_not_built_is_refused_by_name_and_value(name, folders):
    table, settings = CASES[name].table, config_of(name).to_dict()
    settings = json.loads(json.dumps(settings))
    table.fields(settings, "config.json")
    compared = [other for _, other in table.alike if settings.get(other) is not None]
    refused = [*table.expected, *table.derived, *compared]
    for key in refused:
        wanted = table.expected.get(key, settings.get(key))
        value = "other" if isinstance(wanted, list | dict | OneOf) else another(key, wanted)[key]
        with pytest.raises(ValueError, match=rf"^config\.json: .*\b{key}={value!r}"):
            table.fields(settings | {key: value}, "config.json")
    with pytest.raises(ValueError, match=r"config\.json: use_mup=10 is unknown here"):
        table.fields(settings | {"use_mup": 10}, "config.json")


@ALL
def test_values_of_another_kind_are_refused_in_a_sentence(name):
    """No key, nor one of a backbone, ends in anything but a configuration or a ValueError."""
    settings = json.loads(json.dumps(config_of(name).to_dict()))
    member = getattr(CASES[name].load, "__self__", None)
    read = member.config_from if member else config_from
    nested = settings.get("backbone_config", {})
    read_keys = settings.keys() - CASES[name].table.harmless.keys()
    for value in (None, -1, "x", [[]]):
        changes = [{key: value} for key in read_keys]
        inside = nested.keys() - resnet.HARMLESS.keys()
        changes += [{"backbone_config": nested | {key: value}} for key in inside]
        changes += [{"backbone_config": None, "backbone_kwargs": value}] if nested else []
        for change in changes:
            with contextlib.suppress(ValueError):
                read(settings | change, "config.json")


def used(name):
    table = CASES[name].table
    return [key for key in keys_of(name) if key in {*table.settings.values(), *table.read}]


@pytest.mark.parametrize(("name", "key"), [(name, key) for name in CASES for key in used(name)])
def test_another_value_of_a_used_key_gives_what_the_reference_gives(name, key, folders):
    if key == "backbone_config":
        return  # below, key by key
    table, settings = CASES[name].table, config_of(name).to_dict()
    changes = CASES[name].others.get(key) or another(key, settings[key])
    changes = changes if isinstance(changes, dict) else {key: changes}
    for one, other in table.alike:
        if one in changes and other in settings:
            changes = changes | {other: changes[one]}
    theirs = saved(name, folder := next(folders), changes)
    try:
        ours = CASES[name].load(folder)
    except ValueError as error:
        assert f"{key}={changes[key]!r}" in str(error)  # noqa: PT017
        return
    assert_same(name, ours, theirs)


NESTED = {"resnet": (ResNetConfig, resnet.BOTTLENECK), "timm": (TimmBackboneConfig, resnet.BY_TIMM)}


@pytest.mark.parametrize("net", NESTED)
def test_the_keys_of_a_backbone_are_known_or_refused_by_name(net):
    kind, table = NESTED[net]
    nested = json.loads(json.dumps(kind(**({} if net == "resnet" else TIMM)).to_dict()))
    assert nested.keys() - table.keys() == set()
    settings = json.loads(json.dumps(config_of("DETR").to_dict()))
    family.DETR.config_from(settings | {"backbone_config": nested}, "config.json")
    for key in (*table.expected, *table.derived, "out_features", "out_indices"):
        value = "other" if key != "out_indices" else [1]
        message = rf"^config\.json, backbone_config: {key}=.*is not built here"
        if key == "model_type":  # then it is taken for the other kind, which it is not either
            message = "the backbone .* is not built here|backbone_config: model_type='other'"
        with pytest.raises(ValueError, match=message):
            family.DETR.config_from(
                settings | {"backbone_config": nested | {key: value}}, "config.json"
            )
    with pytest.raises(ValueError, match="backbone_config: squeeze=2 is unknown here"):
        family.DETR.config_from(
            settings | {"backbone_config": nested | {"squeeze": 2}}, "config.json"
        )


TIMM = {"backbone": "resnet50", "out_indices": [1, 2, 3, 4]}
SIZES = {"embedding_size": 6, "hidden_sizes": [8, 4, 8, 8], "depths": [1, 2, 1, 1]}


@pytest.mark.parametrize("key", [*SIZES, "num_channels", "harmless"])
def test_a_backbone_of_other_sizes_is_the_references(key, folders):
    changes = {key: SIZES.get(key, 2)}
    if key == "harmless":
        plain = ResNetConfig().to_dict()
        harmless = plain.keys() & resnet.HARMLESS.keys() - WRITTEN - FILE_ALONE
        changes = {}
        for each in harmless - {"num_channels", "output_attentions"}:
            changes |= another(each, plain[each])
    net = ResNetConfig(**LAST | changes)
    theirs = saved("DETR", folder := next(folders), {"backbone_config": net})
    assert_same("DETR", family.DETR.from_pretrained(folder), theirs)


def test_a_detector_of_several_maps_is_not_given_others():
    settings = json.loads(json.dumps(config_of("DeformableDETR").to_dict()))
    nested = settings["backbone_config"] | {"out_features": None}
    for indices in ([4], [1, 2, 3, 4], [1, 3, 4]):
        with pytest.raises(ValueError, match=r"out_indices=\[.*expected \[2, 3, 4\]"):
            family.DeformableDETR.config_from(
                settings | {"backbone_config": nested | {"out_indices": indices}}, "config.json"
            )


SHAPES = {
    "one number": lambda x: x.flatten()[0].clone(),
    "an axis more": lambda x: x[..., None].clone(),
    "an axis before": lambda x: x[None].clone(),
    "twice": lambda x: torch.cat([x, x + 1]) if x.dim() else x,
    "flat": lambda x: x.flatten().clone(),
    "a row less": lambda x: x[:-1].clone() if x.dim() else x,
    "a column less": lambda x: x[..., :-1].clone() if x.dim() else x,
    "a kernel of 2 x 2": lambda x: (
        x.reshape(len(x), -1, 2, 2) if x.dim() == 4 and not x[0].numel() % 4 else x
    ),
}
FIRST = re.compile(r"(layers?|blocks?|stages?|h|block)\.0\.")


@pytest.mark.parametrize("name", CASES)
def test_a_tensor_of_another_shape_is_refused_by_its_name(name, tmp_path):
    """Also one that is transposed, cut or put in another order before it is ours."""
    saved(name, tmp_path, {})
    path, table = tmp_path / WEIGHTS, CASES[name].table
    tensors = load_file(path)
    made = {entry.theirs for entry in table.tensors.values() if not isinstance(entry, str)}
    ends = {theirs.partition("}.")[2].removesuffix(".{p}") or theirs for theirs in made}
    for key, tensor in tensors.items():
        today = table._today(key)
        if not any(end.removesuffix(".{g}").removesuffix(".{p}") in today for end in ends):
            continue
        if re.search(r"\d", today) and not FIRST.search(today):
            continue
        for change in SHAPES.values():
            other = change(tensor)
            if other.shape == tensor.shape:
                continue
            save_file(tensors | {key: other}, path)
            with pytest.raises(ValueError, match=re.escape(str(path))) as refused:
                CASES[name].load(tmp_path)
            assert today in str(refused.value) or "is not equal to" in str(refused.value)
