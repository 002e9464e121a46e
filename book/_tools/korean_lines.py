"""The sentences of a Korean unit as a reader sees them, for the rules in `korean_rules.py`.

A unit is read as the builder of the pages reads it, with a sign in place of each formula, each
piece of code and each role.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

from prose import directive_of

ROOT = Path(__file__).parents[2]
SETTINGS = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
EXTENSIONS = set(SETTINGS["parse"]["myst_enable_extensions"])
PARSER = create_md_parser(MdParserConfig(enable_extensions=EXTENSIONS), RendererHTML)

# What stands in a sentence for what is no prose. A simple formula has its letters after the sign.
CODE, FORMULA, NUMBERED, ROLE = "\ue000", "\ue001", "\ue002", "\ue003"
SIGN = "[\ue000-\ue003]"
SHOWN = {CODE: "`…`", FORMULA: "$…$", NUMBERED: "{…}`…`", ROLE: "{…}`…`"}
BUILT = {"numref", "eq", "ref", "prf:ref", "claim"}
NAMED = re.compile(r"(?P<text>[^<]*\S)\s*<[^>]*>")
NOT_PROSE = {"code-block", "code", "math", "toctree", "bibliography", "automodule", "image"}
WORDS_OF_OPTIONS = {"alt", "caption"}
COLOURED = re.compile(r"\\textcolor\{[^}]*\}\{([^{}]*)\}")
READ_BY_LETTERS = re.compile(r"([A-Za-z])(?:_\{?([A-Za-z])\}?)?|-?([\d.,{}]*\d)")
TAG = re.compile(r"<[^>]*>", re.DOTALL)
IN_A_LINE = re.compile(r"</?(?:a|abbr|b|code|em|i|span|strong|sub|sup)\b[^>]*>", re.DOTALL)
ATTRIBUTE = re.compile(r'\b(?:alt|title|aria-label)="([^"]*)"')
SPACES = re.compile(r"\s+")

HANGUL = "[가-힣]"
QUOTED = re.compile(r"“[^”]*”|‘[^’]*’")
# Where nothing else of a word follows.
END = rf"(?!{HANGUL})"


@dataclass(frozen=True)
class Line:
    """A paragraph, a heading, a cell of a table or a text of a figure, as it is read."""

    text: str
    slanted: tuple[str, ...] = ()

    @property
    def own(self) -> str:
        """The text without what is quoted: what the book says in its own words."""
        return QUOTED.sub("‘’", self.text)


def of_formula(formula: str) -> str:
    """Return the sign of a formula; with it the letters or digits that are read aloud last."""
    plain = COLOURED.sub(r"\1", formula.strip()).strip()
    if found := READ_BY_LETTERS.fullmatch(plain):
        return FORMULA + (found[2] or found[1] or re.sub(r"[{}]", "", found[3]))
    return FORMULA


def of_role(name: str, content: str) -> str:
    """Return what a role shows: the text that is given to it, or a sign."""
    if name == "claim":
        return NUMBERED
    named = NAMED.fullmatch(content)
    if name in BUILT and (named is None or "%s" in named["text"] or "{number}" in named["text"]):
        return NUMBERED
    if name in BUILT or name in {"doc", "term"}:
        return named["text"] if named else content
    return ROLE


def of_inline(tokens: list[Token]) -> Line:
    """Return the text of a paragraph, and what of it stands in italics."""
    text, slanted, starts = "", [], []
    for token in tokens:
        match token.type:
            case "text":
                text += token.content
            case "softbreak" | "hardbreak":
                text += " "
            case "code_inline":
                text += CODE
            case "math_inline" | "math_inline_double":
                text += of_formula(token.content)
            case "myst_role":
                text += of_role(token.meta["name"], token.content)
            case "image":
                text += token.content
            case "html_inline":
                text += " " if token.content.startswith("<br") else ""
            case "em_open":
                starts.append(len(text))
            case "em_close":
                slanted.append(text[starts.pop() :])
    return Line(SPACES.sub(" ", text).strip(), tuple(slanted))


def of_html(source: str) -> Iterator[Line]:
    """Yield the text of a piece of HTML, and the words in its attributes."""
    for text in (TAG.sub(" ", IN_A_LINE.sub("", source)), *ATTRIBUTE.findall(source)):
        if plain := SPACES.sub(" ", html.unescape(text)).strip():
            yield Line(plain)


def of_glossary(content: str) -> Iterator[Line]:
    """Yield the definitions of a glossary, whose terms are English."""
    for entry in re.split(r"^(?=\S)", content, flags=re.MULTILINE):
        _, _, definition = entry.partition("\n")
        yield from lines(re.sub(r"^ +", "", definition, flags=re.MULTILINE))


def lines(markdown: str) -> Iterator[Line]:
    """Yield everything that a reader reads of a Markdown text, directives inside it included."""
    for token in PARSER.parse(markdown):
        if token.type == "inline":
            yield of_inline(token.children or [])
        elif token.type == "html_block":
            yield from of_html(token.content)
        elif directive := directive_of(token):
            for key in WORDS_OF_OPTIONS & directive.options.keys():
                yield Line(directive.options[key])
            if directive.name in NOT_PROSE:
                continue
            if " " in directive.argument or re.search(HANGUL, directive.argument):
                yield from lines(directive.argument)
            if directive.name == "glossary":
                yield from of_glossary(directive.content)
            else:
                yield from lines(directive.content)


def lines_of_figure(words: str) -> Iterator[Line]:
    """Yield the texts of a figure: captions are Markdown, alternative texts are plain."""
    for key, value in yaml.safe_load(words).items():
        for text in value if isinstance(value, list) else [value]:
            yield from lines(text) if key == "caption" else [Line(SPACES.sub(" ", text))]
