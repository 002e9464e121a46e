"""The tokenizer of the page against sentencepiece: token ids, spans, what is refused."""

import json
import random

import pytest
from live_texts import CASES, expected, strange_texts

from annotated_transformer.serving.known_words import about_unknown, unknown_words, words_of


@pytest.fixture(scope="module")
def texts(engine):
    return strange_texts(engine.translator, 1000)


def test_random_texts_have_the_same_ids_spans_and_refusals(engine, texts):
    tokenizer = engine.translator.tokenizer
    wanted = [expected(tokenizer, text) for text in texts]
    refused = [case["refused"] for case in wanted if "refused" in case]
    assert 50 < len(refused) < 500
    assert {message.partition(":")[2] for message in refused} == {
        " a line feed ends a line, and a text is one line",
        " sentencepiece writes it for a space",
        " a lone surrogate is no character",
    }
    assert engine.run(CASES, json.dumps(texts)) == wanted


def test_ids_that_are_no_text_decode_alike(engine):
    """What a model may write: bytes that are not UTF-8, specials between them."""
    tokenizer, draw = engine.translator.tokenizer, random.Random(5)
    rows = [[draw.randrange(0, draw.choice([4, 260, 3000])) for _ in range(12)] for _ in range(300)]
    rows.append([4 + byte for byte in "\ufeffa".encode()])
    wanted = [tokenizer.decode(row) for row in rows]
    assert any("\ufffd" in text for text in wanted)
    assert engine.run("return input.map((ids) => tokenizer.decode(ids))", rows) == wanted


def test_words_are_known_and_named_alike(engine, texts):
    whole = [text for text in texts if text.isprintable() or text.isspace() or text.isascii()]
    whole += ["Don’t, “PIZZA” (pizza)!", "İstanbul ΣΑΣ", "a\x1cb\x85c\u3000d\ufeffe"]
    whole += [
        "The Doctor met the JUDGE and BLORP",
        "am\x00 \u200b 👩🏽\u200d🚀 cat\u200d a\u200b\x07\u200b",
    ]
    body = """return JSON.parse(input).map((text) => {
        const unknown = A.unknownWords(text, translator.words);
        const about = unknown.length ? A.aboutUnknown(unknown, translator.words) : '';
        return [A.wordsOf(text), unknown, about];
    })"""
    known, wanted = engine.translator.words, []
    for text in whole:
        unknown = unknown_words(text, known)
        about = about_unknown(unknown, known) if unknown else ""
        wanted.append([words_of(text), list(unknown), about])
    assert sum(len(unknown) > 1 for _, unknown, _ in wanted) > 20
    assert engine.run(body, json.dumps(whole)) == wanted


def test_nothing_is_unknown_where_no_words_are_known(engine):
    assert engine.run("return A.unknownWords('pizza', new Set())") == []


def test_capitals_do_not_count_where_nothing_is_known_of_them(engine):
    body = "return A.unknownWords('I WANT Bread and Pizza', new Set(['i', 'want', 'bread']))"
    assert engine.run(body) == ["and", "Pizza"]
