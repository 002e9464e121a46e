"""Lines through a translator: what is written, in which order, and what is warned of."""

import io

import pytest

from annotated_transformer.cli.streaming import BATCHES_AHEAD, translate_stream
from annotated_transformer.config import TransformerConfig
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.transformer import Transformer
from annotated_transformer.translation import Translation, prepare_texts
from annotated_transformer.translator import Translator

TEXTS = ["I am a student", "he reads", "a cat"]


class Upper(Translator):
    """Writes what it reads in capitals and remembers what was translated together."""

    def __init__(self, max_length=40, batch_size=2):
        tokenizer = Tokenizer.train(TEXTS, vocab_size=290)
        config = TransformerConfig(
            vocab_size=290, n_layers=1, d_model=4, d_ff=4, n_heads=1, max_length=max_length
        )
        super().__init__(Transformer(config), tokenizer, batch_size=batch_size)
        self.calls = []

    def translations(self, texts):
        self.calls.append(texts)
        limit = self.model.config.max_length
        found = prepare_texts(texts, self.policy, self.tokenizer.source_ids, "line", limit)
        return [
            Translation(
                text=" ".join(each.reading.sentences[: len(each.ids)]).upper(),
                changes=each.reading.changes,
                refusal=each.reading.refusal,
            )
            for each in found
        ]


class Arriving(io.BufferedIOBase):
    """A stream whose data arrive in these pieces."""

    def __init__(self, *pieces):
        self.pieces = [*pieces, b""]

    def read1(self, size):
        assert len(self.pieces[0]) <= size
        return self.pieces.pop(0)


def through(translator, source):
    target, warnings = io.BytesIO(), []
    counts = translate_stream(translator, source, target, warnings.append)
    return target.getvalue().decode(), warnings, counts


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", ""),
        (b"\n", "\n"),
        (b"a", "A\n"),
        (b"a\n", "A\n"),
        (b"a\r\nb\r\n", "A\nB\n"),
        (b"\na\n \t\n\nb", "\nA\n\n\nB\n"),
        (b"\xef\xbb\xbf", "\n"),
    ],
)
def test_one_line_out_for_one_line_in(content, expected):
    text, warnings, (n_lines, n_refused) = through(Upper(), io.BytesIO(content))
    assert (text, warnings, n_refused) == (expected, [], 0)
    assert n_lines == expected.count("\n")


def test_lines_that_cannot_be_translated_are_empty_and_named():
    lines = [b"a", b"b\xffc", b"x" * 50, "d\u2581".encode(), b"\xe2\x96\x81", b"e", b"\xc3"]
    text, warnings, counts = through(Upper(), io.BytesIO(b"\n".join(lines)))
    assert text == "A\n\n\n\n\nE\n\n"
    assert warnings == [
        "line 2 is not translated: byte 0xff at position 1 is not valid UTF-8",
        "line 3 is not translated: it has 52 tokens; the model takes at most 40",
        "line 4 is not translated: U+2581 at position 1: the tokenizer writes it for a space",
        "line 5 is not translated: U+2581 at position 0: the tokenizer writes it for a space",
        "line 7 is not translated: byte 0xc3 at position 0 is not valid UTF-8",
    ]
    assert counts == (7, 5)


def test_a_blank_line_may_be_longer_than_the_model_takes():
    assert through(Upper(max_length=4), io.BytesIO(b" " * 50 + b"\na\n"))[:2] == ("\nA\n", [])


def test_what_has_arrived_is_answered_before_more_is_read():
    translator, target = Upper(), io.BytesIO()
    seen = []

    class Watching(Arriving):
        def read1(self, size):
            seen.append(target.getvalue().decode())
            return super().read1(size)

    source = Watching(b"a\nb\nc", b"d", b"\n", b"e")
    assert translate_stream(translator, source, target, pytest.fail) == (4, 0)
    assert seen == ["", "A\nB\n", "A\nB\n", "A\nB\nCD\n", "A\nB\nCD\n"]
    assert target.getvalue() == b"A\nB\nCD\nE\n"
    assert translator.calls == [["a", "b"], ["cd"], ["e"]]


def test_a_character_may_arrive_in_two_pieces():
    content = "고양이\n".encode()
    for cut in range(1, len(content)):
        source = Arriving(content[:cut], content[cut:])
        assert through(Upper(), source)[:2] == ("고양이\n", [])


def test_files_are_read_ahead_by_so_many_batches_and_numbered_through():
    translator = Upper()
    n = 2 * BATCHES_AHEAD * translator.batch_size + 3
    content = "".join(f"line {i}\n" for i in range(n)) + "bad \u2581"
    text, warnings, counts = through(translator, io.BytesIO(content.encode()))
    assert text == "".join(f"LINE {i}\n" for i in range(n)) + "\n"
    assert [len(call) for call in translator.calls] == [32, 32, 3, 1]
    assert [warning.split(" is")[0] for warning in warnings] == [f"line {n + 1}"]
    assert counts == (n + 1, 1)


def test_what_was_changed_is_said_once_at_the_end():
    content = "a\u00a0b\n\ufeffa\na\rb\n\na\u00a0 b\n"
    text, warnings, counts = through(Upper(), io.BytesIO(content.encode()))
    assert text == "A B\nA\nA B\n\nA B\n"
    assert warnings == [
        "line 1: a no-break space (U+00A0) read as a space (and in 1 more lines)",
        "line 2: a byte order mark (U+FEFF) left out",
        "line 3: a carriage return (U+000D) read as a space",
    ]
    assert counts == (5, 0)
