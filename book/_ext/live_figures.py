"""Live figures: their scripts on the pages that have one, and the weights and records they show.

A figure is a custom element <live-NAME> in the text of a page (see _static/live/live.js). Its
picture is addressed from the folder of the page, as JupyterLab does; here the address becomes that
of the built book. A page in Korean loads the figures' Korean words too (see _static/live/words.js).
"""

import hashlib
import re
from collections import Counter
from functools import cache
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from live_records import RECORDS, write_records
from words import is_korean

LIVE = Path(__file__).parents[1] / "_static" / "live"
ELEMENT = re.compile(r"<live-([a-z][a-z-]*)>")
PICTURE = re.compile(r'(<img\s[^>]*?src=")(_static/live/pictures/)')
# In this order: each uses what the ones before it define. What a visitor types is read once the
# weights are there, so live.js brings habits.js with them.
ENGINE = (
    *("words.js", "transformer.js", "tokenizer.js", "text.js", "search.js"),
    *("translator.js", "live.js", "sentences.js", "places.js", "wide.js"),
)

BEFORE_THE_THEME = 400
"""Place of the scripts on a page, where the theme's have 500: it looks once, when its own script
runs, for what is wide, and closes the contents at the side while such a thing is in view."""

SHARED_PARTS = {"journey": ["figures/map/draw.js"]}
"""What a figure uses of another one."""


def figures_of(doctree: nodes.document) -> list[str]:
    """Return the names of the live figures of a page, each once."""
    texts = (node.astext() for node in doctree.findall(nodes.raw))
    return list(dict.fromkeys(name for text in texts for name in ELEMENT.findall(text)))


def engine_of(language: str) -> list[str]:
    """Return the scripts that all figures use, in their order."""
    words, *rest = ENGINE
    # Before the others, some of which put texts into words as they are loaded.
    korean = ["josa.js", "words.ko.js"] if language == "ko" else []
    return [words, *korean, *rest]


def scripts_of(figure: str, language: str = "en") -> list[str]:
    """Return the scripts of a figure: record, words, what it shares, its folder's, its own."""
    name = figure.replace("-", "_")
    shown = [f"records/{RECORDS[figure]}.js"] if figure in RECORDS else []
    words = [f"figures/{name}.ko.js"] if language == "ko" else []
    folder = LIVE / "figures" / name
    parts = sorted(part.name for part in folder.glob("*.js") if not part.name.endswith(".ko.js"))
    if language == "ko":
        parts = [other_part(folder, part) for part in parts]
    own = [f"figures/{name}/{part}" for part in parts]
    return [*shown, *words, *SHARED_PARTS.get(figure, []), *own, f"figures/{name}.js"]


def other_part(folder: Path, part: str) -> str:
    """Return what stands on a page in Korean in the place of a part: NAME.ko.js, if that exists."""
    korean = part.replace(".js", ".ko.js")
    return korean if (folder / korean).is_file() else part


def style_of(figure: str) -> str | None:
    """Return the style sheet of a figure that has one of its own."""
    file = f"figures/{figure.replace('-', '_')}.css"
    return file if (LIVE / file).is_file() else None


def add_scripts(
    app: Sphinx,
    page: str,
    _template: str,
    _context: dict[str, object],
    doctree: nodes.document | None,
) -> None:
    """Add the engine and the scripts of its figures to a page that has any."""
    names = figures_of(doctree) if doctree is not None else []
    if not names:
        return
    app.add_css_file("live/live.css")
    language = app.config.language
    scripts = [f"live/{file}" for file in engine_of(language)]
    for name in names:
        files = scripts_of(name, language)
        if not (LIVE / files[-1]).is_file():
            raise ExtensionError(
                f"{page} has <live-{name}>, and there is no _static/live/{files[-1]}"
            )
        scripts += [f"live/{file}" for file in files]
        if style := style_of(name):
            app.add_css_file(f"live/{style}")
    for script in scripts:
        app.add_js_file(script, priority=BEFORE_THE_THEME, defer="defer")


def set_addresses(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Let the pictures of a page be found from where it stands in the built book."""
    if app.builder.format != "html":
        return
    static = app.builder.get_relative_uri(page, "_static/x").rpartition("_static")[0]
    for node in list(doctree.findall(nodes.raw)):
        if ELEMENT.search(node.astext()):
            text = PICTURE.sub(rf"\g<1>{static}\2", node.astext())
            node.replace_self(nodes.raw("", text, format="html"))


def write_shown(app: Sphinx) -> None:
    """Write the records that figures show, before the pages, which add their checksums."""
    if app.builder.format == "html":
        write_records(Path(app.outdir) / "_static" / "live" / "records")


def write_weights(app: Sphinx, error: Exception | None) -> None:
    """Write the shipped models beside the scripts of the built book."""
    if error is None and app.builder.format == "html" and not is_korean(app):
        write_model(Path(app.outdir) / "_static" / "live" / "weights")


def write_model(folder: Path, *, bits: int = 8) -> None:
    """Write the shipped models as scripts."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in model_files(bits).items():
        (folder / name).write_text(text, encoding="ascii")


@cache  # the tests of the figures write dozens of pages in one process
def model_files(bits: int) -> dict[str, str]:
    """Return the scripts of the shipped models by their files; two share one of their tokenizer."""
    # Imported here, because a build of another format has no need of PyTorch.
    from annotated_transformer import Translator  # noqa: PLC0415
    from annotated_transformer.lab.page_model import model_scripts, pieces_script  # noqa: PLC0415
    from annotated_transformer.shipped import shipped_models  # noqa: PLC0415

    models = {name: Translator.load(name) for name in shipped_models()}
    tokenizers = {name: pieces_name(each.tokenizer.to_bytes()) for name, each in models.items()}
    uses, files = Counter(tokenizers.values()), {}
    for name, shipped in models.items():
        shared = tokenizers[name] if uses[tokenizers[name]] > 1 else None
        scripts = {
            name: model_scripts(
                name,
                shipped.model,
                shipped.tokenizer,
                shipped.policy.training_text,
                threshold=shipped.threshold,
                coverage=shipped.coverage,
                bits=bits,
                shared=shared,
            )
        }
        if shared is not None:
            scripts[shared] = [pieces_script(shared, shipped.tokenizer)]
        for script, parts in scripts.items():
            for number, text in enumerate(parts):
                files[f"{script}-{number}.js"] = text
    return files


def pieces_name(tokenizer: bytes) -> str:
    """Return the name of the script of a tokenizer that several models share."""
    return f"tokenizer_{hashlib.sha256(tokenizer).hexdigest()[:8]}"


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("builder-inited", write_shown)
    app.connect("html-page-context", add_scripts)
    app.connect("doctree-resolved", set_addresses)
    app.connect("build-finished", write_weights)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
