"""The command line: what it prints, its one-line errors, and its exit statuses."""

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace

import interrupted
import pytest
import torch
from forked import Forked
from patience import PATIENCE
from tiny_run import write_recipe

import annotated_transformer
from annotated_transformer import cli, evaluation
from annotated_transformer.cli import arguments, commands, main
from annotated_transformer.cli.streaming import on_one_line
from annotated_transformer.config import TABLE3, TransformerConfig
from annotated_transformer.fast.int8 import Int8Linear
from annotated_transformer.fast.linear import Linear
from annotated_transformer.saving import load_model
from annotated_transformer.text import BLANK
from annotated_transformer.training import loop
from annotated_transformer.training.recipe import load_recipe
from annotated_transformer.training.recipe.schema import dump
from annotated_transformer.training.run import beginning, trained
from annotated_transformer.training.run.manifest import read_manifest
from annotated_transformer.training.run.signals import StopRequest, stopping_with
from annotated_transformer.translation import Translation
from annotated_transformer.translator import Translator

ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1"}


def start(*arguments, **options):
    program = [sys.executable, "-m", "annotated_transformer", *map(str, arguments)]
    return subprocess.Popen(
        program,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
        **options,
    )


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return write_recipe(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="module")
def run(corpus, tmp_path_factory):
    """A finished run, made by the command line."""
    torch.set_num_threads(1)
    out = tmp_path_factory.mktemp("runs") / "run"
    assert main(["train", str(corpus), "--out", str(out), "--set", "training.steps=6"]) == 0
    return out


@pytest.fixture
def error_of(capsys):
    """Run a command that must fail and give its message, checked for its form."""

    def error_of(*arguments, status=1):
        assert main([str(argument) for argument in arguments]) == status
        captured = capsys.readouterr()
        lines = captured.err.splitlines()
        assert len(lines) == 1
        assert lines[0].startswith("annotated-transformer: error: ")
        # Before it reads the corpus, train says what the run will cost.
        assert all(line.startswith("tiny_run: ") for line in captured.out.splitlines())
        return lines[0].removeprefix("annotated-transformer: error: ")

    return error_of


@pytest.fixture
def stdin(monkeypatch):
    """Give bytes to standard input."""

    def give(content):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), "utf-8"))

    return give


# Usage.


@pytest.mark.parametrize("arguments", [["--help"], ["train", "--help"], ["translate", "--help"]])
def test_help(capsys, arguments):
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 0
    assert "usage: annotated-transformer" in capsys.readouterr().out


def test_the_version_that_one_cites_is_said(capsys):
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"annotated-transformer {annotated_transformer.__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["fly"],
        ["train"],
        ["train", "english_korean"],
        ["translate"],
        ["translate", "m", "--beam"],
        ["describe"],
        ["describe", "base", "-x"],
    ],
)
def test_wrong_usage_is_status_2(capsys, arguments):
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    assert "usage: annotated-transformer" in capsys.readouterr().err


def test_command_line_module_itself_imports_nothing_heavy():
    code = f"import sys; exec(open({cli.__file__!r}).read()); print('torch' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert result.stdout.split() == [b"False"]


# train


def test_train_leaves_a_record_with_its_command(run, corpus):
    record = json.loads((run / "record.json").read_text())
    assert record["command"] == (
        f"annotated-transformer train {corpus} --out {run} --set training.steps=6"
    )
    assert record["settings"]["training"]["steps"] == 6


def test_train_prints_what_came_out(corpus, tmp_path, capsys):
    out = tmp_path / "run"
    assert main(["train", str(corpus), "--out", str(out), "--set", "training.steps=2"]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"tiny_run: [\d,]+ parameters, 2 steps in \d+ s", printed)
    assert "exact_match" in printed
    assert str(out) in printed


def test_train_in_an_occupied_directory(error_of, corpus, run, tmp_path):
    other = ("train", corpus, "--out", run, "--set", "training.warmup_steps=7")
    assert "another recipe: training.warmup_steps is 6 there" in error_of(*other)
    assert "holds a finished run of this recipe; --resume with training.steps above 6" in error_of(
        "train", corpus, "--out", run
    )
    same = ("train", corpus, "--out", run, "--set", "training.steps=6")
    assert "holds a finished run of this recipe" in error_of(*same)
    (tmp_path / "letter.txt").touch()
    assert "such as letter.txt" in error_of("train", corpus, "--out", tmp_path)


