"""What a model gains that has really lost heads: its speed against the whole model, in one run.

    python -m benchmarks.pruned --size small

From every attention the same number of heads is cut. Timed are a forward pass over given
translations and a greedy search that writes as many tokens. The weights are random: only their
sizes matter here. A model whose heads are set to zero computes as much as the whole one does.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import torch

from annotated_transformer.analysis.heads import attentions_of
from annotated_transformer.analysis.pruning import pruned
from annotated_transformer.config import TransformerConfig
from annotated_transformer.decoding.search import greedy_search
from annotated_transformer.tables import Table
from annotated_transformer.tokenizer import BOS_ID, EOS_ID, N_SPECIALS
from annotated_transformer.transformer import Transformer
from benchmarks import measure
from benchmarks.workers import Work, Worker

NAME = "pruned"
WHOLE = "whole"


def make(config: TransformerConfig, left: int, sentences: int, tokens: int, seed: int) -> Work:
    """A forward pass or a search with `left` heads in each attention."""
    torch.manual_seed(seed)
    model = Transformer(config).eval()
    gone = list(range(left, config.n_heads))
    if gone:
        model = pruned(model, dict.fromkeys(attentions_of(model), gone))
    ids = torch.randint(N_SPECIALS, config.vocab_size, (2, sentences, tokens))
    ids[0, :, -1], ids[1, :, 0] = EOS_ID, BOS_ID

    @torch.inference_mode()
    def work(kind: str) -> int:
        if kind == "search":
            found = greedy_search(model, ids[0], max_length=tokens, min_length=tokens)
            return sum(len(each.ids) for each in found)
        return model(*ids).size(1)

    return work


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = measure.arguments(NAME, "The speed of a model that has lost heads.", rounds=9)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--left", type=int, nargs="+", help="heads left in each attention")
    parser.add_argument("--sentences", type=int, default=32)
    parser.add_argument("--tokens", type=int, default=32, help="of each sentence")
    options = measure.parsed(parser, argv, NAME)
    config = measure.configuration(options.size)
    lefts = options.left or list(range(1, config.n_heads))
    for left in lefts:
        if not 0 <= left < config.n_heads:
            parser.error(f"--left {left}: expected 0 to {config.n_heads - 1} of the heads")
    benchmark = measure.Benchmark(NAME, options)
    rest = (options.sentences, options.tokens, options.seed)
    makers = {
        name: partial(Worker, make, (config, left, *rest), threads=options.threads)
        for name, left in [(WHOLE, config.n_heads), *((f"{left} left", left) for left in lefts)]
    }
    rows: list[dict[str, Any]] = []
    curve: list[dict[str, Any]] = []
    for kind in ("forward", "search"):
        timed, _ = measure.interleaved(makers, lambda _, k=kind: (k,), options.rounds)
        for left in lefts:
            gain = measure.ratio(timed, WHOLE, f"{left} left")
            rows.append({"kind": kind, "left": left, "of": config.n_heads, "ratio": gain})
        curve += [{"kind": kind, "round": n, "seconds": s} for n, s in enumerate(timed, start=1)]
    print(Table([row | row["ratio"] for row in rows], {"kind": "", "left": "", "median": ".2f"}))
    data = {"sentences": options.sentences, "tokens": options.tokens}
    benchmark.write(rows, curve, size=options.size, model=config.to_dict(), data=data)


if __name__ == "__main__":
    measure.run(main)
