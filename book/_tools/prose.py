"""Markdown as the builder of the pages reads it: directives, pictures, headings, definitions."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.deflist import deflist_plugin

PARSER = MarkdownIt("commonmark").enable("table").use(colon_fence_plugin).use(deflist_plugin)
OPENING = re.compile(r"\{(?P<name>[\w:-]+)\}[ ]*(?P<argument>.*)", re.DOTALL)
LOOKS_LIKE_ONE = re.compile(r"(?:`{3,}|~{3,}|:{3,})\{[\w:-]+\}.*")
OPTION = re.compile(r":(?P<key>[\w-]+):(?:[ ]+(?P<value>.*))?")


@dataclass(frozen=True)
class Directive:
    """A block such as `{figure} picture.svg` with its options and what it holds."""

    name: str
    argument: str
    options: dict[str, str]
    content: str


@dataclass
class Section:
    """A heading with the definitions below it, as Markdown."""

    level: int
    title: str
    definitions: list[tuple[str, str]] = field(default_factory=list)


def directives(markdown: str) -> Iterator[Directive]:
    """Yield the directives of a text, those inside others too."""
    for token in PARSER.parse(markdown):
        if directive := directive_of(token):
            yield directive
            yield from directives(directive.content)


def unopened(markdown: str) -> Iterator[str]:
    """Yield the lines that look like the first of a directive and are read as text."""
    for token in PARSER.parse(markdown):
        if token.type == "inline":
            yield from filter(LOOKS_LIKE_ONE.fullmatch, token.content.splitlines())
        elif directive := directive_of(token):
            yield from unopened(directive.content)


def pictures(markdown: str) -> Iterator[str]:
    """Yield the address of every picture that stands in the text and is no directive."""
    for token in PARSER.parse(markdown):
        for child in token.children or ():
            if child.type == "image":
                yield str(child.attrs["src"])
        if directive := directive_of(token):
            yield from pictures(directive.content)


def sections(markdown: str) -> list[Section]:
    """Return the sections in their order; what stands before the first heading is one too."""
    found, term = [Section(0, "")], ""
    tokens = PARSER.parse(markdown)
    for i, token in enumerate(tokens):
        if token.type == "heading_open":
            found.append(Section(int(token.tag[1:]), tokens[i + 1].content))
        elif token.type == "dt_open":
            term = tokens[i + 1].content
        elif token.type == "dd_open":
            found[-1].definitions.append((term, tokens[i + 2].content))
    return found


def directive_of(token: Token) -> Directive | None:
    """Return the directive that a token of the parser is, or nothing."""
    opening = OPENING.fullmatch(token.info.strip())
    if token.type not in ("fence", "colon_fence") or opening is None:
        return None
    lines, options = token.content.splitlines(), {}
    while lines and (option := OPTION.fullmatch(lines[0].strip())):
        options[option["key"]] = option["value"] or ""
        del lines[0]
    return Directive(opening["name"], opening["argument"].strip(), options, "\n".join(lines))
