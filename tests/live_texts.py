"""Texts that a tokenizer may stumble over, and what Python makes of them."""

import random
import unicodedata

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


SPECIAL = [
    *("", " ", "  a  b ", "</s>", "<pad><unk>", "<0x41>", "\ufeff나", "e\u0301", "é", "ﬁ Ａ", "\r"),
    # Where pairs of one rank overlap the first is joined.
    *(letter * number for letter in "abcdefghijklmnopqrstuvwxyz나" for number in (3, 5)),
]


def strange_texts(translator, number):
    """What is known to be hard, and so many texts of chance."""
    pieces = translator.tokenizer.vocabulary()[260:]
    words = [
        *sorted(translator.policy.training_text.words),
        *(piece.strip("▁") for piece in pieces),
    ]
    return SPECIAL + random_texts(number, words)


CASES = """return JSON.parse(input).map((text) => {
    try {
        const ids = tokenizer.encode(text);
        return {ids, back: tokenizer.decode(ids), spans: tokenizer.wordSpans(text)};
    } catch (error) {
        return {refused: error.message};
    }
})"""


def expected(tokenizer, text):
    """What `CASES` has to return for a text."""
    try:
        ids = tokenizer.encode(text)
    except ValueError as error:
        return {"refused": str(error)}
    spans = [list(span) for span in tokenizer.word_spans(text)]
    return {"ids": ids, "back": tokenizer.decode(ids), "spans": spans}
