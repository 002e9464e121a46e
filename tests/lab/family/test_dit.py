"""DiT against diffusers' on copied weights, what its layers start as, and what it refuses."""

import pytest
import torch
from diffusers import DiTTransformer2DModel
from family_oracle import assert_same_gradients, disturbed
from typechecking import unchecked

from annotated_transformer.lab.corpora.digits import digits
from annotated_transformer.lab.family import DiT, DiTConfig, fit
from annotated_transformer.lab.family.dit.condition import grid_positions
from annotated_transformer.positions import sinusoidal_encoding

SIZES = {"n_layers": 2, "d_model": 16, "d_ff": 64, "n_heads": 2, "image_size": 6}
SIZES |= {"n_channels": 3, "n_classes": 5, "n_steps": 50}


def built(**changes):
    return DiT(DiTConfig(**SIZES | changes))


def batch(model, n=3, seed=0):
    c, generator = model.config, torch.Generator().manual_seed(seed)
    images = torch.randn(n, c.n_channels, c.image_size, c.image_size, generator=generator)
    t = torch.randint(c.n_steps, (n,), generator=generator)
    labels = torch.randint(c.n_classes + 1, (n,), generator=generator)
    return images.to(model.positions), t, labels


class Sinusoids(torch.nn.Module):
    """Ours, with all cosines first and then all sines."""

    def __init__(self, table):
        super().__init__()
        self.table = torch.cat([table[:, 1::2], table[:, 0::2]], dim=1)

    def forward(self, t):
        return self.table[t]


def reference(ours):
    """Return diffusers' model in float64, with one Condition for all layers as in the paper.

    Its tables of sinusoids are of float32, and those of a step have other wavelengths; they are
    replaced by ours, and compared with them by themselves below.
    """
    c = ours.config
    theirs = DiTTransformer2DModel(
        num_attention_heads=c.n_heads,
        attention_head_dim=c.d_model // c.n_heads,
        in_channels=c.n_channels,
        out_channels=c.n_channels * (1 + c.variance),
        num_layers=c.n_layers,
        sample_size=c.image_size,
        patch_size=c.patch_size,
        num_embeds_ada_norm=c.n_classes,
        norm_eps=1e-6,
    )
    first, *others = theirs.transformer_blocks
    for block in others:
        block.norm1.emb = first.norm1.emb
    first.norm1.emb.time_proj = Sinusoids(ours.condition.sinusoids)
    theirs = disturbed(theirs)
    theirs.pos_embed.pos_embed = ours.positions[None]
    return theirs


@pytest.mark.parametrize(
    "changes",
    [
        {"variance": True},
        {"variance": False, "patch_size": 3, "n_layers": 1},
        {"n_channels": 1, "image_size": 8, "patch_size": 1, "variance": True},
    ],
)
def test_it_is_the_reference_forward_and_gradient(changes):
    ours = built(**changes).double().eval()
    theirs = reference(ours)
    DiT.reference.copy(ours, theirs.state_dict(), "the reference")
    images, t, labels = batch(ours)
    found = ours(images, t, labels)
    assert_same_gradients(ours, theirs, found, theirs(images, t, labels).sample)


def test_the_tables_of_sinusoids_are_the_references_as_far_as_those_are_exact():
    """Theirs are computed in float32, where step 999 times a frequency has an error of 6e-5."""
    theirs = DiTTransformer2DModel(2, 8, sample_size=6, num_layers=1)
    time_proj = theirs.transformer_blocks[0].norm1.emb.time_proj
    ours = sinusoidal_encoding(1000, 256, 10_000 ** (128 / 127))
    found = Sinusoids(ours)(torch.arange(1000))
    torch.testing.assert_close(found, time_proj(torch.arange(1000)), rtol=0, atol=2e-4)
    torch.testing.assert_close(
        grid_positions(3, 16), theirs.pos_embed.pos_embed[0], rtol=0, atol=1e-6
    )


