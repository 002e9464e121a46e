"""The live figure *Decoding* against a search by hand over the whole vocabulary, in PyTorch."""

import re

import pytest
import torch
from live_weights import read_folder, translator_of

from annotated_transformer.decoding.hypotheses import length_penalty
from live_page import write_page

FIGURE = "document.querySelector('live-decoding')"
SHOWN = f"""() => {{
    const {{steps, text}} = {FIGURE};
    return {{steps, text}};
}}"""
EOS = "</s>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("live")
    write_page(folder, "decoding")
    return folder


@pytest.fixture(scope="module")
def translator(folder):
    _, tensors = read_folder(folder / "_static" / "live" / "weights")
    translator = translator_of(tensors)
    translator.model.double()
    return translator


@pytest.fixture
def page(tab, folder):
    tab.goto((folder / "page.html").as_uri())
    return tab


def drawn(page, sentence, size, alpha):
    """Ask the figure for a search, and return what it shows when it has ended."""
    page.get_by_label("English", exact=True).fill(sentence)
    page.get_by_label("Beam size").select_option(str(size))
    page.get_by_label("Length penalty").select_option(f"{alpha:g}")
    page.wait_for_function(f"{FIGURE}.dataset.drawn && !{FIGURE}.ariaBusy")
    return page.evaluate(SHOWN)


def continuations(translator, sentence, beginnings):
    """All continuations of all beginnings as (sum, beginning, piece), best first."""
    source = torch.tensor([translator.tokenizer.source_ids(sentence)])
    memory = translator.model.encode(source)
    pieces, every = translator.tokenizer.vocabulary(), []
    for rank, (ids, total) in enumerate(beginnings):
        target = torch.tensor([[1, *ids]])
        logits = translator.model.decode(target, memory, source)[0, -1]
        log_p = logits.log_softmax(-1)
        log_p[[0, 1]] = -torch.inf  # neither padding nor a second beginning
        every += [(total + p, rank, pieces[i]) for i, p in enumerate(log_p.tolist())]
    return sorted(every, key=lambda found: -found[0])


@pytest.mark.parametrize(("size", "alpha"), [(1, 0.0), (3, 0.0), (4, 0.6), (2, 2.0)])
@pytest.mark.parametrize(
    "sentence", ["You do not wrtie the letter to the children", "Anna bought three books"]
)
def test_every_step_is_the_best_of_all_continuations(page, translator, sentence, size, alpha):
    shown = drawn(page, sentence, size, alpha)
    id_of = {piece: i for i, piece in enumerate(translator.tokenizer.vocabulary())}
    beginnings, ended = [([], 0.0)], []
    with torch.no_grad():
        for step in shown["steps"]:
            every = continuations(translator, sentence, beginnings)
            for row, (total, rank, piece) in zip(step["rows"], every, strict=False):
                assert (row["token"], row["total"]) == (piece, pytest.approx(total, abs=1e-3))
                assert row["from"] == pytest.approx(beginnings[rank][1], abs=1e-3)
            growing = [found for found in every if found[2] != EOS][:size]
            kept = [(k["total"], k["parent"], k["token"]) for k in step["kept"]]
            assert [k[1:] for k in kept] == [found[1:] for found in growing[: len(kept)]]
            for total, rank, piece in every[:size]:
                if piece == EOS:
                    ids = beginnings[rank][0]
                    score = total / length_penalty(len(ids) + 1, alpha)
                    ended.append((score, translator.tokenizer.decode(ids)))
            beginnings = [([*beginnings[rank][0], id_of[t]], total) for total, rank, t in kept]
    ended.sort(reverse=True)
    finished = shown["steps"][-1]["finished"]
    assert [one["text"] for one in finished] == [text for _, text in ended]
    assert [one["score"] for one in finished] == pytest.approx([s for s, _ in ended], abs=1e-3)
    assert shown["text"] == ended[0][1]
    # Nothing that was given up could still have won.
    best = ended[0][0]
    limit = length_penalty(len(translator.tokenizer.source_ids(sentence)) + 50, alpha)
    for row in shown["steps"][-1]["rows"]:
        if row["fate"] == "hopeless":
            assert row["total"] / limit <= best


