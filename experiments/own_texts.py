"""The texts of a program, in files that a recipe reads."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from annotated_transformer.corpora import SentencePair


def write_splits(splits: Mapping[str, Sequence[SentencePair]], folder: Path) -> str:
    """Write two files for each split; return what the recipe says of them."""
    folder.mkdir(parents=True, exist_ok=True)
    for split, pairs in splits.items():
        for side in ("source", "target"):
            lines = "".join(f"{getattr(pair, side)}\n" for pair in pairs)
            (folder / f"{split}.{side}").write_text(lines, encoding="utf-8")
    rows = [f'{split} = ["{folder}/{split}.source", "{folder}/{split}.target"]' for split in splits]
    return f"corpus.splits={{{', '.join(rows)}}}"