def file_above(place):
    (place / "note").touch()
    return place / "note/run"


def linked(name):
    """A place that is a link to this name."""

    def make(place):
        (place / "link").symlink_to(name)
        return place / "link"

    return make


PLACES = {
    "a file above": (file_above, "note is a file; choose another place"),
    "a link to itself": (linked("link"), "link is a link to link, which is not there"),
    "a link to nothing": (linked("nowhere"), "link is a link to nowhere, which is not there"),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_place_that_cannot_be_a_run_is_refused_before_anything_is_timed(
    error_of, corpus, tmp_path, monkeypatch, place
):
    make, message = PLACES[place]
    monkeypatch.setattr(commands, "estimate", None)
    assert message in error_of("train", corpus, "--out", make(tmp_path))


def test_a_folder_that_may_not_be_written_is_refused_before_anything_is_timed(
    error_of, corpus, tmp_path, monkeypatch
):
    monkeypatch.setattr(commands, "estimate", None)
    monkeypatch.setattr(os, "access", lambda *arguments, **options: False)
    message = error_of("train", corpus, "--out", tmp_path / "runs/run")
    assert f"you may not write into {tmp_path}; choose another place" in message


def test_what_contradicts_itself_is_refused_before_anything_is_timed(
    error_of, corpus, tmp_path, monkeypatch
):
    monkeypatch.setattr(commands, "estimate", None)
    monkeypatch.setenv("ANNOTATED_TRANSFORMER_DATA", str(tmp_path))  # and back at the end
    train = ("train", corpus, "--out", tmp_path / "run")
    assert "a run that is resumed (--resume)" in error_of(*train, "--as-new-sitting")
    twice = (*train, "--set", "training.steps=3", "--steps", "4")
    assert "'training.steps' is set to '4' and '3'; set it once" in error_of(*twice)
    (tmp_path / "note").touch()
    assert "must name a directory" in error_of(*train, "--data-dir", tmp_path / "note")


@pytest.mark.parametrize("command", ["train", "describe", "translate", "evaluate", "export"])
def test_a_path_that_is_not_utf_8_is_named(capsys, command):
    with pytest.raises(SystemExit) as end:
        main([command, "\udcff", *{"train": ["--out", "x"], "export": ["x"]}.get(command, [])])
    assert end.value.code == 2
    assert "it is '\\udcff', which is not UTF-8; rename" in capsys.readouterr().err


def test_a_model_may_lie_in_a_folder_of_any_name(run, tmp_path, capsys):
    place = shutil.copytree(run / "model", tmp_path / "two\nlines")
    assert main(["translate", str(place), "the cat"]) == 0
    source = tmp_path / "source\nof lines"
    source.write_text("the cat\n")
    capsys.readouterr()
    assert main(["evaluate", str(place), "--source", str(source), "--target", str(source)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0] for line in lines[1:]] == ["source\\nof lines"] * 3


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("training.step=2", "has no key 'step'; did you mean 'steps'?"),
        ("model.d_model=15", "d_model=15 is not divisible by n_heads=2"),
        ("training.steps", "expected key=value"),
        ("model.max_length=5", "train, line 1: the source sentence has"),
        ("training.tokens_per_batch=5", "a batch holds at most 5 (tokens_per_batch)"),
        ("tokenizer.vocab_size=100000", "100000"),
    ],
)
def test_train_with_a_wrong_setting(error_of, corpus, tmp_path, setting, message):
    assert message in error_of("train", corpus, "--out", tmp_path / "run", "--set", setting)


def test_train_without_a_recipe(error_of, tmp_path):
    assert "'nonsense'" in error_of("train", "nonsense", "--out", tmp_path / "run")
    assert "nonsense.toml" in error_of("train", "nonsense.toml", "--out", tmp_path / "run")


