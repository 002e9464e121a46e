"""Which noun the shipped model takes "it" for, and what carries the choice.

    python -m experiments.pronouns

Every *because* sentence of a split that one adjective can turn around is paired with its twins.
Measured over all of them: translations, the weights of each head, the choice with rows of the
memory taken from the twin, and the choice without heads. The split may be that of the other
lexicon: a model of the large one was trained on no test sentence of either. Chapter: *Encoder and
decoder*.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from torch import Tensor

from annotated_transformer import Translator
from annotated_transformer.lab.analysis.heads import attentions_of, without_heads
from annotated_transformer.lab.analysis.pronoun_probes import (
    PARTS,
    antecedent_log_odds,
    attention_by_part,
    patched_log_odds,
    pronoun_following,
)
from annotated_transformer.lab.analysis.pronouns import ANTECEDENTS, Swap, swaps
from annotated_transformer.lab.corpora.english_korean import LEXICONS, LexiconName, english_korean
from annotated_transformer.lab.corpora.english_korean.everyday.surface import plain
from experiments.given_model import MODEL, lexicon_of, load_model
from experiments.study import Fields, Option, Study

CARRIER = ("it",)
TAKEN = (
    *((part,) for part in PARTS),
    tuple(part for part in PARTS if part not in CARRIER),
    PARTS,
)
"""The rows of the memory that are taken from the other sentence, one experiment each."""


def choices(found: Tensor, split: str) -> Iterator[dict[str, Any]]:
    """Scores of `antecedent_log_odds`: sentences understood rightly, and how strongly."""
    for side, reading in enumerate(ANTECEDENTS):
        column = found[:, side]
        signature = f"decoding:forced|n:{len(column)}"
        for metric, value in (
            ("right", 100 * (column > 0).double().mean()),
            ("odds", column.mean()),
        ):
            tags = {"split": split, "reading": reading, "metric": metric}
            yield tags | {"value": round(float(value), 2), "signature": signature}


def measured(translator: Translator, pairs: Sequence[Swap], split: str) -> Iterator[dict[str, Any]]:
    """The choice as it is, with rows of the memory exchanged, and without heads."""
    cases: list[tuple[dict[str, Any], Mapping[str, Sequence[int]]]] = []
    for name, module in attentions_of(translator.model).items():
        heads = range(module.n_heads)
        cases += [({"without": name, "head": head}, {name: [head]}) for head in heads]
        cases.append(({"without": name, "head": None}, {name: heads}))
    for score in choices(antecedent_log_odds(translator, pairs), split):
        yield {"case": "whole model"} | score
    for taken in TAKEN:
        for score in choices(patched_log_odds(translator, pairs, taken), split):
            yield {"case": "transplanted", "taken": list(taken)} | score
    for layer in range(translator.model.config.n_layers):
        for score in choices(patched_log_odds(translator, pairs, CARRIER, [layer]), split):
            tags = {"case": "transplanted for one layer", "layer": layer, "taken": list(CARRIER)}
            yield tags | score
    for tags, removed in cases:
        with without_heads(translator.model, removed):
            found = antecedent_log_odds(translator, pairs)
        for score in choices(found, split):
            yield {"case": "without heads"} | tags | score


def translations(
    translator: Translator, pairs: Sequence[Swap], split: str, lexicon: LexiconName
) -> Iterator[dict[str, Any]]:
    """Exact match over the different sentences, and how many of them the training split holds."""
    known = {plain(pair.source) for pair in english_korean("train", lexicon)}
    for side, reading in enumerate(ANTECEDENTS):
        wanted = {swap.sources[side]: swap.targets[side] for swap in pairs}
        found = translator(list(wanted))
        right = sum(map(str.__eq__, found, wanted.values()))
        seen = sum(plain(source) in known for source in wanted)
        tags = {"case": "translated", "split": split, "reading": reading}
        signature = f"decoding:greedy|n:{len(wanted)}"
        for metric, count in (("exact_match", right), ("in_training", seen)):
            value = round(100 * count / len(wanted), 2)
            yield tags | {"metric": metric, "value": value, "signature": signature}


def measure(given: argparse.Namespace) -> Fields:
    """All that is said of the twins of a split."""
    translator = load_model(given.model, beam_size=1, batch_size=100)
    trained_on = lexicon_of(given.model)
    given.lexicon = given.lexicon or trained_on
    pairs = swaps(english_korean(given.split, given.lexicon), given.lexicon)
    scores = [
        *translations(translator, pairs, given.split, trained_on),
        *measured(translator, pairs, given.split),
    ]
    weights = [
        row | {"share": round(row["share"], 2)} for row in attention_by_part(translator, pairs)
    ]
    follows = [
        row | {key: round(row[key], 2) for key in ("follows", "most")}
        for row in pronoun_following(translator, pairs)
    ]
    return {
        "model": given.model,
        "lexicon": given.lexicon,
        "seed": None,
        "swaps": len(pairs),
        "sentences": len({swap.sources[ANTECEDENTS.index(swap.given)] for swap in pairs}),
        "scores": scores,
        "reach": weights,
        "following": follows,
    }


STUDY = Study(
    "experiments.pronouns",
    __doc__,
    measure,
    MODEL,
    Option("--split", "test", "of the embedded corpus"),
    Option("--lexicon", choices=LEXICONS, help="default: that of the model"),
)


if __name__ == "__main__":
    STUDY.main()
