"""Look at every slide of a deck in Chromium: nothing is cut, and everything is drawn."""

from typing import Any

from playwright.sync_api import Browser

from browser import TIMEOUT, visit

READY = "() => window.Reveal?.isReady()"
# Each slide is shown as large as the frame; what is in a formula has no box that counts.
LOOK = """() => [...document.querySelectorAll('.slides section')].map((slide, number) => {
    Reveal.slide(number);
    const frame = slide.getBoundingClientRect();
    const beyond = [...slide.querySelectorAll('*')].filter((element) => {
        const box = element.getBoundingClientRect();
        return box.width && !element.parentElement.closest('mjx-container')
            && (box.bottom > frame.bottom + 1 || box.right > frame.right + 1);
    });
    const undrawn = [...slide.querySelectorAll('.math')].filter((formula) => {
        const drawn = formula.querySelector('mjx-container');
        return !drawn?.getBoundingClientRect().width;
    });
    const images = [...slide.querySelectorAll('img')];
    return {
        title: slide.querySelector('h1, h2').textContent,
        beyond: beyond.map((element) => element.tagName.toLowerCase()),
        undrawn: undrawn.map((formula) => formula.textContent),
        small: images.filter((i) => i.getBoundingClientRect().height < frame.height / 4).length,
        markup: !slide.querySelector('pre')
            && /\\{[\\w:-]+\\}`|\\*\\*|\\$|:::/.test(slide.innerText),
    };
})"""


def wrong_with_deck(browser: Browser, address: str) -> list[str]:
    """Return one sentence for everything that is wrong with a deck."""
    deck = address.rpartition("/")[2].removesuffix(".html")
    with visit(browser, address, width=1280, theme="light") as opened:
        opened.page.wait_for_function(READY, timeout=TIMEOUT)
        slides = opened.evaluate(LOOK)
        wrong = [f"{deck}: asks for {address}" for address in opened.foreign_requests]
        wrong += [f"{deck}: {error}" for error in opened.errors]
    return wrong + [
        f"{deck}, slide {number}, {slide['title']!r}: {sentence}"
        for number, slide in enumerate(slides, start=1)
        for sentence in wrong_with_slide(slide)
    ]


def wrong_with_slide(slide: dict[str, Any]) -> list[str]:
    """Return what is wrong with one slide, from what the browser saw."""
    wrong = []
    if slide["beyond"]:
        wrong.append(f"reaches beyond its frame: {', '.join(sorted(set(slide['beyond'])))}")
    if slide["undrawn"]:
        wrong.append(f"formulas are not drawn: {slide['undrawn']}")
    if slide["small"]:
        wrong.append("a picture is too small to be read: show fewer sentences beside it")
    if slide["markup"]:
        wrong.append("shows markup")
    return wrong
