"""What the pages of the built book weigh, and when they can be read: a table for the first view.

    python book/_tools/page_times.py [--book FOLDER] [--rounds 3] [PAGE ...]

Every page is opened by a browser that has seen nothing yet, from a server on this machine. Seconds
are medians over the rounds: until the first text is painted, and until nothing more of the first
view is to come (the page is loaded, its fonts are there). The weight is compressed,
as servers send it. The machine should have nothing else to do.
"""

import argparse
import statistics
import time
from pathlib import Path

from playwright.sync_api import Browser

from browser import first_view, launch, serve
from rules import ROOT, listed_pages
from weight import compressed_size

SETTLED = """async () => {
    await document.fonts.ready;
    for (;;) {
        const [paint] = performance.getEntriesByName('first-contentful-paint');
        if (paint) return paint.startTime / 1000;
        await new Promise((next) => setTimeout(next));
    }
}"""


def cold_start(browser: Browser, address: str) -> tuple[float, float, list[str]]:
    """Open a page with an empty cache; return both times and what was loaded."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    started = time.perf_counter()
    page.goto(address, wait_until="load")
    painted = page.evaluate(SETTLED)
    ready = time.perf_counter() - started
    loaded = first_view(page, requests)
    context.close()
    return painted, ready, loaded


def main() -> None:
    """Print a line for each page, and the heaviest and slowest at the end."""
    parser = argparse.ArgumentParser(description="weigh and time the pages of the built book")
    parser.add_argument("pages", nargs="*", help="as in book/masks; without any, all")
    parser.add_argument("--book", type=Path, default=ROOT / "_build" / "html")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    rows = []
    with serve(options.book) as address, launch() as browser:
        for name in options.pages or listed_pages():
            rounds = [cold_start(browser, f"{address}/{name}.html") for _ in range(options.rounds)]
            painted, ready = (statistics.median(r[place] for r in rounds) for place in (0, 1))
            places = {at.removeprefix(address).split("?")[0].strip("/") for at in rounds[0][2]}
            files = [options.book / place for place in places]
            weight = sum(compressed_size(file) for file in files if file.is_file())
            rows.append((name, painted, ready, weight / 1000))
            print("{:32} painted {:5.2f} s, ready {:5.2f} s, {:6.0f} kB".format(*rows[-1]))
    for place, title in ((1, "painted last"), (2, "ready last"), (3, "heaviest")):
        print(f"{title}: {max(rows, key=lambda row: row[place])[0]}")


if __name__ == "__main__":
    main()
