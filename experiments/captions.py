"""What a model of Multi30k makes of captions that nobody photographed: ten sentences of ours.

    python -m experiments.captions --model runs/multi30k_base

The captions of Multi30k may not be given away, so the book cannot show what a model makes of them.
Eight of these sentences could stand under a photograph; the last two, the book's own examples,
could not. They are lower-cased and cut into tokens as the training text is. The model writes with
the beam of its recipe and with the length penalty that its run chose on the validation split. A
sentence that the training split has is refused. Nothing is scored. Chapter: *Scaling up*.
"""

import argparse
from pathlib import Path

from annotated_transformer.training.run.trained import run_of
from experiments.given_model import load_model
from experiments.study import Fields, Option, Study

CAPTIONS = (
    "a man in a red jacket is walking his dog through the snow .",
    "two girls are sitting on a bench and eating ice cream .",
    "an old woman sells fruit at a market .",
    "a boy jumps into the lake while his friends watch .",
    "three musicians are playing guitar on a street corner .",
    "a cyclist with a blue helmet rides down a steep hill .",
    "children in yellow raincoats are playing in the mud .",
    "a chef is cutting vegetables in a small kitchen .",
    "the doctor met the judge who rode the camel .",
    "i am a student .",
)


def measure(given: argparse.Namespace) -> Fields:
    """Translate the captions, and say how sure the model is of each.

    Raises:
        ValueError: the training split has one of the captions, or the model refuses one.
    """
    run = run_of(Path(given.model))
    trained = {pair.source for pair in run.read_split("train")}
    if seen := [caption for caption in CAPTIONS if caption in trained]:
        raise ValueError(f"the training split has {seen[0]!r}: write another caption")
    beam_size, alpha = run.recipe.evaluation.beam_size, run.length_penalty
    translator = load_model(given.model, beam_size=beam_size, alpha=alpha)
    translator.model.double()  # the same choices on every machine
    translations = translator.translations(list(CAPTIONS))
    for caption, translation in zip(CAPTIONS, translations, strict=True):
        if translation.refusal:
            raise ValueError(f"{given.model} refuses {caption!r}: {translation.refusal}")
    return {
        "model": Path(given.model).name,
        "seed": run.recipe.seed,
        "beam_size": beam_size,
        "length_penalty": alpha,
        "curve": [
            {
                "source": caption,
                "translation": translation.text,
                "doubt": round(translation.doubt, 2),
                "unknown_words": list(translation.unknown_words),
            }
            for caption, translation in zip(CAPTIONS, translations, strict=True)
        ],
    }


STUDY = Study(
    "experiments.captions",
    __doc__,
    measure,
    Option("--model", "runs/multi30k_base", "the directory of a run of Multi30k"),
)


if __name__ == "__main__":
    STUDY.main()
