"""The claims ledger: its rows have what their verdicts ask for, and the verdicts follow by rule."""

import re
from dataclasses import replace
from functools import partial
from itertools import product
from types import SimpleNamespace

import pytest

import ledger_page
import ledger_rows
import words
from annotated_transformer.lab.evidence import claim
from korean_ledger import korean_claim, korean_row, korean_titles, place
from korean_pages import korean
from ledger_markdown import counts, definition, written
from ledger_page import DATA, computed, link
from ledger_rows import (
    DIRECTIONS,
    QUANTIFIERS,
    RULE,
    Book,
    Row,
    evidence,
    faults,
    read_rows,
    strength,
    verdict,
)
from rules import ROOT

ROWS = read_rows(DATA)
BOOK = Book(ROOT, claims=computed)
PAGE = (ROOT / "book" / "claims.md").read_text(encoding="utf-8")
# What a row leads to: keys, labels, files and tests.
ADDRESS = re.compile(r"\{[\w:]+\}`(?:[^`<]*<)?([^`>]+)>?`|\]\(([^)]+)\)")
TEST = "tests/test_ledger.py::test_every_row_has_what_its_verdict_asks_for"
RECORD = "book/results/english_korean.json"
PROVED = Row(
    claim="Rows sum to 1.",
    section="Attention",
    says="By the softmax.",
    who=("vaswani2017attention: section 3.2",),
    quantifier="always",
    supports=("eq-attention", TEST),
)
SEEN = replace(PROVED, supports=(RECORD,), condition="one run")
OPEN = replace(PROVED, supports=(), undecided=(RECORD,), would_decide="more seeds")
OURS = replace(PROVED, who=(), quantifier="")


def test_every_row_has_what_its_verdict_asks_for():
    assert faults(ROWS, BOOK) == []


def test_a_hundred_rows_say_who_makes_the_claim():
    assert sum(bool(row.who) for row in ROWS) >= 100


def test_nothing_is_refuted_that_nobody_says():
    refuted = [row for row in ROWS if verdict(row) == "refuted"]
    assert refuted
    assert all(row.who for row in refuted)


def test_the_page_has_every_row_once_and_counts_them():
    text = written(PAGE, ROWS, BOOK, link)
    for row in ROWS:
        assert text.count(f"\n{row.claim}\n: **") == 1, row.claim
    found = dict(re.findall(r"^\| (\w+) \| (\d+) \|$", text, re.MULTILINE))
    assert {name: int(number) for name, number in found.items()} == {
        name: sum(verdict(row) == name for row in ROWS) for name in RULE
    }
    assert "{ledger}" not in text


def test_in_korean_the_page_has_the_same_rows_verdicts_and_addresses(monkeypatch):
    rows = [korean_row(row) for row in ROWS]
    assert [verdict(row) for row in rows] == [verdict(row) for row in ROWS]
    monkeypatch.setattr(words, "_spoken", words.KOREAN)
    book = Book(ROOT, claims=partial(computed, told=korean_claim), titles=korean_titles())
    text = written(korean("claims"), rows, book, link)
    assert "{ledger}" not in text
    for row, english in zip(rows, ROWS, strict=True):
        shown = definition(row, book, link)
        assert text.count(shown) == 1, row.claim
        assert ADDRESS.findall(shown) == ADDRESS.findall(definition(english, BOOK, link))
        assert not re.search(r"\*(?:Said|For it|Limits|Condition)", shown)


@pytest.mark.parametrize(
    ("english", "korean_place"),
    [
        ("section 3.2.1, footnote", "3.2.1절, 각주"),
        ("section 3.5 and table 3 (E)", "3.5절, 표 3 (E)"),
        ("appendix D.4", "부록 D.4"),
        ("title and theorem 1", "제목, 정리 1"),
        ("Neural Networks Part 1, ReLU", "Neural Networks Part 1, ReLU"),
        ("chapter 1, Encoder models and Decoder models", "1장, Encoder models and Decoder models"),
    ],
)
def test_a_place_within_a_publication_in_korean(english, korean_place):
    assert place(english) == korean_place


def test_a_row_that_is_not_translated_is_named():
    with pytest.raises(KeyError, match=r"no Korean for the row 'Rows sum to 1\.'"):
        korean_row(PROVED)


