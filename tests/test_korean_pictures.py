"""Pictures of the Korean pages: the words of a figure, its cells, what is stored and says what."""

import base64
import hashlib
import io

import nbformat
import numpy as np
import pytest
from matplotlib import pyplot as plt
from PIL import Image

from annotated_transformer.lab.figures import use_book_style
from korean_outputs import PICTURES, korean_outputs, picture_file, pictures_of
from korean_pages import korean, korean_pages, still_pictures
from korean_pictures import in_other_words, needed
from korean_units import FOLDER
from korean_words import BOOK, Words, words_of
from languages import ANY_HANGUL
from light_pictures import light
from live_korean import ENGLISH, KOREAN, english_in, hash_of
from live_korean import picture as still_picture
from picture_notes import noted, notes

SAY = {"loss": "손실", "a": "가", "b": "나", "low": "낮음", "run": "실행"}
LARGEST = 60_000
LARGEST_DRAWN = 80_000
PAGES = korean_pages(FOLDER)
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


def hash_as_stored(png):
    return hashlib.sha256(light(png)).hexdigest()


def test_every_word_of_a_figure_changes_and_no_number(figure):
    english = saved(figure)
    before = words_in(figure)
    with in_other_words(lambda text: SAY.get(text, text)) as drawn:
        korean = saved(figure)
    assert drawn == [(hash_as_stored(english), {"loss": "손실", "low": "낮음", "run": "실행"})]
    assert korean != english
    assert words_in(figure) == {SAY.get(text, text) for text in before}
    assert SAY.keys() <= before


def test_outside_of_it_pictures_are_drawn_as_they_are(figure):
    before = saved(figure)
    with in_other_words(str.upper):
        pass
    assert saved(figure) == before


def grey_images(numbers):
    """A figure with grey images in rows, each with a name, and no other ink inside of them."""
    use_book_style()
    figure, panels = plt.subplots(*numbers.shape[:2])
    for panel, image in zip(panels.flat, numbers.reshape(-1, *numbers.shape[2:]), strict=True):
        panel.imshow(image, cmap="gray", vmin=-1, vmax=1)
        panel.set(xticks=[], yticks=[], ylabel="low")
        panel.spines[:].set_visible(False)
        panel.grid(visible=False)
    return figure


def test_images_of_another_processor_give_way_to_those_that_are_stored():
    """What a network draws is hardly the same on two machines; a word of the picture is."""
    stored, drawn_here = np.random.default_rng(0).uniform(-1, 1, (2, 2, 3, 8, 8))
    english = saved(grey_images(stored))
    with in_other_words(lambda text: SAY.get(text, text)) as drawn:
        korean = saved(grey_images(stored))
    with in_other_words(lambda text: SAY.get(text, text), [light(english)]) as again:
        assert saved(grey_images(drawn_here)) == korean
    assert again == drawn == [(hash_as_stored(english), {"low": "낮음"})]
    plt.close("all")


def test_a_picture_with_other_words_gets_no_images():
    stored, drawn_here = np.random.default_rng(0).uniform(-1, 1, (2, 2, 3, 8, 8))
    figure = grey_images(stored)
    figure.axes[0].set_ylabel("a longer name")
    english = saved(figure)
    with in_other_words(str, [light(english)]) as drawn:
        saved(grey_images(drawn_here))
    assert drawn[0][0] != hash_as_stored(english)
    plt.close("all")


def test_an_image_in_colours_stays_as_it_was_drawn():
    """A level of grey cannot say which colour it was."""
    values = np.zeros((2, 3, 8, 8))
    english = saved(grey_images(values))
    figure = grey_images(values)
    figure.axes[0].imshow(np.full((8, 8, 4), 0.5))
    plain = saved(figure)
    with in_other_words(str, [light(english)]):
        assert saved(figure) == plain
    plt.close("all")


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
    output.metadata["image/png"] = {"width": 140}
    korean_outputs(cell.outputs, Words({}, page="chapter"))
    assert base64.b64decode(output.data["image/png"]) == b"english"
    korean = io.BytesIO()
    Image.new("RGB", (300, 40)).save(korean, "PNG")
    picture_file("chapter", output).write_bytes(korean.getvalue())
    korean_outputs(cell.outputs, Words({}, page="chapter"))
    assert base64.b64decode(output.data["image/png"]) == korean.getvalue()
    assert output.metadata["image/png"]["width"] == 150  # two of its pixels for one of the page


