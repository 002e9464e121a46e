"""How a DiT hears of step and class, run with next to nothing; what its samples are judged by."""

import math

import pytest
import torch
from torch import nn

from annotated_transformer.lab.family.dit.frechet import frechet_distance
from experiments.family import digit_runs, dit

OPTIONS = ["--seeds", "2", "--steps", "2", "--width", "16", "--noise", "21"]
OPTIONS += ["--rates", "0.001", "0.01", "--guidance", "1.0", "3.0", "--judge-steps", "2"]
METRICS = {"recognised", "Frechet distance", "nearest"}


@pytest.fixture
def few(monkeypatch):
    """Twelve images instead of 297, so that few samples are drawn, and one draw of noise."""

    def chosen(n_labels, seed):
        data = digit_runs.chosen(n_labels, seed)
        return data._replace(valid=tuple(x[:12] for x in data.valid))

    monkeypatch.setattr(dit, "chosen", chosen)
    monkeypatch.setattr(dit, "DRAWS", 1)


@pytest.mark.usefixtures("few")
def test_it_runs_and_its_record_repeats_itself(written):
    record = written(dit, *OPTIONS)
    assert record["command"] == " ".join(["python -m experiments.family.dit", *OPTIONS])
    found = [
        (s["seed"], s["model"], s["metric"], s["guidance"])
        for s in record["scores"]
        if s["split"] == "samples"
    ]
    assert sorted(found) == sorted(
        (2, name, metric, guidance)
        for name in dit.CONTESTANTS
        for metric in METRICS
        for guidance in (1.0, 3.0)
    )
    others = [(s["model"], s["metric"]) for s in record["scores"] if s["split"] == "valid"]
    wanted = [("real digits", metric) for metric in METRICS]
    assert sorted(others) == sorted(wanted + [(name, "loss") for name in dit.CONTESTANTS])
    assert [entry["step"] for entry in record["curve"]] == [1, 2] * 3
    assert list(record["settings"]["parameters"]) == list(dit.CONTESTANTS)


def test_tokens_have_as_many_parameters_and_adaln_lacks_those_of_the_gates():
    sizes = {
        name: sum(p.numel() for p in make(48, 100).parameters())
        for name, make in dit.CONTESTANTS.items()
    }
    assert 0.98 < sizes["tokens"] / sizes["adaLN-Zero"] < 1
    gates = 4 * (2 * 48) * (48 + 1)  # in each layer two, with their biases
    assert sizes["adaLN-Zero"] - sizes["adaLN"] == gates


def test_without_gates_a_layer_is_the_gated_one_whose_gates_are_1():
    torch.manual_seed(0)
    config = dit.dit(16, 21).config
    plain, gated = dit.WithoutGates(config), dit.AdaptiveLayer(config)
    gated.load_state_dict(
        {k: v for k, v in plain.state_dict().items() if "choose" not in k}, strict=False
    )
    shifts, scales = [0, 1, 3, 4], [2, 5]
    with torch.no_grad():
        gated.choose.weight.unflatten(0, (6, 16))[shifts] = plain.choose.weight.unflatten(
            0, (4, 16)
        )
        gated.choose.bias.unflatten(0, (6, 16))[shifts] = plain.choose.bias.unflatten(0, (4, 16))
        gated.choose.bias.unflatten(0, (6, 16))[scales] = 1.0
    x, condition = torch.randn(2, 5, 16), torch.randn(2, 1, 16)
    torch.testing.assert_close(plain(x, condition), gated(x, condition))
    assert not torch.allclose(plain(x, condition), plain(x, -condition))


def test_adaln_is_built_of_such_layers_drawn_as_those_of_the_others():
    torch.manual_seed(0)
    model = dit.without_gates(48, 21)
    assert all(isinstance(layer, dit.WithoutGates) for layer in model.encoder.layers)
    other = dit.dit(48, 21).encoder.layers[0].feed_forward.inner.weight
    found = model.encoder.layers[0].feed_forward.inner.weight
    assert found.std().item() == pytest.approx(other.std().item(), rel=0.05)


def test_what_is_missed_is_the_same_at_each_call_and_1_before_training():
    """An untrained DiT answers zero, and misses all of the noise, whose variance is 1."""
    data = dit.scaled(digit_runs.chosen(100, 1).valid)
    model = dit.dit(16, 21)
    torch.manual_seed(1)
    first = dit.missed(model, data)
    assert first == dit.missed(model, data)
    values = dit.DRAWS * data[0].numel()
    assert first == pytest.approx(1, abs=5 * math.sqrt(2 / values))


def test_the_nearest_image_is_found_and_its_distance_is_of_a_pixel_from_0_to_1():
    black = torch.full((2, 1, 4, 4), -1.0)
    others = torch.stack([torch.full((1, 4, 4), value) for value in (1.0, -0.2, 0.4)])
    assert dit.nearest(black, others) == pytest.approx(0.4)
    assert dit.nearest(others[:1], black) == pytest.approx(1.0)
    # Of two distances the root of the mean square.
    assert dit.nearest(torch.cat([black[:1], others[:1]]), others) == pytest.approx(
        math.sqrt((0.4**2 + 0) / 2)
    )


class Brightness(nn.Module):
    """A judge that can be reckoned: class 1 is brighter than grey."""

    def forward(self, images):
        light = images.mean(dim=(1, 2, 3))
        return torch.stack([-light, light], dim=1)

    def encode(self, images):
        return images.flatten(1)[:, None, :3]


def test_the_judge_is_asked_for_the_class_and_for_features_of_the_test_split():
    torch.manual_seed(0)
    images, labels = torch.randn(40, 1, 4, 4), torch.arange(40) % 2
    bright = images + (2 * labels[:, None, None, None] - 1) * 9
    others = torch.randn(30, 1, 4, 4)
    data = digit_runs.Digits((bright, labels), (bright, labels), (others, labels[:30]))
    found = dit.judged(Brightness(), (bright, labels), data)
    assert found["recognised"] == 100
    assert found["nearest"] == 0
    features = (x.flatten(1)[:, :3] for x in (bright, others))
    assert found["Frechet distance"] == pytest.approx(frechet_distance(*features))
    swapped = dit.judged(Brightness(), (-bright, labels), data)
    assert swapped["recognised"] == 0
