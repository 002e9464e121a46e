"""What was measured of a model after its training, kept in its directory.

The doubt above which a translation is called doubtful (decoding/doubt.py) is in config.json, the
words that are always translated (decoding/coverage.py) in coverage.json.
"""

from pathlib import Path

from annotated_transformer.decoding.coverage import Coverage
from annotated_transformer.saving import COVERAGE, DESCRIPTION, THRESHOLD, model_directory
from annotated_transformer.storage import reading


def load_threshold(directory: Path | str) -> float | None:
    """Read the doubt above which a translation is called doubtful, or None if there is none.

    Raises FileNotFoundError if there is no model here, ValueError if it is no number from 0 up.
    """
    path = model_directory(Path(directory)) / "config.json"
    description = reading.read_json(path)
    reading.check_known(description, DESCRIPTION, path)
    if THRESHOLD not in description:
        return None
    threshold = float(reading.entry(description, THRESHOLD, float, path))
    if not 0 <= threshold <= 100:
        raise ValueError(f"{path} is corrupt: {THRESHOLD} is {threshold}; expected 0 to 100")
    return threshold


def load_coverage(directory: Path | str) -> Coverage | None:
    """Read what translations of source words have, or None if it was not measured.

    Raises FileNotFoundError without a model, ValueError for a damaged file or another tokenizer.
    """
    path = model_directory(Path(directory)) / COVERAGE
    if not (path.exists() or path.is_symlink()):
        return None
    content = reading.read_json(path)
    reading.check_known(content, ("tokenizer", "tokens"), path)
    origin = path.with_name("config.json")
    description = reading.read_json(origin)
    if reading.entry(content, "tokenizer", str, path) != description.get("tokenizer"):
        raise ValueError(f"{path} belongs to another tokenizer; measure it again, or remove it")
    fields = reading.entry(description, "model", dict, origin)
    size = reading.entry(fields, "vocab_size", int, origin)
    try:
        return Coverage.from_dict(reading.entry(content, "tokens", dict, path), size)
    except ValueError as error:
        raise ValueError(f"{path} is corrupt: {error}") from error
