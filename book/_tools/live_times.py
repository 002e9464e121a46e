"""Print how long the translator on the first page of the built book takes, in this Chromium.

From the first touch to the first answer, in a page of its own each time; then the time of one
sentence with beam search and its links, as a reader waits for it: the median of each page's.
"""

from statistics import median

from browser import launch
from rules import ROOT

ROUNDS = 9
SENTENCES = 20
FIRST = """async () => {
    const figure = document.querySelector('live-map');
    const began = performance.now();
    figure.querySelector('textarea').focus();
    while (!figure.matches('[data-drawn]')) await new Promise(requestAnimationFrame);
    return performance.now() - began;
}"""
EACH = """async (count) => {
    const figure = document.querySelector('live-map');
    const buttons = [...figure.querySelectorAll('.map-try')], times = [];
    for (let i = 0; i < count; i++) {
        const began = performance.now();
        buttons[i % buttons.length].click();
        while (figure.matches('[aria-busy]')) await AnnotatedTransformer.pause();
        times.push(performance.now() - began);
    }
    return times;
}"""


def main() -> None:
    """Measure and print."""
    firsts, times = [], []
    address = (ROOT / "_build" / "html" / "book" / "index.html").as_uri()
    with launch() as browser:
        for _ in range(ROUNDS):
            page = browser.new_page()
            page.goto(address)
            firsts.append(page.evaluate(FIRST))
            times.append(median(page.evaluate(EACH, SENTENCES)))
            page.close()
    for name, values in (("first answer", firsts), ("a sentence", times)):
        low, high = min(values), max(values)
        print(f"{name}: {median(values):.0f} ms (of {ROUNDS} rounds {low:.0f} to {high:.0f})")


if __name__ == "__main__":
    main()