def test_it_starts_as_the_identity_in_every_layer_and_as_zero_at_the_end():
    model = built()
    images, t, labels = batch(model)
    assert not model(images, t, labels).any()
    condition = model.condition(t, labels).sum(1, keepdim=True)
    x = torch.randn(3, 9, 16)
    for layer in model.encoder.layers:
        assert torch.equal(layer(x, condition), x)
    plain = built(conditioning="in_context")
    assert not plain(images, t, labels).any()
    assert not torch.equal(plain.encoder.encoder.layers[0](x, None), x)


def test_a_gate_opens_one_sublayer_and_shift_and_scale_reach_only_its_input():
    """With the gate of the feed-forward network at 1 and all else 0, the layer is plain pre-LN."""
    model = built().double()
    layer = model.encoder.layers[0]
    with torch.no_grad():
        layer.choose.bias[5 * 16 :] = 1.0
    x = torch.randn(2, 9, 16, dtype=torch.float64)
    normed = torch.nn.functional.layer_norm(x, (16,), eps=1e-6)
    condition = torch.randn(2, 1, 16, dtype=torch.float64)
    torch.testing.assert_close(layer(x, condition), x + layer.feed_forward(normed))


@pytest.mark.parametrize("conditioning", ["adaln_zero", "in_context"])
def test_without_positions_moved_patches_give_moved_noise(conditioning):
    """The only thing that tells patches apart by place is what is added to them."""
    model = disturbed(built(conditioning=conditioning))
    images, t, labels = batch(model)
    turned = images.unflatten(-1, (3, 2)).roll(1, dims=-2).flatten(-2)
    found = model(turned, t, labels)
    assert not torch.allclose(found, shifted(model(images, t, labels)))
    model.positions.zero_()
    torch.testing.assert_close(model(turned, t, labels), shifted(model(images, t, labels)))


def shifted(noise):
    return noise.unflatten(-1, (3, 2)).roll(1, dims=-2).flatten(-2)


@pytest.mark.parametrize("conditioning", ["adaln_zero", "in_context"])
def test_step_and_class_of_an_image_reach_its_own_noise_alone(conditioning):
    model = disturbed(built(conditioning=conditioning))
    images, t, labels = batch(model)
    before = model(images, t, labels)
    for name in ("t", "labels"):
        other = {"t": t.clone(), "labels": labels.clone()}
        other[name][1] = (other[name][1] + 1) % 5
        after = model(images, **other)
        assert torch.equal(after[::2], before[::2])
        assert not torch.allclose(after[1], before[1])


def test_three_layers_that_read_tokens_weigh_as_much_as_two_that_adapt():
    """4 d^2 for attention and 8 d^2 for the network, and 6 d^2 more for what adapts."""
    sizes = {"d_model": 64, "d_ff": 256}
    both = [built(**sizes, n_layers=4), built(**sizes, n_layers=6, conditioning="in_context")]
    adaptive, plain = (sum(p.numel() for p in m.encoder.parameters()) for m in both)
    assert 0.96 < plain / adaptive < 1.0


def test_the_loss_is_the_mean_square_of_the_noise_that_is_missed():
    model = disturbed(built(variance=True, drop_class=0.0))
    images, _, labels = batch(model)
    labels %= 5
    found = model.loss(images, labels, torch.Generator().manual_seed(4))
    seen, t, noise = model.diffusion.question(images, torch.Generator().manual_seed(4))
    guess = model(seen, t, labels)[:, :3]
    torch.testing.assert_close(found, (guess - noise).square().mean())


def test_training_hides_classes_as_often_as_it_says(monkeypatch):
    """Of 4,000 labels a tenth, to within 5 standard deviations: 0.1 +- 0.024."""
    model, seen = built(drop_class=0.1), []

    def noise(images, t, labels):
        seen.append(labels)
        return images

    monkeypatch.setattr(model, "noise", noise)
    labels = torch.arange(4000) % 5
    model.loss(torch.zeros(4000, 3, 6, 6), labels, torch.Generator().manual_seed(1))
    hidden = seen[0] == 5
    assert abs(hidden.float().mean().item() - 0.1) < 0.024
    assert torch.equal(seen[0][~hidden], labels[~hidden])


