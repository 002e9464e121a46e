"""Shares of weight by kind of key, against a plain loop over the recorded weights."""

from dataclasses import replace

import pytest
import torch
from typechecking import unchecked

from annotated_transformer import Translator, record_attention
from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.analysis.head_profile import head_agreement, head_profile
from annotated_transformer.lab.analysis.heads import without_heads
from annotated_transformer.lab.corpora.english_korean import english_korean


@pytest.fixture(scope="module")
def translator():
    return Translator.load("english_korean")


@pytest.fixture(scope="module")
def pairs():
    return english_korean("valid")[:3]


def looked(translator, pair):
    """(attention, head, query, key) -> weight, and the words of the tokens."""
    tokenizer = translator.tokenizer
    source = torch.tensor([tokenizer.source_ids(pair.source)])
    target = torch.tensor([tokenizer.target_ids(pair.target)[:-1]])
    with torch.no_grad(), record_attention(translator.model) as record:
        translator.model.eval()(source, target)
    return {name: weights[0].tolist() for name, weights in record.items()}


def word_of(spans, token):
    return next((w for w, (start, stop) in enumerate(spans) if start <= token < stop), None)


def is_kind(kind, translator, pair, i, j, n_key):
    tokenizer = translator.tokenizer
    if kind in ("writing", "reading"):
        token = i if kind == "writing" else i - 1
        target = word_of(tokenizer.word_spans(pair.target), token)
        return (word_of(tokenizer.word_spans(pair.source), j), target) in pair.alignment
    place = {"previous": i - 1, "same": i, "next": i + 1, "begin": 0, "end": n_key - 1}
    return j == place[kind]


def by_loop(translator, pairs, seen, name, head, kind):
    weight, even, rows = 0.0, 0.0, 0
    for pair, weights in zip(pairs, seen, strict=True):
        for i, row in enumerate(weights[name][head]):
            n_allowed = i + 1 if name.startswith("decoder") and "self" in name else len(row)
            keys = [j for j in range(n_allowed) if is_kind(kind, translator, pair, i, j, len(row))]
            if keys and n_allowed > 1:
                weight += sum(row[j] for j in keys)
                even += len(keys) / n_allowed
                rows += 1
    return 100 * weight / rows, 100 * even / rows


def test_shares_equal_a_loop_over_all_weights(translator, pairs):
    rows, seen = head_profile(translator, pairs), [looked(translator, pair) for pair in pairs]
    assert len(rows) == 4 * (2 * 4 + 2 * 3 + 2 * 3)
    for row in rows:
        expected = by_loop(translator, pairs, seen, row["attention"], row["head"], row["kind"])
        assert (row["share"], row["even"]) == pytest.approx(expected, abs=1e-3)


def test_missing_or_blank_pairs_are_refused(translator, pairs):
    with pytest.raises(ValueError, match="no sentence pairs"):
        head_profile(translator, [])
    for alignment in (None, ()):
        with pytest.raises(ValueError, match="pair 2 has no gold alignment"):
            head_profile(translator, [pairs[0], replace(pairs[1], alignment=alignment)])


@pytest.mark.parametrize("link", [(2, 0), (0, 1), (-1, 0)])
def test_an_alignment_of_words_that_are_not_there_is_refused(translator, link):
    message = rf"pair 1 aligns word {link[0]} of 2 with word {link[1]} of 1"
    with pytest.raises(ValueError, match=message):
        head_profile(translator, [SentencePair("a dog", "개가", (link,))])


def agreement(translator, pairs):
    return head_agreement(translator, pairs, "decoder.layers.1.cross_attention")


