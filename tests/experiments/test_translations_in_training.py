"""A tiny run at its moments, against the run as it is without this program; the book's record."""

from collections import Counter
from functools import partial

import pytest
import torch
from safetensors.torch import load_file
from tiny_run import write_recipe

from annotated_transformer import Transformer, Translator, load_recipe, train
from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.corpora.english_korean import english_korean, plain
from annotated_transformer.training.data import read_split
from experiments import learned_words
from experiments import translations_in_training as program

SETTINGS = [
    "training.checkpoint_every=4",
    "training.average_checkpoints=2",
    *("training.keep_checkpoints=3", "evaluation.beam_size=2"),
]


def test_moments_are_close_at_first_and_end_with_the_run():
    assert program.moments(600) == [*range(0, 400, 25), 400, 500, 600]
    assert program.moments(30) == [0, 25, 30]


def test_the_sentences_are_new_and_their_glosses_are_of_their_words():
    valid = english_korean("valid")
    kept = learned_words.shown(valid)
    assert len({pair.source for pair in kept}) == 8
    assert set(kept[1:]) <= set(valid)
    trained_on = {plain(pair.source) for pair in english_korean("train")}
    assert not trained_on & {plain(pair.source) for pair in kept}
    for pair in kept:
        words = learned_words.gloss(pair)
        assert len(words) == len(pair.target.split())
        assert set(" ".join(words).split()) <= set(pair.source.split())
    assert learned_words.gloss(kept[0]) == [
        "The",
        "doctor",
        "the",
        "camel",
        "who rode",
        "judge",
        "met",
    ]


def test_a_sentence_longer_than_the_chapters_is_not_shown():
    pairs = [
        SentencePair(" ".join("a" * words), "가", construction=construction)
        for words in (10, 9, 3)
        for construction in learned_words.CONSTRUCTIONS
    ]
    assert learned_words.shown(pairs) == [learned_words.CHAPTER, *pairs[7:14]]


def test_what_is_learned_is_counted_as_by_hand(monkeypatch):
    monkeypatch.setattr(learned_words, "BANDS", (1, 3))
    frequency = Counter({"그": 9, "나는": 5, "간다": 4, "본다": 2})
    targets = ["그 그 간다", "나는 새를 본다", "나는 간다", "그 본다"]
    texts = ["그 그 그 본다", "나는 본다", "간다 나는", ""]
    # Two of three 그; three of 나는, 나는, 간다, 간다; one of 새를, 본다, 본다.
    assert learned_words.learned(texts, targets, frequency) == {
        "found": [66.7, 75.0, 33.3],
        "unknown": 0.0,
        "words": 2.0,
        "ending": 50.0,
        "other_order": 1,
    }
    assert learned_words.learned(["웨", ""], ["그 새", "그"], frequency) == {
        "found": [0.0, None, 0.0],
        "unknown": 100.0,
        "words": 0.5,
        "ending": 0.0,
        "other_order": 0,
    }


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """What is measured on a run of 12 updates, every second of them a moment up to the eighth."""
    folder = tmp_path_factory.mktemp("run")
    recipe = load_recipe(write_recipe(folder), SETTINGS)
    shown = read_split(recipe.corpus, "test")[:3]
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(program, "OFTEN", 2)
        changed.setattr(program, "RARELY", 4)
        changed.setattr(program, "UNTIL", 8)
        searches = []

        def translator(*models, **search):
            searches.append(search)
            return Translator(*models, **search)

        changed.setattr(program, "Translator", translator)
        found = program.measured(recipe, folder / "a", shown, n_valid=5)
        assert searches == [{"beam_size": 2, "alpha": 0.6}] * 7  # of the recipe
        return recipe, shown, folder, found


def test_every_moment_is_measured_and_the_mean_is_the_last(tiny):
    _, _, _, (_, rows, marks) = tiny
    steps = [0, 2, 4, 6, 8, 12, 12]
    assert [(row["step"], row["averaged"]) for row in rows] == [
        *((step, 1) for step in steps[:-1]),
        (12, 2),
    ]
    exact = [mark for mark in marks if mark["metric"] == "exact_match"]
    assert [(mark["step"], mark["signature"][-3:]) for mark in exact] == [(s, "n:5") for s in steps]


def test_each_moment_speaks_with_the_weights_of_the_run_as_it_is_without_this_program(tiny):
    recipe, shown, folder, (result, rows, _) = tiny
    run = train(recipe, folder / "b", progress=False, device="cpu")
    assert [e["loss"] for e in result.curve] == [e["loss"] for e in run.curve]
    make = partial(Translator, tokenizer=run.tokenizer, beam_size=2, alpha=0.6)
    sources = [pair.source for pair in shown]
    torch.manual_seed(recipe.seed)
    untrained = Transformer(recipe.model.config(run.tokenizer.vocab_size)).eval()
    assert rows[0]["translations"] == make(untrained)(sources)
    model = Transformer(run.model.config).eval()
    for step in (4, 8, 12):
        weights = load_file(run.directory / f"checkpoints/step_{step:06d}/model.safetensors")
        model.load_state_dict(weights, strict=False)
        [row] = [row for row in rows if (row["step"], row["averaged"]) == (step, 1)]
        assert row["translations"] == make(model)(sources)
    assert rows[-1]["translations"] == make(run.model)(sources)
    assert rows[-1]["valid_loss"] == round(run.record["averaged"]["valid_loss"], 4)
    assert len({row["valid_loss"] for row in rows}) == len(rows)
