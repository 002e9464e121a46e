"""The page translates the test split as Python does with the same weights: words, scores, links."""

import pytest

from annotated_transformer.alignment import aligned_words
from annotated_transformer.decoding.search import greedy_search
from annotated_transformer.evaluation import scores
from annotated_transformer.training.data import read_split
from annotated_transformer.training.recipe import load_recipe

SEARCH = """return input.map((text) => {
    const source = translator.sourceIds(text);
    const memory = model.encode(source);
    return finish(A.NAME(model, memory, source.length, SETTINGS))[0];
})"""
SENTENCES = 500


@pytest.fixture(scope="module")
def pairs():
    return read_split(load_recipe("english_korean").corpus, "test")


@pytest.fixture(scope="module")
def some(pairs):
    """Every other sentence."""
    return [pair.source for pair in pairs[::2]]


@pytest.fixture(scope="module")
def hypotheses(engine, pairs):
    """What the beam finds in Python for the whole split, with the weights that the page has."""
    found = engine.translator.hypotheses([pair.source for pair in pairs])
    return [best for best, *_ in found]


def test_token_ids_of_the_whole_split_are_equal(engine, pairs):
    texts = [text for pair in pairs for text in (pair.source, pair.target)]
    wanted = [engine.translator.tokenizer.encode(text) for text in texts]
    assert engine.run("return input.map((text) => tokenizer.encode(text))", texts) == wanted


def check_hypotheses(found, wanted):
    assert len(found) == SENTENCES
    different = [
        (i, other["ids"], list(one.ids))
        for i, (other, one) in enumerate(zip(found, wanted, strict=True))
        if (other["ids"], other["finished"]) != (list(one.ids), one.finished)
    ]
    assert different == []
    for other, one in zip(found, wanted, strict=True):
        assert other["logProbability"] == pytest.approx(one.log_probability, abs=1e-4)
        assert other["score"] == pytest.approx(one.score, abs=1e-4)


def test_beam_search_finds_the_same(engine, some, hypotheses):
    found = engine.run(SEARCH.replace("NAME", "beamSearch").replace("SETTINGS", "{}"), some)
    check_hypotheses(found, hypotheses[::2])


def test_greedy_search_finds_the_same(engine, some):
    translator = engine.translator
    wanted = []
    for start in range(0, len(some), 50):
        ids = [translator.tokenizer.source_ids(text) for text in some[start:][:50]]
        wanted += greedy_search(translator.model, translator._padded(ids))
    found = engine.run(SEARCH.replace("NAME", "greedySearch").replace("SETTINGS", "{}"), some)
    check_hypotheses(found, wanted)


def test_the_best_four_are_the_same(engine, some):
    translator = engine.translator
    texts = some[:10]
    body = SEARCH.replace("NAME", "beamSearch").replace("SETTINGS", "{nBest: 4, alpha: 0.9}")
    found = engine.run(body.replace("[0];", ";"), texts)
    translator.alpha = 0.9
    try:
        wanted = translator.hypotheses(texts, n_best=4)
    finally:
        translator.alpha = 0.6
    for others, ones in zip(found, wanted, strict=True):
        assert [other["ids"] for other in others] == [list(one.ids) for one in ones]


def test_eight_bits_cost_at_most_three_tenths_of_a_point_of_exact_match(engine, pairs, hypotheses):
    """Against what the model's own record says of float32."""
    texts = [engine.translator.tokenizer.decode(best.ids) for best in hypotheses]
    found = scores(texts, [pair.target for pair in pairs])
    exact = {score.metric: score.value for score in found}["exact_match"]
    assert exact == pytest.approx(98.6, abs=0.3)


def test_the_links_between_the_words_are_the_same(engine, pairs):
    """As `evaluate` scores them: the last layer, the mean of its heads, fed the target."""
    chosen = [(pair.source, pair.target) for pair in pairs[:60]]
    wanted = engine.translator.attentions(chosen)
    found = engine.run("return input.map((pair) => translator.attention(...pair))", chosen)
    links = engine.run(
        "return input.map((pair) => A.alignedWords(translator.attention(...pair).weights))", chosen
    )
    for one, other, linked in zip(wanted, found, links, strict=True):
        assert tuple(other["sourceWords"]) == one.source_words
        assert tuple(other["targetWords"]) == one.target_words
        assert other["endOfSource"] == pytest.approx(one.end_of_source.tolist(), abs=1e-5)
        for row, row_of_page in zip(one.weights.tolist(), other["weights"], strict=True):
            assert row_of_page == pytest.approx(row, abs=1e-5)
        assert {(word, i) for i, word in enumerate(linked)} == aligned_words(one.weights)


@pytest.mark.parametrize(("layer", "step"), [(0, "output"), (-1, "input")])
def test_the_links_of_other_layers_and_steps(engine, pairs, layer, step):
    pair = pairs[0]
    one = engine.translator.attention(pair.source, pair.target, layer=layer, step=step)
    body = "return translator.attention(input[0], input[1], input[2])"
    other = engine.run(body, [pair.source, pair.target, {"layer": layer, "step": step}])
    for row, row_of_page in zip(one.weights.tolist(), other["weights"], strict=True):
        assert row_of_page == pytest.approx(row, abs=1e-5)
