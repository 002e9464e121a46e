"""The loop over the editions of a built book, for tools that make something of each."""

import sys
from collections.abc import Callable

import extensions  # noqa: F401
from build import HTML, LANGUAGES, not_built
from words import speak


def of_each_edition(tool: str, language: str | None, make: Callable[[], list[str]]) -> int:
    """Make something of both editions, or of one, in its language; return the exit status.

    make: what is done while the language of an edition is spoken; it returns what is wrong.
    """
    languages = [language] if language else LANGUAGES
    if lacking := not_built(HTML, languages):
        print(f"{tool}: there is no built book ({lacking}): run make book", file=sys.stderr)
        return 2
    wrong = []
    for each in languages:
        speak(each)
        wrong += [f"{each}: {sentence}" for sentence in make()]
    for sentence in wrong:
        print(f"{tool}: {sentence}", file=sys.stderr)
    return 1 if wrong else 0
