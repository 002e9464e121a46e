"""What records bear out: claims by their names, and two questions of every training run.

`claim("name")` looks up a sentence about a record, holds it against each round
or seed of the record by itself, and prints its number with its range. The
claims stand in `claims/*.toml`; `python -m annotated_transformer.lab.evidence`
lists them all.
"""

from annotated_transformer.lab.evidence.computed import Claim, UnsupportedError
from annotated_transformer.lab.evidence.registry import claim, claim_texts, find, other_rates
from annotated_transformer.lab.evidence.rounds import rounds_table
from annotated_transformer.lab.evidence.two_questions import rates, stopped

__all__ = [
    "Claim",
    "UnsupportedError",
    "claim",
    "claim_texts",
    "find",
    "other_rates",
    "rates",
    "rounds_table",
    "stopped",
]
