"""The Korean words of a page's outputs: of its charts, its tables, its pictures and drawings.

The words of a page lie in `book/ko/outputs/NAME.yml`, those that several pages have in
`book/ko/outputs/_shared.yml`, and the sentences of claims in `book/ko/outputs/_claims.yml`:

    words:
      "head {0}": 헤드 {0}
    keep: [adaLN, softmax]
    pictures: {}

{0}, {1} ... stand for the numbers of an English text. `keep` are the words that stay: names, and
tokens of a model; `pictures` are more words, of pictures and drawings alone. A page asks for a text
in this order: as it is, with its numbers left open, before and after a colon, and in parts between
commas.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

import yaml

BOOK = Path(__file__).parents[1]
FOLDER = BOOK / "ko" / "outputs"
SHARED, CLAIMS = "_shared", "_claims"
NUMBER = re.compile(r"(?<![\w.])[-+\u2212]?\d+(?:[.,]\d+)*(?!\w)")
PLACE = re.compile(r"\{(\d+)\}")
WORD = re.compile(r"[A-Za-z]{2}")
TOKEN = re.compile(r"▁\S*|<\S+>")
FORMULA = re.compile(r"\$[^$]*\$")


@dataclass
class Words:
    """What a page's outputs say in Korean; a text that it has no Korean for is `missing`.

    `page` is the name of the page, which its pictures are stored by.
    """

    korean: dict[str, str]
    keep: set[str] = field(default_factory=set)
    missing: dict[str, None] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    page: str = ""

    def find(self, text: str) -> str | None:
        """Return the Korean of a text, or None if it has none."""
        numbers = NUMBER.findall(text)
        for key in (text, opened(text)):
            if key in self.korean:
                self.used.add(key)
                return PLACE.sub(lambda place: numbers[int(place[1])], self.korean[key])
            if key in self.keep:
                self.used.add(key)
                return text
        return self._in_parts(text)

    def _in_parts(self, text: str) -> str | None:
        """Return the Korean of what a colon or commas part, if each part has some."""
        head, _, rest = text.partition(": ")
        if rest and head in self.korean and (found := self.find(rest)) is not None:
            self.used.add(head)
            return f"{self.korean[head]}: {found}"
        parts = text.split(", ")
        if len(parts) == 1:
            return None
        each = [self.find(part) if WORD.search(part) else part for part in parts]
        if None in each:
            return None
        return ", ".join(part for part in each if part is not None)

    def say(self, text: str) -> str:
        """Return the Korean of a text, or the text itself if it has none."""
        plain = text.strip()
        if not plain or TOKEN.fullmatch(plain):
            return text
        found = self.find(plain)
        if found is None:
            if WORD.search(FORMULA.sub("", plain)):
                self.missing[plain] = None
            return text
        return text.replace(plain, found)


def opened(text: str) -> str:
    """Return a text with {0}, {1} ... for its numbers."""
    numbers = iter(range(len(text)))
    return NUMBER.sub(lambda _: f"{{{next(numbers)}}}", text)


def words_of(name: str, *, pictures: bool = False) -> Words:
    """Return the words of a page's outputs, with those that several pages have.

    pictures: with those of the pictures and drawings alone.
    """
    words = Words({}, page=name)
    for path in files_of(name):
        found = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
        words.korean |= found.get("words") or {}
        words.keep |= set(found.get("keep") or [])
        if pictures:
            words.korean |= found.get("pictures") or {}
    return words


def files_of(name: str) -> list[Path]:
    """Return the files with the words of a page's outputs."""
    paths = (FOLDER / f"{file}.yml" for file in (SHARED, CLAIMS, name))
    return [path for path in paths if path.is_file()]
