"""Print how long the translator on the first page of the built book takes, in this Chromium.

From the first touch to the first answer, in a page of its own each time; then the time of one
sentence with beam search and its links, as a reader waits for it: the median of each page's; then
how many frames a second the map shows while it plays, after those sentences, and how many of them
an empty page shows right afterwards, which is the most that this machine does at that time. All
depend on what else it does; the share of the two depends on it least.
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
# Of the map in the second half of a run, where most has been drawn; or of a page without it.
FRAMES = """async (milliseconds) => {
    const figure = document.querySelector('live-map');
    figure?.scrollIntoView();
    figure?.go(figure.total / 2);
    figure?.player.play();
    const next = () => new Promise(requestAnimationFrame);
    const began = await next();
    let [frames, now] = [0, began];
    while (now < began + milliseconds && (!figure || figure.player.playing)) {
        [frames, now] = [frames + 1, await next()];
    }
    figure?.player.pause();
    return 1000 * frames / (now - began);
}"""
PLAYED = 3_000  # milliseconds


def main() -> None:
    """Measure and print."""
    firsts, times, frames, most = [], [], [], []
    address = (ROOT / "_build" / "html" / "book" / "index.html").as_uri()
    with launch() as browser:
        for _ in range(ROUNDS):
            page = browser.new_page()
            page.goto(address)
            firsts.append(page.evaluate(FIRST))
            times.append(median(page.evaluate(EACH, SENTENCES)))
            frames.append(page.evaluate(FRAMES, PLAYED))
            page.goto("about:blank")
            most.append(page.evaluate(FRAMES, PLAYED))
            page.close()
    measured = {"first answer": (firsts, "ms"), "a sentence": (times, "ms")}
    measured["the map plays"] = (frames, "frames a second")
    measured["an empty page"] = (most, "frames a second")
    shares = [100 * shown / limit for shown, limit in zip(frames, most, strict=True)]
    measured["the map shows"] = (shares, "% of the frames of an empty page")
    for name, (values, unit) in measured.items():
        low, high = min(values), max(values)
        print(f"{name}: {median(values):.0f} {unit} (of {ROUNDS} rounds {low:.0f} to {high:.0f})")


if __name__ == "__main__":
    main()
