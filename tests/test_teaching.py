"""The teaching guide is held to the chapters: each has its goals, and what is assigned exists."""

import re

import pytest
import yaml
from sphinx.errors import ExtensionError

from annotated_transformer.lab.exercises import JUDGES
from reading_time import count_words, minutes, prose
from rules import ROOT, toc_files

GUIDE = (ROOT / "book" / "teaching.md").read_text(encoding="utf-8")
GOALS = GUIDE.partition("## What each chapter is for")[2].partition("## Exercises")[0]
LABEL = re.compile(r":label: (ex-[\w-]+)")
TIME = r"\{reading\}`(\w+)`"
ROW = re.compile(rf"^\| \[([^\]]+)\]\((\w+)\.(ipynb|md)\) \|.*\| {TIME} \|$", re.MULTILINE)


def chapters():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    parts = [part for part in toc["parts"] if part["caption"] != "Reference"]
    return [name.removeprefix("book/") for name in toc_files(parts)]


def exercises():
    return {label for name in chapters() for label in LABEL.findall(whole_text(name))}


def whole_text(name):
    (path,) = [p for p in (ROOT / "book").glob(f"{name}.*") if p.suffix in (".ipynb", ".md")]
    return path.read_text(encoding="utf-8").replace("\\n", "\n")


def test_each_chapter_has_its_goals_once_and_in_order():
    rows = ROW.findall(GOALS)
    assert [name for _, name, *_ in rows] == chapters()
    assert [name for *_, name in rows] == chapters()
    assert len(rows) == GOALS.count("\n| ") - 2  # the head and the line below it


def test_each_row_has_the_title_of_its_chapter():
    titles = {title for title, *_ in ROW.findall(GOALS)}
    found = {
        re.search(r"^\s*\"?# (.+?)(?:\\n)?\"?,?$", whole_text(name), re.MULTILINE)[1]
        for name in chapters()
    }
    assert titles == found


def test_what_is_assigned_exists_and_most_chapters_are_assigned_from():
    linked = set(re.findall(r"\{ref\}`(ex-[\w-]+)`", GUIDE))
    known = exercises()
    assert len(known) > 80
    assert linked - known == set()
    assert len(linked) > 40


def test_the_exercises_with_a_check_are_named():
    (sentence,) = re.findall(r"These exercises have a check: (.+)\n", GUIDE)
    assert set(re.findall(r"\{ref\}`(ex-[\w-]+)`", sentence)) == set(JUDGES)
    assert "Nineteen exercises" in GUIDE
    assert len(JUDGES) == 19


def test_each_assigned_exercise_is_followed_by_what_it_asks_for():
    plans = GUIDE.partition("## Three plans")[2].partition("## What each chapter is for")[0]
    assigned = re.findall(r"\{ref\}`ex-[\w-]+`( \([a-z ,]+\))?", plans)
    assert len(assigned) > 40
    assert all(assigned)


def test_the_plans_name_only_chapters():
    plans = GUIDE.partition("## What each chapter is for")[0]
    names = set(re.findall(r"\]\((\w+)\.(?:ipynb|md)\)", plans))
    assert names - set(chapters()) == {"claims", "index", "notation"}


def test_words_are_those_that_one_reads():
    markdown = (
        "# Two words\n\n```{margin}\n:class: none\nfour more, don't\n```\n"
        "A [link](page.ipynb) with $x + y = 2$ and $$\na \\\\\nb\n$$ in it.\n"
    )
    assert count_words(markdown) == 2 + 3 + 8


@pytest.mark.parametrize(
    ("words", "expected"), [(0, 5), (750, 5), (751, 10), (1500, 10), (3001, 25)]
)
def test_minutes_are_rounded_up_to_five(words, expected):
    assert minutes(words) == expected


def test_exercises_do_not_count_and_a_chapter_that_is_none_is_refused():
    assert "## What to keep" in prose("attention")
    assert "ex-pencil" not in prose("attention")
    assert 1_500 < count_words(prose("attention")) < 5_000
    with pytest.raises(ExtensionError, match="'atention', and book/ has no such chapter"):
        prose("atention")
