"""The claims by their names, read from `claims/*.toml`.

A file holds the claims of one chapter. A claim is a table:

    [cache_is_faster]
    says = "a search with its cache is faster than one without"
    record = "benchmark_caching_small"
    each = "round"
    statistic = "ratio"
    field = "curve"
    over = {tokens = [8, 64]}
    sides = [{value = "seconds/uncached"}, {value = "seconds/cached"}]
    relation = "greater"

What stands beside `sides` holds for all of them, and `like` takes over what
another claim has. `computed.Claim` and
`sides.Side` say what each key means.

Where a comparison was run again at half or twice its learning rate, each claim
about it is made there, too, without being written: `NAME_at_half_the_rate`. It
holds in each seed, or in as many as `holds_at_half_the_rate` says.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from annotated_transformer.lab.evidence.computed import EACH, RELATIONS, SIDES, STANDARD, Claim
from annotated_transformer.lab.evidence.sides import TAKEN, Side
from annotated_transformer.lab.evidence.two_questions import OTHER_RATES
from annotated_transformer.lab.records import Record, is_recorded, record
from annotated_transformer.storage.reading import check_known, read_toml

FOLDER = Path(__file__).parent / "claims"
_OF_SIDES = (
    *("record", "field", "where", "value", "take", "x", "unit"),
    *("rest_of", "fixed", "minus", "per"),
)
_OF_CLAIMS = (
    *("says", "sides", "statistic", "each", "relation", "than"),
    *("over", "against", "holds", "once", "format", "like"),
    *(f"holds_at_{rate}_the_rate" for rate in OTHER_RATES),
)


def claim(name: str) -> Claim:
    """Look up a claim by its name, and hold it against its record.

    Raises:
        KeyError: there is no such claim.
        ValueError: it is not what a claim can be, or holds less often or more
            often than it says.
    """
    return find(name).check()


def find(name: str) -> Claim:
    """Look up a claim, and leave open whether it holds."""
    texts = claim_texts()
    if name not in texts:
        # Imported here, because only the message needs it.
        from difflib import get_close_matches  # noqa: PLC0415

        near = get_close_matches(name, texts, n=1, cutoff=0)
        raise KeyError(f"there is no claim {name!r}; the nearest is {near[0]!r}" if near else name)
    return parse(name, texts[name])


@cache
def claim_texts() -> dict[str, Mapping[str, Any]]:
    """Return all claims as they are written, by their names.

    Raises:
        ValueError: two have one name.
    """
    found: dict[str, Mapping[str, Any]] = {}
    for path in sorted(FOLDER.glob("*.toml")):
        for name, fields in read_toml(path).items():
            if name in found:
                raise ValueError(f"{path.name}: the claim {name!r} is there twice; rename one")
            found[name] = fields
    return found | _at_other_rates(found)


def other_rates(name: str) -> list[str]:
    """Return the names of the same claim at the other learning rates that were tried."""
    named = (f"{name}_at_{rate}_the_rate" for rate in OTHER_RATES)
    return [other for other in named if other in claim_texts()]


def _at_other_rates(texts: Mapping[str, Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """Make each claim about one record anew, where its comparison was run at another rate.

    Raises:
        ValueError: a claim says how often it holds at a rate that was not tried.
    """
    made: dict[str, Mapping[str, Any]] = {}
    for name, fields in texts.items():
        whole = {**_like(fields["like"], name, texts), **fields} if "like" in fields else fields
        for rate in OTHER_RATES:
            other, often = f"{whole.get('record')}_{rate}_rate", f"holds_at_{rate}_the_rate"
            if is_recorded(other):
                made[f"{name}_at_{rate}_the_rate"] = {
                    "like": name,
                    "says": f"at {rate} the learning rate: {fields['says']}",
                    "record": other,
                    "holds": fields.get(often, "each"),
                }
            elif often in fields:
                raise ValueError(
                    f"claim {name!r}: it has {often!r}, and there is no record {other!r}; "
                    f"run its comparison with --rate {rate}, or leave the key out"
                )
    return made


def parse(name: str, fields: Mapping[str, Any]) -> Claim:
    """Make a claim of its table.

    Raises:
        ValueError: a key is missing or unknown, or has a value that it cannot.
    """
    origin = f"claim {name!r}"
    if "like" in fields:
        fields = {**_like(fields["like"], origin, claim_texts()), **fields}
    check_known(fields, (*_OF_SIDES, *_OF_CLAIMS), origin)
    statistic = _one_of(fields, "statistic", SIDES, origin)
    shared = {key: value for key, value in fields.items() if key in _OF_SIDES}
    sides = tuple(_side(shared, side, origin) for side in fields.get("sides", [{}]))
    wanted = SIDES[statistic]
    if len(sides) != wanted if wanted else len(sides) < 2:
        raise ValueError(
            f"{origin}: a claim of {statistic} has {wanted or 'two or more'} side(s), "
            f"not {len(sides)}; write them in `sides`"
        )
    than = fields.get("than", STANDARD.get(statistic))
    relation = _one_of(fields, "relation", RELATIONS, origin)
    if than is None or isinstance(than, list) != (relation == "within"):
        raise ValueError(
            f"{origin}: {relation} than {than!r}; write a number in `than`, and two for within"
        )
    against = fields.get("against", "same")
    if against == "all" and (statistic not in ("difference", "ratio") or relation == "within"):
        raise ValueError(
            f"{origin}: against all compares by difference or ratio, greater or less; "
            f"not by {statistic} {relation}"
        )
    return Claim(
        name=name,
        says=fields["says"],
        sides=sides,
        statistic=statistic,
        each=_one_of(fields, "each", EACH, origin),
        relation=relation,
        than=tuple(than) if isinstance(than, list) else float(than),
        over=fields.get("over", {}),
        against=against,
        holds_in=None if fields.get("holds", "each") == "each" else int(fields["holds"]),
        once=fields.get("once", False),
        format=fields.get("format", ".1f"),
    )


def _side(shared: Mapping[str, Any], own: Mapping[str, Any], origin: str) -> Side:
    check_known(own, _OF_SIDES, f"a side of {origin}")
    joined: dict[str, Any] = {
        **shared,
        **own,
        "where": {**shared.get("where", {}), **own.get("where", {})},
    }
    if "record" not in joined:
        raise ValueError(f"{origin} names no record; write `record`")
    if joined.get("take") not in (None, *TAKEN):
        raise ValueError(
            f"{origin}: {joined['take']!r} is no way to take one of several numbers; "
            f"choose one of {', '.join(TAKEN)}"
        )
    # What is taken away or divided by is like the side itself but for what it says.
    base = {key: value for key, value in joined.items() if key not in ("minus", "per")}
    more: dict[str, Any] = {
        key: _side(base, joined[key], origin) for key in ("minus", "per") if key in joined
    }
    names = joined.pop("record")
    joined |= more
    return Side((names,) if isinstance(names, str) else tuple(names), _read, **joined)


def _like(name: str, origin: str, texts: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return what another claim has, all but how often it holds."""
    if name not in texts:
        raise ValueError(f"{origin} is like {name!r}, which there is not")
    own = {key: value for key, value in texts[name].items() if not key.startswith("holds")}
    return {**(_like(own["like"], origin, texts) if "like" in own else {}), **own}


def _one_of(fields: Mapping[str, Any], key: str, known: Any, origin: str) -> str:
    value = fields.get(key)
    if value not in known:
        raise ValueError(
            f"{origin}: {key} is {value!r}; choose one of {', '.join(map(str, known))}"
        )
    return str(value)


@cache
def _read(name: str) -> Record:
    return record(name)
