"""The rows of the claims ledger: what they hold, which verdict follows, and what the page shows.

The data is `book/claims.toml`. A row says who makes a claim and what evidence we have, in lists by
the direction in which it points. Nobody types a verdict: `verdict` is the one rule, and `RULE` says
it in words on the page.
"""

import ast
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from pathlib import Path

DIRECTIONS = {
    "supports": "For it",
    "limits": "Limits",
    "contradicts": "Against it",
    "undecided": "Not decided by",
}
QUANTIFIERS = ("always", "usually", "at this size")
# What a kind of evidence can do: a proof and a test hold for more than the runs that were made.
PROOFS = ("theorem", "equation")
ARGUMENTS = (*PROOFS, "test", "publication")
RULE = {
    "confirmed": "Somebody says that it holds always, a theorem or an equation of this book and a "
    "test support it, or a test that is itself the argument, and nothing limits it.",
    "qualified": "Somebody says it, nothing contradicts it as a whole, but it has a condition, or "
    "evidence limits it, or it holds usually or at this size, or it was only seen: in runs, which "
    "are at most this however many they are.",
    "refuted": "Somebody says it, nothing here supports it, and there is a counterexample: a "
    "theorem, a test, a place in the paper itself or another publication, or, where the claim is "
    "that it holds always, a record.",
    "open": "Somebody says it, and our evidence points both ways, or cannot tell, or is a record "
    "against what is said to hold usually. The row says what would decide.",
    "ours": "The row cites nobody who says it: it is a statement of this book. It is "
    "*proved* by a theorem or an equation with a test, *tested* by a test alone, and otherwise "
    "*measured* or *derived*, as its evidence says.",
}
TEST = re.compile(r"(tests/[\w/]+\.py)::(\w+)")
RECORD = re.compile(r"book/results/\w+\.json")
CITED = re.compile(r"([a-z]\w*\d\w*): (.+)")
LABELS = {"thm": "theorem", "eq": "equation", "fig": "figure", "ex": "exercise"}
LABELLED = re.compile(r"(thm|eq|fig|ex)-[\w-]+")
NAMED = re.compile(r"(section|claim):([\w-]+)")
DEFINED = re.compile(
    r"\$\$ \(([\w-]+)\)|^:(?:label|name): ([\w-]+)|^\(([\w-]+)\)=|^#+ .*\{#([\w-]+)\}", re.MULTILINE
)


@dataclass(frozen=True)
class Evidence:
    """An address, the kind of what is there, and the parts of the address."""

    address: str
    kind: str
    parts: tuple[str, ...]


def evidence(address: str) -> Evidence:
    """Read an address; its kind is "unknown" where it has no form that we know."""
    if found := TEST.fullmatch(address):
        return Evidence(address, "test", found.groups())
    if RECORD.fullmatch(address):
        return Evidence(address, "record", (address,))
    if found := LABELLED.fullmatch(address):
        return Evidence(address, LABELS[found[1]], (address,))
    if found := NAMED.fullmatch(address):
        return Evidence(address, found[1], (found[2],))
    if found := CITED.fullmatch(address):
        return Evidence(address, "publication", found.groups())
    return Evidence(address, "unknown", (address,))


@dataclass(frozen=True, kw_only=True)
class Row:
    """A claim with who makes it, how far it is said to reach, and the evidence.

    `who` and publications are written "key: place", with a key of the bibliography.
    """

    claim: str
    section: str
    says: str
    who: tuple[str, ...] = ()
    quantifier: str = ""
    condition: str = ""
    would_decide: str = ""
    test_is_the_argument: bool = False
    supports: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()

    def evidence(self, *directions: str) -> list[Evidence]:
        """Return the evidence of some directions, or of all."""
        wanted = directions or tuple(DIRECTIONS)
        return [evidence(address) for name in wanted for address in getattr(self, name)]

    def kinds(self, *directions: str) -> set[str]:
        """Return the kinds of evidence in some directions."""
        return {found.kind for found in self.evidence(*directions)}


def verdict(row: Row) -> str:
    """Return what the evidence makes of a claim; `RULE` says it in words."""
    if not row.who:
        return "ours"
    if row.undecided or (row.supports and row.contradicts):
        return "open"
    if row.contradicts:
        decisive = row.kinds("contradicts") & set(ARGUMENTS) or row.quantifier == "always"
        return "refuted" if decisive else "open"
    if row.limits or row.condition or row.quantifier != "always":
        return "qualified"
    return "confirmed" if strength(row) == "proved" or row.test_is_the_argument else "qualified"


def strength(row: Row) -> str:
    """Return how firmly the evidence supports a row."""
    kinds = row.kinds("supports")
    if "test" in kinds:
        return "proved" if kinds & set(PROOFS) else "tested"
    return "measured" if kinds & {"record", "figure", "claim"} else "derived"


