"""One live figure in a page of its own, with the weights that the book has, also in Python."""

from dataclasses import dataclass
from typing import Any

import pytest
from live_weights import model_of, read_folder, translator_of

from live_page import write_page

BAD_SENTENCES = [
    ("  ", "Write an English sentence, or choose one of the examples."),
    ("I see a blorp", "blorp is not among the 2,114 words of this model."),
    ("cat " * 300, "tokens (words or pieces of words) at a time: give it one sentence."),
    ("<img src=x onerror=alert(1)>", "never occur in this model's training text."),
]
"""What a reader may write, and what every figure with a sentence answers."""


@dataclass
class Figure:
    """A figure in the browser, and the same weights in Python."""

    page: Any
    element: Any
    translator: Any

    def settle(self):
        """Wait until the figure shows what its controls say; the newest run counts."""
        self.element.evaluate("(figure) => figure.update()")

    def button(self, name, *, exact=True):
        return self.element.get_by_role("button", name=name, exact=exact)

    def press(self, name):
        self.button(name).click()
        self.settle()

    def type(self, text):
        self.element.get_by_label("English", exact=True).fill(text)
        self.settle()

    def text(self, selector):
        return self.element.locator(selector).inner_text()

    def message(self):
        return self.text(".live-message") if self.element.locator(".live-message").count() else ""


def open_figure(browser, folder, name, errors, *, language="en"):
    """Open the figure; what the page complains of is added to `errors`."""
    path = write_page(folder, name, language=language)
    page = browser.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda line: line.type == "error" and errors.append(line.text))
    page.goto(path.as_uri())
    model = model_of(name, language)
    _, tensors = read_folder(folder / "_static" / "live" / "weights", model)
    return Figure(page, page.locator(f"live-{name}"), translator_of(tensors, model))


def figure_fixture(name, *, greedy=False):
    """Return a fixture: the figure, once for all tests of a module, on a page without errors."""

    @pytest.fixture(scope="module")
    def figure(browser, tmp_path_factory):
        errors = []
        figure = open_figure(browser, tmp_path_factory.mktemp("live"), name, errors)
        if greedy:  # as the page
            figure.translator.beam_size, figure.translator.alpha = 1, 0.0
        yield figure
        assert errors == []

    return figure
