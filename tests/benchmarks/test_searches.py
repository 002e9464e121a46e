"""All searches write the same tokens, and as many."""

import torch

from benchmarks import searches
from benchmarks.workers import Worker


def test_decoding_counts_the_same_tokens_for_everyone(model):
    own = model()
    batches = [[(5, 6, 7, 2), (9, 2)], [(8, 8, 2)]]
    found = {
        name: searches.make(name, own.config, batches, 0, (6, beam_size))(2)
        for name in ("ours", "ours, workers", "ours uncached", "plain", "ctranslate2 float32")
        for beam_size in (1, 4)
    }
    for rows in found.values():
        assert [len(row) for row in rows] == [6, 6, 6]
    assert found["ours"] == found["ours uncached"] == found["plain"]
    assert found["ours"] == found["ours, workers"] == found["ctranslate2 float32"]


def test_our_workers_end_with_their_contestant(model):
    batches = [[(5, 6, 7, 2)], [(8, 8, 2)]]
    worker = Worker(searches.make, ("ours, workers", model().config, batches, 0, (3, 1)), threads=2)
    assert len(worker.run(2)[1]) == 2
    worker.close()
    assert worker._process.exitcode == 0  # it did not have to be terminated


def test_ctranslate2_is_told_what_the_processor_has(monkeypatch):
    for capability, expected in (("AVX512", {"CT2_FORCE_CPU_ISA": "AVX512"}), ("AVX2", {})):
        monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda c=capability: c)
        assert searches.environment("ctranslate2 int8") == expected
        assert searches.environment("ours") == {}
