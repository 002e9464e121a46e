"""The pictures of live figures in the Korean edition: what is read in one, and of what it is.

Nobody can read an English word out of a picture's pixels in a test. So a picture says in its own
file what was read in the figure when it was taken, what of that was marked as English, and of which
English picture it is.
"""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from PIL.PngImagePlugin import PngInfo

from live_rules import PICTURES, ROOT
from picture_notes import noted, notes

ENGLISH = ROOT / "book" / PICTURES
KOREAN = ENGLISH / "ko"
# Names that a Korean page has as they are, and a piece of a word that a chapter shows.
SAME = {
    *("FFN", "LayerNorm", "ReLU", "Post", "LN", "Pre", "minimal", "py", "forward", "Embedding"),
    *("d_model", "d_ff", "d_k", "d_v", "id", "cos", "log", "nat", "softmax", "bos", "eos", "pad"),
    *("it", "s", "ora"),
}
# The texts of a figure, and what of it is marked as English.
READ = """(figure) => {
    const seen = figure.querySelector('.live-stage'), said = [];
    const walker = document.createTreeWalker(seen, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement;
        if (!element.checkVisibility() || element.closest('[lang=en], code, script')) continue;
        if (node.textContent.trim()) said.push(node.textContent.trim());
    }
    const marked = [...seen.querySelectorAll('[lang=en]')].map((part) => part.textContent);
    return {said: [...new Set(said)], marked: [...new Set(marked)]};
}"""


@dataclass(frozen=True)
class Picture:
    """What a picture says of itself."""

    of: str
    said: list[str]
    marked: list[str]

    def english(self) -> list[str]:
        """Return the texts that are English."""
        return english_in(self.said, self.marked)


def english_in(said: list[str], marked: list[str]) -> list[str]:
    """Return the texts with English words that are neither names nor marked as English elsewhere.

    A token of the model begins with a mark.
    """
    known = set(re.findall("[A-Za-z]+", " ".join(marked))) | SAME
    return [text for text in said if set(re.findall(r"(?<!▁)\b[A-Za-z_]{2,}", text)) - known]


def hash_of(name: str) -> str:
    """Return the hash of the English picture of a name."""
    return hashlib.sha256((ENGLISH / name).read_bytes()).hexdigest()[:16]


def note(name: str, read: dict[str, list[str]]) -> PngInfo:
    """Return what is stored in a Korean picture: `read` is what READ has found."""
    return noted(of=hash_of(name), **read)


def picture(path: Path) -> Picture:
    """Return what a Korean picture says of itself. Raises KeyError if it says nothing."""
    return Picture(**notes(path))