BAD_FILES = {
    "different lengths": (b"a cat\na dog\n", "고양이\n".encode(), "train"),
    "invalid UTF-8": (b"a cat\na \xff dog\n", "고양이\n개\n".encode(), "line 2|:2"),
    "empty line": (b"a cat\n\n", "고양이\n개\n".encode(), "line 2|:2"),
    "empty corpus": (b"", b"", "train"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_train_on_bad_files(error_of, tmp_path, name):
    recipe = write_recipe(tmp_path)
    source, target, message = BAD_FILES[name]
    (tmp_path / "train.en").write_bytes(source)
    (tmp_path / "train.ko").write_bytes(target)
    error = error_of("train", recipe, "--out", tmp_path / "run")
    assert "train.en" in error
    assert re.search(message, error)


def test_train_on_missing_files(error_of, tmp_path):
    recipe = write_recipe(tmp_path)
    (tmp_path / "valid.ko").unlink()
    assert "valid.ko" in error_of("train", recipe, "--out", tmp_path / "run")


def test_full_disk_ends_the_run_and_keeps_the_last_checkpoint(corpus, tmp_path):
    out = tmp_path / "run"
    command = ["train", str(corpus), "--out", str(out)]
    status, errors = Forked(interrupted.full_disk, 8, *command).end()
    assert status == 1
    [line] = errors.splitlines()
    assert line.startswith("annotated-transformer: error: ")
    assert "step_000008" in line
    assert "could not be written" in line
    kept = {path.name for path in (out / "checkpoints").iterdir()}
    assert kept - {"best"} == {"step_000004"}
    assert main([*command, "--resume"]) == 0
    assert "--resume" not in json.loads((out / "record.json").read_text())["command"]


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_signal_saves_and_ends_with_its_status(corpus, tmp_path, number, status):
    out = tmp_path / "run"
    command = ["train", str(corpus), "--out", str(out), "--set", "training.steps=100000"]
    process = Forked(main, command)
    deadline = time.monotonic() + PATIENCE
    while not (out / "log.jsonl").exists() or (out / "log.jsonl").stat().st_size == 0:
        assert process.poll() is None, process.errors()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(number)
    ended, errors = process.end()
    assert ended == status
    assert re.fullmatch(
        rf"annotated-transformer: stopped after step (\d+), saved in {out}; .*--resume.*",
        errors.strip(),
    )
    step = int(re.search(r"step (\d+)", errors).group(1))
    assert (out / "checkpoints" / f"step_{step:06d}" / "state.json").exists()


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize(
    "place", ["estimate", "open_corpus", "make_tokenizer", "encode_corpus", "evaluate"]
)
def test_signal_beside_the_training_ends_with_a_message(
    corpus, tmp_path, monkeypatch, capsys, place, number, status
):
    out, before = tmp_path / "run", signal.getsignal(number)
    command = ["train", str(corpus), "--out", str(out), "--set=training.steps=4"]
    with monkeypatch.context() as patch:
        module = {"estimate": commands, "evaluate": evaluation}.get(place, beginning)
        patch.setattr(module, place, lambda *a, **o: os.kill(os.getpid(), number))
        assert main(command) == status
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("annotated-transformer: stopped ")
    assert "--resume" in line
    assert (str(out) in line) == (place == "evaluate") == out.exists()
    assert signal.getsignal(number) is before
    assert main([*command, "--resume"]) == 0
    assert json.loads((out / "record.json").read_text())["scores"]


def test_resume_says_what_remains(corpus, tmp_path, monkeypatch, capsys):
    out, step = tmp_path / "run", loop.train_step

    def stopping(*arguments, **options):
        if arguments[3] == 9:
            os.kill(os.getpid(), signal.SIGTERM)
        return step(*arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(loop, "train_step", stopping)
        assert main(["train", str(corpus), "--out", str(out)]) == 143
    assert "tiny_run: 12 updates of at most 200" in capsys.readouterr().out
    assert main(["train", str(corpus), "--out", str(out), "--resume"]) == 0
    assert "tiny_run: 3 of 12 updates remain, of at most 200" in capsys.readouterr().out


def test_loss_that_is_not_finite_is_one_line(error_of, corpus, tmp_path, monkeypatch):
    error = FloatingPointError("step 3: the loss is nan, the gradient's norm nan")
    monkeypatch.setattr(commands, "train_recipe", lambda *a, **o: (_ for _ in ()).throw(error))
    assert error_of("train", corpus, "--out", tmp_path) == str(error)


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has\nmore"),
        RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried 9"),
        MemoryError(),
    ],
)
def test_out_of_memory_is_one_line(error_of, corpus, tmp_path, monkeypatch, error):
    monkeypatch.setattr(commands, "train_recipe", lambda *a, **o: (_ for _ in ()).throw(error))
    message = error_of("train", corpus, "--out", tmp_path)
    assert message.startswith("out of memory")
    assert "training.tokens_per_batch" in message


def test_a_bug_keeps_its_traceback(corpus, tmp_path, monkeypatch):
    error = RuntimeError("shapes cannot be multiplied")
    monkeypatch.setattr(commands, "train_recipe", lambda *a, **o: (_ for _ in ()).throw(error))
    with pytest.raises(RuntimeError, match="multiplied"):
        main(["train", str(corpus), "--out", str(tmp_path)])


# translate


def translator_of(run):
    """What the command line loads: beam_size is 1 in the recipe."""
    return Translator.load(run, beam_size=1)


def test_translate_argument_is_what_the_translator_says(run, capsys):
    text = "the cat sees a dog"
    assert main(["translate", str(run), text]) == 0
    assert capsys.readouterr().out == f"{translator_of(run)(text)}\n"


def test_translate_stdin_line_by_line_in_any_chunks(run, capsys, stdin):
    lines = ["the cat sees a dog", "the dog sees a bird today", "the man sees a child"]
    expected = "".join(f"{translation}\n" for translation in translator_of(run)(lines))
    for size in (1, 2, 32):
        stdin("\n".join(lines).encode() + b"\n")
        assert main(["translate", str(run), "--batch-size", str(size)]) == 0
        assert capsys.readouterr().out == expected


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_translate_takes_any_line_end(run, capsys, stdin, end):
    stdin(b"the cat sees a dog" + end)
    assert main(["translate", str(run)]) == 0
    assert capsys.readouterr().out == f"{translator_of(run)('the cat sees a dog')}\n"


def test_translate_drops_a_byte_order_mark(run, capsys, stdin):
    stdin(b"\xef\xbb\xbfthe cat sees a dog\n")
    assert main(["translate", str(run)]) == 0
    assert capsys.readouterr().out == f"{translator_of(run)('the cat sees a dog')}\n"


def test_translate_nothing(run, capsys, stdin):
    stdin(b"")
    assert main(["translate", str(run)]) == 0
    assert capsys.readouterr().out == ""


def test_translate_answers_every_line_and_says_which_are_not_translated(run, capsys, stdin):
    stdin(b"the cat\n\nthe \xff dog\n" + b"cat " * 100 + b"\nthe dog")
    assert main(["translate", str(run)]) == 1
    cat, dog = translator_of(run)(["the cat", "the dog"])
    captured = capsys.readouterr()
    assert captured.out == f"{cat}\n\n\n\n{dog}\n"
    warnings = [line for line in captured.err.splitlines() if "reached the maximum" not in line]
    assert len(warnings) == 3
    assert warnings[0].startswith("warning: standard input, line 3 is not translated: byte 0xff")
    assert re.match(r"warning: standard input, line 4 .* at most 64$", warnings[1])
    assert warnings[2] == "2 of 5 lines are not translated; in the output they are empty"


def exchange(run, content, *options):
    """Give bytes to the program and return its output, what it warned of, and its status."""
    process = start("translate", run, *options)
    out, err = process.communicate(content, timeout=PATIENCE)
    assert b"Traceback" not in err
    return out, err.decode(), process.returncode


def test_translate_gives_one_line_for_each_line_whatever_it_holds(run):
    lines = [
        "the cat \U0001f600 \U0001f468\u200d\U0001f469\u200d\U0001f467 sees",
        *(f"the{chr(code)}cat" for code in range(32) if chr(code) != "\n"),
        "a\u2028b\u2029c\x85d\x7f",
        "\x00",
        "",
        " \t ",
        "cat " * 10_000,
        "\ufeffthe dog",
        "the dog",
    ]
    out, err, status = exchange(run, "\ufeff".encode() + "\r\n".join(lines).encode())
    answers = out.decode().split("\n")
    assert len(answers) == len(lines) + 1
    assert answers.pop() == ""
    wrong = lines.index("cat " * 10_000)
    found = translator_of(run).translations(lines)
    assert answers == [on_one_line(each.text) for each in found]
    refused = [each for each in found if each.refusal and each.refusal != BLANK]
    assert f"line {wrong + 1} is not translated: it has" in err
    assert f"{len(refused)} of {len(lines)} lines are not translated" in err
    assert status == 1


def test_translate_answers_what_has_arrived_without_waiting_for_more(run):
    process = start("translate", run)
    expected = translator_of(run)
    for text in ("the cat", "the dog sees a bird"):
        process.stdin.write(f"{text}\n".encode())
        process.stdin.flush()
        assert process.stdout.readline().decode() == f"{expected(text)}\n"
    assert process.communicate(timeout=PATIENCE)[0] == b""
    assert process.returncode == 0


def answers(text, texts):
    """Return what `Translator.translations` might."""
    return [Translation(text=text, finished=True, unknown_words=()) for _ in texts]


def test_translate_names_words_that_the_model_has_never_seen(run, capsys, stdin):
    spellings = json.loads((run / "model" / "text.json").read_text("utf-8"))["words"]
    known = {word.lower() for word in spellings}
    seen = " ".join(spellings[:3])
    assert main(["translate", str(run), f"{seen} pizza"]) == 0
    captured = capsys.readouterr()
    assert captured.err == f"pizza is not among the {len(known)} words of this model\n"
    assert len(captured.out.splitlines()) == 1
    stdin(f"{seen}\nPizza {seen} tofu\n".encode())
    assert main(["translate", str(run)]) == 0
    assert capsys.readouterr().err == (
        "warning: standard input, line 2: Pizza and tofu are not among the "
        f"{len(known)} words of this model\n"
    )


def test_a_model_without_words_says_nothing(run, tmp_path, capsys):
    shutil.copytree(run, tmp_path / "run")
    (tmp_path / "run" / "model" / "text.json").unlink()
    assert main(["translate", str(tmp_path / "run"), "pizza"]) == 0
    assert capsys.readouterr().err == ""


def test_translate_takes_the_settings_of_the_run(run, monkeypatch):
    seen = []
    monkeypatch.setattr(
        Translator,
        "translations",
        lambda self, texts: seen.append((self.beam_size, self.alpha)) or answers("", texts),
    )
    main(["translate", str(run), "the cat"])
    main(["translate", str(run), "the cat", "--beam-size", "3", "--length-penalty", "0.2"])
    assert seen == [(1, 0.6), (3, 0.2)]


def test_translate_in_eight_bits(run, monkeypatch):
    seen = []
    monkeypatch.setattr(
        Translator,
        "translations",
        lambda self, texts: seen.append(type(self.model.output)) or answers("", texts),
    )
    main(["translate", str(run), "the cat"])
    main(["translate", str(run), "the cat", "--precision", "int8", "--device", "cpu"])
    assert seen == [Linear, Int8Linear]


def test_a_model_of_the_package_has_the_settings_of_its_recipe(run, tmp_path, monkeypatch, capsys):
    shutil.copytree(run / "model", tmp_path / "english_korean")
    monkeypatch.setattr("annotated_transformer.shipped.MODELS", tmp_path)
    seen = []
    monkeypatch.setattr(
        Translator,
        "translations",
        lambda self, texts: seen.append(self) or answers("the cat", texts),
    )
    assert main(["translate", "english_korean", "the cat"]) == 0
    recipe = load_recipe("english_korean")
    assert seen[0].beam_size == recipe.evaluation.beam_size
    assert capsys.readouterr().out == "the cat\n"


def test_translation_with_a_line_break_stays_one_line(run, capsys, monkeypatch):
    monkeypatch.setattr(
        Translator, "translations", lambda self, texts: answers("one\ntwo\rthree", texts)
    )
    assert main(["translate", str(run), "the cat"]) == 0
    assert capsys.readouterr().out == "one two three\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--beam-size", "0"], "beam_size"),
        (["--batch-size", "0"], "batch_size"),
        (["--device", "tpu"], "'tpu'"),
        (["--device", "cpu:foo"], "device 'cpu:foo' is none of auto, cpu, cuda"),
        (["--precision", "int4"], "precision is 'int4'; expected one of float32, int8"),
    ],
)
def test_translate_with_a_wrong_option(error_of, run, options, message):
    assert message in error_of("translate", run, "the cat", *options)


