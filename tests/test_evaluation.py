"""Scores against the formulas of the literature, and the record's form."""

import math
import unicodedata

import pytest
import torch

from annotated_transformer.alignment import WordAttention
from annotated_transformer.config import TransformerConfig
from annotated_transformer.corpora import SentencePair
from annotated_transformer.evaluation import evaluate, scores
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.transformer import Transformer
from annotated_transformer.translation import Translation
from annotated_transformer.translator import Translator

PAIRS = [
    SentencePair("I am a student", "나는 학생이다", ((0, 0), (1, 1), (3, 1))),
    SentencePair("he reads a book", "그는 책을 읽는다", ((0, 0), (3, 1), (1, 2))),
    SentencePair("she runs", "그녀는 달린다"),
]


def value(found, metric):
    (score,) = (score for score in found if score.metric == metric)
    return score.value


def test_bleu_is_the_formula_of_papineni_et_al():
    """Matches of length 1 to 4: 5 of 6 ("the" counts once), 3 of 5, 2 of 4, 1 of 3."""
    found = scores(["the cat sat on the mat"], ["the cat sat on a mat"])
    expected = (5 / 6 * 3 / 5 * 2 / 4 * 1 / 3) ** (1 / 4)
    assert value(found, "BLEU") == pytest.approx(100 * expected)


def test_bleu_counts_n_grams_over_the_corpus_and_punishes_brevity():
    """9 of 10 reference words: n-grams 9/9, 7/7, 5/5, 3/3 and exp(1 - 10/9)."""
    found = scores(["a b c d", "e f g h i"], ["a b c d x", "e f g h i"])
    assert value(found, "BLEU") == pytest.approx(100 * math.exp(1 - 10 / 9))


def test_chrf_is_the_formula_of_popovic():
    """Precision 1 and recall (2/3 + 1/2) / 2 over unigrams and bigrams; F with beta = 2."""
    precision, recall = 1.0, (2 / 3 + 1 / 2) / 2
    expected = 5 * precision * recall / (4 * precision + recall)
    assert value(scores(["ab"], ["abc"]), "chrF") == pytest.approx(100 * expected)


def test_exact_match_compares_whole_lines_case_included():
    found = scores(["나는 학생이다", "a b", "a", "A"], ["나는 학생이다", "a  b", "a", "a"])
    assert value(found, "exact_match") == 50.0


def test_each_score_carries_the_signature_of_its_computation():
    bleu, chrf, exact = scores(["a b c d"], ["a b c d"])
    assert (bleu.metric, chrf.metric, exact.metric) == ("BLEU", "chrF", "exact_match")
    assert bleu.signature.startswith("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:")
    assert chrf.signature.startswith("nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:")
    assert exact.signature == "case:mixed|n:1"
    assert bleu.value == pytest.approx(100)


@pytest.mark.parametrize(
    ("tokenize", "precisions"),
    [
        ("none", (3 / 4, 2 / 3, 1 / 2, 1 / 2)),  # no match in 1: smoothed to half of one
        ("13a", (3 / 5, 2 / 4, 1 / 3, 1 / 4)),  # no match in 2: smoothed likewise
        ("char", (4 / 6, 3 / 5, 2 / 4, 1 / 3)),
    ],
)
def test_tokenizer_is_chosen_and_seen_in_the_signature(tokenize, precisions):
    """The last word is "라마." for "none", two tokens for 13a, three for "char"."""
    bleu = scores(["가 나 다 라마."], ["가 나 다 라바"], tokenize=tokenize)[0]
    assert bleu.value == pytest.approx(100 * math.prod(precisions) ** (1 / 4))
    assert f"|tok:{tokenize}|" in bleu.signature


def test_unknown_tokenizer():
    with pytest.raises(ValueError, match="tokenize is 'ko-mecab'; expected one of 13a, char"):
        scores(["a"], ["a"], tokenize="ko-mecab")


def test_nothing_to_score_and_unequal_lengths():
    with pytest.raises(ValueError, match="there are no sentences to score"):
        scores([], [])
    with pytest.raises(ValueError, match="1 hypotheses for 2 references"):
        scores(["a"], ["a", "b"])


def tiny_translator(cls=Translator):
    lines = [line for pair in PAIRS for line in (pair.source, pair.target)]
    tokenizer = Tokenizer.train(lines, vocab_size=300)
    torch.manual_seed(0)
    config = TransformerConfig(
        vocab_size=300, n_layers=2, d_model=16, d_ff=16, n_heads=2, max_length=30
    )
    return cls(Transformer(config), tokenizer)


class Scripted(Translator):
    """Translates the first sentence right and the others wrong; attends as it is told."""

    def translations(self, texts, *, progress=False):
        found = ["나는 학생이다", *("아니다" for _ in texts[1:])]
        return [Translation(text=text) for text in found]

    def attentions(self, pairs, *, layer=-1, step="output", progress=False):
        self.asked = (list(pairs), layer, step)
        links = [[0, 3], [0, 3, 0]]
        return [
            WordAttention(
                source_words=tuple(source.split(" ")),
                target_words=tuple(target.split(" ")),
                weights=torch.eye(4)[best],
                end_of_source=torch.zeros(len(best)),
            )
            for (source, target), best in zip(pairs, links, strict=True)
        ]


