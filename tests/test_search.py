"""The search finds Korean and English words, names of formulas, and places by their number."""

import json
import re
from urllib.parse import quote

import pytest
from docutils import nodes
from docutils.core import publish_doctree
from sphinx import addnodes

from browser import launch, serve
from rules import ROOT
from search_terms import BookSearch, about, names, names_of_pages, numbers_of, of_the_paper

HTML = ROOT / "_build" / "html"
SPLIT = BookSearch({}).split
DONE = """() => /finished|did not match/i.test(
    document.querySelector('#search-results')?.innerText ?? '')"""
RESULTS = """() => [...document.querySelectorAll('#search-results li > a')].map(
    (link) => link.getAttribute('href').replace(/\\?[^#]*/, ''))"""
# What is asked, and a place that has to be among the answers.
QUERIES = {
    "어텐션": "book/glossary.html#term-attention",
    "학생": "book/attention.html",
    "은/는": "book/embeddings.html",
    "3.2.1": "book/attention.html#attention",
    "section 3.5": "book/positional_encoding.html#positional-encoding",
    "equation 3": "book/attention.html#equation-eq-attention",
    "paper: equation 1": "book/attention.html#attention",
    "softmax": "book/attention.html",
    "label smoothing": "book/training.html#what-label-smoothing-asks-for",
    "Noam": "book/training.html",
    "interleaved or concatenated": "book/positional_encoding.html#thm-positions-permutation",
    "theorem 1": "book/why_attention.html#",
    "causal_mask": "book/reference.html#annotated_transformer.masks.causal_mask",
    "--length-penalty": (
        "book/command_line.html#cmdoption-annotated-transformer-translate-length-penalty"
    ),
}
# A section of the paper, and the place that has to be the first of all answers.
FIRST = {
    "3.1": "book/encoder_decoder.html#encoder-and-decoder",
    "3.2": "book/attention.html#attention",
    "3.3": "book/feed_forward.html#feed-forward",
    "3.4": "book/embeddings.html#tokens-and-embeddings",
    "3.5": "book/positional_encoding.html#positional-encoding",
    "4": "book/why_attention.html#why-attention",
    "5.1": "book/training.html#what-padding-wastes",
    "5.2": "book/scaling_up.html#scaling-up",
    "5.3": "book/training.html#the-formulas",
    "5.4": "book/training.html#dropout",
    "6.1": "book/train_and_translate.html#train-and-translate",
    "6.2": "book/ablations.html#",
    "6.3": "book/parsing.html#",
}
# What readers type, and the page that they look for. At least nine in ten have to lead there with
# the first answer, and all with one of the first three pages.
ASKED = {
    "learning rate warmup": "training",
    "causal mask": "masks",
    "look-ahead mask": "masks",
    "beam search": "decoding",
    "kv cache": "decoding",
    "BLEU score": "decoding",
    "label smoothing": "training",
    "what is dropout": "training",
    "Noam": "training",
    "exposure bias": "training",
    "Xavier initialization": "transformer",
    "how many parameters": "transformer",
    "positional encoding": "positional_encoding",
    "RoPE": "positional_encoding",
    "why divide by sqrt d_k": "attention",
    "scaled dot product": "attention",
    "multihead attention": "multi_head_attention",
    "how many heads do I need": "multi_head_attention",
    "layer norm": "layer_normalization",
    "vanishing gradients": "layer_normalization",
    "pre-LN or post-LN": "layer_normalization",
    "byte pair encoding": "embeddings",
    "why not RNN": "why_attention",
    "flash attention": "long_sentences",
    "is attention an explanation": "reading_attention",
    "BERT": "language_models",
    "how do I train my own model": "train_and_translate",
    "training on several machines": "scaling_up",
    "ReLU or GELU": "feed_forward",
    "encoder vs decoder": "encoder_decoder",
    "receptive field": "vision",
    "table 3": "ablations",
    "빔서치": "decoding",
    "길이 패널티": "decoding",
    "오토리그레시브": "language_models",
    "오토 인코딩": "language_models",
    "대체 토큰 탐지": "language_models",
    "위치별 완전연결 네트워크": "feed_forward",
    "아핀 변환": "feed_forward",
    "어휘 사전": "embeddings",
    "특수 토큰": "embeddings",
    "보조 레이어": "transformer",
    "파라미터 수": "transformer",
    "수용 영역": "vision",
    "장기 의존성": "why_attention",
    "장거리 의존성": "why_attention",
    "경로 길이": "why_attention",
    "문맥 벡터": "attention",
    "어텐션이란": "attention",
    "셀프어텐션": "attention",
    "마스크가 뭐예요": "masks",
    "학습률 웜업": "training",
    "기울기 소실": "layer_normalization",
    "잔차 연결은 왜 필요한가": "layer_normalization",
    "크로스 어텐션": "encoder_decoder",
}

