"""Probes of a trained model: against its own log-probabilities, and against each other."""

import pytest
import torch

from annotated_transformer import Translator, record_attention
from annotated_transformer.lab.analysis import pronoun_probes
from annotated_transformer.lab.analysis.heads import attentions_of, without_heads
from annotated_transformer.lab.analysis.pronoun_probes import (
    PARTS,
    antecedent_log_odds,
    attention_by_part,
    parts,
    patched_log_odds,
    pronoun_following,
)
from annotated_transformer.lab.analysis.pronouns import swaps
from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.tokenizer import BOS_ID


@pytest.fixture(scope="module")
def found():
    return swaps(english_korean("test"))


@pytest.fixture(scope="module")
def translator():
    return Translator.load("english_korean", beam_size=1)


def test_parts_cover_each_sentence_once_and_in_order(found, translator):
    for swap in found[:20]:
        for side, source in enumerate(swap.sources):
            spans = parts(translator, swap, side)
            ids = translator.tokenizer.source_ids(source)
            assert list(spans) == list(PARTS)
            assert [i for span in spans.values() for i in range(*span)] == list(range(len(ids)))
            decoded = {
                name: translator.tokenizer.decode(ids[slice(*span)]).strip()
                for name, span in spans.items()
            }
            words = source.split(" ")
            assert decoded["it"] == "it"
            assert decoded["the adjective"] == words[-1]
            for name, (start, stop) in zip(("the subject", "the object"), swap.nouns, strict=True):
                assert decoded[name] == " ".join(words[start:stop])


def test_log_odds_are_what_the_whole_model_says(found, translator):
    swap, model, tokenizer = found[0], translator.model.eval(), translator.tokenizer
    expected = []
    for source in swap.sources:
        total = []
        for opening in swap.openings:
            target = tokenizer.target_ids(opening)[:-1]
            with torch.no_grad():
                logits = model(torch.tensor([tokenizer.source_ids(source)]), torch.tensor([target]))
            rows = logits[0].log_softmax(-1)
            total.append(sum(rows[i, token].item() for i, token in enumerate(target[1:])))
        expected.append(total[0] - total[1])
    right = torch.tensor([expected[0], -expected[1]]).double()
    torch.testing.assert_close(
        antecedent_log_odds(translator, [swap])[0], right, rtol=1e-4, atol=1e-4
    )


def test_patching_all_parts_gives_the_other_sentence_and_no_parts_nothing(found, translator):
    some = found[:6]
    own = antecedent_log_odds(translator, some)
    assert torch.equal(patched_log_odds(translator, some, ()), own)
    torch.testing.assert_close(patched_log_odds(translator, some, PARTS), -own.flip(1))


def test_patching_some_parts_is_the_other_sentence_with_the_rest_patched(found, translator):
    """Taking some rows from the twin is the twin with all other rows taken, sign reversed."""
    some, taken = found[:6], ("it", "the adjective")
    rest = [part for part in PARTS if part not in taken]
    one, other = patched_log_odds(translator, some, taken), patched_log_odds(translator, some, rest)
    torch.testing.assert_close(one, -other.flip(1))


def test_what_one_layer_reads_differs_from_what_the_others_read(found, translator):
    """All layers give the plain patch and none gives no patch; one layer gives neither."""
    some, taken = found[:6], ("it", "the subject's determiner")
    exchanged, own = (
        patched_log_odds(translator, some, taken),
        antecedent_log_odds(translator, some),
    )
    assert torch.equal(patched_log_odds(translator, some, taken, [0, 1]), exchanged)
    assert torch.equal(patched_log_odds(translator, some, taken, []), own)
    for layer in (0, 1):
        one = patched_log_odds(translator, some, taken, [layer])
        assert not torch.allclose(one, exchanged)
        assert not torch.allclose(one, own)


def test_a_head_follows_where_the_right_noun_phrase_has_more_weight_in_both_sentences(
    found, translator
):
    """Counted once more from the weights of whole passes, with words found in the texts."""
    some = [swap for swap in found if swap.nouns[0] == (1, 2)][:8]  # nouns of one word
    model, tokenizer = translator.model.eval(), translator.tokenizer
    counts, most = {}, {}
    for swap in some:
        follows = {}
        # What the decoder has read when it chooses: the determiner 그, where both nouns have it.
        read, ours, theirs = [BOS_ID], *(tokenizer.target_ids(o)[1:] for o in swap.openings)
        while ours[len(read) - 1] == theirs[len(read) - 1]:
            read.append(ours[len(read) - 1])
        for side, text in enumerate(swap.sources):
            words, spans = text.split(" "), tokenizer.word_spans(text)
            clause = words[: words.index("because")]
            later = max(i for i, word in enumerate(clause) if word in ("the", "this"))
            phrases = (spans[0][0], spans[2][0]), (spans[later][0], spans[len(clause)][0])
            with torch.no_grad(), record_attention(model) as weights:
                model(torch.tensor([tokenizer.source_ids(text)]), torch.tensor([read]))
            for name, seen in weights.items():
                if name.startswith("decoder") and "cross" not in name:
                    continue
                encoder = name.startswith("encoder")
                start, stop = spans[words.index("it")] if encoder else (len(read) - 1, len(read))
                for head, row in enumerate(seen[0][:, start:stop].mean(1)):
                    shares = [row[a:b].sum().item() for a, b in phrases]
                    right = shares[side] > shares[1 - side]
                    follows[name, head] = follows.get((name, head), True) and right
                    most[name, head] = max(most.get((name, head), 0), *shares)
        for key, right in follows.items():
            counts[key] = counts.get(key, 0) + right
    assert any(counts.values())
    for row in pronoun_following(translator, some):
        key = row["attention"], row["head"]
        assert row["follows"] == pytest.approx(100 * counts[key] / len(some))
        assert row["most"] == pytest.approx(100 * most[key], abs=1e-3)


