"""What is in the other language says so, and nothing else about a page changes."""

import re
from html.parser import HTMLParser

import pytest

from languages import CODE, ENGLISH_RUN, VOID, marked_page

HANGUL = re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]")
UNSHOWN = {"script", "style", "title", "textarea"}


class Reader(HTMLParser):
    """Reads a page as a browser does: its texts with their languages, its ids, its text."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.path, self.texts, self.ids = [("", "en", False)], [], []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        self.ids += [known["id"]] if "id" in known else []
        _, language, code = self.path[-1]
        code = (
            code
            or tag in CODE
            or bool({"notranslate", "sig"} & set((known.get("class") or "").split()))
        )
        if tag not in VOID:
            self.path.append((tag, known.get("lang", language), code))

    def handle_endtag(self, tag):
        while any(tag == each[0] for each in self.path) and self.path.pop()[0] != tag:
            pass

    def handle_data(self, text):
        tag, language, code = self.path[-1]
        if tag not in UNSHOWN:
            self.texts.append((text, language, code))

    @property
    def text(self):
        return "".join(text for text, _, _ in self.texts)


def page(language, body):
    return f'<html lang="{language}"><title>나 a b</title><body>{body}</body></html>'


CASES = {
    ("en", "<p>나는 학생이다</p>"): '<p lang="ko">나는 학생이다</p>',
    ("en", "<p>read 나, 는 now</p>"): '<p>read <span lang="ko">나, 는</span> now</p>',
    ("en", "<p><em>나</em> is I</p>"): '<p><em lang="ko">나</em> is I</p>',
    ("en", "<div><p>나</p></div>"): '<div><p lang="ko">나</p></div>',
    ("en", '<a lang="ko">한국어</a>'): '<a lang="ko">한국어</a>',
    ("en", "<pre>x = <span>'나'</span></pre>"): "<pre>x = <span lang=\"ko\">'나'</span></pre>",
    (
        "en",
        '<p title="나 > 너">a<br>나 b</p>',
    ): '<p title="나 > 너">a<br><span lang="ko">나</span> b</p>',
    ("en", "<math><mtext>나</mtext></math>"): '<math><mtext lang="ko">나</mtext></math>',
    ("en", "<svg><text>나 a</text></svg>"): "<svg><text>나 a</text></svg>",
    ("en", "<option>나</option>"): '<option lang="ko">나</option>',
    ("en", "<p>a &lt; b</p>"): "<p>a &lt; b</p>",
    ("ko", "<p>소프트맥스(softmax)는 함수이다.</p>"): "<p>소프트맥스(softmax)는 함수이다.</p>",
    ("ko", "<p>원문은 the cat sleeps.</p>"): '<p>원문은 <span lang="en">the cat sleeps.</span></p>',
    ("ko", "<p><em>off by one</em>이라 한다</p>"): '<p><em lang="en">off by one</em>이라 한다</p>',
    ("ko", "<p>Attention Is All You Need</p>"): '<p lang="en">Attention Is All You Need</p>',
    ("ko", "<p><em>same</em>은 자신</p>"): '<p><em lang="en">same</em>은 자신</p>',
    ("ko", "<dl><dt>mask</dt></dl>"): '<dl><dt lang="en">mask</dt></dl>',
    ("ko", '<dt class="sig py"><em>two words</em></dt>'): (
        '<dt class="sig py"><em>two words</em></dt>'
    ),
    ("ko", "<p>BLEU, ReLU, KV 캐시</p>"): "<p>BLEU, ReLU, KV 캐시</p>",
    ("ko", "<pre>for token in tokens</pre>"): "<pre>for token in tokens</pre>",
    ("ko", "<code>add zero attention</code>"): "<code>add zero attention</code>",
    ("ko", '<div class="x notranslate"><p>two words</p></div>'): (
        '<div class="x notranslate"><p>two words</p></div>'
    ),
    ("ko", '<p lang="en">Here 나는 stands</p>'): (
        '<p lang="en">Here <span lang="ko">나는</span> stands</p>'
    ),
}


@pytest.mark.parametrize(("given", "expected"), CASES.items(), ids=lambda x: str(x)[:40])
def test_an_element_or_a_span_says_what_language_it_is(given, expected):
    html = page(*given)
    marked = marked_page(html)
    assert marked == page(given[0], expected)
    assert marked_page(marked) == marked


@pytest.fixture(scope="module")
def pages(html):
    """The source of each page, and what is read in it."""
    found = {path: path.read_text("utf-8") for path in sorted(html.rglob("*.html"))}
    return {path.relative_to(html).as_posix(): (text, Reader(text)) for path, text in found.items()}


def test_every_hangul_of_the_book_is_in_an_element_that_says_so(pages):
    """But for pictures, which are read by their alternative text."""
    seen = 0
    for name, (_, read) in pages.items():
        for piece, language, _ in read.texts:
            if HANGUL.search(piece):
                assert language == "ko", f"{name}: {piece[:60]!r}"
                seen += 1
    assert seen > 500


def test_english_in_a_korean_page_says_so(pages):
    for name, (_, read) in pages.items():
        for piece, language, code in read.texts:
            if language == "ko" and not code:
                assert not ENGLISH_RUN.search(piece), f"{name}: {piece[:60]!r}"


def test_text_and_ids_are_as_without_the_marks(pages):
    """What is copied is the text; what links lead to are the ids."""
    unmarked = re.compile(r"<span lang=\"(?:ko|en)\">([^<]*)</span>")
    for name, (text, read) in pages.items():
        before = unmarked.sub(r"\1", text)
        marked = marked_page(before)
        if marked != text:  # else the two differ in nothing but the marks that were taken out
            one, other = Reader(before), Reader(marked)
            assert one.text == other.text == read.text, name
            assert one.ids == other.ids, name
