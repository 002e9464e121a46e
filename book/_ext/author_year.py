"""The list of sources, by author and year: sorted and named as the text cites them.

A citation says "Vaswani et al., 2017", and a reader of paper looks that up. Sources that would have
the same name get a letter behind the year, in the list and in the text.
"""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from string import ascii_lowercase
from typing import Any

from pybtex.database import Entry
from pybtex.plugin import register_plugin
from pybtex.richtext import BaseText
from pybtex.style.formatting.unsrt import Style as UnsortedStyle
from pybtex.style.labels import BaseLabelStyle
from pybtex.style.sorting import BaseSortingStyle
from pybtex.style.template import Node, node
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinxcontrib.bibtex.plugin import register_plugin as register_reference_style
from sphinxcontrib.bibtex.style.referencing.author_year import AuthorYearReferenceStyle

NAME = "author_year_letter"
BETWEEN = ", "


def named(entry: Entry) -> str:
    """Return the authors as a citation in the text names them."""
    style = AuthorYearReferenceStyle()
    names = style.person.author_or_editor_or_title(full=False)
    return str(names.format_data({"entry": entry, "style": style}))


def year_of(entry: Entry) -> str:
    """Return the year of a source. Raises ExtensionError without one."""
    if "year" not in entry.fields:
        raise ExtensionError(f"{entry.key}: a source needs a year in references.bib; give it one")
    return str(entry.fields["year"])


class Sorting(BaseSortingStyle):
    """By what a reader looks up: the names of a citation, the year, and then the title."""

    def sorting_key(self, entry: Entry) -> tuple[str, ...]:
        """Return what is compared; capitals and accents do not count."""
        letters = unicodedata.normalize("NFD", named(entry)).casefold()
        bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
        return bare, year_of(entry), entry.fields["title"]


class Labels(BaseLabelStyle):
    """Labels such as "Vaswani et al., 2017", and "Liu et al., 2020a" where there are two."""

    def format_labels(self, sorted_entries: list[Entry]) -> Iterator[str]:
        """Yield the label of each entry."""
        labels = [f"{named(entry)}{BETWEEN}{year_of(entry)}" for entry in sorted_entries]
        often, letters = Counter(labels), defaultdict(lambda: iter(ascii_lowercase))
        for label in labels:
            yield label if often[label] == 1 else label + next(letters[label])


class Listed(UnsortedStyle):
    """Entries written as before, with these labels and in this order."""

    default_sorting_style = NAME
    default_label_style = NAME


@node
def with_year_of_label(children: list[Node], data: dict[str, Any]) -> BaseText:
    """Format a citation with the year as the list has it, with its letter."""
    entry, label = data["entry"], data["formatted_entry"].label
    fields = {**entry.fields, "year": label.rpartition(BETWEEN)[2]}
    return children[0].format_data({**data, "entry": Entry(entry.type, fields, entry.persons)})


class Cited(AuthorYearReferenceStyle):
    """Author and year, with the letter of the list."""

    def inner(self, role_name: str) -> Node:
        """Return the template of one source."""
        return with_year_of_label[super().inner(role_name)]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    del app
    register_plugin("pybtex.style.sorting", NAME, Sorting, force=True)
    register_plugin("pybtex.style.labels", NAME, Labels, force=True)
    register_plugin("pybtex.style.formatting", NAME, Listed, force=True)
    group = "sphinxcontrib.bibtex.style.referencing"
    register_reference_style(group, NAME, Cited, force=True)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