@pytest.mark.parametrize("text", ["", "  "])
def test_translate_an_empty_argument(error_of, run, text):
    assert "blank" in error_of("translate", run, text)


ORDERS = [
    ["MODEL", "--beam-size", "2", "TEXT"],
    ["--beam-size", "2", "MODEL", "TEXT"],
    ["MODEL", "TEXT", "--beam-size=2"],
    ["--device", "cpu", "MODEL", "--beam-size", "2", "TEXT"],
    ["MODEL", "--beam-size", "2", "--", "TEXT"],
]


@pytest.mark.parametrize("order", ORDERS)
def test_options_stand_wherever_one_likes(run, capsys, order):
    given = {"MODEL": str(run), "TEXT": "the cat sees a dog"}
    assert main(["translate", *(given.get(word, word) for word in order)]) == 0
    wanted = Translator.load(run, beam_size=2)("the cat sees a dog")
    assert capsys.readouterr().out == f"{wanted}\n"


def test_every_command_takes_its_options_in_any_order(tmp_path):
    """Those with a value and a positional argument each: argparse's own order and the reverse."""
    for given in (
        ["train", "tiny", "--out", "x", "--set", "a=1"],
        ["translate", "m", "text", "--beam-size", "3"],
        ["evaluate", "m", "--split", "test", "--workers", "2"],
        ["describe", "base", "--vocab-size", "9"],
        ["export", "m", "out", "--format", "onnx"],
    ):
        name, *rest = given
        first = next(n for n, word in enumerate(rest) if word.startswith("--"))
        positional, options = rest[:first], rest[first:]
        wanted = vars(cli._parsed(given))
        assert wanted["command"] == name
        assert vars(cli._parsed([name, *options, *positional])) == wanted
        between = [name, *positional[:1], *options, *positional[1:]]
        assert vars(cli._parsed(between)) == wanted


