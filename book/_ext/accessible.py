"""What the theme and its extensions write, corrected where it shuts somebody out.

Each correction is one of axe-core's rules, which the page tests hold every page to.
"""

import re

from words import say

CORRECTIONS: list[tuple[str, str]] = [
    # region: the name of the book stands in the sidebar outside of every landmark.
    (
        r'<div id="pst-primary-sidebar" (?!role)',
        r'<div id="pst-primary-sidebar" role="navigation" aria-label="{Book}" ',
    ),
    # region: tooltips are put into the first element that this names, not behind the page's end.
    (
        r'data-bs-toggle="tooltip"(?! data-bs-container)',
        'data-bs-toggle="tooltip" data-bs-container="main"',
    ),
    # label-content-name-mismatch: who speaks to the computer says what is written on the button.
    (r'<summary aria-label="[^"]*"', "<summary"),
    (r'(<button class="btn search-button-field[^>]*) aria-label="[^"]*"', r"\1"),
    # aria-deprecated-role, aria-required-children: a bibliography is a list of entries.
    (r'role="doc-biblioentry"', 'role="listitem"'),
    # empty-table-header: the corner of a table is no header.
    # A cell of a head without words is no header, so it has no scope either.
    (r'<th(?: scope="col")?([^>]*)>((?:\s|</?p>)*)</th>', r"<td\1>\2</td>"),
]

# definition-list: a signature that Sphinx breaks into lines has its arguments in a list of terms.
SIGNATURE = re.compile(r'<dt class="sig .*?</dt>', re.DOTALL)
LINES = {
    "<dl>": '<span class="at-arguments">',
    "</dl>": "</span>",
    "<dd>": '<span class="at-argument">',
    "</dd>": "</span>",
}

TABLE = re.compile(r"<table.*?</table>", re.DOTALL)
CORNER = re.compile(r"<thead>\s*<tr[^>]*>\s*<td")
FIRST_CELL = re.compile(r"(<tr[^>]*>\s*)<td([^>]*)>(.*?)</td>", re.DOTALL)


def named_rows(table: re.Match[str]) -> str:
    """Return a table in which, if it has an empty corner, the first cell of a row is its header."""
    head, divider, body = table[0].partition("</thead>")
    if not CORNER.search(head):
        return table[0]
    return head + divider + FIRST_CELL.sub(r'\1<th scope="row"\2>\3</th>', body)


def accessible_page(html: str) -> str:
    """Return a page with all corrections, of which each can be made twice."""
    for pattern, replacement in CORRECTIONS:
        html = re.sub(pattern, replacement.replace("{Book}", say("Book")), html)
    html = SIGNATURE.sub(in_lines, html)
    return TABLE.sub(named_rows, html)  # td-has-header


def in_lines(signature: re.Match[str]) -> str:
    """Return a signature whose arguments stand in lines of their own and are no list."""
    return re.sub("</?d[ld]>", lambda tag: LINES[tag[0]], signature[0])
