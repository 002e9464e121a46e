"""Equal runs of which the best is kept; to look at one on its way changes nothing."""

import pytest
import torch
from torch import nn

from annotated_transformer.lab.corpora.scenes import scenes
from annotated_transformer.lab.family import DETR, DETRConfig
from experiments.family import digit_runs, scene_detection
from experiments.family.training import best_rate, best_runs, parameters, trained

RATES = (1e-4, 1e-3, 1e-2)


def digits():
    """Return a small network, its batches, and a weight that training moves."""
    return digit_runs.cnn, [digit_runs.chosen(20, 1).train] * 3, lambda m: m.head.bias


def detector():
    """Return the same of a detector, whose batches have lists in them."""
    data = scenes("train", 20, seed=1)
    sizes = scene_detection.SIZES | {"d_model": 16}
    examples = [(data.images, data.boxes, data.classes)] * 3
    return lambda: DETR(DETRConfig(**sizes)), examples, lambda m: m.queries


@pytest.mark.parametrize("kind", [digits, detector])
def test_the_rate_that_is_kept_is_the_best_and_all_begin_alike(kind):
    """The quality is a distance that the test sets: each rate wins once."""
    build, examples, weight = kind()
    started = []

    def make():
        started.append(nn.Linear(1, 1).weight.item())  # what the seed draws first
        return build()

    runs = {rate: trained(make, examples, seed=4, rate=rate) for rate in RATES}
    for rate, run in runs.items():
        wanted = weight(run.model).detach()
        found = best_rate(
            make,
            examples,
            lambda model, wanted=wanted: -(weight(model) - wanted).abs().sum().item(),
            seed=4,
            rates=RATES,
        )
        assert found.rate == rate
        assert found.losses == run.losses
        assert found.watched == []
    assert len(set(started)) == 1


def test_the_quality_is_asked_for_at_each_point_of_the_training():
    build, examples, weight = detector()
    seen = []

    def quality(model):
        seen.append(weight(model).detach().clone())
        return float(len(seen))

    run = trained(build, examples * 2 + examples[:1], seed=1, rate=1e-3, watch=quality, points=3)
    assert [entry["step"] for entry in run.curve(3)] == [2, 4, 6]
    assert run.watched == [1, 2, 3]
    assert not torch.equal(seen[0], seen[1])


def test_watching_changes_no_training():
    build, examples, _ = detector()
    images = examples[0][0]
    runs = [
        trained(build, examples, seed=1, rate=1e-3, watch=watch, points=3)
        for watch in (None, lambda m: len(scene_detection.detections(m, images)))
    ]
    assert [run.watched for run in runs] == [[], [20, 20, 20]]
    states = [run.model.state_dict() for run in runs]
    assert all(torch.equal(x, states[1][name]) for name, x in states[0].items())


def test_the_warm_up_is_that_of_the_run():
    build, examples, weight = digits()
    quick, slow = (trained(build, examples, seed=1, rate=1e-2, warmup=n) for n in (1, 100))
    torch.manual_seed(1)
    start = weight(build())
    moved = [(weight(run.model) - start).abs().sum() for run in (quick, slow)]
    assert moved[0] > 5 * moved[1]


def test_every_contestant_has_a_best_run_by_its_name():
    build, examples, _ = digits()
    given = type("Given", (), {"rates": RATES})
    both = {"one": build, "other": build}
    found = dict(best_runs(both, examples, lambda _: 0.0, 2, given))
    assert [run.rate for run in found.values()] == [RATES[0]] * 2  # of equals the first
    assert found["one"].losses == found["other"].losses
    assert parameters(both) == dict.fromkeys(both, 65_642)
