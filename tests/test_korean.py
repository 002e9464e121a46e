"""The Korean edition's sources: every unit is there, in step with the English, and equal to it."""

import ast
import json
import os
import re
import subprocess
from types import SimpleNamespace

import pytest
import yaml
from docutils import nodes
from docutils.utils import new_document
from sphinx.errors import ExtensionError
from sphinx_proof.nodes import proof_node

import korean_pages
import korean_units
import words
from annotated_transformer.lab.evidence.pages import ROLE
from korean import complaints
from korean_changes import changes
from korean_claims import count_alone, in_korean
from korean_edition import mark, say_proofs, wait_for_english, with_shared_files
from korean_pages import heading, korean
from korean_units import FOLDER, Unit, page, read_korean, sections, units_of, write_korean
from rules import ROOT, toc_files
from search_terms import named, numbers_of

PAGES = [
    name.removeprefix("book/")
    for name in toc_files(yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8")))
]


def test_every_page_has_its_korean():
    assert sorted(korean_pages.korean_pages(FOLDER)) == sorted(PAGES)


def test_no_unit_is_missing_stale_or_unequal():
    wrong = [x for name in korean_pages.korean_pages(FOLDER) for x in complaints(name)]
    assert wrong == []


@pytest.fixture
def book(tmp_path, monkeypatch):
    """A book of one page and its Korean."""
    (tmp_path / "ko").mkdir()
    for module in (korean_units, korean_pages):
        monkeypatch.setattr(module, "BOOK", tmp_path, raising=False)
        monkeypatch.setattr(module, "FOLDER", tmp_path / "ko", raising=False)
    (tmp_path / "tale.md").write_text(ENGLISH, encoding="utf-8")
    units = [*units_of(page("tale"))]
    texts = [KOREAN[unit.english.split("\n")[0]] for unit in units]
    pairs = zip(units, texts, strict=True)
    write_korean("tale", [korean_units.Korean(unit.key, text) for unit, text in pairs])
    return tmp_path


ENGLISH = """\
# A tale

A token asks.

(tale-end)=
## The $n$ ends

It ends after 3 words, as in {eq}`eq-end`.
"""
KOREAN = {
    "# A tale": "# 이야기\n\n토큰이 묻는다.",
    "(tale-end)=": "(tale-end)=\n## $n$개의 끝\n\n식 {eq}`eq-end`에서처럼 3낱말 뒤에 끝난다.",
}


def test_a_page_is_read_in_korean(book):
    assert korean("tale") == "\n\n".join(KOREAN.values()) + "\n"
    assert list(complaints("tale")) == []


def test_a_changed_sentence_is_named_with_its_page_and_unit(book):
    before = next(units_of(page("tale"))).key
    (book / "tale.md").write_text(ENGLISH.replace("asks", "answers"), encoding="utf-8")
    after = next(units_of(page("tale"))).key
    wrong = list(complaints("tale"))
    assert wrong[0].startswith(f"tale {after}: no Korean for '# A tale'")
    assert wrong[1].startswith(f"tale {before}: the English has no such unit")
    # The page stays whole: what has no Korean is in English.
    assert korean("tale").startswith("# A tale\n\nA token answers.\n\n(tale-end)=\n## $n$개의 끝")


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("3낱말", "number 3 is not in the Korean"),
        ("{eq}`eq-end`", "reference 'eq-end' is not in the Korean"),
        ("(tale-end)=\n", "label 'tale-end' is not in the Korean"),
        ("## ", "headings of levels [2] became []"),
        ("$n$", "formula 'n' is not in the Korean"),
    ],
)
def test_what_the_korean_lacks_is_named(book, place, said):
    first, second = read_korean("tale")
    lacking = korean_units.Korean(second.key, second.text.replace(place, "", 1))
    write_korean("tale", [first, lacking])
    assert f"tale {second.key}: {said}" in list(complaints("tale"))


def test_git_says_which_words_of_the_english_changed(book):
    def git(*arguments):
        known = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        subprocess.run(["git", *known, *arguments], cwd=book, check=True, capture_output=True)

    old = next(units_of(page("tale"))).key
    assert list(changes(page("tale"), [old], [])) == [
        f"tale {old}: git has no English of it; compare with the page itself"
    ]
    git("init", "--quiet")
    git("add", "tale.md")
    git("commit", "--quiet", "--message", "A tale")
    (book / "tale.md").write_text(ENGLISH.replace("asks", "answers"), encoding="utf-8")
    new = next(units_of(page("tale")))
    assert list(changes(page("tale"), [old], [new])) == [
        f"tale {old} is now {new.key}:",
        "    tale A token [-asks.-]{+answers.+}",
    ]
    assert list(changes(page("tale"), [old], [Unit("text", "## Quite another")])) == [
        f"tale {old}: '# A tale' is gone from the English"
    ]


