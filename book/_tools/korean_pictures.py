"""Draw the pictures of the chapters in Korean: `make korean-pictures [PAGE=masks]`.

A picture is drawn by the code of its cell: this and the cells that it needs are run again, in a
copy, and the words of the picture are changed when it is drawn. It is drawn with the English ones
first, which has to give what the chapter has stored, byte for byte. A network that was trained on
another processor draws other images: then those of the stored picture are read back from it, and
with them it has to be the same, byte for byte. What was said in Korean is noted in the picture
itself, so that a test sees when a word has another Korean now. What lies in
`book/ko/pictures/` is named after the chapter and the hash of the English picture: a picture that
has changed in English has none in Korean. The words are those of the chapter's outputs
(book/_ext/korean_words.py) and, beside them, `pictures:` of the same file.
"""

import argparse
import ast
import hashlib
import io
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import nbformat
import numpy as np
from nbclient import NotebookClient
from nbformat import NotebookNode
from numpy.typing import NDArray
from PIL import Image

import extensions  # noqa: F401
from annotated_transformer.storage.atomic import write_bytes
from korean_outputs import PICTURES, picture, picture_file, pictures_of
from korean_words import BOOK, WORD, words_of
from light_pictures import light
from picture_notes import noted

TOLD = "korean-pictures: "
BEGIN = """import sys
sys.path.insert(0, "_tools")
import korean_pictures
korean_pictures.begin({name!r})"""
END = "korean_pictures.tell()"
Drawn = tuple[str, dict[str, str]]
SETTINGS = {"use_book_style", "set_default_dtype"}
"""Functions whose call changes what is drawn or computed after it."""


@contextmanager
def in_other_words(
    say: Callable[[str], str], stored: Sequence[bytes] = ()
) -> Iterator[list[Drawn]]:
    """Let every picture of matplotlib that is drawn to a file have its words changed first.

    Yields a list to which each adds the hash of what it would have been, and its words in both
    languages. A picture that differs from that of its number in `stored` gets the images of that
    first.
    """
    from matplotlib.backend_bases import FigureCanvasBase  # noqa: PLC0415 - only a kernel draws

    draw = FigureCanvasBase.print_figure
    before: list[Drawn] = []

    def print_figure(canvas: Any, file: Any, *args: Any, **settings: Any) -> Any:
        def drawn() -> bytes:
            english = io.BytesIO()
            draw(canvas, english, *args, **settings)
            return english.getvalue()

        english = drawn()
        if len(before) < len(stored) and light(english) != stored[len(before)]:
            take_images(canvas.figure, stored[len(before)], drawn)
            english = drawn()
        said: dict[str, str] = {}
        before.append((hashlib.sha256(light(english)).hexdigest(), said))

        def say_and_note(text: str) -> str:
            other = say(text)
            if WORD.search(text):
                said[text] = other
            return other

        change_words(canvas.figure, say_and_note)
        return draw(canvas, file, *args, **settings)

    FigureCanvasBase.print_figure = print_figure  # type: ignore[method-assign]
    try:
        yield before
    finally:
        FigureCanvasBase.print_figure = draw  # type: ignore[method-assign]


def take_images(figure: Any, stored: bytes, drawn: Callable[[], bytes]) -> None:
    """Give the grey images of a figure, which stand in rows, the levels that a PNG of it shows.

    A figure with an image in colours stays as it is.
    """
    from matplotlib.image import AxesImage  # noqa: PLC0415

    images = figure.findobj(AxesImage)
    if not images or any(image.get_array().ndim != 2 for image in images):
        return
    seen = []
    for end in (0, 1):
        for image in images:
            low, high = image.get_clim()
            image.set_data(np.full(image.get_size(), (low, high)[end]))
        seen.append(levels(drawn()))
    shown = levels(stored)
    if shown.shape != seen[0].shape:
        return
    black, white = seen
    places = [
        (y, x)
        for y in runs((black != white).any(axis=1))
        for x in runs((black != white).any(axis=0))
    ]
    for image, (y, x) in zip(images, places, strict=True):
        low, high = image.get_clim()
        height, width = image.get_size()
        rows, columns = middles(y, height), middles(x, width)
        image.set_data(low + (high - low) * shown[np.ix_(rows, columns)] / 255)


def levels(png: bytes) -> NDArray[np.uint8]:
    """Return a picture as levels of grey."""
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("L"))


def runs(marks: NDArray[np.bool_]) -> Iterator[range]:
    """Yield where a row of marks is set, piece by piece."""
    edges = np.flatnonzero(np.diff(marks, prepend=False, append=False))
    yield from (range(start, end) for start, end in zip(edges[::2], edges[1::2], strict=True))


def middles(place: range, n: int) -> list[int]:
    """Return the pixels in the middle of n equal parts of a place."""
    return [place.start + int((i + 0.5) * len(place) / n) for i in range(n)]


def change_words(figure: Any, say: Callable[[str], str]) -> None:
    """Change the words of a figure: its texts, and what its axes write at their ticks."""
    from matplotlib.text import Text  # noqa: PLC0415

    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            for formatter in (axis.get_major_formatter(), axis.get_minor_formatter()):
                _say_ticks(formatter, say)
    for text in figure.findobj(Text):
        if text.get_text().strip():
            text.set_text(say(text.get_text()))


