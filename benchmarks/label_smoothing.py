"""What label smoothing costs and gains: equal runs with and without it, over several seeds.

    python -m benchmarks.label_smoothing

Each run is the recipe `english_korean_live`, shortened, on the whole training split and on its
first pairs alone, where the model sees every sentence many times. Validation loss and accuracy are
those of the true tokens, smoothing left out; sentences are translated greedily. The record is
written anew after each seed, with the command that repeats what it holds by then.
"""

import argparse
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

import torch

from annotated_transformer import load_recipe, train
from annotated_transformer.training.record import commit, machine, write_record

SMOOTHINGS = (0.0, 0.1)


def run_once(seed: int, pairs: int, smoothing: float, steps: int) -> dict[str, Any]:
    """Train once and return the record of the run."""
    recipe = load_recipe(
        "english_korean_live",
        [
            f"seed={seed}",
            f"corpus.train_pairs={pairs}",
            f"training.label_smoothing={smoothing}",
            f"training.steps={steps}",
            "training.log_every=250",
            'evaluation.splits=["test"]',
            "evaluation.beam_size=1",
        ],
    )
    with tempfile.TemporaryDirectory() as directory:
        return train(recipe, Path(directory) / "run", progress=False, device="cpu").record


def runs_of_seed(seed: int, pairs: list[int], steps: int) -> Iterator[dict[str, Any]]:
    """Carry out the runs of one seed; their curves and scores say which run they belong to."""
    for train_pairs, smoothing in product(pairs, SMOOTHINGS):
        run = {"train_pairs": train_pairs, "label_smoothing": smoothing, "seed": seed}
        result = run_once(seed, train_pairs, smoothing, steps)
        for part in ("curve", "scores"):
            result[part] = [run | entry for entry in result[part]]
        exact = next(s["value"] for s in result["scores"] if s["metric"] == "exact_match")
        print(f"{run}: {exact} % exact, {result['curve'][-1]['valid_loss']:.3f} nats", flush=True)
        yield result


def main() -> None:
    """Carry out all runs and write their record."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--pairs", type=int, nargs="+", default=[0, 6_000], help="0 is all")
    parser.add_argument("--steps", type=int, default=1_000)
    parser.add_argument("--out", type=Path, default=Path("book/results/label_smoothing.json"))
    given = parser.parse_args()
    version, started, began = commit(), datetime.now(UTC), time.monotonic()
    results: list[dict[str, Any]] = []
    for done, seed in enumerate(given.seeds, start=1):
        results += runs_of_seed(seed, given.pairs, given.steps)
        options = {"seeds": given.seeds[:done], "pairs": given.pairs, "steps": [given.steps]}
        words = [f"--{name} {' '.join(map(str, values))}" for name, values in options.items()]
        record = {
            "benchmark": "label_smoothing",
            "recipe": results[0]["recipe"],
            "command": " ".join(["python -m benchmarks.label_smoothing", *words]),
            "commit": version,
            "machine": machine(torch.device("cpu")),
            "seed": given.seeds[:done],
            "started": started.isoformat(timespec="seconds"),
            "wall_seconds": round(time.monotonic() - began, 1),
            "parameters": results[0]["parameters"],
            "scores": [score for result in results for score in result["scores"]],
            "settings": results[0]["settings"],
            "curve": [entry for result in results for entry in result["curve"]],
        }
        write_record(given.out, record)


if __name__ == "__main__":
    main()
