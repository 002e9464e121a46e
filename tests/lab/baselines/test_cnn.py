"""The plain convolutional network: its layers by hand, its reach, what it learns and refuses."""

import pytest
import torch
from torch.nn import functional as F

from annotated_transformer.lab.baselines.cnn import CNN, CNNConfig
from annotated_transformer.lab.corpora.digits import digits
from annotated_transformer.lab.family import fit


def cnn(width=4, **options):
    torch.manual_seed(0)
    return CNN(CNNConfig(width=width, **options)).double().eval()


def test_it_is_what_its_docstring_says():
    model = cnn(n_channels=2, n_classes=3)
    x = torch.randn(2, 2, 8, 12, dtype=torch.float64)
    y, convolutions = x, [part for part in model.convolutions if hasattr(part, "weight")]
    assert [part.out_channels for part in convolutions] == [4, 4, 8, 8]
    for pair in (convolutions[:2], convolutions[2:]):
        for part in pair:
            y = F.conv2d(y, part.weight, part.bias, padding=1).clamp(min=0)
        y = y.unflatten(3, (-1, 2)).unflatten(2, (-1, 2)).amax((3, 5))
    expected = y.flatten(2).mean(2) @ model.head.weight.T + model.head.bias
    torch.testing.assert_close(model(x), expected)


def test_what_it_sees_in_an_empty_image_does_not_depend_on_where_by_steps_of_four():
    """All that it sees of a blot, which reaches 10 pixels away, lies in the image both times."""
    model = cnn()
    for part in model.convolutions:
        if hasattr(part, "bias"):
            torch.nn.init.zeros_(part.bias)
    x = torch.zeros(1, 1, 32, 32, dtype=torch.float64)
    x[:, :, 14:18, 14:18] = torch.rand(4, 4, dtype=torch.float64)
    torch.testing.assert_close(model(x.roll((4, -4), (2, 3))), model(x))
    assert not torch.allclose(model(x.roll(1, 2)), model(x))


def test_it_learns_a_few_digits_and_is_loaded_as_it_was_saved(tmp_path):
    model = cnn(width=16).float()
    x, labels = digits("train", 40)
    losses = fit(model, ((x, labels) for _ in range(120)), rate=5e-3, warmup=10)
    assert losses[-1] < 0.1 < losses[0]
    model.save(tmp_path / "cnn")
    assert torch.equal(CNN.load(tmp_path / "cnn")(x), model(x))


def test_images_labels_and_sizes_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"8 x 6 pixels do not divide evenly.*multiples of 4"):
        cnn()(torch.zeros(1, 1, 8, 6, dtype=torch.float64))
    with pytest.raises(ValueError, match="label 10 is no class: there are n_classes=10"):
        cnn().loss(torch.zeros(1, 1, 8, 8, dtype=torch.float64), torch.tensor([10]))
    with pytest.raises(ValueError, match="width=0 must be a positive integer"):
        CNNConfig(width=0)
