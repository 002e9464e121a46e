"""The engine of the live figures in a page, called from Python, with the same weights in Python."""

import base64
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from live_weights import read_folder, translator_of

from live_page import write_page

BEGIN = """async (input) => {
const {finish, ...A} = AnnotatedTransformer;
const translator = await document.querySelector('live-map').wake('english_korean');
const {model, tokenizer} = translator;
const bytes = ({data, shape}) => {
    let text = '';
    for (const byte of new Uint8Array(data.buffer)) text += String.fromCharCode(byte);
    return {shape, data: btoa(text)};
};
"""


@dataclass
class Engine:
    """A page with the engine, and the same weights in Python."""

    page: Any
    folder: Path
    translator: Any

    def run(self, body, argument=None):
        """Run the body of a function of `input`, with translator, model and tokenizer at hand."""
        return self.page.evaluate(BEGIN + body + "}", argument)


def tensor(sent):
    """Return what `bytes` in the page made of a tensor."""
    content = bytearray(base64.b64decode(sent["data"]))
    return torch.frombuffer(content, dtype=torch.float32).reshape(sent["shape"])


def open_engine(browser, folder, bits):
    """Open a page with weights of so many bits."""
    path = write_page(folder, "map", bits=bits)
    page = browser.new_page()
    page.goto(path.as_uri())
    _, tensors = read_folder(folder / "_static" / "live" / "weights")
    return Engine(page, folder, translator_of(tensors))
