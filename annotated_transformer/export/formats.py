"""A trained model in the format of another program, for serving.

Each format has a module and a README (such as `ctranslate2.md`, with `$` before the fields of the
configuration, and `text_policy.md` in it). Here is what they share: the tokenizer goes along, and
the directory appears whole or not at all.
"""

from pathlib import Path
from string import Template

from annotated_transformer import text as text_package
from annotated_transformer.checks import check_path
from annotated_transformer.config import TransformerConfig
from annotated_transformer.export import ctranslate2 as ctranslate2_export
from annotated_transformer.export import onnx as onnx_export
from annotated_transformer.saving import TEXT, check_whole, text_json
from annotated_transformer.storage.atomic import new_directory
from annotated_transformer.text import TrainingText
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.transformer import Transformer

FORMATS = {"ctranslate2": ctranslate2_export, "onnx": onnx_export}
"""The formats that `export_model` can write, each a module that has `check`, `write`, what is
written beside the tokenizer and the README (`FILES`), and what may be (`LARGE`)."""
SHARED = frozenset({"tokenizer.model", "README.md"})  # what is written in every format
POLICY = frozenset({TEXT, "text_policy"})
"""What is written too: how text is read. Exports of before have no such thing."""


def export_model(
    model: Transformer,
    tokenizer: Tokenizer,
    directory: Path | str,
    *,
    text: TrainingText | None = None,
    file_format: str = "ctranslate2",
) -> None:
    """Write a model and its tokenizer into `directory`, for another program to serve.

    `text` says what its training text had, and so how text is read for it; a copy of the package's
    own code for that goes along. The directory appears complete or not at all; an earlier export
    there is replaced.

    Raises:
        ValueError: the format is unknown, the extra is not installed, the model is a rounded one or
            computes otherwise than its configuration says, the tokenizer's size is not the model's,
            or the format cannot keep a field's value.
        FileExistsError: `directory` is neither new nor empty and holds no export in this format.
    """
    if file_format not in list(FORMATS):  # as equals: a list has no hash
        raise ValueError(f"format {file_format!r} is unknown; choose one of {', '.join(FORMATS)}")
    check_whole(model, tokenizer, text, "exported")
    chosen = FORMATS[file_format]
    chosen.check(model.config)
    with new_directory(
        check_path("directory", directory),
        replaces=chosen.FILES | SHARED,
        optional=chosen.LARGE | POLICY,
    ) as partial:
        chosen.write(model, tokenizer, partial)
        (partial / "tokenizer.model").write_bytes(tokenizer.to_bytes())
        (partial / TEXT).write_text(text_json(text or TrainingText()), "utf-8")
        (partial / "text_policy").mkdir()
        for file in sorted(Path(text_package.__file__).parent.iterdir()):
            if file.suffix in (".py", ".toml"):
                (partial / "text_policy" / file.name).write_bytes(file.read_bytes())
        (partial / "README.md").write_text(readme(file_format, model.config), "utf-8")


def readme(file_format: str, config: TransformerConfig) -> str:
    """Return the README of a format, about a model of these sizes."""
    folder = Path(__file__).parent
    text = (folder / f"{file_format}.md").read_text("utf-8")
    policy = (folder / "text_policy.md").read_text("utf-8").rstrip("\n")
    sizes = config.to_dict() | {"vocab_size": f"{config.vocab_size:,}"}
    return Template(text).substitute(sizes, policy=policy)