def test_what_is_shown_at_rest_is_what_the_model_finds(page):
    rest = page.evaluate(SHOWN)
    own = drawn(page, "You do not wrtie the letter to the children", 4, 0.6)
    near = {"abs": 0.0051}
    assert rest["text"] == own["text"]
    assert len(rest["steps"]) == len(own["steps"])
    for stored, found in zip(rest["steps"], own["steps"], strict=True):
        for field in ("token", "parent"):
            assert [k[field] for k in stored["kept"]] == [k[field] for k in found["kept"]]
        totals = [k["total"] for k in stored["kept"]]
        assert totals == pytest.approx([k["total"] for k in found["kept"]], **near)
    last, found = rest["steps"][-1], own["steps"][-1]
    for stored, row in zip(last["rows"], found["rows"], strict=True):
        assert {k: stored[k] for k in ("before", "token", "fate")}.items() <= row.items()
        assert stored["total"] == pytest.approx(row["total"], **near)
    for stored, one in zip(last["finished"], found["finished"], strict=True):
        assert (stored["text"], stored["path"]) == (one["text"], one["path"])
        assert stored["score"] == pytest.approx(one["score"], **near)


def test_one_walks_through_the_steps_with_the_keyboard(page):
    shown = drawn(page, "Anna bought three books", 3, 0.6)
    step = page.get_by_role("slider", name="Step", exact=True)
    places = page.locator(".decoding-place:not(.decoding-later)")
    step.focus()
    page.keyboard.press("Home")
    heading = page.locator(".decoding-table summary")
    assert heading.inner_text().startswith("Step 1:")
    assert places.count() == 1 + len(shown["steps"][0]["kept"])
    page.keyboard.press("ArrowRight")
    assert heading.inner_text().startswith("Step 2:")
    kept = ", ".join(one["token"] for one in shown["steps"][1]["kept"])
    assert page.locator("[aria-live=polite]").inner_text() == f"Step 2 keeps {kept}. 0 finished."
    assert step.get_attribute("aria-valuetext") == f"2 of {len(shown['steps'])}"
    n_boxes = 1 + sum(len(one["kept"]) for one in shown["steps"][:2])
    assert places.count() == n_boxes


BAD = {
    "": "Write an English sentence, or choose one of the examples.",
    "cat " * 2000: "This text has 2,000 words, and the model reads at most 127 tokens",
    "a▁b": "The model cannot read this text: U+2581",
}


def test_what_cannot_be_read_is_said(page):
    for text, answer in BAD.items():
        drawn(page, "Anna bought three books", 2, 0.6)
        page.get_by_label("English", exact=True).fill(text)
        page.wait_for_function(
            f"answer => {FIGURE}.querySelector('.live-message').textContent.startsWith(answer)",
            arg=answer,
        )
        # Nothing is left of the sentence before, seen or heard.
        assert page.locator(".decoding-river").is_hidden()
        assert page.locator(".decoding-table").is_hidden()
        assert page.get_by_role("slider", name="Step").is_hidden()
        assert page.locator(".wide-out").inner_text() == ""
        assert page.locator("[aria-live=polite]").inner_text() == ""
    drawn(page, "I eat volcanoes", 2, 0.6)
    said = page.locator("live-decoding .live-message").inner_text()
    assert said.startswith("I cannot: volcanoes is not among")


def test_the_chapter_s_beams_differ(page):
    sentence = "You do not wrtie the letter to the children"
    assert "과자를" in drawn(page, sentence, 1, 0.6)["text"]
    shown = drawn(page, sentence, 4, 0.6)
    assert "편지를" in shown["text"]
    fifth = [one["token"] for one in shown["steps"][4]["kept"]]
    assert fifth.index("▁편지를") == 1


