"""The map before anybody touches it, while its weights are under way, and what it weighs."""

import json
import re

import pytest
import torch
from live_weights import (
    check_nearly_stored,
    model_of,
    read_folder,
    translator_of,
    words_as_in_python,
)

import live_trace
from live_figures import engine_of, scripts_of, style_of
from live_page import write_page
from live_trace import LEVELS, STORED
from rules import ROOT
from weight import compressed_size

LIVE = ROOT / "book" / "_static" / "live"
DRAWN = "() => document.querySelector('[data-drawn]:not([aria-busy])')"
FIGURE = "document.querySelector('live-map')"
LANGUAGES = ("en", "ko")
# What the picture is drawn from: of the stored run or of the model's own.
SHOWN = """() => {
    const {run, plan} = document.querySelector('live-map');
    const all = (rows) => rows.map((row) => [...row]);
    const vectors = {}, units = {}, weights = {};
    for (const {ends, kind, name} of plan.stages) {
        if (ends) {
            const {scale, rows} = run.vectors(ends);
            vectors[ends] = {scale, rows: all(rows)};
        }
        if (kind === 'ffn') units[name] = all(run.units(`${name}.inner`).rows);
        if (kind === 'self' || kind === 'cross') weights[name] = run.mean(name);
    }
    const {live, text, target, source, names, written, spoken, next, words} = run;
    const same = {text, target, source, names, written, spoken, words};
    return {vectors, units, weights, live, same,
        next: next.map((row) => row.map(({name, share}) => [name, share]))};
}"""


@pytest.fixture(scope="module")
def sites(tmp_path_factory):
    """A page in each language."""
    return {
        language: write_page(tmp_path_factory.mktemp(language), "map", language=language)
        for language in LANGUAGES
    }


@pytest.fixture(scope="module")
def site(sites):
    return sites["en"]


@pytest.fixture
def motionless(tab):
    """A tab in which nothing moves by itself."""
    tab.emulate_media(reduced_motion="reduce")
    tab.set_viewport_size({"width": 1280, "height": 900})
    yield tab
    tab.emulate_media(reduced_motion="null")


@pytest.fixture
def still(motionless, site):
    """The page at rest."""
    motionless.goto(site.as_uri())
    return motionless


@pytest.fixture(params=LANGUAGES)
def language(request):
    return request.param


@pytest.fixture
def resting(motionless, sites, language):
    """The page of either language at rest."""
    motionless.goto(sites[language].as_uri())
    return motionless


def test_the_stored_run_is_that_of_the_model(resting, language):
    """What is drawn at once is drawn again from the model's numbers, to the levels of a strip."""
    still = resting
    before = still.evaluate(SHOWN)
    assert (before["live"], before["same"]["text"]) == (False, STORED[language].sentence)
    still.locator("textarea").focus()
    still.wait_for_function(DRAWN)
    after = still.evaluate(SHOWN)
    assert after["live"]
    assert after["same"] == before["same"]
    for name, stored in before["vectors"].items():
        live = torch.tensor(after["vectors"][name]["rows"])
        scale = stored["scale"]
        assert scale == pytest.approx(after["vectors"][name]["scale"], rel=1e-3)
        apart = (torch.tensor(stored["rows"]) - live.clamp(-scale, scale)).abs().max()
        assert apart <= 0.51 * scale / LEVELS, name
    for name, stored in before["units"].items():
        live = torch.tensor(after["units"][name])
        most = torch.tensor(stored).max()
        apart = (torch.tensor(stored) - live.clamp(max=most)).abs().max()
        assert apart <= 0.51 * most / LEVELS, name
    for name, stored in before["weights"].items():
        assert (torch.tensor(stored) - torch.tensor(after["weights"][name])).abs().max() <= 1e-4
    for stored, live in zip(before["next"], after["next"], strict=True):
        assert [name for name, _ in stored] == [name for name, _ in live]
        assert [share for _, share in stored] == pytest.approx([s for _, s in live], abs=1e-4)


def test_the_tool_makes_what_is_stored(language):
    torch.set_num_threads(1)
    stored = STORED[language]
    check_nearly_stored(live_trace.made(stored), stored.script.read_text("utf-8"))


def test_the_weights_that_are_drawn_are_those_of_the_translator(resting, sites, language):
    weights = sites[language].parent / "_static" / "live" / "weights"
    model, sentence = model_of("map", language), STORED[language].sentence
    translator = translator_of(read_folder(weights, model)[1], model)
    shown = resting.evaluate(SHOWN)
    assert shown["same"]["target"] == translator(sentence)
    words = resting.evaluate(
        f"() => AnnotatedTransformer.map.across({FIGURE}.run, {FIGURE}.plan.last.name)"
    )
    attention = translator.attention(sentence)
    *_, found = words_as_in_python(words)
    torch.testing.assert_close(found[:, :-1], attention.weights, atol=2e-4, rtol=0)


