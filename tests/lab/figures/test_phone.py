"""What the pictures whose point must be seen at once need on a phone: room, and legible letters."""

import io
import itertools

import pytest
import torch
from matplotlib import pyplot as plt
from PIL import Image

from annotated_transformer import Translator
from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.analysis.subwords import learn_merges
from annotated_transformer.lab.analysis.table3 import Difference
from annotated_transformer.lab.corpora.scenes import scenes
from annotated_transformer.lab.corpora.treebank import parse_trees
from annotated_transformer.lab.figures import use_book_style
from annotated_transformer.lab.figures.ablations import signs_picture
from annotated_transformer.lab.figures.detection_and_prompts import (
    Clicked,
    Slot,
    looks_picture,
    masks_picture,
    slots_picture,
)
from annotated_transformer.lab.figures.diffusion import images_picture, walks_picture
from annotated_transformer.lab.figures.embeddings import lookup_picture, merges_picture
from annotated_transformer.lab.figures.encoder_decoder import road_picture, three_attentions
from annotated_transformer.lab.figures.feed_forward import position_wise_picture
from annotated_transformer.lab.figures.language_models import Question, questions_picture
from annotated_transformer.lab.figures.layer_normalization import averaged_picture, circle_picture
from annotated_transformer.lab.figures.long_sentences import Line, lines_picture, ways_picture
from annotated_transformer.lab.figures.masks import mask_panels
from annotated_transformer.lab.figures.multi_head_attention import (
    residual_stream_picture,
    split_diagram,
)
from annotated_transformer.lab.figures.parsing import (
    curve_picture,
    mirrored_picture,
    shares_picture,
    table_picture,
    trees_picture,
)
from annotated_transformer.lab.figures.positional_encoding import encoding_picture
from annotated_transformer.lab.figures.reading_attention import two_answers_picture
from annotated_transformer.lab.figures.text_to_text import Exercise, exercises_picture
from annotated_transformer.lab.figures.training import batch_picture
from annotated_transformer.lab.figures.transformer import ladder_picture, norm_order_picture
from annotated_transformer.lab.figures.vision import (
    Sight,
    patches_picture,
    scenes_picture,
    windows_picture,
)
from annotated_transformer.lab.figures.why_attention import context_picture
from annotated_transformer.masks import causal_mask
from annotated_transformer.training.batching import collate
from annotated_transformer.training.data import encode
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


def signs():
    rows = ["A: n_heads=32", "C: d_model=1024", "D: label_smoothing=0.2", "E: positions=learned"]
    signs_picture(
        [Difference(row, 0.3, (-0.2, 0.2, 0.3), 0.1) for row in rows], "loss minus base's (nats)"
    )


def slots():
    boxes = torch.tensor([[0.3, 0.3, 0.2, 0.3], [0.7, 0.7, 0.2, 0.3]])
    answers = [Slot("no object", None, None), Slot("9 (98 %)", boxes[0], 0)]
    slots_picture(torch.zeros(8, 8), boxes, [*answers, *answers])


def looks():
    looks_picture(
        9, (4, 4), [(title, torch.ones(3, 2)) for title in ("attention", "deformable attention")]
    )


def clicked():
    titles = [f"score {score}" for score in (0.67, 0.11, 0.68)]
    row = Clicked(torch.zeros(16, 16), (3, 3), torch.ones(3, 16, 16).bool(), titles)
    masks_picture([row, row, row])


def forward():
    images_picture([torch.zeros(7, 8, 8)] * 3, list("026"), ["image", "10", *map(str, range(5))])


def drawn():
    titles = ["real", "w = 1", "w = 1", "w = 3", "w = 3", "nearest"]
    images_picture([torch.zeros(6, 8, 8)] * 10, list("0123456789"), titles)


def walks():
    walks_picture(torch.tensor([[-2.0, 1.0], [2.0, -1.0]]))


def parse(noun):
    the_noun = f"(PP (IN with) (NP (DT the) (NN {noun})))"
    text = f"(S (NP (PRP he)) (VP (VBD saw) (NP (NP (DT the) (NN man)) {the_noun})))"
    (tree,) = parse_trees(text)
    return tree


def trees():
    nouns = {"telescope": "the telescope belongs to the seeing", "scarf": "the scarf"}
    trees_picture({title: parse(noun) for noun, title in nouns.items()})


def mirrored():
    pairs = {noun: (parse(noun), parse(noun)) for noun in ("telescope", "scarf")}
    mirrored_picture(pairs, sides=("network", "true grammar"))


def cells():
    words = ["girls", "saw", "birds", "with", "hats"]
    ends = [(i, j) for i in range(5) for j in range(i + 1, 6)]
    table_picture(words, {span: ["*VP 0.0096", "VP 0.0048"] for span in ends})


def curve():
    runs = {200: [46, 50], 1_000: [80], 5_700: [91], 20_000: [93]}
    curve_picture(
        {"Transformer": runs, "labels only": runs},
        {"true grammar": 99, "right-branching": 27},
        unit="F1",
    )