@pytest.mark.parametrize("function", [head_profile, agreement])
def test_invalid_texts_are_refused(translator, function):
    links = ((0, 0),)
    for source, target, message in (
        ("", "", "pair 1 has a blank sentence"),
        ("a dog", " ", "pair 1 has a blank sentence"),
        ("dog " * 2000, "개가", "the source has 2002 tokens, more than max_length=128"),
        ("a dog", "개가 " * 4000, "the target has 4002 tokens, more than max_length=128"),
        ("a\ndog", "개가", "a line feed ends a line"),
    ):
        with pytest.raises(ValueError, match=message):
            function(translator, [SentencePair(source, target, links)])
    with unchecked(), pytest.raises(ValueError, match="expected a SentencePair"):
        function(translator, [("a dog", "개가")])


def test_an_emoji_is_text_like_any_other(translator):
    pair = SentencePair("I am 😀", "나는 😀이다", ((0, 0), (2, 1)))
    assert len(head_profile(translator, [pair])) == 4 * (2 * 4 + 2 * 3 + 2 * 3)
    assert agreement(translator, [pair])[0].shape == (4, 4)


def outputs(translator, pairs, name, head):
    """What the attention puts out when one head is all that is left of it."""
    found = []
    module = translator.model.get_submodule(name)
    handle = module.register_forward_hook(lambda *args: found.append(args[-1][0]))
    others = [other for other in range(4) if other != head]
    # The last attention of the model: what is removed there does not reach its own inputs.
    with without_heads(translator.model, {name: others}):
        for pair in pairs:
            looked(translator, pair)
    handle.remove()
    return torch.cat(found)


def test_agreement_is_overlap_of_weights_and_cosine_of_outputs(translator, pairs):
    name = "decoder.layers.1.cross_attention"
    overlap, cosine = head_agreement(translator, pairs, name)
    added = [outputs(translator, pairs, name, head) for head in range(4)]
    rows = [looked(translator, pair)[name] for pair in pairs]
    for i in range(4):
        for j in range(4):
            smaller = [
                sum(map(min, one, other))
                for heads in rows
                for one, other in zip(heads[i], heads[j], strict=True)
            ]
            assert float(overlap[i, j]) == pytest.approx(sum(smaller) / len(smaller), abs=1e-4)
            expected = torch.cosine_similarity(added[i], added[j], dim=-1).mean()
            assert float(cosine[i, j]) == pytest.approx(float(expected), abs=1e-4)
    torch.testing.assert_close(cosine.diagonal(), torch.ones(4).double())


def test_agreement_needs_pairs_and_an_attention(translator, pairs):
    with pytest.raises(ValueError, match="no sentence pairs"):
        head_agreement(translator, [], "decoder.layers.1.cross_attention")
    with pytest.raises(ValueError, match="no attention is called 'cross'"):
        head_agreement(translator, pairs, "cross")


def test_few_heads_of_the_shipped_encoder_look_at_their_own_token_above_all(translator):
    """All of them give it more than an even spread would; in the decoder about half do mostly."""
    rows = head_profile(translator, english_korean("valid")[:60])
    own = [row for row in rows if row["kind"] == "same"]
    encoder = [row for row in own if row["attention"].startswith("encoder")]
    decoder = [row for row in own if row["attention"].startswith("decoder")]
    assert len(encoder) == len(decoder) == 8
    assert sum(row["share"] > 50 for row in encoder) == 1
    assert all(row["share"] > 1.3 * row["even"] for row in encoder)
    assert 3 <= sum(row["share"] > 50 for row in decoder) <= 5


def test_in_most_heads_of_the_shipped_encoder_another_token_has_the_highest_score(translator):
    """One head of eight gives its own token the highest score in more than half of the rows."""
    own, rows = torch.zeros(2, 4), 0
    for pair in english_korean("valid")[:60]:
        seen = looked(translator, pair)
        layers = [weights for name, weights in seen.items() if name.startswith("encoder")]
        best = torch.tensor(layers).argmax(-1)
        own += (best == torch.arange(best.shape[-1])).sum(-1)
        rows += best.shape[-1]
    shares = (own / rows).flatten().tolist()
    assert sum(share > 0.5 for share in shares) == 1
    assert min(shares) > 0.1
