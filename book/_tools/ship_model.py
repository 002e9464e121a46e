"""Put the model of a finished run into the package, with its card: `make model`.

Usage: ship_model.py RUN. The model gets the name of the run's recipe.
"""

import json
import shutil
import sys
from pathlib import Path

from annotated_transformer.records import write_record
from annotated_transformer.serving.provenance import objection
from annotated_transformer.serving.storage import MODEL_FILES, WORDS, load_model
from annotated_transformer.training.run.card import model_card

ROOT = Path(__file__).resolve().parents[2]
LARGEST = 8_000_000
"""Bytes that a model may add to the package."""


def ship(run: Path, models: Path, results: Path) -> Path:
    """Copy a run's model and card into the package and its record into the book.

    Raises:
        ValueError: nobody could make the run's record again, or the model is too large for the
            package.
    """
    record = json.loads((run / "record.json").read_text("utf-8"))
    if why := objection(record["recipe"], record):
        raise ValueError(f"the record of {run} is refused: {why}")
    load_model(run)  # refuses what is incomplete or corrupt
    files = sorted(path for path in (run / "model").iterdir() if path.name in {*MODEL_FILES, WORDS})
    size = sum(path.stat().st_size for path in files)
    if size > LARGEST:
        raise ValueError(f"the model in {run} has {size:,} bytes, the package takes {LARGEST:,}")
    target = models / record["recipe"]
    target.mkdir(parents=True, exist_ok=True)
    for path in files:
        shutil.copyfile(path, target / path.name)
    (target / "README.md").write_text(model_card(record), "utf-8")
    write_record(results / f"{record['recipe']}.json", record)
    return target


if __name__ == "__main__":
    try:
        print(ship(Path(sys.argv[1]), ROOT / "annotated_transformer/models", ROOT / "book/results"))
    except (OSError, ValueError) as error:
        sys.exit(f"ship_model.py: {error}")