def _say_ticks(formatter: Any, say: Callable[[str], str]) -> None:
    """Ticks are named anew each time that they are drawn."""
    if not hasattr(formatter, "english_ticks"):
        formatter.english_ticks = formatter.format_ticks
    formatter.format_ticks = lambda values: [say(text) for text in formatter.english_ticks(values)]


def begin(name: str) -> None:
    """Change the words of all pictures from now on; in the kernel of a chapter."""
    global _words, _changing, _before  # noqa: PLW0603 - a kernel runs one chapter
    _words = words_of(name, pictures=True)
    cells = nbformat.read(BOOK / f"{name}.ipynb", as_version=4).cells
    _changing = in_other_words(_words.say, [picture(output) for output in all_pictures(cells)])
    _before = _changing.__enter__()


def tell() -> None:
    """Print for `draw` the words that had no Korean, and what was drawn."""
    print(TOLD + json.dumps([list(_words.missing), _before], ensure_ascii=False))


def needed(cells: list[NotebookNode]) -> list[NotebookNode]:
    """Return the cells with a picture, and those that make what they use."""
    wanted: set[str] = set()
    found = []
    for cell in reversed([cell for cell in cells if cell.cell_type == "code"]):
        tree = ast.parse(cell.source)
        made = _made(tree)
        if list(pictures_of(cell.get("outputs", []))) or made & wanted:
            names = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
            # What a cell itself makes may be made anew: the one before it is needed all the same.
            wanted |= {node.id for node in names} | SETTINGS
            found.append(cell)
    return found[::-1]


def _made(tree: ast.Module) -> set[str]:
    """Return what a cell makes or changes: names, and settings of matplotlib and PyTorch."""
    made = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            made.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            made |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            made.add(node.id)
        elif isinstance(node, ast.Call):
            function = ast.unparse(node.func).rpartition(".")[2]
            made |= {function} & SETTINGS
    return made


def run(name: str, cells: list[NotebookNode]) -> tuple[list[str], list[Drawn], list[Any]]:
    """Run cells of a chapter with Korean words.

    Returns what had no Korean, what `in_other_words` yields, and the Korean pictures as outputs.
    """
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    sources = [BEGIN.format(name=name), *code, END]
    copied = nbformat.v4.new_notebook()
    copied.cells = [nbformat.v4.new_code_cell(source) for source in sources]
    place = {"metadata": {"path": str(BOOK)}}
    NotebookClient(copied, timeout=None, kernel_name="python3", resources=place).execute()
    told = "".join(output.get("text", "") for output in copied.cells[-1].outputs)
    missing, before = json.loads(told.partition(TOLD)[2].splitlines()[0])
    return missing, before, all_pictures(copied.cells)


def all_pictures(cells: list[NotebookNode]) -> list[Any]:
    """Return the outputs of cells that are pictures."""
    return [output for cell in cells for output in pictures_of(cell.get("outputs", []))]


def draw(name: str) -> list[str]:
    """Draw the pictures of a chapter and store them; return the words that had no Korean.

    Where some had none, nothing is stored. A cell may draw random numbers for one that does not use
    its names: then a picture differs, and the whole chapter is run for its sake. Of images that a
    network drew only the levels are taken from what is stored.

    Raises:
        RuntimeError: the whole chapter draws other pictures than it has stored.
    """
    cells = nbformat.read(BOOK / f"{name}.ipynb", as_version=4).cells
    english = all_pictures(cells)
    for some in (needed(cells), cells) if english else ():
        missing, before, korean = run(name, some)
        if missing:
            return missing
        if store(name, english, before, korean):
            return []
    if english:
        raise RuntimeError(f"{name} draws other pictures than it has stored: run `make outputs`")
    return []


def store(name: str, english: list[Any], before: list[Drawn], korean: list[Any]) -> bool:
    """Store the pictures whose English is that of the chapter; tell whether all of them are."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    paths = [picture_file(name, output) for output in english]
    same = [
        hashlib.sha256(picture(output)).hexdigest() == drawn
        for output, (drawn, _) in zip(english, before, strict=True)
    ]
    for path, output, (_, said), equal in zip(paths, korean, before, same, strict=True):
        if equal:
            write_bytes(path, light(picture(output), noted(said=said)))
    for path in set(PICTURES.glob(f"{name}-????????.png")) - set(paths):
        path.unlink()
    return all(same)


def main() -> int:
    """Draw the pictures of the chapters that are named, or of all."""
    parser = argparse.ArgumentParser(description="Draw the pictures of the book in Korean.")
    parser.add_argument("chapters", nargs="*", help="names of chapters, such as masks")
    names = parser.parse_args().chapters or sorted(path.stem for path in BOOK.glob("*.ipynb"))
    wrong = 0
    for name in names:
        if missing := draw(name):
            wrong += 1
            print(f"{name}: no Korean in book/ko/outputs/{name}.yml, nothing is drawn:")
            for text in missing:
                print(f"  {json.dumps(text, ensure_ascii=False)}:")
        else:
            print(f"{name}: drawn")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
