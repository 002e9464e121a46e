"""The tokenizer of the page against sentencepiece: token ids, spans, what is refused."""

import json
import random
import unicodedata

import pytest

from annotated_transformer.serving.known_words import about_unknown, unknown_words, words_of

CASES = """return JSON.parse(input).map((text) => {
    try {
        const ids = tokenizer.encode(text);
        return {ids, back: tokenizer.decode(ids), spans: tokenizer.wordSpans(text)};
    } catch (error) {
        return {refused: error.message};
    }
})"""
# Where a text goes wrong: spaces, controls, marks, letters, emoji, half characters.
RANGES = [
    *((0x00, 0x20), (0x20, 0x7F), (0x20, 0x21), (0x7F, 0xA1), (0xC0, 0x250), (0x300, 0x370)),
    *((0x1100, 0x1200), (0x2000, 0x2070), (0x2580, 0x2586), (0x3130, 0x3190), (0xAC00, 0xD7A4)),
    *((0xD800, 0xE000), (0xE000, 0xE010), (0xFB00, 0xFB07), (0xFE00, 0xFE10), (0xFEFF, 0xFF5F)),
    *((0xFFF0, 0x10000), (0x1F1E6, 0x1F200), (0x1F300, 0x1F650), (0x10FFFE, 0x110000)),
]


def random_texts(number, words):
    """Texts of random characters, of words of the model, and of both; from a fixed seed."""
    draw = random.Random(2017)
    texts = []
    for _ in range(number):
        parts = []
        for _ in range(draw.randrange(1, 20)):
            if draw.random() < 0.4:
                parts.append(draw.choice(words) + draw.choice(["", " ", " "]))
            else:
                parts.append(chr(draw.randrange(*draw.choice(RANGES))))
        text = unicodedata.normalize(draw.choice(["NFC", "NFD"]), "".join(parts))
        # Two halves side by side are one character in JavaScript.
        texts.append(text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass"))
    return texts


def expected(tokenizer, text):
    try:
        ids = tokenizer.encode(text)
    except ValueError as error:
        return {"refused": str(error)}
    spans = [list(span) for span in tokenizer.word_spans(text)]
    return {"ids": ids, "back": tokenizer.decode(ids), "spans": spans}


SPECIAL = [
    "",
    " ",
    "  a  b ",
    "</s>",
    "<pad><unk>",
    "<0x41>",
    "\ufeff나",
    "e\u0301",
    "é",
    "ﬁ Ａ",
    "\r",
]


@pytest.fixture(scope="module")
def texts(engine):
    words = [*sorted(engine.translator.words), *(p.strip("▁") for p in pieces(engine))]
    return SPECIAL + random_texts(1000, words)


def pieces(engine):
    return engine.translator.tokenizer.vocabulary()[260:]


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
    wanted = [tokenizer.decode(row) for row in rows]
    assert any("\ufffd" in text for text in wanted)
    assert engine.run("return input.map((ids) => tokenizer.decode(ids))", rows) == wanted


def test_words_are_known_and_named_alike(engine, texts):
    whole = [text for text in texts if text.isprintable() or text.isspace() or text.isascii()]
    whole += ["Don’t, “PIZZA” (pizza)!", "İstanbul ΣΑΣ", "a\x1cb\x85c\u3000d\ufeffe"]
    body = """return JSON.parse(input).map((text) => {
        const unknown = A.unknownWords(text, translator.words);
        const about = unknown.length ? A.aboutUnknown(unknown, translator.words.size) : '';
        return [A.wordsOf(text), unknown, about];
    })"""
    known, wanted = engine.translator.words, []
    for text in whole:
        unknown = unknown_words(text, known)
        about = about_unknown(unknown, len(known)) if unknown else ""
        wanted.append([words_of(text), list(unknown), about])
    assert sum(len(unknown) > 1 for _, unknown, _ in wanted) > 20
    assert engine.run(body, json.dumps(whole)) == wanted


def test_nothing_is_unknown_where_no_words_are_known(engine):
    assert engine.run("return A.unknownWords('pizza', new Set())") == []
