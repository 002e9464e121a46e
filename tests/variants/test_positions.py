import torch

from annotated_transformer.variants import LearnedPositions


def test_learned_positions_are_learned():
    layer = LearnedPositions(7, 6)
    x = torch.randn(2, 5, 6)
    layer(x).sum().backward()
    assert layer.encoding.grad is not None
    assert layer.encoding.grad[:5].eq(2).all()
    assert layer.encoding.grad[5:].eq(0).all()
