"""How many heads a trained model can lose: in which order, and when it may learn a little more.

    python -m experiments.pruning

The heads of a model are removed one after another and nothing is trained again. Three orders: by
gradient (Michel et al. 2019), by what the loss of the validation split is without each head alone,
and by chance with several seeds. The fourth, chosen anew after every removal, is that of
`head_ablation`, with sentences of the same splits. After each removal the smaller model, whose
matrices are cut, translates the test split. Then models without so many heads, in the order of the
gradients, are trained again for a while, with several seeds; so is the whole model. Chapter:
*Reading attention*.
"""

import argparse
import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch.nn import functional as F

from annotated_transformer import Transformer, Translator
from annotated_transformer.corpora import SentencePair
from annotated_transformer.evaluation import scores
from annotated_transformer.lab.analysis.heads import without_heads
from annotated_transformer.lab.analysis.pruning import gradient_importance, least_first, pruned
from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.training.batching import updates
from annotated_transformer.training.data import encode
from annotated_transformer.training.encoded import TokenPairs
from annotated_transformer.training.recipe import Recipe
from annotated_transformer.training.step import make_optimizer, train_step
from experiments.given_model import MODEL, check_sentences, lexicon_of, load_model, recipe_of
from experiments.study import Fields, Option, Study, UsageError, printed, seeds

Head = tuple[str, int]

RATE = 6e-4
"""The learning rate at which the training of the shipped model ended."""


def losses(translator: Translator, pairs: Sequence[SentencePair]) -> Iterator[torch.Tensor]:
    """The mean cross-entropy of the tokens of each reference."""
    tokenizer = translator.tokenizer
    for pair in pairs:
        source = torch.tensor([tokenizer.source_ids(pair.source)])
        target = torch.tensor([tokenizer.target_ids(pair.target)])
        logits = translator.model(source, target[:, :-1])
        yield F.cross_entropy(logits[0], target[0, 1:])


@torch.no_grad()
def loss_without(translator: Translator, pairs: Sequence[SentencePair], head: Head) -> float:
    """The mean of `losses` without one head."""
    with without_heads(translator.model, {head[0]: [head[1]]}):
        return float(torch.stack(list(losses(translator, pairs))).mean())


def orders(
    translator: Translator, valid: Sequence[SentencePair], seeds: Sequence[int]
) -> tuple[dict[str, list[Head]], list[dict[str, Any]]]:
    """The heads by the name of an order, first those to go first; and what the orders rest on."""
    importance = gradient_importance(translator.model, losses(translator, valid))
    heads = [(name, head) for name, values in importance.items() for head in range(len(values))]
    missed = {head: loss_without(translator, valid, head) for head in heads}
    found = {
        "gradient": least_first(importance),
        "loss": sorted(heads, key=missed.__getitem__),
    }
    for seed in seeds:
        drawn = torch.randperm(len(heads), generator=torch.Generator().manual_seed(seed))
        found[f"chance {seed}"] = [heads[number] for number in drawn.tolist()]
    rows = [
        {
            "attention": name,
            "head": head,
            "gradient": round(importance[name][head].item(), 5),
            "valid_loss": round(missed[name, head], 5),
        }
        for name, head in heads
    ]
    return found, rows


def curve_of(
    translator: Translator, order: Sequence[Head], pairs: Sequence[SentencePair]
) -> Iterator[dict[str, Any]]:
    """Scores of the smaller model with 0, 1, 2 ... heads removed."""
    for number in range(len(order) + 1):
        smaller = pruned(translator.model, by_attention(order[:number]))
        yield {"removed": number} | translated(translator, smaller, pairs)


def by_attention(heads: Sequence[Head]) -> dict[str, list[int]]:
    """The heads as `pruned` takes them."""
    gone: dict[str, list[int]] = {}
    for name, head in heads:
        gone.setdefault(name, []).append(head)
    return gone


def translated(
    translator: Translator, model: Transformer, pairs: Sequence[SentencePair]
) -> dict[str, Any]:
    """Parameters and scores of another model with the translator's tokenizer and search."""
    other = Translator(model, translator.tokenizer, beam_size=1, batch_size=translator.batch_size)
    found = other.hypotheses([pair.source for pair in pairs])
    texts = [other.tokenizer.decode(best[0].ids) for best in found]
    values = {s.metric: round(s.value, 2) for s in scores(texts, [p.target for p in pairs])}
    return {"parameters": model.count_parameters()["total"]} | values


def retrain(model: Transformer, examples: TokenPairs, recipe: Recipe, n: int) -> None:
    """Train a model for `n` updates more, at a rate that falls from `RATE` to 0."""

    def rate(step: int, *_: Any) -> float:
        return RATE * (n - step + 1) / n

    optimizer = make_optimizer(model, recipe.training)
    for step, update in enumerate(itertools.islice(updates(examples, recipe), n), start=1):
        train_step(
            model,
            update.batches,
            optimizer,
            step,
            recipe.training,
            n_tokens=update.n_tokens,
            schedule=rate,
        )
    model.eval()


def retrained(
    translator: Translator,
    order: Sequence[Head],
    pairs: Sequence[SentencePair],
    given: argparse.Namespace,
) -> Iterator[dict[str, Any]]:
    """Scores of models without the first heads of an order, trained again with each seed."""
    train = english_korean("train", lexicon_of(given.model))
    examples = TokenPairs.of(encode(train, translator.tokenizer, origin="train"))
    for removed in given.retrain:
        for seed in given.seeds:
            smaller = pruned(translator.model, by_attention(order[:removed]))
            retrain(smaller, examples, recipe_of(given.model, [f"seed={seed}"]), given.updates)
            tags = {"removed": removed, "seed": seed, "updates": given.updates}
            yield tags | translated(translator, smaller, pairs)


def measure(given: argparse.Namespace) -> Fields:
    """Remove the heads in each order; train some of the smaller models again."""
    translator = load_model(given.model, beam_size=1, batch_size=100)
    lexicon = lexicon_of(given.model)
    pairs = english_korean("test", lexicon)[: given.sentences]
    ordered, rows = orders(translator, english_korean("valid", lexicon)[: given.valid], given.seeds)
    if wrong := [n for n in given.retrain if not 0 <= n <= len(rows)]:
        raise UsageError(f"--retrain {wrong[0]}: the model has {len(rows)} heads")
    return {
        "model": given.model,
        "lexicon": lexicon,
        "seed": given.seeds,
        "heads": {name: [list(head) for head in order] for name, order in ordered.items()},
        "rows": rows,
        "curve": printed(
            {"order": name} | entry
            for name, order in ordered.items()
            for entry in curve_of(translator, order, pairs)
        ),
        "retrained": printed(retrained(translator, ordered["gradient"], pairs, given)),
    }


STUDY = Study(
    "experiments.pruning",
    __doc__,
    measure,
    MODEL,
    Option("--sentences", 1_000, "of the test split"),
    Option("--valid", 200, "of the validation split"),
    seeds(1, 2, 3, about="of chance"),
    Option("--retrain", [0, 8, 12], "heads removed", nargs="*"),
    Option("--updates", 800, "of each model trained again"),
    check=lambda given: check_sentences(sentences=given.sentences, valid=given.valid),
    threads=1,
)


if __name__ == "__main__":
    STUDY.main()
