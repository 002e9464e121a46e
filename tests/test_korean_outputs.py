"""Charts and tables of a chapter in Korean: words changed, everything else as it was."""

import base64
import copy
import io
import json
import re
from collections import Counter
from functools import cache

import nbformat
import pytest
import yaml
from fontTools.ttLib import TTFont
from PIL import Image

import korean_charts
from annotated_transformer.lab.evidence import claim, claim_texts
from annotated_transformer.lab.figures.charts import FONT_DIRECTORY, chart_html
from annotated_transformer.lab.records import record
from korean_charts import korean_specification, specification_of
from korean_claims import in_korean as in_words
from korean_claims import sentence
from korean_ledger import korean_claim
from korean_outputs import korean_html, korean_outputs
from korean_words import BOOK, CLAIMS, FOLDER, PLACE, SHARED, Words, opened, words_of

CHAPTERS = sorted(path.stem for path in BOOK.glob("*.ipynb"))
DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
WORDS = Words(
    {
        **{"run": "실행", "loss": "손실", "slow": "느림", "fast": "빠름", "with": "있음"},
        **{"{0} of {1}": "{1}개 중 {0}개", "all runs": "모든 실행", "p:": "피:"},
    },
    {"adaLN"},
)
SPEC = {
    "datasets": {"data": [{"run": "slow", "loss": 1.5}, {"run": "fast", "loss": 1}]},
    "layer": [
        {
            "mark": {"type": "line", "color": "slow"},
            "transform": [{"calculate": "datum.run == 'slow' ? 'p: ' : \"fast\"", "as": "run"}],
            "encoding": {
                "x": {"field": "loss", "type": "quantitative"},
                "color": {"field": "run", "type": "nominal"},
            },
        },
        {
            "mark": "text",
            "encoding": {"y": {"field": "run", "type": "nominal", "title": "all runs"}},
        },
        {"mark": "rule", "encoding": {"y": {"field": "loss", "type": "quantitative"}}},
    ],
    "title": "all runs",
    "params": [{"name": "run", "value": 1, "bind": {"input": "range", "name": "run "}}],
}


def test_numbers_are_left_open():
    assert opened("3 of 1,400 at -0.5, F1 of float32 and v2.1") == (
        "{0} of {1} at {2}, F1 of float32 and v2.1"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("run", "실행"),
        (" run ", " 실행 "),
        ("2 of 3", "3개 중 2개"),
        ("slow, 2 of 3, adaLN", "느림, 3개 중 2개, adaLN"),
        ("adaLN", "adaLN"),
        ("▁student", "▁student"),
        ("<bos>", "<bos>"),
        ("1.25", "1.25"),
        ("나는 run", "나는 run"),
    ],
)
def test_a_text_is_found_as_it_is_with_open_numbers_and_in_parts(text, said):
    assert Words(WORDS.korean, WORDS.keep).say(text) == said


def test_what_has_no_korean_is_told():
    words = Words({}, set())
    for text in ("run", "▁a", "3.5", "나는", "run, walk", "adaLN 2", r"$\mathrm{run}$ a"):
        words.say(text)
    assert list(words.missing) == ["run", "run, walk", "adaLN 2"]


def test_the_words_of_a_chart_change_with_all_that_compares_them():
    before = copy.deepcopy(SPEC)
    found = korean_specification(SPEC, WORDS)
    assert before == SPEC
    assert found["datasets"]["data"] == [{"run": "느림", "loss": 1.5}, {"run": "빠름", "loss": 1}]
    line, text, rule = found["layer"]
    assert line["mark"] == {"type": "line", "color": "slow"}
    assert line["transform"] == [
        {"calculate": "datum.run == '느림' ? '피: ' : \"빠름\"", "as": "run"}
    ]
    assert line["encoding"]["x"] == {"field": "loss", "type": "quantitative", "title": "손실"}
    # In the order of the English: fast, slow.
    assert line["encoding"]["color"]["sort"] == ["빠름", "느림"]
    assert text["encoding"]["y"]["title"] == found["title"] == "모든 실행"
    # Of a slider, what is read; its parameter is for Vega.
    assert found["params"][0]["name"] == "run"
    assert found["params"][0]["bind"] == {"input": "range", "name": "실행 "}
    # Another layer has named this axis; Vega would join the names.
    assert "title" not in rule["encoding"]["y"]


