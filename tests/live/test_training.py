"""Figure *Train and translate* shows the record: its texts, marks and numbers, moment by moment."""

import random
from contextlib import contextmanager
from itertools import pairwise

import pytest
from numpy import interp

from annotated_transformer.lab.corpora.english_korean import SPLITS, english_korean
from annotated_transformer.lab.records import record
from live_page import write_page
from live_records import record_script

MADE = record("translations_in_training")
SEED = MADE["seed"][0]
ROWS = MADE.entries("rows", seed=SEED)
CURVE = MADE.entries("curve", seed=SEED)
EXACT = MADE.scores("exact_match", seed=SEED)
SENTENCES = MADE["sentences"]
LONGEST = 40  # letters that the figure shows
LINES = """() => [...document.querySelectorAll('.training-line')].map((line) => ({
    source: line.querySelector('.training-source').textContent,
    words: [...line.querySelectorAll('.training-target > *')].map((word) => word.textContent),
    marked: [...line.querySelectorAll('ins')].map((word) => word.textContent),
    said: line.children[1].textContent,
}))"""
PATHS = """() => [...document.querySelectorAll('.training-picture path')].map((path) =>
    path.getAttribute('d').slice(1).split('L').map((point) => point.split(' ').map(Number)))"""


def test_what_the_chapter_says_is_in_the_record():
    """Of all three runs, unless it names the first."""
    runs = [MADE.entries("rows", seed=seed) for seed in MADE["seed"]]
    assert (len(runs), {len(run) for run in runs}) == (3, {32})
    [late] = zip(*([row for row in run if row["step"] == 200] for run in runs), strict=True)
    assert all(row["ending"] > 95 for row in late)
    assert all(value < 4 for value in MADE.scores("exact_match", step=200))
    assert {pair.target[-1] for s in SPLITS for pair in english_korean(s)} == {"다"}
    for run in runs:
        assert all(row["found"][0] > row["found"][-1] for row in run if row["step"] > 100)
        assert run[-1]["translations"][5].split()[-2] == "바나를"
    assert sum(row["other_order"] for run in runs for row in run) == 3
    right = sum(3 * value for value in MADE.scores("exact_match"))  # of 300 sentences each
    assert round(right + 3, -2) == 12_300
    assert runs[2][0]["ending"] == 81.7
    assert SENTENCES[1]["source"] == "You play the guitar"
    right = [row["translations"][1] == SENTENCES[1]["target"] for row in ROWS]
    assert sum(before and not after for before, after in pairwise(right)) == 2
    assert "바나나를" in SENTENCES[5]["target"]
    assert [row["translations"] for row in ROWS][-1][5] != SENTENCES[5]["target"]


def test_the_weights_of_a_moment_have_the_loss_that_the_run_had_then():
    rows = {(row["seed"], row["step"]): row for row in MADE.entries("rows", averaged=1)}
    logged = [entry for entry in MADE["curve"] if "valid_loss" in entry]
    assert len(logged) == 3 * 18
    for entry in logged:
        row = rows[entry["seed"], entry["step"]]
        assert row["valid_loss"] == round(entry["valid_loss"], 4)
        assert row["valid_accuracy"] == round(entry["valid_accuracy"], 4)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    return write_page(tmp_path_factory.mktemp("training"), "training").as_uri()


@contextmanager
def opened(browser, address):
    page = browser.new_page(reduced_motion="reduce")  # it does not begin by itself
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(address)
    yield page
    assert errors == []
    page.close()


@pytest.fixture
def page(tab, address):
    tab.emulate_media(reduced_motion="reduce")  # it does not begin by itself
    tab.goto(address)
    return tab


@pytest.fixture(scope="module")
def moments(browser, address):
    """A page for tests that slide to one moment after the other."""
    with opened(browser, address) as page:
        yield page


def slide(page, place):
    page.get_by_role("slider").fill(str(place))


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def name(row):
    if not row["step"]:
        return "before the first update"
    mean = ", the mean of the last 5 checkpoints" if row["averaged"] > 1 else ""
    return f"after {row['step']:,} updates{mean}"


def in_common(a, b):
    """The most words that two texts have in the same order, by trying every way."""
    if not a or not b:
        return 0
    if a[0] == b[0]:
        return 1 + in_common(a[1:], b[1:])
    return max(in_common(a[1:], b), in_common(a, b[1:]))


def cut(text):
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def is_subsequence(part, whole):
    rest = iter(whole)
    return all(word in rest for word in part)


@pytest.mark.parametrize("place", range(len(ROWS)))
def test_each_moment_shows_the_texts_of_the_record_and_marks_what_is_wrong(moments, place):
    slide(moments, place)
    row, right = ROWS[place], 0
    assert f"The weights {name(row)}" in moments.locator(".training-head").inner_text()
    for line, sentence, text in zip(
        moments.evaluate(LINES), SENTENCES, row["translations"], strict=True
    ):
        target = sentence["target"].split()
        assert line["source"] == sentence["source"]
        assert line["words"] == cut(text).split()
        common = in_common(cut(text).split(), target)
        assert len(line["words"]) - len(line["marked"]) == common
        assert is_subsequence(line["marked"], line["words"])
        equal = text == sentence["target"]
        right += equal
        assert line["said"] == ("✓ right" if equal else f"{common} of {len(target)} words right")
        assert (line["marked"] == [] and common == len(target)) == equal
    shown = moments.locator("live-training").inner_text()
    assert f"Right: {right} of these 8" in shown
    empty = [text for text in row["translations"] if not text.strip()]
    assert shown.count("the model ends at once") == len(empty)


