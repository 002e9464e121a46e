"""What is given to a member and to its loss is understood, or refused in one sentence."""

import pytest
import torch
from family_tiny import TINY
from typechecking import unchecked
from zoo import CLICKS, IMAGES, SMALL, SOURCE, TARGET, ZOO, build, tensors_of

from annotated_transformer.lab import family
from annotated_transformer.lab.baselines.cnn import CNN, CNNConfig
from count_new import members

NAMES = [name for name in ZOO if name in (*members(), "DETR with a ResNet", "CNN")]
SPOILT = {
    "nothing": lambda x: None,
    "a list": lambda x: x.tolist(),
    "an array": lambda x: x.numpy(),
    "a text": lambda x: "abc",
    "float64": lambda x: x.double(),
    "float16": lambda x: x.half(),
    "bfloat16": lambda x: x.bfloat16(),
    "complex": lambda x: x.to(torch.complex64),
    "truth": lambda x: x > 0,
    "bytes": lambda x: x.to(torch.uint8),
    "int32": lambda x: x.int(),
    "no batch": lambda x: x[0],
    "an axis more": lambda x: x[None],
    "one number": lambda x: x.flatten()[0],
    "an empty batch": lambda x: x[:0],
    "nothing in a row": lambda x: x[..., :0],
    "another batch": lambda x: torch.cat([x, x[:1]]),
    "meta": lambda x: x.to("meta"),
    "sparse": lambda x: x.to_sparse(),
}


@pytest.fixture(autouse=True)
def _as_readers_run_it():
    with unchecked():
        yield


def answer(call):
    """Return what a call gives, or None if it refuses with a ValueError that is one sentence."""
    try:
        return tensors_of(call())
    except ValueError as error:
        assert len(str(error)) > 25  # noqa: PT017
        assert "\n" not in str(error)  # noqa: PT017
        return None


def tried(call, given):
    """Try each spoilt argument; return which were taken, and what came out then."""
    taken = {}
    for place, value in enumerate(given):
        for kind, spoil in SPOILT.items():
            each = [spoil(x) for x in value] if isinstance(value, list) else spoil(value)
            found = answer(lambda: call(*given[:place], each, *given[place + 1 :]))  # noqa: B023
            if found is not None:
                taken[kind, place] = found
    return taken


@pytest.mark.parametrize("name", NAMES)
@torch.no_grad()
def test_what_is_no_input_is_refused_and_the_rest_gives_the_same(name):
    model, inputs = build(name)
    model = model.float()
    inputs = [x.float() if x.is_floating_point() else x for x in inputs]
    expected = tensors_of(model(*inputs))
    for (kind, place), found in tried(model, inputs).items():
        if kind in ("an empty batch", "another batch"):
            assert len(inputs) == 1, (kind, place)  # no other is left behind
            continue
        if name == "SAM":  # pixels of a click, and labels, may be numbers of any type
            assert place or kind == "float32"
            continue
        assert kind == "int32", (kind, place)
        assert all(map(torch.equal, found, expected))


CHOSEN = SOURCE > 4
BOXES = [torch.tensor([[0.5, 0.5, 0.2, 0.4]])] * 2
BATCHES = {
    "BERT": (SOURCE, SOURCE, CHOSEN),
    "ELECTRA": (SOURCE, SOURCE, CHOSEN),
    **dict.fromkeys(("GPT", "LLaMA"), (SOURCE,)),
    **dict.fromkeys(("BART", "T5"), (SOURCE, TARGET)),
    **dict.fromkeys(("ViT", "CNN", "DiT"), (SMALL, torch.tensor([0, 2]))),
    "DeiT": (SMALL, torch.tensor([0, 2]), torch.tensor([1, 1])),
    "Swin": (IMAGES, torch.tensor([0, 2])),
    "SegFormer": (IMAGES, torch.ones(2, 16, 16, dtype=torch.long)),
    **dict.fromkeys(("DETR", "DeformableDETR"), (IMAGES, BOXES, [torch.tensor([2])] * 2)),
    "SAM": (IMAGES, CLICKS, torch.ones(2, 1, 2, dtype=torch.long), IMAGES.abs() > 0.2),
}


def of_loss(name):
    torch.manual_seed(0)
    if name == "CNN":
        return CNN(CNNConfig(width=4, n_classes=3)).eval()
    config = getattr(family, f"{name}Config")(**TINY[name] | {"dropout": 0.0})
    return getattr(family, name)(config).eval()


def test_every_member_has_a_batch():
    assert BATCHES.keys() == {*members(), "CNN"}


@pytest.mark.parametrize("name", BATCHES)
def test_what_is_no_batch_is_refused_and_no_loss_is_no_number(name):
    model, batch = of_loss(name), list(BATCHES[name])
    assert model.loss(*batch).isfinite()
    for (kind, place), found in tried(model.loss, batch).items():
        assert found[0].isfinite(), (kind, place)
        numbers = "int32", "float64", "float16", "bfloat16"
        alike = kind in numbers or (kind == "truth" and batch[place].dtype == torch.bool)
        loose = name == "SAM" and place in (1, 2)
        alone = len(batch) == 1 and kind == "another batch"
        assert alike or loose or alone, (kind, place)


def test_a_loss_of_nothing_is_refused():
    """The mean of no losses is NaN, with which a training goes on."""
    nothing = torch.zeros_like(SOURCE)
    for name in ("BERT", "ELECTRA"):
        with pytest.raises(ValueError, match="no place is chosen"):
            of_loss(name).loss(SOURCE, SOURCE, CHOSEN & False)
    with pytest.raises(ValueError, match="padding alone: there is nothing to learn"):
        of_loss("ELECTRA").loss(SOURCE, nothing, CHOSEN)
    for name in ("GPT", "LLaMA"):
        for ids in (nothing, SOURCE[:0], SOURCE[:, :1]):
            with pytest.raises(ValueError, match="nothing to learn"):
                of_loss(name).loss(ids)


def test_a_mask_of_bytes_is_not_taken_for_numbers():
    """255 for True, as image files have it, gave a score that was no share."""
    images, clicks, labels, gold = BATCHES["SAM"]
    with pytest.raises(ValueError, match=r"gold is .*uint8; expected True or False"):
        of_loss("SAM").loss(images, clicks, labels, 255 * gold.to(torch.uint8))


def test_clicks_of_another_precision_are_the_same_clicks():
    model, (images, clicks, labels, _) = of_loss("SAM"), BATCHES["SAM"]
    expected = model(images, clicks, labels)
    for other in (clicks.double(), clicks.half(), clicks.int()):
        assert all(map(torch.equal, model(images, other, labels), expected))


@pytest.mark.parametrize("name", ["DETR", "DeformableDETR", "DETR with a ResNet"])
def test_marks_of_what_is_real_are_one_for_each_pixel(name):
    model, (images,) = build(name)
    real = torch.ones(2, 16, 16, dtype=torch.bool)
    model(images, real)
    for wrong in (real.long(), real[:1], real[:, :8], real[0], real.to("meta"), "abc"):
        with pytest.raises(ValueError, match=r"^real is |the images on|what it belongs to"):
            model(images, wrong)


@torch.no_grad()
def test_under_autocast_images_of_another_type_are_taken():
    model = of_loss("ViT")
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert model(SMALL.bfloat16()).isfinite().all()
