"""Which pages use which claims, and whether what they print is what the records say."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from annotated_transformer.lab.evidence.registry import claim, claim_texts, other_rates

LOOKED_UP = re.compile(r"\bclaim\(\\?[\"'](\w+)\\?[\"']\)")
ROLE = re.compile(
    r"\{claim\}`(?P<text>[^`<]*?)\s*<(?P<name>\w+)(?::(?P<form>\w+))?(?:@(?P<case>[^>`]*))?>`"
)
"""A claim in prose: its text, and from which claim, form and case it was computed."""
SOURCES = ("*.ipynb", "*.md", "*.toml")
LEDGER = "claims"


@dataclass(frozen=True)
class Mention:
    """A claim in prose, `` {claim}`6.5 times <cache_is_faster:value@tokens=64>` ``."""

    text: str
    name: str
    form: str
    case: dict[str, str | int | float | bool]

    def computed(self) -> str:
        """Return what it has to say.

        Raises:
            KeyError: there is no such claim.
            ValueError: the claim does not hold as often as it says, has no
                such form or case, or its range is of leads over the best run alone.
        """
        found = claim(self.name)
        if found.against == "all" and self.form not in ("least", "leads", "count"):
            raise ValueError(
                f"claim {self.name!r} compares each run with each, and its numbers are leads over "
                f"the best run of the other side; for {self.form!r} write `least`, or `leads` "
                "where the sentence says over what"
            )
        return found.told(self.form, **self.case)

    def anew(self, text: str) -> str:
        """Return the mention as a page writes it, with this text."""
        form = "" if self.form == "full" else f":{self.form}"
        case = ",".join(f"{key}={value}" for key, value in self.case.items())
        return f"{{claim}}`{text} <{self.name}{form}{'@' if case else ''}{case}>`"


def mention(found: re.Match[str]) -> Mention:
    """Read a claim in prose from a match of `ROLE`."""
    # A comma may belong to a value: the way "explicit, kept".
    parts = re.split(r",(?=\s*\w+=)", found["case"] or "")
    pairs = [pair.split("=", 1) for pair in parts if "=" in pair]
    case = {key.strip(): _value(value.strip()) for key, value in pairs}
    return Mention(found["text"], found["name"], found["form"] or "full", case)


def mentions(text: str) -> Iterator[Mention]:
    """Yield the claims in prose."""
    return (mention(found) for found in ROLE.finditer(text))


def stale(text: str) -> list[str]:
    """Return what is wrong with the claims of a page, in sentences."""
    wrong = []
    for name in LOOKED_UP.findall(text):
        if name not in claim_texts():
            wrong.append(f"there is no claim {name!r}, which is looked up")
    for found in mentions(text):
        try:
            said = found.computed()
        except (KeyError, ValueError) as error:
            wrong.append(str(error))
            continue
        if found.text != said:
            wrong.append(
                f"claim {found.name!r} says {said!r}, and the page {found.text!r}; run "
                "python -m annotated_transformer.lab.evidence --write"
            )
    return wrong


def refreshed(text: str) -> str:
    """Return a page whose claims say what the records say today."""

    def once_more(found: re.Match[str]) -> str:
        known = mention(found)
        return known.anew(known.computed())

    return ROLE.sub(once_more, text)


def sources(book: Path) -> list[Path]:
    """Return the pages of a book, and its data."""
    return sorted(path for kind in SOURCES for path in book.glob(kind))


def uses(book: Path) -> dict[str, list[str]]:
    """Return for each claim the names of the pages and the data that name it."""
    found: dict[str, list[str]] = {name: [] for name in claim_texts()}
    for path in sources(book):
        text = path.read_text(encoding="utf-8")
        named = {*LOOKED_UP.findall(text), *(known.name for known in mentions(text))}
        if path.suffix == ".toml":  # the ledger names its evidence in plain words
            named |= set(re.findall(r"\w+", text)) & set(found)
        for name in sorted(named):
            found.setdefault(name, []).append(path.stem)
    # The ledger says of each of its claims what came out at other rates.
    for name in [name for name, named in found.items() if LEDGER in named]:
        for other in other_rates(name):
            found[other].append(LEDGER)
    return found


def _value(text: str) -> str | int | float | bool:
    if text in ("True", "False"):
        return text == "True"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
