"""Which words a corpus always translates, and what one left out tells of a translation.

    python -m experiments.coverage --model english_korean_open [--store]

The training split is halved: the first half says which target tokens stand for a source word, the
second which words keep to theirs (`lab/analysis/word_translation.py`). A translation that has none
of a word's tokens leaves the word out. The record says how often that is so of the references of
the validation split, which leave out nothing, and of the visitors' sentences whose translations
were judged, right and wrong ones apart, without the list that `experiments.doubt` keeps for the
end. `--store` writes the words into the model's directory.
"""

import argparse
from collections.abc import Iterator

from annotated_transformer.corpora import SentencePair
from annotated_transformer.decoding.doubt import Coverage
from annotated_transformer.lab.analysis.word_translation import coverage_of, pair_of
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.training.data import read_split
from experiments.given_model import MODEL, STORE, keep_coverage, load_model, recipe_of
from experiments.study import Fields, Study
from experiments.visitors import judgements, visitors


def learned(pairs: list[SentencePair], tokenizer: Tokenizer) -> Coverage:
    """The coverage of a corpus; every other pair is of the second half."""
    known = [pair_of(pair.source, tokenizer.target_ids(pair.target)[1:-1]) for pair in pairs]
    return coverage_of(known[::2], known[1::2])


def measure(given: argparse.Namespace) -> Iterator[Fields]:
    """Learn the words and count; once the record is written, the model may get them."""
    translator, corpus = load_model(given.model), recipe_of(given.model).corpus
    tokenizer = translator.tokenizer
    coverage = learned(list(read_split(corpus, "train")), tokenizer)

    def leaves_out(source: str, target: str) -> bool:
        sentences = translator.policy.read(source).sentences
        ids = tokenizer.target_ids(target)
        return any(coverage.left_out(sentence, ids) for sentence in sentences)

    valid = [leaves_out(pair.source, pair.target) for pair in read_split(corpus, "valid")]
    kept = {each.sentence for each in visitors(fresh=True) if each.kept}
    judged = [
        (leaves_out(*pair), right) for pair, right in judgements().items() if pair[0] not in kept
    ]
    counts = {
        name: [lost for lost, is_right in judged if is_right is right]
        for name, right in (("right", True), ("wrong", False))
    }
    yield {
        "model": given.model,
        "seed": None,
        "words": len(coverage.tokens),
        "tokens": sum(map(len, coverage.tokens.values())),
        "rows": [
            {
                "translations": name,
                "number": len(lost),
                "leave_out": sum(lost),
                "leave_out_percent": round(100 * sum(lost) / len(lost), 1),
            }
            for name, lost in {"references": valid, **counts}.items()
        ],
    }
    if given.store:
        keep_coverage(given.model, coverage)


STUDY = Study("experiments.coverage", __doc__, measure, MODEL, STORE)


if __name__ == "__main__":
    STUDY.main()
