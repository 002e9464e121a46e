"""The live translator in Firefox: ids, logits, translations, links; no request of a page fails."""

import json

import pytest
import torch
from live_engine import open_engine, tensor
from live_texts import CASES, expected, strange_texts

from annotated_transformer.inspection import evaluation_mode
from browser import SET_THEME, serve
from firefox import find_firefox, launch_firefox

SENTENCES = [
    "The doctor met the judge who rode the camel",
    "The animal did not cross the street because it was too wide",
    "My grandmother cooked soup for the hungry soldiers",
]
# Firefox asks for favicon.ico by itself.
USED = """async (text) => {
    const entries = () => performance.getEntries().filter((e) => !e.name.endsWith('/favicon.ico'));
    const field = document.querySelector('live-landing textarea');
    field.focus();
    field.value = text;
    field.dispatchEvent(new InputEvent('input'));
    const drawn = 'live-landing[data-drawn]:not([aria-busy])';
    while (!document.querySelector(drawn)) await new Promise((wait) => setTimeout(wait, 20));
    return {
        target: document.querySelector('.landing-sentence').textContent,
        links: document.querySelector('live-landing').links,
        lines: document.querySelectorAll('.landing-words path').length,
        said: document.querySelector('live-landing [role=status]').textContent,
        failed: entries().filter((e) => e.responseStatus >= 400).map((e) => e.name),
    };
}"""


@pytest.fixture(scope="module")
def firefox():
    with launch_firefox() as firefox:
        yield firefox


@pytest.fixture(scope="module")
def engine(firefox, tmp_path_factory):
    return open_engine(firefox, tmp_path_factory.mktemp("firefox"), bits=32)


def test_token_ids_are_equal(engine):
    texts = strange_texts(engine.translator, 300)
    wanted = [expected(engine.translator.tokenizer, text) for text in texts]
    assert engine.run(CASES, json.dumps(texts)) == wanted


def test_logits_are_equal(engine):
    translator = engine.translator
    source = translator.tokenizer.source_ids(SENTENCES[0])
    target = translator.tokenizer.target_ids("그 의사는 그 낙타를 탄 판사를 만났다")
    with evaluation_mode(translator.model):
        wanted = translator.model(torch.tensor([source]), torch.tensor([target]))[0]
    found = engine.run(
        "return bytes(model.decode(input[1], model.encode(input[0])))", [source, target]
    )
    assert (tensor(found) - wanted).abs().max() <= 1e-4


@pytest.mark.parametrize("origin", ["file", "server"])
def test_the_book_translates_with_every_other_host_cut_off(engine, firefox, html, origin):
    """On the first page of the built book, whose weights have 8 bits; the model is that of 32."""
    page = firefox.new_page()
    with serve(html) as address:
        first = f"{address if origin == 'server' else html.as_uri()}/book/index.html"
        page.goto(first)
        page.evaluate(
            f"() => {{ {SET_THEME.format('light')} }}"
        )  # as every reader has but the first
        before = len(firefox.errors)
        for sentence in SENTENCES:
            page.goto(first)
            shown = page.evaluate(USED, sentence)
            translated = engine.translator(sentence)
            weights = engine.translator.attention(sentence).weights
            assert shown["target"] == translated
            assert shown["links"] == weights.argmax(1).tolist()
            assert shown["lines"] == len(translated.split())
            assert (shown["said"], shown["failed"]) == ("", [])
    assert firefox.errors[before:] == []


def test_what_fails_in_firefox_is_seen(firefox, tmp_path):
    page, before = firefox.new_page(), len(firefox.errors)
    (tmp_path / "page.html").write_text("<script>throw Error('broken')</script>")
    page.goto((tmp_path / "page.html").as_uri())
    assert [text for text in firefox.errors[before:] if "broken" in text]
    reached = "() => fetch('http://example.org').then(() => true, () => false)"
    assert page.evaluate(reached) is False
    with pytest.raises(RuntimeError, match="a bug"):
        page.evaluate("() => { throw Error('a bug'); }")


def test_a_missing_firefox_names_the_package(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="install the package firefox-esr"):
        find_firefox()
