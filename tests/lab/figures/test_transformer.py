"""The pictures of the whole model show what they are given."""

import torch
from matplotlib import pyplot as plt

from annotated_transformer.config import TransformerConfig
from annotated_transformer.lab.figures.transformer import (
    gradient_chart,
    ladder_picture,
    norm_order_picture,
    parameter_chart,
    vocabulary_chart,
)
from annotated_transformer.lab.recording import record_outputs
from annotated_transformer.transformer import Transformer


def test_the_ladder_shows_each_stage_and_the_targets_own_embedding():
    model = Transformer(TransformerConfig.tiny(vocab_size=10, d_model=8, n_heads=2)).eval()
    with record_outputs(model) as trace:
        model(torch.tensor([[4, 5, 2]]), torch.tensor([[1, 6]]))
    axes = ladder_picture(trace, ["a", "b", "end"], ["begin", "c"])
    drawn = [image.get_array().shape for image in axes.images]
    assert drawn == [(3, 8)] * 3 + [(2, 8)] * 3 + [(2, 10)]
    (embedded,) = [output for name, output in trace if name == "target_embedding"]
    assert axes.images[3].get_array().tolist() == embedded[0].tolist()
    texts = [text.get_text() for text in axes.texts]
    assert {"memory (3, 8)", "logits (2, 10)"} <= set(texts)
    assert texts.count("end") == 3
    assert texts.count("begin") == 4
    plt.close()


def test_post_normalises_on_the_path_and_pre_beside_it():
    norm_order_picture()
    for panel, x, ends in zip(plt.gcf().axes, (0, 1.5), (0, 1), strict=True):
        places = [t.get_position()[0] for t in panel.texts if t.get_text() == "LayerNorm"]
        assert places == [x, x]
        assert [t.get_text() for t in panel.texts].count("final LayerNorm") == ends
    plt.close()


def test_every_part_is_a_bar_but_not_their_total():
    counts = {"source_embedding": 2_000_000, "encoder.norms": 5, "total": 2_000_005}
    (data,) = parameter_chart(counts).to_dict()["data"].values()
    assert [(row["part"], row["million"]) for row in data] == [
        ("source embedding", 2.0),
        ("encoder norms", 5e-6),
    ]


def test_ranges_and_lines_are_those_given():
    chart = vocabulary_chart({"base": (3, 5), "big": (1, 2)}, stated=4, common=(3, 6))
    span, rules = chart.to_dict()["layer"]
    assert span["data"]["values"][1] == {"row": "big", "from": 1, "to": 2}
    assert [line["at"] for line in rules["data"]["values"]] == [4, 3, 6]


def test_layers_count_from_one_in_each_stack():
    chart = gradient_chart({"post": torch.tensor([[1.0, 2.0], [3.0, 4.0]])}).to_dict()
    rows = [tuple(row.values()) for row in chart["data"]["values"]]
    assert rows == [
        (1, 1.0, "post-LN encoder"),
        (2, 2.0, "post-LN encoder"),
        (1, 3.0, "post-LN decoder"),
        (2, 4.0, "post-LN decoder"),
    ]
