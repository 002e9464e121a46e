"""All tokens in one pass, or one after the other: what a translation loses that is written at once.

    python -m experiments.all_at_once

Weights, updates and sentences are equal. One decoder has the causal mask and writes greedily, a
pass for each token. The other has no mask and no target tokens to read, and writes in one pass. A
pass has all output positions of a sentence, so passes are counted and not time.

The embedded corpus is kind to the second: each English sentence has exactly one translation, so a
token leaves nothing open that others would have to agree with. Therefore both are trained a second
time on a corpus in which each sentence has two: its own, and the same with the first two words
exchanged. Each pair of the training split has one of them, drawn at random; in the test either one
is right. Korean allows some of these orders and not others; here they are a task.

Chapter: *The cost of n squared*.
"""

import itertools
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from sacrebleu.metrics.bleu import BLEU

from annotated_transformer import Transformer, Translator, greedy_search, load_recipe
from annotated_transformer.corpora import SentencePair
from annotated_transformer.corpora.english_korean import english_korean
from annotated_transformer.decoding.hypotheses import Hypothesis
from annotated_transformer.training.data import make_tokenizer, open_corpus
from annotated_transformer.variants.all_at_once import AllAtOnce, write_at_once
from experiments.positions import caching_in
from experiments.programs import run
from experiments.variants import Variant, compare, parser

ROWS = 100
"""Sentences that are translated together."""


def exchanged(text: str) -> str:
    """The text with its first two words exchanged."""
    first, second, *others = text.split(" ")
    return " ".join([second, first, *others])


def with_two_orders(pairs: Sequence[SentencePair], draws: random.Random) -> list[SentencePair]:
    """Each pair as it is, or with its target exchanged, as a coin falls."""
    return [
        replace(pair, target=exchanged(pair.target)) if draws.random() < 0.5 else pair
        for pair in pairs
    ]


def write(splits: dict[str, list[SentencePair]], folder: Path) -> str:
    """The corpus of a run in files; returns what the recipe says of them."""
    folder.mkdir(parents=True, exist_ok=True)
    for split, pairs in splits.items():
        for side in ("source", "target"):
            lines = "".join(f"{getattr(pair, side)}\n" for pair in pairs)
            (folder / f"{split}.{side}").write_text(lines, encoding="utf-8")
    rows = [f'{split} = ["{folder}/{split}.source", "{folder}/{split}.target"]' for split in splits]
    return f"corpus.splits={{{', '.join(rows)}}}"


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


def measure_with(
    translations: int, tests: dict[str, list[SentencePair]]
) -> Callable[[Translator], Iterator[dict[str, Any]]]:
    """A measure of the translations of each split, of which so many are right for each sentence."""

    def measure(translator: Translator) -> Iterator[dict[str, Any]]:
        for split, pairs in tests.items():
            found = written(translator, [pair.source for pair in pairs])
            texts = [translator.tokenizer.decode(each.ids) for each, _ in found]
            right = [[pair.target for pair in pairs]]
            if translations == 2:
                right.append([exchanged(target) for target in right[0]])
            bleu = BLEU()
            score = bleu.corpus_score(texts, right).score
            shares = {
                "exact_match": [
                    text in answers for text, *answers in zip(texts, *right, strict=True)
                ],
                "repeats": [repeats(text) for text in texts],
                "unfinished": [not each.finished for each, _ in found],
            }
            tags = {"split": split, "signature": f"n:{len(pairs)}|right:{translations}"}
            for metric, share in shares.items():
                yield tags | {"metric": metric, "value": round(100 * sum(share) / len(pairs), 1)}
            passes = sum(number for _, number in found) / len(pairs)
            yield tags | {"metric": "passes", "value": round(passes, 2)}
            signature = str(bleu.get_signature())
            yield tags | {"metric": "BLEU", "value": round(score, 2), "signature": signature}

    return measure


def repeats(text: str) -> bool:
    """Whether a word stands twice, one behind the other."""
    words = text.split(" ")
    return any(one == other for one, other in itertools.pairwise(words))


def variants(folder: Path, tokenizer: Path, tests: dict[str, list[SentencePair]]) -> list[Variant]:
    """Both decoders on both corpora."""
    splits = {split: english_korean(split) for split in ("train", "valid")}
    found = []
    for translations in (1, 2):
        if translations == 2:
            draws = random.Random(0)
            splits = {split: with_two_orders(pairs, draws) for split, pairs in splits.items()}
        corpus = ["corpus.kind=files", write(splits, folder / str(translations))]
        for decoder, make in (("one by one", Transformer), ("all at once", AllAtOnce)):
            tags = {"decoder": decoder, "translations": translations}
            measure = measure_with(translations, tests)
            found.append(Variant(tags, corpus, model=make, tokenizer=tokenizer, measure=measure))
    return found


def main() -> None:
    """Carry out all runs and write their record."""
    given = parser("all_at_once", __doc__, steps=2_500).parse_args()
    recipe = load_recipe("english_korean_live")
    folder = Path("runs/all_at_once/corpus")  # a fixed place, so that a stopped command can go on
    folder.mkdir(parents=True, exist_ok=True)
    tests = {split: english_korean(split) for split in ("test", "compositional")}
    with tempfile.TemporaryDirectory() as scratch, caching_in(scratch):
        tokenizer = make_tokenizer(open_corpus(recipe), recipe, Path(scratch) / "tokenizer.model")
        path = folder / "tokenizer.model"
        path.write_bytes(tokenizer.to_bytes())
        compare("all_at_once", variants(folder, path, tests), given, splits=())


if __name__ == "__main__":
    run(main)
