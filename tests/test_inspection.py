import threading

import torch
from torch import nn

from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.inspection import evaluation_mode, record_attention
from annotated_transformer.lab.recording import record_outputs

BATCH, QUERY, KEY = 2, 5, 7


def test_recorder_sees_the_weights_and_changes_nothing():
    torch.manual_seed(0)
    model = nn.ModuleDict({"a": MultiHeadAttention(12, 3), "b": MultiHeadAttention(12, 3)})
    x = torch.randn(BATCH, QUERY, 12)
    y = torch.randn(BATCH, KEY, 12)
    mask = torch.rand(QUERY, KEY) < 0.7
    plain = model["a"](x, y, y, mask)
    with record_attention(model) as record:
        recorded = model["a"](x, y, y, mask=mask)
    assert torch.equal(plain, recorded)
    assert set(record) == {"a"}
    assert record["a"].shape == (BATCH, 3, QUERY, KEY)
    assert not record["a"].requires_grad
    values = model["a"].split(model["a"].w_value(y))
    heads = (record["a"] @ values).transpose(1, 2).flatten(-2)
    torch.testing.assert_close(model["a"].w_output(heads), plain)
    model["b"](x, y, y)
    assert set(record) == {"a"}, "the hooks are gone after the block"


def test_outputs_are_listed_in_the_order_of_the_run():
    attention = MultiHeadAttention(12, 3)
    x = torch.randn(BATCH, QUERY, 12)
    with record_outputs(attention) as record:
        output = attention(x, x.clone(), x)
    names = ["w_query", "w_key", "w_value", "attend", "w_output", ""]
    assert [name for name, _ in record] == names
    assert torch.equal(record[-1][1], output)
    assert not record[-1][1].requires_grad
    attention(x, x, x)
    assert len(record) == len(names), "the hooks are gone after the block"


def in_another_thread(work):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def test_a_recorder_sees_its_own_thread_alone():
    attention = MultiHeadAttention(12, 3)
    x = torch.randn(BATCH, QUERY, 12)
    with record_attention(attention) as weights, record_outputs(attention) as outputs:
        in_another_thread(lambda: attention(x, x, x))
        assert (weights, outputs) == ({}, [])
        attention(x, x, x)
    assert outputs
    assert weights


def test_the_last_of_several_threads_gives_the_model_its_dropout_back():
    model = nn.Sequential(nn.Dropout(0.5), nn.Dropout(0.5).eval())
    inside, leave = threading.Event(), threading.Event()

    def run():
        with evaluation_mode(model):
            inside.set()
            leave.wait()

    other = threading.Thread(target=run)
    with evaluation_mode(model):
        other.start()
        inside.wait()
    assert [each.training for each in model.modules()] == [False, False, False]
    with evaluation_mode(model):
        pass
    assert not model.training
    leave.set()
    other.join()
    assert [each.training for each in model.modules()] == [True, True, False]