def test_evaluate_gives_scores_in_the_form_of_a_record():
    """Links: 2 of 2 and 2 of 3 are right, gold has 3 and 3: AER = 1 - 2 * 4 / (5 + 6)."""
    translator = tiny_translator(Scripted)
    found = {
        row["metric"]: row
        for row in evaluate(translator, PAIRS, split="test", layer=0, step="input")
    }
    assert list(found) == ["BLEU", "chrF", "exact_match", "AER"]
    assert found["exact_match"] == {
        "split": "test",
        "metric": "exact_match",
        "value": 33.33,
        "signature": "case:mixed|n:3",
    }
    assert found["AER"] == {
        "split": "test",
        "metric": "AER",
        "value": round(100 * (1 - 8 / 11), 2),
        "signature": "attention:cross|layer:0|heads:mean|step:input|decoding:forced|"
        "links:argmax|n:2",
    }
    assert translator.asked == ([(p.source, p.target) for p in PAIRS[:2]], 0, "input")


def test_evaluate_with_a_real_model():
    translator = tiny_translator()
    rows = evaluate(translator, PAIRS, split="valid", layer=-1, step="input", tokenize="char")
    assert {row["split"] for row in rows} == {"valid"}
    assert all(0 <= row["value"] <= 100 for row in rows)
    assert "|tok:char|" in rows[0]["signature"]
    assert "|layer:1|heads:mean|step:input|" in rows[3]["signature"]


def test_without_gold_alignments_there_is_no_aer():
    rows = evaluate(tiny_translator(), PAIRS[2:], split="test")
    assert [row["metric"] for row in rows] == ["BLEU", "chrF", "exact_match"]


@pytest.mark.parametrize(
    ("pairs", "options", "message"),
    [
        ([], {}, "the split 'test' has no sentences to evaluate"),
        (PAIRS, {"tokenize": "mecab"}, "tokenize is 'mecab'"),
        (PAIRS, {"layer": 2}, "layer is 2; expected -2 to 1"),
        ([*PAIRS, SentencePair("a", " ", ())], {}, "target line 3: it is blank"),
    ],
)
def test_evaluate_refuses(pairs, options, message):
    with pytest.raises(ValueError, match=message):
        evaluate(tiny_translator(), pairs, split="test", **options)


def test_a_source_that_is_refused_counts_as_not_translated_and_is_said(caplog):
    pairs = [*PAIRS[2:], SentencePair("", "a"), SentencePair("a▁b", "b")]
    rows = evaluate(tiny_translator(), pairs, split="test")
    assert rows[2]["signature"] == "case:mixed|n:3"
    assert (
        "2 of 3 sources of test are refused and count as not translated; line 2: it is"
        in caplog.text
    )


def test_decomposed_text_is_composed_and_that_is_said(caplog):
    text = "나는 사과를 먹고 싶다 그리고 커피를 마신다"
    other = unicodedata.normalize("NFD", text)
    for pair in ((text, other), (other, text), (other, other)):
        assert [score.value for score in scores([pair[0]], [pair[1]])] == pytest.approx([100] * 3)
    assert "1 of 1 references are composed (NFC)" in caplog.text
    assert "1 of 1 hypotheses are composed (NFC)" in caplog.text


def test_a_reference_is_read_as_a_line_of_a_corpus(caplog, monkeypatch):
    model, text = tiny_translator(), "나는 학생이다"
    monkeypatch.setattr(model, "translations", lambda _, **__: [Translation(text=text)] * 3)
    odd = [text.replace(" ", "\xa0"), unicodedata.normalize("NFD", text), f" {text}\ufeff"]
    rows = evaluate(model, [SentencePair("she runs", line) for line in odd], split="test")
    assert rows[2]["metric"] == "exact_match"
    assert rows[2]["value"] == 100
    assert "references of test, line 1: a no-break space (U+00A0) read as a space" in caplog.text
    assert "references of test, line 2: accents and syllables composed (NFC)" in caplog.text


def test_a_string_is_no_list_of_translations():
    for pair in (("abcd", "abce"), (["abcd"], "abcd"), ("abcd", ["abcd"])):
        with pytest.raises(ValueError, match="one string was given, 'abc"):
            scores(*pair)


@pytest.mark.parametrize("source", ["I am", "I\u00a0am", " I\tam ", "I  am"])
def test_links_are_between_the_words_that_the_model_reads(source):
    """However they are spaced; a word beyond the last one is refused all the same."""
    translator = tiny_translator()
    for target in ("b c", "b\u00a0c"):
        rows = evaluate(translator, [SentencePair(source, target, ((1, 1),))], split="test")
        assert [row["metric"] for row in rows][-1] == "AER"
        with pytest.raises(ValueError, match=r"^pair 2 has the link \(2, 0\); .* 2 and 2 words$"):
            evaluate(
                translator,
                [SentencePair("a", "b"), SentencePair(source, target, ((2, 0),))],
                split="test",
            )