# What readers of the Korean edition type there, and the page that they look for; by the same rule.
ASKED_IN_KOREAN = {
    "어텐션이 뭐야": "attention",
    "쿼리 키 값": "attention",
    "셀프어텐션": "attention",
    "스케일드 닷 프로덕트 어텐션": "attention",
    "왜 루트 d_k로 나누나": "attention",
    "문맥 벡터": "attention",
    "멀티헤드 어텐션": "multi_head_attention",
    "다중 헤드 어텐션": "multi_head_attention",
    "헤드는 몇 개가 좋은가": "multi_head_attention",
    "위치 인코딩": "positional_encoding",
    "포지셔널 인코딩": "positional_encoding",
    "회전 위치 임베딩": "positional_encoding",
    "RoPE가 뭔가요": "positional_encoding",
    "바이트 페어 인코딩": "embeddings",
    "토크나이저": "embeddings",
    "특수 토큰": "embeddings",
    "어휘 사전": "embeddings",
    "피드포워드 신경망": "feed_forward",
    "위치별 완전연결 네트워크": "feed_forward",
    "활성화 함수": "feed_forward",
    "아핀 변환": "feed_forward",
    "층 정규화": "layer_normalization",
    "레이어 정규화": "layer_normalization",
    "잔차 연결은 왜 필요한가": "layer_normalization",
    "기울기 소실": "layer_normalization",
    "인과 마스크": "masks",
    "패딩 마스크": "masks",
    "마스크가 뭐예요": "masks",
    "크로스 어텐션": "encoder_decoder",
    "인코더와 디코더의 차이": "encoder_decoder",
    "파라미터 수": "transformer",
    "보조 레이어": "transformer",
    "학습률 웜업": "training",
    "레이블 스무딩": "training",
    "드롭아웃": "training",
    "노출 편향": "training",
    "빔서치": "decoding",
    "길이 패널티": "decoding",
    "KV 캐시": "decoding",
    "그리디 서치": "decoding",
    "장기 의존성": "why_attention",
    "경로 길이": "why_attention",
    "왜 RNN을 쓰지 않는가": "why_attention",
    "절제 실험": "ablations",
    "구문 분석": "parsing",
    "프로브": "reading_attention",
    "어텐션은 설명인가": "reading_attention",
    "플래시 어텐션": "long_sentences",
    "선형 어텐션": "long_sentences",
    "오토리그레시브": "language_models",
    "오토 인코딩": "language_models",
    "대체 토큰 탐지": "language_models",
    "수용 영역": "vision",
    "비전 트랜스포머": "vision",
    "객체 탐지": "detection_and_prompts",
    "확산 모델": "diffusion",
    "미세 조정": "text_to_text",
    "나만의 모델 학습시키기": "train_and_translate",
    "학습률은 어떻게 정하나요": "training",
    "오버피팅": "train_and_translate",
    "양자화": "decoding",
    "LLM": "language_models",
    "티처 포싱": "training",
    "스킵 커넥션": "layer_normalization",
}


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Sections 3.2.1 and 5.3", {"Sections", "3.2.1", "3.2", "and", "5.3"}),
        ("나는 학생이다", {"나는", "학생이다"}),
        ("은/는", {"은", "는"}),
        ("BLEU를 noam_rate", {"BLEU", "를", "noam_rate", "noam", "rate"}),
        ("version 2.", {"version", "2"}),
        ("_private", {"_private", "private"}),
    ],
)
def test_a_text_is_cut_into_what_one_asks_for(text, terms):
    assert set(SPLIT(text)) == terms


def test_nothing_of_a_long_korean_word_is_lost():
    """Cells of a table that Sphinx joined; somebody may ask for what stands in one of them."""
    keeps = BookSearch({}).word_filter
    assert keeps("번역기" * 20)
    assert not keeps("translator" * 20)


