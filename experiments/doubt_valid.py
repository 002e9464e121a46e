"""The threshold of doubt for a model whose translations nobody has judged.

    python -m experiments.doubt_valid --model korean_english [--store]

The model translates sentences of its validation split. A translation is right if it is the one of
the corpus, which makes too many wrong: another wording, or *a* for *the*, may be right as well. The
threshold is chosen on this split by the rule of `experiments.doubt`, so that at most `FALSE_ALARMS`
of the right translations are marked; the test split says what it does to other sentences. Nothing
here says how often visitors' sentences come out wrong, for which somebody has to judge a list.
`--store` writes the threshold into the model's directory.
"""

import argparse
from collections.abc import Iterator, Sequence

from annotated_transformer import Translator
from annotated_transformer.corpora import SentencePair
from annotated_transformer.training.data import read_split
from experiments.doubt import OWN, chosen, outcomes
from experiments.doubt_measures import Example, measured
from experiments.given_model import MODEL, STORE, keep_threshold, load_model, recipe_of
from experiments.study import Fields, Option, Study


def translated(translator: Translator, pairs: Sequence[SentencePair]) -> list[Example]:
    """What the model makes of each source; right is the target alone."""
    truth = {(pair.source, pair.target): True for pair in pairs}
    return measured(translator, [pair.source for pair in pairs], truth, otherwise=False)


def measure(given: argparse.Namespace) -> Iterator[Fields]:
    """Choose the threshold and try it; once the record is written, the model may get it."""
    translator, corpus = load_model(given.model), recipe_of(given.model).corpus
    translator.model.double()  # the same choices on every machine
    valid, test = (
        translated(translator, read_split(corpus, name)[: given.sentences])
        for name in ("valid", "test")
    )
    open_to_it = [each for each in valid if each.values and not each.marked]
    values, right = [each.values[OWN] for each in open_to_it], [bool(x.right) for x in open_to_it]
    sound = [each.values[OWN] for each in open_to_it if each.right]
    threshold = round(chosen(values, right, sound), 4)
    yield {
        "model": given.model,
        "seed": None,
        "measure": OWN,
        "threshold": threshold,
        "valid": outcomes(valid, OWN, threshold),
        "test": outcomes(test, OWN, threshold),
    }
    if given.store:
        keep_threshold(given.model, threshold)


STUDY = Study(
    "experiments.doubt_valid",
    __doc__,
    measure,
    MODEL,
    Option("--sentences", 1_000, "of each split"),
    STORE,
)


if __name__ == "__main__":
    STUDY.main()
