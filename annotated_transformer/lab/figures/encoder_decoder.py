"""Pictures of who reads whom, of alignment by head, and of what decides a pronoun.

Chapter: *Encoder and decoder*. The charts take rows as `alignment_by_head` and `attention_by_part`
make them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
from jaxtyping import Bool, Float
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle
from torch import Tensor

from annotated_transformer.lab.analysis.pronoun_probes import PARTS
from annotated_transformer.lab.figures import PALETTE, PHONE_WIDTH
from annotated_transformer.lab.figures.multi_head_attention import head_name, share_map

_EXAMPLE = (
    *("The", "goat", "did not climb", "the", "mountain", "because"),
    *("it", "was", "too", "lazy / high", "<eos>"),
)
_WORDS = dict(zip(PARTS, _EXAMPLE, strict=True))
"""What the charts call each part: its words in the example of the chapter."""
_STEPS = {"output": "the word being written", "input": "the word just read"}


def three_attentions(
    allowed: Bool[Tensor, "token token"],
    weights: Float[Tensor, "token token"],
    source: Sequence[str],
    target: Sequence[str],
) -> Any:
    """Draw all tokens of both sentences as rows that read and as columns that are read.

    A cell that may not be read is left white; the others are the darker, the larger the weight.
    Returns the axes. Raises ValueError when the words are not as many as rows.
    """
    words, border = [*source, *target], len(source)
    if not len(words) == len(allowed) == len(weights):
        raise ValueError(f"three_attentions: {len(words)} words for {len(allowed)} rows")
    _, axes = plt.subplots(figsize=(PHONE_WIDTH, PHONE_WIDTH))
    for i in range(len(words)):
        for j in range(len(words)):
            if allowed[i, j]:
                within_target = "query" if j < border else "target"
                colour = PALETTE["source" if i < border else within_target]
                shade = 0.15 + 0.85 * float(weights[i, j])
                shaded = [1 - shade * (1 - part) for part in to_rgb(colour)]
                axes.add_patch(Rectangle((j, i), 0.94, 0.94, color=shaded))
    axes.set(xlim=(-0.1, len(words)), ylim=(len(words), -0.1), aspect="equal")
    axes.set_xticks([j + 0.5 for j in range(len(words))], words, rotation=90)
    axes.set_yticks([i + 0.5 for i in range(len(words))], words)
    axes.xaxis.tick_top()
    axes.tick_params(length=0, labelsize=9)
    axes.set(xlabel="is read", ylabel="reads")
    axes.xaxis.set_label_position("top")
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    for line in (axes.axhline, axes.axvline):
        line(border - 0.03, color="black", linewidth=1)
    middle = (border + len(words)) / 2
    axes.text(middle, border / 2, "nothing", ha="center", va="center")
    return axes


def road_picture(
    words: Sequence[str],
    opening: str,
    *,
    adjective: int,
    carriers: Sequence[int],
    noun: Sequence[int],
) -> Any:
    """Draw how an adjective decides the first word of a translation, in three steps.

    The words are rows, and the decoder beside them is read upwards. Step 1 carries the adjective
    to the words `carriers`, step 2 reads these in the first decoder layer, step 3 reads the `noun`
    in the second; all are places in `words`. Returns the axes.
    """
    _, axes = plt.subplots(figsize=(PHONE_WIDTH, 0.23 * len(words) + 0.3))
    for row, word in enumerate(words):
        axes.text(0, row, word, ha="right", va="center", fontsize=9)
    beside, layer, upper = 0.2, 5.2, max(noun) + 2
    lower = max(upper + 3, *carriers)
    box = {"boxstyle": "round", "facecolor": "white", "edgecolor": "black"}
    first, second = (
        axes.text(layer, row, name, ha="center", va="center", fontsize=9, bbox=box)
        for row, name in ((lower, "decoder, layer 1"), (upper, "decoder, layer 2"))
    )
    axes.text(layer, -0.5, opening, ha="center", va="center", fontsize=11)
    arrow = {"arrowstyle": "->", "lw": 1.6}
    for i in carriers:
        bent = arrow | {"color": PALETTE["source"], "connectionstyle": "arc3,rad=0.5"}
        axes.annotate("", (beside, i), (beside, adjective), arrowprops=bent)
    steps = [(i, first, "query") for i in carriers] + [(i, second, "target") for i in noun]
    for i, name, colour in steps:
        # To the left end of the words, however wide, less the rim of their box.
        straight = arrow | {"color": PALETTE[colour], "shrinkB": 4}
        axes.annotate("", (0, 0.5), (beside, i), name, "data", straight)
    halfway = (beside + layer - 1.2) / 2
    places = (
        (beside + 1.1, (adjective + max(carriers)) / 2),
        (halfway, (max(carriers) + lower) / 2 - 0.6),
        (halfway, upper / 2 - 0.85),
    )
    for number, (x, y) in enumerate(places, start=1):
        axes.text(x, y, str(number), ha="center", va="center", fontsize=12)
    for below, above in ((lower, upper), (upper, -0.5)):
        up = {"arrowstyle": "->"}
        axes.annotate("", (layer, above + 0.6), (layer, below - 0.6), arrowprops=up)
    axes.set(xlim=(-2, layer + 1.9), ylim=(len(words) - 0.4, -1.1))
    axes.set_axis_off()
    return axes


def alignment_chart(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Draw the rows of `alignment_by_head`: one line per head, one mark for each of two steps."""
    values = []
    for row in rows:
        head = row["head"]
        name = "mean of heads" if head is None else f"head {head + 1}"
        values.append(
            {
                "head": f"layer {row['layer'] + 1}, {name}",
                "row belongs to": _STEPS[row["step"]],
                "alignment error (%)": round(row["AER"]),
            }
        )
    return _dots(
        values, x="alignment error (%)", y="head", by="row belongs to", kinds=list(_STEPS.values())
    )


