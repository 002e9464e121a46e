"""The map of the model as the head of a chapter: 78 pixels high, with the chapter's block lit.

Figure 1 turned a quarter clockwise, as the live map draws it: the encoder above, the decoder below,
a track for each token of one sentence. The lines are the weights of that sentence (`trace.js`).
"""

import json
import re
from html import escape
from pathlib import Path

from words import say

TRACE = Path(__file__).parents[1] / "_static" / "live" / "figures" / "map" / "trace.js"

WIDTH, HEIGHT = 1000, 78
TRACKS = 7
PITCH = 4.6
TOPS = {"enc": 3.5, "dec": 42.5}
LANE = PITCH * TRACKS
EMBED, TILE, GAP, OUT = 24, 8, 5, 44
STEP = TILE + 2 * GAP
NARROW = 0.6
"""A feed-forward network is that much narrower than an attention."""
CLASSES = ((0.5, "c"), (0.2, "b"), (0.07, "a"))
"""Weights from so much on are lines, of three widths."""

KINDS = {
    "enc": ("embed", "self", "ffn", "self", "ffn"),
    "dec": ("embed", "self", "cross", "ffn", "self", "cross", "ffn", "out"),
}
LIT = {
    "why_attention": ("enc.self", "dec.self", "dec.cross"),
    "attention": ("enc.self",),
    "multi_head_attention": ("enc.self", "dec.self", "dec.cross"),
    "masks": ("dec.self",),
    "embeddings": ("enc.embed", "dec.embed"),
    "positional_encoding": ("enc.embed", "dec.embed"),
    "layer_normalization": ("enc.norm", "dec.norm"),
    "feed_forward": ("enc.ffn", "dec.ffn"),
    "encoder_decoder": ("dec.cross",),
    "transformer": ("enc", "dec"),
    "training": ("enc", "dec"),
    "decoding": ("dec.out",),
    "train_and_translate": ("enc", "dec"),
    "scaling_up": ("enc", "dec"),
    "reading_attention": ("enc.self", "dec.self", "dec.cross"),
    "ablations": ("enc", "dec"),
    "long_sentences": ("enc.self", "dec.self"),
    "parsing": ("enc", "dec"),
    "language_models": ("enc", "dec.embed", "dec.self", "dec.ffn", "dec.norm", "dec.out"),
    "text_to_text": ("enc", "dec"),
    "vision": ("enc",),
    "detection_and_prompts": ("enc", "dec.self", "dec.cross", "dec.ffn", "dec.norm"),
    "diffusion": ("enc",),
    "family_tree": ("enc", "dec"),
}
"""Chapter to what it is about: SIDE.KIND, or a whole side. No other table; the live map is told."""


class Places:
    """Where the blocks of the strip stand, from left to right."""

    def __init__(self) -> None:
        fixed = sum(self._width(kind, 0) + STEP for side in ("enc", "dec") for kind in KINDS[side])
        fixed -= EMBED + 2 * STEP - 2  # the decoder begins under the encoder: see `start`
        shares = 2 * (1 + NARROW) + 2 * (2 + NARROW) - 1
        self.attention = (WIDTH - fixed) / shares
        self.blocks: list[tuple[str, str, int, float, float]] = []
        self.tiles: list[tuple[str, float]] = []
        end = self._lane("enc", 1)
        before_cross = EMBED + STEP + self.attention + STEP
        self.memory = end - STEP + TILE + GAP
        self.start = end + GAP - before_cross
        self._lane("dec", self.start)

    def _width(self, kind: str, attention: float) -> float:
        return {"embed": EMBED, "out": OUT, "ffn": NARROW * attention}.get(kind, attention)

    def _lane(self, side: str, x: float) -> float:
        seen: dict[str, int] = {}
        for kind in KINDS[side]:
            width = self._width(kind, self.attention)
            layer = seen[kind] = seen.get(kind, -1) + 1
            self.blocks.append((side, kind, layer, x, width))
            x += width
            if kind != "out":
                self.tiles.append((side, x + GAP))
                x += STEP
        return x


