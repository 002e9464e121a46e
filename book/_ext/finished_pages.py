"""The last step of the build: pages are rewritten, and what they share is cut to their need."""

from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder

from accessible import accessible_page
from korean_fonts import key_of, own_faces, write_korean_fonts
from languages import marked_page
from line_ends import whole_words
from live_map import wide_page
from long_names import breaking_names
from pictures import lazy_pictures
from theme import in_the_editions_language, light_page, write_copy_words, write_script
from web_fonts import write_fonts, write_icons
from words import built_pages, whole_book


def finish(app: Sphinx, error: Exception | None) -> None:
    """Rewrite all pages of the built book; a page that is finished already stays as it is."""
    if error is not None or not isinstance(app.builder, StandaloneHTMLBuilder):
        return
    root = whole_book(app)
    pages = {}
    for path in built_pages(app):
        before = path.read_text(encoding="utf-8")
        after = marked_page(wide_page(accessible_page(light_page(before))))
        after = own_faces(lazy_pictures(whole_words(breaking_names(after)), path, root), path, root)
        if path.is_relative_to(app.outdir):
            after = in_the_editions_language(after)
        if after != before:
            path.write_text(after, encoding="utf-8")
        pages[key_of(path, root)] = after
    static = root / "_static"
    write_script(static)
    write_copy_words(static)
    # What a live figure shows before anybody types is in its scripts and records.
    scripts = [*static.glob("live/*.js"), *static.glob("live/figures/**/*.js")]
    scripts += static.glob("live/records/*.js")
    texts = {f"live-{script.stem}": script.read_text(encoding="utf-8") for script in scripts}
    write_fonts(static, pages, texts)
    write_korean_fonts(static, pages, texts)
    write_icons(static, "".join(pages.values()))
    for unused in (
        "scripts/fontawesome.js",
        *(f.relative_to(static) for f in static.rglob("*.map")),
    ):
        (static / unused).unlink(missing_ok=True)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
