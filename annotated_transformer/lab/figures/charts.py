"""Display Altair charts so that a stored notebook is reproducible and readable everywhere.

A chart becomes two outputs. The first is a PNG, for pages that run no scripts. The second is HTML
whose script draws the interactive chart and then hides the PNG. The HTML is the same on every
machine: the id is a hash of the specification, numbers are rounded before they are serialised, keys
are sorted. In the book the script waits for the Vega that is served with the page. Elsewhere
(JupyterLab, Colab) it loads the pinned versions from a CDN; if that fails the PNG stays.
"""

import base64
import functools
import hashlib
import html
import io
import json
import math
import re
from pathlib import Path
from typing import Any

import altair as alt
import vl_convert
from IPython.display import display
from PIL import Image

FONT_DIRECTORY = Path(__file__).parents[2] / "fonts"
FONT_FAMILY = "Annotated Sans KR"
VEGA_VERSIONS = {"vega": "6.2.0", "vega-lite": "6.4.1", "vega-embed": "7.0.2"}
SIGNIFICANT_DIGITS = 4
PNG_INK = "#1b1f24"
CONTAINER_WIDTH = "containerSize()[0]"
"""In an expression of Vega: the width that the page gives a chart."""
CELL_INK = "var(--at-cell-ink, currentColor)"
"""The ink of numbers on pale cells, black or on a dark page white (`book/_static/palette.css`)."""

_THEME = "annotated_transformer"
_FONTS = f"'{FONT_FAMILY}', 'Noto Sans KR', 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
# 390 px phones: the chart takes the width of its container, never more than `width`.
_FRAME = '<div class="at-chart" id="{id}" style="width:100%;max-width:{width}px"></div>'
_SCRIPT = """<script>
(() => {
  const spec = %(spec)s;
  const libraries = %(libraries)s;
  const load = (src) => new Promise((done, failed) => {
    const script = Object.assign(document.createElement("script"), {src, onload: done});
    script.onerror = () => failed(new Error("cannot load " + src));
    document.head.append(script);
  });
  const loadAll = async () => {
    const amd = window.define && window.define.amd;
    if (amd) window.define.amd = undefined;
    try { for (const src of libraries) await load(src); }
    finally { if (amd) window.define.amd = amd; }
  };
  const vegaEmbed = async () => {
    if (window.vegaEmbed) return window.vegaEmbed;
    await (window.annotatedTransformerVega ??= loadAll());
    return window.vegaEmbed;
  };
  const pictureOf = (chart) => {
    const area = chart.closest(".cell_output, .jp-OutputArea, .output") || document.body;
    const before = (image) =>
      image.compareDocumentPosition(chart) & Node.DOCUMENT_POSITION_FOLLOWING;
    return [...area.querySelectorAll("img")].filter(before).pop();
  };
  const draw = async (chart) => {
    chart.dataset.state = "drawing";
    try {
      const embed = await vegaEmbed();
      await embed(chart, spec, {mode: "vega-lite", renderer: "svg", actions: false});
      chart.dataset.state = "drawn";
      const picture = pictureOf(chart);
      if (picture) picture.style.display = "none";
    } catch (error) {
      chart.dataset.state = "picture";
      chart.replaceChildren();
      console.info("The chart stays a picture: " + error.message);
    }
  };
  document.querySelectorAll("#%(id)s:not([data-state])").forEach(draw);
})();
</script>"""


class _Output:
    """One notebook output: a MIME type with its data, and the text for a plain terminal."""

    def __init__(self, mime: str, data: str, text: str, **metadata: Any) -> None:
        self._data, self._text = {mime: data}, text
        self._metadata = {mime: metadata} if metadata else {}

    def __repr__(self) -> str:
        return self._text

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, str], dict[str, Any]]:
        return self._data, self._metadata


def show(chart: Any, *, alt: str, width: int = 640) -> None:
    """Display an Altair chart as a PNG and as an interactive chart that replaces it.

    `alt` says in words what the chart shows, for readers who cannot see it. `width` is the greatest
    width in CSS pixels: a chart without a width of its own (single view or layered) shrinks with
    the page. The book makes one figure of both outputs; its name and caption are written in the
    metadata of the cell:

        {"mystnb": {"figure": {"name": "fig-weights", "caption": "What to see ..."}}}

    Compute chart data in float64 where you can: numbers are rounded to four significant digits,
    which hides differences in the last bits of float64 and not always those of float32.

    Raises ValueError for an empty `alt` and for NaN or infinity in the data.
    """
    if not alt.strip():
        raise ValueError("show: alt is empty; say in one or two sentences what the chart shows")
    spec = specification(chart, alt)
    display(_png_output(spec, alt, width))
    display(_Output("text/html", chart_html(spec, width), alt))


