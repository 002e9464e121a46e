"""One T5 for four tasks: what is asked, what is equal, and the program run whole on a few texts."""

import json
import sys
from collections import defaultdict

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from annotated_transformer import Tokenizer
from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.family import fit
from annotated_transformer.lab.family.noise import fill_spans
from annotated_transformer.lab.family.words import padded
from annotated_transformer.tokenizer import BOS_ID, EOS_ID
from experiments.family import t5, t5_tasks

NAMES = ("one", "two", "three", "four", "five", "six")
TRAIN = tuple(
    SentencePair(f"I see {n} cats and {m} dogs", f"나는 {n} 고양이와 {m} 개를 본다", (), name)
    for n, name in zip(NAMES, t5_tasks.CONSTRUCTIONS, strict=False)
    for m in NAMES
)


@pytest.fixture(autouse=True, scope="module")
def few():
    """Few texts in place of the corpus, small networks and small batches."""
    sides = [side for pair in TRAIN for side in (pair.source, pair.target)]
    tokenizer = Tokenizer.train(sides, vocab_size=330)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(t5_tasks, "pairs", lambda split: TRAIN)
        patch.setattr(t5_tasks, "tokenizer", lambda: tokenizer)
        patch.setattr(t5_tasks, "TEXTS_A_BATCH", 8)
        patch.setattr(t5, "SIZES", t5.SIZES | {"n_layers": 1, "d_model": 32, "d_ff": 32})
        yield


def draws(seed=0):
    return torch.Generator().manual_seed(seed)


@pytest.mark.parametrize(
    ("task", "read", "written"),
    [
        ("korean", TRAIN[7].source, TRAIN[7].target),
        ("english", TRAIN[7].target, TRAIN[7].source),
        ("construction", TRAIN[7].source, t5_tasks.CONSTRUCTIONS[1]),
    ],
)
def test_a_source_says_its_task_first(task, read, written):
    source, target = t5_tasks.example(task, TRAIN[7], draws())
    assert source[0] == t5_tasks.extra(t5_tasks.PREFIXES[task])[0]
    assert t5_tasks.text(source[1:-1]) == read
    assert t5_tasks.text(target[1:-1]) == written
    assert (target[0], target[-1], source[-1]) == (BOS_ID, EOS_ID, EOS_ID)


@given(st.sampled_from(TRAIN), st.integers(0, 2**31))
def test_what_fills_the_gaps_gives_back_a_side_of_the_pair(pair, seed):
    source, target = t5_tasks.example("gaps", pair, draws(seed))
    prefix, *read = source[:-1]
    sentinels = t5_tasks.extra(*t5_tasks.SENTINELS)
    whole = fill_spans(read, target[1:-1], sentinels=sentinels)
    assert [prefix] == t5_tasks.extra(t5_tasks.PREFIXES["gaps"])
    assert set(read) & set(sentinels)
    assert t5_tasks.text(whole) in (pair.source, pair.target)


def test_both_sides_get_gaps():
    found = [t5_tasks.example("gaps", TRAIN[0], draws(seed)) for seed in range(20)]
    sentinels = t5_tasks.extra(*t5_tasks.SENTINELS)
    whole = {t5_tasks.text(fill_spans(s[1:-1], t[1:-1], sentinels=sentinels)) for s, t in found}
    assert whole == {TRAIN[0].source, TRAIN[0].target}


def test_an_unknown_task_is_named():
    with pytest.raises(ValueError, match="unknown task 'german'; expected one of korean, english,"):
        t5_tasks.content("german", TRAIN[0], draws())


def test_tokens_in_words():
    ids = [*t5_tasks.extra("<0>", "copula"), *t5_tasks.tokenizer().encode("cats and")]
    assert t5_tasks.text(ids) == "<0> copula cats and"
    assert len(set(t5_tasks.extra(*t5_tasks.EXTRA))) == len(t5_tasks.EXTRA)
    assert t5_tasks.extra(t5_tasks.EXTRA[-1])[0] < t5.make(1).config.vocab_size


def examples_read(tasks, steps, seed=1):
    """The sources and targets of each prefix's id, in the order in which they are read."""
    found = defaultdict(list)
    for sources, targets in t5_tasks.batches(tasks, steps, seed):
        assert len(sources) == t5_tasks.TEXTS_A_BATCH
        for source, target in zip(sources.tolist(), targets.tolist(), strict=True):
            number = len(source) - source[::-1].index(EOS_ID)
            last = len(target) - target[::-1].index(EOS_ID)
            found[source[0]].append((source[:number], target[:last]))
    return found


def test_with_all_updates_the_joint_network_reads_what_the_single_ones_read():
    runs = t5.contestants(6)
    single = [examples_read(tasks, steps) for name, tasks, steps in runs if name == "single"]
    assert [list(found) for found in single] == [
        t5_tasks.extra(name) for name in t5_tasks.PREFIXES.values()
    ]
    by_prefix = {prefix: read for found in single for prefix, read in found.items()}
    joint = {name: examples_read(tasks, steps) for name, tasks, steps in runs if name != "single"}
    assert joint["joint, all updates"] == by_prefix
    assert joint["joint"] == {prefix: read[: 6 * 2] for prefix, read in by_prefix.items()}


