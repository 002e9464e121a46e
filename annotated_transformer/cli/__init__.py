"""The command line: train, translate, evaluate, describe, export.

Errors are one line on standard error and exit status 1, wrong usage 2, and 128 plus the signal's
number after Ctrl-C (130), SIGTERM (143) or the end of the terminal (129). What the commands do is
in `commands.py`, which imports PyTorch and is therefore imported late: `--help` and wrong usage are
answered without it. Their arguments are in `arguments.py`.
"""

import argparse
import os
import shlex
import signal
import sys
import traceback
from collections.abc import Sequence

from annotated_transformer.checks import shown
from annotated_transformer.cli.arguments import PROGRAM, SIGPIPE, drop_output, parser
from annotated_transformer.training.recipe.loading import check_files, load_recipe
from annotated_transformer.training.run.signals import (
    StopRequest,
    TrainingStopped,
    stopping_with,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    _open_standard_streams()
    if sys.stderr is None:  # closed by whoever started us, with 2>&-
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        print(f"{PROGRAM}: error: standard output is closed", file=sys.stderr)
        return 1
    options = _parsed(arguments)
    try:
        with stopping_with("interrupted"):
            status = _run(options, arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        drop_output()  # whose reader closed it
        return 128 + SIGPIPE
    except KeyboardInterrupt as stop:
        print(f"{PROGRAM}: {str(stop) or 'interrupted'}", file=sys.stderr)
        return 128 + int(getattr(stop, "signal", signal.SIGINT))
    except (OSError, ValueError, ArithmeticError) as error:
        print(f"{PROGRAM}: error: {_one_line(error)}", file=sys.stderr)
        if _is_of_output(error):
            drop_output()
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


def _open_standard_streams() -> None:
    """Open the null device for closed standard streams: no file must get one of their numbers.

    What a library in C++ writes to standard error would stand in that file.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse the arguments by name; options may stand before, between and after the others."""
    program = parser()
    [commands] = (each for each in program._actions if isinstance(each, argparse._SubParsersAction))
    command = commands.choices.get(arguments[0]) if arguments else None
    if command is None:
        return program.parse_args(arguments)  # --help, or wrong usage
    # Asked through the parser of all commands, argparse before Python 3.12 refuses
    # `translate MODEL --beam-size 2 TEXT`.
    options = command.parse_intermixed_args(arguments[1:])
    options.command = arguments[0]
    return options


def _run(options: argparse.Namespace, arguments: Sequence[str]) -> int:
    """Call the function of `commands.py` that has the name of the command; return its status."""
    settings = vars(options)
    name = settings.pop("command")
    if name == "train":  # said before PyTorch is imported
        _check_set_once(options.overrides, options.steps)
        check_files(load_recipe(options.recipe, options.overrides))
    # A library that is interrupted while it loads may take that for another error, or abort.
    with StopRequest() as stop:
        from annotated_transformer.cli import commands  # noqa: PLC0415  (imports PyTorch)
    if stop.signal is not None:
        raise TrainingStopped("interrupted", stop.signal)
    if data_dir := settings.pop("data_dir", None):
        # For this process and those that it starts.
        os.environ["ANNOTATED_TRANSFORMER_DATA"] = str(data_dir.absolute())
    if name == "train":
        # The record tells how to repeat the run from its beginning.
        again = [word for word in arguments if word not in ("--resume", "--as-new-sitting")]
        settings["command"] = shlex.join([PROGRAM, *again])
    return getattr(commands, name)(**settings) or 0


def _check_set_once(overrides: Sequence[str], steps: int | None) -> None:
    """Refuse two values for one key of the recipe: one of them would have no effect."""
    values: dict[str, str] = {} if steps is None else {"training.steps": str(steps)}
    for text in overrides:
        key, _, value = text.partition("=")
        if values.setdefault(key.strip(), value.strip()) != value.strip():
            raise ValueError(
                f"{shown(key.strip())} is set to {shown(values[key.strip()])} and "
                f"{shown(value.strip())}; set it once"
            )


def _is_out_of_memory(error: Exception) -> bool:
    """Return whether Python, or PyTorch on a GPU or a CPU, ran out of memory."""
    from torch import OutOfMemoryError  # noqa: PLC0415  (slow to import)

    # PyTorch's allocator on the CPU raises a plain RuntimeError.
    kinds = (MemoryError, OutOfMemoryError)
    return isinstance(error, kinds) or "DefaultCPUAllocator" in str(error)


def _is_of_output(error: Exception) -> bool:
    """Return whether a module of this folder met the error, writing to standard output.

    What writes files is elsewhere, and names them.
    """
    if not isinstance(error, OSError) or not error.strerror or error.filename:
        return False
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    return str(frame.f_globals["__name__"]).startswith(__name__)


def _one_line(error: Exception) -> str:
    """Write the message of an error on one line; the name of a file stands first."""
    if isinstance(error, UnicodeEncodeError):
        lacking = error.object[error.start]
        return (
            f"standard output has the encoding {error.encoding}, which has no {lacking!a}; set the "
            "environment variable PYTHONIOENCODING=utf-8"
        )
    if isinstance(error, OSError) and error.strerror:
        name = "standard output" if _is_of_output(error) else error.filename
        return f"{name}: {error.strerror}" if name else error.strerror
    return " ".join(str(error).split("\n"))
