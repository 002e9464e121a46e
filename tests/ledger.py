"""Rules of the page that says where we differ; the claims ledger has its own, in book/_ext."""

import re
from pathlib import Path

from ledger_rows import Book, evidence
from prose import sections

TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
RECORD = re.compile(r"`(book/results/\w+\.json)`")
PARTS = ("The paper", "The released code", "Here", "Why", "Tests")


def differences_are_tested(markdown: str, root: Path) -> list[str]:
    """Every difference says what each side does, and why, and names tests that exist."""
    wrong = []
    for section in sections(markdown):
        title, parts = section.title, dict(section.definitions)
        if section.level != 3:
            continue
        if tuple(parts) != PARTS:
            wrong.append(f"{title}: the parts are {tuple(parts)}, not {PARTS}")
        elif not TEST.search(parts["Tests"]):
            wrong.append(f"{title}: no test")
    return wrong + evidence_exists(markdown, root)


def evidence_exists(markdown: str, root: Path) -> list[str]:
    """Every test and record that a page names is there."""
    book = Book(root)
    named = ["::".join(test) for test in TEST.findall(markdown)] + RECORD.findall(markdown)
    return [fault for address in named if (fault := book.fault(evidence(address)))]
