"""The Korean letters of the Korean pages, in as few kilobytes as a page needs.

A Korean page shows about 430 different syllables, of which two in three are on nearly every page.
These are one file, the core, which a browser loads once for the whole edition. All others of a page
are a file of its own, named in its head, and those that only scripts write are a third. Each file
is a family, asked in this order, so that no list of characters has to be loaded: a browser asks the
next one for what the last one lacks. Bold letters, of which a page has far fewer, are cut alike.
"""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from web_fonts import (
    FONTS,
    KOREAN_REGULAR,
    KOREAN_SCRIPT,
    UNSHOWN,
    characters_of,
    cut,
    has,
    is_korean,
    rule,
)

CUTS = {"Regular": KOREAN_REGULAR, "Bold": FONTS / "AnnotatedSansKR-Bold.otf"}
# What so large a part of the pages has is in the core: most of what a page needs, and little more.
SHARE = {"Regular": 0.75, "Bold": 0.5}
BOLD = re.compile(
    r"<(strong|b|h[1-6]|th|dt|summary|button|label|legend)\b[^>]*>.*?</\1>"
    r"|<(p|span|div|a|li)\b[^>]*\bclass=\"[^\"]*"
    r"\b(?:admonition-title|caption-number|caption-text|current|active|title|prev-next)[^>]*>.*?</\2>",
    re.DOTALL,
)
HEAD = re.compile(r"(?:<style id=\"at-letters\">.*?</style>)?</head>", re.DOTALL)
# A font without any character would be the whole one.
AT_LEAST = {ord("가")}


def bold_of(page: str) -> set[int]:
    """Return the characters that a page may show in bold letters."""
    shown = UNSHOWN.sub(lambda match: match[0] if match[1] is None else " ", page)
    return characters_of(" ".join(match[0] for match in BOLD.finditer(shown)))


def own_faces(page: str, path: Path, root: Path) -> str:
    """Return a page whose head names the file with the letters that it alone has."""
    if not is_korean(page):
        return page
    folder = Path(os.path.relpath(root / "_static" / "fonts", path.parent)).as_posix()
    rules = "".join(
        rule("Annotated Sans KR Page", file_of(style, key_of(path, root)), style, "")
        for style in CUTS
    )
    rules = re.sub(r"\s+", " ", rules.replace('url("fonts', f'url("{folder}'))
    return HEAD.sub(lambda _: f'<style id="at-letters">{rules}</style></head>', page, count=1)


def key_of(path: Path, root: Path) -> str:
    """Return the name of a page in names of files: ko-book-attention."""
    return path.relative_to(root).with_suffix("").as_posix().replace("/", "-")


def file_of(style: str, part: str) -> str:
    """Return the name of the file with some letters."""
    return f"AnnotatedSansKR-{style}-{part}.woff"


def core_of(sets: Iterable[set[int]], share: float) -> set[int]:
    """Return the characters that at least such a share of the pages has."""
    counted = list(sets)
    count = Counter(code for characters in counted for code in characters)
    return {code for code, number in count.items() if number >= share * len(counted)}


def write_korean_fonts(static: Path, pages: dict[str, str], scripts: dict[str, str]) -> None:
    """Write the files for the Korean pages, and add those that pages share to the style sheet."""
    korean = {name: page for name, page in pages.items() if is_korean(page)}
    written = {
        ord(character)
        for name, text in scripts.items()
        if name.endswith(KOREAN_SCRIPT)
        for character in text
    }
    if korean:
        with (static / "fonts.css").open("a", encoding="utf-8") as sheet:
            sheet.writelines(faces(static / "fonts", korean, written))


def faces(folder: Path, pages: dict[str, str], written: set[int]) -> Iterator[str]:
    """Write the files, and yield the rules for the core and for what scripts write."""
    latin = has(FONTS / "AnnotatedSans-Regular.otf")
    shown = {
        "Regular": {name: characters_of(page) - latin for name, page in pages.items()},
        "Bold": {name: bold_of(page) - latin for name, page in pages.items()},
    }
    for style, font in CUTS.items():
        core = core_of(shown[style].values(), SHARE[style])
        parts = {"core": core, "words": written - latin - core}
        parts |= {name: characters - core for name, characters in shown[style].items()}
        for part, codes in parts.items():
            (folder / file_of(style, part)).write_bytes(cut(font, codes | AT_LEAST))
        for part in ("core", "words"):
            yield rule(f"Annotated Sans KR {part.title()}", file_of(style, part), style, "")