def test_the_updates_are_those_of_one_network_or_of_four():
    runs = t5.contestants(6)
    updates = {name: sum(n for each, _, n in runs if each == name) for name, *_ in runs}
    assert updates == {"single": 24, "joint": 6, "joint, all updates": 24}


def test_all_pairs_are_read_once_before_one_is_read_again():
    stream = t5_tasks.examples("korean", 1)
    first, second = ([t5_tasks.text(next(stream)[1][1:-1]) for _ in TRAIN] for _ in range(2))
    assert sorted(first) == sorted(second) == sorted(pair.target for pair in TRAIN)
    assert first != second


@settings(max_examples=10)
@given(st.integers(1, 100))
def test_the_first_weights_are_the_same_for_all(seed):
    first, second = t5.make(seed).state_dict(), t5.make(seed).state_dict()
    assert all(torch.equal(weight, second[name]) for name, weight in first.items())


def spelt(names):
    """Ids of names, of which those that are no sentinel stand for tokens of a text."""
    return [
        t5_tasks.extra(name)[0] if name in t5_tasks.SENTINELS else 10 + int(name)
        for name in names.split()
    ]


@pytest.mark.parametrize(
    ("written", "share"),
    [
        ("<0> 5 6 <1> 7 <2>", 100),
        ("<1> 7 <0> 5 6", 100),
        ("<0> 5 <1> 7 <2>", 50),
        ("<0> 5 6 7 <2>", 0),
        ("5 6", 0),
        ("", 0),
    ],
)
def test_a_gap_is_right_if_all_its_tokens_are(written, share):
    assert t5_tasks.gaps_right([spelt(written)], [spelt("<0> 5 6 <1> 7 <2>")]) == share


def test_the_gaps_of_all_sentences_count_alike():
    wanted = [spelt("<0> 5 <1> 7 <2>"), spelt("<0> 8 <1>")]
    assert t5_tasks.gaps_right([wanted[0], spelt("<0> 5 <1>")], wanted) == pytest.approx(200 / 3)


@pytest.mark.parametrize("task", t5_tasks.TASKS)
def test_right_answers_score_all_and_the_questions_are_the_same_for_every_network(
    task, monkeypatch
):
    asked = []

    def right(model, sources):
        asked.append(sources)
        given = draws()
        return [t5_tasks.example(task, pair, given)[1][1:-1] for pair in TRAIN[:5]]

    monkeypatch.setattr(t5, "answers", right)
    scores = [t5.tested(None, name, task, 5) for name in ("single", "joint")]
    assert [entry["value"] for entry in scores] == [100, 100]
    assert asked[0] == asked[1]
    monkeypatch.setattr(t5, "answers", lambda model, sources: [[5]] * 5)
    assert t5.tested(None, "single", task, 5)["value"] == 0


def test_what_a_network_has_learnt_is_what_it_writes():
    rows = [t5_tasks.example(task, TRAIN[8], draws()) for task in t5_tasks.TASKS]
    sources, targets = zip(*rows, strict=True)
    model = t5.make(1)
    fit(model, [(padded(sources), padded(targets))] * 80, rate=1e-2)
    assert t5.answers(model, sources) == [target[1:-1] for target in targets]


def test_the_share_of_a_target_is_that_of_its_sentinels_and_hidden_tokens(monkeypatch):
    def encode(side):
        return [10 + len(word) for word in side.split()]

    monkeypatch.setattr(t5_tasks.tokenizer(), "encode", encode)
    pair = SentencePair(" ".join(["cats"] * 20), " ".join(["dogs"] * 10), ())
    sentences, joined = t5.target_shares([pair] * 40)
    # 3 of 20 tokens and 2 of 10, one span each, and two sentinels.
    assert sentences["value"] == pytest.approx(100 * (5 + 4) / 30, rel=1e-3)
    # 1,200 tokens are two whole texts of 512: 77 hidden in 26 spans, and 27 sentinels.
    assert joined["value"] == pytest.approx(100 * (77 + 27) / 512, rel=1e-3)
    assert joined["signature"] == "rate:0.15|mean:3.0|n:2"


def test_the_program_writes_the_record_of_all_runs(tmp_path, monkeypatch):
    out = tmp_path / "t5.json"
    options = ["--seeds", "1", "2", "--steps", "2", "--tests", "3", "--out", str(out)]
    monkeypatch.setattr(sys, "argv", ["t5", *options])
    monkeypatch.setattr(t5, "JOINED", 64)
    t5.STUDY.main()
    record = json.loads(out.read_text("utf-8"))
    assert record["command"] == "python -m experiments.family.t5 --seeds 1 2 --steps 2 --tests 3"
    models = {"single", "joint", "joint, all updates"}
    tested = {(e["seed"], e["model"], e["task"]) for e in record["scores"] if "task" in e}
    assert tested == {(s, name, task) for s in (1, 2) for name in models for task in t5_tasks.TASKS}
    assert {e["metric"] for e in record["scores"]} == {"exact_match", "gaps", "target_share"}
    assert all(0 <= entry["value"] <= 100 for entry in record["scores"])
    # Two updates of each of four networks, two of the joint one, eight of the long one.
    assert len(record["curve"]) == 2 * (4 * 2 + 2 + 8)
    assert record["seed"] == [1, 2]