def test_a_determiner_counts_with_its_noun(found, translator, monkeypatch):
    """Four heads made up, for a swap of "The N ... the M": one follows, by its determiners."""
    swap = next(s for s in found if s.nouns[0] == (1, 2))
    phrases = {"the subject": 0, "the object": 1}
    weights = {  # on determiner and noun of (subject, object), in each of the two sentences
        "follows": (((0.6, 0.0), (0.0, 0.4)), ((0.0, 0.3), (0.7, 0.0))),
        "nouns alone would follow": (((0.1, 0.3), (0.5, 0.1)), ((0.5, 0.1), (0.1, 0.3))),
        "one sentence": (((0.6, 0.0), (0.0, 0.4)), ((0.6, 0.0), (0.0, 0.4))),
        "neither": (((0.0, 0.0), (0.0, 0.0)), ((0.0, 0.0), (0.0, 0.0))),
    }

    def made_up(translator, source, target):
        side = swap.sources.index(source)
        spans = parts(translator, swap, side)
        read = len(translator.tokenizer.target_ids(swap.openings[side])) - 1
        rows = torch.zeros(4, read, spans["the end"][1])
        for head, both in enumerate(weights.values()):
            for noun, place in phrases.items():
                for part, weight in zip(
                    (f"{noun}'s determiner", noun), both[side][place], strict=True
                ):
                    rows[head, :, spans[part][0]] = weight
        return {"decoder.layers.0.cross_attention": rows}

    monkeypatch.setattr(pronoun_probes, "teacher_forced_attention", made_up)
    rows = pronoun_following(translator, [swap])
    assert [row["follows"] for row in rows] == [100, 0, 0, 0]
    assert [row["most"] for row in rows] == pytest.approx([70, 60, 60, 0])


def test_the_decoder_is_asked_where_the_translations_part(found, translator, monkeypatch):
    """Rows of the decoder that look at one word each: the first after what both nouns share."""
    mouse = next(s for s in found if s.openings == ("그 고양이가", "그 쥐가"))
    egg = next(s for s in found if s.openings == ("그 개가", "달걀이"))

    def made_up(translator, source, target):
        rows = torch.eye(12)[None, : len(translator.tokenizer.target_ids(target)) - 1]
        return {"decoder.layers.0.cross_attention": rows}

    monkeypatch.setattr(pronoun_probes, "teacher_forced_attention", made_up)
    for swap, part in ((mouse, "the subject"), (egg, "the subject's determiner")):
        spans = parts(translator, swap, 0)
        assert spans["the subject's determiner"] == (0, 1)
        assert spans["the subject"][0] == 1
        (looked_at,) = {
            row["part"] for row in attention_by_part(translator, [swap]) if row["share"] > 0
        }
        assert looked_at == part


def test_shares_of_all_parts_sum_to_one_hundred_percent(found, translator):
    rows = attention_by_part(translator, found[:3])
    totals = {}
    for row in rows:
        key = row["attention"], row["head"], row["reading"]
        totals[key] = totals.get(key, 0) + row["share"]
    looked_at = [n for n in attentions_of(translator.model) if "decoder" not in n or "cross" in n]
    assert len(totals) == len(looked_at) * translator.model.config.n_heads * 2
    assert all(abs(total - 100) < 0.01 for total in totals.values())


def test_the_model_without_attention_to_the_memory_cannot_choose(found, translator):
    some = found[:10]
    names = attentions_of(translator.model)
    gone = {name: range(4) for name in names if name.endswith("cross_attention")}
    with without_heads(translator.model, gone):
        blind = antecedent_log_odds(translator, some)
    torch.testing.assert_close(blind[:, 0], -blind[:, 1])
    assert (antecedent_log_odds(translator, some) > 0).all()


def test_no_swaps_and_unknown_parts_are_refused(found, translator):
    for function in (antecedent_log_odds, attention_by_part, pronoun_following):
        with pytest.raises(ValueError, match="no swaps"):
            function(translator, [])
    with pytest.raises(ValueError, match="'him' is no part"):
        patched_log_odds(translator, found[:1], ["him"])
    with pytest.raises(ValueError, match="no layer 2: the decoder has 2"):
        patched_log_odds(translator, found[:1], ["it"], [2])
