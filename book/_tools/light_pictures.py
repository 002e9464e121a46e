"""A picture as it is stored: of few colours, so that two pixels for one of the page are light."""

import io

from PIL import Image
from PIL.PngImagePlugin import PngInfo

COLOURS = 128
FEW = 32
"""Colours of a picture that would be heavy with more: those that lie furthest apart."""
HEAVY = 90_000


def light(png: bytes, notes: PngInfo | None = None) -> bytes:
    """Return a PNG with few colours, or with all of its greys if it has no other colours.

    What is to be seen through it stays so. The greys may be the values of an image that is read
    back (korean_pictures.py). A picture that has few colours already stays as it is where it gets
    no notes.
    """
    with Image.open(io.BytesIO(png)) as image:
        if image.mode == "P" and notes is None:
            return png
        clear = image.convert("RGBA").getextrema()[3][0] < 255
        plain = image.convert("RGBA" if clear else "RGB")
    grey = plain.convert("LA" if clear else "L")
    if grey.convert(plain.mode).tobytes() == plain.tobytes():
        return _written(grey, notes)
    if clear:
        return _written(plain, notes)
    if len(found := _written(plain.quantize(COLOURS), notes)) <= HEAVY:
        return found
    return _written(plain.quantize(FEW, method=Image.Quantize.MAXCOVERAGE), notes)


def _written(image: Image.Image, notes: PngInfo | None) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True, pnginfo=notes)
    return file.getvalue()
