"""The words that extensions, tools and the theme write into a page, in the language of the edition.

Code has them in English and asks `say("Open all")`, which is English in the English edition and,
by the table `book/ko/_words.yml`, Korean in the Korean one. What compares a heading or a margin
with a word asks `either("Paper:")`, because sources of both languages are read. The gettext
catalogues of Sphinx, of the theme and of its extensions are asked last: our table comes before.
"""

from functools import cache
from gettext import NullTranslations
from pathlib import Path

import yaml
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.locale import translators

ENGLISH, KOREAN = "en", "ko"
NAMES = {ENGLISH: "English", KOREAN: "한국어"}
"""Each edition by the name that its language has in itself."""
DECKS = "slides"
"""The folder in which the decks of an edition lie."""
TABLE = Path(__file__).parents[1] / "ko" / "_words.yml"
CATALOGUES = ("sphinx", "booktheme", "proof", "exercise")

_spoken = ENGLISH


def speak(language: str) -> None:
    """Let `say` answer in a language from now on. Raises ValueError for one without an edition."""
    global _spoken  # noqa: PLW0603 - a program builds one edition
    if language not in NAMES:
        raise ValueError(f"no edition in {language!r}: expected {' or '.join(NAMES)}")
    _spoken = language


def spoken() -> str:
    """Return the language in which `say` answers."""
    return _spoken


@cache
def korean_words() -> dict[str, str]:
    """Read the table: English to Korean, its groups joined."""
    groups = yaml.safe_load(TABLE.read_text(encoding="utf-8"))
    return {english: korean for group in groups.values() for english, korean in group.items()}


def say(english: str, **values: object) -> str:
    """Return a word or a sentence of ours in the language of the edition, with values put in.

    What follows " | " tells one meaning of a word from another, and is not said.

    Raises:
        KeyError: the table has no Korean for it.
    """
    text = english.partition(" | ")[0] if _spoken == ENGLISH else korean_words()[english]
    return text.format(**values) if values else text


def either(english: str) -> tuple[str, ...]:
    """Return a word as it stands in the sources of each language."""
    return english, korean_words()[english]


class Catalogue(NullTranslations):
    """A gettext catalogue that knows the words of our table."""

    def gettext(self, message: str) -> str:
        """Return the Korean of a message."""
        return korean_words().get(message) or super().gettext(message)


def choose_language(app: Sphinx, config: Config) -> None:
    """Speak the language of the configuration, and have the libraries' words of our table."""
    speak(config.language)
    if config.language != KOREAN:
        return
    for name in CATALOGUES:
        known, ours = translators.get(("general", name)), Catalogue()
        if isinstance(known, Catalogue):
            continue
        if known is not None:
            ours.add_fallback(known)
        translators["general", name] = ours
        if name == "sphinx":
            app.translator = ours  # the templates'


def is_korean(app: Sphinx) -> bool:
    """Tell whether this build is of the Korean edition."""
    return bool(app.config.language == KOREAN)


def whole_book(app: Sphinx) -> Path:
    """Return the folder of the built book with all its editions; `_static` is there."""
    folder = Path(app.outdir)
    return folder.parent if is_korean(app) else folder


def built_pages(app: Sphinx) -> list[Path]:
    """Return the pages of the built book, but for Korean ones that are being built meanwhile.

    Decks of slides are none: `make slides` has finished them.
    """
    root = whole_book(app)
    pages = sorted(page for page in root.rglob("*.html") if page.parent.name != DECKS)
    if app.config.built_beside and not is_korean(app):
        return [page for page in pages if not page.is_relative_to(root / KOREAN)]
    return pages


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("config-inited", choose_language, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