def test_a_text_may_begin_with_a_dash(run, capsys):
    assert main(["translate", str(run), "--", "-cat"]) == 0
    assert "'-' left out" in capsys.readouterr().err
    assert main(["translate", str(run), "- the cat"]) == 0


@pytest.mark.parametrize(("stream", "name"), [("stdin", "input"), ("stdout", "output")])
def test_a_closed_stream_is_one_sentence(run, monkeypatch, capsys, stream, name):
    """As Python has it after `<&-` or `>&-`."""
    monkeypatch.setattr(sys, stream, None)
    assert main(["translate", str(run)]) == 1
    monkeypatch.undo()
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"annotated-transformer: error: standard {name} is closed")


def test_translate_without_a_model(error_of, tmp_path):
    assert "nowhere" in error_of("translate", tmp_path / "nowhere", "the cat")


def test_translate_with_a_corrupt_model(error_of, run, tmp_path):
    copy = tmp_path / "model"
    subprocess.run(["cp", "-r", str(run / "model"), str(copy)], check=True)
    (copy / "model.safetensors").write_bytes(b"nonsense")
    assert "model.safetensors is corrupt" in error_of("translate", copy, "the cat")


def test_reader_that_stops_reading_is_no_error(run):
    process = start("translate", run, "--batch-size", 1)
    process.stdout.close()
    with process.stdin as stdin:
        stdin.write(b"the cat sees a dog\n" * 5)
    with process.stderr as stderr:
        errors = stderr.read().decode()
    process.wait(timeout=PATIENCE)
    assert process.returncode == 128 + signal.SIGPIPE
    assert "Traceback" not in errors
    assert "Exception" not in errors


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_behind_standard_output_is_named(unbuffered):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "annotated_transformer", "describe", "tiny"],
            check=False,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE,
        )
    assert done.returncode == 1
    assert done.stderr == (
        "annotated-transformer: error: standard output: No space left on device\n"
    )