@pytest.mark.parametrize("place", [*random.Random(1).sample(range(len(ROWS)), 5), 0, -1])
def test_the_numbers_are_those_of_the_record(moments, place):
    place %= len(ROWS)
    slide(moments, place)
    row = ROWS[place]
    rates = {entry["step"]: f"Learning rate: {entry['learning_rate']:.5f}." for entry in CURVE}
    assert moments.locator(".training-numbers li").all_text_contents() == [
        f"Validation loss: {row['valid_loss']:.2f} nats for each token; "
        f"given the correct beginning, {100 * row['valid_accuracy']:.0f} % of the next tokens are "
        "guessed.",
        f"Of 300 validation sentences {3 * EXACT[place]:.0f} are right. Of the frequent words "
        f"that should appear, {row['found'][0]:.1f} % appear; of the rare ones, "
        f"{row['found'][-1]:.1f} %.",
        rates.get(row["step"], "No update was made yet."),
    ]


def test_the_curves_are_those_of_the_record_and_the_dots_lie_on_them(page):
    single = [i for i, row in enumerate(ROWS) if row["averaged"] == 1]
    moments = [ROWS[i] for i in single]
    # A moment is as wide as the other; what was logged between two of them lies between.
    every = [row["step"] for row in ROWS]
    logged = interp([e["step"] for e in CURVE], every[:-1], range(len(every) - 1)).tolist()
    steps = [*range(len(moments))]
    training, loss, frequent, rare, right, rate = page.evaluate(PATHS)
    for points, at, values in [
        (training, logged, [e["loss"] for e in CURVE]),
        (loss, steps, [row["valid_loss"] for row in moments]),
        (frequent, steps, [row["found"][0] for row in moments]),
        (rare, steps, [row["found"][-1] for row in moments]),
        (right, steps, [EXACT[i] for i in single]),
        (rate, [0, *logged], [0, *(e["learning_rate"] for e in CURVE)]),
    ]:
        x, y = zip(*points, strict=True)
        for drawn, wanted, error in ((x, at, 0.06), (y, values, 0.06)):
            low, high = min(wanted), max(wanted)
            first, last = drawn[wanted.index(low)], drawn[wanted.index(high)]
            line = [first + (last - first) * (v - low) / (high - low) for v in wanted]
            assert drawn == pytest.approx(line, abs=2 * error)
    # Three curves in percent, from the axis up to the label.
    label = page.get_by_text("100 %", exact=True).evaluate(
        "(text) => Number(text.getAttribute('y'))"
    )
    bottom = page.locator(".training-axis").nth(1).evaluate("(l) => Number(l.getAttribute('y1'))")
    percent = (bottom - label - 6) / 100  # the label's line of writing lies above its curve
    for points, values in [
        (frequent, [row["found"][0] for row in moments]),
        (rare, [row["found"][-1] for row in moments]),
        (right, [EXACT[i] for i in single]),
    ]:
        for (_, y), value in zip(points, values, strict=True):
            assert y == pytest.approx(bottom - percent * value, abs=0.1)
    for place in (0, 7, 20):
        slide(page, place)
        dots = page.evaluate(
            "() => [...document.querySelectorAll('live-training circle')].map((dot) =>"
            " ['cx', 'cy'].map((key) => Number(dot.getAttribute(key))))"
        )
        ends = [rate[1 + logged.index(steps[place])] if steps[place] else rate[0]]
        for dot, point in zip(dots, [loss[place], right[place], *ends], strict=True):
            assert dot == pytest.approx(point, abs=0.06)


def test_the_chosen_sentence_is_glossed_below_its_line(page):
    for i, (sentence, text) in enumerate(zip(SENTENCES, ROWS[7]["translations"], strict=True)):
        slide(page, 7)
        page.locator(".training-line").nth(i).click()
        gloss = page.locator(f".training-line:nth-of-type({i + 1}) + .training-gloss")
        words = gloss.locator("[lang=ko]").all_inner_texts()
        assert words == sentence["target"].split()
        english = [word.strip() for word in gloss.locator("[lang=en]").all_inner_texts()]
        assert english == sentence["gloss"]
        missing = gloss.locator(".training-gone [lang=ko]").all_inner_texts()
        assert len(words) - len(missing) == in_common(cut(text).split(), words)
    assert page.locator("[aria-pressed=true]").count() == 1


