"""Draw the formulas while the book is built, so that a page needs no script to show them.

MathJax draws them, in a JavaScript engine and without a browser. What it writes is HTML and CSS,
with fonts that all pages share, and MathML beside each formula for screen readers. A formula that
MathJax cannot read is a warning of the build.
"""

import json
import re
import shutil
from functools import cache
from html import escape
from importlib.metadata import files
from pathlib import Path

from docutils import nodes
from py_mini_racer import MiniRacer
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number
from sphinx.writers.html5 import HTML5Translator

from web_fonts import cut
from words import built_pages, say, whole_book

GLUE = Path(__file__).with_name("formulas.js")
COMPONENTS = (
    "loader",
    "core",
    "adaptors/liteDOM",
    "input/tex-base",
    "input/tex/extensions/all-packages",
    "output/chtml",
    "output/chtml/fonts/tex",
    "a11y/assistive-mml",
)
FONTS = Path("output", "chtml", "fonts", "woff-v2")
STYLE = "formulas.css"
SCRIPT = "wide_formulas.js"
# The colour is for the eye: a screen reader reads the MathML, and nobody sees it.
HIDDEN_COLOUR = re.compile(r' mathcolor="[^"]*"')
# A character, in one of MathJax's fonts: "mjx-c41 TEX-C" in a page, "mjx-c41.TEX-C" in a rule.
GLYPH = re.compile(r"mjx-c[0-9A-F]+(?:[ .]TEX-[A-Z0-9]+)?\b")
FACE = re.compile(r"@font-face.*?font-family: (\S+);.*?/([^/]+)\.woff", re.DOTALL)
WOFF = re.compile(r'(url\("[^"]+)\.woff"\) format\("woff"\)')
SINGLE = re.compile(r"mjx-c\.mjx-c[0-9A-F]+(?:\.TEX(-[A-Z0-9]+))?::before")
# What is put together from parts, such as a high bracket, has them from these.
OF_PARTS = ("MJXTEX", "MJXTEX-A", "MJXTEX-S1", "MJXTEX-S4")

# What the TeX of a short formula has besides letters and signs.
COMMAND = re.compile(r"\\textcolor\{[^}]*\}|\\(?:text|mathrm|mathbf)\b|\\[,;!]|[{}]")
SPOKEN = {r"\cdot": "\N{DOT OPERATOR}", r"\times": "\N{MULTIPLICATION SIGN}"}

CONTENT = re.compile(r'content: "([^"]*)"')
CHARACTER = re.compile(r"\\([0-9A-F]+)|(.)")

logger = logging.getLogger(__name__)


def mathjax_folder() -> Path:
    """Return the folder of the MathJax that sphinx-mathjax-offline carries."""
    for file in files("sphinx-mathjax-offline") or []:
        if file.name == "tex-chtml.js":
            return Path(str(file.locate())).parent
    raise FileNotFoundError("sphinx-mathjax-offline holds no tex-chtml.js")


@cache
def engine() -> MiniRacer:
    """Return a JavaScript engine in which MathJax is loaded."""
    context = MiniRacer()
    context.eval(
        "var MathJax = {loader: {load: []}, startup: {ready() {}}}; var global = globalThis;"
    )
    for name in COMPONENTS:
        context.eval((mathjax_folder() / f"{name}.js").read_text(encoding="utf-8"))
    context.eval(GLUE.read_text(encoding="utf-8"))
    return context


@cache
def draw(tex: str, *, display: bool) -> str:
    """Return a formula as HTML. Raises ValueError, with MathJax's reason, if it cannot be read."""
    call = f"JSON.stringify(drawFormula({json.dumps(tex)}, {json.dumps(display)}))"
    drawn = json.loads(str(engine().eval(call)))
    if "error" in drawn:
        raise ValueError(f"formula {tex!r}: {drawn['error']}")
    html = HIDDEN_COLOUR.sub("", drawn["html"])
    # A wide one scrolls, with the arrow keys too.
    return html.replace("<mjx-container", '<mjx-container tabindex="0"', 1) if display else html


def style_sheet(glyphs: set[str]) -> str:
    """Return MathJax's style sheet without the rules of glyphs and fonts that no page shows."""
    rules = [
        rule
        for rule in str(engine().eval("styleSheet()")).strip().split("\n\n")
        if set(GLYPH.findall(rule.split("{")[0])) <= glyphs
    ]
    drawn = characters_of_fonts("\n".join(rules))
    kept = (rule for rule in rules if not (face := FACE.match(rule)) or face[1] in drawn)
    return WOFF.sub(r'\1.woff2") format("woff2")', "\n".join(kept))