# --- the rule


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (PROVED, "confirmed"),
        (replace(PROVED, supports=(TEST,)), "qualified"),
        (replace(PROVED, supports=(TEST,), test_is_the_argument=True), "confirmed"),
        (replace(PROVED, supports=("thm-score",)), "qualified"),
        (replace(PROVED, supports=(RECORD, "fig-variance")), "qualified"),
        (replace(PROVED, quantifier="usually"), "qualified"),
        (replace(PROVED, quantifier="at this size"), "qualified"),
        (replace(PROVED, condition="short texts"), "qualified"),
        (replace(PROVED, limits=(RECORD,)), "qualified"),
        (replace(PROVED, contradicts=(RECORD,)), "open"),
        (replace(PROVED, undecided=(RECORD,)), "open"),
        (replace(PROVED, supports=(), contradicts=(RECORD,)), "refuted"),
        (replace(PROVED, supports=(), contradicts=(RECORD,), quantifier="usually"), "open"),
        (replace(PROVED, supports=(), contradicts=(TEST,), quantifier="usually"), "refuted"),
        (replace(PROVED, supports=(), contradicts=("thm-score",)), "refuted"),
        (
            replace(
                PROVED, supports=(), contradicts=("press2022train: abstract",), quantifier="usually"
            ),
            "refuted",
        ),
        (OPEN, "open"),
        (OURS, "ours"),
        (replace(OURS, contradicts=(TEST,)), "ours"),
    ],
)
def test_the_verdict_follows_from_the_evidence(row, expected):
    assert verdict(row) == expected


def test_whatever_the_evidence_is_the_rule_has_words_for_its_verdict():
    choices = [(), (TEST,), ("thm-score",), (RECORD,)]
    seen = set()
    for who, quantifier, *found in product(((), PROVED.who), QUANTIFIERS, *[choices] * 4):
        by_direction = dict(zip(DIRECTIONS, found, strict=True))
        row = replace(PROVED, who=who, quantifier=quantifier, **by_direction)
        seen.add(verdict(row))
        if verdict(row) == "refuted":
            assert row.who
            assert row.contradicts
            assert not row.supports
        if verdict(row) == "confirmed":
            assert row.kinds("supports") >= {"test", "theorem"} or row.test_is_the_argument
    assert seen <= set(RULE)
    assert seen >= {"ours", "open", "refuted", "qualified"}


@pytest.mark.parametrize(
    ("supports", "expected"),
    [
        ((TEST, "thm-score"), "proved"),
        ((TEST,), "tested"),
        ((RECORD,), "measured"),
        (("fig-variance", "thm-score"), "measured"),
        (("thm-score",), "derived"),
    ],
)
def test_what_is_ours_says_how_firmly(supports, expected):
    assert strength(replace(OURS, supports=supports)) == expected
    assert f"**Ours, {expected}.**" in definition(replace(OURS, supports=supports), BOOK, link)


# --- each fault, in a row broken on purpose


def test_good_rows_have_no_fault():
    rows = [replace(row, claim=f"Claim {i}.") for i, row in enumerate((PROVED, SEEN, OPEN, OURS))]
    assert faults(rows, BOOK) == []


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        (replace(PROVED, who=()), "nobody says it, so it is ours"),
        (replace(OURS, supports=(), contradicts=(TEST,)), "nobody says it, so it is ours"),
        (replace(PROVED, who=("somebody1999: section 1",)), "no reference somebody1999"),
        (replace(PROVED, who=("Everybody",)), "is not written as a key and a place"),
        (replace(PROVED, who=("vaswani2017attention",)), "is not written as a key and a place"),
        (replace(PROVED, quantifier="often"), "its quantifier is 'often'"),
        (replace(PROVED, supports=("eq-attention", f"{TEST}_not")), f"there is no {TEST}_not"),
        (replace(PROVED, supports=("eq-attention", "tests/gone.py::test_x")), "there is no tests/"),
        (replace(SEEN, supports=("book/results/gone.json",)), "there is no book/results/gone.json"),
        (replace(PROVED, supports=("thm-gone", TEST)), "there is no thm-gone"),
        (replace(PROVED, supports=("eq-gone", TEST)), "there is no eq-gone"),
        (replace(SEEN, supports=("fig-gone",)), "there is no fig-gone"),
        (replace(SEEN, supports=("section:gone",)), "there is no section:gone"),
        (replace(SEEN, supports=("claim:gone",)), "there is no claim:gone"),
        (replace(SEEN, supports=("gone2020: abstract",)), "no reference gone2020"),
        (replace(SEEN, supports=("thinking",)), "'thinking' is no address of evidence"),
        (replace(SEEN, supports=("vaswani2017attention: table 3",)), "supported by who says it"),
        (replace(SEEN, supports=(), limits=(RECORD,)), "nothing supports any part of it"),
        (replace(SEEN, condition=""), "no condition says how far it holds"),
        (replace(SEEN, supports=()), "it has no evidence"),
        (replace(OPEN, would_decide=""), "what would decide belongs to rows that are open"),
        (replace(PROVED, would_decide="more"), "what would decide belongs to rows that are open"),
        (replace(SEEN, test_is_the_argument=True), "a test is the argument of a row"),
    ],
)
def test_a_bad_row_is_named_with_its_fault(row, complaint):
    wrong = faults([row], BOOK)
    assert any(complaint in fault for fault in wrong), wrong
    assert all(fault.startswith(f"{row.claim}: ") for fault in wrong)


