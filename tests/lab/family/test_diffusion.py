"""Noise and the way back: by definition, by composition, by many draws, and against diffusers."""

import itertools
import math

import pytest
import torch
from diffusers import DDIMScheduler, DDPMScheduler
from torch.testing import assert_close
from typechecking import unchecked

from annotated_transformer.lab.family.dit.diffusion import Diffusion, guided
from annotated_transformer.lab.family.dit.noise_schedules import noise_schedule

BOTH = pytest.mark.parametrize("schedule", ["linear", "cosine"])


def images(n=2, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(n, 1, 3, 4, generator=generator, dtype=torch.float64)


def in_float64(scheduler, ours):
    """Return theirs with our products of 1 - beta, which they compute in float32."""
    scheduler.alphas_cumprod = ours.left
    scheduler.one = scheduler.final_alpha_cumprod = torch.tensor(1.0, dtype=torch.float64)
    return scheduler


def ddpm(ours, **options):
    return in_float64(DDPMScheduler(len(ours.betas), **options), ours)


def test_schedules_are_those_of_the_papers():
    """In float32, as far as diffusers computes them."""
    for schedule, theirs in [
        ("linear", DDPMScheduler(1000, beta_start=1e-4, beta_end=0.02)),
        ("cosine", DDPMScheduler(1000, beta_schedule="squaredcos_cap_v2")),
    ]:
        ours = Diffusion(schedule, 1000)
        assert_close(ours.betas.float(), theirs.betas, rtol=1e-5, atol=1e-7)
        assert_close(ours.left.float(), theirs.alphas_cumprod, rtol=2e-4, atol=1e-7)


@BOTH
@pytest.mark.parametrize("n_steps", [21, 100, 1000])
def test_the_end_is_noise_however_many_steps_there_are(schedule, n_steps):
    betas = noise_schedule(schedule, n_steps)
    assert len(betas) == n_steps
    assert 0 < betas.min() < betas.max() < 1
    assert torch.prod(1 - betas) < 1e-4


@pytest.mark.parametrize("n_steps", [0, -3, 2.0])
def test_a_number_of_steps_must_be_one(n_steps):
    with unchecked(), pytest.raises(ValueError, match=r"n_steps=.* must be a positive integer"):
        noise_schedule("cosine", n_steps)


@BOTH
def test_steps_taken_one_by_one_are_all_taken_at_once(schedule):
    """x_t = sqrt(1 - beta) x + sqrt(beta) z is linear: what it does to a mean and to a variance.

    The mean of the noisy image is read off with no noise, the variance with no image.
    """
    diffusion, image = Diffusion(schedule, 30), images()
    mean, variance = image, 0.0
    for t, beta in enumerate(diffusion.betas.tolist()):
        mean = math.sqrt(1 - beta) * mean
        variance = (1 - beta) * variance + beta
        steps = torch.full((2,), t)
        assert_close(diffusion.noisy(image, steps, 0 * image), mean, rtol=1e-12, atol=1e-15)
        found = diffusion.noisy(0 * image, steps, image)
        assert_close(found, math.sqrt(variance) * image, rtol=1e-12, atol=1e-15)


def test_many_draws_of_single_steps_have_the_mean_and_variance_of_all_at_once():
    """Of n draws of variance v, the mean errs by sqrt(v / n), the variance by v sqrt(2 / n).

    Five times that, for one number of an image, after each of 25 steps.
    """
    diffusion, n = Diffusion("linear", 25), 40_000
    generator = torch.Generator().manual_seed(5)
    x = torch.full((n,), 0.7, dtype=torch.float64)
    for beta, left in zip(diffusion.betas, diffusion.left.tolist(), strict=True):
        fresh = torch.randn(n, generator=generator, dtype=torch.float64)
        x = (1 - beta).sqrt() * x + beta.sqrt() * fresh
        assert abs(x.mean() - math.sqrt(left) * 0.7) < 5 * math.sqrt((1 - left) / n)
        assert abs(x.var() - (1 - left)) < 5 * (1 - left) * math.sqrt(2 / n)


@BOTH
def test_noisy_images_are_the_references(schedule):
    ours, image = Diffusion(schedule, 40), images(5)
    t, noise = torch.tensor([0, 3, 20, 38, 39]), images(5, seed=1)
    found = ours.noisy(image, t, noise)
    assert_close(found, ddpm(ours).add_noise(image, noise, t), rtol=1e-12, atol=1e-12)
    for row, step in enumerate(t.tolist()):
        again = ours.image(found[row], step, noise[row])
        assert_close(again, image[row], rtol=1e-6, atol=1e-6)


def test_what_was_before_a_step_follows_from_bayes_rule():
    """Density of x before, given x after and the image: that of two normals, multiplied.

    Before: N(sqrt(left) image, 1 - left); after, given before: N(sqrt(1 - beta) before, beta).
    """
    diffusion, image, noisy = Diffusion("linear", 30), images(), images(seed=1)
    for t in (1, 7, 29):
        beta, left = diffusion.betas[t].item(), diffusion.left[t - 1].item()
        precision = 1 / (1 - left) + (1 - beta) / beta
        mean = math.sqrt(left) * image / (1 - left) + math.sqrt(1 - beta) * noisy / beta
        found, variance = diffusion.before(noisy, t, image)
        assert_close(found, mean / precision, rtol=1e-10, atol=1e-12)
        assert variance == pytest.approx(1 / precision, rel=1e-10)
    found, variance = diffusion.before(noisy, 0, image)
    assert_close(found, image)
    assert variance == 0


@BOTH
@pytest.mark.parametrize("clip", [True, False])
def test_mean_and_variance_of_a_step_back_are_the_references(schedule, clip):
    """The mean with their generator's noise taken out; the variance as theirs, `fixed_small`."""
    ours, noisy, noise = Diffusion(schedule, 40), images(), images(seed=1)
    theirs = ddpm(ours, clip_sample=clip)
    for t in (0, 1, 20, 38):
        image = ours.image(noisy, t, noise)
        mean, variance = ours.before(noisy, t, image.clamp(-1, 1) if clip else image)
        step = theirs.step(noise, t, noisy, generator=torch.Generator().manual_seed(3))
        fresh = torch.randn(
            noisy.shape, generator=torch.Generator().manual_seed(3), dtype=noisy.dtype
        )
        expected = step.prev_sample - (math.sqrt(variance) * fresh if t else 0)
        assert_close(mean, expected, rtol=1e-9, atol=1e-9)
        assert variance == pytest.approx(theirs._get_variance(t).item(), abs=1e-12)


def test_the_mean_is_also_that_of_algorithm_2():
    """(x - beta / sqrt(1 - left) noise) / sqrt(1 - beta), as long as no guess is cut off."""
    diffusion, noisy, noise = Diffusion("linear", 30), images(), images(seed=1)
    for t in (0, 9, 29):
        beta, left = diffusion.betas[t].item(), diffusion.left[t].item()
        expected = (noisy - beta / math.sqrt(1 - left) * noise) / math.sqrt(1 - beta)
        found, _ = diffusion.before(noisy, t, diffusion.image(noisy, t, noise))
        assert_close(found, expected, rtol=1e-10, atol=1e-10)


def test_a_walk_back_is_the_references():
    """With the same draws; their first argument is the noise that the model sees."""
    ours, start = Diffusion("linear", 25), images().float()
    theirs, x = ddpm(ours), start
    generator = torch.Generator().manual_seed(6)
    for t in reversed(range(25)):
        x = theirs.step(torch.tanh(x), t, x, generator=generator).prev_sample
    found = ours.sample(lambda x, t: torch.tanh(x), start, torch.Generator().manual_seed(6))
    assert_close(found, x, rtol=1e-4, atol=1e-5)
    seen = []
    ours.sample(lambda x, t: seen.append(t) or x, start)
    assert seen == list(reversed(range(25)))


@BOTH
@pytest.mark.parametrize("n_jumps", [1, 5, 25])
def test_jumps_are_those_of_the_reference(schedule, n_jumps):
    """Where all jumps are of one length; theirs must be."""
    ours, x = Diffusion(schedule, 25), images()
    found = ours.jump(lambda x, t: torch.tanh(x + t), x, n_jumps)
    theirs = in_float64(DDIMScheduler(25, timestep_spacing="trailing"), ours)
    theirs.set_timesteps(n_jumps)
    for t in theirs.timesteps.tolist():
        x = theirs.step(torch.tanh(x + t), t, x).prev_sample
    assert_close(found, x, rtol=1e-9, atol=1e-9)


def test_jumps_of_several_lengths_go_from_the_last_step_to_the_image():
    diffusion, seen = Diffusion("linear", 25), []
    diffusion.jump(lambda x, t: seen.append(t) or x, images(), 7)
    assert seen[0] == 24
    assert {a - b for a, b in itertools.pairwise([*seen, -1])} == {3, 4}


def test_from_the_true_noise_one_jump_leads_to_the_image():
    diffusion, noise = Diffusion("linear", 25), images(seed=1)
    image = images().clamp(-1, 1)
    noisy = diffusion.noisy(image, torch.tensor([24, 24]), noise)
    for n_jumps in (1, 5, 25):
        assert_close(diffusion.jump(lambda x, t: noise, noisy, n_jumps), image)


def test_a_question_is_a_noisy_image_and_its_noise():
    diffusion, image = Diffusion("linear", 25), images(200).float()
    seen, t, noise = diffusion.question(image, torch.Generator().manual_seed(2))
    assert_close(seen, diffusion.noisy(image, t, noise))
    assert set(t.tolist()) == set(range(25))
    assert abs(noise.mean()) < 5 / math.sqrt(noise.numel())
    again = diffusion.question(image, torch.Generator().manual_seed(2))
    assert all(map(torch.equal, (seen, t, noise), again))


def test_guidance_goes_from_the_model_without_classes_through_the_one_with_them():
    with_class, without = images(), images(seed=1)
    assert_close(guided(with_class, without, 0.0), without)
    assert_close(guided(with_class, without, 1.0), with_class)
    # Equation 6 of Ho and Salimans with w = 1.5.
    assert_close(guided(with_class, without, 2.5), 2.5 * with_class - 1.5 * without)


def test_steps_and_jumps_that_there_are_not_are_refused():
    diffusion, image = Diffusion("linear", 25), images()
    for t in (25, -1):
        with pytest.raises(ValueError, match=f"t={t} is no step: there are n_steps=25, 0 to 24"):
            diffusion.noisy(image, torch.tensor([3, t]), image)
    for n in (0, 26):
        with pytest.raises(ValueError, match=f"n_jumps={n} must be from 1 to n_steps=25"):
            diffusion.jump(lambda x, t: x, image, n)
