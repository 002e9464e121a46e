"""Write a picture of every page, wide and narrow, light and dark, to _build/screenshots."""

import yaml

from browser import THEMES, WIDTHS, launch, serve, visit
from rules import ROOT, toc_files


def main() -> None:
    """Write the screenshots."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    folder = ROOT / "_build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    with serve(ROOT / "_build" / "html") as address, launch() as browser:
        for name in toc_files(toc):
            for width in WIDTHS:
                for theme in THEMES:
                    file = folder / f"{name.rpartition('/')[2]}-{width}-{theme}.png"
                    page_address = f"{address}/{name}.html"
                    with visit(browser, page_address, width=width, theme=theme) as opened:
                        opened.page.screenshot(path=file, full_page=True)
                    print(file.relative_to(ROOT))


if __name__ == "__main__":
    main()
