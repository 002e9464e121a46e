"""The page *Command line*, written from the parser that the program itself uses.

A block `{commands}` names the function that makes the parser. Each of its commands gets a heading,
its usage, and an entry for every argument, to which others can link. (sphinx-argparse takes the
parser too, but its domain warns of every cross-reference of the book that is none of its own.)
"""

import argparse
import importlib
import re
from collections.abc import Iterator

from sphinx.application import Sphinx

BLOCK = re.compile(r"^```\{commands\}\n(\S+):(\S+)\n```$", re.MULTILINE)
# A variable, an option, a value in quotation marks: what a reader copies.
TYPED = re.compile(r'\$[A-Z\\_]+|--[a-z-]+|"[^"]+"')
USAGE_COLUMNS = 78


def write_commands(_app: Sphinx, _page: str, source: list[str]) -> None:
    """Replace each block by the description of a parser's commands."""
    source[0] = BLOCK.sub(lambda block: all_commands(block[1], block[2]), source[0])


def all_commands(module: str, function: str) -> str:
    """Return the Markdown that describes all commands of the parser that a function makes."""
    parser = getattr(importlib.import_module(module), function)()
    return "\n".join(line for name, command in commands(parser) for line in section(name, command))


def commands(
    parser: argparse.ArgumentParser,
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Yield each command with its parser, in the order of `--help`."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def section(name: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the lines of a command: what it does, its usage, its arguments, and a last word."""
    yield from (
        f"## {name}",
        "",
        parser.description or "",
        "",
        "```text",
        *usage(parser),
        "```",
        "",
    )
    yield from ("```{eval-rst}", f".. program:: {parser.prog}", "")
    described = [action for action in parser._actions if action.dest != "help"]
    for action in sorted(described, key=lambda action: bool(action.option_strings)):
        yield from (f".. option:: {spelled(action)}", "", f"   {help_text(action)}", "")
    yield from ("```", "", parser.epilog or "", "")


def usage(parser: argparse.ArgumentParser) -> list[str]:
    """Return how a command is written, in lines that fit a listing whatever the terminal."""

    class Formatter(argparse.HelpFormatter):
        def __init__(self, prog: str) -> None:
            super().__init__(prog, width=USAGE_COLUMNS)

    parser.formatter_class = Formatter
    return parser.format_usage().rstrip().splitlines()


def spelled(action: argparse.Action) -> str:
    """Return an argument as it is typed: `recipe`, or `--out OUT`."""
    if not action.option_strings:
        return str(action.metavar or action.dest)
    value = "" if action.nargs == 0 else f" {action.metavar or action.dest.upper()}"
    return ", ".join(f"{option}{value}" for option in action.option_strings)


def help_text(action: argparse.Action) -> str:
    """Return what the help says of an argument, as plain text; what one types is code."""
    text = re.sub(r"([\\`*_|])", r"\\\1", (action.help or "") % vars(action))
    return TYPED.sub(lambda typed: "``{}``".format(typed[0].replace("\\", "")), text)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("source-read", write_commands)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
