"""The Korean edition in Sphinx: its text, its addresses, and the way from each page to the other's.

With `language: ko` each page is read as `korean_pages.korean` gives it. A mark above each unit, a
comment, says in which language it stands and what the ids of its heading are in English: so a page
has the same anchors in both editions, and what is still English is marked as English. The page P of
the English book is `ko/P` of the Korean one, which lies in a folder of the same built book and uses
its files; only what Sphinx writes for a language is its own.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from myst_parser.mdit_to_docutils.base import default_slugify
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform
from sphinx_proof.nodes import proof_node

from korean_drawings import say_drawings
from korean_pages import heading, korean, still_pictures, translations
from korean_units import FOLDER, Unit
from korean_words import files_of
from repository import Repository
from words import ENGLISH, KOREAN, NAMES, TABLE, is_korean, say, whole_book

PAGES = "book/"
MARK = "at-unit"
MARKED = re.compile(rf"{MARK} (\w+)(?: (\S+) (\S+))?")
NO_WORDS = (nodes.Invisible, nodes.raw, nodes.math_block, nodes.literal_block, nodes.transition)
STATIC = re.compile(r'((?:src|href)=")((?:\.\./)*)_static/([^"?#]*)')
OWN = {"documentation_options.js", "language_data.js", "translations.js"}
"""What Sphinx writes into `_static` for a language; all else is there once, for both editions."""


def set_up(_app: Sphinx, config: Config) -> None:
    """Set what else the language changes in the configuration."""
    config.html_theme_options["article_header_end"] = [
        "language-switch.html",
        "article-header-buttons.html",
    ]
    if config.language == KOREAN:
        config.html_search_language = ENGLISH  # its words, and Korean ones: see search_terms.py
        config.html_title = say(config.html_title)
        config.html_theme_options["search_bar_text"] = say("Search this book...")
        config.nb_code_prompt_show = say(config.nb_code_prompt_show)
        config.nb_code_prompt_hide = say(config.nb_code_prompt_hide)


def mark(unit: Unit, language: str) -> str:
    """Return the comment above a unit: its language and, if it has a heading, id and slug."""
    if unit.english.startswith("---\n"):  # settings of a page must come first
        return ""
    found = heading(unit.english)
    if found is None:
        return f"% {MARK} {language}"
    name = nodes.make_id(nodes.fully_normalize_name(found[0]))
    return f"% {MARK} {language} {name or '-'} {default_slugify(found[1]) or '-'}"


def read_korean_page(app: Sphinx, page: str, source: list[str]) -> None:
    """Put the Korean page in the place of the English one, before anything else reads it."""
    if is_korean(app) and page.startswith(PAGES):
        name = page.removeprefix(PAGES)
        source[0] = korean(name, mark)


def note_korean(app: Sphinx, doctree: nodes.document) -> None:
    """Have a page read again when its Korean has changed, and translate the contents' captions."""
    if not is_korean(app):
        return
    if (file := file_of(app.env.docname)).is_file():
        app.env.note_dependency(str(file))
    name = app.env.docname.removeprefix(PAGES)
    for used in (TABLE, *files_of(name), *still_pictures(name)):
        app.env.note_dependency(str(used))
    for tree in doctree.findall(addnodes.toctree):
        if tree["caption"]:
            tree["caption"] = tree["rawcaption"] = say(tree["caption"])


def file_of(page: str) -> Path:
    """Return where the Korean of a page lies, if there is any."""
    return FOLDER / f"{page.removeprefix(PAGES)}.md"


def say_proofs(document: nodes.document) -> None:
    """Begin each proof in the language of the edition; sphinx_proof does it in English only."""
    for proof in document.findall(proof_node):
        first = next(iter(proof.findall(nodes.Text)))
        if first.startswith("Proof. "):
            rest = first.removeprefix("Proof. ")
            first.parent.replace(first, nodes.Text(say("Proof. ") + rest))


def newly_korean(app: Sphinx, env: BuildEnvironment, *_pages: set[str]) -> list[str]:
    """Return the pages that have got their first Korean since they were read."""
    if not is_korean(app):
        return []
    files = {page: file_of(page) for page in env.all_docs if file_of(page).is_file()}
    known = {page: {Path(app.srcdir, file) for file in env.dependencies[page]} for page in files}
    return [page for page, file in files.items() if file not in known[page]]


