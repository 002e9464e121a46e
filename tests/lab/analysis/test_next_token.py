import pytest
import torch
from tiny import LINES, device_of_ids, tiny_translator

from annotated_transformer.lab.analysis.next_token import next_token_distribution
from annotated_transformer.tokenizer import BOS_ID, EOS_ID


@pytest.fixture(scope="module")
def translator():
    return tiny_translator()


@pytest.mark.parametrize("target", ["", "나는", "나는 학생"])
def test_it_is_equation_by_equation_the_last_row(translator, target):
    """Softmax by exponentials, of products with the rows of the embedding."""
    tokenizer, model = translator.tokenizer, translator.model.eval()
    source = torch.tensor([[*tokenizer.encode(LINES[0]), EOS_ID]])
    before = torch.tensor([[BOS_ID, *tokenizer.encode(target)]])
    y = model.decode_hidden(before, model.encode(source), source)[0, -1].double()
    exponentials = (model.source_embedding.weight.double() @ y).exp()
    expected = exponentials / exponentials.sum()
    found = next_token_distribution(translator, LINES[0], target)
    torch.testing.assert_close(found.double(), expected, rtol=1e-4, atol=1e-7)


def test_temperature_is_a_power_of_the_probabilities(translator):
    p = next_token_distribution(translator, LINES[0])
    cold = next_token_distribution(translator, LINES[0], temperature=0.5)
    torch.testing.assert_close(cold, p**2 / (p**2).sum())


@pytest.mark.parametrize("temperature", [1e-40, 1e-300, 5e-324])
def test_the_smallest_temperature_leaves_the_likeliest_token_and_no_nan(translator, temperature):
    likeliest = next_token_distribution(translator, LINES[0]).argmax()
    p = next_token_distribution(translator, LINES[0], temperature=temperature)
    assert p[likeliest] == p.sum() == 1


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("",), {}, "the source is empty"),
        (("I",), {"temperature": 0.0}, r"temperature=0\.0 must be a positive number"),
        (("I",), {"temperature": -1.0}, r"temperature=-1\.0 must be"),
        (("I",), {"temperature": float("nan")}, "temperature=nan must be"),
        (("I " * 2_000,), {}, "max_length=60"),
        (("I",), {"target": "나 " * 2_000}, "max_length=60"),
        (("a\nb",), {}, r"U\+000A at position 1"),
    ],
)
def test_nonsense_is_answered_with_a_sentence(translator, arguments, options, message):
    with pytest.raises(ValueError, match=message):
        next_token_distribution(translator, *arguments, **options)


def test_any_script_has_an_answer(translator):
    assert next_token_distribution(translator, "🎉 漢").sum() == pytest.approx(1)


def test_the_model_stays_in_its_mode_and_answers_without_dropout():
    translator = tiny_translator(dropout=0.5)
    translator.model.train()
    first = next_token_distribution(translator, LINES[0])
    torch.testing.assert_close(first, next_token_distribution(translator, LINES[0]), rtol=0, atol=0)
    assert all(module.training for module in translator.model.modules())


def test_ids_are_made_where_the_model_is(monkeypatch):
    def read(translator):
        next_token_distribution(translator, LINES[0])

    assert device_of_ids(tiny_translator(), monkeypatch, read) == ["meta"]
