"""ViT against Hugging Face's, on copied weights and on a directory that it saved itself."""

import json

import pytest
import torch
from family_oracle import VIEWER, assert_same_gradients, copied, disturbed
from transformers import ViTConfig as Theirs
from transformers import ViTForImageClassification

from annotated_transformer.lab.corpora.digits import digits
from annotated_transformer.lab.family import ViT, ViTConfig, fit
from annotated_transformer.lab.family.images import Patches

SETTINGS = VIEWER | {"num_channels": 2}
GRIDS = {"even": (8, 2), "odd": (9, 3), "one patch": (5, 5)}
SIZES = {"n_layers": 2, "d_model": 16, "d_ff": 24, "n_heads": 2, "n_channels": 2, "n_classes": 5}


def reference(grid="even", **settings):
    """Return their model, whose attention computes in float64 as ours does only as "sdpa"."""
    image_size, patch_size = GRIDS[grid]
    torch.manual_seed(0)
    settings = SETTINGS | {"image_size": image_size, "patch_size": patch_size} | settings
    return disturbed(ViTForImageClassification(Theirs(**settings, attn_implementation="sdpa")))


def images(side, n=3):
    return torch.randn(n, 2, side, side, dtype=torch.float64)


@pytest.mark.parametrize("grid", GRIDS)
def test_it_is_the_reference_forward_and_gradient(grid):
    theirs = reference(grid)
    ours = copied(ViT, theirs)
    x = images(GRIDS[grid][0])
    assert_same_gradients(ours, theirs, ours(x), theirs(x).logits)


def test_it_reads_what_the_reference_saved(tmp_path):
    theirs = reference(hidden_dropout_prob=0.25)
    theirs.save_pretrained(tmp_path)
    ours = ViT.from_pretrained(tmp_path)
    x = images(8)
    assert (ours.config.n_classes, ours.config.dropout) == (5, 0.25)
    torch.testing.assert_close(ours(x), theirs(x).logits, rtol=1e-10, atol=1e-10)


def test_files_of_the_hub_have_older_names_and_perhaps_a_pooler():
    theirs = reference()
    tensors = {
        name.replace("layers.", "encoder.layer.")
        .replace("attention.q_proj", "attention.attention.query")
        .replace("attention.k_proj", "attention.attention.key")
        .replace("attention.v_proj", "attention.attention.value")
        .replace("attention.o_proj", "attention.output.dense")
        .replace("mlp.fc1", "intermediate.dense")
        .replace("mlp.fc2", "output.dense"): tensor
        for name, tensor in theirs.state_dict().items()
    }
    assert len(tensors.keys() - theirs.state_dict().keys()) == 2 * 16
    ours = ViT(ViT.config_from(theirs.config.to_dict(), "x")).double().eval()
    ViT.reference.copy(ours, tensors | {"vit.pooler.dense.bias": torch.zeros(16)}, "hub")
    x = images(8)
    torch.testing.assert_close(ours(x), theirs(x).logits, rtol=1e-10, atol=1e-10)


def test_two_classes_are_those_of_a_file_that_names_none():
    settings = reference(num_labels=2).config.to_dict()
    assert ViT.config_from(settings, "x").n_classes == 2
    del settings["id2label"]
    assert ViT.config_from(settings, "x").n_classes == 2


def test_an_option_that_is_not_built_is_refused():
    settings = reference().config.to_dict()
    with pytest.raises(ValueError, match="qkv_bias=False is not built here; expected True"):
        ViT.config_from(settings | {"qkv_bias": False}, "x")


def cut(x, patch):
    """All patches of images, each as a row: (batch, patch, channel * patch * patch)."""
    rows = x.unfold(2, patch, patch).unfold(3, patch, patch)  # batch channel row column p p
    return rows.permute(0, 2, 3, 1, 4, 5).flatten(1, 2).flatten(2)


def shuffled(x, patch, order):
    """Return the same patches elsewhere."""
    moved = torch.empty_like(x)
    side = x.size(2) // patch
    for target, origin in enumerate(order):
        (r, c), (s, t) = divmod(target, side), divmod(origin, side)
        here = slice(r * patch, (r + 1) * patch), slice(c * patch, (c + 1) * patch)
        there = slice(s * patch, (s + 1) * patch), slice(t * patch, (t + 1) * patch)
        moved[:, :, *here] = x[:, :, *there]
    return moved


