"""REPORT.md: how many mutants were caught, and why the others were not."""

import tomllib
from pathlib import Path

REASONS = Path(__file__).parent / "reasons.toml"
NO_REASON = "**no reason is given**"


def report(run: dict) -> str:
    """REPORT.md: the numbers of each module, and what was not caught, with the reason."""
    reasons = tomllib.loads(REASONS.read_text())["survivor"]
    reasons = {(r["module"], r["was"], r["now"]): r["reason"] for r in reasons}
    mutants = run["mutants"]
    left = [mutant for mutant in mutants if not mutant["caught"]]
    share = 1 - len(left) / len(mutants)
    again = f"What had survived was tried again with the tests of commit {run['again']}."
    lines = [
        "# Mutants",
        "",
        f"`make mutants` at commit {run['commit']}, seed {run['seed']}: of "
        f"{len(mutants)} mutants the tests caught {len(mutants) - len(left)}, {share:.2%}.",
        again if run["again"] not in ("", run["commit"]) else "",
        "",
        "| module | changes there are | drawn | caught |",
        "| --- | --- | --- | --- |",
    ]
    for module, size in run["pool"].items():
        drawn = [mutant["caught"] for mutant in mutants if mutant["module"] == module]
        lines.append(f"| {module} | {size} | {len(drawn)} | {sum(drawn)} |")
    lines += ["", "## Not caught", ""]
    for mutant in left:
        module, was, now = (mutant[name] for name in ("module", "was", "now"))
        reason = reasons.get((module, was, now), NO_REASON)
        lines += [f"{module}, line {mutant['line']}: {reason}", ""]
        lines += ["```diff", f"- {was}", f"+ {now}", "```", ""]
    return "\n".join(lines)
