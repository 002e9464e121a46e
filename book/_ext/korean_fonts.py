"""The Korean letters of the Korean pages, in as few kilobytes as a page needs.

A Korean page shows about 430 different syllables, of which two in three are on nearly every page.
These are one file, the core, which a browser loads once for the whole edition. What else a page and
its figures show is a file of its own, and what else scripts may write is one for all. Each is a
family, asked in this order, so that no list of characters has to be loaded: a browser asks the next
one for what the last one lacks. Bold letters, of which a page has far fewer, are cut alike; which
words of a figure are bold is seen only when it is drawn, so these have a file behind the page's.
Letters of closed folds are not kept apart: Chromium loads them with the page.
"""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from languages import ANY_HANGUL
from theme import copy_words
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
SHARE = {"Regular": 0.75, "Bold": 0.7}
BOLD = re.compile(
    r"<(strong|b|h[1-6]|dt|summary|button|label|legend|text)\b[^>]*>.*?</\1>"
    r"|<(p|span|div|a|li)\b(?![^>]*\bbd-toc-item\b)[^>]*\b(?:role=\"heading\"|class=\"[^\"]*"
    r"\b(?:admonition-title|caption-number|current|active|title|prev-next|at-strip|at-lead))"
    r"[^>]*>.*?</\2>",
    re.DOTALL,
)
# What is not bold inside of these: the result that a closed fold tells, and the code of a listing;
# and the terms of the glossary, which are coloured.
LIGHT = re.compile(
    r"<span class=\"at-result\">.*?</span>|<div class=\"highlight\">.*?</pre>", re.DOTALL
)
GLOSSARY = re.compile(r"<dl class=\"[^\"]*\bglossary\b.*?</dl>", re.DOTALL)
STRONG = re.compile(r"</?strong>")
HEAD = re.compile(r"(?:<style id=\"at-letters\">.*?</style>)?</head>", re.DOTALL)
# What a chart writes on its canvas; its description is for who does not see it.
CHART = re.compile(r"const spec = (\{.*?\});?\n")
DESCRIPTION = re.compile(r'"description":"(?:[^"\\]|\\.)*"')
# A page in Korean has at least so many different syllables; others have only its frame in Korean.
WRITTEN = 250
# A sign that no file has, as an emoji, asks for neither of the last two. Tokens in figures begin
# with a mark, and one has Chinese characters: these are in the file of the figures.
HANGUL = "  unicode-range: U+1100-11FF, U+3130-318F, U+AC00-D7A3;\n"
OF_FIGURES = HANGUL.replace(";", ", U+2581, U+4E00-9FFF;")
FIGURES = "-figures"  # ends the name of the file with what only the figures of a page write
BEFORE_A_WORD = "\u2581"  # sentencepiece's mark, which the scripts of figures write
# A font without any character would be the whole one.
AT_LEAST = {ord("가")}


def bold_of(page: str) -> set[int]:
    """Return the characters that a page may show in bold letters."""
    page = GLOSSARY.sub(lambda terms: STRONG.sub(" ", terms[0]), LIGHT.sub(" ", page))
    shown = UNSHOWN.sub(lambda match: match[0] if match[1] is None else " ", page)
    return characters_of(" ".join(match[0] for match in BOLD.finditer(shown)))


def of_charts(page: str) -> set[int]:
    """Return the characters that the charts of a page may show, in the regular cut."""
    return characters_of(" ".join(DESCRIPTION.sub("", spec) for spec in CHART.findall(page)))


def own_faces(page: str, path: Path, root: Path) -> str:
    """Return a page whose head names the file with the letters that it alone has."""
    if not is_korean(page):
        return page
    folder = Path(os.path.relpath(root / "_static" / "fonts", path.parent)).as_posix()
    key = key_of(path, root)
    rules = "".join(
        rule("Annotated Sans KR Page", file_of(style, key), style, "") for style in CUTS
    )
    if has_figures(page):
        # The regular face is the page's, so that nothing regular asks for the bold one.
        for name in (file_of("Regular", key), file_of("Bold", key + FIGURES)):
            rules += rule("Annotated Sans KR Figures", name, name.split("-")[1], OF_FIGURES)
    rules = re.sub(r"\s+", " ", rules.replace('url("fonts', f'url("{folder}'))
    return HEAD.sub(lambda _: f'<style id="at-letters">{rules}</style></head>', page, count=1)


def key_of(path: Path, root: Path) -> str:
    """Return the name of a page in names of files: ko-book-attention."""
    return path.relative_to(root).with_suffix("").as_posix().replace("/", "-")


def file_of(style: str, part: str) -> str:
    """Return the name of the file with some letters."""
    return f"AnnotatedSansKR-{style}-{part}.woff2"


def core_of(sets: Iterable[set[int]], share: float) -> set[int]:
    """Return the characters that at least such a share of the pages has."""
    counted = list(sets)
    count = Counter(code for characters in counted for code in characters)
    return {code for code, number in count.items() if number >= share * len(counted)}


def write_korean_fonts(static: Path, pages: dict[str, str], scripts: dict[str, str]) -> None:
    """Write the files for the Korean pages, and add those that pages share to the style sheet."""
    korean = {name: page for name, page in pages.items() if is_korean(page)}
    if korean:
        with (static / "fonts.css").open("a", encoding="utf-8") as sheet:
            sheet.writelines(faces(static / "fonts", korean, scripts))


def faces(folder: Path, pages: dict[str, str], scripts: dict[str, str]) -> Iterator[str]:
    """Write the files, and yield the rules for the core and for what scripts write."""
    latin = has(FONTS / "AnnotatedSans-Regular.otf")
    written = {name: {ord(c) for c in text} - latin for name, text in scripts.items()}
    of_figures = {
        page: set().union(*(written[name] for name in written if is_loaded(name, text)))
        for page, text in pages.items()
    }
    words = set().union(*(codes for name, codes in written.items() if name.endswith(KOREAN_SCRIPT)))
    for style, font in CUTS.items():
        of = characters_of if style == "Regular" else bold_of
        shown = {name: of(page) - latin for name, page in pages.items()}
        if style == "Regular":
            scripted = {ord(c) for c in BEFORE_A_WORD.join(copy_words().values())} - latin
            for name, page in pages.items():
                shown[name] |= scripted | of_figures[name] | of_charts(page) - latin
        whole = [shown[name] for name, page in pages.items() if is_written(page)]
        core = core_of(whole or shown.values(), SHARE[style])
        parts = {"core": core, "words": words - core}
        parts |= {name: characters - core for name, characters in shown.items()}
        if style == "Bold":
            parts |= {
                name + FIGURES: of_figures[name] - characters - core
                for name, characters in shown.items()
                if has_figures(pages[name])
            }
        for part, codes in parts.items():
            (folder / file_of(style, part)).write_bytes(cut(font, codes | AT_LEAST))
        for part, of_what in (("core", ""), ("words", HANGUL)):
            yield rule(f"Annotated Sans KR {part.title()}", file_of(style, part), style, of_what)


def has_figures(page: str) -> bool:
    """Say whether a page loads a live figure."""
    return "/live/figures/" in page


def is_loaded(script: str, page: str) -> bool:
    """Say whether a page loads a figure, the words of one or a record; what all share is none."""
    name = re.escape(script.removeprefix("live-"))
    return re.search(rf"/(?:figures|records)/(?:\w+/)?{name}\.js", page) is not None


def is_written(page: str) -> bool:
    """Say whether a page is in Korean itself, and not only its frame."""
    return len({code for code in characters_of(page) if ANY_HANGUL.match(chr(code))}) >= WRITTEN