def test_the_keyboard_alone_reaches_every_moment_and_every_sentence(page):
    for _ in range(2):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    pressed = page.locator("[aria-pressed=true] .training-source")
    assert pressed.inner_text() == SENTENCES[1]["source"]
    for _ in range(len(SENTENCES) - 2 + 4):  # the other sentences, and the three buttons that play
        page.keyboard.press("Tab")
    slider = page.get_by_role("slider")
    assert slider.evaluate("(slider) => slider === document.activeElement")
    page.keyboard.press("Home")
    assert slider.get_attribute("aria-valuetext") == (
        "before the first update: 0 of 8 sentences right"
    )
    for row in ROWS[1:]:
        page.keyboard.press("ArrowRight")
        assert slider.get_attribute("aria-valuetext").startswith(f"{name(row)}: ")


def test_it_plays_to_the_end_can_be_paused_and_begins_again(browser, address):
    page = browser.new_page()
    page.clock.install()
    page.goto(address)
    page.clock.pause_at("2100-01-01")  # from here time goes on only as it is told
    slider = page.get_by_role("slider")
    slide(page, 3)
    button(page, "Play").click()
    page.clock.run_for(2_000)
    assert slider.input_value() == "5"
    button(page, "Pause").click()
    page.clock.run_for(5_000)
    assert slider.input_value() == "5"
    button(page, "Play").click()
    page.clock.run_for(60_000)
    assert slider.input_value() == str(len(ROWS) - 1)
    button(page, "Play").click()
    assert slider.input_value() == "0"
    page.clock.run_for(1_000)
    slider.press("ArrowRight")  # a hand on the slider stops it
    page.clock.run_for(5_000)
    assert slider.input_value() == "2"
    page.close()


def test_a_screen_reader_hears_the_chosen_sentence_when_the_slider_rests(browser, address):
    page = browser.new_page()
    page.clock.install()
    page.goto(address)
    page.clock.pause_at("2100-01-01")
    spoken = page.locator("live-training [aria-live]")
    page.locator(".training-line").nth(2).click()  # the first touch, which draws the figure again
    for place in (7, 8, 9):
        slide(page, place)
        page.clock.run_for(400)
    assert spoken.text_content() == ""
    page.clock.run_for(400)
    assert spoken.text_content() == ROWS[9]["translations"][2] != ""
    page.close()


def test_a_word_too_many_is_wrong(browser, address):
    page = browser.new_page()
    target = SENTENCES[1]["target"]
    script = record_script("translations_in_training").replace(target, f"{target} 더")
    script = script.replace(f"{target} 더", target, 1)  # the right one stays
    page.route("**/records/*.js", lambda route: route.fulfill(body=script))
    page.goto(address)
    slide(page, len(ROWS) - 1)
    line = page.evaluate(LINES)[1]
    assert (line["marked"], line["said"]) == (["더"], "3 of 3 words right")
    page.close()


def test_where_motion_is_reduced_it_plays_more_slowly(browser, address):
    page = browser.new_page(reduced_motion="reduce")
    page.clock.install()
    page.goto(address)
    page.clock.pause_at("2100-01-01")
    slider = page.get_by_role("slider")
    slide(page, 3)
    button(page, "Play").click()
    page.clock.run_for(1_000)
    assert slider.input_value() == "3"
    page.clock.run_for(200)
    assert slider.input_value() == "4"
    page.close()


def test_the_slider_lies_over_the_curves(page):
    """Where one points at a moment, there is its place."""
    picture = page.locator(".training-picture").bounding_box()
    for place in (0, 12, len(ROWS) - 1):
        at = 8 + (picture["width"] - 16) * place / (len(ROWS) - 1)
        page.mouse.click(picture["x"] + at, picture["y"] + picture["height"] / 2)
        assert page.get_by_role("slider").input_value() == str(place)
        line = page.locator(".training-now").evaluate("(line) => line.x1.baseVal.value")
        assert line == pytest.approx(at, abs=0.5)


# The words of the picture through which a curve runs; the line of the moment may cross them.
CROSSED = """(picture) => {
    const along = (curve) => Array.from(
        {length: Math.ceil(curve.getTotalLength())}, (_, n) => curve.getPointAtLength(n));
    const points = [...picture.querySelectorAll('.training-curve')].flatMap(along);
    return [...picture.querySelectorAll('text')].filter((text) => {
        const {x, y, width, height} = text.getBBox();
        return points.some((point) => point.x > x && point.x < x + width
            && point.y > y + 3 && point.y < y + height - 3);
    }).map((text) => text.textContent);
}"""


@pytest.mark.parametrize("width", [1280, 900, 390])
def test_no_curve_runs_through_a_word(page, width):
    page.set_viewport_size({"width": width, "height": 900})
    for place in (0, 1, 3, 7, 12, len(ROWS) // 2, len(ROWS) - 2, len(ROWS) - 1):
        slide(page, place)
        assert page.locator(".training-picture").evaluate(CROSSED) == [], place
    page.set_viewport_size({"width": 1280, "height": 720})


def test_without_its_record_the_picture_stays(browser, address):
    page = browser.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.route("**/records/*.js", lambda route: route.abort())
    page.goto(address)
    assert errors == []
    assert page.locator("live-training img").is_visible()
    assert page.get_by_role("slider").count() == 0
    page.close()
