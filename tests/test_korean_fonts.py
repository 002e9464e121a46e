"""The Korean pages load the letters that they show, in both weights, and hardly more."""

import re

import pytest
from fontTools.ttLib import TTFont

from korean_fonts import bold_of, core_of, faces, has_figures, of_charts, own_faces
from languages import ANY_HANGUL
from theme import copy_words
from web_fonts import FONTS, characters_of, has, is_korean

SCRIPTS = {"live-words.ko": "점수뿐", "live-a.ko": "값"}
LATIN = has(FONTS / "AnnotatedSans-Regular.otf")
STYLES = ("Regular", "Bold")
# Two pages with nearly the same letters, and a script.
PAGES = {
    "ko-book-one": '<html lang="ko"><head></head><p>점수와 <strong>몫</strong>을 본다</p>',
    "ko-book-two": '<html lang="ko"><head></head><h2>점수</h2><p>점수와 몫을 쓴다</p>'
    '<script src="x/live/figures/a.ko.js"></script>'
    "<p>끝</p>",
}


def letters(path):
    with TTFont(path) as font:
        return {code for code in font.getBestCmap() if ANY_HANGUL.match(chr(code))}


def hangul(text):
    return {ord(letter) for letter in text if ANY_HANGUL.match(letter)}


# On every page: what the button says that copies code. And one is in every file.
BUTTON, ALWAYS = hangul("".join(copy_words().values())), hangul("가")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fonts")
    rules = "".join(faces(folder, PAGES, SCRIPTS))
    (folder / "rules.css").write_text(rules, encoding="utf-8")
    return folder


def test_what_most_pages_have_is_a_file_and_what_one_adds_another(folder):
    core = letters(folder / "AnnotatedSansKR-Regular-core.woff2")
    assert core == hangul("점수와몫을다") | BUTTON | ALWAYS
    assert letters(folder / "AnnotatedSansKR-Regular-ko-book-one.woff2") == hangul("본") | ALWAYS
    assert (
        letters(folder / "AnnotatedSansKR-Regular-ko-book-two.woff2") == hangul("쓴끝값") | ALWAYS
    )
    assert letters(folder / "AnnotatedSansKR-Regular-words.woff2") == hangul("뿐값") | ALWAYS


def test_bold_files_have_what_is_bold(folder):
    core = letters(folder / "AnnotatedSansKR-Bold-core.woff2")
    for name, bold in (("one", "몫"), ("two", "점수")):
        own = letters(folder / f"AnnotatedSansKR-Bold-ko-book-{name}.woff2")
        assert hangul(bold) <= core | own
        assert not hangul("본쓴값") & (core | own)


def test_what_only_a_figure_writes_is_bold_in_a_file_behind_the_pages(folder, tmp_path):
    assert letters(folder / "AnnotatedSansKR-Bold-ko-book-two-figures.woff2") == hangul("값가")
    named = {
        name: re.findall(r"[^/]*\.woff2", own_faces(page, tmp_path / f"{name}.html", tmp_path))
        for name, page in PAGES.items()
    }
    assert [name for name, page in PAGES.items() if has_figures(page)] == ["ko-book-two"]
    assert all((folder / file).is_file() for files in named.values() for file in files)
    assert not [file for file in named["ko-book-one"] if "figures" in file]
    # A regular letter that is missing asks for no bold file.
    page, figures = named["ko-book-two"][0], named["ko-book-two"][-1]
    assert named["ko-book-two"].count(page) == 2
    assert "Bold" in figures


def test_the_files_that_pages_share_are_in_the_style_sheet(folder):
    rules = (folder / "rules.css").read_text("utf-8")
    named = re.findall(r'url\("fonts/([^"]*)"\)', rules)
    assert sorted(named) == sorted(
        f"AnnotatedSansKR-{style}-{part}.woff2" for style in STYLES for part in ("core", "words")
    )


def test_a_korean_page_names_its_own_files_and_an_english_page_none(tmp_path):
    path = tmp_path / "ko" / "book" / "one.html"
    once = own_faces(PAGES["ko-book-one"], path, tmp_path)
    for style in STYLES:
        assert f'url("../../_static/fonts/AnnotatedSansKR-{style}-ko-book-one.woff2")' in once
    assert own_faces(once, path, tmp_path) == once
    english = '<html lang="en"><head></head><p lang="ko">나</p>'
    assert own_faces(english, path, tmp_path) == english
    assert is_korean(once)


def test_the_core_has_what_enough_pages_have():
    sets = [{1, 2}, {1, 3}, {1, 2}, {2}]
    assert core_of(sets, 0.75) == {1, 2}
    assert core_of(sets, 1) == set()


def test_letters_of_headings_and_titles_are_bold():
    page = '<h1>가</h1><p role="heading">나</p><p class="admonition-title">다</p><p>라<b>마</b></p>'
    assert hangul("가나다마") <= bold_of(page)
    assert not hangul("라") & bold_of(page)


def test_heads_of_tables_results_of_folds_and_terms_of_the_glossary_are_not_bold():
    page = (
        '<th>가</th><summary><h3>나</h3><span class="at-result">다</span></summary>'
        '<dl class="simple glossary"><dd><strong>라</strong></dd></dl>'
        '<div class="bd-toc-item active">마</div>'
    )
    assert bold_of(page) & hangul("가나다라마") == hangul("나")


def test_every_korean_page_of_the_book_has_its_letters(html):
    fonts = html / "_static" / "fonts"
    for path in sorted(html.glob("ko/**/*.html")):
        page = path.read_text("utf-8")
        if not is_korean(page):
            continue
        key = path.relative_to(html).with_suffix("").as_posix().replace("/", "-")
        regular = characters_of(page) | of_charts(page)
        for style, shown in (("Regular", regular), ("Bold", bold_of(page))):
            files = [fonts / f"AnnotatedSansKR-{style}-{part}.woff2" for part in ("core", key)]
            if style == "Bold" and has_figures(page):
                assert letters(fonts / f"AnnotatedSansKR-Bold-{key}-figures.woff2")
            loaded = set().union(*map(letters, files))
            lacking = {code for code in shown - LATIN if ANY_HANGUL.match(chr(code))} - loaded
            assert sorted(map(chr, lacking)) == [], f"{path.name}: {style}"
