"""Rules of the pages that keep us honest: the claims ledger, and where we differ."""

import ast
import re
from pathlib import Path

from prose import sections

VERDICTS = ("confirmed", "qualified", "refuted", "open")
VERDICT = re.compile(r"\*\*(?P<verdict>\w+)\.\*\*(?P<evidence>.*)", re.DOTALL)
TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
RECORD = re.compile(r"`(book/results/\w+\.json)`")
SHOWN = re.compile(r"\{(?:numref|prf:ref|eq|ref)\}`")
PARTS = ("The paper", "The released code", "Here", "Why", "Tests")


def claims(markdown: str) -> list[dict[str, str]]:
    """Return the rows of the claims ledger: claim, verdict and evidence."""
    return [
        {"claim": claim, **found.groupdict()}
        for section in sections(markdown)
        for claim, text in section.definitions
        if (found := VERDICT.match(text))
    ]


def ledger_has_evidence(markdown: str, root: Path) -> list[str]:
    """Every claim has a verdict that exists and evidence that runs; the table counts them right."""
    rows, wrong = claims(markdown), []
    for row in rows:
        verdict, evidence = row["verdict"].lower(), row["evidence"]
        if verdict not in VERDICTS:
            wrong.append(f"{row['claim']}: {verdict!r} is no verdict of {', '.join(VERDICTS)}")
        if not any(kind.search(evidence) for kind in (TEST, RECORD, SHOWN)):
            wrong.append(f"{row['claim']}: no test, record, figure or theorem")
    texts = [row["claim"] for row in rows]
    wrong += [f"{text}: claimed twice" for text in sorted(set(texts)) if texts.count(text) > 1]
    for verdict in VERDICTS:
        counted = sum(row["verdict"].lower() == verdict for row in rows)
        if f"| {verdict} | {counted} |" not in markdown:
            wrong.append(f"the table does not say that {counted} claims are {verdict}")
    return wrong + evidence_exists(markdown, root)


def differences_are_tested(markdown: str, root: Path) -> list[str]:
    """Every difference says what each side does, and why, and names tests that exist."""
    wrong = []
    for section in sections(markdown):
        title, parts = section.title, dict(section.definitions)
        if section.level != 2:
            continue
        if tuple(parts) != PARTS:
            wrong.append(f"{title}: the parts are {tuple(parts)}, not {PARTS}")
        elif not TEST.search(parts["Tests"]):
            wrong.append(f"{title}: no test")
    return wrong + evidence_exists(markdown, root)


def evidence_exists(markdown: str, root: Path) -> list[str]:
    """Every test and record that a page names is there."""
    wrong = []
    for file, test in TEST.findall(markdown):
        path = root / file
        tree = ast.parse(path.read_text(encoding="utf-8") if path.is_file() else "")
        if test not in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}:
            wrong.append(f"there is no {file}::{test}")
    missing = (name for name in RECORD.findall(markdown) if not (root / name).is_file())
    return wrong + [f"there is no {name}" for name in missing]