def test_it_weighs_less_than_120_kb_without_the_weights(language):
    """With the engine that all figures share, as a server sends it, and one stored run."""
    files = [LIVE / "live.css", LIVE / style_of("map")]
    files += [LIVE / file for file in (*engine_of(language), *scripts_of("map", language))]
    assert len(files) > 20
    assert sum(map(compressed_size, files)) < 120_000
    assert [file for file in files if file.name.startswith("trace")] == [STORED[language].script]
    assert STORED[language].script.stat().st_size < 18_000  # as it is written


def test_no_part_of_it_is_long():
    for file in scripts_of("map"):
        assert len((LIVE / file).read_text("utf-8").splitlines()) <= 350, file


def test_a_hand_over_a_word_asks_for_no_weights(browser, site):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(site.as_uri())
    said = []
    for word in page.locator(".map-token.dec").all():
        word.hover()
        said.append(page.locator(".map-told strong").inner_text())
    assert all(title.startswith(("Writing “", "Here it ends")) for title in said)
    assert len(set(said)) > 4
    assert not [url for url in asked if "/weights/" in url]
    page.close()


def test_it_plays_by_itself_once_and_can_be_paused(browser, site):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.clock.install()
    page.goto(site.as_uri())
    page.wait_for_function(f"() => {FIGURE}")
    page.clock.run_for(6_000)
    page.get_by_role("button", name="Pause").click()
    time = page.evaluate(f"() => {FIGURE}.time")
    total = page.evaluate(f"() => {FIGURE}.total")
    assert 0 < time < total / 2
    page.clock.run_for(6_000)
    assert page.evaluate(f"() => {FIGURE}.time") == time
    assert total <= 30_000
    page.close()


def test_where_motion_is_not_wanted_it_stands_and_plays_in_steps(still):
    still.wait_for_timeout(3500)
    assert still.evaluate(f"() => [{FIGURE}.player.playing, {FIGURE}.done]") == [False, True]
    still.get_by_role("button", name="Play", exact=True).click()
    still.wait_for_timeout(1600)
    ends = still.evaluate(f"() => {FIGURE}.phases.map(({{from, length}}) => from + length)")
    assert still.evaluate(f"() => {FIGURE}.time") in ends


def test_the_run_is_walked_through_step_by_step(still):
    """The Korean grows token by token, and what is not yet written is not there."""
    still.get_by_role("slider", name="Place in the run").evaluate(
        "(slider) => { slider.value = 0; slider.dispatchEvent(new InputEvent('input')); }"
    )
    seen = []
    count = still.evaluate(f"() => {FIGURE}.phases.length")
    for _ in range(count):
        still.get_by_role("button", name="One step on").click()
        text = still.locator(".map-out").inner_text().strip()
        shown = still.locator(".map-output:not(.map-off)").count()
        if not seen or seen[-1] != (text, shown):
            seen.append((text, shown))
    spoken = still.evaluate(f"() => {FIGURE}.run.spoken")
    assert [text for text, _ in seen] == ["…", *spoken]
    assert [shown for _, shown in seen] == [*range(len(spoken) + 1)]
    still.get_by_role("button", name="One step back").click()
    assert not still.evaluate(f"() => {FIGURE}.done")


FOCUSED = "() => document.activeElement.textContent"


def test_the_token_that_one_has_reached_keeps_the_focus_when_the_weights_come(browser, site):
    page, held, released = browser.new_page(), [], []

    def hold(route):
        held.append(route)
        if released:
            route.continue_()

    page.route("**/weights/*", hold)
    page.goto(site.as_uri())
    page.locator(".map-token.dec").nth(2).focus()
    assert page.evaluate(FOCUSED) == "의사는"
    title = page.locator(".map-told strong").inner_text()
    released.append(True)
    for route in [*held]:
        route.continue_()
    page.wait_for_function(DRAWN)
    assert page.evaluate(FOCUSED) == "의사는"
    assert page.locator(".map-told strong").inner_text() == title
    page.close()


def test_a_block_that_is_clicked_first_opens_and_fills_when_the_weights_come(still):
    still.get_by_role("button", name="Encoder, layer 1: self-attention").click()
    still.wait_for_function(DRAWN)
    region = still.get_by_role("region", name="Self-attention")
    assert region.locator("canvas").count() == 1
    assert region.get_by_text("takes").first.is_visible()


def test_the_number_of_tokens_in_the_trace_is_that_of_the_strip():
    from map_strip import TRACKS, weights  # noqa: PLC0415

    text = STORED["en"].script.read_text("utf-8")
    trace = json.loads(re.search(r"trace = (\{.*\});", text)[1])
    assert len(trace["sourceNames"]) == len(trace["names"]) - 1 == TRACKS
    assert all(len(rows) == TRACKS for rows in weights().values())
