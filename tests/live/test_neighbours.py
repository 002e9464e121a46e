"""Figure *Neighbours*: cosines and their order are those of PyTorch on the page's weights."""

from collections import Counter

import pytest
import torch
from live_figure import figure_fixture, open_figure
from torch.nn.functional import normalize

from annotated_transformer.lab.corpora.english_korean import english_korean

PIECES = ["▁student", "▁dog", "▁seven", "▁the", "▁나는", "를"]
FIELD = "A word, in English or Korean"
WARNING = "This piece never or hardly ever occurs in the training data"


figure = figure_fixture("neighbours")


@pytest.fixture(scope="module")
def cosines(figure):
    rows = normalize(figure.translator.model.source_embedding.weight.detach().double(), dim=-1)
    return rows @ rows.T


def write(figure, text):
    figure.element.get_by_label(FIELD).fill(text)
    figure.settle()


def nearest(figure):
    names = figure.element.locator(".neighbours-field button").all_inner_texts()
    values = figure.element.locator(".neighbours-field li > span").all_inner_texts()
    return names, [float(value.replace("\u2212", "-")) for value in values]


def check(figure, cosines, piece):
    """What is shown is what PyTorch finds; of equal numbers any order."""
    vocabulary = figure.translator.tokenizer.vocabulary()
    own = vocabulary.index(piece)
    row = cosines[own].clone()
    others = torch.cat([row[:own], row[own + 1 :]])
    row[own] = -2
    names, values = nearest(figure)
    best = row.topk(8).values
    assert values == pytest.approx(best.tolist(), abs=0.0051)
    found = torch.tensor([row[vocabulary.index(name)] for name in names])
    torch.testing.assert_close(found, best, atol=1e-6, rtol=0)
    assert len(set(names)) == 8
    assert figure.element.get_by_text(f"Nearest to {piece}", exact=True).is_visible()
    middle = others.sort(descending=True).values[len(others) // 2]
    said = figure.text(".neighbours-about")
    start = "For comparison: the median cosine with the other 2,999 rows is "
    assert said.startswith(start)
    number = said.removeprefix(start).removesuffix(".").replace("\u2212", "-")
    assert float(number) == pytest.approx(middle.item(), abs=0.0051)


def test_at_rest_it_shows_what_the_weights_say(browser, tmp_path, figure, cosines):
    fresh = open_figure(browser, tmp_path, "neighbours", [])
    resting = fresh.text(".live-stage")
    check(fresh, cosines, "▁student")
    fresh.settle()
    assert fresh.text(".live-stage") == resting
    fresh.page.close()


@pytest.mark.parametrize("piece", PIECES)
def test_the_chapters_pieces(figure, cosines, piece):
    figure.element.get_by_label("Pieces of the chapter").get_by_text(piece, exact=True).click()
    figure.settle()
    check(figure, cosines, piece)
    assert figure.element.get_by_label(FIELD).input_value() == piece
    pressed = figure.element.get_by_label("Pieces of the word").locator("[aria-pressed=true]")
    assert pressed.all_inner_texts() == [piece]


def test_neighbours_stand_as_far_from_the_middle_as_their_angle_says(figure):
    write(figure, "student")
    shares = figure.element.locator(".neighbours-field li").evaluate_all(
        "items => items.map((item) => Number(item.style.getPropertyValue('--turn')))"
    )
    angles = torch.tensor(nearest(figure)[1]).acos().rad2deg()
    assert shares == pytest.approx((angles / 90).tolist(), abs=0.01)
    assert shares == sorted(shares)


def test_a_piece_without_training_is_said_to_be_one(figure, cosines):
    """All that never occur, and of the others only such as occur ten times at most."""
    tokenizer = figure.translator.tokenizer
    words = Counter()
    for pair in english_korean("train", "large"):
        words.update(pair.source.split(" ") + pair.target.split(" "))
    counts = Counter()
    for word, number in words.items():
        for piece in tokenizer.pieces(word):
            counts[piece] += number
    vocabulary = tokenizer.vocabulary()
    like_a_byte = cosines[vocabulary.index("<0x00>"), 4:]
    order = [vocabulary[4 + place] for place in like_a_byte.argsort(descending=True)]
    first = int((like_a_byte > 0.96).sum())
    assert {piece for piece in order if not counts[piece]} < set(order[:first])
    assert max(counts[piece] for piece in order[:first]) <= 10
    assert first / len(order) == pytest.approx(0.2, abs=0.01)  # the chapter: one in five
    # The figure draws the same line: beside it, and at pieces from one end to the other.
    looked_at = [*range(0, len(order), 60), *range(first - 10, first + 10)]
    warned = figure.element.evaluate(
        """async (figure, pieces) => {
            const warned = [];
            for (const piece of pieces) {
                figure.piece = piece;
                await figure.update();
                warned.push(Boolean(figure.warning.textContent));
            }
            return warned;
        }""",
        [order[place] for place in looked_at],
    )
    assert warned == [place < first for place in looked_at]


def test_the_warning_comes_and_goes(figure):
    for text, warned in (("漢", True), ("dog", False)):
        write(figure, text)
        assert (figure.element.get_by_text(WARNING).count() == 1) == warned


@pytest.mark.parametrize(
    ("text", "pieces", "chosen"),
    [
        ("singers", ["▁sing", "ers"], "▁sing"),
        ("선생님과", ["▁선생님", "과"], "▁선생님"),
        ("▁dog", ["▁dog"], "▁dog"),
        ("를", ["▁", "를"], "를"),
        ("漢", ["▁", "<0xE6>", "<0xBC>", "<0xA2>"], "<0xE6>"),
        ("the the", ["▁the"], "▁the"),
    ],
)
def test_a_word_is_looked_up_by_its_pieces(figure, cosines, text, pieces, chosen):
    write(figure, text)
    buttons = figure.element.get_by_label("Pieces of the word").get_by_role("button")
    assert buttons.all_inner_texts() == pieces
    check(figure, cosines, chosen)
    for n, piece in enumerate(pieces):
        buttons.nth(n).click()
        figure.settle()
        check(figure, cosines, piece)
        pressed = [b.get_attribute("aria-pressed") == "true" for b in buttons.all()]
        assert pressed == [piece == other for other in pieces]


def test_one_walks_from_neighbour_to_neighbour_with_the_keyboard(figure, cosines):
    write(figure, "dog")
    for place in (0, 3, 7):
        figure.element.locator(".neighbours-field button").nth(place).focus()
        name = nearest(figure)[0][place]
        figure.page.keyboard.press("Enter")
        figure.settle()
        check(figure, cosines, name)
    write(figure, "cat")
    check(figure, cosines, "▁cat")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Write a word, or choose one of the pieces."),
        ("  ", "Write a word, or choose one of the pieces."),
        ("a▁b", "The tokenizer cannot keep this text: U+2581 at position 1 of a text: "),
        ("blorp" * 20, "This text has 100 characters: write one word."),
    ],
)
def test_bad_input_is_answered_and_a_choice_still_works(figure, cosines, text, message):
    write(figure, text)
    assert figure.message().startswith(message)
    assert figure.element.get_by_label("Pieces of the word").get_by_role("button").count() == 0
    assert figure.element.locator(".neighbours-field").is_hidden()  # it was of another word
    assert "Nearest to" not in figure.element.inner_text()
    figure.element.get_by_label("Pieces of the chapter").get_by_text("▁dog", exact=True).click()
    figure.settle()
    assert figure.message() == ""
    check(figure, cosines, "▁dog")


def test_what_the_chapter_says_of_two_pieces(figure, cosines):
    for word, first in (("seven", "7"), ("the", "▁The")):
        write(figure, word)
        assert nearest(figure)[0][0] == first
    write(figure, "seven")
    assert "맙" in nearest(figure)[0]
    write(figure, "student")
    assert "ora" in nearest(figure)[0][:4]
    figure.element.locator(".neighbours-field button", has_text="ora").first.click()
    figure.settle()
    assert nearest(figure)[0][:4] == ["▁Sora", "ihun", "ohn", "ucy"]


def test_on_a_phone_no_piece_is_broken_at_the_edge(figure):
    page = figure.page
    before = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 844})
    write(figure, "학생은")
    heights = figure.element.locator(".neighbours-field button").evaluate_all(
        "buttons => buttons.map((button) => button.offsetHeight)"
    )
    page.set_viewport_size(before)
    assert len(set(heights)) == 1
