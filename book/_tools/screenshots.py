"""Write a picture of every page, wide and narrow, light and dark, to _build/screenshots."""

from browser import THEMES, WIDTHS, launch, serve, visit
from rules import ROOT, listed_pages


def main() -> None:
    """Write the screenshots."""
    folder = ROOT / "_build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    with serve(ROOT / "_build" / "html") as address, launch() as browser:
        for name in listed_pages():
            for width in WIDTHS:
                for theme in THEMES:
                    file = folder / f"{name.rpartition('/')[2]}-{width}-{theme}.png"
                    page_address = f"{address}/{name}.html"
                    with visit(browser, page_address, width=width, theme=theme) as opened:
                        opened.page.screenshot(path=file, full_page=True)
                    print(file.relative_to(ROOT))


if __name__ == "__main__":
    main()
