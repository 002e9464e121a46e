"""What a model says while it learns: the same sentences, translated at many moments of a run.

    python -m experiments.translations_in_training

Each seed trains the recipe `english_korean_live`. Its weights are kept before the first update,
after every 25 updates at first and after every 100 later; the mean of the last checkpoints, which
the recipe takes, is the last moment. Every time the model translates, with the beam of the recipe,
eight sentences that are kept as texts and the first ones of the validation split, of which is
counted what they have of the right translation. Chapter: *Train and translate*.
"""

import argparse
import copy
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from annotated_transformer import (
    Transformer,
    TransformerConfig,
    Translator,
    load_recipe,
    train,
)
from annotated_transformer.corpora import SentencePair
from annotated_transformer.evaluation import scores
from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.training.averaging import average_checkpoints
from annotated_transformer.training.batching import token_batches
from annotated_transformer.training.data import encode_split, open_split, read_split
from annotated_transformer.training.loop import Run
from annotated_transformer.training.recipe import Recipe
from annotated_transformer.training.run.checkpoints import due_checkpoints, step_of
from annotated_transformer.training.step import validate
from experiments.learned_words import BANDS, gloss, learned, shown
from experiments.study import Entry, Fields, Option, SeedStudy, seeds

OFTEN, RARELY, UNTIL = 25, 100, 400
"""Updates between two moments before and after `UNTIL`, where the translations change less."""


def moments(steps: int) -> list[int]:
    """The numbers of updates after which the model translates."""
    return [*range(0, min(UNTIL, steps), OFTEN), *range(UNTIL, steps, RARELY), steps]


def trained(recipe: Recipe, out: Path) -> tuple[Run, Transformer]:
    """Carry out the recipe with a checkpoint for every moment; return the untrained model too."""
    untrained = []

    def make_model(config: TransformerConfig) -> Transformer:
        model = Transformer(config)
        untrained.append(copy.deepcopy(model))
        return model

    settings = replace(
        recipe.training,
        checkpoint_every=OFTEN,
        keep_checkpoints=recipe.training.steps,
        average_checkpoints=0,
    )
    often = replace(recipe, training=settings)
    result = train(often, out, progress=False, device="cpu", make_model=make_model)
    return result, untrained[0]


def models(recipe: Recipe, result: Run, model: Transformer) -> Iterator[Entry]:
    """Give the untrained model the weights of each moment in turn; say which they are."""
    directory, steps = result.directory / "checkpoints", recipe.training.steps
    yield {"step": 0, "averaged": 1}
    for step in moments(steps)[1:]:
        average_checkpoints(model, [directory / f"step_{step:06d}"])
        yield {"step": step, "averaged": 1}
    last = due_checkpoints(directory, recipe.training.checkpoint_every)
    last = last[-recipe.training.average_checkpoints :]
    average_checkpoints(model, last)
    yield {"step": step_of(last[-1]), "averaged": len(last)}


def translated(translator: Translator, sources: list[str]) -> tuple[list[str], list[bool]]:
    """The best translation of each sentence, and whether it came to an end."""
    best = [found[0] for found in translator.hypotheses(sources)]
    texts = [translator.tokenizer.decode(one.ids) for one in best]
    return texts, [one.finished for one in best]


def measured(
    recipe: Recipe, out: Path, kept: Sequence[SentencePair], n_valid: int
) -> tuple[Run, list[Entry], list[Entry]]:
    """Train once; return the run, what is said at each moment, and its scores."""
    result, model = trained(recipe, out)
    frequency = Counter(w for p in read_split(recipe.corpus, "train") for w in p.target.split())
    valid = read_split(recipe.corpus, "valid")[:n_valid]
    sources, targets = ([getattr(p, side) for p in valid] for side in ("source", "target"))
    split = open_split(recipe.corpus, "valid")
    examples = encode_split(split, result.tokenizer, model.config.max_length)
    plan = token_batches(examples, recipe.training.tokens_per_batch, origin="valid")
    beam, alpha = recipe.evaluation.beam_size, recipe.evaluation.length_penalty
    rows: list[Entry] = []
    marks: list[Entry] = []
    for moment in models(recipe, result, model):
        tags = {"seed": recipe.seed} | moment
        row = tags | {key: round(x, 4) for key, x in validate(model, examples, plan).items()}
        translator = Translator(model.eval(), result.tokenizer, beam_size=beam, alpha=alpha)
        texts, ends = translated(translator, sources)
        row |= {"unfinished": ends.count(False)} | learned(texts, targets, frequency)
        for score in scores(texts, targets):
            about = {"split": "valid", "metric": score.metric, "value": round(score.value, 2)}
            marks.append(tags | about | {"signature": score.signature})
        print(row | {"exact": marks[-1]["value"]}, flush=True)
        texts, ends = translated(translator, [pair.source for pair in kept])
        rows.append(row | {"translations": texts, "finished": ends})
    return result, rows, marks


def measure(seed: int, given: argparse.Namespace) -> Fields:
    """Train with one seed, and translate all along."""
    kept = shown(english_korean("valid"))
    recipe = load_recipe("english_korean_live", [f"seed={seed}", "evaluation.splits=[]"])
    with tempfile.TemporaryDirectory() as folder:
        result, said, scored = measured(recipe, Path(folder) / "run", kept, given.sentences)
    return {
        "recipe": recipe.name,
        "seed": seed,
        "parameters": result.record["parameters"],
        "settings": recipe.to_dict(),
        "sentences": [{"source": p.source, "target": p.target, "gloss": gloss(p)} for p in kept],
        "bands": BANDS,
        "rows": said,
        "scores": scored,
        "curve": [{"seed": seed} | entry for entry in result.curve],
    }


STUDY = SeedStudy(
    "experiments.translations_in_training",
    __doc__,
    measure,
    seeds(1, 2, 3),
    Option("--sentences", 300, "of the validation split"),
    threads=1,
)


if __name__ == "__main__":
    STUDY.main()