def shares():
    runs = {"labels only, 20,000": [35], "Transformer, 20,000": [52, 61], "true grammar": [100]}
    kinds = {"belongs to a noun": runs, "belongs to the verb": runs}
    shares_picture(kinds, unit="attached rightly, %")


def exercises():
    words = ["The", "dog", "crossed", "the", "wide", "street"]
    masked = ["The", "dog", "crossed", "<mask>", "wide", "<mask>"]
    exercises_picture([Exercise("Masking", masked, words, ["<mask>"])] * 3)


def questions():
    words = ["<s>", "The", "<mask>", "saw", "cats", "</s>"]
    found = ["original", "original", "replaced", "original", "original", "original"]
    questions_picture([Question("ELECTRA", words, found, 2, range(6))] * 3)


def context():
    words = ["그", "개가", "그", "노인을", "물었다"]
    context_picture(["The", "dog", "bit", "the", "old", "man"], words, looking=3)


def batch():
    tokenizer = Translator.load("english_korean").tokenizer
    three = [SentencePair("She entered the house", "그녀는 집에 들어갔다")] * 3
    batch_picture(collate([*encode(three, tokenizer, origin="test")]), tokenizer)


def patches():
    patches_picture(torch.zeros(8, 8), 2)


def windows():
    seen = torch.ones(8, 8) > 0
    titles = [f"{names}\n64 of 64, mean 64" for names in ("W, W", "W, SW", "W, SW, W, SW")]
    windows_picture([Sight(title, seen, (1, 3), 4, 2) for title in titles])


def scenery():
    scenes_picture(scenes("test", 1, side=24, seed=3), scenes("test", 1, side=48, seed=1))


def lookup():
    lookup_picture("나는 학생이다", ["▁나는", "▁학생", "이다"], [325, 1142, 310], torch.ones(3, 12))


def merged():
    lines = ["학생은 학생이다", "나는 학생을 본다", "너는 학생과 선생님을 본다"]
    lines += ["선생님은 학생이 아니다", "나는 선생님이다"]
    merges_picture(["학생은", "학생이다", "선생님은", "나는"], list(learn_merges(lines, 10)))


def circled():
    x = torch.tensor([1.0, 0.2, -0.6])
    circle_picture(torch.stack([x, 2 * x, -x]), ["x,  x + 10", "2x", ""])


def averaged():
    averaged_picture([["I", "am", "a", "student"], ["We", "sang"]], d_model=6)


def measured():
    names = ["explicit", "explicit, kept", "feed-forward", "window"]
    lines = [Line(name, [2**n for n in range(6, 15)], range(1, 10), "key") for name in names]
    panels = {"time of a token": lines, "memory of the process": lines}
    lines_picture(panels, x="tokens", y=["microseconds", "MiB"], log=("x", "y"))


def recalled():
    names = ["softmax 32", "linear 32", "linear 8", "linear 2", "bound for 2"]
    lines = [Line(name, [2**n for n in range(2, 9)], range(7), "key") for name in names]
    lines_picture({"right answers": lines}, x="pairs in the text", y=["%"])


def split():
    split_diagram(MultiHeadAttention(8, 2), torch.ones(5, 8))


def encoded():
    encoding_picture(length=60, d_model=64)


def two_answers():
    words = ["The", "mountain", "because", "<eos>"]
    looks, rests = [0.8, 0.2, 0.0, 0.0], [8.7, 0.0, 10.7, -0.1]
    two_answers_picture(words, ("weight", looks), ("nats lost without it", rests))


BOXED = [exercises, questions, context, batch]
PICTURES = [
    *(signs, slots, looks, clicked, forward, drawn, walks, trees, mirrored, cells, curve, shares),
    *(masks, three, road, position_wise, ladder, norm_order_picture),
    *(lookup, merged, circled, averaged, ways_picture, measured, recalled, split),
    *(residual_stream_picture, encoded, two_answers),
    *(*BOXED, patches, windows, scenery),
]


def drawn_texts(axes):
    """The words of a panel, those of its axes too where it has any."""
    texts = [axes.title, *axes.texts]
    if axes.axison:
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            ticks = [tick for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
            # Panels that share an axis hide the numbers of all but one.
            labels = [tick.label1 for tick in ticks if tick.label1.get_visible()]
            texts += [axis.label, *labels]
    return [text for text in texts if text.get_text().strip()]


@pytest.mark.parametrize("draw", PICTURES)
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


@pytest.mark.parametrize("draw", BOXED)
def test_a_word_stays_in_its_box(draw):
    use_book_style()
    draw()
    figure = plt.gcf()
    figure.canvas.draw()
    for axes in figure.axes:
        boxes = [patch.get_window_extent() for patch in axes.patches]
        for text in (text for text in axes.texts if text.get_text()):
            word = text.get_window_extent()
            around = [box for box in boxes if box.contains(*word.get_points().mean(0))]
            assert all(box.x0 < word.x0 and word.x1 < box.x1 for box in around), text
            assert around, text
