"""Make the Korean font subset that ships in annotated_transformer/fonts.

Run `python book/_tools/make_font.py NotoSansCJK-Regular.ttc` (Debian: fonts-noto-cjk; needs
fonttools, which matplotlib brings). The subset has Latin, Greek, mathematical signs, the 2,350
syllables of KS X 1001 for everyday Korean, and a few more. It gets a family name of its own, so
that it is not mistaken for the whole font and an installed Noto does not replace it.
"""

import argparse
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTCollection, TTFont

FAMILY = "Annotated Sans KR"
FACE = "Noto Sans CJK KR"
OUTPUT = Path(__file__).parents[2] / "annotated_transformer" / "fonts"
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


def subset(font: TTFont) -> None:
    """Reduce a font in place to the characters above, without features or hints."""
    options = Options()
    options.layout_features = ["kern"]
    options.hinting = False
    options.desubroutinize = False
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.drop_tables += ["vhea", "vmtx", "VORG", "BASE", "GSUB"]
    subsetter = Subsetter(options)
    latin = {code for first, last in RANGES for code in range(first, last + 1)}
    subsetter.populate(unicodes=latin | everyday_syllables() | {ord(c) for c in RARE})
    subsetter.subset(font)


def rename(font: TTFont) -> None:
    """Give the font its own name everywhere the original's stands."""
    postscript = FAMILY.replace(" ", "") + "-Regular"
    names = {1: FAMILY, 2: "Regular", 3: f"{postscript};1", 4: FAMILY, 6: postscript}
    for record in font["name"].names:
        record.string = names.get(record.nameID, record.string)
    top = font["CFF "].cff
    top.fontNames = [postscript]
    top[0].FamilyName, top[0].FullName = FAMILY, FAMILY


def main() -> None:
    """Write the font next to its licence."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("collection", type=Path, help="NotoSansCJK-Regular.ttc")
    collection = TTCollection(parser.parse_args().collection)
    font = next(face for face in collection if face["name"].getDebugName(1) == FACE)
    font.recalcTimestamp = False  # the same input gives the same bytes
    subset(font)
    rename(font)
    OUTPUT.mkdir(exist_ok=True)
    path = OUTPUT / "AnnotatedSansKR-Regular.otf"
    font.save(path)
    characters = len(font.getBestCmap())
    print(f"{path.name}: {path.stat().st_size:,} bytes, {characters:,} characters")


if __name__ == "__main__":
    main()
