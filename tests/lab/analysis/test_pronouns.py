"""Swapped adjectives against the corpus."""

import pytest

from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.analysis.pronouns import ANTECEDENTS, swaps
from annotated_transformer.lab.corpora.english_korean import SPLITS, english_korean


@pytest.fixture(scope="module")
def found():
    return swaps(english_korean("test"))


def test_every_sentence_that_the_corpus_knows_has_its_translation(found):
    known = {pair.source: pair.target for split in SPLITS for pair in english_korean(split)}
    both = [row for swap in found for row in zip(swap.sources, swap.targets, strict=True)]
    checked = [(target, known[source]) for source, target in both if source in known]
    assert len(checked) > 100
    assert all(ours == theirs for ours, theirs in checked)


def test_one_sentence_of_each_swap_is_in_the_split_and_only_the_adjective_differs(found):
    split = {pair.source: pair.construction for pair in english_korean("test")}
    for swap in found:
        assert split[swap.sources[ANTECEDENTS.index(swap.given)]] == f"because_{swap.given}"
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
        target="그 동물이 너무 피곤해서 길을 건너지 못했다",
        construction="because_subject",
    )
    found = {swap.sources[1].split(" ")[-1]: swap for swap in swaps([pair])}
    assert found["wide"].targets == (pair.target, "길이 너무 넓어서 그 동물은 그곳을 건너지 못했다")
    assert found["wide"].openings == ("그 동물이", "길이")
    assert found["slippery"].targets[1] == "길이 너무 미끄러워서 그 동물은 그곳을 건너지 못했다"


def test_typed_sentences_of_the_large_lexicon_become_written_ones():
    """A hamster is in the large lexicon alone; the typed sentence has no twin of its own typing."""
    typed = "the hamster couldn\u2019t climb the hill because it was too sick."
    target = "그 햄스터가 너무 아파서 언덕에 올라갈 수 없었다"
    pair = SentencePair(typed, target, construction="because_subject")
    found = {swap.sources[1].split(" ")[-1]: swap for swap in swaps([pair], "large")}
    steep = found["steep"]
    written = "The hamster could not climb the hill because it was too "
    assert steep.sources == (written + "sick", written + "steep")
    assert steep.targets == (target, "언덕이 너무 가팔라서 그 햄스터는 그곳에 올라갈 수 없었다")
    with pytest.raises(ValueError, match="another adjective would change"):
        swaps([pair])


@pytest.mark.parametrize(
    "pair",
    [
        SentencePair("", "", construction=None),
        SentencePair("🙂", "🙂", construction="because_subject"),
        SentencePair("I am a student", "나는 학생이다", construction="copula"),
        SentencePair("because it was ", "", construction="because_object"),
    ],
)
def test_sentences_that_cannot_be_swapped_are_refused(pair):
    with pytest.raises(ValueError, match="another adjective would change"):
        swaps([pair])