def test_names_that_a_fold_makes_data_of_are_those_of_the_scale():
    """A scale whose names the data have not draws their lines without a colour."""
    scale = {"domain": ["slow", "fast"], "range": ["red", "blue"]}
    fold = {"fold": ["slow", "fast"], "as": ["run", "loss"]}
    channel = {"field": "run", "type": "nominal", "title": None}
    drawn = {
        "transform": [fold],
        "mark": "line",
        "encoding": {"color": {**channel, "scale": scale}},
    }
    found = korean_specification(drawn, WORDS)
    names = '({"slow": "느림", "fast": "빠름"})[datum["run"]]'
    assert found["transform"] == [fold, {"calculate": names, "as": "run"}]
    assert found["encoding"]["color"]["scale"]["domain"] == ["느림", "빠름"]
    # Without a domain the colours follow the alphabet of the English.
    drawn = {"transform": [{"fold": ["slow", "fast"]}], "encoding": {"color": {"field": "key"}}}
    drawn["encoding"]["color"]["type"] = "nominal"
    assert korean_specification(drawn, WORDS)["encoding"]["color"]["sort"] == ["빠름", "느림"]
    # Data that no word changes need no names.
    drawn = {"transform": [{"fold": ["adaLN"], "as": ["run", "loss"]}]}
    assert korean_specification(drawn, WORDS) == drawn


def test_only_what_is_read_of_a_table_changes():
    table = (
        '<table class="at-table"><thead><tr><th scope="col" style="run">run</th></tr></thead>'
        "<tbody><tr><td>2 of 3</td><td>a &lt; b</td><td></td></tr></tbody></table>"
        "<details><summary>run: <code>run</code></summary><dl><dt>run</dt><dd>run --run</dd></dl>"
        "<style>run {}</style></details>"
    )
    words = Words({**WORDS.korean, "run:": "실행:", "a < b": "가 < 나"})
    wanted = (
        table.replace(">run</th>", ">실행</th>").replace("2 of 3", "3개 중 2개")
        .replace("a &lt; b", "가 &lt; 나").replace(">run: <", ">실행: <")
        .replace("<dt>run<", "<dt>실행<")
    )  # fmt: skip
    assert korean_html(table, words) == wanted
    assert not words.missing


def test_a_record_without_a_table_is_told_in_korean():
    pair = record("activations")
    output = {"output_type": "display_data", "data": {"text/html": pair._repr_html_()}}
    korean_outputs([output], words_of("feed_forward"))
    said = output["data"]["text/html"]
    assert "어떻게 재었는가: <code>activations</code>" in said
    assert "<dt>명령</dt><dd>python -m experiments.activations" in said


@pytest.fixture
def chart(tmp_path, monkeypatch):
    """A cell's outputs: what was printed, and a chart; pictures are drawn into an empty folder."""
    monkeypatch.setattr(korean_charts, "DRAWN", tmp_path / "drawn")
    spec = {
        **{"$schema": "https://vega.github.io/schema/vega-lite/v6.4.1.json", "mark": "bar"},
        "data": {"values": [{"run": "slow", "loss": 2}, {"run": "fast", "loss": 1}]},
        "encoding": {
            "x": {"field": "loss", "type": "quantitative"},
            "y": {"field": "run", "type": "nominal"},
        },
        "width": "container",
    }
    html = chart_html({**spec, "description": "two runs"}, 300)
    white = io.BytesIO()
    Image.new("RGB", (600, 100), "white").save(white, "PNG")
    picture = {"image/png": base64.b64encode(white.getvalue()).decode()}
    return [
        {"output_type": "stream", "name": "stdout", "text": "slow run\n"},
        {"data": picture, "metadata": {"image/png": {"alt": "두 실행", "width": 300}}},
        {"data": {"text/html": html}, "metadata": {}},
    ]