def characters_of_fonts(style: str) -> dict[str, set[int]]:
    """Return the characters that the rules of a style sheet show in each of its font families."""
    drawn: dict[str, set[int]] = {"MJXZERO": set()}
    for rule in style.split("}"):
        content = CONTENT.search(rule)
        if not content or not GLYPH.search(rule):
            continue
        single = SINGLE.search(rule)
        families = [f"MJXTEX{single[1] or ''}"] if single else OF_PARTS
        for code, character in CHARACTER.findall(content[1]):
            for family in families:
                drawn.setdefault(family, set()).add(int(code, 16) if code else ord(character))
    return drawn


def display_tex(text: str) -> str:
    """Return what a displayed formula is in TeX: parts with an empty line between are its lines."""
    lines = [
        rf"\begin{{split}}{part}\end{{split}}" if r"\\" in part else part
        for part in text.split("\n\n")
        if part.strip()
    ]
    if len(lines) == 1:
        return lines[0]
    return r"\begin{align}\begin{aligned}" + r"\\".join(lines) + r"\end{aligned}\end{align}"


def drawn_or_warned(node: nodes.Element, tex: str, *, display: bool) -> str:
    """Return the drawn formula; where that fails its TeX, and a warning that names the place."""
    try:
        return draw(tex, display=display)
    except ValueError as error:
        logger.warning("%s", error, location=node)
        return f"<code>{escape(tex)}</code>"


def visit_math(self: HTML5Translator, node: nodes.math) -> None:
    """Write a formula in a line."""
    html = drawn_or_warned(node, node.astext(), display=False)
    if is_header(node):
        html = html.replace("<math ", f'<math aria-label="{escape(as_words(node.astext()))}" ')
    self.body.append(self.starttag(node, "span", "", CLASS="math notranslate nohighlight"))
    self.body.append(html + "</span>")
    raise nodes.SkipNode


def is_header(node: nodes.math) -> bool:
    """Say whether a formula is all that the first cell of a table's column or row holds.

    Such a cell may become a header, which needs a name, and the content of MathML is none.
    """
    entry = node.parent
    while entry is not None and not isinstance(entry, nodes.entry):
        entry = entry.parent
    if entry is None or entry.astext().strip() != node.astext().strip():
        return False
    return entry is entry.parent[0] or isinstance(entry.parent.parent, nodes.thead)


def as_words(tex: str) -> str:
    r"""Return the letters and signs of a formula: "d_model" for `d_{\text{model}}`."""
    for command, sign in SPOKEN.items():
        tex = tex.replace(command, sign)
    return " ".join(COMMAND.sub("", tex).split())


def visit_math_block(self: HTML5Translator, node: nodes.math_block) -> None:
    """Write a displayed formula with its number."""
    self.body.append(self.starttag(node, "div", CLASS="math notranslate nohighlight"))
    if node["number"]:
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})')
        self.add_permalink_ref(node, say("Link to this equation"))
        self.body.append("</span>")
    tex = node.astext() if node["nowrap"] else display_tex(node.astext())
    self.body.append(drawn_or_warned(node, tex, display=True) + "</div>\n")
    raise nodes.SkipNode


def add_style(app: Sphinx, page: str, _template: str, _context: object, _doctree: object) -> None:
    """Load style sheet and script on the pages that have formulas."""
    if app.env.get_domain("math").has_equations(page):
        app.add_css_file(STYLE)
        app.add_js_file(SCRIPT, loading_method="defer")


def write_style(app: Sphinx, error: Exception | None) -> None:
    """Write the style sheet for the glyphs of all pages, and the fonts beside it."""
    if error is not None or not isinstance(app.builder, StandaloneHTMLBuilder):
        return
    glyphs = {
        glyph.replace(" ", ".")
        for page in built_pages(app)
        for glyph in GLYPH.findall(page.read_text(encoding="utf-8"))
    }
    static = whole_book(app) / "_static"
    style = style_sheet(glyphs)
    (static / STYLE).write_text(style, encoding="utf-8")
    shutil.rmtree(static / "formulas", ignore_errors=True)
    (static / "formulas").mkdir()
    drawn = characters_of_fonts(style)
    for family, name in FACE.findall(style):
        font = mathjax_folder() / FONTS / f"{name}.woff"
        (static / "formulas" / f"{name}.woff2").write_bytes(cut(font, drawn[family]))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.add_html_math_renderer("drawn", (visit_math, None), (visit_math_block, None))
    app.connect("html-page-context", add_style)
    app.connect("build-finished", write_style)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
