"""The searches of `decoding`: ours, MarianMTModel.generate, CTranslate2, and their sentences.

CTranslate2 chooses the processor's instructions by itself and has been seen to take AVX2 where
there is AVX-512. It is told to use AVX-512 where PyTorch finds it; the record says so.

Several threads can be used in two ways: as many workers, each of which translates a batch with one
thread, or one worker that shares out each operation. CTranslate2's usual layout here is the first,
`joint` is the second; ours is the second, `workers` the first, and `undisturbed` is the second with
no more threads than wait for no other program. Our workers are processes, as those of a
`Translator` are, and CTranslate2's are threads; both have begun before the time is taken.
"""

import argparse
import tempfile
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch

from annotated_transformer.config import TransformerConfig
from annotated_transformer.decoding.packed import packed
from annotated_transformer.decoding.prefixes import EncoderDecoder
from annotated_transformer.decoding.search import beam_search, greedy_search
from annotated_transformer.decoding.workers import Hypotheses, Workers, one_by_one, padded
from annotated_transformer.export.ctranslate2 import specification
from annotated_transformer.fast.int8 import quantised
from annotated_transformer.lab.caching import Uncached
from annotated_transformer.tokenizer import BOS_ID, EOS_ID, PAD_ID, UNK_ID
from annotated_transformer.training.encoded import Example
from annotated_transformer.transformer import Transformer
from benchmarks.batches import DATA_OPTIONS, examples
from benchmarks.peers import MissingPeerError, marian, plain
from benchmarks.workers import Work
from experiments.study import Option

BEAMS = {"greedy": 1, "beam": 4}
Batches = list[list[tuple[int, ...]]]
"""Source ids by batch; unpadded, because not everyone takes padding."""


def make_ours(model: EncoderDecoder, sources: Batches, tokens: int, beam_size: int) -> Work:
    """Our search, with our model or another one that decodes like it.

    As in `Translator`, matrices are packed once for the batches of a call.
    """
    search = _search(tokens, beam_size)

    def work(count: int) -> list[tuple[int, ...]]:
        searched = packed(model) if isinstance(model, Transformer) else model
        return _written(search(searched, padded(batch, PAD_ID)) for batch in sources[:count])

    return work


def make_our_undisturbed(model: Transformer, sources: Batches, tokens: int, beam_size: int) -> Work:
    """Our search as a `Translator` has it, with the threads that wait for no other program."""
    search = _search(tokens, beam_size)
    return lambda count: _written(one_by_one(model, search, sources[:count]))


def make_our_workers(
    model: Transformer, sources: Batches, tokens: int, beam_size: int, workers: int
) -> Work:
    """Our search as a `Translator` with workers has it: a batch and a thread each."""
    search, processes = _search(tokens, beam_size), Workers(workers)
    # As many batches as there are workers, so that all of them begin.
    list(processes.search(model, search, [sources[0][:1]] * workers))
    return lambda count: _written(processes.search(model, search, sources[:count]))


def _search(tokens: int, beam_size: int) -> Callable[..., Hypotheses]:
    """Our search for exactly so many tokens; a function that can be pickled."""
    limits = {"max_length": tokens, "min_length": tokens}
    if beam_size == 1:
        return partial(greedy, **limits)
    return partial(beam_search, beam_size=beam_size, alpha=0.0, **limits)


def _written(batches: Iterable[Hypotheses]) -> list[tuple[int, ...]]:
    """Ids of the best hypothesis of each sentence, the end included."""
    best = [hypotheses[0] for batch in batches for hypotheses in batch]
    return [(*h.ids, EOS_ID) if h.finished else h.ids for h in best]


def greedy(model: EncoderDecoder, source: torch.Tensor, **limits: int) -> Hypotheses:
    """`greedy_search`, as a search that finds one hypothesis."""
    return [[found] for found in greedy_search(model, source, **limits)]


def make_marian(model: Transformer, sources: Batches, tokens: int, beam_size: int) -> Work:
    """`MarianMTModel.generate`, with its cache."""
    peer = marian(model).model.eval()

    def work(count: int) -> list[tuple[int, ...]]:
        found: list[tuple[int, ...]] = []
        for batch in sources[:count]:
            source = padded(batch, PAD_ID)
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
    threads = torch.get_num_threads()
    if name.endswith("workers"):
        precise = quantised(model) if "int8" in name else model
        return make_our_workers(precise, *rest, workers=threads)
    if name == "ours, undisturbed":
        return make_our_undisturbed(model, *rest)
    if name.startswith("ctranslate2"):
        _, kind, *joint = name.split()
        share = {"workers": 1, "threads": threads} if joint else {"workers": threads, "threads": 1}
        return make_ctranslate2(model, *rest, compute_type=kind, **share)
    if name == "marian":
        return make_marian(model, *rest)
    searched = {
        "ours": lambda m: m,
        "ours int8": quantised,
        "ours uncached": Uncached,
        "plain": plain,
    }[name](model)
    return make_ours(searched, *rest)


CONTESTANTS = (
    "ours",
    "ours, undisturbed",
    "ours, workers",
    "ours int8",
    "ours int8, workers",
    "marian",
    "ctranslate2 float32",
    "ctranslate2 float32 joint",
    "ctranslate2 int8",
    "ours uncached",
    "plain",
)
SLOW = ("ours uncached", "plain")


def environment(name: str) -> dict[str, str]:
    """Variables to set in the process of a contestant."""
    if name.startswith("ctranslate2") and torch.backends.cpu.get_cpu_capability() == "AVX512":
        return {"CT2_FORCE_CPU_ISA": "AVX512"}
    return {}


SEARCH_OPTIONS = (
    *DATA_OPTIONS,
    Option("--batch-size", 32),
    Option("--tokens", 30, "to write for each sentence"),
)
"""Which sentences are translated, and how far."""


def sentences_of(
    options: argparse.Namespace, sentences: int, vocab_size: int
) -> tuple[Batches, dict[str, Any]]:
    """So many sentences in batches, as the options ask, and what a record says of them."""
    found, origin = examples(options.data_dir, vocab_size=vocab_size, seed=options.seed)
    sources = source_batches(found, sentences, options.batch_size, options.seed)
    written = {"tokens_written_per_sentence": options.tokens}
    return sources, {"origin": origin, "sentences": sentences, **written}


def source_batches(found: Sequence[Example], sentences: int, size: int, seed: int) -> Batches:
    """Sentences drawn from the corpus, longest first, in batches."""
    chosen = np.random.default_rng(seed).choice(len(found), sentences, replace=False)
    rows = sorted((found[index].source for index in chosen), key=len, reverse=True)
    return [rows[i : i + size] for i in range(0, sentences, size)]
