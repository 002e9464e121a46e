"""Pictures of a page: files of their own that are loaded when they come near, with their size.

A stored picture stands in the page as data, which a reader would have to load with the text. The
size keeps the text below from moving when the picture arrives.
"""

import base64
import hashlib
import os
import re
import struct
from pathlib import Path

IMAGE = re.compile(r"<img [^>]*>")
WIDTH = re.compile(r' width="(\d+)"| style="width: (\d+)px;"')
"""Of a chart, and of what matplotlib has drawn for a page."""
SOURCE = re.compile(r' src="([^"]*)"')
DATA = "data:image/png;base64,"
PNG = b"\x89PNG\r\n\x1a\n"
READABLE = 0.85
"""Of its size a picture keeps at least so much, and its letters, of 13 pixels or more, are read."""
PHONE = 350
"""Pixels that a phone has for a picture."""


def proportions(png: bytes, width: int) -> str:
    """Return width and height in CSS pixels."""
    own_width, own_height = struct.unpack(">II", png[16:24])
    return f'width="{width}" height="{round(width * own_height / own_width)}"'


def scrolled(tag: str, width: int) -> str:
    """Return a picture that keeps a size at which it is read, in a box that scrolls on a phone.

    The box is of the theme's class for tables, so that its script lets the Tab key reach it.
    """
    if (least := round(READABLE * width)) <= PHONE:
        return tag
    tag = tag.replace("<img ", f'<img style="--at-least: {least}px" ', 1)
    return f'<div class="pst-scrollable-table-container">{tag}</div>'


def lazy_pictures(html: str, page: Path, root: Path) -> str:
    """Return a page whose PNGs are files beside the book's other images and are loaded late."""

    def rewrite(match: re.Match[str]) -> str:
        tag = match[0]
        source = SOURCE.search(tag)
        if source is None or 'loading="' in tag:
            return tag
        address, data = source[1], b""
        if address.startswith(DATA):
            data = base64.b64decode(address.removeprefix(DATA))
            file = root / "_images" / f"{hashlib.sha256(data).hexdigest()[:32]}.png"
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(data)
            address = Path(os.path.relpath(file, page.parent)).as_posix()
        elif (file := page.parent / address).is_file():
            data = file.read_bytes()
        if not data.startswith(PNG):
            return tag
        wanted = WIDTH.search(tag)
        width = int(wanted[1] or wanted[2]) if wanted else int.from_bytes(data[16:20], "big")
        size = proportions(data, width)
        tag = WIDTH.sub("", tag).replace(source[0], f' src="{address}" loading="lazy" {size}')
        chart_or_figure = (wanted and wanted[1]) or "_images/" not in address
        return tag if chart_or_figure else scrolled(tag, width)

    return IMAGE.sub(rewrite, html)