def test_standard_input_that_cannot_be_read_is_named(tmp_path):
    with open(tmp_path / "written", "w") as written:
        done = subprocess.run(
            [sys.executable, "-m", "annotated_transformer", "translate", "english_korean"],
            check=False,
            stdin=written,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "annotated-transformer: error: standard input: Bad file descriptor\n"


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT])
def test_a_signal_that_is_ignored_stays_ignored(number):
    """As `nohup` asks for, and a shell for what it runs in the background."""
    before = signal.signal(number, signal.SIG_IGN)
    try:
        with stopping_with("stopped"), StopRequest() as request:
            os.kill(os.getpid(), number)
            assert signal.getsignal(number) is signal.SIG_IGN
        assert request.signal is None
    finally:
        signal.signal(number, before)


def test_no_file_gets_the_number_of_a_closed_stream():
    work = "import os; from annotated_transformer import cli; cli.main(['describe', 'nobody']); "
    work += "print([os.readlink(f'/proc/self/fd/{n}') for n in (0, 2)])"
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$0" -c "$1" <&- 2>&-', sys.executable, work],
        check=False,
        stdout=subprocess.PIPE,
        text=True,
        timeout=PATIENCE,
    )
    assert done.stdout == "['/dev/null', '/dev/null']\n"


def test_an_argument_in_bytes_is_read_as_utf_8(monkeypatch):
    """As Python gives it where the locale is none (LC_ALL=C)."""
    monkeypatch.setattr(os, "fsencode", lambda text: str(text).encode("ascii", "surrogateescape"))
    korean = "나는 학생이다"
    given = korean.encode().decode("ascii", "surrogateescape")
    options = arguments.parser().parse_args(["translate", given, given])
    assert options.text == korean
    assert str(options.model) == given  # which the system takes for the bytes that they are