def attention_by_part_chart(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Draw the rows of `attention_by_part` as a map of shares.

    There is a line for each head and reading, and a column for each part, under the words that it
    has in "The goat did not climb the mountain because it was too lazy". Raises ValueError when
    there are no rows.
    """
    if not rows:
        raise ValueError("attention_by_part_chart: there are no rows to draw")
    values = [
        {
            "head": f"{head_name(row['attention'], row['head'])}, {row['reading']}",
            "part": _WORDS[row["part"]],
            "share": round(row["share"]),
        }
        for row in rows
    ]
    lines = sorted(
        {value["head"] for value in values},
        key=lambda name: (name[0] != "e", name.replace("sub", "a")),
    )
    return share_map(
        values, column="part", columns=_EXAMPLE, heads=lines, label_angle=-60, label_limit=140
    )


def _dots(
    values: Sequence[Mapping[str, Any]], *, x: str, y: str, by: str, kinds: Sequence[str]
) -> Any:
    """Draw a mark for each value, on a line for each `y`; `by` gives colour and shape."""
    lines = list(dict.fromkeys(value[y] for value in values))
    shades = [PALETTE[name] for name in ("query", "key")]
    legend = alt.Legend(title=None, columns=1, labelLimit=0)
    chart = alt.Chart(alt.Data(values=list(values))).mark_point(filled=True, opacity=1)
    return chart.encode(
        x=alt.X(f"{x}:Q", scale=alt.Scale(domain=[0, 100])),
        y=alt.Y(f"{y}:N", sort=lines, title=None, axis=alt.Axis(grid=True, labelLimit=190)),
        color=alt.Color(f"{by}:N", legend=legend, scale=alt.Scale(domain=kinds, range=shades)),
        shape=alt.Shape(
            f"{by}:N", legend=legend, scale=alt.Scale(domain=kinds, range=["circle", "square"])
        ),
        # Where two marks meet, the second leaves the rim of the first visible.
        size=alt.Size(f"{by}:N", legend=None, scale=alt.Scale(domain=kinds, range=[130, 40])),
        tooltip=[f"{y}:N", f"{by}:N", f"{x}:Q"],
    ).properties(height=alt.Step(18))
