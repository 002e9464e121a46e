"""What the theme writes into every page, made lighter, and in the language of the edition.

Its icons come as a script of 1.5 MB that replaces each by a drawing, although the theme has them as
a font, too; and every page loads the index of the whole book, which only the search page uses.
"""

import json
import re
from importlib.resources import files
from pathlib import Path

from sphinx.errors import ExtensionError

from words import ENGLISH, KOREAN, korean_words, say, spoken

BOOK_THEME = files("sphinx_book_theme") / "theme" / "sphinx_book_theme" / "static"
BOOK_SCRIPT = Path("scripts", "sphinx-book-theme.js")
SCRIPT = r"<script[^>]*{}[^>]*></script>\s*"
ICONS = re.compile(SCRIPT.format(r"/fontawesome\.js"))
SEARCH = re.compile(SCRIPT.format(r"(?:/searchtools|/language_data|searchindex)\.js"))
WAITING = re.compile(
    r'<script(?![^>]*\b(?:defer|async)\b)(?=[^>]* src="(?![^"]*(?:options|charts)\.js))'
)
SECOND_VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
COLOURS = re.compile(r'<script data-cfasync="false">.*?</script>', re.DOTALL)
# The theme would show the page in no theme until its script has run, and say so in the console.
SET_COLOURS = """<script>
    (({dataset}) => {
      const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
      const mode = localStorage.getItem("mode") || "auto";
      dataset.mode = mode;
      dataset.theme = mode === "auto" ? system : mode;
    })(document.documentElement);
  </script>"""

COPY_SCRIPT = "copybutton.js"
COPY_MESSAGES = "const messages = {"
COPY_WORDS = {
    "copy": "Copy",
    "copy_to_clipboard": "Copy to clipboard",
    "copy_success": "Copied!",
    "copy_failure": "Failed to copy",
}
# Of elements, which the templates have not marked for translation.
NAMES = ("Main", "Page", "Version warning", "Toggle primary sidebar", "Toggle secondary sidebar")
NAMED = re.compile(rf'(aria-label|title)="({"|".join(NAMES)})"')


def light_page(html: str) -> str:
    """Return a page without the scripts that it does not use; the others do not hold it up."""
    html = COLOURS.sub(SET_COLOURS, ICONS.sub("", html)).replace(SECOND_VIEWPORT, "")
    if 'id="search-results"' in html:  # here they run while the page is read
        return html
    return WAITING.sub("<script defer", SEARCH.sub("", html))


def in_the_editions_language(html: str) -> str:
    """Return a page in which the names that the templates have in English only are translated."""
    if spoken() == ENGLISH:
        return html
    return NAMED.sub(lambda found: f'{found[1]}="{say(found[2])}"', html)


def write_script(static: Path) -> None:
    """Let buttons lose the focus after a click of the mouse only, not of the keyboard."""
    script = (BOOK_THEME / BOOK_SCRIPT.as_posix()).read_text(encoding="utf-8")
    script = script.replace("()=>{t.blur()}", "e=>{e.detail&&t.blur()}")
    (static / BOOK_SCRIPT).write_text(script, encoding="utf-8")


def copy_words() -> dict[str, str]:
    """Return what the button that copies code says in the Korean edition."""
    return {key: korean_words()[english] for key, english in COPY_WORDS.items()}


def write_copy_words(static: Path) -> None:
    """Teach the button that copies code the words of the Korean edition."""
    file = static / COPY_SCRIPT
    script = file.read_text(encoding="utf-8")
    if f"'{KOREAN}'" in script:
        return
    ours = f"{COPY_MESSAGES}\n  '{KOREAN}': {json.dumps(copy_words(), ensure_ascii=False)},"
    if COPY_MESSAGES not in script:
        raise ExtensionError(f"{COPY_SCRIPT} has no table of messages: see COPY_MESSAGES")
    file.write_text(script.replace(COPY_MESSAGES, ours, 1), encoding="utf-8")
