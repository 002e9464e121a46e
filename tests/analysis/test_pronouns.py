"""Swapped adjectives against the corpus, and probes against what must come out."""

import pytest
import torch

from annotated_transformer import Translator
from annotated_transformer.analysis.heads import attentions_of, without_heads
from annotated_transformer.analysis.pronoun_probes import (
    PARTS,
    following,
    leaning,
    parts,
    reach,
    transplanted,
)
from annotated_transformer.analysis.pronouns import WAYS, swaps
from annotated_transformer.corpora import SentencePair
from annotated_transformer.corpora.english_korean import SPLITS, english_korean


@pytest.fixture(scope="module")
def found():
    return swaps(english_korean("test"))


@pytest.fixture(scope="module")
def translator():
    return Translator.load("english_korean", beam_size=1)


def test_every_sentence_that_the_corpus_knows_has_its_translation(found):
    known = {pair.source: pair.target for split in SPLITS for pair in english_korean(split)}
    both = [row for swap in found for row in zip(swap.sources, swap.targets, strict=True)]
    checked = [(target, known[source]) for source, target in both if source in known]
    assert len(checked) > 100
    assert all(ours == theirs for ours, theirs in checked)


def test_one_sentence_of_each_swap_is_in_the_split_and_only_the_adjective_differs(found):
    split = {pair.source: pair.construction for pair in english_korean("test")}
    for swap in found:
        assert split[swap.sources[WAYS.index(swap.given)]] == f"because_{swap.given}"
        one, other = (source.split(" ") for source in swap.sources)
        assert one[:-1] == other[:-1]
        assert one[-1] != other[-1]
        assert one[swap.pronoun[0]] == "it"
    assert len({swap.sources for swap in found}) == len(found)


def test_spans_and_openings_name_the_same_nouns(found):
    nouns = {}
    for swap in found:
        words = swap.sources[0].split(" ")
        for (start, stop), opening, target in zip(
            swap.nouns, swap.openings, swap.targets, strict=True
        ):
            assert target.startswith(opening + " ")
            english = " ".join(words[start:stop])
            korean = nouns.setdefault(english, opening.split(" ")[-1][:-1])
            assert korean == opening.split(" ")[-1][:-1]
    assert {"fox": "여우", "chicken": "닭"}.items() <= nouns.items()


def test_adjectives_of_subjects_are_never_those_of_objects(found):
    of_subject, of_object = ({swap.sources[i].split(" ")[-1] for swap in found} for i in (0, 1))
    assert of_subject.isdisjoint(of_object)


def test_a_known_sentence():
    pair = SentencePair(
        source="The animal did not cross the street because it was too tired",
        target="그 동물이 너무 피곤해서 길을 건너지 않았다",
        construction="because_subject",
    )
    found = {swap.sources[1].split(" ")[-1]: swap for swap in swaps([pair])}
    assert found["wide"].targets == (pair.target, "길이 너무 넓어서 그 동물은 건너지 않았다")
    assert found["wide"].openings == ("그 동물이", "길이")
    assert found["slippery"].targets[1] == "길이 너무 미끄러워서 그 동물은 건너지 않았다"


@pytest.mark.parametrize(
    "pair",
    [
        SentencePair("", "", construction=None),
        SentencePair("🙂", "🙂", construction="because_subject"),
        SentencePair("I am a student", "나는 학생이다", construction="copula"),
        SentencePair("because it was ", "", construction="because_object"),
    ],
)
def test_sentences_without_a_pronoun_to_turn_are_refused_with_a_sentence(pair):
    with pytest.raises(ValueError, match="another adjective would change"):
        swaps([pair])


def test_parts_cover_each_sentence_once_and_in_order(found, translator):
    for swap in found[:20]:
        for way, source in enumerate(swap.sources):
            spans = parts(translator, swap, way)
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


def test_leaning_is_what_the_whole_model_says(found, translator):
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
    torch.testing.assert_close(leaning(translator, [swap])[0], right, rtol=1e-4, atol=1e-4)


def test_taking_everything_makes_the_other_sentence_and_nothing_changes_nothing(found, translator):
    some = found[:6]
    own = leaning(translator, some)
    assert torch.equal(transplanted(translator, some, ()), own)
    torch.testing.assert_close(transplanted(translator, some, PARTS), -own.flip(1))


def test_what_is_taken_twice_over_is_what_is_left_of_the_other(found, translator):
    """Taking some rows from the twin is the twin with all other rows taken, sign reversed."""
    some, taken = found[:6], ("it", "the adjective")
    rest = [part for part in PARTS if part not in taken]
    one, other = transplanted(translator, some, taken), transplanted(translator, some, rest)
    torch.testing.assert_close(one, -other.flip(1))


def test_what_one_layer_reads_differs_from_what_the_others_read(found, translator):
    """All layers at once is the plain exchange, none is no exchange, one is neither."""
    some, taken = found[:6], ("it", "the subject's determiner")
    exchanged, own = transplanted(translator, some, taken), leaning(translator, some)
    assert torch.equal(transplanted(translator, some, taken, [0, 1]), exchanged)
    assert torch.equal(transplanted(translator, some, taken, []), own)
    for layer in (0, 1):
        one = transplanted(translator, some, taken, [layer])
        assert not torch.allclose(one, exchanged)
        assert not torch.allclose(one, own)


def test_a_head_follows_where_the_right_noun_has_more_weight_in_both_sentences(found, translator):
    """Counted once more from `reach` of each swap by itself."""
    some, counts, most = found[:8], {}, {}
    for swap in some:
        shares = {
            (row["attention"], row["head"], row["reading"], row["part"]): row["share"]
            for row in reach(translator, [swap])
        }
        for name, head in {key[:2] for key in shares}:
            right = [
                shares[name, head, way, f"the {way}"] > shares[name, head, way, f"the {other}"]
                for way, other in (WAYS, WAYS[::-1])
            ]
            counts[name, head] = counts.get((name, head), 0) + all(right)
            seen = (shares[name, head, way, f"the {noun}"] for way in WAYS for noun in WAYS)
            most[name, head] = max(most.get((name, head), 0), *seen)
    assert any(counts.values())
    for row in following(translator, some):
        key = row["attention"], row["head"]
        assert row["follows"] == pytest.approx(100 * counts[key] / len(some))
        assert row["most"] == pytest.approx(most[key])


def test_weights_reach_everything_once(found, translator):
    rows = reach(translator, found[:3])
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
        blind = leaning(translator, some)
    torch.testing.assert_close(blind[:, 0], -blind[:, 1])
    assert (leaning(translator, some) > 0).all()


def test_no_swaps_and_unknown_parts_are_refused(found, translator):
    for function in (leaning, reach, following):
        with pytest.raises(ValueError, match="no swaps"):
            function(translator, [])
    with pytest.raises(ValueError, match="'him' is no part"):
        transplanted(translator, found[:1], ["him"])
    with pytest.raises(ValueError, match="no layer 2: the decoder has 2"):
        transplanted(translator, found[:1], ["it"], [2])
