"""The page *Command line*, written from the parser that the program itself uses.

A block `{commands}` names the function that makes the parser, and below it an example of each
command. Each gets a heading, its usage and example, and an entry for every argument, to which
others can link. (sphinx-argparse takes the parser too, but its domain warns of every reference
of the book that is none of its own.)
"""

import argparse
import importlib
import re
from collections.abc import Iterator

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

BLOCK = re.compile(r"^```\{commands\}\n(\S+):(\S+)\n((?:.+\n)*?)```$", re.MULTILINE)
# A variable, an option, a value in quotation marks, a name with its value: what a reader copies.
TYPED = re.compile(r'\$[A-Z\\_]+|--[a-z-]+|"[^"]+"|[\w.\\]+=\w+')
USAGE_COLUMNS = 78


def write_commands(_app: Sphinx, _page: str, source: list[str]) -> None:
    """Replace each block by the description of a parser's commands."""
    source[0] = BLOCK.sub(lambda block: all_commands(*block.groups()), source[0])


def all_commands(module: str, function: str, examples: str) -> str:
    """Return the Markdown that describes all commands of the parser that a function makes.

    examples: a line for each command.
    """
    parser = getattr(importlib.import_module(module), function)()
    return "\n".join(
        line
        for name, command in commands(parser)
        for line in section(name, command, example(command, examples))
    )


def example(command: argparse.ArgumentParser, lines: str) -> str:
    """Return the line that begins with a command. Raises ExtensionError if there is not one."""
    found = [line for line in lines.splitlines() if line.startswith(f"{command.prog} ")]
    if len(found) != 1:
        raise ExtensionError(f"{command.prog} has {len(found)} examples on its page, expected 1")
    return found[0]


def commands(
    parser: argparse.ArgumentParser,
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Yield each command with its parser, in the order of `--help`."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def section(name: str, parser: argparse.ArgumentParser, shown: str) -> Iterator[str]:
    """Yield the lines of a command: what it does, usage and example, arguments, and a last word."""
    yield from (
        f"## {name}",
        "",
        parser.description or "",
        "",
        "```text",
        *usage(parser),
        "```",
        "",
        "```sh",
        shown,
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
    """Return what the help says of an argument, as plain text; what one types is code.

    Of an option, which else may be left out, it says whether it has to be given.
    """
    text = re.sub(r"([\\`*_|])", r"\\\1", (action.help or "") % vars(action))
    if action.option_strings and action.required:
        text += " (required)"
    return TYPED.sub(lambda typed: "``{}``".format(typed[0].replace("\\", "")), text)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("source-read", write_commands)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
