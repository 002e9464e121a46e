"""The map at all widths, with short and long sentences: nothing overlaps, is cut or small."""

import re
from itertools import pairwise

import pytest
from accessibility import violations

import map_strip
from live_page import write_page
from map_strip import KINDS, LIT, Places, is_lit, strip
from rules import ROOT, toc_files

WIDTHS = {390: 844, 768: 1024, 1024: 800, 1280: 860, 1600: 960}
SENTENCES = {
    "short": "The doctor will buy a car",
    "long": "The animal did not cross the street because it was too tired",
    "unknown": "The cat saw the spaceship",
}
# The bar stays in view while one scrolls, over what is there.
OVER = "if (a.closest('.map-bar') !== b.closest('.map-bar')) return;"
ABOVE = 226  # pixels of a screen of 720 that the landing page has above the map
# Texts that lie on each other, stand outside of the page, or are smaller than 12 pixels.
FAULTS = """() => {
    const figure = document.querySelector('live-map');
    const shown = [...figure.querySelectorAll('*')].filter((element) => {
        const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
        return own && element.checkVisibility({visibilityProperty: true})
            && !element.closest('.live-hidden');
    });
    const boxes = shown.flatMap((element) => {
        const range = document.createRange();
        const text = [...element.childNodes].filter((n) => n.nodeType === 3 && n.data.trim());
        range.setStart(text[0], 0);
        range.setEnd(text.at(-1), text.at(-1).length);
        const lines = [...range.getClientRects()].filter(({width}) => width);
        return lines.map((box) => [element, box]);
    });
    const name = ({className, localName, textContent}) =>
        `${className || localName}: ${textContent.slice(0, 24)}`;
    const wrong = [];
    boxes.forEach(([a, p], n) => boxes.slice(n + 1).forEach(([b, q]) => {
        if (a.contains(b) || b.contains(a)) return;
        if (a.closest('.map-bar') !== b.closest('.map-bar')) return;
        const wide = Math.min(p.right, q.right) - Math.max(p.left, q.left);
        const high = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
        if (wide > 1.5 && high > 3) wrong.push(`${name(a)} lies on ${name(b)}`);
    }));
    for (const [element, box] of boxes) {
        if (box.left < -1 || box.right > innerWidth + 1) wrong.push(`${name(element)} is outside`);
    }
    for (const element of shown) {
        const {fontSize} = getComputedStyle(element);
        if (parseFloat(fontSize) < 12) wrong.push(`${name(element)} is small`);
    }
    if (document.scrollingElement.scrollWidth > innerWidth) wrong.push('the page scrolls sideways');
    return wrong;
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return write_page(tmp_path_factory.mktemp("map"), "map")


@pytest.fixture(scope="module")
def page(browser, site):
    page = browser.new_page()
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.emulate_media(reduced_motion="reduce")
    page.goto(site.as_uri())
    page.add_style_tag(content="body { font: 16px 'DejaVu Sans', sans-serif; }")
    page.add_style_tag(content="h1 { font-size: 1px; margin: 0; }")
    page.evaluate("() => document.body.prepend(document.createElement('main'))")
    yield page
    assert page.errors == []
    page.close()


def settle(page):
    page.wait_for_function("() => !document.querySelector('[aria-busy]')")
    page.evaluate("() => document.fonts.ready")
    page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )


@pytest.mark.parametrize("name", SENTENCES)
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_overlaps_is_cut_or_too_small(page, width, name):
    page.set_viewport_size({"width": width, "height": WIDTHS[width]})
    page.locator("textarea").fill(SENTENCES[name])
    settle(page)
    assert page.evaluate(FAULTS) == []
    blocks = page.locator(".map-block")
    kinds = set()
    for number in range(blocks.count()):
        kind = blocks.nth(number).evaluate("(block) => `${block.stage.side} ${block.block}`")
        if kind in kinds:
            continue
        kinds.add(kind)
        blocks.nth(number).evaluate("(block) => block.click()")
        settle(page)
        assert (kind, page.evaluate(FAULTS)) == (kind, [])
        page.keyboard.press("Escape")
    assert len(kinds) >= (3 if name == "unknown" else 7)


KOREAN = {
    "short": "나는 학생이다",
    "long": "내 여동생은 내가 산 빨간 모자를 찾고 있고 그 동물은 피곤해서 길을 건너지 않았다",
    "unknown": "나는 고양숭이를 보았다",
    "refused": "나는 student이다",
}


@pytest.mark.parametrize("name", SENTENCES)
def test_on_a_low_screen_the_playback_hides_nothing(page, name):
    """And all of a short sentence's map is seen without scrolling."""
    page.set_viewport_size({"width": 1280, "height": 720})
    page.locator("textarea").fill(SENTENCES[name])
    settle(page)
    page.locator(".map-tries").scroll_into_view_if_needed()  # now the bar is where it belongs
    assert page.evaluate(FAULTS.replace(OVER, "")) == []
    room, bar = (page.locator(part).bounding_box() for part in (".map-room", ".map-bar"))
    whole = max(part["y"] + part["height"] for part in (room, bar)) - room["y"] <= 720 - ABOVE
    assert whole == (name == "short")


