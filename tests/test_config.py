import dataclasses
import math

import pytest
from typechecking import unchecked

from annotated_transformer.config import TABLE3, TransformerConfig
from annotated_transformer.transformer import count_parameters


def test_base_and_big_are_the_rows_of_table_3():
    base = TransformerConfig.base(vocab_size=100)
    assert (base.n_layers, base.d_model, base.d_ff, base.n_heads) == (6, 512, 2048, 8)
    assert (base.d_k, base.d_v, base.dropout) == (64, 64, 0.1)
    big = TransformerConfig.big(vocab_size=100)
    assert (big.n_layers, big.d_model, big.d_ff, big.n_heads) == (6, 1024, 4096, 16)
    assert (big.d_k, big.d_v, big.dropout) == (64, 64, 0.3)
    tiny = TransformerConfig.tiny(vocab_size=100)
    assert (tiny.n_layers, tiny.d_model, tiny.d_ff, tiny.n_heads) == (4, 128, 256, 4)


def test_every_row_differs_from_base_by_what_its_name_says():
    base = TransformerConfig.table3("base")
    for name, row in TABLE3.items():
        config = TransformerConfig.table3(name)
        changed = {
            field.name
            for field in dataclasses.fields(config)
            if getattr(config, field.name) != getattr(base, field.name)
        }
        assert changed <= set(row.overrides)
        if ": " in name:
            field, value = name.split(": ")[1].split("=")
            assert str(getattr(config, field)) == value
            assert changed, name


def test_row_a_keeps_the_amount_of_computation():
    """Section 6.2: "keeping the amount of computation constant"."""
    for name in TABLE3:
        config = TransformerConfig.table3(name)
        if name.startswith("A:"):
            assert config.n_heads * config.d_k == config.n_heads * config.d_v == 512


def vocabularies(name):
    """Every vocabulary size for which row `name` rounds to the millions that it prints."""
    config = TransformerConfig.table3(name, vocab_size=1)
    rest = count_parameters(config)["total"] - config.d_model
    low, high = (COUNTED[name] - 0.5) * 1e6 - rest, (COUNTED[name] + 0.5) * 1e6 - rest
    return range(math.ceil(low / config.d_model), math.floor(high / config.d_model) + 1)


COUNTED = {name: row.millions for name, row in TABLE3.items() if row.millions}


def test_the_vocabulary_of_section_5_1_reproduces_no_row_of_the_params_column():
    assert len(COUNTED) == 11
    assert not any(37_000 in vocabularies(name) for name in COUNTED)


def test_one_range_of_vocabularies_reproduces_every_row_but_big():
    ranges = [vocabularies(name) for name in COUNTED if name != "big"]
    low, high = max(r.start for r in ranges), min(r.stop for r in ranges) - 1
    assert (low, high) == (41_004, 41_208)
    for name, millions in COUNTED.items():
        total = count_parameters(TransformerConfig.table3(name, vocab_size=41_100))["total"]
        assert (round(total / 1e6) == millions) == (name != "big")


def test_big_needs_a_smaller_vocabulary_than_every_other_row():
    big = vocabularies("big")
    assert (big.start, big.stop - 1) == (35_368, 36_344)


def test_dict_round_trip():
    config = TransformerConfig.table3("B: d_k=16", vocab_size=1_000)
    assert TransformerConfig.from_dict(config.to_dict()) == config


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"d_model": 130, "n_heads": 4}, "d_model=130 is not divisible by n_heads=4"),
        ({"n_layers": 0}, "n_layers=0 must be a positive integer"),
        ({"d_model": 12.5}, "d_model=12.5 must be a positive integer"),
        ({"n_heads": True}, "n_heads=True must be a positive integer"),
        ({"d_k": -1}, "d_k=-1 must be a positive integer"),
        ({"dropout": 1.0}, "dropout=1.0 must be at least 0 and below 1"),
        ({"dropout": "x"}, "dropout='x' must be a number"),
        ({"branch_gain": 0.0}, "branch_gain=0.0 must be a positive number"),
        ({"branch_gain": True}, "branch_gain=True must be a positive number"),
        ({"branch_gain": float("inf")}, "branch_gain=inf must be a positive number"),
        ({"share_embeddings": "no"}, "share_embeddings='no' must be True or False"),
        ({"scale_embeddings": 1}, "scale_embeddings=1 must be True or False"),
        ({"padding_id": 0.0}, "padding_id=0.0 is no token id"),
        ({"norm": "middle"}, "norm='middle' is unknown; choose one of post, pre"),
        ({"activation": "swish"}, "activation='swish' is unknown; choose one of relu, gelu"),
        ({"bias": "some"}, "bias='some' is unknown; choose one of feed_forward, all, none"),
        ({"epsilon": 0}, "epsilon=0 must be a positive number"),
        ({"positions": "cosine"}, "positions='cosine' is unknown"),
        ({"positions": "rotary", "d_k": 5}, "d_k=5 is odd: positions='rotary' turn pairs"),
        ({"padding_id": 100}, "padding_id=100 is no token id; there are 100"),
        ({"n_layer": 2}, "'n_layer' is no field of TransformerConfig; did you mean 'n_layers'?"),
    ],
)
def test_bad_values_are_named(fields, message):
    with unchecked(), pytest.raises(ValueError, match=r".") as error:
        TransformerConfig.from_dict({"vocab_size": 100, **fields})
    assert message in str(error.value)


def test_missing_vocabulary():
    with pytest.raises(ValueError, match="vocab_size is missing"):
        TransformerConfig.from_dict({"d_model": 8})


def test_unknown_row_and_training_row():
    with pytest.raises(ValueError, match="did you mean 'C: n_layers=2'"):
        TransformerConfig.table3("C: n_layer=2")
    with pytest.raises(ValueError, match=r"set training\.label_smoothing=0\.0 in the recipe"):
        TransformerConfig.table3("D: label_smoothing=0.0")


def test_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        TransformerConfig.base(vocab_size=10).d_model = 3
