"""The Markdown of the claims ledger: its counts, its rule, and its rows as definitions."""

import re
from collections.abc import Callable

from ledger_rows import CITED, DIRECTIONS, RULE, Book, Evidence, Row, strength, verdict
from words import say

BLOCK = re.compile(r"^```\{ledger\} *(.*)\n```$", re.MULTILINE)
ROLES = {
    "theorem": "{{prf:ref}}`{}`",
    "equation": "{{eq}}`{}`",
    "figure": "{{numref}}`{}`",
    "exercise": "{{ref}}`{}`",
}


def written(markdown: str, rows: list[Row], book: Book, link: Callable[[Evidence], str]) -> str:
    """Replace the blocks {ledger} of a page: counts, rule, or the name of a section.

    `link` returns the Markdown of a link to a test or a record.
    """

    def block(found: re.Match[str]) -> str:
        match found[1]:
            case "counts":
                return counts(rows)
            case "rule":
                return "\n".join(
                    f"- **{named(name)}**: {say(words)}" for name, words in RULE.items()
                )
        chosen = [row for row in rows if row.section == found[1]]
        if not chosen:
            raise ValueError(f"the ledger has no row in the section {found[1]!r}")
        return "\n\n".join(definition(row, book, link) for row in chosen)

    missing = {row.section for row in rows} - set(BLOCK.findall(markdown))
    if missing:
        raise ValueError(f"the page of the ledger lacks the sections {', '.join(sorted(missing))}")
    return BLOCK.sub(block, markdown)


def counts(rows: list[Row]) -> str:
    """Return the table of verdicts."""
    found = [verdict(row) for row in rows]
    lines = [f"| {say(name)} | {found.count(name)} |" for name in RULE]
    return "\n".join([f"| {say('verdict')} | {say('rows')} |", "| --- | ---: |", *lines])


def noted(words: str) -> str:
    """Return the words that a list of evidence begins with."""
    return say("*{words}:*", words=say(words))


def named(verdict: str) -> str:
    """Return a verdict as it begins a sentence."""
    return say(verdict).capitalize()


def definition(row: Row, book: Book, link: Callable[[Evidence], str]) -> str:
    """Return a row as a definition: the claim, its verdict with words, and what it rests on."""
    found = verdict(row)
    word = named(found)
    if found == "ours":
        word = say("Ours, {strength}", strength=say(strength(row)))
    notes = []
    if row.who:
        said = "; ".join(cited(author) for author in row.who)
        notes.append(
            say(
                "*Said by* {who}, *to hold* {quantifier}.", who=said, quantifier=say(row.quantifier)
            )
        )
    if row.condition:
        notes.append(say("*Condition:* {condition}.", condition=row.condition))
    if row.would_decide:
        notes.append(say("*What would decide:* {words}.", words=row.would_decide))
    for name, words in DIRECTIONS.items():
        shown = [_shown(found, book, link) for found in row.evidence(name)]
        # A computed claim names its record; then the record need not follow by itself.
        if once := [x for i, x in enumerate(shown) if not any(x in y for y in shown[:i])]:
            notes.append(f"{noted(words)} {', '.join(once)}.")
    return f"{row.claim}\n: **{word}.** {row.says}\n\n  {{.at-ledger}}\n  {' '.join(notes)}"


def cited(author: str) -> str:
    """Return "key: place" as a citation with the place behind it."""
    key, place = CITED.fullmatch(author).groups()
    return f"{{cite:t}}`{key}`, {place}"


def _shown(found: Evidence, book: Book, link: Callable[[Evidence], str]) -> str:
    name = found.parts[0]
    if found.kind in ROLES:
        shown = ROLES[found.kind].format(name)
        return say("equation {role}", role=shown) if found.kind == "equation" else shown
    if found.kind == "section":
        return f"{{ref}}`{book.title(name)} <{name}>`"
    if found.kind == "publication":
        return cited(found.address)
    if found.kind == "claim":
        return str(book.claims(name)) if book.claims else found.address
    return link(found)
