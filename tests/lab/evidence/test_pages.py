"""Every claim is used and holds, every use exists, and pages print what the records say."""

import shutil

import pytest

from annotated_transformer.lab.evidence import __main__ as command
from annotated_transformer.lab.evidence import pages, registry
from annotated_transformer.lab.records import RESULTS

BOOK = RESULTS.parent


def test_every_claim_holds_as_often_as_it_says():
    rows, broken = command.claim_rows()
    assert broken == []
    assert len(rows) == len(registry.claim_texts())


def test_every_claim_is_used_and_every_use_exists():
    found = pages.uses(BOOK)
    assert [name for name, where in found.items() if not where] == []
    assert set(found) == set(registry.claim_texts())


@pytest.mark.parametrize("path", pages.sources(BOOK), ids=lambda path: path.name)
def test_a_page_says_what_its_records_say(path):
    assert pages.stale(path.read_text(encoding="utf-8")) == []


GOOD = "{claim}`5.8 to 6.8 times <cache_is_faster:range@tokens=64>`"


def test_a_wrong_number_an_unknown_claim_and_an_unknown_form_are_found():
    assert pages.stale(f"It is {GOOD} as fast.") == []
    [wrong] = pages.stale(GOOD.replace("6.8", "6.9"))
    assert "says '5.8 to 6.8 times', and the page '5.8 to 6.9 times'" in wrong
    assert "no claim 'cash'" in pages.stale(GOOD.replace("cache_is_faster", "cash"))[0]
    assert "no form 'short'" in pages.stale(GOOD.replace(":range", ":short"))[0]
    assert pages.stale('claim("cash")') == ["there is no claim 'cash', which is looked up"]


def test_the_range_of_leads_is_not_printed_as_that_of_all_differences():
    of_each = "{claim}`0.2 to 2.0 points <all_updates_on_pairs_are_ahead:%s>`"
    [wrong] = pages.stale(of_each % "range")
    assert "leads over the best run" in wrong
    assert pages.stale(of_each % "leads") == []
    assert pages.stale((of_each % "least").replace(" to 2.0", "")) == []


def test_a_comma_may_belong_to_the_value_of_a_case():
    text = "{claim}`x <time_from_512_to_1024:range@way=explicit, kept>`"
    [found] = pages.mentions(text)
    assert found.case == {"way": "explicit, kept"}
    assert found.anew("x") == text
    [found] = pages.mentions("{claim}`x <workers_help@size=small,search=greedy>`")
    assert found.case == {"size": "small", "search": "greedy"}


def test_numbers_are_written_from_the_records(tmp_path, monkeypatch, capsys):
    shutil.copytree(RESULTS, tmp_path / "results")
    page = tmp_path / "page.md"
    page.write_text(GOOD.replace("5.8", "1"), encoding="utf-8")
    monkeypatch.setattr(command, "RESULTS", tmp_path / "results")
    assert command.main(["--write"]) == 0
    assert page.read_text(encoding="utf-8") == GOOD
    assert "page.md" in capsys.readouterr().out


def test_the_command_lists_a_claim_that_does_not_hold(monkeypatch, capsys):
    wrong = registry.claim_texts()["cache_is_faster"] | {"relation": "less"}
    monkeypatch.setitem(registry.claim_texts(), "cache_is_faster", wrong)
    assert command.main([]) == 1
    out, error = capsys.readouterr()
    assert "cache_is_faster" in out
    assert "holds in none of three rounds" in out
    assert "holds in 0 of 3 rounds" in error


def test_the_command_answers_two_questions_of_every_training(capsys):
    assert command.main(["--questions"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "norm_order" in lines
    assert lines.count("  has it stopped?") == lines.count("  is it the rate?") >= 40
