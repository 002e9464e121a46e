"""Write a record: what was run, by which command, from which commit, and what came out."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from annotated_transformer.storage.atomic import write_text


def write_record(path: Path, record: Mapping[str, Any]) -> dict[str, Any]:
    """Write a record whole or not at all, one entry of its curve per line.

    Returns it with its seal.
    """
    record = {**record, "seal": seal(record)}
    entries = ",\n".join(f"    {json.dumps(entry)}" for entry in record["curve"])
    rest = {key: value for key, value in record.items() if key != "curve"}
    head = json.dumps({**rest, "curve": []}, indent=2, ensure_ascii=False)
    text = head.removesuffix("[]\n}") + (f"[\n{entries}\n  ]\n}}\n" if entries else "[]\n}\n")
    write_text(path, text)
    return record


def seal(record: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a record's content, so that a change by hand shows."""
    content = {key: value for key, value in record.items() if key != "seal"}
    # Read back first: a key that was a number is text in the file.
    content = json.loads(json.dumps(content))
    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
