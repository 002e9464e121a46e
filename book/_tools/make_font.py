"""Make the font subsets that ship: Korean in annotated_transformer/fonts, the rest in book/fonts.

Run `python book/_tools/make_font.py NotoSansCJK-Regular.ttc` (Debian: fonts-noto-cjk; needs
fonttools, which matplotlib brings). The subset has Latin, Greek, mathematical signs, the 2,350
syllables of KS X 1001 for everyday Korean, and a few more. With `NotoSansCJK-Bold.ttc`,
`SourceSans3-Regular.otf` and their kind (npm: source-sans, source-code-pro) it makes one of the
faces that only the pages use. Source Sans and the Korean font were drawn for each other. A subset
gets a family name of its own, as the licence asks, and so no installed font replaces it.
"""

import argparse
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTCollection, TTFont

FACE = "Noto Sans CJK KR"
ROOT = Path(__file__).parents[2]
PACKAGE, BOOK = ROOT / "annotated_transformer" / "fonts", ROOT / "book" / "fonts"
# What is made of a file: family, style, and where it ships.
MADE = {
    "NotoSansCJK-Regular": ("Annotated Sans KR", "Regular", PACKAGE),
    "NotoSansCJK-Bold": ("Annotated Sans KR", "Bold", BOOK),
    "SourceSans3-Regular": ("Annotated Sans", "Regular", BOOK),
    "SourceSans3-It": ("Annotated Sans", "Italic", BOOK),
    "SourceSans3-Bold": ("Annotated Sans", "Bold", BOOK),
    "SourceCodePro-Regular": ("Annotated Code", "Regular", BOOK),
    "SourceCodePro-Bold": ("Annotated Code", "Bold", BOOK),
}
RANGES = [
    (0x20, 0x17F),  # Latin
    (0x391, 0x3C9),  # Greek
    (0x2010, 0x2027),  # dashes, quotation marks, ellipsis
    (0x2030, 0x205E),
    (0x2070, 0x209C),  # superscripts and subscripts
    (0x2190, 0x21D4),  # arrows
    (0x2200, 0x22FF),  # mathematical operators
    (0x2581, 0x2581),  # sentencepiece's mark for a space
    (0x25A0, 0x25CF),  # squares, triangles, circles
    (0x3001, 0x3011),  # Korean punctuation
    (0x3131, 0x318E),  # compatibility jamo
]
RARE = "\u1173\u11ab쀍漢"  # what *Tokens and embeddings* shows besides


def everyday_syllables() -> set[int]:
    """Return the code points of the 2,350 precomposed syllables of KS X 1001."""
    rows = range(0xB0, 0xC9)
    return {ord(bytes([row, cell]).decode("euc_kr")) for row in rows for cell in range(0xA1, 0xFF)}


def subset(font: TTFont, *, latin_only: bool) -> None:
    """Reduce a font in place to the characters above, without features or hints."""
    options = Options()
    options.layout_features = ["kern", "tnum", "mark", "locl"] if latin_only else ["kern"]
    options.hinting = False
    options.desubroutinize = False
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.drop_tables += ["vhea", "vmtx", "VORG", "BASE", *([] if latin_only else ["GSUB"])]
    subsetter = Subsetter(options)
    latin = {code for first, last in RANGES for code in range(first, last + 1)}
    korean = set() if latin_only else everyday_syllables() | {ord(c) for c in RARE}
    subsetter.populate(unicodes=latin | korean)
    subsetter.subset(font)


def rename(font: TTFont, family: str, style: str) -> str:
    """Give the font its own name everywhere the original's stands; return it without spaces."""
    postscript = f"{family.replace(' ', '')}-{style}"
    full = family if style == "Regular" else f"{family} {style}"
    names = {1: family, 2: style, 3: f"{postscript};1", 4: full, 6: postscript}
    for record in font["name"].names:
        record.string = names.get(record.nameID, record.string)
    top = font["CFF "].cff
    top.fontNames = [postscript]
    top[0].FamilyName, top[0].FullName = family, full
    return postscript


def read(path: Path) -> TTFont:
    """Open a font, or of a collection the Korean one."""
    if path.suffix != ".ttc":
        return TTFont(path)
    return next(font for font in TTCollection(path) if font["name"].getDebugName(1) == FACE)


def main() -> None:
    """Write each font next to its licence."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+", help=", ".join(MADE))
    for file in parser.parse_args().files:
        family, style, folder = MADE[file.stem]
        font = read(file)
        font.recalcTimestamp = False  # the same input gives the same bytes
        subset(font, latin_only=family != "Annotated Sans KR")
        path = folder / f"{rename(font, family, style)}.otf"
        font.save(path)
        characters = len(font.getBestCmap())
        print(f"{path.name}: {path.stat().st_size:,} bytes, {characters:,} characters")


if __name__ == "__main__":
    main()
