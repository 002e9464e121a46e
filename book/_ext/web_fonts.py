"""The fonts of the book in the browser: what its pages show, in files of a few kilobytes.

The Korean font is cut in two: the characters that the built pages hold, and all others, which a
browser loads only when a reader types or is answered with one of them. The icons of the theme are a
font too, of which the pages use about twenty.
"""

import io
import re
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

KOREAN = Path(__file__).parents[2] / "annotated_transformer" / "fonts"
HANGUL = re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]")
FACE = """@font-face {{
  font-family: "Annotated Sans KR";
  src: url("fonts/{name}") format("woff");
  font-display: swap;
  unicode-range: {characters};
}}
"""
THEME = files("pydata_sphinx_theme") / "theme" / "pydata_sphinx_theme" / "static"
THEME_STYLE = Path("styles", "pydata-sphinx-theme.css")
ICON_RULE = re.compile(r'((?:\.fa-[a-z0-9-]+:before,?)+)\{content:"[^"]*"\}')
ICON_FACE = re.compile(
    r'url\((\.\./vendor/[^)]*)\.woff2\) format\("woff2"\),url\([^)]*\) format\("truetype"\)'
)
ICON = re.compile(r"\bfa-[a-z0-9-]+")
CODE_POINT = re.compile(r"\\([ef][0-9a-f]{3})|([\ue000-\uf8ff])")


def cut(font: Path, characters: Iterable[int]) -> bytes:
    """Return the part of a font that has the given characters, as WOFF; without any, the whole."""
    with TTFont(font) as whole:
        if kept := set(characters) & set(whole.getBestCmap()):
            options = subset.Options()
            options.drop_tables += ["FFTM"]  # when FontForge was used; fontTools warns of it
            cutter = subset.Subsetter(options)
            cutter.populate(unicodes=kept)
            cutter.subset(whole)
        whole.flavor = "woff"
        result = io.BytesIO()
        whole.save(result)
    return result.getvalue()


def write_korean(static: Path, pages: str) -> None:
    """Write the two parts of the Korean font and the style sheet that names them."""
    (font,) = KOREAN.glob("*.otf")
    with TTFont(font) as whole:
        everything = {code for code in whole.getBestCmap() if HANGUL.match(chr(code))}
    shown = everything & {ord(character) for character in HANGUL.findall(pages)}
    (static / "fonts").mkdir(exist_ok=True)
    (static / "fonts" / "OFL.txt").write_bytes((KOREAN / "OFL.txt").read_bytes())
    faces = []
    for part, codes in (("shown", shown), ("others", everything - shown)):
        name = f"{font.stem}-{part}.woff"
        (static / "fonts" / name).write_bytes(cut(font, codes))
        faces.append(FACE.format(name=name, characters=ranges(codes)))
    (static / "fonts.css").write_text("".join(faces), encoding="utf-8")


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
    style = ICON_FACE.sub(r'url(\1.woff) format("woff")', style)
    (static / THEME_STYLE).write_text(style, encoding="utf-8")

    rules = "".join(path.read_text(encoding="utf-8") for path in static.rglob("*.css"))
    codes = {int(code, 16) if code else ord(glyph) for code, glyph in CODE_POINT.findall(rules)}
    for font in Path(str(THEME), "vendor").rglob("*.ttf"):
        target = static / font.relative_to(str(THEME))
        target.with_suffix(".woff").write_bytes(cut(font, codes))
        target.unlink(missing_ok=True)
        target.with_suffix(".woff2").unlink(missing_ok=True)