def test_sections_of_the_paper_are_read_from_the_margin():
    page = publish_doctree(
        "A\n=\n\n.. sidebar::\n\n   Paper: sections 3.4, 5.1 and 5.4, equation 2\n\nIn section 9.\n"
    )
    page.children[0:0] = []
    found = [(kind, number) for kind, number, _ in of_the_paper(wrapped(page))]
    assert found == [("section", "3.4"), ("section", "5.1"), ("section", "5.4"), ("equation", "2")]


def test_what_a_page_is_about_is_said_first_in_a_note():
    page = publish_doctree(
        "A\n=\n\n.. sidebar::\n\n   Paper: sections 3.2.1 and 5.3, and section 6.1\n\n"
        ".. sidebar::\n\n   Section 4\n"
    )
    assert [number for number, _ in about(wrapped(page))] == ["3.2.1", "3.2", "5.3"]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("3.4", ["3.4"]),
        ("3.1, 3.3 to 3.5 and 5", ["3.1", "3.3", "3.4", "3.5", "5"]),
        ("5.1 to 5.4", ["5.1", "5.2", "5.3", "5.4"]),
        ("1 to 3", ["1", "2", "3"]),
    ],
)
def test_a_range_of_sections_has_those_between_its_ends(text, numbers):
    assert numbers_of(text) == numbers


def wrapped(page):
    """Give the margin a section above it, which docutils makes the title of the document."""
    section = nodes.section("", *page.children, ids=["a"])
    page.children = []
    page += section
    return page


def entry(text, *others):
    """Return an entry of the glossary, with the words in italics that end it."""
    term = nodes.term("", "attention (here)", ids=["term-attention"])
    link = addnodes.pending_xref(reftarget="book/attention")
    words = [nodes.emphasis("", word) for word in others]
    return nodes.definition_list_item(
        "", term, nodes.definition("", nodes.Text(text), *words, link)
    )


def test_names_of_a_term_end_with_the_first_sentence_and_are_those_in_italics():
    item = entry("어텐션, also 주의, KV (old). A weighted average, also 평균.", "attending")
    assert names(item) == ["어텐션", "주의", "KV", "attending"]


def test_names_in_the_korean_edition_are_cut_alike():
    item = entry("어텐션, 다른 말로 주의, KV 캐시. 가중 평균. 영어로는 ", "attending")
    assert names(item) == ["어텐션", "주의", "KV 캐시", "attending"]


def test_a_page_has_the_names_of_what_it_explains():
    glossary = nodes.Element("", entry("어텐션. An average.", "attending"))
    found = names_of_pages(glossary)
    assert found == {"book/attention": ["attention", "어텐션", "attending"]}


@pytest.fixture(scope="module")
def page():
    if not (HTML / "searchindex.js").is_file():
        pytest.fail("there is no built book in _build/html: run make strict-book", pytrace=False)
    with launch() as browser:
        page = browser.new_page()
        page.failures = []
        page.on("pageerror", lambda error: page.failures.append(str(error)))
        page.on("requestfailed", lambda request: page.failures.append(request.url))
        yield page


def ask(page, query):
    page.goto(f"file://{HTML}/search.html?q={quote(query)}")
    page.wait_for_function(DONE)
    return page.evaluate(RESULTS)


def test_results_stay_on_a_phone(page):
    """Served, since a page that is a file has no excerpts."""
    before = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 844})
    with serve(HTML) as address:
        page.goto(f"{address}/search.html?q={quote('layer normalization')}")
        page.locator("#search-results .context").first.wait_for()
        page.wait_for_load_state("networkidle")
        wide = page.evaluate("""() => [...document.querySelectorAll('#search-results *')].filter(
            (part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth
        ).map((part) => part.textContent.slice(0, 80))""")
    page.set_viewport_size(before)
    assert wide == []


PAGE = """<div role="main"><p>Contents</p><article><section id="softmax"><h1>Softmax</h1>
<a class="at-strip">To the map</a><aside>Letters</aside>
<p>A <code>`softmax`</code> makes {term}`weights` of  $x$.</p><pre>no.softmax(`code`)</pre>
<span id="old.anchor"></span></section><dl><dt id="mask">mask</dt><dd>Who may look.</dd></dl>
</article></div>"""
EXCERPTS = {
    "": "A softmax makes weights of x. maskWho may look.",
    "#softmax": "A softmax makes weights of x.",
    "#old.anchor": "A softmax makes weights of x.",
    "#mask": "Who may look.",
}


