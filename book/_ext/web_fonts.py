"""The fonts of the book in the browser: what its pages show, in files of a few kilobytes.

Text is set in Annotated Sans and code in Annotated Code, each cut to the characters of the built
pages; Hangul, and what these two lack, in Annotated Sans KR, which was drawn for them. That one is
cut into slices, of which a browser loads those that a page has characters of: what is common to
several pages, what single pages add, and all others, for a reader who types or is answered with one
of them. The Korean pages have files of their own besides, made by korean_fonts.py. The icons of the
theme are a font too, of which the pages use about twenty.
"""

import io
import re
import shutil
from collections import Counter
from collections.abc import Iterable
from html import unescape
from importlib.resources import files
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

from languages import ANY_HANGUL
from words import KOREAN as KOREAN_EDITION
from words import NAMES

ROOT = Path(__file__).parents[2]
KOREAN = ROOT / "annotated_transformer" / "fonts"
KOREAN_REGULAR = KOREAN / "AnnotatedSansKR-Regular.otf"
FONTS = ROOT / "book" / "fonts"
UNSHOWN = re.compile(r"<(script|style|mjx-assistive-mml)\b.*?</\1>|<[^>]*>", re.DOTALL)
IN_KOREAN = re.compile(r'<html[^>]*\slang="ko"')
KOREAN_SCRIPT = ".ko"  # ends the name of a script that only Korean pages load
# A sign that is not among these is upright in slanted text, too.
SLANTED = {chr(code) for code in (*range(0x20, 0x180), *range(0x2010, 0x2027))}
COMMON = 4  # what so many pages and scripts show is one slice
FEW = 5  # characters, of which no slice of its own is made
ASCII = set(range(0x20, 0x7F))
FACE = """@font-face {{
  font-family: "{family}";
  src: url("fonts/{name}") format("woff2");
  font-style: {style};
  font-weight: {weight};
  font-display: swap;
{more}}}
"""
STYLES = {"Regular": ("normal", 400), "Italic": ("italic", 400), "Bold": ("normal", 700)}
# Noto Sans CJK has the letters of Source Sans at this size: so they stand beside Hangul.
SIZE = 111
# What stands on the page until the text face is there takes the same room, so that nothing jumps:
# its letters are made as wide as ours, by the mean width of a letter of this book's English,
# regular and bold, in thousandths of the size; lines begin and end where ours do.
OURS = (409, 434)
SUBSTITUTES = {
    "Annotated Arial": (("Arial", "Liberation Sans", "Helvetica"), (438, 471)),
    "Annotated DejaVu": (("DejaVu Sans",), (501, 566)),
}
ASCENT, DESCENT = 92, 25  # of a line, in hundredths of the size before SIZE
SUBSTITUTE = """@font-face {{
  font-family: "{family}";
  src: {sources};
  font-weight: {weight};
{more}}}
"""
THEME = files("pydata_sphinx_theme") / "theme" / "pydata_sphinx_theme" / "static"
THEME_STYLE = Path("styles", "pydata-sphinx-theme.css")
ICON_RULE = re.compile(r'((?:\.fa-[a-z0-9-]+:before,?)+)\{content:"[^"]*"\}')
ICON_FACE = re.compile(
    r'(url\(\.\./vendor/[^)]*\.woff2\) format\("woff2"\)),url\([^)]*\) format\("truetype"\)'
)
ICON = re.compile(r"\bfa-[a-z0-9-]+")
CODE_POINT = re.compile(r"\\([ef][0-9a-f]{3})|([\ue000-\uf8ff])")


def cut(font: Path, characters: Iterable[int]) -> bytes:
    """Return the part of a font that has the given characters, as WOFF2; without any, the whole."""
    with TTFont(font) as whole:
        if kept := set(characters) & set(whole.getBestCmap()):
            options = subset.Options()
            # Smallest when compressed. Who made it is said in the file beside it.
            options.hinting, options.desubroutinize, options.name_IDs = False, True, []
            options.layout_features = ["kern", "tnum", "mark", "locl"]
            options.drop_tables += ["FFTM"]  # when FontForge was used; fontTools warns of it
            cutter = subset.Subsetter(options)
            cutter.populate(unicodes=kept)
            cutter.subset(whole)
        whole.flavor = "woff2"
        result = io.BytesIO()
        whole.save(result)
    return result.getvalue()


def characters_of(page: str) -> set[int]:
    """Return the characters that a page shows outside its formulas, and all that one can type."""
    return ASCII | {ord(c) for c in unescape(UNSHOWN.sub(" ", page))} - set(range(0x20))


def is_korean(page: str) -> bool:
    """Say whether a page is one of the Korean edition."""
    return IN_KOREAN.search(page) is not None


def has(font: Path) -> set[int]:
    """Return the characters that a font has."""
    with TTFont(font) as whole:
        return set(whole.getBestCmap())


