"""The command line: train, translate, evaluate, describe, export.

Errors are one line on standard error and exit status 1, wrong usage 2, and 128 plus the signal's
number after Ctrl-C (130) or SIGTERM (143). What the commands do is in `commands.py`, which imports
PyTorch and is therefore imported late: `--help` and wrong usage are answered without it.
"""

import argparse
import os
import shlex
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

PROGRAM = "annotated-transformer"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    if sys.stderr is None:  # closed by whoever started us, with 2>&-
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        print(f"{PROGRAM}: error: standard output is closed", file=sys.stderr)
        return 1
    options = _parsed(arguments)
    try:
        status = _run(options, arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of our output closed it. Python would complain again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except KeyboardInterrupt as stop:
        print(f"{PROGRAM}: {str(stop) or 'interrupted'}", file=sys.stderr)
        return 128 + int(getattr(stop, "signal", signal.SIGINT))
    except (OSError, ValueError, ArithmeticError) as error:
        print(f"{PROGRAM}: error: {_one_line(error)}", file=sys.stderr)
        return 1
    except (MemoryError, RuntimeError) as error:
        if not _is_out_of_memory(error):
            raise
        print(
            f"{PROGRAM}: error: out of memory; smaller batches (--batch-size or, for train, "
            "training.tokens_per_batch), fewer workers or a smaller model need less",
            file=sys.stderr,
        )
        return 1
    return status


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """The arguments by name; options may stand before, between and after the others."""
    parser = _parser()
    commands = {
        name: command
        for action in parser._actions
        if isinstance(action, argparse._SubParsersAction)
        for name, command in action.choices.items()
    }
    command = commands.get(arguments[0]) if arguments else None
    if command is None:
        return parser.parse_args(arguments)  # --help, or wrong usage
    # Asked through the parser of all commands, argparse before Python 3.12 refuses
    # `translate MODEL --beam-size 2 TEXT`.
    options = command.parse_intermixed_args(arguments[1:])
    options.command = arguments[0]
    return options


def _run(options: argparse.Namespace, arguments: Sequence[str]) -> int:
    """Call the function of `commands.py` that has the name of the command; return its status."""
    from annotated_transformer import commands  # noqa: PLC0415  (imports PyTorch)

    settings = vars(options)
    name = settings.pop("command")
    data_dir = settings.pop("data_dir", None)
    if data_dir is not None:
        # For this process and those that it starts.
        os.environ["ANNOTATED_TRANSFORMER_DATA"] = str(data_dir.absolute())
    if name == "train":
        # The record tells how to repeat the run from its beginning.
        again = [argument for argument in arguments if argument != "--resume"]
        settings["command"] = shlex.join([PROGRAM, *again])
    return getattr(commands, name)(**settings) or 0


def _is_out_of_memory(error: Exception) -> bool:
    """Whether Python, or PyTorch on a GPU or a CPU, ran out of memory."""
    from torch import OutOfMemoryError  # noqa: PLC0415  (slow to import)

    # PyTorch's allocator on the CPU raises a plain RuntimeError.
    kinds = (MemoryError, OutOfMemoryError)
    return isinstance(error, kinds) or "DefaultCPUAllocator" in str(error)


def _one_line(error: Exception) -> str:
    """The message of an error; the name of a file stands first."""
    if isinstance(error, OSError) and error.strerror:
        name = f"{error.filename}: " if error.filename else ""
        return f"{name}{error.strerror}"
    return " ".join(str(error).split("\n"))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description="Train the Transformer of the paper, translate, score, describe.",
    )
    commands = parser.add_subparsers(
        required=True, metavar="COMMAND", dest="command"
    )
    _add_train(commands)
    _add_translate(commands)
    _add_evaluate(commands)
    _add_describe(commands)
    _add_export(commands)
    return parser


def _add(
    commands: "Commands", name: str, summary: str, epilog: str | None = None
) -> argparse.ArgumentParser:
    """A command; what the list of commands says of it begins its own help."""
    return commands.add_parser(
        name,
        help=summary,
        description=f"{summary[0].upper()}{summary[1:]}.",
        epilog=epilog,
    )


