import torch

from annotated_transformer.attention import MultiHeadAttention

BATCH, HEADS, QUERY, D_K, D_V = 2, 3, 5, 11, 13


def random(*shape):
    return torch.randn(*shape, dtype=torch.float64)


def test_the_three_projections_together_are_the_three_apart():
    torch.manual_seed(0)
    module = MultiHeadAttention(10, HEADS, d_k=D_K, d_v=D_V).double()
    x = random(BATCH, QUERY, 10)
    parameters = list(module.parameters())
    together = module(x, x, x)
    apart = module(x, x.clone(), x.clone())
    torch.testing.assert_close(together, apart)
    torch.testing.assert_close(
        torch.autograd.grad(together.square().sum(), parameters),
        torch.autograd.grad(apart.square().sum(), parameters),
    )