def test_code_and_outputs_of_a_chapter_are_those_of_the_english(tmp_path, monkeypatch):
    """Whatever the Korean says: here every unit of a chapter has some."""
    monkeypatch.setattr(korean_units, "FOLDER", tmp_path)
    units = {unit.key: unit for unit in units_of(page("attention"))}
    write_korean(
        "attention",
        [
            korean_units.Korean(
                key,
                "글"
                if unit.kind == "text"
                else re.sub(r"(?m)^(\w+:|-) .*", r"\1 글", unit.english),
            )
            for key, unit in units.items()
            if unit.kind == "text" or "\n  " not in unit.english
        ],
    )
    ours, theirs = json.loads(korean("attention")), json.loads(page("attention").read_text("utf-8"))
    assert ours != theirs
    for one, other in zip(ours["cells"], theirs["cells"], strict=True):
        assert one["id"] == other["id"]
        if one["cell_type"] == "code":
            assert one["source"] == other["source"]
            assert printed(one) == printed(other)


def printed(cell):
    """Return what a cell printed; the words of charts and tables are in Korean."""
    return [(each.get("text"), each.get("data", {}).keys()) for each in cell["outputs"]]


def test_marks_say_what_the_headings_are_called_in_english():
    whole = (
        "(why)=\n## Why $\\sqrt{d_k}$, and [where](x.md)\n\nText.",
        "Text.\n\nMore.",
        "## `mask` once",
    )
    assert [heading(text) for text in whole] == [
        (r"Why \sqrt{d_k}, and where", "Why , and where"),
        None,
        ("mask once", "mask once"),
    ]
    assert mark(Unit("text", whole[0]), "ko") == (
        "% at-unit ko why-sqrt-d-k-and-where why--and-where"
    )
    assert mark(Unit("text", whole[1]), "en") == "% at-unit en"


def test_sections_are_cut_at_headings_that_a_mark_can_stand_above():
    for name in PAGES:
        for unit in units_of(page(name)):
            if unit.kind == "text":
                assert len([part for part in sections(unit.english) if heading(part)]) <= 1


def test_pages_of_the_korean_edition_use_the_files_of_the_book():
    html = '<img src="../_static/a.png?v=1"><script src="../_static/language_data.js">'
    after = '<img src="../../_static/a.png?v=1"><script src="../_static/language_data.js">'
    assert with_shared_files(html, 1) == after
    assert with_shared_files(after, 1) == after  # in a second build


@pytest.mark.parametrize("beginning", ["모든 헤드를 합친다.", ""])
def test_a_proof_begins_with_the_korean_word_whatever_follows(monkeypatch, beginning):
    monkeypatch.setattr(words, "_spoken", words.KOREAN)
    text = nodes.paragraph("", "", nodes.Text(f"Proof. {beginning}"), nodes.math("", "h"))
    other = nodes.paragraph("", "Proof. 정리가 아니다.")
    document = new_document("page")
    document += [proof_node("", nodes.admonition("", text)), other]
    say_proofs(document)
    assert text.astext() == f"증명. {beginning}h"
    assert other.astext() == "Proof. 정리가 아니다."


def said_words():
    """Yield each text that the extensions and tools say, with the place."""
    for path in [*(ROOT / "book" / "_ext").glob("*.py"), *(ROOT / "book" / "_tools").glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(getattr(node, "func", None), "id", "")
            if name in ("say", "either") and isinstance(node.args[0], ast.Constant):
                yield path.name, node.args[0].value


def test_every_word_that_the_code_says_has_korean_with_the_same_values():
    said = list(said_words())
    assert len(said) > 20
    assert [(path, text) for path, text in said if text not in words.korean_words()] == []
    for english, korean_word in words.korean_words().items():
        values = re.compile(r"\{\w+\}|%s")
        meant = english.partition(" | ")[0]
        if not meant.startswith(("Show code", "Hide code")):  # the kind of a cell is not said
            assert sorted(values.findall(meant)) == sorted(values.findall(korean_word)), english


def test_no_word_has_two_meanings_in_the_table():
    groups = yaml.safe_load(words.TABLE.read_text(encoding="utf-8"))
    keys = [english for group in groups.values() for english in group]
    assert [key for key in keys if keys.count(key) > 1] == []


def test_the_contents_are_in_the_table():
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    parts = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))["parts"]
    names = {config["title"], *(part["caption"] for part in parts)}
    assert names <= words.korean_words().keys()


