"""The fonts that the browsers of the tests find: the same on every machine.

Text is wider in one font than in another, and which are installed depends even on whether apt took
what it recommends. On Linux a browser asks fontconfig, and FONTCONFIG_FILE says which fonts there
are. These come with matplotlib, so every machine that runs the tests has them.
"""

import shutil
from importlib.util import find_spec
from pathlib import Path

from rules import ROOT

BROUGHT = Path(*find_spec("matplotlib").submodule_search_locations, "mpl-data", "fonts", "ttf")
USUAL = {"serif": "DejaVu Serif", "sans-serif": "DejaVu Sans", "monospace": "DejaVu Sans Mono"}
"""What stands for each of the kinds that a page may ask for, in all tests."""
OTHERS = {name: dict.fromkeys(USUAL, name) for name in ("STIXGeneral", "DejaVu Sans Mono")}
"""What else could: a line in the second is nearly half again as wide as in the first."""
FILES = ("DejaVuSans*.ttf", "DejaVuSerif*.ttf", "STIXGeneral*.ttf")
# Chromium shows text for which a page names no font in the first of these.
ALIASES = {"Times New Roman": "serif", "Arial": "sans-serif", "Courier New": "monospace"}
# As Debian and Ubuntu have it, letters are moved to no whole pixels.
SETTINGS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
<dir>{fonts}</dir>
<cachedir>{cache}</cachedir>
<match target="pattern">
<edit name="hintstyle" mode="append"><const>hintslight</const></edit>
</match>
{rules}
</fontconfig>
"""
RULE = """<match target="pattern"><test name="family"><string>{asked}</string></test>
<edit name="family" mode="assign" binding="strong"><string>{given}</string></edit></match>"""

OWN_FONT = next((ROOT / "annotated_transformer" / "fonts").glob("*.otf"))
OWN_STYLE = f"""<style>
@font-face {{ font-family: Own; src: url("{OWN_FONT.name}"); }}
* {{ font-family: Own !important; }}
</style>"""
"""For a page that a test writes: with the file beside it, all its text has the package's font."""


def write_settings(folder: Path, kinds: dict[str, str]) -> Path:
    """Write a file for FONTCONFIG_FILE with which these fonts stand for the kinds; return it."""
    fonts = folder / "fonts"
    fonts.mkdir(parents=True, exist_ok=True)
    for pattern in FILES:
        for font in BROUGHT.glob(pattern):
            shutil.copy(font, fonts)
    given = kinds | {name: kinds[kind] for name, kind in ALIASES.items()}
    rules = "\n".join(RULE.format(asked=asked, given=name) for asked, name in given.items())
    path = folder / "fonts.conf"
    text = SETTINGS.format(fonts=fonts, cache=folder / "cache", rules=rules)
    path.write_text(text, encoding="utf-8")
    return path