def enable_charts() -> None:
    """Make Altair display a bare chart as `show` does, with `description` as the alt text."""

    def render(spec: dict[str, Any], **_: Any) -> dict[str, str]:
        text = spec.get("description", "")
        if not text.strip():
            raise ValueError(
                "enable_charts: the chart has no description, which is its alt text; "
                "write chart.properties(description=...) or show(chart, alt=...)"
            )
        spec = _finished(spec, text)
        display(_png_output(spec, text, 640))
        return {"text/html": chart_html(spec, 640), "text/plain": text}

    alt.renderers.register(_THEME, render)
    alt.renderers.enable(_THEME)
    alt.theme.enable(_THEME)


@alt.theme.register(_THEME, enable=False)
def _theme() -> alt.theme.ThemeConfig:
    """Set text and lines in the colour of the page's text, so that charts follow light and dark."""
    ink = "currentColor"
    text = {"labelColor": ink, "titleColor": ink, "labelFontSize": 12, "titleFontSize": 13}
    axis = {"domainColor": ink, "tickColor": ink, "gridColor": ink, "gridOpacity": 0.15}
    axis |= {"labelFlush": False}  # the first and the last number stand at their ticks, too
    on_a_phone = {"columns": {"expr": f"{CONTAINER_WIDTH} < 480 ? 2 : 0"}}
    config: dict[str, Any] = {
        "background": None,
        "font": _FONTS,
        "view": {"stroke": None},
        "axis": {**text, **axis, "titleFontWeight": "normal"},
        "legend": {**text, "titleFontWeight": "normal", "orient": "top", **on_a_phone},
        "header": text,
        "title": {"color": ink},
        "text": {"color": ink, "fontSize": 12},
        "rule": {"color": ink},
    }
    return alt.theme.ThemeConfig(config=config)  # type: ignore[typeddict-item]


def specification(chart: Any, alt_text: str) -> dict[str, Any]:
    """Turn a chart into the Vega-Lite specification to store: rounded, with its alt text."""
    with alt.theme.enable(_THEME):
        return _finished(chart.to_dict(), alt_text)


def _finished(spec: dict[str, Any], alt_text: str) -> dict[str, Any]:
    spec = {**_numbered_views(_rounded(spec)), "description": alt_text}
    if not {"concat", "hconcat", "vconcat", "facet", "repeat"} & spec.keys():
        spec.setdefault("width", "container")
        spec.setdefault("autosize", {"type": "fit-x", "contains": "padding"})
    return spec


def _numbered_views(spec: dict[str, Any]) -> dict[str, Any]:
    """Replace Altair's view names, which are hashes of the data before it was rounded."""
    text = json.dumps(spec)
    for number, name in enumerate(dict.fromkeys(re.findall(r"\bview_[0-9a-f]{16}\b", text))):
        text = text.replace(name, f"view_{number}")
    numbered: dict[str, Any] = json.loads(text)
    return numbered


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    if not isinstance(value, float):
        return value
    if not math.isfinite(value):
        raise ValueError(f"chart data must be finite numbers, got {value}")
    return value if value.is_integer() else float(f"{value:.{SIGNIFICANT_DIGITS}g}")


def chart_html(spec: dict[str, Any], width: int) -> str:
    """Write the interactive output of a specification; equal specifications give equal bytes."""
    text = json.dumps(spec, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    identity = "chart-" + hashlib.sha256(text.encode()).hexdigest()[:12]
    cdn = [f"https://cdn.jsdelivr.net/npm/{name}@{at}" for name, at in VEGA_VERSIONS.items()]
    script = _SCRIPT % {
        "spec": text.replace("</", "<\\/"),
        "libraries": json.dumps(cdn),
        "id": identity,
    }
    return _FRAME.format(id=html.escape(identity), width=width) + "\n" + script


def chart_png(spec: dict[str, Any], width: int) -> bytes:
    """Draw a specification with the font of the package, dark on white, two pixels per CSS pixel.

    At most 128 colours make the file six times smaller without a visible difference.
    """
    _register_font()
    text = json.dumps(spec, sort_keys=True).replace(CELL_INK, "black")
    text = text.replace("currentColor", PNG_INK)
    text = text.replace(CONTAINER_WIDTH, str(width))  # there is no page around it
    still = json.loads(re.sub(r"var\(--[\w-]+, *([^)]+)\)", r"\1", text))
    still |= {"background": "white", "padding": 12}
    if still.get("width") == "container":
        still["width"] = width
    vl_version = ".".join(VEGA_VERSIONS["vega-lite"].split(".")[:2])
    drawn = vl_convert.vegalite_to_png(still, vl_version=vl_version, scale=2)
    small = io.BytesIO()
    with Image.open(io.BytesIO(drawn)) as picture:
        picture.convert("RGB").quantize(128).save(small, "PNG", optimize=True)
    return small.getvalue()


def _png_output(spec: dict[str, Any], alt_text: str, width: int) -> _Output:
    png = chart_png(spec, width)
    # The width field of the PNG's IHDR chunk.
    pixels = int.from_bytes(png[16:20], "big")
    data = base64.b64encode(png).decode()
    return _Output("image/png", data, alt_text, width=pixels // 2, alt=alt_text)


@functools.cache
def _register_font() -> None:
    vl_convert.register_font_directory(str(FONT_DIRECTORY))
