"""What two pictures of matplotlib say in words has the numbers of their records.

The words of an Altair chart are made in its cell, and can be computed there. Those of these two
pictures are data of the cell, so that their numbers are computed here.
"""

import pytest

from annotated_transformer.lab.records import record
from rules import ROOT, read

SPEED, LONG = "benchmark_long_sentences", "twice_as_long"


def words(page, name):
    """The alternative text of a figure."""
    for cell in read(ROOT / "book" / f"{page}.ipynb").cells:
        shown = cell.metadata.get("mystnb", {})
        if shown.get("figure", {}).get("name") == name:
            return shown["image"]["alt"]
    raise LookupError(f"{page} has no figure {name}")


def times(contestant, lengths=lambda length: True):
    """Microseconds of a token in each round, in order of their size."""
    return sorted(
        1e6 * entry["seconds"][contestant] / entry["length"]
        for entry in record(SPEED)["curve"]
        if contestant in entry["seconds"] and lengths(entry["length"])
    )


def memory(*contestants):
    """The most memory of some contestants, by their length."""
    rows = (row for name in contestants for row in record(SPEED).entries("rows", contestant=name))
    return {row["length"]: row["memory_mib"] for row in rows}


def speed():
    """The sentences about time and memory."""
    shortest, longest = 64, 16_384
    flat = times("feed-forward")
    yield f"at {flat[0]:.0f} to {flat[-2]:.0f} microseconds but for one point at {flat[-1]:.0f}"
    begins = times("explicit", lambda n: n == shortest)
    yield f"rises from {begins[0]:.0f} or {begins[-1]:.0f} to between"
    for name, way in (
        ("explicit", "to between {} and {}, with a jump between 512 and 1,024 tokens"),
        ("fused", "fused attention rises to between {} and {} and"),
        ("tiled", "our tiles rise to between {} and {};"),
    ):
        ends = times(name, lambda n: n == longest)
        yield way.format(f"{ends[0]:,.0f}", f"{ends[-1]:,.0f}")
    window = times("window", lambda n: n >= 512)
    yield f"lies between {window[0]:.0f} and {window[-1]:.0f} from 512 tokens on"
    *below, low, high = times("linear")
    assert below[-1] < 14
    assert {low, high} <= {*times("linear", lambda n: n == longest)}
    yield f"stays below 14 but for two points at {low:.0f} and {high:.0f}, at the right end"
    explicit, kept = memory("explicit"), memory("explicit, kept")
    yield f"explicit attention rises from {explicit[shortest]:.0f} to {explicit[longest]:,.0f} MiB"
    yield f"with kept memory to {kept[4_096]:,.0f} at 4,096 tokens"
    others = ("fused", "tiled", "window", "linear", "feed-forward")
    assert all(max(memory(name).values()) < 950 for name in others)
    yield "all others stay below 950"


def test_the_lines_of_the_time_of_a_token_cross_where_the_words_say():
    def at(length):
        return lambda n: n == length

    assert times("explicit", at(512))[-1] < times("feed-forward", at(512))[0]
    assert times("explicit", at(1_024))[0] > times("feed-forward", at(1_024))[-1]
    curve = {entry["round"]: {} for entry in record(SPEED)["curve"]}
    for entry in record(SPEED)["curve"]:
        curve[entry["round"]].setdefault(entry["length"], {}).update(entry["seconds"])
    for lengths in curve.values():
        for name, before, after in (("explicit, kept", 1_024, 2_048), ("fused", 1_024, 4_096)):
            assert lengths[before][name] < lengths[before]["feed-forward"]
            assert lengths[after][name] > lengths[after]["feed-forward"]


def exact(task, kind, length):
    """The exact matches of the seeds, in order of their size."""
    found = record(LONG).entries(
        "scores", metric="exact_match", task=task, positions=kind, length=length
    )
    return sorted(entry["value"] for entry in found)


def both(values):
    """The lowest and the highest, rounded."""
    return f"{values[0]:.0f} to {values[-1]:.0f}"


def twice_as_long():
    """The sentences about both tasks."""
    kinds = ("sinusoidal", "learned", "rotary", "alibi")
    for task, most in (("copy", 98), ("reverse", 99)):
        short = [exact(task, kind, n)[0] for kind in kinds[:3] for n in (2, 4, 6, 8)]
        assert min(short) >= most
        assert max(exact(task, "alibi", 10)) < min(exact(task, "alibi", 8))
        yield f"all kinds but ALiBi are at {most} percent or more up to 8 letters"
        yield f"ALiBi is at {both(exact(task, 'alibi', 8))} at 8. At 10 letters"
        assert max(exact(task, kind, 10)[-1] for kind in kinds[:2]) < 1
    copied, turned = exact("copy", "rotary", 10), exact("reverse", "rotary", 10)
    yield f"below 1, rotary at {both(copied)}, ALiBi at {both(exact('copy', 'alibi', 10))};"
    ends = {kind: exact("copy", kind, 16) for kind in kinds}
    assert {kind: sum(x > 0 for x in found) for kind, found in ends.items() if max(found)} == {
        "alibi": 2
    }
    yield "at 16 letters only ALiBi is above zero, with two of three seeds"
    assert turned[0] == 0
    yield f"two rotary runs are at {turned[1]:.0f}, one at zero, sinusoidal and learned below 1"
    yield f"ALiBi at {both(exact('reverse', 'alibi', 10))}; at 12 letters"
    _, low, high = exact("reverse", "rotary", 12)
    yield f"two rotary runs are at {low:.0f} and {high:.0f}, ALiBi"
    yield f"ALiBi at {both(exact('reverse', 'alibi', 12))}; at 16 letters all are below 2"
    assert max(exact("reverse", kind, 16)[-1] for kind in kinds) < 2


@pytest.mark.parametrize(
    ("page", "name", "sentences"),
    [
        ("speed", "fig-long-cost", speed),
        ("long_sentences", "fig-long-twice", twice_as_long),
    ],
)
def test_the_numbers_of_a_picture_in_words_are_those_of_its_record(page, name, sentences):
    told = words(page, name)
    for sentence in sentences():
        assert sentence in told
