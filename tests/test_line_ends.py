"""A line tears no word apart that has a formula, a bracket or a number in it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser import serve, visit
from line_ends import LOOSE, WHOLE, WIDEST, whole_words, width_of

MATH = (
    '<span class="math"><mjx-container jax="CHTML"><mjx-math><mjx-c class="x"></mjx-c></mjx-math>'
    "</mjx-container></span>"
)
LONG = MATH.replace('<mjx-c class="x"></mjx-c>', 30 * '<mjx-c class="x"></mjx-c>')
CODE = '<code class="literal"><span class="pre">{}</span></code>'
LINK = '<a href="#x"><span class="std">{}</span></a>'


def page(body):
    return f"<html><body><p>a (b)는</p><article><p>{body}</p></article></body></html>"


def short(body):
    """Return what is made of a text: [what is kept together], with _ where a line may end in it."""
    made = whole_words(page(body)).partition("<article><p>")[2].partition("</p></article>")[0]
    made = re.sub("<mjx-container.*?</mjx-container>", "$", made)
    marks = {WHOLE: "[", LOOSE: "{"}
    stack, parts = [], []
    for part in re.split("(<[^>]+>)", made):
        if part == "</span>":
            parts.append({"[": "]", "{": "}"}.get(stack.pop(), ""))
        elif part.startswith("<span"):
            stack.append(marks.get(part, ""))
            parts.append(stack[-1])
        elif not part.startswith("<"):
            parts.append(part)
    assert not stack
    return "".join(parts).replace("{ }", "_")


@pytest.mark.parametrize(
    ("body", "made"),
    [
        (f"행렬 {MATH}는 크다.", "행렬 [$는] 크다."),
        (f"rows ({MATH}), so", "rows [($),] so"),
        (f"an {MATH}-gram", "an [$-gram]"),
        (f"{MATH}/{MATH} of", "[$/]$ of"),  # behind a slash a line may end
        (f"<em>all {MATH}</em>는 크다.", "[all_$는] 크다."),
        (
            f"{CODE.format('f(x)')}는 {CODE.format('mask')}, {CODE.format('f')}를",
            "[f(x)는] mask, f를",
        ),
        (
            '<code><span class="pre">f(x,</span> <span class="pre">y)</span></code>는 값',
            "[f(x,_y)는] 값",
        ),
        ("가중치(weight)로 바꾼다(다음 절을 보라)", "[가중치(weight)로] 바꾼다(다음 절을 보라)"),
        (f"{MATH}이고({LONG}), {MATH}이고({MATH})", "[$이고]($), [$이고($)]"),
        ("조사 ‘는’은 88%와 다르다", "조사 [‘는’은] [88%와] 다르다"),
        ("나는 -는다 쿨백-라이블러", "나는 [-는다] 쿨백-라이블러"),
        ("the 82 % of 3 MB, and 1,500 words", "the [82 %] of [3 MB,] and 1,500 words"),
        (f"see {LINK.format('Fig. 24')}, and", "see [Fig. 24,] and"),
        ("(section 5.4) in Table 3. May 2017", "[(section 5.4)] in [Table 3.] May 2017"),
        ('by equation <a href="#e">(3)</a>.', "by [equation (3).]"),
        (f"{LINK.format('연습 문제 15')}의 식 (3)은", "[연습 문제 15의] [식 (3)은]"),
        ("1 &lt; 2 &amp; 3", "1 &lt; 2 &amp; 3"),
        (f"long {LONG}는 크다", "long $는 크다"),
        ("학생이다<br>(b)는", "학생이다[(b)는]"),
    ],
)
def test_words_are_kept_together(body, made):
    assert short(body) == made


@pytest.mark.parametrize("tag", ["pre", "script", "button", "live-map"])
def test_what_is_no_running_text_is_left_alone(tag):
    body = f"<{tag}>Table 3(b)는</{tag}>"
    assert whole_words(page(body)) == page(body)


def test_a_cell_of_a_table_has_less_room_than_a_paragraph():
    word = "양자화(quantization)라고"
    assert short(word) == f"[{word}]"
    cell = f"<article><table><tr><td>{word}</td></tr></table></article>"
    assert whole_words(cell) == cell


TEXTS = st.text(alphabet="a1 .,-/()[]“”%가는그림표식", max_size=12)
PIECES = st.recursive(
    TEXTS | st.sampled_from([MATH, LONG, "<br>", "<wbr>", "Table ", "3 ", " MB", "&amp;"]),
    lambda inside: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>",
        st.sampled_from(["em", "a", "code", "span", "p", "td", "li"]),
        st.lists(inside, max_size=4),
    ),
    max_leaves=15,
)


def without_marks(html):
    """Return a page without the spans. Fails where one is not closed in the element it began in."""
    stack, parts = [], []
    for part in re.split("(<[^>]+>)", html):
        if part in {WHOLE, LOOSE}:
            stack.append("")
            continue
        if part.startswith("</") and part != "</mjx-c>":
            opened = stack.pop()
            if not opened:
                assert part == "</span>"
                continue
            assert opened == part[2:-1]
        elif re.match("<[a-z]", part) and part not in {"<br>", "<wbr>"} and "mjx-c " not in part:
            stack.append(re.match("<([a-z-]+)", part)[1])
        parts.append(part)
    assert not stack
    return "".join(parts)


@given(st.lists(PIECES, max_size=6).map("".join))
def test_nothing_but_spans_is_added_and_they_close_where_they_open(body):
    made = whole_words(page(body))
    assert without_marks(made) == page(body)
    assert whole_words(made) == made


@given(st.lists(st.sampled_from(["가", "나(a)", "b.", MATH, "88%", " "]), max_size=40))
def test_what_is_kept_together_fits_a_phone(parts):
    made = re.sub('<span class="math">.*?</span>', "\ufffc", whole_words(page("".join(parts))))
    kept = re.findall(f"{WHOLE}([^<]*)</span>", made)
    assert all(width_of(text) <= WIDEST for text in kept)


# Where a line begins with what stands behind a short formula, with a particle behind a bracket, a
# quotation mark or a sign, or with a unit.
TORN = r"""() => {
    for (const fold of document.querySelectorAll('article details')) fold.open = true;
    const found = [], range = document.createRange();
    const box = (node, at) => {
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        return range.getBoundingClientRect();
    };
    const below = (one, other) => other.width && one.width
        && other.top > (one.top + one.bottom) / 2 && other.left < one.left;
    for (const formula of document.querySelectorAll('article :is(p, li) span.math')) {
        if (formula.getBoundingClientRect().width > 150) continue;
        const walker = document.createTreeWalker(
            formula.closest('p, li'), NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
            node === formula || node.nodeType === 3 && !node.parentElement.closest('.math')
                ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP);
        walker.currentNode = formula;
        const next = walker.nextNode();
        if (next && /^[^\s—–]/.test(next.data)
            && below(formula.getBoundingClientRect(), box(next, 0)))
            found.push(formula.textContent + next.data.slice(0, 9));
    }
    const article = document.querySelector('article');
    const texts = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const {data, parentElement} = texts.currentNode;
        if (parentElement.closest('pre, svg, .math, [class*=live], table')) continue;
        for (const match of data.matchAll(/[)\]”’%](?=[가-힣])|\d (?=%|[KMG]i?B)/g)) {
            const {index} = match, behind = index + match[0].length;
            if (below(box(texts.currentNode, index), box(texts.currentNode, behind)))
                found.push(data.slice(Math.max(0, index - 9), index + 9));
        }
    }
    return found;
}"""


@pytest.fixture(scope="module")
def address(html):
    with serve(html) as address:
        yield address


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", ["book/attention", "ko/book/attention", "ko/book/training"])
def test_no_line_of_a_page_is_torn(browser, address, name, width):
    with visit(browser, f"{address}/{name}.html", width=width, theme="light") as opened:
        assert opened.evaluate("() => document.querySelectorAll('.at-whole').length") > 20
        assert opened.evaluate(TORN) == []
        assert opened.evaluate("() => document.scrollingElement.scrollWidth") == width
