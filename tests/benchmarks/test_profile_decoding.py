"""The products of a step of the search, alone."""

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from annotated_transformer.decoding.cache import CachedPrefixes
from annotated_transformer.transformer import Transformer
from benchmarks import measure, profile_decoding


def test_the_products_of_a_step_are_all_that_it_multiplies_with_weights():
    model = Transformer(measure.configuration("tiny", n_layers=2)).eval()
    source, tokens = torch.randint(4, 300, (3, 5)), torch.full((3, 1), 4)
    with torch.inference_mode():
        prefixes = CachedPrefixes(model, source)
        with FlopCounterMode(display=False) as counter:
            prefixes.step(tokens)
    counted = counter.get_flop_counts()["Global"]
    with_weights = counted[torch.ops.aten.mm] + counted[torch.ops.aten.addmm]
    gflop, seconds = profile_decoding.step_products(model, rows=3, repeats=2)
    assert gflop == pytest.approx(with_weights / 1e9)
    assert seconds > 0
