"""Pictures of heads say what their rows say."""

import torch
from matplotlib import pyplot as plt

from annotated_transformer import MultiHeadAttention
from annotated_transformer.lab.figures.charts import specification
from annotated_transformer.lab.figures.multi_head_attention import (
    ablation_chart,
    head_name,
    profile_chart,
    residual_stream_picture,
    split_diagram,
)


def test_heads_are_counted_from_one():
    assert head_name("encoder.layers.0.self_attention", 0) == "encoder 1.1"
    assert head_name("decoder.layers.1.self_attention", 3) == "decoder 2.4"
    assert head_name("decoder.layers.1.cross_attention", 2) == "cross 2.3"


def test_the_diagram_draws_every_tensor_of_the_module():
    torch.manual_seed(0)
    module, x = MultiHeadAttention(12, 3, d_k=2, d_v=5), torch.randn(7, 12)
    split_diagram(module, x)
    axes = plt.gca()
    shown = [image.get_array() for image in axes.get_images()]
    shapes = [(7, 12), *[(7, 2)] * 6, *[(7, 5)] * 3, *[(7, 7)] * 3, *[(7, 5)] * 3, (7, 15), (7, 12)]
    assert [array.shape for array in shown] == shapes
    output = module(x[None], x[None], x[None])[0].detach()
    torch.testing.assert_close(torch.as_tensor(shown[-1].data, dtype=output.dtype), output)
    weights = torch.stack([torch.as_tensor(array.data) for array in shown[10:13]])
    torch.testing.assert_close(weights.sum(-1).float(), torch.ones(3, 7))
    texts = [text.get_text() for text in axes.texts]
    assert {"queries 3 × (7, 2)", "weights 3 × (7, 7)", "concatenated (7, 15)"} <= set(texts)
    plt.close()


def test_the_map_has_a_cell_per_row_and_names_its_kinds_in_order():
    rows = [
        {"attention": name, "head": head, "kind": kind, "share": 40.4, "even": 10.0}
        for name, kinds in (
            ("encoder.layers.0.self_attention", ("end", "same")),
            ("decoder.layers.0.cross_attention", ("writing",)),
        )
        for head in (0, 1)
        for kind in kinds
    ]
    chart = specification(profile_chart(rows), "a map")
    cells = chart["layer"][0]
    values = cells.get("data", chart.get("data"))["values"]
    assert len(values) == len(rows)
    assert values[0] == {"head": "encoder 1.1", "kind": "end", "share": 40, "if spread evenly": 10}
    assert cells["encoding"]["x"]["sort"] == ["same", "end", "writing"]


def test_the_ablation_shows_three_cases_for_each_head():
    name = "decoder.layers.0.cross_attention"
    scores = [{"case": "whole model", "metric": "exact_match", "value": 100.0}]
    for head in (0, 1):
        for case, value in (("without", 90.0 + head), ("alone", 50.0 + head)):
            score = {"case": case, "attention": name, "head": head, "value": value}
            scores += [score | {"metric": metric} for metric in ("BLEU", "exact_match")]
    scores.append({"case": "none left", "attention": name, "metric": "exact_match", "value": 1.0})
    chart = specification(ablation_chart(scores), "an ablation")
    found = {
        (value["head"], value["left in the attention"]): value["exact match (%)"]
        for value in chart["data"]["values"]
    }
    assert found == {
        ("cross 1.1", "all but it"): 90,
        ("cross 1.2", "all but it"): 91,
        ("cross 1.1", "it alone"): 50,
        ("cross 1.2", "it alone"): 51,
        ("cross 1.1", "no head"): 1,
        ("cross 1.2", "no head"): 1,
    }


def test_every_part_of_the_stream_reads_it_once_and_adds_to_it_once():
    axes = residual_stream_picture()
    texts = [text.get_text() for text in axes.texts]
    parts = [text for text in texts if text in ("head 1", "head 2", "feed-forward")]
    assert len(parts) == 3
    assert texts.count("+") == 2  # both heads are added at one place, as in a layer
    assert texts.count("") == 1 + 2 * len(parts)  # arrows: the stream itself, in and out
    plt.close()