def test_a_language_without_an_edition_is_refused():
    with pytest.raises(ValueError, match="no edition in 'fr'"):
        words.speak("fr")


@pytest.mark.parametrize(
    ("english", "text"),
    [
        ("in each of three seeds", "세 시드 모두에서"),
        ("in four of five rounds", "다섯 회 가운데 네 회에서"),
        ("in none of five rounds", "다섯 회 가운데 어느 회에서도"),
        ("in none of three seeds", "세 시드 가운데 어느 시드에서도"),
        ("in each of 40 rounds", "40회 모두에서"),
        ("4.2 times (4.0 to 4.6, three rounds)", "4.2배(4.0~4.6, 세 회)"),
        ("41% (15% to 56%, five rounds)", "41%(15~56%, 다섯 회)"),
        ("-5.4 to -3.5 points", "-5.4에서 -3.5포인트"),
        ("1,663 to 2,358 tokens", "1,663~2,358토큰"),
        ("214 to 254 on 100 objects", "객체 100개에 214~254"),
        ("4.2 times (4.0 to 4.6; one never, three rounds)", "4.2배(4.0~4.6, 한 번은 없음, 세 회)"),
    ],
)
def test_a_claim_says_its_numbers_in_korean(english, text):
    assert in_korean(english) == text


def test_none_outside_of_a_sentence_has_its_negation():
    """In a sentence its verb is negative; a note and the ledger end with the count."""
    assert count_alone("in none of three seeds") == "세 시드 가운데 어느 시드에서도 아님"
    assert count_alone("in one of three seeds") == "세 시드 가운데 한 시드에서"


def test_a_sentence_about_none_is_a_negative_one():
    """어느 시드에서도 앞섰다 would say the opposite of the English."""
    about = re.compile(r"\{claim\}`in none of [^`]*`(?P<rest>[^.]*)\.")
    found = [
        (path.stem, each["rest"])
        for path in sorted(FOLDER.glob("[!_]*.md"))
        for each in about.finditer(path.read_text(encoding="utf-8"))
    ]
    assert len(found) >= 3
    assert [each for each in found if not re.search("않|못|없|아니", each[1])] == []


@pytest.mark.parametrize("text", ["3 apples", "in each of three apples", "about three"])
def test_a_form_without_korean_is_refused(text):
    with pytest.raises(ValueError, match="no Korean for"):
        in_korean(text)


def test_every_claim_of_a_page_can_be_said_in_korean():
    texts = {
        found["text"]
        for name in PAGES
        for unit in units_of(page(name))
        for found in ROLE.finditer(unit.english)
    }
    assert len(texts) > 100
    number = re.compile(r"\d[\d,.]*\d|\d")
    for text in texts - {text for text in texts if text.startswith("in none") or "on 100" in text}:
        assert number.findall(in_korean(text)) == number.findall(text)


def test_a_korean_note_names_places_of_the_paper():
    note = "논문: 3.2.1절, 3.3~3.5절과 5.4절, 식 1"
    kinds = [(kind, number) for kind, text in named(note) for number in numbers_of(text)]
    wanted = [("section", n) for n in ("3.2.1", "3.3", "3.4", "3.5", "5.4")]
    assert kinds == [*wanted, ("equation", "1")]
    assert [*named("식 1은 3절에 있다")] == []  # only notes are read so


def test_a_page_without_korean_stays_english(tmp_path, monkeypatch):
    monkeypatch.setattr(korean_units, "FOLDER", tmp_path / "none")
    assert korean("notation").split() == page("notation").read_text("utf-8").split()


@pytest.mark.parametrize("built", [True, False])
def test_the_last_steps_wait_for_the_english_book(built):
    told, tell = os.pipe()
    app = SimpleNamespace(config=SimpleNamespace(after_english=told))
    if built:
        os.write(tell, b"1")
        wait_for_english(app, None)
        os.close(tell)
    else:
        os.close(tell)
        with pytest.raises(ExtensionError, match="the English edition failed"):
            wait_for_english(app, None)