class MarkedUnits(SphinxTransform):
    """Give headings their English ids, and English units their language; take the marks away."""

    default_priority = 5

    def apply(self, **_options: Any) -> None:
        """Change a page of the Korean edition."""
        if not is_korean(self.app):
            return
        headings = dict(self.marked_sections())
        give_ids(self.document, headings)
        give_slugs(self.document, {id(section): slug for section, (_, slug) in headings.items()})
        languages = set(mark_language(self.document, ENGLISH))
        if ENGLISH in languages:
            self.tell_that_it_is_english()
        if KOREAN in languages:
            say_drawings(self.document, self.env.docname.removeprefix(PAGES))
        say_proofs(self.document)

    def marked_sections(self) -> Iterator[tuple[nodes.section, tuple[str, str]]]:
        """Yield the sections that a mark stands above, with their id and slug in English."""
        waiting = None
        for node in self.document.findall():
            if isinstance(node, nodes.comment) and (found := MARKED.fullmatch(node.astext())):
                waiting = (found[2], found[3]) if found[2] else None
            elif isinstance(node, nodes.section) and waiting is not None:
                yield node, waiting
                waiting = None

    def tell_that_it_is_english(self) -> None:
        """Say at the head of a page that it, or a part of it, is in English."""
        title = next(iter(self.document.findall(nodes.title)), None)
        if title is None:
            return
        some = translations(self.env.docname.removeprefix(PAGES))
        told = (
            "Parts of this page are not in Korean yet. They stand here in English."
            if some
            else "This page is not in Korean yet. It stands here in English."
        )
        note = nodes.container("", nodes.paragraph("", say(told)), classes=["at-not-yet"])
        title.parent.insert(title.parent.index(title) + 1, note)


def give_ids(document: nodes.document, headings: dict[nodes.section, tuple[str, str]]) -> None:
    """Give each marked section the id that it has in English, in the place of that of its title."""
    for section in headings:
        for old in section["ids"]:
            document.ids.pop(old, None)
    for section, (name, _) in headings.items():
        old = section["ids"][0]
        if name != "-" and name not in document.ids:
            new = name
        else:  # but no id of the Latin letters in a Korean title
            new = old if re.fullmatch(r"id\d+", old) else f"id{len(document.ids)}"
        section["ids"] = [new, *section["ids"][1:]]
        for each in section["ids"]:
            document.ids[each] = section
        for title, known in list(document.nameids.items()):
            if known == old and title in section["names"]:
                document.nameids[title] = new


def give_slugs(document: nodes.document, english: dict[int, str]) -> None:
    """Name sections for links, `page.md#name`, as MyST would name the English ones."""
    named = getattr(document, "myst_slugs", {})
    found: dict[str, tuple[int | None, str, str]] = {}
    for section in document.findall(nodes.section):
        if "slug" not in section:
            continue
        line, _, text = named[section["slug"]]
        slug = english.get(id(section), section["slug"])
        number = 1
        while slug in found:
            slug, number = f"{slug}-{number}", number + 1
        section["slug"] = slug
        found[slug] = (line, section["ids"][0], text)
    named.clear()
    named.update(found)


def has_words(node: nodes.Node) -> bool:
    """Tell whether a block of a page has text that somebody wrote: no code cell, no formula."""
    return isinstance(node, nodes.Element) and not (
        isinstance(node, NO_WORDS) or "nb_element" in node
    )


def mark_language(document: nodes.document, language: str) -> Iterator[str]:
    """Mark what stands in another language than the page, and remove the marks of units.

    Yield the language of each unit.
    """
    spoken = KOREAN

    def walk(parent: nodes.Element) -> Iterator[str]:
        nonlocal spoken
        for node in list(parent.children):
            if isinstance(node, nodes.comment) and (found := MARKED.fullmatch(node.astext())):
                spoken = found[1]
                parent.remove(node)
                yield spoken
            elif isinstance(node, nodes.section):
                yield from walk(node)
            elif spoken == language and has_words(node):
                # docutils makes the attribute `lang` of such a class.
                node["classes"] += [f"language-{language}"]

    yield from walk(document)


