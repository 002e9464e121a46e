"""What ViT needs in labels: equal runs of ViT, ViT without positions, and a convolutional network.

    python -m experiments.family.vit

Handwritten digits, 50, 200 or 1,000 of them with their labels, drawn anew for each seed. Every
contestant takes as many updates, on the same batches, without augmentation. Each is trained with
several learning rates, and the one that does best on 297 images beside is scored on the test split.
"""

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import torch

from annotated_transformer.family import ViT
from annotated_transformer.family.member import Member
from annotated_transformer.records import RESULTS, Measurement
from experiments.family.digit_runs import (
    ALL,
    accuracy,
    batches,
    chosen,
    cnn,
    signature,
    trained,
    vit_config,
)
from experiments.programs import command_of, parser_of, run

CONTESTANTS: dict[str, Callable[[], Member]] = {
    "ViT": lambda: ViT(vit_config()),
    "ViT without positions": lambda: ViT(vit_config(positions="none")),
    "CNN": cnn,
}


def compare(
    n_labels: int, seed: int, updates: int, rates: Sequence[float]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Scores and curves of all contestants, each with the rate that served it best."""
    data = chosen(n_labels, seed)
    scores, curves = [], []
    for name, make in CONTESTANTS.items():
        runs = {}
        for rate in rates:
            order = torch.Generator().manual_seed(seed)
            examples = batches(data.train, updates, order)
            runs[rate] = trained(make, examples, seed=seed, rate=rate)
        valid = {rate: accuracy(found.model, data.valid) for rate, found in runs.items()}
        best = max(rates, key=lambda rate: valid[rate])
        tags = {"contestant": name, "labels": n_labels, "seed": seed}
        for split, images in data._asdict().items():
            value = accuracy(runs[best].model, images)
            how = signature([f"{len(images[0])} digits", f"rate {best} of {len(rates)}"])
            entry = {"split": split, "metric": "accuracy", "value": value, "signature": how}
            scores.append(tags | entry)
        curves += [tags | {"rate": best} | entry for entry in runs[best].curve]
        print(f"{tags}: {scores[-1]['value']} %, rate {best}", flush=True)
    return scores, curves


def main(arguments: Sequence[str] | None = None) -> None:
    """Carry out all runs and write their record."""
    options = parser_of("family.vit", __doc__)
    options.set_defaults(out=RESULTS / "vit.json")
    options.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    options.add_argument("--labels", type=int, nargs="+", default=[50, 200, ALL])
    options.add_argument("--updates", type=int, default=1_000, help="default 1,000")
    options.add_argument("--rates", type=float, nargs="+", default=[3e-4, 1e-3, 3e-3])
    given = options.parse_args(arguments)
    measurement = Measurement("vit", out=given.out)
    scores: list[dict[str, Any]] = []
    curve: list[dict[str, Any]] = []
    for n_labels, seed in product(given.labels, given.seeds):
        found, losses = compare(n_labels, seed, given.updates, given.rates)
        scores, curve = scores + found, curve + losses
    elsewhere = {} if given.out == RESULTS / "vit.json" else {"out": given.out}
    measurement.write(
        given.out,
        command=command_of(
            "family.vit",
            seeds=given.seeds,
            labels=given.labels,
            updates=given.updates,
            rates=given.rates,
            **elsewhere,
        ),
        seed=given.seeds,
        parameters={
            name: sum(p.numel() for p in make().parameters()) for name, make in CONTESTANTS.items()
        },
        scores=scores,
        curve=curve,
    )


if __name__ == "__main__":
    run(main)