# evaluate


def test_evaluate_repeats_the_scores_of_the_record(run, capsys):
    record = json.loads((run / "record.json").read_text())
    assert main(["evaluate", str(run), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == record["scores"]


def test_evaluate_files_prints_a_table(run, corpus, capsys):
    source, target = corpus.parent / "valid.en", corpus.parent / "valid.ko"
    arguments = ["evaluate", str(run), "--source", str(source), "--target", str(target)]
    assert main([*arguments, "--beam-size", "1", "--tokenize", "char"]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"^valid\.en +BLEU +\d+\.\d\d +.*tok:char", printed, re.MULTILINE)
    assert re.search(r"^valid\.en +exact_match ", printed, re.MULTILINE)


def changed(run, name, **sections):
    """A copy of a run whose manifest, and the recipe beside it, have other settings."""
    copy = shutil.copytree(run, run.parent / name)
    manifest = read_manifest(copy / "manifest.json")
    finished = manifest.finished | sections.pop("finished", {})
    recipe = {**manifest.recipe}
    for section, settings in sections.items():
        recipe[section] = {**recipe[section], **settings}
    replace(manifest, recipe=recipe, finished=finished).write(copy / "manifest.json")
    (copy / "recipe.toml").write_text(dump(recipe), "utf-8")
    return copy


@pytest.mark.parametrize("place", [".", "model", "checkpoints/best"])
def test_evaluate_takes_the_settings_of_the_run(run, place, monkeypatch, capsys):
    """Of the recipe: one beam, another tokenizer, another split than the usual ones."""
    settings = {"splits": ["valid", "test"], "length_penalty": 0.9, "tokenize": "char"}
    copy = changed(run, f"other-{place.replace('/', '-')}", evaluation=settings)
    used = []

    def evaluate_split(translator, pairs, *, split, tokenize, progress):
        used.append((split, len(pairs), tokenize, translator.beam_size, translator.alpha))
        return []

    monkeypatch.setattr(commands, "evaluate_split", evaluate_split)
    assert main(["evaluate", str(copy / place)]) == 0
    assert used == [("valid", 10, "char", 1, 0.9), ("test", 6, "char", 1, 0.9)]
    used.clear()
    options = ["--split", "train", "--tokenize", "intl", "--beam-size", "2"]
    assert main(["evaluate", str(copy / place), *options, "--length-penalty", "0"]) == 0
    assert used == [("train", 80, "intl", 2, 0.0)]
    monkeypatch.chdir(copy / "model")
    assert main(["evaluate", "."]) == 0
    assert [split for split, *_ in used[1:]] == ["valid", "test"]


@pytest.mark.parametrize("place", [".", "model"])
def test_evaluate_takes_the_length_penalty_that_the_run_chose(run, place, monkeypatch):
    settings = {"length_penalties": [0.2, 1.5], "splits": ["valid"]}
    copy = changed(run, f"chosen-{place}", evaluation=settings, finished={"length_penalty": 1.5})
    used = []
    monkeypatch.setattr(
        commands, "evaluate_split", lambda translator, *_, **__: used.append(translator.alpha) or []
    )
    assert main(["evaluate", str(copy / place)]) == 0
    assert main(["evaluate", str(copy / place), "--length-penalty", "0"]) == 0
    (copy / "record.json").unlink()  # what counts is the manifest
    assert main(["evaluate", str(copy / place)]) == 0
    assert used == [1.5, 0.0, 1.5]


@pytest.mark.parametrize(
    ("content", "alpha"),
    [
        ({"length_penalties": [{"length_penalty": 0.2, "value": 3}]}, 0.2),
        (None, 0.6),
        ({"length_penalties": 3}, None),
        ({}, None),
        ([], None),
    ],
)
def test_a_run_of_an_older_version_has_its_record(run, tmp_path, content, alpha):
    copy = shutil.copytree(run, tmp_path / "run")
    (copy / "manifest.json").unlink()
    (copy / "record.json").unlink()
    text = (copy / "recipe.toml").read_text().replace("penalties = []", "penalties = [0.2, 1.5]")
    (copy / "recipe.toml").write_text(text.replace('splits = ["test"]', 'splits = ["valid"]'))
    if content is not None:
        (copy / "record.json").write_text(json.dumps(content))
    if alpha is None:
        with pytest.raises(ValueError, match=r"record\.json is corrupt"):
            _ = trained.run_of(copy).length_penalty
    else:
        assert trained.run_of(copy).length_penalty == alpha


def test_evaluate_a_run_without_splits_takes_test(run, capsys):
    copy = changed(run, "without", evaluation={"splits": []})
    assert main(["evaluate", str(copy), "--json"]) == 0
    assert {score["split"] for score in json.loads(capsys.readouterr().out)} == {"test"}


def test_evaluate_a_model_alone_takes_the_embedded_corpus(run, tmp_path, monkeypatch, capsys):
    alone = shutil.copytree(run / "model", tmp_path / "model")
    asked = []

    def read_split(corpus, split):
        asked.append((corpus.kind, split))
        return []

    monkeypatch.setattr(trained, "read_split", read_split)
    monkeypatch.setattr(commands, "evaluate_split", lambda *arguments, **options: [])
    assert main(["evaluate", str(alone)]) == 0
    assert main(["evaluate", str(alone), "--split", "valid", "--split", "train"]) == 0
    assert asked == [("english_korean", split) for split in ("test", "valid", "train")]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--split", "dev"], "no split 'dev'; there are train, valid, test"),
        (["--source", "a"], "--source and --target belong together"),
        (["--split", "test", "--source", "a", "--target", "b"], "either --split or"),
        (["--source", "missing.en", "--target", "missing.ko"], "missing.en"),
        (["--tokenize", "mecab"], "'mecab'"),
    ],
)
def test_evaluate_with_a_wrong_option(error_of, run, options, message):
    assert message in error_of("evaluate", run, *options)