def offer_other_edition(
    app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    """Link to the same page of the other edition, for readers and for search engines."""
    if len(app.config.editions) < 2:
        return
    here = str(app.config.language)
    there = KOREAN if here == ENGLISH else ENGLISH
    up, file = "../" * page.count("/"), f"{page}.html"
    address = f"{up}{KOREAN}/{file}" if there == KOREAN else f"{up}../{file}"
    context["other_edition"] = {"address": address, "language": there, "name": NAMES[there]}
    own = f"{file.rpartition('/')[2]}"
    repository = Repository.from_environment()
    links = {here: own, there: address}
    if repository is not None and repository.pages is not None:
        links = {ENGLISH: f"{repository.pages}/{file}"}
        links[KOREAN] = f"{repository.pages}/{KOREAN}/{file}"
    links["x-default"] = links[ENGLISH]
    context["metatags"] = context.get("metatags", "") + "".join(
        f'\n<link rel="alternate" hreflang="{name}" href="{to}" />' for name, to in links.items()
    )
    app.add_js_file("language.js", loading_method="defer")


def wait_for_english(app: Sphinx, error: Exception | None) -> None:
    """Wait until the English book is there, whose files the last steps use, if it is being built.

    Raises ExtensionError: it could not be built.
    """
    if error is None and app.config.after_english is not None:
        with open(app.config.after_english, "rb") as pipe:
            if not pipe.read(1):
                raise ExtensionError("the English edition failed: the Korean one needs its files")


def write_sources(app: Sphinx, error: Exception | None) -> None:
    """Put the Korean text of a page that is no notebook behind its download button.

    Sphinx has copied the file that it believes it read, which is the English one.
    """
    if error is not None or app.builder.format != "html" or not is_korean(app):
        return
    for page in app.env.found_docs:
        copy = Path(app.outdir, "_sources", f"{page}.md")
        if page.startswith(PAGES) and copy.is_file():
            copy.write_text(korean(page.removeprefix(PAGES)), encoding="utf-8")


def join_editions(app: Sphinx, error: Exception | None) -> None:
    """Let the Korean pages use the files of the whole book, and remove their copies."""
    if error is not None or app.builder.format != "html" or not is_korean(app):
        return
    own, shared = Path(app.outdir) / "_static", whole_book(app) / "_static"
    if not shared.is_dir():
        raise ExtensionError(f"there is no English book in {shared.parent}: build it first")
    for path in Path(app.outdir).rglob("*.html"):
        before = path.read_text(encoding="utf-8")
        depth = len(path.relative_to(app.outdir).parts) - 1
        if (after := with_shared_files(before, depth)) != before:
            path.write_text(after, encoding="utf-8")
    for path in own.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name not in OWN:
            path.unlink()


def with_shared_files(html: str, depth: int) -> str:
    """Return a page, so many folders deep in its edition, that uses the files of the whole book."""
    up = "../" * depth

    def shared(found: re.Match[str]) -> str:
        if found[2] != up or found[3] in OWN:
            return found[0]
        return f"{found[1]}../{up}_static/{found[3]}"

    return STATIC.sub(shared, html)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.add_config_value("editions", [ENGLISH], "html", types=(list,))
    app.add_config_value("built_beside", False, "", types=(bool,))
    app.add_config_value("after_english", None, "", types=(int,))
    app.connect("config-inited", set_up, priority=200)
    # Before what rewrites a notebook's source.
    app.connect("env-get-outdated", newly_korean)
    app.connect("source-read", read_korean_page, priority=400)
    app.add_transform(MarkedUnits)
    app.connect("doctree-read", note_korean, priority=100)
    # Before the theme leaves out the parts of the bar that are empty.
    app.connect("html-page-context", offer_other_edition, priority=400)
    app.connect("build-finished", wait_for_english, priority=1)
    app.connect("build-finished", write_sources)
    # After every extension has copied its files.
    app.connect("build-finished", join_editions, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
