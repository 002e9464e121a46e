"""Folds that an address opens: the sections of a second reading, proofs and solutions.

A section of level 3 below the heading "For a second reading", or below one that a page has in its
place, is written as <details>, and so is an admonition or a solution of class `dropdown`. The ids
of each go onto the part that is folded: a browser that is sent to an id in a closed <details> opens
it, without a script, but not if the id is that of the <details> itself or of what is around it. In
the source, and for every other builder, they stay sections, admonitions and solutions.
"""

import re
from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator
from sphinx_exercise.nodes import solution_node

from on_pages import between, load_where
from words import either, say

PARENT = "For a second reading"
PARENTS = (PARENT, "The differences, one by one", "Setting the book up")
"""Of the chapters, and of pages that nobody reads twice."""
LONGEST_RESULT = 240
SENTENCE_END = re.compile(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)[\"”)]*(?=\s|$)")
BUTTON = (
    '<button class="at-open-all" type="button" data-closed="{closed}" data-open="{open}" hidden>'
    "{closed}</button>"
)

logger = logging.getLogger(__name__)


class FoldedSection(nodes.section):
    """A section that a reader opens: its title, its result, and its body."""


class FoldedBox(nodes.General, nodes.Element):
    """A proof or a solution that a reader opens: its title and its body."""


class Result(nodes.General, nodes.TextElement):
    """What a section says, beside its title as long as it is closed."""


class BoxTitle(nodes.General, nodes.TextElement):
    """The title of a proof or a solution."""


class Body(nodes.General, nodes.Element):
    """What is folded, with the ids of all of it."""


def is_parent(heading: str) -> bool:
    """Tell whether what is below a heading is folded."""
    return any(heading in either(parent) for parent in PARENTS)


def second_readings(doctree: nodes.document) -> Iterator[nodes.section]:
    """Yield the sections whose subsections are folded."""
    for section in doctree.findall(nodes.section):
        if is_parent(section[0].astext()):
            yield section


def result_of(section: nodes.section) -> list[nodes.Node]:
    """Return the first sentence of a section, for its title, or nothing if it is none."""
    beside = nodes.Invisible | nodes.sidebar
    first = next((part for part in section[1:] if not isinstance(part, beside)), None)
    if not isinstance(first, nodes.paragraph) or len(first.astext()) == 0:
        return []
    found: list[nodes.Node] = []
    for part in first.children:
        end = SENTENCE_END.search(part.astext()) if isinstance(part, nodes.Text) else None
        if end:
            found.append(nodes.Text(part.astext()[: end.end()]))
            break
        found.append(part.deepcopy())
    text = "".join(part.astext() for part in found)
    return found if text[-1:] in '.!?"”)' and len(text) <= LONGEST_RESULT else []


def without_links(parts: list[nodes.Node]) -> list[nodes.Node]:
    """Return copies that hold no link and no id: a click on them opens the fold, and nothing else.

    A text that is twice on a page may have its id once.
    """
    box = nodes.inline("", "", *(part.deepcopy() for part in parts))
    for element in list(box.findall(nodes.Element)):
        element["ids"] = []
    for link in list(box.findall(nodes.reference)):
        link.replace_self(link.children)
    return list(box.children)


def fold(app: Sphinx, doctree: nodes.document, _page: str) -> None:
    """Fold the sections and the boxes of a page."""
    if app.builder.format != "html":
        return
    for parent in list(second_readings(doctree)):
        if (address := nodes.make_id(PARENT)) not in parent["ids"]:
            parent["ids"].append(address)  # as on every page with folds
        sections = [part for part in parent.children if isinstance(part, nodes.section)]
        if sections:
            button = BUTTON.format(closed=say("Open all"), open=say("Close all"))
            parent.insert(parent.index(sections[0]), nodes.raw("", button, format="html"))
        for section in sections:
            fold_section(section)
    for box in list(doctree.findall(nodes.Element)):
        if "dropdown" in box.get("classes", []) and not isinstance(box, FoldedBox):
            fold_box(box)


def fold_section(section: nodes.section) -> None:
    """Write a folded section in the place of a section."""
    result, body = Result(), Body("", *section[1:])
    result += without_links(result_of(section))
    body["ids"] = section["ids"]
    folded = FoldedSection("", section[0], *([result] if result.children else []), body)
    folded.update_basic_atts(section)
    section.replace_self(folded)


def fold_box(box: nodes.Element) -> None:
    """Write a folded box in the place of an admonition or a solution."""
    if not isinstance(box, nodes.admonition | solution_node) or not isinstance(box[0], nodes.title):
        logger.warning("a <%s> of class dropdown is not folded", box.tagname, location=box)
        return
    title, body = BoxTitle(), Body("", *box[1:])
    title += without_links(box[0].children)
    body["ids"] = box["ids"]
    folded = FoldedBox("", title, body, classes=[*box["classes"], "admonition"])
    box["ids"] = []  # or they would be given to what comes in its place
    box.replace_self(folded)


def has_folds(doctree: nodes.document) -> bool:
    """Tell whether anything on a page is folded."""
    return any(isinstance(node, FoldedSection | FoldedBox) for node in doctree.findall())


def visit_section(self: HTML5Translator, _node: FoldedSection) -> None:
    """Begin a folded section; its title follows."""
    self.section_level += 1
    self.body.append('<section><details class="at-second-reading"><summary>')


def depart_section(self: HTML5Translator, _node: FoldedSection) -> None:
    """End it."""
    self.section_level -= 1
    self.body.append("</details></section>\n")


def visit_box(self: HTML5Translator, node: FoldedBox) -> None:
    """Begin a folded box."""
    self.body.append(self.starttag(node, "details"))


def depart_box(self: HTML5Translator, _node: FoldedBox) -> None:
    """End it."""
    self.body.append("</details>\n")


def visit_body(self: HTML5Translator, node: Body) -> None:
    """Begin what is folded."""
    if isinstance(node.parent, FoldedSection):
        self.body.append("</summary>")
    self.body.append(self.starttag(node, "div", CLASS="at-folded"))


def depart_body(self: HTML5Translator, _node: Body) -> None:
    """End it."""
    self.body.append("</div>")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.add_node(FoldedSection, html=(visit_section, depart_section))
    app.add_node(Result, html=between('<span class="at-result">', "</span>"))
    app.add_node(FoldedBox, html=(visit_box, depart_box))
    title = between('<summary class="admonition-title">', "</summary>\n")
    app.add_node(BoxTitle, html=title)
    app.add_node(Body, html=(visit_body, depart_body))
    app.connect("doctree-resolved", fold, priority=900)
    load_where(app, has_folds, "folds.css", "folds.js", loading_method="defer")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
