"""The pictures of *Language models*: what a model reads and is asked, and which texts are alike."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import altair as alt
from matplotlib import pyplot as plt

from annotated_transformer.lab.figures import PALETTE, PHONE_WIDTH
from annotated_transformer.lab.figures.boxes import HEIGHT, word_box
from annotated_transformer.lab.figures.ink import number_ink

_READ, _ASKED = 0.0, 1.5  # heights of the two rows


class Question(NamedTuple):
    """One panel: the words that are read, and above them the answers that are wanted."""

    title: str
    """What stands above the panel."""
    words: Sequence[str]
    """What is read."""
    answers: Sequence[str]
    """One for each word; an empty one where nothing is asked."""
    looking: int
    """The answer whose sight is drawn."""
    sees: Sequence[int]
    """The words that it may look at."""


def questions_picture(questions: Sequence[Question]) -> None:
    """Draw the panels one below the other. Call `use_book_style` first.

    Raises:
        ValueError: there is no panel, answers and words are not as many, nothing is asked where
            the sight is drawn, or a word that is seen does not exist.
    """
    if not questions:
        raise ValueError("questions_picture: there is nothing to draw")
    for question in questions:
        _check(question)
    longest = max(len(question.words) for question in questions)
    size = (PHONE_WIDTH, 1.4 * len(questions))
    _, panels = plt.subplots(len(questions), 1, figsize=size, squeeze=False)
    for axes, question in zip(panels[:, 0], questions, strict=True):
        for x in question.sees:
            _sight(axes, x, question.looking)
        for x, word in enumerate(question.words):
            word_box(axes, x, _READ, word, PALETTE["source"])
        for x, answer in enumerate(question.answers):
            if answer:
                word_box(axes, x, _ASKED, answer, PALETTE["target"])
        axes.set(xlim=(-0.5, longest - 0.5), ylim=(-0.35, 1.85))
        axes.set_title(question.title, fontsize=10, loc="left")
        axes.set_axis_off()


def _check(question: Question) -> None:
    n = len(question.words)
    if len(question.answers) != n:
        raise ValueError(
            f"questions_picture: {question.title!r} has {n} words but "
            f"{len(question.answers)} answers"
        )
    if not 0 <= question.looking < n or not question.answers[question.looking]:
        raise ValueError(
            f"questions_picture: {question.title!r} asks nothing at {question.looking}"
        )
    if strange := [x for x in question.sees if not 0 <= x < n]:
        raise ValueError(
            f"questions_picture: {question.title!r} has no word {strange[0]} to look at"
        )


def _sight(axes: Any, word: int, answer: int) -> None:
    start, end = _READ + HEIGHT / 2, _ASKED - HEIGHT / 2
    axes.plot([word, answer], [start, end], color=PALETTE["neutral"], lw=1.2)


def alike_chart(texts: Sequence[str], cosines: Sequence[Sequence[float]]) -> Any:
    """Draw how alike texts are: a row and a column for each, a deeper shade for a larger cosine.

    Raises:
        ValueError: there is not one cosine for each pair of texts.
    """
    n = len(texts)
    if not n or [len(row) for row in cosines] != [n] * n:
        raise ValueError(f"alike_chart: {n} texts need {n} rows of {n} cosines")
    rows = [
        {"first": i + 1, "second": j + 1, "cosine": round(cosines[i][j], 2)}
        | {"a text": texts[i], "another": texts[j]}
        for i in range(n)
        for j in range(n)
    ]
    named = json.dumps([f"{text}  {i + 1}" for i, text in enumerate(texts)], ensure_ascii=False)
    quiet: dict[str, Any] = {"ticks": False, "domain": False, "labelOverlap": False}
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X("second:O", title=None, axis=alt.Axis(orient="top", labelAngle=0, **quiet)),
        y=alt.Y(
            "first:O",
            title=None,
            axis=alt.Axis(labelExpr=f"{named}[datum.value - 1]", labelLimit=170, **quiet),
        ),
        tooltip=["a text:N", "another:N", alt.Tooltip("cosine:Q", format=".2f")],
    )
    scale = alt.Scale(domain=[0, 1], range=[0, 1], clamp=True)
    cells = base.mark_rect(fill=PALETTE["query"], stroke="currentColor", strokeOpacity=0.2)
    numbers = base.mark_text(fontSize=11).encode(
        text=alt.Text("cosine:Q", format=".2f"), color=number_ink("cosine")
    )
    shaded = cells.encode(fillOpacity=alt.FillOpacity("cosine:Q", legend=None, scale=scale))
    return alt.layer(shaded, numbers).properties(height=alt.Step(34))
