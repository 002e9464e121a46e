"""One live figure in a page of its own, with the weights that the book has, also in Python."""

from dataclasses import dataclass
from typing import Any

from live_weights import read_folder, translator_of

from live_page import write_page


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


def open_figure(browser, folder, name, errors):
    """Open the figure; what the page complains of is added to `errors`."""
    path = write_page(folder, name)
    page = browser.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda line: line.type == "error" and errors.append(line.text))
    page.goto(path.as_uri())
    _, tensors = read_folder(folder / "_static" / "live" / "weights")
    return Figure(page, page.locator(f"live-{name}"), translator_of(tensors))
