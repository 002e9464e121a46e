"""Decoding to an exact number of tokens: ours, MarianMTModel.generate, CTranslate2.

    python -m benchmarks.decoding --size small

100 sentences, sorted by length, in the same batches of 32 for everyone, from the same weights (they
are random: with the length fixed, time does not depend on them). Every contestant writes exactly
30 tokens for each sentence and may not end earlier, greedily and with a beam of 4. That they
mostly write the same is reported beside the times. `plain` and `ours uncached` decode the whole
prefix again for every token and only take part in the first round; `plain` is searched with our own
search. int8 is CTranslate2's only.

CTranslate2 chooses the processor's instructions by itself and has been seen to take AVX2 where
there is AVX-512. It is told to use AVX-512 where PyTorch finds it; the record says so. It can use
several threads in two ways: as many workers, each of which translates a batch with one thread, or
one worker that shares out each operation (`joint`). Both take part, because the second has been
seen to be slower than one thread alone: its threads mostly wait for each other.
"""

import statistics
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch

from annotated_transformer.config import TransformerConfig
from annotated_transformer.decoding.prefixes import EncoderDecoder, Uncached
from annotated_transformer.decoding.search import beam_search, greedy_search
from annotated_transformer.serving.export import specification
from annotated_transformer.tokenizer import BOS_ID, EOS_ID, PAD_ID, UNK_ID
from annotated_transformer.training.encoded import Example
from annotated_transformer.transformer import Transformer
from benchmarks import measure
from benchmarks.batches import add_data_options, examples
from benchmarks.peers import MissingPeerError, marian, plain
from benchmarks.workers import Work, Worker

NAME = "decoding"
BEAMS = {"greedy": 1, "beam": 4}
Batches = list[list[tuple[int, ...]]]
"""Source ids by batch; unpadded, because not everyone takes padding."""


def make_ours(model: EncoderDecoder, sources: Batches, tokens: int, beam_size: int) -> Work:
    """Our search, over our model or whatever decodes like it."""

    def work(count: int) -> list[tuple[int, ...]]:
        found = []
        for batch in sources[:count]:
            source, limits = padded(batch), {"max_length": tokens, "min_length": tokens}
            if beam_size == 1:
                found += greedy_search(model, source, **limits)
            else:
                best = beam_search(model, source, beam_size=beam_size, alpha=0.0, **limits)
                found += [hypotheses[0] for hypotheses in best]
        return [(*h.ids, EOS_ID) if h.finished else h.ids for h in found]

    return work


def make_marian(model: Transformer, sources: Batches, tokens: int, beam_size: int) -> Work:
    """`MarianMTModel.generate`, with its cache."""
    peer = marian(model).model.eval()

    def work(count: int) -> list[tuple[int, ...]]:
        found: list[tuple[int, ...]] = []
        for batch in sources[:count]:
            source = padded(batch)
            written = peer.generate(
                input_ids=source,
                attention_mask=(source != PAD_ID).long(),
                min_new_tokens=tokens,
                max_new_tokens=tokens,
                num_beams=beam_size,
                do_sample=False,
                **({"length_penalty": 0.0} if beam_size > 1 else {}),
                suppress_tokens=[PAD_ID, BOS_ID],
            )
            found += [tuple(row[1:]) for row in written.tolist()]
        return found

    return work


def make_ctranslate2(
    model: Transformer,
    sources: Batches,
    tokens: int,
    beam_size: int,
    *,
    compute_type: str,
    workers: int,
    threads: int,
) -> Work:
    """CTranslate2 with our exported weights; each worker has so many threads."""
    try:
        import ctranslate2  # noqa: PLC0415  (optional)
    except ImportError as error:
        raise MissingPeerError("ctranslate2") from error
    names = [f"t{i}" for i in range(model.config.vocab_size)]
    names[PAD_ID], names[BOS_ID], names[EOS_ID], names[UNK_ID] = "<pad>", "<s>", "</s>", "<unk>"
    number = {name: i for i, name in enumerate(names)}
    with tempfile.TemporaryDirectory() as directory:
        specification(model, names).save(directory)
        translator = ctranslate2.Translator(
            directory, compute_type=compute_type, inter_threads=workers, intra_threads=threads
        )

    def work(count: int) -> list[tuple[int, ...]]:
        found = translator.translate_batch(
            # It adds the end itself, and cuts its batches from sentences sorted as ours are.
            [[names[i] for i in ids[:-1]] for batch in sources[:count] for ids in batch],
            max_batch_size=max(map(len, sources)),
            beam_size=beam_size,
            length_penalty=0,
            min_decoding_length=tokens,
            max_decoding_length=tokens,
        )
        return [tuple(number[name] for name in result.hypotheses[0]) for result in found]

    return work


def make(
    name: str, config: TransformerConfig, sources: Batches, seed: int, search: tuple[int, int]
) -> Work:
    """A contestant by its name; `search` is the number of tokens to write and the beam's size."""
    torch.manual_seed(seed)
    model = Transformer(config).eval()
    rest = (sources, *search)
    if name.startswith("ctranslate2"):
        _, kind, *joint = name.split()
        threads = torch.get_num_threads()
        share = {"workers": 1, "threads": threads} if joint else {"workers": threads, "threads": 1}
        return make_ctranslate2(model, *rest, compute_type=kind, **share)
    if name == "marian":
        return make_marian(model, *rest)
    searched = {"ours": lambda m: m, "ours uncached": Uncached, "plain": plain}[name](model)
    return make_ours(searched, *rest)