def weights() -> dict[str, list[list[float]]]:
    """Return the attention weights of the stored sentence, by module, mean of the heads."""
    text = re.search(r"trace = (\{.*\});", TRACE.read_text(encoding="utf-8"))
    assert text, f"{TRACE} has no trace: run book/_tools/live_trace.py"
    return json.loads(text[1])["weights"]


def y(side: str, token: int) -> float:
    """Return the height of a token's track."""
    return round(TOPS[side] + (token + 0.5) * PITCH, 1)


def is_lit(lit: tuple[str, ...], side: str, kind: str) -> bool:
    """Tell whether a block is what a chapter is about."""
    return side in lit or f"{side}.{kind}" in lit


def _curves(rows: list[list[float]], sides: tuple[str, str], x: tuple[float, float, float]) -> str:
    """Return the paths of an attention, from the keys at x[0] to the queries at x[2]."""
    found: dict[str, list[str]] = {}
    for i, row in enumerate(rows):
        for j, weight in enumerate(row):
            name = next((name for least, name in CLASSES if weight >= least), None)
            if name:
                y0, y1 = y(sides[0], j), y(sides[1], i)
                path = f"M{x[0]:.0f} {y0}C{x[1]:.0f} {y0} {x[1]:.0f} {y1} {x[2]:.0f} {y1}"
                found.setdefault(name, []).append(path)
    return "".join(f'<path class="{name}" d="{"".join(d)}"/>' for name, d in found.items())


def drawing(lit: tuple[str, ...]) -> str:
    """Return the strip as SVG that may be stretched to any width."""
    places, every, parts = Places(), weights(), []
    tracks = {"enc": (0.0, places.memory), "dec": (places.start, WIDTH - OUT)}
    for side, (x0, x1) in tracks.items():
        d = "".join(f"M{x0:.0f} {y(side, i)}H{x1:.0f}" for i in range(TRACKS))
        parts.append(f'<path class="t {side}" d="{d}"/>')
    crossings = [x for _, kind, _, x, _ in places.blocks if kind == "cross"]
    d = "".join(f"M{places.memory:.0f} {y('enc', i)}H{crossings[-1]:.0f}" for i in range(TRACKS))
    parts.append(f'<path class="m" d="{d}"/>')
    for side, kind, layer, x, width in places.blocks:
        on = " on" if is_lit(lit, side, kind) else ""
        top, side_name = TOPS[side] - 2, "encoder" if side == "enc" else "decoder"
        box = f'<rect x="{x:.1f}" y="{top}" width="{width:.1f}" height="{LANE + 4:.1f}"/>'
        lines = ""
        if kind in ("self", "cross"):
            rows = every[f"{side_name}.layers.{layer}.{kind}_attention"]
            sides = ("enc" if kind == "cross" else side, side)
            lines = _curves(rows, sides, (x, x + width / 2, x + width))
        parts.append(f'<g class="{side} {kind}{on}">{box}{lines}</g>')
    for side, x in places.tiles:
        on = " on" if is_lit(lit, side, "norm") else ""
        d = "".join(f"M{x:.1f} {y(side, i)}h{TILE}" for i in range(TRACKS))
        parts.append(f'<path class="v {side}{on}" d="{d}"/>')
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" aria-hidden="true">'
        f"{''.join(parts)}</svg>"
    )


def strip(chapter: str, title: str, address: str) -> str:
    """Return the head of a chapter: the strip, as a link to the live map.

    address: of the landing page, from the chapter.
    """
    lit = LIT[chapter]
    share = f"--start:{100 * Places().start / WIDTH:.1f}%"
    link = f"{address}?lit={','.join(lit)}&from={chapter}#the-map"
    unseen = '<span class="visually-hidden">{}</span>'
    # The title stands above; beside the decoder's lane it would be read as what goes in there.
    where = say("Where this chapter stands on the map of the whole model: ") + escape(title)
    return (
        f'<a class="at-strip" href="{escape(link)}">'
        f'<span class="at-strip-map">{drawing(lit)}<b style="{share}"><span>{say("To the map")}'
        f"{unseen.format('. ' + where)}</span></b></span>"
        f'<span class="at-strip-in">{unseen.format(say(", from "))}{say("English")}</span>'
        f'<span class="at-strip-out">{unseen.format(say(" to "))}{say("Korean")}</span></a>'
    )