@pytest.mark.parametrize("width", [1280, 390])
def test_a_stream_is_as_wide_as_its_share_and_nothing_overlaps(page, width):
    page.set_viewport_size({"width": width, "height": 900})
    shown = drawn(page, "You do not wrtie the letter to the children", 4, 0.6)
    page.wait_for_function(
        f"{FIGURE}.querySelector('svg[role=img]').width.baseVal.value <= innerWidth"
    )
    drawn_streams = page.locator(".decoding-stream:not(.decoding-fading)").evaluate_all(
        "paths => paths.map((p) => Number(p.getAttribute('stroke-width')))"
    )
    wanted = []
    for step in shown["steps"]:
        shares = torch.tensor([one["total"] for one in step["kept"]]).softmax(0)
        wanted += [max(1, 26 * share) for share in shares.tolist()]
    assert drawn_streams == pytest.approx(wanted, abs=0.051)
    boxes = page.locator(".decoding-river text").evaluate_all(
        "texts => texts.map((t) => t.getBoundingClientRect()).map((r) =>"
        " [r.left, r.right, r.top + 4, r.bottom - 4])"
    )
    for n, (left, right, top, bottom) in enumerate(boxes):
        for other in boxes[n + 1 :]:
            apart = right <= other[0] or other[1] <= left or bottom <= other[2] or other[3] <= top
            assert apart
    violet = page.locator(".decoding-stream.decoding-best").evaluate_all(
        "paths => paths.map((p) => Number(p.dataset.rank))"
    )
    assert violet == shown["steps"][-1]["finished"][0]["path"]


def sharpest_turn(path):
    """The smallest radius of a stream, whose path is one cubic curve."""
    corners = torch.tensor([float(number) for number in re.findall(r"[\d.]+", path)]).double()
    first, second, third, last = corners.view(4, 2)
    on = torch.linspace(0, 1, 2001, dtype=torch.float64)[:, None]
    before, between, after = second - first, third - second, last - third
    speed = 3 * ((1 - on) ** 2 * before + 2 * on * (1 - on) * between + on**2 * after)
    turn = 6 * ((1 - on) * (between - before) + on * (after - between))
    bend = speed[:, 0] * turn[:, 1] - speed[:, 1] * turn[:, 0]
    return (speed.norm(dim=1) ** 3 / bend.abs().clamp_min(1e-9)).min().item()


@pytest.mark.parametrize("width", [1280, 390])
def test_no_stream_turns_so_sharply_that_it_would_tear(page, width):
    """A line is drawn whole as long as no turn is tighter than half of the widest one's width."""
    page.set_viewport_size({"width": width, "height": 900})
    drawn(page, "The police ofifcer believes that this kitchen was clean", 5, 0.6)
    paths = page.locator(".decoding-stream").evaluate_all(
        "paths => paths.map((path) => path.getAttribute('d'))"
    )
    assert min(map(sharpest_turn, paths)) >= 26 / 2


def test_on_a_phone_the_streams_run_downwards_without_a_gap(page):
    page.set_viewport_size({"width": 390, "height": 900})
    drawn(page, "Anna bought three books", 3, 0.6)
    paths = page.locator(".decoding-stream:not(.decoding-fading)").evaluate_all(
        "paths => paths.map((path) => path.getAttribute('d'))"
    )
    ways = [list(map(float, re.findall(r"[\d.]+", path))) for path in paths]
    assert all(end_y > start_y for _, start_y, *_, end_y in ways)
    ends = {(way[-2], way[-1]) for way in ways}
    first = (ways[0][0], ways[0][1])
    assert {(way[0], way[1]) for way in ways} <= ends | {first}


def test_played_it_goes_to_the_end_and_says_nothing_meanwhile(browser, folder):
    page = browser.new_page()
    page.clock.install()
    page.goto((folder / "page.html").as_uri())
    page.clock.pause_at("2100-01-01")  # from here time goes on only as it is told
    step = page.get_by_role("slider", name="Step")
    assert step.input_value() == step.get_attribute("max") == "10"
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(2_000)
    assert step.input_value() == "3"
    said = page.locator("live-decoding [aria-live=polite]")
    before = said.inner_text()
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(5_000)
    assert step.input_value() == "3"
    page.get_by_role("button", name="One step on").click()
    assert said.inner_text() != before
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(30_000)
    assert step.input_value() == "10"
    assert page.get_by_role("button", name="Pause").count() == 0
    page.close()


def test_the_last_step_of_a_long_search_is_seen(page):
    """With thirteen tokens, one of five syllables, the river fits, or it has moved on."""
    page.set_viewport_size({"width": 952, "height": 860})
    drawn(page, "The doctor met the judge who rode the camel", 4, 0.6)
    river = page.locator(".decoding-river").bounding_box()
    last = page.evaluate(
        "() => Math.max(...[...document.querySelectorAll('.decoding-end')].map("
        "(dot) => dot.getBoundingClientRect().right))"
    )
    assert last <= river["x"] + river["width"]
