"""How much a model doubts what it wrote: the search knows it already.

    doubt = -log P(translation | source) / (number of tokens, EOS included)

in nats a token. A model that was trained with label smoothing 0.1 never gives a token more than
about 0.9, so that even where it is sure its doubt is about 0.1. Above the threshold that is stored
with a model its translations were often wrong (`experiments/doubt.py`).

Source: Fomicheva et al. 2020 (TP, the same with the other sign).
"""

from annotated_transformer.decoding.hypotheses import Hypothesis


def doubt(hypothesis: Hypothesis) -> float:
    """Return the negative log probability of a hypothesis per token, in nats: 0 or more."""
    tokens = len(hypothesis.ids) + hypothesis.finished
    return -hypothesis.log_probability / max(tokens, 1)


def about_doubt(value: float, threshold: float) -> str:
    """Return why a translation may be wrong, as a part of a sentence."""
    return (
        f"the model doubts it ({value:.2f} nats a token; above {threshold:.2f} it is often wrong)"
    )
