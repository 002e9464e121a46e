"""The comparison behind *Diffusion*, as small as it goes: equal budgets, and its record."""

import json
import sys

import pytest
import torch

from experiments.family import dit


def test_both_models_have_about_as_many_parameters():
    adaptive, plain = (
        sum(p.numel() for p in dit.built(name, 48, 100).parameters()) for name in dit.LAYERS
    )
    assert 0.95 < plain / adaptive < 1.05


def test_both_models_see_the_same_batches():
    first, again, other = (list(dit.batches(3, seed)) for seed in (1, 1, 2))
    assert all(torch.equal(a[0], b[0]) for a, b in zip(first, again, strict=True))
    assert not torch.equal(first[0][0], other[0][0])
    images = torch.cat([images for images, _ in first])
    assert (images.min().item(), images.max().item()) == (-1.0, 1.0)


def test_the_judge_recognises_what_it_says_and_finds_real_digits_at_no_distance():
    critic = dit.judge(60, 16, seed=0)
    images, labels = dit.digits("test", 60)
    images = 2 * images - 1
    with torch.inference_mode():
        said = critic(images).argmax(-1)
    found = dit.scores(critic, images, said, images)
    assert found["recognised"] == 1.0
    assert found["frechet_distance"] == pytest.approx(0.0, abs=1e-3)
    true = dit.scores(critic, images, labels, images + 0.5)
    assert true["recognised"] == pytest.approx((said == labels).double().mean().item(), abs=1e-4)
    assert true["frechet_distance"] > 0


def test_the_command_writes_a_record_of_both_models(monkeypatch, tmp_path, capsys):
    out = tmp_path / "x.json"
    words = ["--seeds", "4", "--steps", "3", "--width", "16", "--noise", "21", "--samples", "12"]
    words += ["--judge-steps", "3"]
    monkeypatch.setattr(sys, "argv", ["x", *words, "--out", str(out)])
    threads = torch.get_num_threads()
    dit.main()
    torch.set_num_threads(threads)
    found = json.loads(out.read_text("utf-8"))
    assert found["command"] == f"python -m experiments.family.dit {' '.join(words)} --out {out}"
    assert found["benchmark"] == "dit"
    samples = [s for s in found["scores"] if s["split"] == "samples"]
    assert {(s["model"], s["guidance"]) for s in samples} == {
        (model, guidance) for model in dit.LAYERS for guidance in dit.GUIDANCE
    }
    assert {s["metric"] for s in samples} == {"recognised", "frechet_distance"}
    real = [s for s in found["scores"] if s["model"] == "real digits"]
    assert {s["metric"] for s in real} == {"recognised", "frechet_distance"}
    assert [entry["step"] for entry in found["curve"]] == [1, 2, 3] * 2
    assert capsys.readouterr().out
