"""Which language a piece of a page is in: Korean in the English book, English in the Korean one.

A program that reads a page aloud takes the voice of its language, and needs to be told where
another one is spoken. Where an element has only such words it gets `lang`; otherwise a span around
them does. Nothing that is shown, copied or searched for changes. In a Korean page two English words
in a row are marked, and one in italics or as a term; any other single word, such as softmax,
belongs to the Korean sentence. Code is no English: it is only marked where it has Hangul.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from words import ENGLISH, KOREAN

TOKEN = re.compile(
    r"<!--.*?-->|<!doctype[^>]*>"
    r"|<(?P<raw>script|style|title|textarea)\b.*?</(?P=raw)\s*>"
    r"|</(?P<close>[a-z][^\s>]*)\s*>"
    r"|<(?P<open>[a-z][^\s/>]*)(?:[^>\"']|\"[^\"]*\"|'[^']*')*>",
    re.DOTALL | re.IGNORECASE,
)
LANG = re.compile(r"\slang=[\"']?([a-z]+)", re.IGNORECASE)
VOID = set("area base br col embed hr img input link meta source track wbr".split())  # noqa: SIM905
CODE = {"pre", "code", "kbd", "samp", "math", "svg", "mjx-container"}
NOT_TRANSLATED = re.compile(r"\sclass=\"[^\"]*\b(?:notranslate|sig)\b")
# These hold words and nothing that a script fills later.
MARKED = re.compile(
    "p|li|d[td]|t[dh]|h[1-6]|a|em|strong|b|i|span|code|figcaption|cite|blockquote|q|small|summary|"
    "label|button|option|abbr|mtext|text|tspan|mjx-utext"
)
# What line_ends.py puts round words when they are marked already, and finds in a finished page.
WHOLE = ' class="at-whole"'
ONE_IS_ENOUGH = {"em", "i", "dt"}
NO_SPAN = {"math", "svg", "option", "select", "title"}
HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3"
KOREAN_RUN = re.compile(rf"[{HANGUL}](?:[{HANGUL}\d\s,.!?~/·()‘’“”-]*[{HANGUL}])?")
ANY_HANGUL = re.compile(f"[{HANGUL}]")
LETTER = re.compile("[A-Za-zÀ-ɏ]")
WORD = "(?:[A-Za-zÀ-ɏ][a-zß-ɏ]+(?:[’'-][A-Za-zÀ-ɏ]+)*)"
ENGLISH_RUN = re.compile(
    rf"(?<![\w-])(?:I |A |a )?{WORD}(?:,? (?:I|a|A|\d+|{WORD}))*,? {WORD}[.!?]?(?![\w(-])"
)
ENTITY = re.compile(r"&#?\w+;")


@dataclass
class Element:
    """An element of a page: where its tag ends, and what stands in it."""

    tag: str
    end: int
    language: str
    code: bool
    spans: bool
    inside: list["Element | tuple[int, int]"] = field(default_factory=list)
    hangul: bool = False
    letters: bool = False
    english: bool = False


def tree(html: str) -> Element:
    """Read a page into elements and the places of their texts."""
    root = Element("", 0, ENGLISH, code=False, spans=True)
    path, last = [root], 0
    for token in TOKEN.finditer(html):
        if token.start() > last:
            add_text(path, html, last, token.start())
        last = token.end()
        if token["close"]:
            tag = token["close"].lower()
            place = next((i for i in range(len(path) - 1, 0, -1) if path[i].tag == tag), None)
            if place is not None:
                del path[place:]
        elif token["open"]:
            element = below(path[-1], token)
            path[-1].inside.append(element)
            if element.tag not in VOID and not token[0].endswith("/>"):
                path.append(element)
    add_text(path, html, last, len(html))
    return root


def below(above: Element, token: re.Match[str]) -> Element:
    """Return the element that a tag begins."""
    tag, said = token["open"].lower(), LANG.search(token[0])
    return Element(
        tag,
        token.end() - (2 if token[0].endswith("/>") else 1),
        said[1].lower() if said else above.language,
        above.code or tag in CODE or bool(NOT_TRANSLATED.search(token[0])),
        above.spans and tag not in NO_SPAN,
    )


def add_text(path: list[Element], html: str, start: int, end: int) -> None:
    """Put a text into the last element of a path, and note in all of them what it has."""
    text = plain(html[start:end])
    if not text.strip():
        return
    path[-1].inside.append((start, end))
    hangul, letters = ANY_HANGUL.search(text) is not None, LETTER.search(text) is not None
    english = letters and not path[-1].code and ENGLISH_RUN.search(text) is not None
    for element in path:
        element.hangul |= hangul
        element.letters |= letters
        element.english |= english


def plain(text: str) -> str:
    """Return a text in which no letter of an entity is one, every other letter at its place."""
    return ENTITY.sub(lambda found: "\0" * len(found[0]), text)


def insertions(element: Element, html: str) -> list[tuple[int, str]]:
    """Return what to put where, so that all that is in the other language is marked."""
    found: list[tuple[int, str]] = []
    other = ENGLISH if element.language == KOREAN else KOREAN
    run = ENGLISH_RUN if other == ENGLISH else KOREAN_RUN
    for part in element.inside:
        if isinstance(part, Element):
            if other == KOREAN:
                alone = part.hangul and not part.letters
            else:
                one = part.letters and not part.code and part.tag in ONE_IS_ENOUGH
                alone = (part.english or one) and not part.hangul
            own = MARKED.fullmatch(part.tag) and not html.endswith(WHOLE, 0, part.end)
            if alone and own and part.language == element.language:
                found.append((part.end, f' lang="{other}"'))
            elif part.hangul or part.letters:
                found += insertions(part, html)
        elif element.spans and not (element.code and other == ENGLISH):
            start, end = part
            for match in run.finditer(plain(html[start:end])):
                found.append((start + match.start(), f'<span lang="{other}">'))
                found.append((start + match.end(), "</span>"))
    return found


def marked_page(html: str) -> str:
    """Return a page in which what is in another language says so; a second time changes nothing."""
    return with_insertions(html, insertions(tree(html), html))


def with_insertions(html: str, found: Iterable[tuple[int, str]]) -> str:
    """Return a page with texts put in at their places, which are in order."""
    parts, last = [], 0
    for place, text in found:
        parts += [html[last:place], text]
        last = place
    return "".join([*parts, html[last:]])
