"""Where a record comes from, and why it may be refused."""

import re
from collections.abc import Mapping
from typing import Any

from annotated_transformer.storage.records import seal

UNSEALED = frozenset({"multi30k_tiny_first"})
"""Records made before there were seals; each leaves this list when it is made again."""


def is_clean(version: str) -> bool:
    """Return whether `commit` found a commit, and nothing changed since."""
    return re.fullmatch("[0-9a-f]{40}", version) is not None


def check_clean(version: str) -> None:
    """Refuse to begin what could not be made again; see `objection`."""
    if not is_clean(version):
        raise ValueError(
            f"a record of the book begins on a clean commit, not on {version!r}; "
            "commit your changes, or give --out another folder"
        )


def _mixed(fields: Mapping[str, Any]) -> str | None:
    """Return why no single command repeats a run of several sittings, or None."""
    if others := fields.get("continued_on"):
        return (
            f"its run began on commit {fields['commit'][:7]} and was continued "
            f"on {others[0][:7]}; run its command again on one commit"
        )
    sittings = fields.get("sittings", ())
    for name in ("device", "processor", "gpu", "threads", "processes", "torch"):
        values = [str(sitting[name]) for sitting in sittings]
        if len(set(values)) > 1:
            return (
                f"its sittings differ in {name} ({', '.join(values)}); run its "
                "command again in one go"
            )
    return None


def objection(name: str, fields: Mapping[str, Any]) -> str | None:
    """Return why nobody can make this record again, or None.

    A run must begin on a clean commit, end on the same, and what it wrote must
    stay as it is.
    """
    if name in UNSEALED and "seal" not in fields:
        return None
    version = fields["commit"]
    if version.endswith("-dirty"):
        return (
            f"it was made with changes that commit {version[:7]} does not have; "
            "commit them and run its command again"
        )
    if not is_clean(version):
        return f"its commit is {version!r}; run its command again in a checkout of the repository"
    if reason := _mixed(fields):
        return reason
    if fields.get("seal") != seal(fields):
        return (
            "its seal does not belong to its content, which was changed after "
            "the run; run its command again"
        )
    return None
