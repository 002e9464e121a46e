"""Where ELECTRA's gain comes from: a loss on all tokens, on the gaps alone, and BERT beside it.

    python -m experiments.family.electra

Equal updates of networks of one size on the same texts. "electra" is asked of every token whether
it was replaced, "electra, gaps" of the chosen tokens alone, "bert" fills the gaps itself. Each then
answers with few labels whether "it" is the subject or the object, from its vector of the last word.
The generator makes an update of ELECTRA dearer; the parameters of all layers that an update passes
are recorded too. Chapter: *Language models*.
"""

import argparse
from collections.abc import Iterator
from functools import partial
from typing import Any

import torch

from annotated_transformer.lab.family import ELECTRA
from experiments.family import language
from experiments.family.bert import answers, vector_of
from experiments.family.study import FamilyStudy, score
from experiments.study import Entry, curve_of

CONTESTANTS = ("electra", "electra, gaps", "bert")


def make(name: str, seed: int) -> Any:
    """The network of a contestant."""
    if name == "bert":
        return language.make_bert(seed)
    model = language.make_electra(seed)
    if name == "electra, gaps":
        model.loss = partial(model.loss, everywhere=False)  # type: ignore[method-assign]
    return model


def layer_parameters(model: Any) -> int:
    """Parameters of all layers; an update takes about six operations for each and token."""
    total = sum(p.numel() for p in model.reader.encoder.parameters())
    if isinstance(model, ELECTRA) and model.generator is not None:
        total += sum(p.numel() for p in model.generator.reader.encoder.parameters())
    return total


def found(model: Any, seed: int) -> float:
    """Area under the ROC curve of replaced tokens against others, on the valid split."""
    rows = language.rows("valid")
    positive, negative = [], []
    with torch.inference_mode():
        torch.manual_seed(seed)
        for gaps, original, chosen in language.gap_batches(
            rows, len(rows) // language.TEXTS_A_BATCH, seed, hidden=1.0, random=0.0
        ):
            filled = model.replaced(original, chosen, model.generator(gaps)[chosen])
            logits, replaced = model(filled), filled != original
            positive.append(logits[replaced])
            negative.append(logits[~replaced & (original != 0)])
    up, down = torch.cat(positive), torch.cat(negative).sort().values
    below = torch.searchsorted(down, up).double() + torch.searchsorted(down, up, right=True)
    return (below / 2 / len(down)).mean().item()


def measure(seed: int, given: argparse.Namespace) -> Iterator[Entry]:
    """Train and measure all contestants with one seed."""
    rows = language.rows("train")
    for name in CONTESTANTS:
        model = make(name, seed)
        shares = {} if name == "bert" else {"hidden": 1.0, "random": 0.0}
        torch.manual_seed(seed)  # of dropout and of what the generator draws
        given_batches = language.gap_batches(rows, given.steps, seed, **shares)
        lost = language.pretrain(model, given_batches, given.steps)
        yield from curve_of(lost, model=name)
        yield from answers(name, vector_of(model), seed)
        parameters = layer_parameters(model)
        yield score("train", "layer_parameters", parameters, "both networks", model=name)
        if name != "bert":
            yield score("valid", "AUC", found(model, seed), "replaced", model=name)


STUDY = FamilyStudy(
    "electra",
    __doc__,
    measure,
    updates=700,
    settings=lambda _: language.SETTINGS,
)


if __name__ == "__main__":
    STUDY.main()
