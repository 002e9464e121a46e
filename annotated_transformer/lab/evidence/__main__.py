"""List every claim of the book, and what its records say of it.

python -m annotated_transformer.lab.evidence [--write] [--questions] [PAGE]
"""

import sys
from collections.abc import Sequence

from annotated_transformer.cli.arguments import Parser
from annotated_transformer.lab.evidence.pages import refreshed, sources, uses
from annotated_transformer.lab.evidence.registry import find
from annotated_transformer.lab.evidence.two_questions import is_training, rates, stopped
from annotated_transformer.lab.records import RESULTS, record
from annotated_transformer.lab.tables import Table
from annotated_transformer.storage.atomic import write_text


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; 1 if a claim does not hold as often as it says."""
    parser = Parser(prog="python -m annotated_transformer.lab.evidence", description=__doc__)
    parser.add_argument("page", nargs="?", help="claims of this page alone")
    parser.add_argument("--write", action="store_true", help="write their numbers on the pages")
    parser.add_argument("--questions", action="store_true", help="two questions of each training")
    options = parser.parse_args(argv)
    if options.write:
        for path in sources(RESULTS.parent):
            text = path.read_text(encoding="utf-8")
            if (anew := refreshed(text)) != text:
                write_text(path, anew)
                print(f"{path.name} has its numbers from today's records")
        return 0
    if options.questions:
        print_questions()
        return 0
    rows, broken = claim_rows(options.page)
    columns = ("claim", "record", "holds", "value", "verdict", "pages")
    print(Table(rows, dict.fromkeys(columns, "")))
    for line in broken:
        print(line, file=sys.stderr)
    return int(bool(broken))


def claim_rows(page: str | None = None) -> tuple[list[dict[str, str]], list[str]]:
    """Return a row for each claim, and a sentence for each that does not hold as it says."""
    rows, broken = [], []
    for name, pages in uses(RESULTS.parent).items():
        if page is not None and page not in pages:
            continue
        try:
            found = find(name)
            rows.append(
                {
                    "claim": name,
                    "record": ", ".join(each.name for each in found.records),
                    "holds": f"{found.count} of {found.repeats} {found.noun}s",
                    "value": found.told(),
                    "verdict": found.verdict,
                    "pages": ", ".join(pages),
                }
            )
            found.check()
        except (KeyError, ValueError) as error:
            broken.append(str(error))
    return rows, broken


def print_questions() -> None:
    """Print for each record of trained networks whether they had stopped, and the rates tried."""
    for path in sorted(RESULTS.glob("*.json")):
        found = record(path.stem)
        if is_training(found):
            print(f"{found.name}\n  has it stopped?")
            for line in stopped(found).lines():
                print(f"    {line}")
            print("  is it the rate?")
            for line in rates(found).lines():
                print(f"    {line}")


if __name__ == "__main__":
    raise SystemExit(main())
