"""LLaMA against Hugging Face's, on copied weights and on a directory that it saved itself."""

import pytest
import torch
from family_oracle import assert_same_gradients, copied, disturbed
from transformers import LlamaConfig, LlamaForCausalLM
from transformers.models.llama.modeling_llama import LlamaRMSNorm

from annotated_transformer.lab.family import LLaMA, LLaMAConfig
from annotated_transformer.lab.family.gpt.sampling import most_probable
from annotated_transformer.lab.family.llama.names import rotation

SETTINGS = {
    "vocab_size": 30,
    "hidden_size": 16,
    "intermediate_size": 24,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 12,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
LINEAR = {"rope_type": "linear", "factor": 2.5, "rope_theta": 10_000.0}


@pytest.fixture
def in_float64(monkeypatch):
    """Let the reference compute its norms as it is asked to, and not in float32."""

    def forward(self, x):
        square = x.pow(2).mean(-1, keepdim=True)
        return self.weight * x * torch.rsqrt(square + self.variance_epsilon)

    monkeypatch.setattr(LlamaRMSNorm, "forward", forward)


class Rotations(torch.nn.Module):
    """Theirs, computed in float64: cosines and sines of angles, once for each half of a head."""

    def __init__(self, config):
        super().__init__()
        told, width = config.rope_parameters, config.head_dim
        even = torch.arange(0, width, 2, dtype=torch.float64)
        self.frequencies = told["rope_theta"] ** (-even / width) / told.get("factor", 1.0)

    def forward(self, x, position_ids):
        angles = (position_ids[..., None] * self.frequencies).repeat(1, 1, 2)
        return angles.cos().to(x.dtype), angles.sin().to(x.dtype)


def reference(**settings):
    """Make theirs in float64; by itself it would turn with numbers of 32 bits."""
    torch.manual_seed(0)
    theirs = disturbed(LlamaForCausalLM(LlamaConfig(**(SETTINGS | settings))))
    theirs.model.rotary_emb = Rotations(theirs.config)
    return theirs


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"num_key_value_heads": 1},
        {"num_key_value_heads": 4},
        {"head_dim": 6},
        {"tie_word_embeddings": True},
        {"rope_parameters": {"rope_type": "default", "rope_theta": 50.0}},
        {"rope_parameters": LINEAR},
    ],
    ids=str,
)
@pytest.mark.usefixtures("in_float64")
def test_it_is_the_reference_forward_and_gradient(settings):
    theirs = reference(**settings)
    ours = copied(LLaMA, theirs)
    ids = torch.randint(1, 30, (3, 9))
    assert_same_gradients(ours, theirs, ours(ids), theirs(ids).logits)


@pytest.mark.usefixtures("in_float64")
def test_it_reads_what_the_reference_saved(tmp_path):
    theirs = reference()
    theirs.save_pretrained(tmp_path)
    ids = torch.randint(1, 30, (3, 9))
    expected = theirs(ids).logits
    found = LLaMA.from_pretrained(tmp_path)(ids)
    torch.testing.assert_close(found, expected, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("settings", [{}, {"rope_parameters": LINEAR}], ids=str)
def test_the_untouched_reference_agrees_to_its_32_bits(settings):
    torch.manual_seed(0)
    theirs = disturbed(LlamaForCausalLM(LlamaConfig(**(SETTINGS | settings))))
    ids = torch.randint(1, 30, (3, 9))
    found = copied(LLaMA, theirs)(ids)
    torch.testing.assert_close(found, theirs(ids).logits, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    "older",
    [{"rope_theta": 50.0}, {"rope_theta": 50.0, "rope_scaling": {"type": "linear", "factor": 4}}],
    ids=str,
)
def test_older_files_name_the_rotations_otherwise(older):
    settings = {k: v for k, v in LlamaConfig(**SETTINGS).to_dict().items() if "rope" not in k}
    config = LLaMA.config_from(settings | older, "config.json")
    assert config.rope_base == 50
    assert config.stretch == (4 if "rope_scaling" in older else 1)


@pytest.mark.parametrize(
    "told",
    [
        {"rope_type": "dynamic", "factor": 2.0, "rope_theta": 1e4},
        {"rope_type": "default", "rope_theta": 1e4, "partial_rotary_factor": 0.5},
        "linear",
    ],
    ids=str,
)
def test_rotations_that_are_not_built_are_refused(told):
    settings = LlamaConfig(**SETTINGS).to_dict() | {"rope_parameters": told}
    with pytest.raises(ValueError, match=r"rope_parameters=.* is not built here"):
        LLaMA.config_from(settings, "config.json")


@pytest.mark.parametrize(
    ("named", "settings"),
    [
        ("rope_scaling='linear'", {"rope_scaling": "linear"}),
        ("rope_theta=7.0", {"rope_parameters": {"rope_theta": 5.0}, "rope_theta": 7.0}),
        ("rope_scaling=", {"rope_parameters": {"rope_theta": 5.0}, "rope_scaling": LINEAR}),
    ],
)
def test_rotations_are_a_table_and_said_once(named, settings):
    with pytest.raises(ValueError, match=f"config.json: {named}.* is not built here"):
        rotation(settings, "config.json")


def test_groups_that_do_not_divide_the_heads_are_refused():
    with pytest.raises(ValueError, match="n_groups=3 does not divide n_heads=4"):
        LLaMAConfig(vocab_size=30, d_model=16, n_heads=4, n_groups=3)


@pytest.mark.parametrize(
    "option", [{"norm": "post"}, {"bias": "all"}, {"positions": "sinusoidal"}], ids=str
)
def test_options_that_would_be_built_otherwise_are_refused(option):
    ((name, value),) = option.items()
    with pytest.raises(ValueError, match=f"{name}={value!r} is not built here: LLaMA has"):
        LLaMAConfig(vocab_size=30, d_model=16, n_heads=4, **option)


def test_numbers_to_add_to_the_scores_are_refused():
    one = LLaMA(LLaMAConfig(vocab_size=30, d_model=16, n_heads=2, d_ff=24, n_layers=1))
    x = torch.randn(1, 4, 16)
    with pytest.raises(ValueError, match="attn_bias is not built here"):
        one.encoder.layers[0].self_attention(x, x, x, attn_bias=torch.zeros(1, 1, 4, 4))


def test_stretched_positions_are_those_between():
    """Every second token of a text twice as long stands where the tokens of the text stood."""
    sizes = {"vocab_size": 30, "d_model": 16, "n_heads": 2, "n_layers": 1, "d_ff": 24}
    torch.manual_seed(0)
    one = LLaMA(LLaMAConfig(**sizes)).double().encoder.layers[0].self_attention
    two = LLaMA(LLaMAConfig(**sizes, stretch=2.0)).double().encoder.layers[0].self_attention
    x = torch.randn(1, 1, 10, 8, dtype=torch.float64)
    torch.testing.assert_close(two.turned(x)[:, :, ::2], one.turned(x[:, :, ::2]))
    assert not torch.allclose(two.turned(x)[:, :, 1:], one.turned(x)[:, :, 1:])


def test_no_logit_sees_a_later_token_and_writing_goes_on():
    ours = copied(LLaMA, reference())
    ids = torch.randint(1, 30, (2, 9))
    changed = ids.clone()
    changed[:, 5] = (ids[:, 5] + 1) % 30
    torch.testing.assert_close(ours(ids)[:, :5], ours(changed)[:, :5])
    assert not torch.allclose(ours(ids)[:, 5:], ours(changed)[:, 5:])
    assert ours.generate(ids[:, :3], 2, most_probable).shape == (2, 5)
