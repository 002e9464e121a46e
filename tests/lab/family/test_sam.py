"""SAM against Hugging Face's, on copied weights; its losses and what it refuses."""

import pytest
import torch
from family_oracle import assert_same_gradients, disturbed
from transformers import (
    SamConfig,
    SamMaskDecoderConfig,
    SamModel,
    SamPromptEncoderConfig,
    SamVisionConfig,
)
from transformers.loss.loss_for_object_detection import dice_loss as their_dice
from transformers.loss.loss_for_object_detection import sigmoid_focal_loss

from annotated_transformer.lab.corpora.scenes import scenes
from annotated_transformer.lab.family import SAM, SAMConfig, fit
from annotated_transformer.lab.family.losses import dice_loss, focal_loss
from annotated_transformer.lab.family.sam.clicks import check_clicks
from annotated_transformer.lab.family.sam.model import mask_iou

SMALL = {
    "n_layers": 2,
    "d_model": 12,
    "d_ff": 20,
    "n_heads": 2,
    "side": 16,
    "patch": 4,
    "channels": 1,
    "width": 16,
    "decoder_heads": 2,
    "decoder_ff": 24,
    "score_ff": 10,
}


def reference():
    """Return a small SAM without windows and relative positions, which are left out here.

    Hugging Face gives the norms of the decoder's layers the epsilon 1e-6 and its last one 1e-5; all
    of the authors' have 1e-5, as ours.
    """
    torch.manual_seed(0)
    vision = SamVisionConfig(
        hidden_size=12,
        output_channels=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_channels=1,
        image_size=16,
        patch_size=4,
        mlp_dim=20,
        use_rel_pos=False,
        window_size=0,
        num_pos_feats=8,
    )
    prompts = SamPromptEncoderConfig(hidden_size=16, image_size=16, patch_size=4)
    masks = SamMaskDecoderConfig(
        hidden_size=16,
        mlp_dim=24,
        num_attention_heads=2,
        iou_head_hidden_dim=10,
        layer_norm_eps=1e-5,
    )
    config = SamConfig(
        vision_config=vision, prompt_encoder_config=prompts, mask_decoder_config=masks
    )
    config._attn_implementation = "sdpa"  # the eager one has a softmax in float32
    theirs = disturbed(SamModel(config))
    with torch.no_grad():  # they begin half a width wide, too wild for a comparison to 1e-10
        theirs.shared_image_embedding.positional_embedding.normal_()
    return theirs


def copy(theirs):
    ours = SAM(SAMConfig(**SMALL)).double().eval()
    SAM.reference.copy(ours, theirs.state_dict(), "the reference")
    return ours


def prompts(n_clicks=1):
    images = torch.randn(2, 1, 16, 16, dtype=torch.float64)
    clicks = torch.randint(16, (2, 3, n_clicks, 2)).double()
    labels = torch.randint(2, (2, 3, n_clicks))
    labels[0, 0, 0], labels[0, 1, 0] = 0, 1
    return images, clicks, labels


@pytest.mark.parametrize("n_clicks", [1, 2])
@pytest.mark.parametrize("part", [0, 1])
def test_it_is_the_reference_forward_and_gradient(n_clicks, part):
    theirs = reference()
    ours = copy(theirs)
    images, clicks, labels = prompts(n_clicks)
    output = theirs(
        images, input_points=clicks, input_labels=labels, multimask_output=n_clicks == 1
    )
    expected = (output.pred_masks, output.iou_scores)[part]
    found = ours(images, clicks, labels)[part]
    assert found.shape[2] == (3 if n_clicks == 1 else 1)
    assert_same_gradients(ours, theirs, found, expected)


def test_the_parts_are_those_of_the_reference():
    theirs = reference()
    ours = copy(theirs)
    images, clicks, labels = prompts(2)
    torch.testing.assert_close(
        ours.encode(images), theirs.get_image_embeddings(images), rtol=1e-10, atol=1e-10
    )
    sparse, dense = theirs.get_prompt_embeddings(clicks, labels)
    torch.testing.assert_close(ours.clicks(clicks, labels), sparse, rtol=1e-10, atol=1e-10)
    assert torch.equal(ours.no_mask[0], dense[0, :, 0, 0])
    torch.testing.assert_close(
        ours.clicks.places(4).mT.unflatten(-1, (4, 4))[None],
        theirs.get_image_wide_positional_embeddings(),
        rtol=1e-10,
        atol=1e-10,
    )


def test_the_losses_are_those_of_the_reference():
    logits = torch.randn(5, 6, 7, dtype=torch.float64)
    target = torch.randint(2, (5, 6, 7)).double()
    torch.testing.assert_close(
        focal_loss(logits, target).mean((-2, -1)).sum(),
        sigmoid_focal_loss(logits.flatten(1), target.flatten(1), 1),
    )
    torch.testing.assert_close(
        dice_loss(logits, target).sum(), their_dice(logits, target.flatten(1), 1)
    )


@pytest.fixture
def model():
    torch.manual_seed(1)
    return SAM(SAMConfig(**SMALL)).double().eval()


def test_an_image_is_encoded_once_for_many_clicks(model, monkeypatch):
    calls = []
    forward = model.image_encoder.forward
    monkeypatch.setattr(model.image_encoder, "forward", lambda x: (calls.append(1), forward(x))[1])
    images, clicks, labels = prompts()
    image = model.encode(images)
    for _ in range(4):
        model.decode(image, clicks, labels)
    assert len(calls) == 1
    together, _ = model(images, clicks, labels)
    assert len(calls) == 2
    alone, _ = model.decode(image, clicks[:, 1:2], labels[:, 1:2])
    torch.testing.assert_close(together[:, 1:2], alone)


