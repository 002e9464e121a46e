"""What the equality tests share: weights copied from a reference, and comparisons in float64."""

import logging
import os

import torch

os.environ.setdefault("HF_HUB_OFFLINE", "1")
logging.getLogger("transformers").setLevel(logging.ERROR)


ENCODER = {
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 24,
}
"""Sizes of a tiny reference, by its own names; the two below are of a reader and of a viewer."""
READER = ENCODER | {"vocab_size": 30, "hidden_size": 16, "max_position_embeddings": 12}
VIEWER = ENCODER | {"hidden_size": 16, "num_labels": 5}


def segmented_texts():
    """Return three texts for a `READER`, one of them shorter, and their segments."""
    ids = torch.randint(1, 30, (3, 9))
    ids[1, 6:] = 0
    segments = (torch.arange(9) > 4).long().expand(3, -1)
    return ids, segments


def disturbed(module, seed=0):
    """Return the reference in float64 and evaluation mode, all its weights random.

    Biases and gains begin as zeros and ones, which would hide one that is left out.
    """
    generator = torch.Generator().manual_seed(seed)
    module = module.double().eval()
    with torch.no_grad():
        for parameter in module.parameters():
            noise = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
            parameter.add_(0.2 * noise)
    return module


def copied(member, theirs, settings=None):
    """Return our member with the configuration and weights of theirs, in float64."""
    settings = theirs.config.to_dict() if settings is None else settings
    ours = member(member.config_from(settings, "config.json")).double().eval()
    member.reference.copy(ours, theirs.state_dict(), "the reference")
    return ours


def assert_same_gradients(ours, theirs, found, expected):
    """Compare outputs, then the gradients of all weights that both have by the table of names.

    Both outputs are weighted by the same random numbers first: a plain sum can hide a mistake.
    """
    torch.testing.assert_close(found, expected, rtol=1e-10, atol=1e-10)
    weights = torch.randn(expected.shape, dtype=expected.dtype)
    (weights * found).sum().backward()
    (weights * expected).sum().backward()
    gradients = {
        ours.reference._today(name): parameter.grad
        for name, parameter in theirs.named_parameters(remove_duplicate=False)
    }
    compared = 0
    for name, parameter in ours.named_parameters():
        wanted, made = ours.reference.source(name)
        if gradients.get(wanted) is None:
            assert parameter.grad is None or not parameter.grad.any(), name
            continue
        assert parameter.grad is not None, name
        torch.testing.assert_close(
            parameter.grad,
            made(gradients[wanted]),
            rtol=1e-10,
            atol=1e-10,
            msg=lambda m, n=name: f"{n}: {m}",
        )
        compared += 1
    assert compared > 0
