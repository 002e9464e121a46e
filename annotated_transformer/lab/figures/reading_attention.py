"""Pictures of *Reading attention*: two answers about the same tokens, and names of heads."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
from matplotlib import pyplot as plt

from annotated_transformer.lab.figures import PALETTE, PHONE_WIDTH
from annotated_transformer.lab.figures.multi_head_attention import head_name, share_map

_KINDS = (
    *("previous", "same", "next", "begin", "end", "writing", "reading"),
    *("pronoun", "particle", "counter", "writing counter"),
)


def two_answers_picture(
    tokens: Sequence[str], left: tuple[str, Sequence[float]], right: tuple[str, Sequence[float]]
) -> None:
    """Draw a row for each token, and in it two bars: a title and values for either side.

    Call `use_book_style` first.

    Raises:
        ValueError: a side has not one value for each token, or there are no tokens.
    """
    for title, values in (left, right):
        if not tokens or len(values) != len(tokens):
            raise ValueError(
                f"two_answers_picture: {title!r} has {len(values)} values for {len(tokens)} tokens"
            )
    size = (PHONE_WIDTH, 0.6 + 0.25 * len(tokens))
    _, panels = plt.subplots(1, 2, figsize=size, sharey=True)
    rows = range(len(tokens))
    for axes, (title, values), colour in zip(panels, (left, right), ("query", "key"), strict=True):
        axes.barh(rows, values, color=PALETTE[colour], height=0.7)
        axes.set_title(title, fontsize=10)
        axes.grid(visible=False, axis="y")
        axes.locator_params(axis="x", nbins=5)
        axes.tick_params(axis="x", labelsize=9)
    panels[0].set_yticks(rows, tokens)
    panels[0].set_ylim(len(tokens) - 0.5, -0.5)


def names_chart(
    rows: Sequence[Mapping[str, Any]], names: Mapping[tuple[str, int], Sequence[str]]
) -> Any:
    """Draw the shares of all heads as a map, with a frame around those that have earned a name.

    `rows` are those of `head_scores`, `names` what `head_names` says of them. Pointing at a square
    shows the baselines.
    """
    values = [
        {
            "head": head_name(row["attention"], row["head"]),
            "kind": row["kind"],
            "share": round(row["share"]),
            "even": round(row["even"]),
            "untrained": round(row["untrained"]),
            "elsewhere": round(row["elsewhere"] or 0),
            "earned": row["kind"] in names[row["attention"], row["head"]],
        }
        for row in rows
    ]
    drawn = {value["kind"] for value in values}
    columns = [kind for kind in _KINDS if kind in drawn]
    heads = sorted(
        dict.fromkeys(value["head"] for value in values),
        key=lambda name: ("edc".index(name[0]), name),
    )
    shares = share_map(
        values,
        column="kind",
        columns=columns,
        heads=heads,
        label_angle=-55,
        tooltip=["even:Q", "untrained:Q", "elsewhere:Q"],
    )
    earned = [value for value in values if value["earned"]]
    frames = (
        alt.Chart(alt.Data(values=earned))
        .mark_rect(filled=False, stroke=PALETTE["key"], strokeWidth=2.5)
        .encode(x=alt.X("kind:N", sort=columns), y=alt.Y("head:N", sort=heads))
    )
    return alt.layer(shares, frames).properties(height=alt.Step(19))