def test_a_claim_that_stands_twice_is_named():
    assert faults([PROVED, PROVED], BOOK) == ["Rows sum to 1.: claimed twice"]


def test_a_verdict_without_words_is_named(monkeypatch):
    without = {name: words for name, words in RULE.items() if name != "confirmed"}
    monkeypatch.setattr(ledger_rows, "RULE", without)
    assert faults([PROVED], BOOK)[0].startswith("Rows sum to 1.: 'confirmed' is no verdict of")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('verdict = "confirmed"', "A.: rows have no key verdict"),
        ("", "A.: it has no says"),
    ],
)
def test_a_row_has_its_keys_and_no_others(tmp_path, line, complaint):
    says = 'says = "Yes."\n' if line else ""
    (tmp_path / "x.toml").write_text(f'[[row]]\nclaim = "A."\nsection = "B"\n{says}{line}\n')
    with pytest.raises(ValueError, match=re.escape(complaint)):
        read_rows(tmp_path / "x.toml")


def test_a_page_and_its_rows_have_the_same_sections():
    page = "## Attention\n\n```{ledger} Attention\n```\n"
    assert "**Confirmed.**" in written(page, [PROVED], BOOK, link)
    with pytest.raises(ValueError, match="lacks the sections Masks"):
        written(page, [PROVED, replace(PROVED, section="Masks")], BOOK, link)
    with pytest.raises(ValueError, match="no row in the section 'Heads'"):
        written(page.replace("} Attention", "} Heads"), [], BOOK, link)


def test_counts_are_those_of_the_verdicts():
    table = counts([PROVED, PROVED, SEEN])
    assert "| confirmed | 2 |\n| qualified | 1 |\n| refuted | 0 |" in table


# --- addresses and links


def test_a_registry_of_claims_can_be_plugged_in():
    known = {"faster": "In each of five rounds ours is faster."}
    row = replace(SEEN, supports=("claim:faster",))
    book = Book(ROOT, claims=known.get)
    assert faults([row], book) == []
    assert known["faster"] in definition(row, book, link)
    assert verdict(row) == "qualified"
    assert evidence("claim:faster").kind == "claim"


def test_a_row_prints_the_number_that_its_claim_computes(monkeypatch):
    monkeypatch.delenv("REPOSITORY_URL", raising=False)
    row = replace(SEEN, supports=("claim:a_window_overtakes",))
    shown = definition(row, BOOK, link)
    assert str(claim("a_window_overtakes")) in shown
    assert "record {download}`benchmark_long_sentences <results/" in shown
    assert any(
        "no_such_claim" in x
        for x in faults([replace(row, supports=("claim:no_such_claim",))], BOOK)
    )


def test_a_section_leads_to_its_chapter():
    assert BOOK.labels["training-no-warmup"] == "Training"
    row = replace(SEEN, supports=("section:training-no-warmup",))
    assert "{ref}`Training <training-no-warmup>`" in definition(row, BOOK, link)


def test_without_a_repository_links_lead_to_files_beside_the_pages(monkeypatch):
    for name in ("REPOSITORY_URL", "GITHUB_REPOSITORY"):
        monkeypatch.delenv(name, raising=False)
    for address in (TEST, RECORD):
        target = re.search(r"\{download\}`\S+ <(.+)>`", link(evidence(address)))[1]
        assert (ROOT / "book" / target).is_file()


def test_a_test_leads_to_its_lines_in_the_repository(monkeypatch):
    monkeypatch.setenv("REPOSITORY_URL", "https://example.org/book")
    monkeypatch.setenv("REPOSITORY_COMMIT", "abc")
    file, name = TEST.split("::")
    text = (ROOT / file).read_text(encoding="utf-8").splitlines()
    line = text.index(f"def {name}():") + 1
    address = f"https://example.org/book/blob/abc/{file}#L{line}-L{line + 1}"
    assert link(evidence(TEST)) == f"[`{name}`]({address})"


def test_a_page_is_written_only_where_the_ledger_is():
    noted = []
    app = SimpleNamespace(
        env=SimpleNamespace(note_dependency=noted.append), config=SimpleNamespace(language="en")
    )
    source = [PAGE]
    ledger_page.write_rows(app, "book/other", source)
    assert source == [PAGE]
    ledger_page.write_rows(app, ledger_page.PAGE, source)
    assert source[0] == written(PAGE, ledger_rows.read_rows(DATA), BOOK, link)
    assert noted == [str(DATA)]
