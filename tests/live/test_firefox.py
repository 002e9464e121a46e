"""The engine of the live figures in Firefox: ids, logits, translations; and what drives Firefox."""

import json

import pytest
import torch
from live_engine import open_engine, tensor
from live_texts import CASES, expected, strange_texts

from annotated_transformer.inspection import evaluation_mode
from annotated_transformer.lab.corpora.english_korean import english_korean
from firefox import find_firefox


@pytest.fixture(scope="module")
def engine(firefox, tmp_path_factory):
    return open_engine(firefox, tmp_path_factory.mktemp("firefox"), bits=32)


def test_token_ids_are_equal(engine):
    texts = strange_texts(engine.translator, 300)
    wanted = [expected(engine.translator.tokenizer, text) for text in texts]
    assert engine.run(CASES, json.dumps(texts)) == wanted


def test_logits_are_equal(engine):
    translator = engine.translator
    source = translator.tokenizer.source_ids("The doctor met the judge who rode the camel")
    target = translator.tokenizer.target_ids("그 의사는 그 낙타를 탄 판사를 만났다")
    with evaluation_mode(translator.model):
        wanted = translator.model(torch.tensor([source]), torch.tensor([target]))[0]
    found = engine.run(
        "return bytes(model.decode(input[1], model.encode(input[0])))", [source, target]
    )
    assert (tensor(found) - wanted).abs().max() <= 1e-4


@pytest.mark.parametrize("size", [1, 4])
def test_translations_are_equal(engine, size):
    texts = [pair.source for pair in english_korean("test", "large")[:1000:25]]
    translator = engine.translator
    translator.beam_size, translator.alpha = size, 0.6
    body = """const all = [];
    for (const text of input.texts) {
        const search = translator.translate(text, {size: input.size, alpha: 0.6});
        let next;
        while (!(next = search.next()).done);
        all.push(next.value.text);
    }
    return all;"""
    assert len(texts) == 40
    assert engine.run(body, {"texts": texts, "size": size}) == translator(texts)


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
