"""`check` knows the right answer from the usual wrong ones, and tells no solution."""

import inspect
import math
import re

import nbformat
import pytest
import torch

from annotated_transformer.lab.exercises import JUDGES, check, findings, formulas, verdict
from annotated_transformer.variants.alibi import linear_bias
from rules import ROOT


def within(numbers):
    return numbers[:, None] == numbers


def shifted(rows):
    rest = rows - rows[:, :1]
    return (rest**2).mean(-1) - rest.mean(-1) ** 2


def encoding(length, d_model, *, last=1, turn=(torch.sin, torch.cos)):
    pairs = torch.arange(d_model // 2)
    angles = torch.arange(length)[:, None] * 10_000.0 ** (-pairs / (d_model / 2 - last))
    return torch.cat([f(angles) for f in turn], dim=1)


def interleaved(length, d_model):
    return encoding(length, d_model).view(length, 2, -1).mT.reshape(length, d_model)


def catalan(n):
    return math.comb(2 * n, n) // (n + 1)


def closed(symbols):
    kept, stack = [], []
    for symbol in symbols:
        if symbol[0] == ")":
            if not stack or stack[-1] != symbol[1:]:
                continue
            stack.pop()
        elif symbol[0] == "(":
            stack.append(symbol[1:])
        kept.append(symbol)
    return kept + [f"){label}" for label in reversed(stack)]


def only_closed(symbols):
    open_ = sum((s[0] == "(") - (s[0] == ")") for s in symbols)
    return [*symbols, *[")S"] * open_]


def whatever_closes(symbols):
    """A closing bracket is dropped only if nothing is open."""
    kept, stack = [], []
    for symbol in symbols:
        if symbol[0] == ")" and not stack:
            continue
        stack = stack[:-1] if symbol[0] == ")" else stack + [symbol[1:]] * (symbol[0] == "(")
        kept.append(symbol)
    return kept + [f"){label}" for label in reversed(stack)]


def two_sided(matrix, offset):
    unit = torch.eye(len(offset), dtype=matrix.dtype)
    inner = torch.cat([unit, -unit], dim=1)
    return inner, torch.zeros(2 * len(offset)), torch.cat([matrix, -matrix]), offset


def always_on(matrix, offset):
    """Right only for rows smaller than the bias."""
    width, big = len(offset), 1e4
    unit = torch.cat([torch.eye(width), torch.zeros(width, width)], dim=1)
    outer = torch.cat([matrix, 0 * matrix])
    return unit, torch.full((2 * width,), big), outer, offset - big * matrix.sum(0)


def forgets_the_sign(matrix, offset):
    w1, b1, w2, b2 = two_sided(matrix, offset)
    return w1, b1, w2.abs(), b2


def uneven(n_heads, query, key):
    bias = linear_bias(n_heads, query, key)
    return torch.where(key > query[:, None], 2 * bias, bias)


def by_place(n_heads, query, key):
    return uneven(n_heads, query, key) + 0.1 * query[:, None]


def circle(n):
    angle = 2 * math.pi * torch.arange(n) / n
    keys = torch.stack([angle.cos(), angle.sin()], dim=1)
    return 1000 * keys, keys


def line(n):
    keys = torch.stack([torch.arange(n), torch.zeros(n)], dim=1).float()
    return 1000 * keys, keys


def not_of_one_length(n):
    query, key = circle(n)
    return query, key * torch.arange(1, n + 1)[:, None]


def convolved(x, weight, dilation, left=2):
    padded = torch.cat([torch.zeros(left * dilation, 3), x, torch.zeros(2 * dilation, 3)])
    return torch.conv1d(padded.T, weight, dilation=dilation).T[: len(x)]


def cut_directly(x, n_heads):
    return x.reshape(len(x), n_heads, x.size(1), -1)


def cut_in_order(x, n_heads):
    return x.reshape(*x.shape[:2], n_heads, -1).transpose(1, 2)


SPREAD = {"a": 0.5, "b": 0.5}
THIRD = {(): {"a": 0.4, "b": 0.35, "c": 0.25}, ("a",): SPREAD, ("b",): SPREAD}
RIGHT = {
    "ex-decoding-memory": lambda parameters, n_layers, d_model: (
        parameters / (2 * n_layers * d_model)
    ),
    "ex-decoding-third": THIRD,
    "ex-dp-greedy": torch.tensor([[0.0, 1], [1, 200]]),
    "ex-embeddings-temperature": lambda p, t: p ** (1 / t) / (p ** (1 / t)).sum(),
    "ex-ffn-identity": two_sided,
    "ex-heads-view": cut_directly,
    "ex-long-break": torch.tensor([[89.0, 90.0, 91.0]]),
    "ex-long-rank": circle,
    "ex-masks-packing": within,
    "ex-masks-window": lambda n: 2 * n,
    "ex-norm-shifted": shifted,
    "ex-parse-catalan": lambda n: catalan(n - 1),
    "ex-parse-repair": closed,
    "ex-positions-library": encoding,
    "ex-positions-open": uneven,
    "ex-t2t-masks": lambda n, rate, mean: (n * rate / mean, n * rate / mean * math.exp(-mean)),
    "ex-training-tensor2tensor": lambda e, size: e * (size - 1) / size,
    "ex-vision-layers": lambda s, m: 2 * s / m,
    "ex-why-dilated": convolved,
}
FUNCTIONS = [exercise for exercise, answer in RIGHT.items() if callable(answer)]
WRONG = {
    "values forgotten": ("ex-decoding-memory", lambda p, n, d: p / (n * d), "should return"),
    "one layer": ("ex-decoding-memory", lambda p, n, d: p / (2 * d), "should return"),
    "greedy is right": (
        "ex-decoding-third",
        {(): {"a": 0.9, "b": 0.1}},
        "a beam of 2 finds the most probable sentence",
    ),
    "a beam of three misses": (
        "ex-decoding-third",
        {
            (): {"a": 0.3, "b": 0.27, "c": 0.23, "d": 0.2},
            ("a",): SPREAD,
            ("b",): SPREAD,
            ("c",): SPREAD,
        },
        "a beam of 3 misses the most probable sentence, d",
    ),
    "no probabilities": ("ex-decoding-third", {(): {"a": 0.7, "b": 0.7}}, "sum 1"),
    "no table": ("ex-decoding-third", [0.4, 0.6], "expected a table"),
    "harmless costs": ("ex-dp-greedy", torch.tensor([[1.0, 2], [2, 4.0]]), "greedy pays 5"),
    "half as much": ("ex-dp-greedy", [[0.0, 1], [1, 100]], "greedy pays 100, the best matching 2"),
    "a tie": ("ex-dp-greedy", [[1.0, 1], [1, 200]], "two pairs|begin with either"),
    "costs of three": ("ex-dp-greedy", torch.ones(3, 3), "(3, 3), expected (2, 2)"),
    "the temperature as a factor": (
        "ex-embeddings-temperature",
        lambda p, t: p**t / (p**t).sum(),
        "should be",
    ),
    "not normalised": ("ex-embeddings-temperature", lambda p, t: p ** (1 / t), "should be"),
    "divided": ("ex-embeddings-temperature", lambda p, t: p / t, "should be"),
    "every unit on": ("ex-ffn-identity", always_on, "should be"),
    "without the minus": ("ex-ffn-identity", forgets_the_sign, "should be"),
    "transposed as in nn.Linear": (
        "ex-ffn-identity",
        lambda a, c: [x.T if x.ndim == 2 else x for x in two_sided(a, c)],
        "expected the shape",
    ),
    "ours": ("ex-heads-view", cut_in_order, "no row before the last one notices"),
    "heads last": ("ex-heads-view", lambda x, h: cut_in_order(x, h).mT, "expected the shape"),
    "other numbers": ("ex-heads-view", lambda x, h: 2 * cut_directly(x, h), "other numbers"),
    "still in range": ("ex-long-break", torch.tensor([80.0, 81.0]), "are right"),
    "infinite scores": ("ex-long-break", torch.tensor([math.inf, 0.0]), "finite"),
    "keys on a line": ("ex-long-rank", line, "its own key the weight"),
    "a circle too soft": ("ex-long-rank", lambda n: (circle(n)[1],) * 2, "its own key the weight"),
    "keys of all lengths": ("ex-long-rank", not_of_one_length, "its own key the weight"),
    "in three dimensions": (
        "ex-long-rank",
        lambda n: torch.randn(2, n, 3),
        "expected the shape",
    ),
    "causal inside": (
        "ex-masks-packing",
        lambda n: within(n).tril(),
        "is False and should be True",
    ),
    "true forbids": ("ex-masks-packing", lambda n: ~within(n), "should be"),
    "a row only": ("ex-masks-packing", lambda n: n == n[0], "expected ("),
    "zeros and ones": ("ex-masks-packing", lambda n: within(n).float(), "expected boolean values"),
    "depth adds nothing": ("ex-masks-window", lambda n: 2, "should return"),
    "with itself": ("ex-masks-window", lambda n: 2 * n + 1, "should return"),
    "the plain one pass": (
        "ex-norm-shifted",
        lambda x: (x**2).mean(-1) - x.mean(-1) ** 2,
        "should be",
    ),
    "unbiased": ("ex-norm-shifted", lambda x: x.var(-1), "should be"),
    "the mean taken away": (
        "ex-norm-shifted",
        lambda x: (x**2).mean(-1, keepdim=True) - x.mean(-1, keepdim=True) ** 2,
        "expected (3,)",
    ),
    "one word too many": ("ex-parse-catalan", catalan, "should return"),
    "cuts alone": ("ex-parse-catalan", lambda n: 2 ** (n - 1), "should return"),
    "nothing dropped": ("ex-parse-repair", only_closed, "should return"),
    "any bracket closes": ("ex-parse-repair", whatever_closes, "should return"),
    "a line for a list": ("ex-parse-repair", lambda s: " ".join(closed(s)), "should return"),
    "the paper's frequencies": (
        "ex-positions-library",
        lambda n, d: encoding(n, d, last=0),
        "should be",
    ),
    "the paper's order": ("ex-positions-library", interleaved, "should be"),
    "cosines first": (
        "ex-positions-library",
        lambda n, d: encoding(n, d, turn=(torch.cos, torch.sin)),
        "should be",
    ),
    "without a direction": ("ex-positions-open", linear_bias, "have the same bias"),
    "where, not how far": (
        "ex-positions-open",
        by_place,
        "differ in their bias|not those for places",
    ),
    "one head": ("ex-positions-open", lambda n, q, k: uneven(1, q, k)[0], "expected ("),
    "minus infinity": (
        "ex-positions-open",
        lambda n, q, k: torch.where(k > q[:, None], -math.inf, uneven(n, q, k)),
        "should be",
    ),
    "as many as are hidden": ("ex-t2t-masks", lambda n, r, m: (n * r, n * r / m), "should be"),
    "none of them idle": ("ex-t2t-masks", lambda n, r, m: (n * r / m, 0), "should be"),
    "one number": ("ex-t2t-masks", lambda n, r, m: n * r / m, "expected a tensor"),
    "epsilon itself": ("ex-training-tensor2tensor", lambda e, size: e, "should return"),
    "the other way round": (
        "ex-training-tensor2tensor",
        lambda e, n: e * n / (n - 1),
        "should return",
    ),
    "both sides open": ("ex-vision-layers", lambda s, m: s / m, "should return"),
    "a row a layer": ("ex-vision-layers", lambda s, m: s - m, "should return"),
    "centred": ("ex-why-dilated", lambda *given: convolved(*given, left=1), "should be"),
    "to the right": ("ex-why-dilated", lambda *given: convolved(*given, left=0), "should be"),
}


def judged(exercise, answer, seed=0):
    return verdict(exercise, answer, torch.Generator().manual_seed(seed))


def test_every_check_has_a_right_and_two_wrong_answers():
    assert RIGHT.keys() == JUDGES.keys()
    tried = [exercise for exercise, *_ in WRONG.values()]
    assert {exercise: tried.count(exercise) >= 2 for exercise in JUDGES} == dict.fromkeys(
        JUDGES, True
    )


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("exercise", RIGHT)
def test_the_right_answer_is_right(exercise, dtype):
    """Whatever is drawn, and whatever numbers the chapter has chosen to count with."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        for seed in range(20):
            assert judged(exercise, RIGHT[exercise], seed).startswith("right, ")
    finally:
        torch.set_default_dtype(before)


@pytest.mark.parametrize(("exercise", "answer", "complaint"), WRONG.values(), ids=WRONG)
def test_a_usual_mistake_is_named(exercise, answer, complaint):
    for seed in range(20):
        said = judged(exercise, answer, seed)
        assert said.startswith("not right yet: "), said
        assert any(part in said for part in complaint.split("|")), said


@pytest.mark.parametrize("exercise", FUNCTIONS)
def test_what_a_function_does_wrong_is_said_in_words(exercise):
    def broken(*given):
        raise KeyError("nothing")

    def unsupported(*given):
        raise NotImplementedError("'trace' not implemented for 'Bool'")

    def unwritten(*given):
        raise NotImplementedError

    def said(value):
        return judged(exercise, lambda *given: value)

    assert judged(exercise, unwritten) == "not written yet"
    assert "it raises KeyError: 'nothing'" in judged(exercise, broken)
    assert "it raises NotImplementedError: 'trace'" in judged(exercise, unsupported)
    assert "expected a function, got 7" in judged(exercise, 7)
    assert "it returns None; is there a return?" in said(None)
    for nonsense in ("text", torch.full((2, 2), math.nan), [1, 2, 3, 4], [torch.ones(1)] * 4):
        assert said(nonsense).startswith("not right yet: ")


@pytest.mark.parametrize("exercise", sorted(RIGHT.keys() - set(FUNCTIONS)))
def test_a_finding_of_another_kind_is_no_finding(exercise):
    for answer in ("text", [], object(), {"a": "b"}):
        assert judged(exercise, answer).startswith("not right yet: ")


def test_a_function_that_changes_its_input_is_compared_with_what_it_was_given():
    def in_place(numbers):
        mask = numbers[:, None] == numbers
        numbers.zero_()
        return mask

    assert judged("ex-masks-packing", in_place).startswith("right, ")


def test_numbers_are_fresh_and_those_of_the_notebook_stay():
    seen = []

    def spy(numbers):
        seen.append(tuple(numbers.tolist()))
        return within(numbers)

    torch.manual_seed(0)
    expected = torch.rand(1)
    torch.manual_seed(0)
    check("ex-masks-packing", spy)
    check("ex-masks-packing", spy)
    assert seen[: len(seen) // 2] != seen[len(seen) // 2 :]
    assert torch.rand(1) == expected


def test_what_is_printed_is_the_label_and_the_verdict(capsys):
    check("ex-dp-greedy", None)
    check("ex-dp-greedy", RIGHT["ex-dp-greedy"])
    assert capsys.readouterr().out == (
        "ex-dp-greedy: not written yet\nex-dp-greedy: right, greedy pays 100 times as much\n"
    )


def test_an_exercise_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match="'ex-mask-packing'; did you mean ex-masks-packing"):
        check("ex-mask-packing", within)


def test_no_verdict_shows_code():
    """No line of an oracle is ever part of what is said."""
    lines = {
        text
        for module in (formulas, findings)
        for line in inspect.getsource(module).splitlines()
        if len(text := line.strip()) > 12 and text.startswith(("return ", "mask", "kept"))
    }
    said = [judged(exercise, answer) for exercise, answer, _ in WRONG.values()]
    assert lines
    assert not [line for line in lines for text in said if line.removeprefix("return ") in text]


# --- the cells of the chapters

CALL = re.compile(r'^check\("(ex-[\w-]+)", \w+\)$', re.MULTILINE)


def check_cells():
    """Return position, label and cell of each check in each chapter, with the chapter's cells."""
    for path in sorted((ROOT / "book").glob("*.ipynb")):
        cells = nbformat.read(path, as_version=4).cells
        for at, cell in enumerate(cells):
            if cell.cell_type == "code" and (found := CALL.search(cell.source)):
                yield path.stem, cells, at, found[1]


def test_each_check_stands_below_its_exercise_and_before_the_solution():
    found = list(check_cells())
    assert sorted(label for *_, label in found) == sorted(JUDGES)
    for chapter, cells, at, label in found:
        before, after = (
            "\n".join(c.source for c in part) for part in (cells[:at], cells[at + 1 :])
        )
        assert f":label: {label}\n" in cells[at - 1].source, f"{chapter}: {label}"
        assert re.search(rf"\{{solution(-start)?\}} {label}\n", after), f"{chapter}: {label}"
        assert before.count("annotated_transformer.lab.exercises import check") <= 1


def test_what_is_committed_is_not_written_yet():
    for chapter, cells, at, label in check_cells():
        (output,) = cells[at].outputs
        assert output.text == f"{label}: not written yet\n", chapter
