"""The role {reading}`attention`: how long a chapter takes to read, from its words as they are."""

import json
import math
import re
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxRole

BOOK = Path(__file__).parents[1]
WORDS_PER_MINUTE = 150
MATHS = re.compile(r"\$\$.+?\$\$|\$[^$\n]+\$", re.DOTALL)
NO_PROSE = re.compile(r"^(?:[`:]{3,}.*|:[\w-]+:.*)$", re.MULTILINE)
LINK = re.compile(r"\]\([^)]*\)")
WORD = re.compile(r"[^\W_](?:[\w'’-]*\w)?")


def chapter_file(name: str) -> Path:
    """Return the notebook or the Markdown page of a chapter."""
    for suffix in (".ipynb", ".md"):
        if (path := BOOK / f"{name}{suffix}").is_file():
            return path
    raise ExtensionError(f"the role reading names {name!r}, and book/ has no such chapter")


def prose(name: str) -> str:
    """Return the text of a chapter up to its exercises."""
    path = chapter_file(name)
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown"]
        text = "\n\n".join("".join(cell["source"]) for cell in cells)
    return text.partition("\n## Exercises\n")[0]


def count_words(markdown: str) -> int:
    """Count words; a formula is one, and what opens or sets up a directive is none."""
    text = LINK.sub("]", NO_PROSE.sub("", MATHS.sub("formula", markdown)))
    return len(WORD.findall(text))


def minutes(words: int) -> int:
    """Return how long so many words take, in steps of five minutes and at least five."""
    return max(5, 5 * math.ceil(words / WORDS_PER_MINUTE / 5))


class Reading(SphinxRole):
    """The minutes that a chapter takes, as text."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Count the words of the chapter; a change of it has the page written again."""
        self.env.note_dependency(str(chapter_file(self.text)))
        return [nodes.Text(str(minutes(count_words(prose(self.text)))))], []


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.add_role("reading", Reading())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