def test_the_order_of_the_clicks_of_a_prompt_does_not_matter(model):
    images, clicks, labels = prompts(3)
    found, scores = model(images, clicks, labels)
    again, again_scores = model(images, clicks.flip(2), labels.flip(2))
    torch.testing.assert_close(found, again)
    torch.testing.assert_close(scores, again_scores)
    other, _ = model(images, clicks, labels.flip(2))
    assert not torch.allclose(found, other)


def gold_masks():
    gold = torch.zeros(2, 3, 16, 16, dtype=torch.bool)
    gold[..., 3:9, 4:12] = True
    return gold


def test_the_loss_asks_the_best_of_three_masks_alone(model, monkeypatch):
    gold = gold_masks()
    masks = torch.randn(2, 3, 3, 16, 16, dtype=torch.float64)
    masks[:, :, 1] = 8.0 * gold - 4.0
    masks.requires_grad_()
    scores = mask_iou(masks, gold)
    monkeypatch.setattr(model, "forward", lambda *_: (masks, scores))
    loss = model.loss(*prompts(), gold)
    best = 20 * focal_loss(masks[:, :, 1], gold.double()).mean((-2, -1))
    best = best + dice_loss(masks[:, :, 1], gold.double())
    torch.testing.assert_close(loss, best.mean())
    loss.backward()
    assert masks.grad[:, :, 1].any()
    assert not masks.grad[:, :, ::2].any()


def test_a_score_has_to_be_the_intersection_over_union(model, monkeypatch):
    gold = gold_masks()
    masks = (8.0 * gold - 4.0).double()[:, :, None].repeat(1, 1, 3, 1, 1)
    masks[:, :, 2, 3:6] = -4.0  # half of it
    iou = mask_iou(masks, gold)
    assert iou[0, 0].tolist() == [1, 1, 0.5]
    right, wrong = iou, iou + 0.5
    monkeypatch.setattr(model, "forward", lambda *_: (masks, right))
    least = model.loss(*prompts(), gold)
    monkeypatch.setattr(model, "forward", lambda *_: (masks, wrong))
    torch.testing.assert_close(model.loss(*prompts(), gold) - least, torch.tensor(0.25).double())


def test_masks_coarser_than_the_image_are_stretched():
    model = SAM(SAMConfig(**SMALL | {"patch": 8, "side": 24})).eval()
    images, clicks, labels = torch.rand(1, 1, 24, 24), torch.ones(1, 2, 1, 2), torch.ones(1, 2, 1)
    masks, _ = model(images, clicks, labels.long())
    assert masks.shape == (1, 2, 3, 12, 12)
    gold = torch.ones(1, 2, 24, 24, dtype=torch.bool)
    assert model.loss(images, clicks, labels.long(), gold).isfinite()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"clicks": [[[[16.0, 3.0]]]]}, r"the click \[16\.0, 3\.0\] is outside the image"),
        ({"clicks": [[[[2.0, -1.0]]]]}, r"the click \[2\.0, -1\.0\] is outside the image"),
        ({"clicks": [[[[2.0, float("nan")]]]]}, r"the click \[2\.0, nan\] is outside"),
        ({"labels": [[[2]]]}, "the label 2 is unknown; expected 1 .* 0"),
        ({"labels": [[[1, 1]]]}, r"labels of shape \(1, 1, 2\) .*; expected .*\(1, prompts"),
        ({"clicks": [[[[]]]]}, r"clicks of shape \(1, 1, 1, 0\)"),
    ],
)
def test_clicks_that_are_none_are_refused(changes, message):
    clicks = torch.tensor(changes.get("clicks", [[[[2.0, 3.0]]]]))
    labels = torch.tensor(changes.get("labels", [[[1]]]))
    with pytest.raises(ValueError, match=message):
        check_clicks(clicks, labels, torch.zeros(1, 32, 4, 4), 16)


def test_a_click_outside_is_refused_by_the_model(model):
    images, clicks, labels = prompts()
    with pytest.raises(ValueError, match="outside the image; expected x and y from 0 to below 16"):
        model(images, clicks + 20, labels)


@pytest.mark.parametrize("shape", [(1, 1, 16, 20), (1, 3, 16, 16), (0, 1, 16, 16)])
def test_images_of_another_size_are_refused(shape):
    with pytest.raises(ValueError, match=r"images of shape .*; expected \(batch, 1, 16, 16\)"):
        SAM(SAMConfig(**SMALL)).encode(torch.zeros(shape))


def test_an_empty_gold_mask_is_refused(model):
    gold = gold_masks()
    gold[1, 2] = False
    with pytest.raises(ValueError, match="a gold mask is empty"):
        model.loss(*prompts(), gold)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"side": 18}, "side=18 must be a multiple of patch=4"),
        ({"width": 12}, "width=12 must be a multiple of 8"),
        ({"n_masks": 0}, "n_masks=0 must be a positive integer"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        SAMConfig(**SMALL | changes)


def test_it_learns_to_cut_out_what_was_clicked():
    torch.manual_seed(0)
    model = SAM(SAMConfig(**SMALL | {"n_layers": 1}))
    made = scenes("train", 4, side=16, max_objects=1)
    gold = torch.stack(made.masks)
    inside = torch.stack([mask[0].nonzero()[0].flip(0) for mask in gold])
    clicks = inside[:, None, None].float()
    batch = made.images, clicks, torch.ones(4, 1, 1, dtype=torch.long), gold
    losses = fit(model, [batch] * 25, rate=5e-3)
    assert losses[-1] < 0.6 * losses[0]
    assert all(p.grad.isfinite().all() for p in model.parameters() if p.grad is not None)
