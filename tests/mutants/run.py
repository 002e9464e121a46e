"""Mutation testing: change the code in one place, and see whether a test notices.

`make mutants` draws some of the changes that cosmic-ray can make to the modules named in
mutants.toml (draw.py), makes one after the other in a clone of the last commit, and runs the tests
of that module. REPORT.md says how many were caught and lists the others with the reasons of
reasons.toml. Each mutant gets a fork of a process that has loaded PyTorch already: that saves most
of the time.
"""

import argparse
import importlib
import json
import os
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import hypothesis
import pytest
import torch
from report import NO_REASON, report

HERE = Path(__file__).resolve().parent
KEPT = HERE.parents[1] / ".mutants"  # the tool, the clone, and the results of the last run
SETTINGS = tomllib.loads((HERE / "mutants.toml").read_text())
PACKAGE = "annotated_transformer/"
OPTIONS = "-x -q --assert=plain -p no:cacheprovider -p no:nbval --hypothesis-profile=mutants"
# An example that fails is enough, nobody reads the smallest one; and the same ones in each run.
PHASES = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
PROFILE = {"deadline": None, "derandomize": True, "database": None, "phases": PHASES}
hypothesis.settings.register_profile("mutants", **PROFILE)
# What all forks have from the start, the half of PyTorch included that a comparison loads.
for name in ("beartype", "jaxtyping", "sacrebleu", "safetensors.torch", "sentencepiece"):
    importlib.import_module(name)
torch.set_num_threads(1)
torch.testing.assert_close(torch.ones(1), torch.ones(1))


def passes(*modules: str) -> bool:
    """Run the tests of these modules in a child, which loads the package for itself."""
    child = os.fork()
    if child == 0:
        os.setsid()
        signal.alarm(len(modules) * SETTINGS["seconds"])  # ends a child that hangs
        log = os.open(KEPT / "log", os.O_CREAT | os.O_TRUNC | os.O_WRONLY)
        os.dup2(log, 1)
        os.dup2(log, 2)
        tests = " ".join(SETTINGS["tests"][module] for module in modules).split()
        slow = [f"--deselect=tests/{name}" for name in SETTINGS["slow"]]
        paths = [f"tests/{name}" for name in dict.fromkeys(tests)]
        os._exit(pytest.main([*OPTIONS.split(), *slow, *paths]))
    return os.waitpid(child, 0)[1] == 0


def test(mutants: list[dict], run: dict) -> None:
    """Say of each whether it was caught, after a run of all the tests on the code as it is."""
    sys.dont_write_bytecode = False  # what is compiled now serves all mutants
    if not passes(*{mutant["module"]: None for mutant in mutants}):
        raise SystemExit(f"the tests fail without any mutant, see {KEPT / 'log'}")
    sys.dont_write_bytecode = True
    for number, mutant in enumerate(mutants, 1):
        path, start = Path(PACKAGE + mutant["module"]), time.monotonic()
        before = path.read_text()
        path.write_text(mutant["text"])
        mutant["caught"] = not passes(mutant["module"])
        path.write_text(before)
        outcome = "caught" if mutant["caught"] else "SURVIVED"
        place = f"{mutant['module']}:{mutant['line']}  {mutant['now']}"
        took = f"{time.monotonic() - start:.0f} s"
        print(f"{number}/{len(mutants)} {outcome} {took}  {place}", flush=True)
        (KEPT / "results.json").write_text(json.dumps(run))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Test the tests with mutants of the code.")
    parser.add_argument("--size", type=int, default=SETTINGS["mutants"], help="how many mutants")
    parser.add_argument("--survivors", action="store_true", help="only those of the last run")
    parser.add_argument("--report", action="store_true", help="only write the report again")
    args = parser.parse_args()
    KEPT.mkdir(exist_ok=True)
    sys.path.extend(map(str, KEPT.glob("tool/lib/*/site-packages")))
    clone = KEPT / "clone"
    subprocess.run(["rm", "-rf", clone], check=True)
    subprocess.run(["git", "clone", "-q", HERE.parents[1], clone], check=True)
    os.chdir(clone)
    sys.path.insert(0, str(clone))
    os.environ["PYTHONPATH"] = str(clone)
    commit = subprocess.check_output(["git", "rev-parse", "--short", "HEAD"], text=True).strip()
    if args.survivors or args.report:
        run = json.loads((KEPT / "results.json").read_text())
        code = [PACKAGE + module for module in SETTINGS["tests"]]
        subprocess.run(["git", "diff", "--exit-code", run["commit"], "--", *code], check=True)
    else:
        draw = importlib.import_module("draw")
        operators, seed = SETTINGS["operators"], SETTINGS["seed"]
        pool = {module: draw.mutants_of(module, operators) for module in SETTINGS["tests"]}
        sizes = {module: len(mutants) for module, mutants in pool.items()}
        run = {"commit": commit, "again": "", "seed": seed, "pool": sizes}
        run["mutants"] = draw.sample(pool, args.size, seed)
    if args.survivors:
        run["again"] = commit
    if not args.report:
        test([mutant for mutant in run["mutants"] if not mutant.get("caught")], run)
    text = report(run)
    (HERE / "REPORT.md").write_text(text)
    caught = sum(mutant["caught"] for mutant in run["mutants"]) / len(run["mutants"])
    raise SystemExit(caught < SETTINGS["share"] or NO_REASON in text)
