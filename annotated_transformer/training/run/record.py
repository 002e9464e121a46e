"""The record of a run: what was run, where, and what came out (read by the book)."""

import json
import os
import platform
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from annotated_transformer.serving.atomic import write_text
from annotated_transformer.training.recipe import Recipe


def make_record(
    recipe: Recipe,
    *,
    command: str,
    version: str,
    device: torch.device,
    started: str,
    wall_seconds: float,
    curve: Sequence[dict[str, Any]],
    scores: Sequence[dict[str, Any]],
    parameters: int,
    best: dict[str, Any],
    averaged: dict[str, Any] | None = None,
    processes: int = 1,
) -> dict[str, Any]:
    """A run's record, ready for JSON.

    Args:
        recipe: its name becomes `recipe`, all its values `settings`.
        command: what repeats the run.
        version: the commit that was checked out when the run began.
        device: where the model was.
        started: the first sitting's beginning, in UTC, as ISO 8601 writes it.
        wall_seconds: training and validation, all sittings together.
        curve: the log.
        scores: objects with `split`, `metric`, `value` and `signature`.
        parameters: number of trainable values.
        best: step and `valid_loss` of the model in `checkpoints/best`.
        averaged: the steps whose mean the model is, and its validation; None for the last step.
        processes: how many trained together.
    """
    settings = recipe.to_dict()
    # Where the files lay on this machine says nothing to anyone else; their names do.
    settings["corpus"]["splits"] = {
        split: [path.name for path in paths]
        for split, paths in recipe.corpus.splits.items()
    }
    return {
        "recipe": recipe.name,
        "command": command,
        "commit": version,
        "machine": {**machine(device), "processes": processes},
        "seed": recipe.seed,
        "started": started,
        "wall_seconds": round(wall_seconds, 1),
        "parameters": parameters,
        "best": best,
        "averaged": averaged,
        "scores": list(scores),
        "settings": settings,
        "curve": list(curve),
    }


def write_record(path: Path, record: dict[str, Any]) -> None:
    """Write a record as JSON, whole or not at all, one entry of the curve per line."""
    entries = ",\n".join(
        f"    {json.dumps(entry)}" for entry in record["curve"]
    )
    rest = {key: value for key, value in record.items() if key != "curve"}
    head = json.dumps({**rest, "curve": []}, indent=2, ensure_ascii=False)
    text = head.removesuffix("[]\n}") + (
        f"[\n{entries}\n  ]\n}}\n" if entries else "[]\n}\n"
    )
    write_text(path, text)


def machine(device: torch.device) -> dict[str, Any]:
    """The machine that this program runs on."""
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else os.cpu_count(),
        "threads": torch.get_num_threads(),
        "gpu": torch.cuda.get_device_name(device)
        if device.type == "cuda"
        else None,
        "torch": torch.__version__,
        "python": platform.python_version(),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    names = [
        line.partition(":")[2].strip()
        for line in lines
        if line.startswith("model name")
    ]
    return names[0] if names else platform.processor() or platform.machine()


def commit() -> str:
    """The commit of the checkout that this package runs from, or "unknown" outside of one.

    "-dirty" at the end means that tracked files differed from that commit.
    """
    here = Path(__file__).parent
    try:
        # An installed package may lie inside some other project's checkout.
        _git(here, "ls-files", "--error-unmatch", Path(__file__).name)
        return _git(
            here,
            "describe",
            "--always",
            "--dirty",
            "--abbrev=40",
            "--exclude=*",
        )
    except (OSError, subprocess.SubprocessError):
        return "unknown"


def _git(directory: Path, *arguments: str) -> str:
    result = subprocess.run(
        ["git", *arguments],
        cwd=directory,
        capture_output=True,
        text=True,
        timeout=10,
        check=True,
    )
    return result.stdout.strip()