def write_fonts(static: Path, pages: dict[str, str], scripts: dict[str, str]) -> None:
    """Write the faces for text, code and Korean, and the style sheet that names them."""
    folder = static / "fonts"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for licence, name in ((FONTS, "OFL.txt"), (KOREAN, "OFL-AnnotatedSansKR-Regular.txt")):
        (folder / name).write_bytes((licence / "OFL.txt").read_bytes())
    shown = {name: characters_of(page) for name, page in pages.items()}
    shown |= {name: {ord(character) for character in text} for name, text in scripts.items()}
    sheet = [*latin_faces(static, set().union(*shown.values())), *substitutes()]
    lacking = has(KOREAN_REGULAR) - has(FONTS / "AnnotatedSans-Regular.otf")
    for name in [name for name, page in pages.items() if is_korean(page)]:
        del shown[name]
    # Every page has the name of the other edition; most of the English ones have no other Hangul.
    switch = {ord(letter) for letter in NAMES[KOREAN_EDITION]}
    parts = {"switch": switch} | slices(
        {
            name: (characters & lacking) - switch
            for name, characters in shown.items()
            if not name.endswith(KOREAN_SCRIPT)
        }
    )
    hangul = {code for code in lacking if ANY_HANGUL.match(chr(code))}
    parts["others"] = hangul - set().union(*parts.values())
    for font in (KOREAN_REGULAR, FONTS / "AnnotatedSansKR-Bold.otf"):
        sheet += korean_faces(static, font, parts)
    (static / "fonts.css").write_text("".join(sheet), encoding="utf-8")


def slices(shown: dict[str, set[int]]) -> dict[str, set[int]]:
    """Divide characters by who shows them: what is common, then what each adds, the least first."""
    count = Counter(code for characters in shown.values() for code in characters)
    parts = {"common": {code for code, number in count.items() if number >= COMMON}}
    left = set(count) - parts["common"]
    for name in sorted(shown, key=lambda name: (len(shown[name] & left), name)):
        if added := shown[name] & left:
            parts.setdefault(name if len(added) >= FEW else "few", set()).update(added)
            left -= added
    return {name: codes for name, codes in parts.items() if codes}


def latin_faces(static: Path, shown: set[int]) -> Iterable[str]:
    """Write the faces for text and code, and yield their rules."""
    for font in sorted(FONTS.glob("*.otf")):
        kind, _, style = font.stem.partition("-")
        if kind == "AnnotatedSansKR":
            continue
        family = "Annotated Code" if kind == "AnnotatedCode" else "Annotated Sans"
        more = "" if kind == "AnnotatedCode" else metrics(SIZE, 1)
        letters = {code for code in shown if style != "Italic" or chr(code) in SLANTED}
        (static / "fonts" / f"{font.stem}.woff2").write_bytes(cut(font, letters))
        yield rule(family, f"{font.stem}.woff2", style, more)


def korean_faces(static: Path, font: Path, parts: dict[str, set[int]]) -> Iterable[str]:
    """Write the slices of a Korean font, and yield their rules."""
    for part, codes in parts.items():
        name = f"{font.stem}-{part}.woff2"
        (static / "fonts" / name).write_bytes(cut(font, codes))
        more = f"  unicode-range: {ranges(codes)};\n"
        yield rule("Annotated Sans KR", name, font.stem.partition("-")[2], more)


def rule(family: str, name: str, style: str, more: str) -> str:
    """Return the rule that names a file as a face."""
    slant, weight = STYLES[style]
    return FACE.format(family=family, name=name, style=slant, weight=weight, more=more)


def substitutes() -> Iterable[str]:
    """Yield the rules for fonts of the system, made to take the room of the text face."""
    for family, (fonts, widths) in SUBSTITUTES.items():
        for weight, bold, ours, width in zip((400, 700), ("", " Bold"), OURS, widths, strict=True):
            sources = ", ".join(f'local("{font}{bold}")' for font in fonts)
            size = SIZE * ours / width
            yield SUBSTITUTE.format(
                family=family, sources=sources, weight=weight, more=metrics(size, SIZE / size)
            )


def metrics(size: float, scale: float) -> str:
    """Return how large the letters of a face are, and where its lines begin and end."""
    return (
        f"  size-adjust: {size:.1f}%;\n"
        f"  ascent-override: {ASCENT * scale:.1f}%;\n"
        f"  descent-override: {DESCENT * scale:.1f}%;\n"
        "  line-gap-override: 0%;\n"
    )


def ranges(codes: Iterable[int]) -> str:
    """Write characters as CSS does: U+AC00-AC02, U+AC10."""
    runs: list[list[int]] = []
    for code in sorted(codes):
        if runs and code == runs[-1][1] + 1:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    return ", ".join(f"U+{a:X}" if a == b else f"U+{a:X}-{b:X}" for a, b in runs)


def write_icons(static: Path, pages: str) -> None:
    """Leave of the theme's icons those that a page, a script or another rule names."""
    scripts = "".join(
        path.read_text(encoding="utf-8") for path in (static / "scripts").glob("*.js")
    )
    used = set(ICON.findall(pages + scripts))
    style = (THEME / THEME_STYLE).read_text(encoding="utf-8")
    style = ICON_RULE.sub(lambda rule: rule[0] if used & set(ICON.findall(rule[1])) else "", style)
    style = ICON_FACE.sub(r"\1", style)
    (static / THEME_STYLE).write_text(style, encoding="utf-8")

    rules = "".join(path.read_text(encoding="utf-8") for path in static.rglob("*.css"))
    codes = {int(code, 16) if code else ord(glyph) for code, glyph in CODE_POINT.findall(rules)}
    for font in Path(str(THEME), "vendor").rglob("*.ttf"):
        target = static / font.relative_to(str(THEME))
        target.with_suffix(".woff2").write_bytes(cut(font, codes))
        target.unlink(missing_ok=True)