def vit(**options):
    torch.manual_seed(1)
    config = ViTConfig(**SIZES, image_size=8, patch_size=2, dropout=0.0, **options)
    return ViT(config).double().eval()


def test_a_patch_is_mapped_by_one_matrix():
    model, x = vit(), images(8)
    weight, bias = model.patches.project.weight.flatten(1), model.patches.project.bias
    expected = cut(x, 2) @ weight.T + bias
    torch.testing.assert_close(model.patches(x).flatten(1, 2), expected)


def test_the_number_of_words_follows_from_the_image():
    """The size of a patch is in the title of the paper, 16 x 16; the number is not."""
    with torch.device("meta"):
        patches = Patches(3, 16, 8)
    assert patches(torch.empty(1, 3, 224, 224, device="meta")).flatten(1, 2).shape == (1, 196, 8)


def test_without_positions_the_order_of_the_patches_does_not_matter():
    x = images(8)
    order = torch.randperm(16).tolist()
    moved = shuffled(x, 2, order)
    torch.testing.assert_close(cut(moved, 2), cut(x, 2)[:, order])
    model = vit(positions="none")
    torch.testing.assert_close(model(moved), model(x), rtol=1e-12, atol=1e-12)
    model = vit()
    assert (model(moved) - model(x)).abs().max() > 1e-3


def test_without_positions_each_patch_takes_its_output_along():
    x = images(8)
    order = torch.randperm(16).tolist()
    model = vit(positions="none")
    found = model.encode(shuffled(x, 2, order))[:, 1:]
    torch.testing.assert_close(found, model.encode(x)[:, 1:][:, order])


def test_it_learns_a_few_digits():
    torch.manual_seed(0)
    sizes = {"n_layers": 1, "d_model": 32, "d_ff": 64, "n_heads": 4}
    config = ViTConfig(**sizes, image_size=8, patch_size=2, n_channels=1, n_classes=10, dropout=0.0)
    model = ViT(config)
    x, labels = digits("train", 40)
    losses = fit(model, ((x, labels) for _ in range(80)), rate=3e-3, warmup=10)
    assert losses[-1] < 0.1 < losses[0]
    assert (model(x).argmax(-1) == labels).float().mean() > 0.95


def test_the_loss_is_the_cross_entropy_of_the_labels():
    model, x = vit(), images(8)
    labels = torch.tensor([1, 4, 0])
    expected = -model(x).log_softmax(-1)[range(3), labels].mean()
    torch.testing.assert_close(model.loss(x, labels), expected)


def test_the_length_of_the_words_is_in_the_file(tmp_path):
    vit().save(tmp_path / "model")
    content = json.loads((tmp_path / "model" / "config.json").read_text())
    assert content["config"]["max_length"] == 17


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (torch.zeros(2, 2, 10, 10), "10 x 10 pixels; this model was built for image_size=8"),
        (torch.zeros(2, 2, 8, 9), "8 x 9 pixels do not divide evenly.*multiples of 2"),
        (torch.zeros(2, 3, 8, 8), r"shape \(2, 3, 8, 8\).*expected.*\(batch, 2, height, width\)"),
        (torch.zeros(0, 2, 8, 8), "one image or more"),
    ],
)
def test_images_that_do_not_fit_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        vit()(wrong.double())


@pytest.mark.parametrize("label", [-1, 5])
def test_a_label_that_is_no_class_is_refused(label):
    with pytest.raises(
        ValueError, match=f"label {label} is no class: there are n_classes=5, 0 to 4"
    ):
        vit().loss(images(8), torch.tensor([0, label, 1]))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"image_size": 9, "patch_size": 2}, "image_size=9 is no multiple of patch_size=2"),
        ({"n_classes": 0}, "n_classes=0 must be a positive integer"),
        ({"patch_size": 0}, "patch_size=0 must be a positive integer"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        ViTConfig(**options)


def test_the_base_model_has_the_size_that_everybody_knows():
    base = {"n_layers": 12, "d_model": 768, "d_ff": 3072, "n_heads": 12}
    with torch.device("meta"):
        model = ViT(ViTConfig(**base))
    assert sum(p.numel() for p in model.parameters()) == 86_567_656
