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
from collections.abc import Iterator, Mapping, Sequence
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
from experiments.study import Entry, Fields, Option, SeedStudy, seeds

CHAPTER = SentencePair(
    "The doctor met the judge who rode the camel",
    "그 의사는 그 낙타를 탄 판사를 만났다",
    ((0, 0), (1, 1), (2, 6), (4, 5), (5, 4), (6, 4), (7, 2), (8, 3)),
)
"""The sentence that the chapter watches; it is in no split."""
CONSTRUCTIONS = (
    *("transitive", "counting", "modal", "negation"),
    *("instrument", "because_object", "reported"),
)
"""Of each, the first sentence of the validation split that is no longer than the chapter's."""
BANDS = (20, 100, 500)
"""Training words by frequency: the 20 most frequent, the next 80, the next 400, all others."""
OFTEN, RARELY, UNTIL = 25, 100, 400
"""Updates between two moments before and after `UNTIL`, where the translations change less."""


def moments(steps: int) -> list[int]:
    """The numbers of updates after which the model translates."""
    return [*range(0, min(UNTIL, steps), OFTEN), *range(UNTIL, steps, RARELY), steps]


def shown(valid: Sequence[SentencePair]) -> list[SentencePair]:
    """The eight sentences whose translations are kept."""
    short = [p for p in valid if len(p.source.split()) <= len(CHAPTER.source.split())]
    return [CHAPTER, *(next(p for p in short if p.construction == c) for c in CONSTRUCTIONS)]


def gloss(pair: SentencePair) -> list[str]:
    """For each target word the source words that it translates."""
    source, links = pair.source.split(" "), pair.alignment or ()
    return [
        " ".join(source[i] for i, j in sorted(links) if j == place)
        for place, _ in enumerate(pair.target.split(" "))
    ]


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


def learned(texts: Sequence[str], targets: Sequence[str], frequency: Mapping[str, int]) -> Entry:
    """What translations have of the right ones; shares in percent.

    "found": of the right words of each band, wherever they stand; "unknown": words among those
    written that no training target has; "words": written in a sentence, the mean; "ending":
    sentences whose last letter is right; "other_order": sentences of the right words in a wrong
    order.
    """
    ranks = sorted(frequency, key=lambda word: -frequency[word])
    band = {word: sum(rank >= edge for edge in BANDS) for rank, word in enumerate(ranks)}
    due: Counter[int] = Counter()
    found: Counter[int] = Counter()
    ending = other_order = 0
    written = [word for text in texts for word in text.split()]
    for text, target in zip(texts, targets, strict=True):
        own, right = Counter(text.split()), Counter(target.split())
        for word, number in right.items():
            place = band.get(word, len(BANDS))
            due[place] += number
            found[place] += min(number, own[word])
        ending += text[-1:] == target[-1]
        other_order += own == right and text != target
    unknown = sum(word not in frequency for word in written)
    return {
        "found": [percent(found[place], due[place]) for place in range(len(BANDS) + 1)],
        "unknown": percent(unknown, len(written)),
        "words": round(len(written) / len(texts), 2),
        "ending": percent(ending, len(texts)),
        "other_order": other_order,
    }


def percent(part: int, whole: int) -> float | None:
    """A share, if there is anything to have a share of."""
    return round(100 * part / whole, 1) if whole else None


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