@pytest.mark.parametrize("language", ["en", "ko"])
def test_nothing_overlaps_where_korean_goes_in(browser, tmp_path, language):
    page = browser.new_page()
    page.emulate_media(reduced_motion="reduce")
    page.goto(write_page(tmp_path, "map", language=language).as_uri())
    page.add_style_tag(content="body { font: 16px 'DejaVu Sans', sans-serif; }")
    if language == "en":
        page.get_by_role("button", name="Korean → English").click()
    for name, sentence in KOREAN.items():
        page.locator("textarea").fill(sentence)
        for width, height in WIDTHS.items():
            page.set_viewport_size({"width": width, "height": height})
            settle(page)
            assert (name, width, page.evaluate(FAULTS)) == (name, width, [])
    page.close()


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(browser, site, width, theme):
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.emulate_media(reduced_motion="reduce")
    page.goto(site.as_uri())
    dark = "background: #121212; color: #ced6dd; --pst-color-background: #121212;"
    dark += " --pst-color-text-base: #ced6dd; --pst-color-link: #82b1f2"
    page.evaluate(
        """([theme, style]) => {
            document.documentElement.dataset.theme = theme;
            if (theme === 'dark') document.body.style.cssText = style;
            const main = document.createElement('main');
            main.append(...document.body.children);
            const title = document.createElement('h1');
            title.textContent = 'The map';
            main.prepend(title);
            document.body.append(main);
        }""",
        [theme, dark],
    )
    page.add_style_tag(content="a { color: var(--pst-color-link, #1159c2); }")
    page.locator("textarea").fill(SENTENCES["long"])
    settle(page)
    only = [v for v in violations(page) if "image-alt" not in v]
    assert only == []
    page.close()


@pytest.mark.parametrize("media", ["print", "forced"])
def test_in_print_there_is_the_picture_and_forced_colours_are_taken(browser, site, media):
    page = browser.new_page()
    page.goto(site.as_uri())
    if media == "print":
        page.emulate_media(media="print")
        assert page.locator("figure > img").is_visible()
        assert page.locator(".live-stage").is_hidden()
    else:
        page.emulate_media(forced_colors="active")
        page.wait_for_timeout(100)
        found = page.evaluate("() => document.querySelector('live-map').colours")
        wanted = page.evaluate(
            """() => {
                const brush = new OffscreenCanvas(1, 1).getContext('2d');
                return ['Canvas', 'CanvasText'].map((name) => {
                    brush.fillStyle = name;
                    brush.fillRect(0, 0, 1, 1);
                    return [...brush.getImageData(0, 0, 1, 1).data.slice(0, 3)];
                });
            }"""
        )
        assert [found["paper"], found["ink"]] == wanted
    page.close()


def test_a_frame_takes_less_than_sixteen_milliseconds(page):
    """Of a long run as it plays, the middle of fifty; the machine does other things too."""
    page.set_viewport_size({"width": 1280, "height": 860})
    page.locator("textarea").fill(SENTENCES["long"])
    settle(page)
    times = page.evaluate(
        """() => {
            const figure = document.querySelector('live-map');
            return Array.from({length: 50}, (_, n) => {
                const began = performance.now();
                figure.go(figure.total / 2 + 16 * n);
                return performance.now() - began;
            });
        }"""
    )
    assert sorted(times)[25] < 16


# --- the strip at the head of a chapter


def test_each_chapter_has_its_strip():
    import yaml  # noqa: PLC0415

    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    parts = [part for part in toc["parts"] if part["caption"] != "Reference"]
    chapters = {name.rpartition("/")[2] for name in toc_files(parts)}
    assert chapters - LIT.keys() == {"afterword"}
    assert LIT.keys() <= chapters


def test_names_on_the_map_begin_with_a_capital(page):
    page.set_viewport_size({"width": 1280, "height": 860})
    for kind in (".map-block > span", ".map-layer", ".map-note", ".map-loop-words"):
        names = page.locator(kind).all_text_contents()
        assert names, kind
        assert [name for name in names if not name[:1].isupper()] == [], kind


def test_what_a_strip_lights_is_there():
    every = {f"{side}.{kind}" for side, kinds in KINDS.items() for kind in (*kinds, "norm")}
    for chapter, lit in LIT.items():
        assert lit, chapter
        assert set(lit) <= every | set(KINDS), chapter
    assert is_lit(("enc",), "enc", "ffn")
    assert not is_lit(("enc.self",), "dec", "self")


@pytest.mark.parametrize("chapter", LIT)
def test_a_strip_links_to_the_map_and_lights_its_blocks(chapter):
    html = strip(chapter, "A & B", "index.html")
    (address,) = re.findall(r'href="([^"]*)"', html)
    assert address == f"index.html?lit={','.join(LIT[chapter])}&amp;from={chapter}#the-map"
    assert "A &amp; B" in html
    lit = re.findall(r'class="(enc|dec) (\w+) on"', html)
    wanted = [
        (side, kind) for side, kind, *_ in Places().blocks if is_lit(LIT[chapter], side, kind)
    ]
    assert lit == wanted
    assert len(html) < 9_000


def test_the_blocks_of_a_strip_stand_beside_each_other():
    places = Places()
    for side in KINDS:
        blocks = [(x, x + width) for s, _, _, x, width in places.blocks if s == side]
        assert all(end < start for (_, end), (start, _) in pairwise(blocks))
        assert blocks[0][0] >= 0
        assert blocks[-1][1] <= map_strip.WIDTH
    crossing = next(x for side, kind, _, x, _ in places.blocks if kind == "cross")
    assert crossing > places.memory  # the memory is there before it is read


def test_the_live_map_lights_what_the_strip_names(tab, site):
    tab.emulate_media(reduced_motion="reduce")
    tab.set_viewport_size({"width": 1280, "height": 860})
    tab.goto(f"{site.as_uri()}?lit=dec.self,enc.norm&from=masks#the-map")
    names = "(all) => all.map(({stage, block}) => `${stage.side} ${block}`)"
    lit = tab.locator(".map-lit").evaluate_all(names)
    assert lit == ["enc norm"] * 4 + ["dec masked"] * 2
    assert "“masks”" in tab.locator(".map-hint").inner_text()
    tab.emulate_media(reduced_motion="null")
