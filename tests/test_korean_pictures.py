"""Pictures of the chapters in Korean: the words of a figure, its cells, what is stored."""

import base64
import hashlib
import io

import nbformat
import pytest
from matplotlib import pyplot as plt
from PIL import Image

from annotated_transformer.lab.figures import use_book_style
from korean_outputs import PICTURES, korean_outputs, picture_file, pictures_of
from korean_pictures import in_other_words, needed, small
from korean_words import BOOK, Words

SAY = {"loss": "손실", "a": "가", "b": "나", "low": "낮음", "run": "실행"}
LARGEST = 60_000
NOT_YET_DRAWN = {"diffusion"}
"""Chapters whose pictures are English in the Korean edition: they train networks for minutes."""
CHAPTERS = sorted(path.stem for path in BOOK.glob("*.ipynb"))


@pytest.fixture
def figure():
    """A figure with words in every place: axes, ticks, legend, title, and free ones."""
    use_book_style()
    figure, axes = plt.subplots()
    axes.plot([0, 1], [1, 2], label="run")
    axes.set(xlabel="loss", title="low", xticks=[0, 1], xticklabels=["a", "b"])
    axes.text(0.5, 1, "low")
    axes.legend()
    yield figure
    plt.close(figure)


def words_in(figure):
    texts = figure.findobj(plt.Text)
    return {text.get_text() for text in texts if text.get_text() and text.get_visible()}


def saved(figure):
    file = io.BytesIO()
    figure.savefig(file)
    return file.getvalue()


def test_every_word_of_a_figure_changes_and_no_number(figure):
    english = saved(figure)
    before = words_in(figure)
    with in_other_words(lambda text: SAY.get(text, text)) as hashes:
        korean = saved(figure)
    assert hashes == [hashlib.sha256(english).hexdigest()]
    assert korean != english
    assert words_in(figure) == {SAY.get(text, text) for text in before}
    assert SAY.keys() <= before


def test_outside_of_it_pictures_are_drawn_as_they_are(figure):
    before = saved(figure)
    with in_other_words(str.upper):
        pass
    assert saved(figure) == before


def notebook(*sources, picture):
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    output = nbformat.v4.new_output("display_data", {"image/png": ""})
    cells[picture].outputs = [output]
    return cells


def test_the_cells_of_a_picture_are_those_that_make_what_it_uses():
    cells = notebook(
        "from a import use_book_style, draw",
        "use_book_style()",
        "x = 1\ndef f(y):\n    return y + x",
        "slow = train()",
        "z = f(2)",
        "draw(z)",
        "z = slow",
        picture=5,
    )
    assert [cell.source for cell in needed(cells)] == [cells[n].source for n in (0, 1, 2, 4, 5)]


def test_a_stored_picture_takes_the_place_of_the_english_one(monkeypatch, tmp_path):
    monkeypatch.setattr("korean_outputs.PICTURES", tmp_path)
    cell = notebook("draw()", picture=0)[0]
    [output] = pictures_of(cell.get("outputs", []))
    output.data["image/png"] = base64.b64encode(b"english").decode()
    korean_outputs(cell.outputs, Words({}, page="chapter"))
    assert base64.b64decode(output.data["image/png"]) == b"english"
    picture_file("chapter", output).write_bytes(b"korean")
    korean_outputs(cell.outputs, Words({}, page="chapter"))
    assert base64.b64decode(output.data["image/png"]) == b"korean"


def test_a_small_picture_is_no_larger():
    file = io.BytesIO()
    Image.effect_noise((80, 60), 50).convert("RGB").save(file, "PNG")
    assert len(small(file.getvalue())) <= len(file.getvalue())


def test_each_stored_picture_is_that_of_an_english_one():
    """One whose English has changed is drawn again: make korean-pictures PAGE=NAME."""
    expected = {
        picture_file(name, output)
        for name in CHAPTERS
        for cell in nbformat.read(BOOK / f"{name}.ipynb", as_version=4).cells
        for output in pictures_of(cell.get("outputs", []))
    }
    stored = set(PICTURES.glob("*.png"))
    assert stored <= expected
    assert {path.name.rpartition("-")[0] for path in expected - stored} == NOT_YET_DRAWN
    assert all(path.stat().st_size <= LARGEST for path in stored)