def read_rows(path: Path) -> list[Row]:
    """Read the data; a key that a row does not have, or lacks, is named with the row."""
    known = {each.name for each in fields(Row)}
    rows = []
    for found in tomllib.loads(path.read_text(encoding="utf-8"))["row"]:
        name = found.get("claim", "a row without a claim")
        if unknown := sorted(set(found) - known):
            raise ValueError(f"{name}: rows have no key {', '.join(unknown)}")
        if missing := sorted({"claim", "section", "says"} - set(found)):
            raise ValueError(f"{name}: it has no {', '.join(missing)}")
        rows.append(Row(**{k: tuple(v) if isinstance(v, list) else v for k, v in found.items()}))
    return rows


@dataclass(frozen=True)
class Book:
    """What an address can lead to: the files, labels and keys of a checkout.

    `claims` says what stands behind an address such as claim:NAME; without it there is none.
    `titles` has titles of pages in another language, by the English ones.
    """

    root: Path
    claims: Callable[[str], str | None] | None = None
    titles: Mapping[str, str] = field(default_factory=dict)

    def title(self, label: str) -> str:
        """Return the title of the page that has a label, in the language of the edition."""
        return self.titles.get(self.labels[label], self.labels[label])

    @cached_property
    def keys(self) -> set[str]:
        """Return the keys of the bibliography."""
        text = (self.root / "book" / "references.bib").read_text(encoding="utf-8")
        return set(re.findall(r"^@\w+\{([^,\s]+),", text, re.MULTILINE))

    @cached_property
    def labels(self) -> dict[str, str]:
        """Return each label of a page with the title of that page."""
        found: dict[str, str] = {}
        for path in sorted((self.root / "book").glob("*.*")):
            for text, names in _texts(path):
                title = re.search(r"^# (.+)", text, re.MULTILINE)
                labels = [name for match in DEFINED.findall(text) for name in match if name]
                found |= dict.fromkeys([*labels, *names], title[1] if title else path.stem)
        return found

    def fault(self, found: Evidence) -> str | None:
        """Return what is wrong with an address; None where it leads somewhere."""
        missing = f"there is no {found.address}"
        match found.kind:
            case "test":
                return None if found.parts[1] in _functions(self.root / found.parts[0]) else missing
            case "record":
                return None if (self.root / found.address).is_file() else missing
            case "publication":
                return None if found.parts[0] in self.keys else f"no reference {found.parts[0]}"
            case "claim":
                known = self.claims is not None and self.claims(found.parts[0]) is not None
                return None if known else missing
            case "unknown":
                return f"{found.address!r} is no address of evidence"
        return None if found.parts[0] in self.labels else missing


@cache
def _functions(file: Path) -> set[str]:
    tree = ast.parse(file.read_text(encoding="utf-8") if file.is_file() else "")
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def _texts(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the Markdown of a page, and the names of figures that stand in the cells' metadata."""
    if path.suffix == ".md":
        yield path.read_text(encoding="utf-8"), []
    elif path.suffix == ".ipynb":
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        figures = (cell["metadata"].get("mystnb", {}).get("figure", {}) for cell in cells)
        names = [figure["name"] for figure in figures if "name" in figure]
        words = ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
        yield "\n\n".join(words), names


def faults(rows: Iterable[Row], book: Book) -> list[str]:
    """Return one sentence, which begins with the claim, for each thing that is wrong with a row."""
    wrong, seen = [], set()
    for row in rows:
        if row.claim in seen:
            wrong.append(f"{row.claim}: claimed twice")
        seen.add(row.claim)
        wrong += [f"{row.claim}: {fault}" for fault in _faults(row, book)]
    return wrong


def _faults(row: Row, book: Book) -> Iterator[str]:
    found = verdict(row)
    for author in row.who:
        cited = CITED.fullmatch(author)
        if cited is None:
            yield f"{author!r} is not written as a key and a place: 'someone2017: section 3'"
        elif cited[1] not in book.keys:
            yield f"no reference {cited[1]}"
    yield from filter(None, map(book.fault, row.evidence()))
    whose = {author.partition(":")[0] for author in row.who}
    own = any(address.parts[0] in whose for address in row.evidence("supports"))
    not_ours = row.quantifier or row.contradicts or row.undecided or not row.supports
    by_test = row.kinds("supports") & {"test"} and found == "confirmed"
    rules = {
        f"{found!r} is no verdict of {', '.join(RULE)}": found not in RULE,
        "it has no evidence": not row.evidence(),
        f"its quantifier is {row.quantifier!r}, not one of {', '.join(QUANTIFIERS)}": row.who
        and row.quantifier not in QUANTIFIERS,
        "nobody says it, so it is ours, with evidence for it and none against it": not row.who
        and not_ours,
        "it is qualified, and no condition says how far it holds": found == "qualified"
        and not row.condition,
        "it is qualified, and nothing supports any part of it": found == "qualified"
        and not row.supports,
        "it is supported by who says it": own,
        "what would decide belongs to rows that are open, and to all of them": (found == "open")
        != bool(row.would_decide),
        "a test is the argument of a row that is confirmed by a test, and of no other": (
            row.test_is_the_argument and not by_test
        ),
    }
    yield from (sentence for sentence, broken in rules.items() if broken)
