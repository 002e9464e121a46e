"""The arguments of the commands: their names, defaults and help."""

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from annotated_transformer import __version__
from annotated_transformer.checks import check_path, shown

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction["Parser"]

Add = Callable[..., Any]
"""`add_argument` of the parser of a command."""
PROGRAM = "annotated-transformer"


SIGPIPE = 13  # of the module signal, where Windows has none


class Parser(argparse.ArgumentParser):
    """A parser that says so where its help cannot be written; argparse passes it over."""

    def _print_message(self, message: str, file: Any = None) -> None:
        if file is None or file is not sys.stdout:
            super()._print_message(message, file)
            return
        try:
            file.write(message)
            file.flush()
        except BrokenPipeError:
            drop_output()
            self.exit(128 + SIGPIPE)
        except OSError as error:
            drop_output()
            self.exit(1, f"{self.prog}: error: standard output: {error.strerror}\n")


def drop_output() -> None:
    """Drop what is still to be written: Python would complain again when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Once(argparse.Action):
    """What an option is given, which must be the same where it is given again."""

    _seen: tuple[argparse.Namespace | None, Any] = (None, None)

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option: str | None = None,
    ) -> None:
        """Keep the value, unless the option has another one already."""
        before, given = self._seen
        if option and before is namespace and given != values:
            raise argparse.ArgumentError(
                self, f"it is {shown(given)} and {shown(values)}; give it once"
            )
        self._seen = namespace, values
        setattr(namespace, self.dest, values)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the program, which has one of each command."""
    program = Parser(
        prog=PROGRAM, description="Train the Transformer of the paper, translate, score, describe."
    )
    program.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = program.add_subparsers(required=True, metavar="COMMAND", dest="command")
    _add_train(commands)
    _add_translate(commands)
    _add_evaluate(commands)
    _add_describe(commands)
    _add_export(commands)
    return program


def _command(commands: "Commands", name: str, summary: str, epilog: str | None = None) -> Add:
    """Add a command; its help begins with what the list of commands says about it."""
    description = f"{summary[0].upper()}{summary[1:]}."
    command = commands.add_parser(name, help=summary, description=description, epilog=epilog)
    command.register("action", None, _Once)
    return command.add_argument


def _path(text: str) -> Path:
    """Return the path of a text; an empty one, of a variable that is not set, say, is no path."""
    if not text:
        raise argparse.ArgumentTypeError("it is empty; expected a path (. is the current folder)")
    try:
        return check_path("it", text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _name(text: str) -> str:
    """Return what names a recipe, a model or a row, as it is; an empty text names nothing."""
    _path(text)
    return text


def _text(text: str) -> str:
    """Return a text in UTF-8, also where the system's locale has given bytes (LC_ALL=C)."""
    try:
        return os.fsencode(text).decode("utf-8")
    except UnicodeError:
        return text  # refused with its place, as any text


def _add_train(commands: "Commands") -> None:
    add = _command(commands, "train", "train a model as a recipe says")
    add("recipe", type=_name, help="a recipe file (.toml) or the name of one that is built in")
    add("--out", type=_path, required=True, help="directory of the run")
    about = "change a value of the recipe, for instance training.steps=200 (may be repeated)"
    add("--set", action="append", default=[], metavar="KEY=VALUE", dest="overrides", help=about)
    about = "updates in all; with --resume, more than before extend a finished run"
    add("--steps", type=int, help=about)
    add("--resume", action="store_true", help="continue a run, moved or not")
    about = "with --resume: also under conditions that give other numbers, which are recorded"
    add("--as-new-sitting", action="store_true", dest="new_sitting", help=about)
    about = "begin with weights and tokenizer of a run, a model or one in the package"
    add("--from", dest="start", type=_name, metavar="MODEL", help=about)
    _add_device(add)
    _add_data_dir(add)


def _add_model(add: Add) -> None:
    about = "directory of a model or of a finished run, or the name of a model in the package"
    add("model", type=_path, help=about)


def _add_device(add: Add) -> None:
    add("--device", default="auto", help="auto (the default), cpu or cuda")


def _add_data_dir(add: Add) -> None:
    add(
        "--data-dir",
        type=_path,
        help="directory of downloads and tokenised corpora (default $ANNOTATED_TRANSFORMER_DATA, "
        "else the usual place for caches)",
    )


def _add_search_options(add: Add) -> None:
    """Add the options of the search; the run's recipe decides those that are not given."""
    default = "default as the run's recipe says, else"
    add("--beam-size", type=int, help=f"hypotheses kept ({default} 4)")
    add("--length-penalty", type=float, help=f"exponent alpha ({default} 0.6)")
    add("--batch-size", type=int, default=32, help="sentences at a time (default 32)")
    add(
        "--workers",
        type=int,
        default=1,
        help="processes that translate side by side on a CPU, a thread each (default 1, "
        "which uses the threads that no other program disturbs)",
    )
    about = "float32 (the default), or int8, for a CPU; wide models gain most"
    add("--precision", default="float32", help=about)
    _add_device(add)


def _add_translate(commands: "Commands") -> None:
    add = _command(
        commands,
        "translate",
        "translate an argument, or standard input",
        "Standard input gives one line for each line. A blank line gives an empty one; so "
        "does a line that cannot be translated, with a warning, and the exit status is then 1.",
    )
    _add_model(add)
    add("text", nargs="?", type=_text, help="one sentence; without it, a line each from stdin")
    _add_search_options(add)


def _add_evaluate(commands: "Commands") -> None:
    add = _command(commands, "evaluate", "translate a test set and score the result")
    _add_model(add)
    add(
        "--split",
        action="append",
        dest="splits",
        help="split of the run's corpus, or of english_korean for a model alone: test, "
        "compositional or valid there (may be repeated; default as the run's recipe says, "
        "else test)",
    )
    about = "the run's recipe, if its corpus is no longer where the run looks for it"
    add("--recipe", type=_name, help=about)
    about = "file of sentences to translate, with --target in place of a split"
    add("--source", type=_path, help=about)
    add("--target", type=_path, help="file of their translations")
    add("--tokenize", help="sacrebleu's tokenizer (default as the run's recipe says, else 13a)")
    add("--json", action="store_true", dest="as_json", help="print the scores as JSON")
    _add_data_dir(add)
    _add_search_options(add)


def _add_describe(commands: "Commands") -> None:
    add = _command(commands, "describe", "show a configuration and count its parameters")
    about = 'base, big, tiny, a row such as "C: n_layers=2", a recipe, a model or a run'
    add("what", type=_name, help=about)
    add("--vocab-size", type=int, help="for a preset or a row (default 37000, section 5.1)")
    add("--json", action="store_true", dest="as_json", help="print it as JSON")


def _add_export(commands: "Commands") -> None:
    add = _command(commands, "export", "write a model for another program to serve")
    _add_model(add)
    add("out", type=_path, help="directory to write")
    about = "ctranslate2 (the default) or onnx"
    add("--format", default="ctranslate2", dest="file_format", help=about)
