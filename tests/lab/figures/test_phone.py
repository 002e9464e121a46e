"""What the pictures whose point must be seen at once need on a phone: room, and legible letters."""

import io
import itertools

import pytest
import torch
from matplotlib import pyplot as plt
from PIL import Image

from annotated_transformer.lab.figures import use_book_style
from annotated_transformer.lab.figures.encoder_decoder import road_picture, three_attentions
from annotated_transformer.lab.figures.feed_forward import position_wise_picture
from annotated_transformer.lab.figures.masks import mask_panels
from annotated_transformer.lab.figures.transformer import ladder_picture, norm_order_picture
from annotated_transformer.masks import causal_mask
from pictures import PHONE, READABLE

ENGLISH, KOREAN = ["▁I", "▁am", "▁a", "▁student", "</s>"], ["<s>", "▁나는", "▁학생", "이다"]


def masks():
    pads = ["<pad>"] * 2
    words = {"encoder": ENGLISH + pads, "encoder, by rows": ENGLISH + pads}
    words |= {"decoder": KOREAN + pads, "decoder, by rows": pads + KOREAN}
    mask_panels({name: causal_mask(len(side)) for name, side in words.items()}, words)


def three():
    count = len(ENGLISH + KOREAN)
    three_attentions(causal_mask(count), torch.zeros(count, count), ENGLISH, KOREAN)


def road():
    words = ["The", "goat", "did", "not", "climb", "the", "mountain", "because", "it", "was"]
    words += ["too", "lazy"]
    road_picture(words, "그 염소가", adjective=11, carriers=[8], noun=(0, 1))


def position_wise():
    words = ["책 (object)", "사과 (object)", "책 (subject)", "사과 (subject)"]
    sides = [("x", ["obj", "subj", "cons", "vow"]), ("$x W_1 + b_1$", ["unit 1", "2", "3", "4"])]
    sides.append(("output", ["을", "를", "이", "가"]))
    numbers = torch.eye(4) - torch.eye(4).flip(0)
    position_wise_picture(words, [(*side, numbers) for side in sides])


def ladder():
    parts = ("source_embedding", "source_positions", "encoder")
    trace = [(part, torch.zeros(1, 5, 8)) for part in parts]
    parts = ("target_embedding", "target_positions", "decoder")
    trace += [(part, torch.zeros(1, 3, 8)) for part in parts]
    trace.append(("output", torch.zeros(1, 3, 10)))
    words = ["I", "am", "a", "student", "<eos>"], ["<bos>", "나는", "학생이다"]
    ladder_picture(trace, *words)


def drawn_texts(axes):
    """The words of a panel, those of its axes too where it has any."""
    texts = [axes.title, *axes.texts]
    if axes.axison:
        texts += [axes.xaxis.label, axes.yaxis.label]
        texts += axes.get_xticklabels() + axes.get_yticklabels()
    return [text for text in texts if text.get_text().strip()]


@pytest.mark.parametrize("draw", [masks, three, road, position_wise, ladder, norm_order_picture])
def test_a_picture_fits_a_phone_and_its_words_are_legible_and_apart(draw):
    use_book_style()
    draw()
    figure = plt.gcf()
    stored = io.BytesIO()
    figure.savefig(stored, bbox_inches="tight")  # as a notebook stores it, with a margin
    with Image.open(stored) as image:
        assert READABLE * image.width <= PHONE  # a wider one would scroll
    figure.canvas.draw()
    edge, boxes = figure.bbox, {}
    for text in (text for axes in figure.axes for text in drawn_texts(axes)):
        assert text.get_fontsize() >= 8.5, text
        box = text.get_window_extent()
        assert edge.x0 - 1 <= box.x0 <= box.x1 <= edge.x1 + 1, text
        assert edge.y0 - 1 <= box.y0 <= box.y1 <= edge.y1 + 1, text
        # A line's height has room above and below its letters, and rows may share that.
        boxes[text] = box.padded(0, -0.25 * box.height) if box.width > box.height else box
    for (one, first), (other, second) in itertools.combinations(boxes.items(), 2):
        assert not first.overlaps(second), (one, other)