def _add_train(commands: "Commands") -> None:
    command = _add(commands, "train", "train a model as a recipe says")
    command.add_argument(
        "recipe",
        help="a recipe file (.toml) or the name of one that is built in",
    )
    command.add_argument(
        "--out", type=Path, required=True, help="directory of the run"
    )
    command.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        dest="overrides",
        help="change a value of the recipe, for instance training.steps=200 (may be repeated)",
    )
    command.add_argument(
        "--resume", action="store_true", help="continue an unfinished run"
    )
    _add_device(command)
    _add_data_dir(command)


def _add_model(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "model",
        type=Path,
        help="directory of a model or of a finished run, or the name of a model in the package",
    )


def _add_device(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--device", default="auto", help="auto (the default), cpu or cuda"
    )


def _add_data_dir(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--data-dir",
        type=Path,
        help="directory of downloads and tokenised corpora (default $ANNOTATED_TRANSFORMER_DATA, "
        "else the usual place for caches)",
    )


def _add_search_options(command: argparse.ArgumentParser) -> None:
    """The options of the search; those that are not given are as the run's recipe says."""
    default = "default as the run's recipe says, else"
    command.add_argument(
        "--beam-size", type=int, help=f"hypotheses kept ({default} 4)"
    )
    command.add_argument(
        "--length-penalty", type=float, help=f"exponent alpha ({default} 0.6)"
    )
    command.add_argument(
        "--batch-size",
        type=int,
        default=32,
        help="sentences at a time (default 32)",
    )
    command.add_argument(
        "--workers",
        type=int,
        default=1,
        help="processes that translate side by side on a CPU, a thread each (default 1, "
        "which uses all threads)",
    )
    command.add_argument(
        "--precision",
        default="float32",
        help="float32 (the default), or int8, for a CPU; wide models gain most",
    )
    _add_device(command)


def _add_translate(commands: "Commands") -> None:
    command = _add(
        commands,
        "translate",
        "translate an argument, or standard input",
        "Standard input gives one line for each line. A blank line gives an empty one; so "
        "does a line that cannot be translated, with a warning, and the exit status is then 1.",
    )
    _add_model(command)
    command.add_argument(
        "text",
        nargs="?",
        help="one sentence; without it, a line each from stdin",
    )
    _add_search_options(command)


def _add_evaluate(commands: "Commands") -> None:
    command = _add(
        commands, "evaluate", "translate a test set and score the result"
    )
    _add_model(command)
    command.add_argument(
        "--split",
        action="append",
        dest="splits",
        help="split of the run's corpus, or of english_korean for a model alone: test, "
        "compositional or valid there (may be repeated; default as the run's recipe says, "
        "else test)",
    )
    command.add_argument(
        "--source",
        type=Path,
        help="file of sentences to translate, with --target in place of a split",
    )
    command.add_argument(
        "--target", type=Path, help="file of their translations"
    )
    command.add_argument(
        "--tokenize",
        help="sacrebleu's tokenizer (default as the run's recipe says, else 13a)",
    )
    command.add_argument(
        "--json",
        action="store_true",
        dest="as_json",
        help="print the scores as JSON",
    )
    _add_data_dir(command)
    _add_search_options(command)


def _add_describe(commands: "Commands") -> None:
    command = _add(
        commands, "describe", "show a configuration and count its parameters"
    )
    command.add_argument(
        "what",
        help='base, big, tiny, a row such as "C: n_layers=2", a recipe, a model or a run',
    )
    command.add_argument(
        "--vocab-size",
        type=int,
        help="for a preset or a row (default 37000, section 5.1)",
    )
    command.add_argument(
        "--json", action="store_true", dest="as_json", help="print it as JSON"
    )


def _add_export(commands: "Commands") -> None:
    command = _add(
        commands, "export", "write a model for another program to serve"
    )
    _add_model(command)
    command.add_argument("out", type=Path, help="directory to write")
    command.add_argument(
        "--format",
        default="ctranslate2",
        dest="file_format",
        help="ctranslate2 (the default) or onnx",
    )
