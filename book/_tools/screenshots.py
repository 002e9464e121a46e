"""Write a picture of every page, at three widths, light and dark, to _build/screenshots.

python book/_tools/screenshots.py [--language ko] [PAGE ...]
"""

import argparse

from browser import THEMES, WIDTHS, launch, serve, visit
from build import LANGUAGES
from rules import ROOT, listed_pages

WIDE = 1600
"""Where the live figures take the room of the margin; the page tests do without it."""


def main() -> None:
    """Write the screenshots."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--language", choices=LANGUAGES, default="en")
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="such as masks; default: all")
    arguments = parser.parse_args()
    edition = "" if arguments.language == "en" else f"{arguments.language}/"
    names = {name.rpartition("/")[2]: name for name in listed_pages()}
    if unknown := [page for page in arguments.pages if page not in names]:
        parser.error(f"there is no page {unknown[0]}; expected some of {', '.join(names)}")
    folder = ROOT / "_build" / "screenshots" / edition
    folder.mkdir(parents=True, exist_ok=True)
    with serve(ROOT / "_build" / "html") as address, launch() as browser:
        for page in arguments.pages or names:
            for width in (*WIDTHS, WIDE):
                for theme in THEMES:
                    file = folder / f"{page}-{width}-{theme}.png"
                    page_address = f"{address}/{edition}{names[page]}.html"
                    with visit(browser, page_address, width=width, theme=theme) as opened:
                        opened.page.screenshot(path=file, full_page=True)
                    print(file.relative_to(ROOT))


if __name__ == "__main__":
    main()