def png_of(image):
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def test_a_light_picture_looks_the_same_and_its_greys_are_kept():
    """Levels that are read back from a picture have to be those that were drawn."""
    noise = Image.effect_noise((80, 60), 50)
    with Image.open(io.BytesIO(light(png_of(noise.convert("RGB"))))) as grey:
        assert grey.convert("L").tobytes() == noise.tobytes()
    coloured = Image.merge("RGB", [Image.effect_noise((80, 60), 50) for _ in range(3)])
    assert len(light(png_of(coloured))) < len(png_of(coloured)) / 2
    with Image.open(io.BytesIO(light(png_of(coloured)))) as few:
        assert few.size == (80, 60)
        apart = np.asarray(few.convert("RGB"), float) - np.asarray(coloured, float)
    assert np.abs(apart).mean() < np.asarray(coloured, float).std() / 3


@pytest.mark.parametrize("mode", ["L", "RGB"])
def test_a_light_picture_stays_clear_where_the_page_is_seen_through_it(mode):
    parts = [Image.effect_noise((80, 60), 50) for _ in mode]
    clear = Image.effect_noise((80, 60), 90)
    picture = Image.merge(mode, parts).convert("RGBA")
    picture.putalpha(clear)
    once = light(png_of(picture))
    with Image.open(io.BytesIO(once)) as found:
        assert found.convert("RGBA").tobytes() == picture.tobytes()
    assert light(once) == once


def test_a_picture_of_few_colours_stays_as_it_is():
    once = light(png_of(Image.merge("RGB", [Image.effect_noise((9, 9), 50) for _ in range(3)])))
    assert light(once) == once


def test_a_picture_tells_what_it_says(tmp_path):
    file = io.BytesIO()
    Image.new("RGB", (8, 8)).save(file, "PNG")
    note = noted(said={"loss": "손실"})
    (tmp_path / "a.png").write_bytes(light(file.getvalue(), note))
    assert notes(tmp_path / "a.png") == {"said": {"loss": "손실"}}


def test_each_stored_picture_is_that_of_an_english_one():
    """One whose English has changed is drawn again: make korean-pictures PAGE=NAME."""
    expected = {
        picture_file(name, output)
        for name in CHAPTERS
        for cell in nbformat.read(BOOK / f"{name}.ipynb", as_version=4).cells
        for output in pictures_of(cell.get("outputs", []))
    }
    stored = set(PICTURES.glob("*.png"))
    assert stored == expected
    assert all(path.stat().st_size <= LARGEST_DRAWN for path in stored)


@pytest.mark.parametrize("path", sorted(PICTURES.glob("*.png")), ids=lambda path: path.stem)
def test_a_stored_picture_says_what_its_page_says_now(path):
    """A word that has another Korean now, or none: make korean-pictures PAGE=NAME."""
    words = words_of(path.name.rpartition("-")[0], pictures=True)
    said = notes(path)["said"]
    assert said == {english: words.say(english) for english in said}
    assert list(words.missing) == []


# --- still pictures of live figures

LIVE = sorted(path.name for path in ENGLISH.glob("*.png"))


def test_each_still_picture_has_one_in_korean():
    assert sorted(path.name for path in KOREAN.glob("*.png")) == LIVE


@pytest.mark.parametrize("name", LIVE)
def test_a_still_picture_in_korean_follows_the_english_and_says_nothing_in_english(name):
    """Otherwise take it again: book/_tools/live_pictures.py --language ko NAME."""
    assert (KOREAN / name).stat().st_size <= LARGEST
    picture = still_picture(KOREAN / name)
    assert picture.of == hash_of(name)
    assert any(ANY_HANGUL.search(text) for text in picture.said)
    assert picture.english() == []


def test_an_english_word_in_a_still_picture_is_found():
    said = ["토큰 3개", "head 2", "Post-LN", "▁student", "softmax", "doctor"]
    assert english_in(said, ["The doctor"]) == ["head 2"]


def test_korean_pages_show_the_korean_still_pictures():
    shown = [picture for name in PAGES for picture in still_pictures(name)]
    assert sorted(path.name for path in shown) == LIVE
    for path in shown:
        assert path.is_file()
    assert 'src="_static/live/pictures/ko/map.png"' in korean("index")
    assert 'src="_static/live/pictures/map.png"' not in korean("index")
