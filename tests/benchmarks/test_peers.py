"""The peers compute our function with our weights."""

from importlib.util import find_spec

import pytest
import torch

from benchmarks import peers
from rules import ROOT

PAD = 0


@pytest.fixture
def ids():
    torch.manual_seed(1)
    source, target = torch.randint(4, 60, (3, 9)), torch.randint(4, 60, (3, 7))
    source[1, 6:] = PAD
    target[2, 5:] = PAD
    return source, target


@pytest.mark.parametrize("name", ["torch.nn", "plain"])
@pytest.mark.parametrize("training", [False, True])
def test_a_peer_computes_our_function(name, training, ids, model):
    own = model().train(training)
    peer = peers.PEERS[name](own).train(training)
    source, target = ids
    real = target != PAD
    torch.testing.assert_close(
        peer(source, target)[real], own(source, target)[real], rtol=1e-4, atol=1e-5
    )
    memory = peer.encode(source)
    torch.testing.assert_close(
        peer.decode(target, memory, source)[real], own(source, target)[real], rtol=1e-4, atol=1e-5
    )


@pytest.mark.parametrize("name", ["torch.nn", "plain"])
def test_a_peer_has_our_parameters_and_biases_of_projections(name, model):
    own = model()
    peer = peers.PEERS[name](own)
    attentions = 3 * own.config.n_layers
    biases = attentions * 4 * own.config.d_model
    assert sum(p.numel() for p in peer.parameters()) == own.count_parameters()["total"] + biases


@pytest.mark.parametrize(
    "field", [{"norm": "pre"}, {"positions": "learned"}, {"activation": "gelu"}, {"d_k": 5}]
)
def test_what_a_peer_lacks_is_named(field, model):
    with pytest.raises(ValueError, match=next(iter(field))):
        peers.torch_nn(model(**field))


def test_an_absent_peer_is_named_with_its_requirements(model):
    if find_spec("transformers") is None:
        with pytest.raises(peers.MissingPeerError, match=r"benchmarks/requirements\.txt"):
            peers.marian(model())
    else:  # the environment of the peers
        assert peers.marian(model()).config.vocab_size == 60
    pins = (ROOT / "benchmarks" / "requirements.txt").read_text("utf-8").splitlines()
    names = [pin.partition("==")[0] for pin in pins if not pin.startswith("#")]
    assert names == ["transformers", "ctranslate2"]
