"""The tokenizer of the page against sentencepiece: token ids, spans, what is refused."""

import json
import random

import pytest
from live_texts import CASES, expected, strange_texts


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