CONTESTANTS = (
    *("ours", "marian", "ctranslate2 float32", "ctranslate2 float32 joint", "ctranslate2 int8"),
    *("ours uncached", "plain"),
)
SLOW = ("ours uncached", "plain")


def environment(name: str) -> dict[str, str]:
    """Variables to set in the process of a contestant."""
    if name.startswith("ctranslate2") and torch.backends.cpu.get_cpu_capability() == "AVX512":
        return {"CT2_FORCE_CPU_ISA": "AVX512"}
    return {}


def padded(rows: Sequence[Sequence[int]]) -> torch.Tensor:
    """Ids as one tensor, filled up on the right."""
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[PAD_ID] * (longest - len(row))] for row in rows])


def source_batches(found: Sequence[Example], sentences: int, size: int, seed: int) -> Batches:
    """Sentences drawn from the corpus, longest first, in batches."""
    chosen = np.random.default_rng(seed).choice(len(found), sentences, replace=False)
    rows = sorted((found[index].source for index in chosen), key=len, reverse=True)
    return [rows[i : i + size] for i in range(0, sentences, size)]


def rows_of(
    search: str,
    timed: Sequence[Mapping[str, float]],
    memory: Mapping[str, Mapping[str, float]],
    sentences: int,
    same: Mapping[str, float],
) -> list[dict[str, Any]]:
    """One row per contestant; `times_ours` above 1 means faster than ours."""
    rows = []
    for name in memory:
        seconds = statistics.median(times[name] for times in timed if name in times)
        rows.append(
            {
                "search": search,
                "contestant": name,
                "seconds": round(seconds, 4),
                "sentences_per_second": round(sentences / seconds, 2),
                "times_ours": measure.ratio(timed, "ours", name, digits=3),
                "same_as_ours": round(same[name], 3),
                "peak_mib": round(memory[name]["peak"]),
                "above_start_mib": round(memory[name]["peak"] - memory[name]["start"]),
            }
        )
    return rows


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = measure.arguments(NAME, "Decoding to an exact length, ours and the peers.", rounds=3)
    add_data_options(parser)
    parser.add_argument("--contestants", nargs="+", choices=CONTESTANTS, default=CONTESTANTS[:-1])
    parser.add_argument("--searches", nargs="+", choices=list(BEAMS), default=list(BEAMS))
    parser.add_argument("--sentences", type=int, default=100)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--tokens", type=int, default=30, help="to write for each sentence")
    options = measure.parsed(parser, argv, NAME)
    if "ours" not in options.contestants:
        parser.error("--contestants needs ours: the others are compared with it")
    benchmark = measure.Benchmark(NAME, options)
    config = measure.configuration(options.size)
    found, origin = examples(options.data_dir, vocab_size=config.vocab_size, seed=options.seed)
    sources = source_batches(found, options.sentences, options.batch_size, options.seed)
    rows, curve = [], []
    for search in options.searches:
        beam_size = BEAMS[search]
        names = [n for n in options.contestants if n not in SLOW or search == "greedy"]
        rest = (config, sources, options.seed, (options.tokens, beam_size))
        timed, memory, same = race(names, rest, options, len(sources))
        rows += rows_of(search, timed, memory, options.sentences, same)
        curve += [{"search": search, "round": i + 1, "seconds": t} for i, t in enumerate(timed)]
    _print(rows)
    lengths = [len(ids) for batch in sources for ids in batch]
    benchmark.write(
        rows,
        curve,
        size=options.size,
        model=config.to_dict(),
        data={
            "origin": origin,
            "sentences": options.sentences,
            "batch_size": options.batch_size,
            "source_tokens": sum(lengths),
            "longest_source": max(lengths),
            "tokens_written_per_sentence": options.tokens,
        },
        environment={name: environment(name) for name in options.contestants if environment(name)},
    )


def race(
    names: Sequence[str], rest: tuple[Any, ...], options: Any, count: int
) -> tuple[list[dict[str, float]], dict[str, dict[str, float]], dict[str, float]]:
    """Time them: seconds, memory, and the share of sentences translated as ours are."""
    makers = {
        name: partial(
            *(Worker, make, (name, *rest)), threads=options.threads, environment=environment(name)
        )
        for name in names
    }
    same: dict[str, float] = {}

    def compare(workers: Mapping[str, Worker]) -> None:
        written = {name: worker.run(1)[1] for name, worker in workers.items()}
        for name, ids in written.items():
            if {len(row) for row in ids} != {options.tokens}:
                raise ValueError(f"{name} did not write exactly {options.tokens} tokens")
            pairs = zip(written["ours"], ids, strict=True)
            same[name] = statistics.mean(own == other for own, other in pairs)

    # The warm-up is one batch; `compare` is another.
    timed, memory = measure.interleaved(
        makers,
        lambda number: (count if number >= 0 else 1,),
        options.rounds,
        first=compare,
        once=SLOW,
    )
    return timed, memory, same


def _print(rows: Sequence[dict[str, Any]]) -> None:
    shown = [{**row, "times_ours": row["times_ours"]["median"]} for row in rows]
    columns = {"search": "", "contestant": "", "seconds": ".3f", "sentences_per_second": ".1f"}
    more = {"times_ours": ".2f", "same_as_ours": ".0%", "peak_mib": ",", "above_start_mib": ","}
    measure.print_table(shown, {**columns, **more})


if __name__ == "__main__":
    measure.run(main)
