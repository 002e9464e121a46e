"""Where the time of a search goes: shares of products, softmax, copies, Python, and the rest.

    python -m benchmarks.profile_decoding --size base

Our greedy search and our beam search over one batch of 32 sentences, 30 tokens each, as in
`benchmarks.decoding`, under `torch.profiler`; groups and shares are those of `profiling`.
`between operations` is Python, the bookkeeping of the search included, and the profiler itself. The
profiler slows a search down: it is timed without it as well, and the record has both.

The rate of the products stands beside that of the matrices alone, one after the other: each of a
decoder layer, and the output projection, times the rows of a batch. (The search takes query, key
and value of a layer in one product, and encodes and attends as well; the record says which share of
the products' time the matrices alone explain.) What a search could gain from faster products is the
difference from the rate of large square matrices, which have more rows to share the reading of the
weights.
"""

import argparse
import time
from functools import partial
from typing import Any

import torch

from annotated_transformer.decoding.packed import Packed, can_pack
from annotated_transformer.fast.linear import few_rows_product
from annotated_transformer.training.cost import matmul_rate
from annotated_transformer.transformer import Transformer
from benchmarks import measure
from benchmarks.profiling import SEARCH, print_tables, profiled, tables
from benchmarks.searches import BEAMS, SEARCH_OPTIONS, make_ours, sentences_of
from experiments.study import Fields


@torch.inference_mode()
def step_products(model: Transformer, rows: int, repeats: int) -> tuple[float, float]:
    """GFLOP, and seconds, of one step's products with weights, alone and one after the other."""
    weights = [p for p in model.decoder.parameters() if p.dim() == 2]
    # Keys and values of the source are projected once for a sentence, not in a step.
    once = [w for layer in model.decoder.layers for w in _of_the_source(layer)]
    weights = [w for w in weights if not any(w is other for other in once)]
    weights.append(model.output.weight)
    inputs = {w.size(1): torch.randn(1, rows, w.size(1)) for w in weights}
    pack = can_pack(model)
    products = [Packed(w, None) if pack else partial(few_rows_product, w) for w in weights]
    best = float("inf")
    for _ in range(repeats):
        begin = time.perf_counter()
        for weight, product in zip(weights, products, strict=True):
            product(inputs[weight.size(1)])
        best = min(best, time.perf_counter() - begin)
    return sum(2 * rows * w.numel() for w in weights) / 1e9, best


def _of_the_source(layer: Any) -> list[torch.Tensor]:
    return [layer.cross_attention.w_key.weight, layer.cross_attention.w_value.weight]


def watched(options: argparse.Namespace) -> Fields:
    """Profile each search; beside it stands what its products take alone."""
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    config = measure.configuration(options.size)
    sources, data = sentences_of(options, options.batch_size, config.vocab_size)
    model = Transformer(config).eval()
    rows, operations, curve, rates = [], {}, [], {}
    for search, beam_size in BEAMS.items():
        work = partial(make_ours(model, sources, options.tokens, beam_size), 1)
        events, timed = profiled([work] * options.rounds, SEARCH)
        groups, longest = tables(events, options.rounds, SEARCH)
        gflop, seconds = step_products(model, options.batch_size * beam_size, repeats=20)
        of_products = next(r["ms_per_search"] for r in groups if r["group"] == "products")
        print(f"\n{options.size}, {search}")
        print_tables(groups, longest, SEARCH)
        rates[search] = {
            "products_with_weights_alone": round(gflop / seconds, 1),
            "share_of_the_products_time_they_explain": round(
                options.tokens * seconds * 1e3 / of_products, 3
            ),
        }
        rows += [{"search": search, **row} for row in groups]
        operations[search] = longest
        curve += measure.curve_of(timed, search=search)
    rate = round(matmul_rate(torch.device("cpu"), torch.float32) / 1e9, 1)
    print(f"\nGFLOP/s: {rates}, large square matrices {rate}")
    return {
        "size": options.size,
        "model": config.to_dict(),
        "data": data,
        "operations": operations,
        "gflop_per_second": {**rates, "large_square_matrices": rate},
        "rows": rows,
        "curve": curve,
    }


STUDY = measure.Benchmark("profile_decoding", __doc__, watched, *SEARCH_OPTIONS, rounds=3)


if __name__ == "__main__":
    STUDY.main()