@pytest.mark.parametrize("anchor", EXCERPTS)
def test_an_excerpt_is_plain_words(page, anchor):
    page.goto("about:blank")
    page.add_script_tag(content=f"const Search = {{}}; {RANK}")
    summary = "([html, anchor]) => Search.makeSearchSummary(html, ['softmax'], anchor).textContent"
    assert page.evaluate(summary, [PAGE, anchor]) == EXCERPTS[anchor]


RANKED = """(query) => Search._performSearch(...Search._parseQuery(query)).reverse().map(
    ([page]) => page.replace('book/', ''))"""
RANK = (ROOT / "book" / "_ext" / "search_rank.js").read_text("utf-8")


def test_a_korean_word_is_found_by_all_of_its_parts(page):
    page.goto("about:blank")
    page.add_script_tag(content=f"const Search = {{}}; {RANK}")
    words = {"학생이다": [0, 2], "학생": 1, "noam": 3}
    found = page.evaluate("(words) => ranked.withParts(words)", words)
    once = {part: [0, 2] for part in ("학생이", "학생이다", "생이", "생이다", "이다")}
    assert found == once | {"학생": [0, 2, 1], "noam": [3]}


EDITIONS = {"": ASKED, "ko/": ASKED_IN_KOREAN}


@pytest.fixture(scope="module")
def ranks(page):
    """For each edition and query the rank of its page, which is 1 for the first, or None."""
    found = {}
    for edition, asked in EDITIONS.items():
        page.goto(f"file://{HTML}/{edition}search.html")
        for query, wanted in asked.items():
            pages = list(dict.fromkeys(page.evaluate(RANKED, query)))
            found[edition, query] = pages.index(wanted) + 1 if wanted in pages else None
    return found


@pytest.mark.parametrize("edition", EDITIONS)
def test_most_queries_are_answered_first_by_their_page(ranks, edition):
    asked = {query: rank for (place, query), rank in ranks.items() if place == edition}
    others = {query: rank for query, rank in asked.items() if rank != 1}
    assert len(asked) >= 40
    assert len(others) <= len(asked) // 10, others


@pytest.mark.parametrize(
    ("edition", "query"), [(edition, query) for edition in EDITIONS for query in EDITIONS[edition]]
)
def test_the_page_is_among_the_first_three(ranks, edition, query):
    assert ranks[edition, query] in (1, 2, 3)


@pytest.mark.parametrize(("query", "expected"), QUERIES.items())
def test_a_query_leads_to_its_place(page, query, expected):
    """From a file, as a reader opens a downloaded book, and without a failed request."""
    found = ask(page, query)
    assert any(f"{place}#".startswith(expected) or place.startswith(expected) for place in found)
    assert page.failures == []


@pytest.mark.parametrize(("query", "expected"), FIRST.items())
def test_a_section_of_the_paper_is_answered_first_by_its_chapter(page, query, expected):
    assert ask(page, query)[0].startswith(expected)


def test_the_name_of_the_package_does_not_list_all_of_it(page):
    assert len(ask(page, "transformer")) < 50


@pytest.mark.parametrize("query", ["zyxwvut", "what is zyxwvut", "뷁뷁이란"])
def test_a_word_that_is_nowhere_is_not_found(page, query):
    assert ask(page, query) == []


@pytest.mark.parametrize("query", ["constructor", "__proto__", "<b>", "()[", "   "])
def test_odd_queries_do_no_harm(page, query):
    ask(page, query)
    assert page.failures == []


def test_both_sides_cut_a_query_alike(page):
    """Each word of the index that one may ask for is one term in the browser as well."""
    ask(page, "attention")
    index = json.loads((HTML / "searchindex.js").read_text("utf-8")[len("Search.setIndex(") : -1])
    terms = [term for term in index["terms"] if re.search(r"[가-힣]|\d\.\d", term)]
    assert len(terms) > 500
    assert page.evaluate("(terms) => terms.filter((t) => splitQuery(t).join() !== t)", terms) == []
