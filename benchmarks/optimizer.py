"""What the constants of section 5.3 do: a short run, and the same run with one of them changed.

    python -m benchmarks.optimizer

Each run is the recipe `english_korean_live` up to twice its warm-up, without a final evaluation.
Two runs have no warm-up: one starts at the peak that the recipe climbs to, the other follows the
falling arm of the schedule from its beginning and joins the recipe's rate when the warm-up ends.
"""

import argparse
import tempfile
import time
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

import torch

from annotated_transformer import load_recipe, train
from annotated_transformer.training.record import commit, machine, write_record

WARMUP = 300
CHANGES = {
    "as the recipe": [],
    "no warm-up, same peak": ["warmup_steps=1", f"learning_rate_scale={WARMUP**-0.5}"],
    "no warm-up, same later rate": ["warmup_steps=1"],
    "beta 2 of 0.999": ["adam_beta2=0.999"],
    "epsilon of 1e-8": ["adam_epsilon=1e-8"],
}


def run_once(change: str, seed: int, steps: int) -> dict[str, Any]:
    """Train once and return the record of the run."""
    recipe = load_recipe(
        "english_korean_live",
        [
            f"seed={seed}",
            f"training.warmup_steps={WARMUP}",
            *(f"training.{setting}" for setting in CHANGES[change]),
            f"training.steps={steps}",
            "training.log_every=25",
            "training.validate_every=100",
            "evaluation.splits=[]",
        ],
    )
    with tempfile.TemporaryDirectory() as directory:
        return train(recipe, Path(directory) / "run", progress=False, device="cpu").record


def main() -> None:
    """Carry out all runs and write their record."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--steps", type=int, default=2 * WARMUP)
    parser.add_argument("--out", type=Path, default=Path("book/results/optimizer.json"))
    given = parser.parse_args()
    version, started, began = commit(), datetime.now(UTC), time.monotonic()
    curve: list[dict[str, Any]] = []
    for seed, change in product(given.seeds, CHANGES):
        result = run_once(change, seed, given.steps)
        curve += [{"change": change, "seed": seed, **entry} for entry in result["curve"]]
        print(f"{change}, seed {seed}: {curve[-1]['valid_loss']:.3f} nats", flush=True)
    seeds = " ".join(map(str, given.seeds))
    record = {
        "benchmark": "optimizer",
        "recipe": result["recipe"],
        "command": f"python -m benchmarks.optimizer --seeds {seeds} --steps {given.steps}",
        "commit": version,
        "machine": machine(torch.device("cpu")),
        "seed": given.seeds,
        "started": started.isoformat(timespec="seconds"),
        "wall_seconds": round(time.monotonic() - began, 1),
        "parameters": result["parameters"],
        "scores": [],
        "changes": CHANGES,
        "curve": curve,
    }
    write_record(given.out, record)


if __name__ == "__main__":
    main()
