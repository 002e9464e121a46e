"""Keep the Korean edition in step: `make korean`, or `make korean PAGE=masks`.

    python book/_tools/korean.py [PAGE ...]           mark what is new, move what is kept
    python book/_tools/korean.py --check [PAGE ...]   name what is missing or wrong, change nothing

Without a page, those are meant that have a file in book/ko/. A unit whose English is on the page
keeps its Korean, wherever it moved. One that has none yet stands there in English, with the word
`new` in its mark: put Korean in its place and take the word away. What was translated from English
that is gone goes to the end of the file, to be used for what took its place; which words of the
English have changed is said, if git has the old ones.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator

import yaml

import extensions  # noqa: F401
from korean_changes import changes
from korean_numbers import unequal_numbers
from korean_rules import broken
from korean_units import (
    FOLDER,
    Korean,
    Unit,
    page,
    read_korean,
    units_of,
    words_of_row,
    write_korean,
)

# What the Korean of a unit must have as often as the English, whatever its order.
KINDS = {
    "label": r"^:label: *(\S+)|^\(([\w-]+)\)=|:name: *(\S+)",
    "citation": r"\{cite:[pt]\}`([^`]+)`",
    "reference": r"\{(?:numref|eq|ref|prf:ref|term)\}`(?:[^`<]*<)?([^`>]+)>?`",
    "claim": r"\{claim\}`[^`]*<([^`>]+)>`",
    "link": r"\]\(([^)\s]+)\)",
    "directive": r"^ *[`:]{3,}\{([\w:-]+)\}",
    "picture": r"src=\"([^\"]+)\"",
}
# What it must have, if not as often: a sentence may be divided.
SETS = {
    "formula": r"\$\$?([^$]+)\$\$?",
    "code": r"(?<!`)`([^`\n]+)`(?!`)",
    "element": r"<([a-z-]+)[ >]",
}
HEADING = re.compile(r"^(#{1,6}) ", re.MULTILINE)
ROLE = re.compile(r"\{[\w:]+\}`[^`]+`")


def found(pattern: str, text: str) -> Counter[str]:
    """Count what a pattern finds, spaces made one and words in formulas left out."""
    if pattern == SETS["code"]:
        text = ROLE.sub("", text)
    hits = re.findall(pattern, text, re.MULTILINE)
    texts = ("".join(hit) if isinstance(hit, tuple) else hit for hit in hits)
    plain = (re.sub(r"\\text\{[^}]*\}", r"\\text", each) for each in texts)
    return Counter(re.sub(r"\s+", " ", each).strip() for each in plain)


def unequal(unit: Unit, korean: str) -> Iterator[str]:
    """Yield a sentence for everything that one of the two has and the other has not."""
    if unit.kind == "figure":
        yield from unequal_figures(unit.english, korean)
        return
    if unit.kind == "row" and (keys := list(words_of_row(unit.english))) != [*words_of_row(korean)]:
        yield f"needs the paragraphs {', '.join(keys)}, in this order and no other"
    for kinds, as_often in ((KINDS, True), (SETS, False)):
        for kind, pattern in kinds.items():
            english, other = found(pattern, unit.english), found(pattern, korean)
            if not as_often:
                english, other = Counter(set(english)), Counter(set(other))
            yield from (f"{kind} {x[:60]!r} is not in the Korean" for x in english - other)
            yield from (f"{kind} {x[:60]!r} is not in the English" for x in other - english)
    levels = [[len(level) for level in HEADING.findall(t)] for t in (unit.english, korean)]
    if levels[0] != levels[1]:
        yield f"headings of levels {levels[0]} became {levels[1]}"
    yield from unequal_numbers(unit.english, korean)


def unequal_figures(english: str, korean: str) -> Iterator[str]:
    """The same for the words of a figure: the caption is Markdown, the alternative text is not."""
    here = yaml.safe_load(english)
    try:
        there = yaml.safe_load(korean)
    except yaml.YAMLError as error:
        yield f"is no YAML: {error}".replace("\n", " ")
        return
    if not isinstance(there, dict) or set(there) != set(here):
        yield f"needs the keys {', '.join(here)} and no other"
        return
    for key, text in here.items():
        if isinstance(text, list) != isinstance(there[key], list) or (
            isinstance(text, list) and len(text) != len(there[key])
        ):
            yield f"{key}: as many texts as in English, a list where that is one"
            continue
        texts = text if isinstance(text, list) else [text]
        others = there[key] if isinstance(text, list) else [there[key]]
        for one, other in zip(texts, others, strict=True):
            for sentence in unequal(Unit("text", one), str(other)):
                yield f"{key}: {sentence}"


def complaints(name: str) -> Iterator[str]:
    """Yield a sentence for everything that is wrong with the Korean of a page."""
    english = {unit.key: unit for unit in units_of(page(name))}
    korean = {each.key: each for each in read_korean(name)}
    for key, unit in english.items():
        start = unit.english.strip().split("\n")[0][:50]
        each = korean.get(key)
        if each is None:
            yield f"{name} {key}: no Korean for {start!r}; `make korean PAGE={name}` marks it"
        elif each.new:
            yield f"{name} {key}: not translated yet: {start!r}"
        else:
            yield from (f"{name} {key}: {sentence}" for sentence in unequal(unit, each.text))
            against = broken(each.text, figure=unit.kind == "figure", glossary=name == "glossary")
            yield from (f"{name} {key}: {sentence}" for sentence in against)
    for key in korean.keys() - english.keys():
        yield f"{name} {key}: the English has no such unit; `make korean PAGE={name}` shows it"


def bring_into_step(name: str) -> None:
    """Write the file of a page again, in the order of the English."""
    before = {each.key: each for each in read_korean(name)}
    units = list({unit.key: unit for unit in units_of(page(name))}.values())
    after = [before.pop(u.key, None) or Korean(u.key, u.english, new=True) for u in units]
    old = [each for each in before.values() if not each.new]
    write_korean(name, [*after, *old])
    new = sum(each.new for each in after)
    waiting = [unit for unit, each in zip(units, after, strict=True) if each.new]
    for line in changes(page(name), [each.key for each in old], waiting):
        print(line)
    print(f"{name}: {len(after)} units, {new} to translate, {len(old)} from English that is gone")


def main() -> int:
    """Run the command. Returns 1 if something is wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pages", metavar="PAGE", nargs="*", help="the name of a page, as masks")
    parser.add_argument("--check", action="store_true", help="change nothing, name what is wrong")
    args = parser.parse_args()
    names = args.pages or sorted(path.stem for path in FOLDER.glob("[!_]*.md"))
    if args.check:
        wrong = [sentence for name in names for sentence in complaints(name)]
        print("\n".join(wrong), file=sys.stderr)
        return 1 if wrong else 0
    for name in names:
        bring_into_step(name)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
