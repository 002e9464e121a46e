"""The search of the page against Python's: its rules on numbers of chance, with many ties."""

import random

import pytest
import torch

from annotated_transformer.decoding.beam import Beam
from annotated_transformer.decoding.search import best_tokens

STEPS = """return input.map(([settings, steps]) => {
    const beam = new A.Beam(settings);
    return steps.map((candidates) => {
        beam.extend(candidates);
        const {prefixes, finished} = beam;
        return {prefixes, finished, goesOn: beam.goesOn(), best: beam.best()};
    });
})"""


def drawn_search(draw):
    """A search whose candidates have few different log probabilities; 2 ends a sentence."""
    settings = {
        "size": draw.randrange(1, 5),
        "alpha": draw.choice([0.0, 0.6, 1.0]),
        "limit": draw.randrange(3, 9),
    }
    beam = Beam(**settings, n_best=draw.randrange(1, settings["size"] + 1))
    steps, wanted = [], []
    while beam.goes_on():
        candidates = [
            [[token, -draw.randrange(1, 5) / 2] for token in sorted(draw.sample(range(2, 9), 5))]
            for _ in beam.prefixes
        ]
        beam.extend([[tuple(pair) for pair in row] for row in candidates])
        steps.append(candidates)
        wanted.append(
            {
                "prefixes": [vars(prefix) for prefix in beam.prefixes],
                "finished": [described(each) for each in beam.finished],
                "goesOn": beam.goes_on(),
                "best": [described(each) for each in beam.best()],
            }
        )
    return [{**settings, "nBest": beam.n_best}, steps], wanted


def described(hypothesis):
    return {
        "ids": list(hypothesis.ids),
        "logProbability": hypothesis.log_probability,
        "score": pytest.approx(hypothesis.score, rel=1e-12),
        "finished": hypothesis.finished,
    }


def test_beams_grow_alike(engine):
    draw = random.Random(6)
    drawn = [drawn_search(draw) for _ in range(300)]
    found = engine.run(STEPS, [given for given, _ in drawn])
    for steps, (_, wanted) in zip(found, drawn, strict=True):
        assert steps == wanted


def test_of_equally_probable_tokens_the_lowest_ids_are_taken(engine):
    draw = torch.Generator().manual_seed(4)
    rows = -torch.randint(0, 6, (200, 12), generator=draw).float()
    rows[rows == 0] = -torch.inf
    body = """return input.map(([row, k]) => A.bestTokens(Float32Array.from(row, (value) =>
        value === null ? -Infinity : value), k))"""
    for k in (1, 3, 5, 12):
        wanted = [[list(pair) for pair in row] for row in best_tokens(rows[None], k)[0]]
        sent = [[None if x == -torch.inf else x for x in row] for row in rows.tolist()]
        assert engine.run(body, [[row, k] for row in sent]) == wanted


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity"])
def test_logits_that_leave_no_choice_are_an_error(engine, value):
    body = f"""const memory = model.encode([5, 2]);
    const hook = (name, tensor) => {{ if (name === 'output') tensor.data.fill({value}); }};
    const search = A.greedySearch(model, memory, 2, {{hook}});
    try {{ finish(search); }} catch (error) {{ return error.message; }}"""
    assert "leave no token to choose" in engine.run(body)


SEARCHES = ["beamSearch", "greedySearch"]


@pytest.mark.parametrize("search", SEARCHES)
def test_padding_and_the_beginning_are_never_written(engine, search):
    """Although they are the most probable here."""
    body = f"""const hook = (name, tensor) => {{
        if (name === 'output') tensor.rows().forEach((row) => {{ row[0] = row[1] = row[7] + 9; }});
    }};
    const source = translator.sourceIds('I am a student');
    return finish(A.{search}(model, model.encode(source), source.length, {{hook}}))[0].ids"""
    ids = engine.run(body)
    assert ids
    assert {0, 1}.isdisjoint(ids)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("length", [1, 10, 78, 79, 128])
def test_a_translation_without_an_end_is_cut_where_python_cuts_it(engine, search, length):
    """After as many tokens as the source has and 50, but no more than the model has positions."""
    body = f"""const hook = (name, tensor) => {{
        if (name === 'output') tensor.rows().forEach((row) => {{ row[2] = -1e9; }});
    }};
    const memory = model.encode(Array(input).fill(7));
    const [best] = finish(A.{search}(model, memory, input, {{hook}}));
    return [best.ids.length, best.finished]"""
    assert engine.run(body, length) == [min(length + 50, 128), False]
