"""Where a long name of code may break: after a dot, a slash or an underscore, and nowhere else.

The ending of a file is no part to break off.
"""

import re

LONG = 14
"""Characters from which a name may be wider than a column of a table on a phone."""
NAME = re.compile(rf'(?<=<span class="pre">)[^<\s]{{{LONG},}}(?=</span>)')
BREAK = re.compile(
    r"(?<=[^\W_][_/])(?=[^\W_])|(?<=[^\W\d][.])(?!(?:py|json|ipynb|toml)$)(?=[^\W\d])"
    r"|(?<=[)][.])(?=\w)|(?<=::)(?=\w)"
)


def breaking_names(html: str) -> str:
    """Return a page whose long names have their places to break; a second time changes nothing."""
    return NAME.sub(lambda name: BREAK.sub("<wbr>", name[0]), html)
