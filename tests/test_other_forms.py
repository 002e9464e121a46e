"""The download menu offers the PDF and the slides where they have been built, and nowhere else."""

import shutil
from types import SimpleNamespace

import pytest

from other_forms import PDF, find_forms, offer_forms
from words import built_pages


def offered(out, page, *, menu=True):
    """Return the addresses in the download menu of a page."""
    app = SimpleNamespace(outdir=out, config=SimpleNamespace())
    find_forms(app, app.config)
    buttons = [{"label": "download-buttons", "buttons": []}] if menu else [{"label": "search"}]
    up = page.count("/")
    context = {"header_buttons": buttons, "pathto": lambda file, _: "../" * up + file}
    offer_forms(app, page, "page.html", context, None)
    return [button["url"] for button in buttons[0].get("buttons", [])]


@pytest.fixture
def built(tmp_path):
    for file in (PDF, "slides/masks.html"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).touch()
    return tmp_path


def test_what_is_not_built_is_not_offered(tmp_path):
    assert offered(tmp_path, "book/masks") == []


def test_a_chapter_offers_the_book_and_its_own_slides(built):
    assert offered(built, "book/masks") == [f"../{PDF}", "../slides/masks.html"]
    assert offered(built, "book/attention") == [f"../{PDF}"]


def test_korean_pages_offer_the_korean_forms(built):
    """The same addresses in the folder of their edition, and none of the English ones."""
    assert offered(built / "ko", "book/masks") == []
    shutil.copytree(built, built / "ko")
    assert offered(built / "ko", "book/masks") == [f"../{PDF}", "../slides/masks.html"]


def test_decks_are_no_pages_to_be_rewritten(built):
    """Their scripts have to run in the order in which they stand."""
    for page in ("book/masks.html", "ko/book/masks.html", "ko/slides/masks.html"):
        (built / page).parent.mkdir(parents=True, exist_ok=True)
        (built / page).touch()
    app = SimpleNamespace(outdir=built, config=SimpleNamespace(language="en", built_beside=False))
    found = [path.relative_to(built).as_posix() for path in built_pages(app)]
    assert found == ["book/masks.html", "ko/book/masks.html"]


def test_a_page_without_a_download_menu_stays_as_it_is(built):
    assert offered(built, "search", menu=False) == []
