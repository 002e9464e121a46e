"""Records that live figures show, as scripts: a page opened from a folder reads nothing else."""

import json
from pathlib import Path

RECORDS = {"training": "translations_in_training"}
"""The record of each figure that shows one. Of several seeds it shows the first."""
SHOWN = {
    "rows": ("step", "averaged", "valid_loss", "valid_accuracy", "found", "translations"),
    "scores": ("value", "signature"),
    "curve": ("step", "loss", "learning_rate"),
}


def record_script(name: str) -> str:
    """Return the script that hands a record to its figure, as it was measured."""
    # Imported here, because a build of another format has no need of PyTorch.
    from annotated_transformer.lab.records import record  # noqa: PLC0415

    found = record(name)
    seed, shown = found["seed"][0], {"sentences": found["sentences"]}
    for field, keys in SHOWN.items():
        wanted = {"metric": "exact_match"} if field == "scores" else {}
        entries = found.entries(field, seed=seed, **wanted)
        shown[field] = [{key: entry[key] for key in keys} for entry in entries]
    text = json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
    return f"(AnnotatedTransformer.records ??= {{}}).{name} = {text};\n"


def write_records(folder: Path) -> None:
    """Write the scripts of all records that figures show."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in RECORDS.values():
        (folder / f"{name}.js").write_text(record_script(name), encoding="utf-8")