def test_a_chart_is_drawn_in_korean_and_once(chart, tmp_path, monkeypatch):
    again = copy.deepcopy(chart)
    korean_outputs(chart, WORDS)
    printed, picture, script = chart
    assert printed["text"] == "slow run\n"
    spec = specification_of(script["data"]["text/html"])
    assert spec["description"] == "두 실행"
    assert spec["data"]["values"][0]["run"] == "느림"
    png = base64.b64decode(picture["data"]["image/png"])
    assert Image.open(io.BytesIO(png)).width == 2 * picture["metadata"]["image/png"]["width"]
    assert [path.read_bytes() for path in (tmp_path / "drawn").iterdir()] == [png]
    monkeypatch.setattr("annotated_transformer.lab.figures.charts.chart_png", None)
    korean_outputs(again, WORDS)
    assert again == chart


@cache
def in_korean(name):
    """A chapter before and after, and the words that made the difference."""
    before = nbformat.read(BOOK / f"{name}.ipynb", as_version=4)
    after = copy.deepcopy(before)
    words = words_of(name)
    for cell in after.cells:
        korean_outputs(cell.get("outputs", []), words, draw=False)
    return before, after, words


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_word_of_a_chapter_has_its_korean(name):
    assert list(in_korean(name)[2].missing) == []


def test_every_claim_has_its_korean():
    for name in claim_texts():
        assert korean_claim(claim(name))
        assert in_words(claim(name).told("count"))
        text = claim(name).says
        assert Counter(DIGITS.findall(text)) <= Counter(DIGITS.findall(sentence(text))), name


def test_every_korean_word_is_somewhere():
    used = {name: in_korean(name)[2].used for name in CHAPTERS}
    used[SHARED] = set().union(*used.values())
    says = {claim(name).says for name in claim_texts()}
    says |= {text.partition(": ")[0] for text in says}
    used[CLAIMS] = {key for text in says for key in (text, opened(text))}
    for path in FOLDER.glob("*.yml"):
        if path.stem not in used:  # of a page with drawings: test_korean_drawings.py
            continue
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert {*found.get("words", {}), *found.get("keep", [])} - used[path.stem] == set(), path


@pytest.mark.parametrize("name", CHAPTERS)
def test_code_printed_text_and_data_stay(name):
    """Only words change: no number of a chart, and nothing that is no chart or table."""
    before, after, _ = in_korean(name)
    for old, new in zip(before.cells, after.cells, strict=True):
        assert old.source == new.source
        for one, other in zip(old.get("outputs", []), new.get("outputs", []), strict=True):
            html = "".join(one.get("data", {}).get("text/html", ""))
            if specification_of(html):
                changed = specification_of(other["data"]["text/html"])
                assert json.dumps(numbers(specification_of(html))) == json.dumps(numbers(changed))
            elif "<table" not in html and 'class="at-record"' not in html:
                assert one == other


def numbers(value):
    """What of a specification is no text, and is not put in for a text."""
    if isinstance(value, dict):
        added = {"title", "sort", "description"}
        return {key: numbers(item) for key, item in value.items() if key not in added}
    if isinstance(value, list):
        return [numbers(item) for item in value if not put_after_a_fold(item)]
    return "" if isinstance(value, str) else value


def put_after_a_fold(value):
    return isinstance(value, dict) and value.get("calculate", "").startswith('({"')


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yml")), ids=lambda path: path.stem)
def test_the_words_of_a_page_are_in_order(path):
    found = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert found.keys() <= {"words", "keep", "pictures"}
    font = TTFont(FONT_DIRECTORY / "AnnotatedSansKR-Regular.otf").getBestCmap()
    for english, said in [*found.get("words", {}).items(), *found.get("pictures", {}).items()]:
        assert said.strip() == said, english
        assert {letter for letter in said if ord(letter) not in font} <= {"\n"}, english
        places = [set(PLACE.findall(text)) for text in (english, said)]
        assert places[0] == places[1], english


@pytest.mark.parametrize("name", ["one_pass_still_learns", "the_transformer_loses_too"])
def test_a_claim_by_itself_is_told_in_korean(name):
    told = claim(name)
    output = {"output_type": "display_data", "data": {"text/html": told._repr_html_()}}
    words = words_of("long_sentences")
    korean_outputs([output], words)
    said = output["data"]["text/html"]
    assert said.startswith(f"<p>{sentence(told.says)}: ")
    assert not re.search("[A-Za-z]{3}", re.sub("<details.*", "", said).replace("Transformer", ""))
    assert not words.missing
