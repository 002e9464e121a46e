"""All tokens in one pass, or one after the other: what a translation loses that is written at once.

    python -m experiments.all_at_once

Weights and sentences are equal. One decoder has the causal mask and writes greedily, a pass for
each token. The other has no mask and no target tokens to read, and writes in one pass. It learns
more slowly, so it has `--longer` times the updates. The learning rate does not depend on how many
are still to come, so its validation loss after as many as the first is in the curve. A pass has all
output positions of a sentence; passes are counted, and not time.

The corpus is kind to the second: each English sentence has exactly one translation, so no token has
to know which of several the others have begun.

Chapter: *The cost of n squared*.
"""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import torch

from annotated_transformer import Translator, greedy_search
from annotated_transformer.decoding.hypotheses import Hypothesis
from annotated_transformer.evaluation import scores
from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.lab.variants.all_at_once import AllAtOnce, write_at_once
from experiments.study import Option
from experiments.variants import Comparison, Variant

ROWS = 100
"""Sentences that are translated together."""
SPLITS = ("test", "compositional")


def written(translator: Translator, texts: Sequence[str]) -> list[tuple[Hypothesis, int]]:
    """The translation of each text, and the passes of the decoder that it took."""
    model, found = translator.model, []
    for start in range(0, len(texts), ROWS):
        ids = [
            torch.tensor(translator.tokenizer.source_ids(text))
            for text in texts[start : start + ROWS]
        ]
        source = torch.nn.utils.rnn.pad_sequence(ids, batch_first=True)
        if isinstance(model, AllAtOnce):
            found += [(each, 1) for each in write_at_once(model, source)]
        else:
            best = greedy_search(model, source)
            found += [(each, len(each.ids) + each.finished) for each in best]
    return found


def repeats(text: str) -> bool:
    """Whether a word stands twice, one behind the other."""
    return any(one == other for one, other in itertools.pairwise(text.split(" ")))


def measure(translator: Translator) -> Iterator[dict[str, Any]]:
    """The translations of each split: how many are right, and what is wrong with others."""
    for split in SPLITS:
        pairs = english_korean(split)
        found = written(translator, [pair.source for pair in pairs])
        texts = [translator.tokenizer.decode(each.ids) for each, _ in found]
        for score in scores(texts, [pair.target for pair in pairs]):
            value = round(score.value, 2)
            yield {"split": split, "metric": score.metric, "value": value} | {
                "signature": score.signature
            }
        counts = {
            "repeats": 100 * sum(map(repeats, texts)),
            "unfinished": 100 * sum(not each.finished for each, _ in found),
            "passes": sum(passes for _, passes in found),
        }
        for metric, count in counts.items():
            value = round(count / len(pairs), 2)
            signature = f"n:{len(pairs)}"
            yield {"split": split, "metric": metric, "value": value, "signature": signature}


def variants(steps: int, longer: int) -> list[Variant]:
    """Both decoders."""
    return [
        Variant({"decoder": "one by one"}),
        Variant({"decoder": "all at once"}, [f"training.steps={longer * steps}"], model=AllAtOnce),
    ]


STUDY = Comparison(
    "experiments.all_at_once",
    __doc__,
    lambda given: variants(given.steps, given.longer),
    Option("--longer", 3, "times the updates, for all at once"),
    updates=1_500,
    splits=(),
    measure=measure,
)


if __name__ == "__main__":
    STUDY.main()
