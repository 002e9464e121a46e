"""Which of the sentences a model has seen: their meaning counts, not how they are typed."""

from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.analysis.pronouns import swaps
from experiments import pronouns

TIRED = SentencePair(
    "The animal did not cross the street because it was too tired",
    "그 동물이 너무 피곤해서 길을 건너지 못했다",
    construction="because_subject",
)


def test_a_sentence_is_known_however_it_was_typed(monkeypatch):
    asked = []

    def english_korean(split, lexicon):
        asked.append((split, lexicon))
        return [SentencePair("the animal didn't cross the street because it was too wide.", "")]

    monkeypatch.setattr(pronouns, "english_korean", english_korean)
    found = swaps([TIRED])

    def translator(texts):
        return [TIRED.target] * len(texts)

    scores = list(pronouns.translations(translator, found, "test", "large"))
    assert asked == [("train", "large")]
    value = {(s["reading"], s["metric"]): s["value"] for s in scores}
    n = len({swap.sources[1] for swap in found})
    assert value["subject", "exact_match"] == 100
    assert value["subject", "in_training"] == 0
    assert value["object", "exact_match"] == 0
    assert value["object", "in_training"] == round(100 / n, 2)