# describe


def described(capsys, *arguments):
    assert main(["describe", *map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("preset", ["base", "big", "tiny"])
def test_describe_preset(capsys, preset):
    config = getattr(TransformerConfig, preset)(vocab_size=37_000)
    shown = described(capsys, preset)
    assert shown["config"] == config.to_dict()
    parts = dict(shown["parameters"])
    assert parts.pop("total") == sum(parts.values())


def test_describe_takes_a_vocabulary(capsys):
    sizes = [described(capsys, "tiny", "--vocab-size", n)["parameters"]["total"] for n in (10, 11)]
    assert sizes[1] - sizes[0] == TransformerConfig.tiny(vocab_size=10).d_model


@pytest.mark.parametrize("row", [row for row in TABLE3 if ":" in row][:3])
def test_describe_row_of_table_3(capsys, row):
    assert described(capsys, row)["config"] == TransformerConfig.table3(row).to_dict()


def test_describe_run_and_model(capsys, run):
    config = load_model(run)[0].config.to_dict()
    assert described(capsys, run)["config"] == config
    assert described(capsys, run / "model")["config"] == config


def test_describe_recipe(capsys):
    recipe = load_recipe("english_korean")
    config = recipe.model.config(recipe.tokenizer.vocab_size).to_dict()
    assert described(capsys, "english_korean")["config"] == config


def test_describe_as_text_ends_with_the_total(capsys):
    assert main(["describe", "base"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["vocab_size", "37000"]
    assert lines[-1].split()[0] == "total"
    assert int(lines[-1].split()[1].replace(",", "")) > 60_000_000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bass"], "'bass'"),
        (["C: n_layers=3"], "no row 'C: n_layers=3'"),
        (["base", "--vocab-size", "0"], "vocab_size=0"),
        (["english_korean", "--vocab-size", "5"], "english_korean has its own"),
    ],
)
def test_describe_something_wrong(error_of, arguments, message):
    assert message in error_of("describe", *arguments)


INTERRUPTED_IMPORT = """
import os, signal, sys
from annotated_transformer.cli import main
class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == "torch":
            os.kill(os.getpid(), signal.Signals[sys.argv[1]])
sys.meta_path.insert(0, Interrupts())
status = main(["describe", "english_korean_live"])
print(hasattr(sys.modules.get("annotated_transformer.cli.commands"), "describe"))
sys.exit(status)
"""


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_while_pytorch_is_imported_waits_for_its_end(name):
    """PyTorch and NumPy end in an error of their own, or abort, if they are interrupted then."""
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_IMPORT, name],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 128 + signal.Signals[name]
    assert done.stdout == "True\n"
    assert done.stderr == "annotated-transformer: interrupted\n"
