"""What a picture says of itself: notes in a PNG, which nobody sees and a test can read."""

import json
from pathlib import Path
from typing import Any

from PIL import Image
from PIL.PngImagePlugin import PngInfo

KEY = "notes"


def noted(**notes: Any) -> PngInfo:
    """Return notes, values of JSON, as Pillow stores them with a picture."""
    info = PngInfo()
    info.add_itxt(KEY, json.dumps(notes, ensure_ascii=False, sort_keys=True), zip=True)
    return info


def notes(path: Path) -> dict[str, Any]:
    """Return the notes of a picture. Raises KeyError for one that has none."""
    with Image.open(path) as image:
        image.load()  # what stands behind the pixels, too
        found: dict[str, Any] = json.loads(image.info[KEY])
        return found
