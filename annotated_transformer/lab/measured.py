"""Keep with a model what was measured of it (shipped.py reads it)."""

import json
from pathlib import Path

from annotated_transformer.decoding.doubt import Coverage
from annotated_transformer.saving import COVERAGE, THRESHOLD, model_directory
from annotated_transformer.storage.atomic import write_text
from annotated_transformer.storage.reading import entry, read_json


def store_threshold(directory: Path | str, threshold: float) -> None:
    """Write the threshold into config.json. Raises as `load_threshold` does."""
    path = model_directory(Path(directory)) / "config.json"
    description = read_json(path) | {THRESHOLD: threshold}
    write_text(path, json.dumps(description, indent=2) + "\n")


def store_coverage(directory: Path | str, coverage: Coverage) -> None:
    """Write what translations of source words have. Raises as `load_coverage` does."""
    path = model_directory(Path(directory)) / COVERAGE
    origin = path.with_name("config.json")
    tokenizer = entry(read_json(origin), "tokenizer", str, origin)
    content = {"tokenizer": tokenizer, "tokens": coverage.to_dict()}
    write_text(path, json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n")
