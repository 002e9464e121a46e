"""What a line may not tear apart: a formula and its particle, "Fig." and "24", number and unit.

A browser may end a line before and behind every formula, whatever stands there, and in Korean
behind a bracket, a quotation mark or a sign, although the particle there belongs to the word. A
span goes round such a word, and in it the style sheet lets a line end only at the spaces that an
element has inside. No text changes: what is copied, searched for or compared is the same.

As before a line may end behind a hyphen, a dash or a slash, and before a bracket that holds several
words. Of a word that is too wide for a phone as much is kept together as there is room for.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape

from languages import with_insertions

WHOLE, LOOSE, END = '<span class="at-whole">', '<span class="at-loose">', "</span>"

WIDEST = 14.0
"""How wide may be what is kept together, in heights of a letter: a phone shows about twenty."""
NARROW = {"h1": 7.0, "h2": 10.0, "h3": 12.0, "td": 8.0, "th": 8.0}
"""Where letters are larger, or lines shorter."""
GLYPH, HANGUL, LETTER = 0.52, 0.95, 0.52
"""How wide a character is: of a formula, of Hangul, and any other."""

ARTICLE = re.compile(r"<article\b.*</article>", re.DOTALL)
TOKEN = re.compile(
    r"<(?P<formula>mjx-container)\b(?![^>]* display=).*?</mjx-container>"
    r"|<(?P<shut>pre|script|style|svg|button|select|textarea|nav|mjx-container|live-[\w-]+)\b"
    r".*?</(?P=shut)>"
    r"|<a class=\"headerlink\".*?</a>|<dt class=\"sig .*?</dt>|<!--.*?-->"
    r"|</(?P<close>\w+)\s*>"
    r"|<(?P<open>[a-z][^\s/>]*)(?:[^>\"']|\"[^\"]*\"|'[^']*')*>",
    re.DOTALL,
)
INLINE = set("a abbr b cite code em i kbd q s samp small span strong sub sup u var".split())  # noqa: SIM905
VOID = {"br", "hr", "img", "input", "wbr"}

FORMULA = "\ufffc"
"""Stands for a glyph of a formula."""
K = "\uac00-\ud7a3"
FREE = "-–—/·~"
SIGN = rf"[^{FREE}\w\s(\[“‘]"
WORD = re.compile(r"[^ \t\r\n\f]+")
# Where a word falls into parts: after "free" a line may end, elsewhere it would and may not.
CUT = re.compile(
    rf"(?<={SIGN})(?=[{K}])|(?<=[{K}])(?=[“‘]|\((?:[^()]*\)|$))|(?<=^-)(?=[{K}(])"
    rf"|(?P<free>(?<=[^{FREE}][{FREE}])(?=[^{FREE}])|(?<=[{K}])(?=\())"
)
TORN = re.compile(rf"{FORMULA}.|[^{FREE[1:]}]{FORMULA}|{SIGN}[{K}]|[{K}][“‘]")

NAME = re.compile(
    r"[(\[“‘]*(?:Figs?\.|Figures?|Tables?|[Ss]ections?|Chapters?|[Ee]quations?|Eqs?\.|Theorems?"
    r"|Lemmas?|Corollary|Proposition|Definition|Remark|Example|Algorithm|Exercises?|Solution"
    r"|그림|표|식|정리|보조정리|따름정리|명제|정의|예제|알고리즘|(?:연습 )?문제)"
)
NUMBER = re.compile(r"[(\[]?\d")
AMOUNT = re.compile(r".*\d")
UNIT = re.compile(
    r"(?:%|[kKMGT]i?B|[mnμ]?s|min|h|[kMG]?Hz|[kcm]?m|kg|W|px|bits?|nats?)(?![A-Za-z\d])"
)


@dataclass
class Part:
    """A piece of a word, a formula, or an element with its text."""

    start: int
    end: int
    text: str
    """What is shown; of an element with several words the last one."""
    head: str
    """The text, or the first of several words."""
    follows: str = ""
    """How it comes behind the part before it: "free" if a line may end between them, "torn" if it
    would and may not, "fast" if none would. Where it is not known yet, nothing."""
    split: bool = False
    """Whether a line would end inside of it, and may not."""
    spaces: list[tuple[int, int]] = field(default_factory=list)
    """Where a line may end inside of it."""

    @property
    def width(self) -> float:
        """About how wide it is, or the wider of its first and its last word."""
        return max(width_of(self.text), width_of(self.head))


@dataclass
class Element:
    """An element that is not closed yet, with the parts that have been read."""

    tag: str
    start: int
    widest: float
    code: bool
    parts: list[Part] = field(default_factory=list)
    gap: tuple[int, int] | str = ""
    """What is behind the last part: nothing, "an end", or where a space stands."""
    spaces: list[tuple[int, int]] = field(default_factory=list)
    begins_with_gap: bool = False

    def add(self, part: Part) -> None:
        """Put a part behind the others."""
        if not self.parts:
            self.begins_with_gap = self.gap != ""
            self.end_a_line()
            part.follows = "free"
        elif isinstance(self.gap, tuple):
            together = belong_together(self.parts[-1].text, part.head)
            part.follows = "torn" if together else "free"
            if together:
                part.text, part.head = f" {part.text}", f" {part.head}"
            else:
                self.spaces.append(self.gap)
        elif self.gap:
            part.follows = "free"
        elif not part.follows:
            part.follows = between(self.parts[-1].text, part.head)
        self.parts.append(part)
        self.gap = ""

    def end_a_line(self) -> None:
        """Let a line end here, whatever follows."""
        if isinstance(self.gap, tuple):
            self.spaces.append(self.gap)
        self.gap = "an end"

    def add_text(self, html: str, start: int, end: int) -> None:
        """Put the words of a text behind the other parts."""
        last = start
        for word in WORD.finditer(html, start, end):
            if word.start() > last:
                self.gap = (last, word.start())
            last, follows = word.start(), ""
            for cut in () if self.code else CUT.finditer(word[0]):
                place = word.start() + cut.start()
                self.add(text_part(html, last, place, follows))
                last, follows = place, "torn" if cut["free"] is None else "free"
            self.add(text_part(html, last, word.end(), follows))
            last = word.end()
        if last < end:
            self.gap = (last, end)

    def runs(self) -> list[list[Part]]:
        """Return the parts between those places where a line may end."""
        runs: list[list[Part]] = []
        for part in self.parts:
            if part.follows == "free":
                runs.append([])
            runs[-1].append(part)
        return runs


def text_part(html: str, start: int, end: int, follows: str) -> Part:
    """Return a piece of a text as a part."""
    text = unescape(html[start:end])
    return Part(start, end, text, text, follows)


def width_of(text: str) -> float:
    """Return about how wide a text is, in heights of a letter."""
    if text.isascii():
        return LETTER * len(text)
    return sum(
        GLYPH if letter == FORMULA else HANGUL if "\uac00" <= letter <= "\ud7a3" else LETTER
        for letter in text
    )


def belong_together(before: str, behind: str) -> bool:
    """Tell whether two words are a name and its number, or a number and its unit."""
    if before == "연습":
        return behind.startswith("문제")
    if NUMBER.match(behind):
        return NAME.fullmatch(before.lstrip()) is not None
    return UNIT.match(behind) is not None and AMOUNT.fullmatch(before) is not None


def between(before: str, behind: str) -> str:
    """Return how a part follows another one without a space."""
    edge = before[-1] + behind[0]
    if TORN.fullmatch(edge):
        return "torn"
    return "free" if edge[0] in FREE else "fast"


def kept_together(run: list[Part], widest: float) -> Iterator[list[Part]]:
    """Yield the parts that a span goes round: as many of a run as there is room for.

    A run that is too wide falls apart before its brackets, and what is too wide still has its last
    parts kept together.
    """
    inside = [place for place, part in enumerate(run) if place and part.head.startswith("(")]
    if inside and sum(part.width for part in run) > widest:
        yield from kept_together(run[: inside[-1]], widest)
        yield from kept_together(run[inside[-1] :], widest)
        return
    groups, width = [[run[-1]]], run[-1].width
    for part in reversed(run[:-1]):
        width += part.width
        if groups[0][0].follows == "torn" and width > widest:
            groups.insert(0, [])
            width = part.width
        groups[0].insert(0, part)
    for group in groups:
        if any(p.follows == "torn" for p in group[1:]) or any(p.split for p in group):
            yield group


def spans(element: Element) -> Iterator[tuple[int, str]]:
    """Yield what to put where, so that the words of an element are kept together."""
    for run in element.runs():
        if len(run) == 1 and not run[0].split:
            continue
        for group in kept_together(run, element.widest):
            yield group[0].start, WHOLE
            for part in group:
                for start, end in part.spaces:
                    yield start, LOOSE
                    yield end, END
                part.spaces = []
            yield group[-1].end, END


def close(element: Element, end: int, above: Element) -> Iterator[tuple[int, str]]:
    """Put a closed element into the one above it, and yield what to put where."""
    if element.tag not in INLINE:
        yield from spans(element)
        above.end_a_line()
        return
    if not element.parts:
        above.gap = above.gap or element.gap
        return
    ends_with_gap = element.gap != ""
    if ends_with_gap:
        element.end_a_line()
    first, *_, last = runs = [*element.runs(), *element.runs()[-1:]]
    texts = ["".join(part.text for part in run) for run in (first, last)]
    one = len(runs) == 2 and not element.begins_with_gap and not ends_with_gap
    if one and sum(part.width for part in first) <= element.widest:
        split = any(part.follows == "torn" for part in first[1:]) or any(p.split for p in first)
    else:
        split = False
        yield from spans(element)
    inside = [space for part in element.parts for space in part.spaces]
    if element.begins_with_gap:
        above.end_a_line()
    part = Part(element.start, end, texts[1], texts[0], split=split)
    part.spaces = [*element.spaces, *inside]
    above.add(part)
    if ends_with_gap:
        above.end_a_line()


def insertions(html: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Yield what to put where in a piece of a page."""
    path, last = [Element("", start, WIDEST, code=False)], start
    for token in TOKEN.finditer(html, start, end):
        if token.start() > last:
            path[-1].add_text(html, last, token.start())
        last = token.end()
        tag = token["open"]
        if token["formula"]:
            # Beside a sign such as = there is about half a glyph.
            glyphs = token[0].count("<mjx-c ") + token[0].count(' space="') // 2
            text = FORMULA * max(1, glyphs)
            path[-1].add(Part(token.start(), last, text, text))
        elif token["close"]:
            if any(element.tag == token["close"] for element in path[1:]):
                while (closed := path.pop()).tag != token["close"]:
                    yield from close(closed, token.start(), path[-1])
                yield from close(closed, last, path[-1])
        elif tag is None or tag in VOID:
            path[-1].end_a_line()
        else:
            above = path[-1]
            if tag not in INLINE:
                above.end_a_line()
            widest = NARROW.get(tag, above.widest)
            path.append(Element(tag, token.start(), widest, above.code or tag == "code"))
    path[-1].add_text(html, last, end)
    for element in reversed(path):
        yield from spans(element)


def whole_words(html: str) -> str:
    """Return a page whose words stay together; a second time changes nothing."""
    found = ARTICLE.search(html)
    if found is None or WHOLE in html:
        return html
    # Where one span ends the next one may begin.
    return with_insertions(
        html, sorted(insertions(html, *found.span()), key=lambda i: (i[0], i[1] != END))
    )