def test_guidance_of_one_is_the_model_with_classes_and_of_zero_without():
    model = disturbed(built(n_steps=21, n_layers=1))
    labels, nothing = torch.tensor([0, 3]), torch.tensor([5, 5])

    def sample(labels, guidance, **how):
        generator = torch.Generator().manual_seed(2)
        return model.sample(labels, guidance=guidance, generator=generator, **how)

    for how in ({}, {"n_jumps": 5}):
        without = sample(nothing, 1.0, **how)
        torch.testing.assert_close(sample(labels, 0.0, **how), without)
        assert not torch.allclose(sample(labels, 1.0, **how), without)
    # Towards no class there is nothing to exaggerate.
    torch.testing.assert_close(sample(nothing, 3.0), sample(nothing, 1.0))
    assert torch.equal(sample(labels, 2.0), sample(labels, 2.0))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"t": torch.tensor([0, 50, 3])}, r"t=50 is no step: there are n_steps=50, 0 to 49"),
        ({"t": torch.tensor([0, -1, 3])}, r"t=-1 is no step"),
        ({"labels": torch.tensor([6, 0, 0])}, "label 6 is no class: .* 0 to 4, and 5 for none"),
        ({"labels": torch.tensor([0, 0, -1])}, "label -1 is no class"),
        ({"images": torch.zeros(3, 3, 7, 6)}, "images of 7 x 6 pixels do not divide evenly"),
        ({"images": torch.zeros(3, 3, 8, 8)}, "images of 8 x 8 pixels; .* image_size=6"),
        ({"images": torch.zeros(3, 1, 6, 6)}, r"images have shape \(3, 1, 6, 6\)"),
    ],
)
def test_what_cannot_be_read_is_refused(change, message):
    model = built()
    images, t, labels = batch(model)
    with pytest.raises(ValueError, match=message):
        model(**{"images": images, "t": t, "labels": labels} | change)


def test_an_empty_batch_is_refused_wherever_it_comes():
    with pytest.raises(ValueError, match="one image or more"):
        built().sample(torch.zeros(0, dtype=torch.long))
    with pytest.raises(ValueError, match="one image or more"):
        built().loss(torch.zeros(0, 3, 6, 6), torch.zeros(0, dtype=torch.long))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"image_size": 7}, "image_size=7 is no multiple of patch_size=2"),
        ({"d_model": 18, "n_heads": 1}, "d_model=18 must be a multiple of 4"),
        ({"conditioning": "cross"}, "conditioning='cross' is unknown; choose one of adaln_zero"),
        ({"norm": "post"}, "norm='post' is unknown; choose one of pre"),
        ({"positions": "rotary"}, "positions='rotary' is unknown; choose one of sinusoidal"),
        ({"schedule": "square"}, "schedule='square' is unknown"),
        ({"n_steps": 20}, "n_steps=20 are too few for a linear schedule"),
        ({"drop_class": 1.0}, "drop_class=1.0 must be at least 0 and below 1"),
    ],
)
def test_settings_that_cannot_be_built_are_refused(change, message):
    with unchecked(), pytest.raises(ValueError, match=message):
        built(**change)


@pytest.mark.parametrize("conditioning", ["adaln_zero", "in_context"])
def test_it_learns_to_see_the_noise_in_digits(conditioning):
    """To say "none" costs 1, the variance of noise; the last losses are far below that."""
    images, labels = digits("train", 200)
    generator = torch.Generator().manual_seed(0)
    sizes = {"image_size": 8, "n_channels": 1, "n_classes": 10, "d_model": 32, "n_layers": 1}
    model = built(**sizes, n_steps=100, conditioning=conditioning)

    def batches(n):
        for _ in range(n):
            rows = torch.randint(200, (48,), generator=generator)
            yield 2 * images[rows] - 1, labels[rows]

    losses = fit(model, batches(100), rate=3e-3, warmup=10)
    assert losses[0] == pytest.approx(1.0, abs=0.1)
    assert sum(losses[-20:]) / 20 < 0.55
    assert all(p.grad.isfinite().all() for p in model.parameters())
