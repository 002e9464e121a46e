"""What all tests share: fixed seeds, one thread, and no skipping in CI."""

import gc
import os
import pkgutil
import tempfile
from importlib.util import find_spec
from pathlib import Path

import hypothesis
import jaxtyping
import pytest
import torch
from fonts import USUAL, write_settings
from typechecking import first_calls_checked, new_test

from rules import ROOT

# The shapes in all signatures are checked, except in the corpora of texts: they have no tensors,
# and checking the small functions of the grammar makes them seven times slower.
UNCHECKED = ("annotated_transformer.corpora", "annotated_transformer.lab")
LAB = (
    *("analysis", "baselines", "exercises", "family", "figures", "page_model"),
    *("source", "variants"),
)
IMAGES = tuple(f"corpora.{name}" for name in ("digits", "numbers", "scenes"))
_package = find_spec("annotated_transformer").submodule_search_locations
CHECKED = [
    *(
        module.name
        for module in pkgutil.iter_modules(_package, "annotated_transformer.")
        if module.name not in UNCHECKED
    ),
    *(f"annotated_transformer.lab.{name}" for name in (*LAB, *IMAGES)),
]
jaxtyping.jaxtyped = first_calls_checked  # where the import hook finds it
jaxtyping.install_import_hook(CHECKED, "typechecking.checked")

hypothesis.settings.register_profile("book", deadline=None, derandomize=bool(os.environ.get("CI")))
hypothesis.settings.load_profile("book")
torch.set_num_threads(1)  # sums in a fixed order


# Minutes or most of one each, the longest first. Begun last, one of them would keep one process
# busy to the end while the others have nothing left to do. Before them what generates the large
# corpus, which others then find: in the process that also looks at how it was derived.
LONGEST = (
    "lab/corpora/english_korean/test_large.py",
    *("test_pages.py", "test_korean_pages.py"),
    "lab/corpora/english_korean/test_open_whole.py",
    *("training/test_resume.py", "test_edition_in_lab.py", "export/test_onnx.py"),
    *("live/test_status.py", "live/test_translations.py", "test_launch_copies.py", "test_cli.py"),
    *("faults/test_doors.py", "live/test_positions.py", "live/test_map_layout.py"),
    *("test_edition.py", "test_pdf.py", "test_models.py", "training/test_distributed.py"),
    *("benchmarks/test_commands.py", "decoding/test_cache.py", "test_slides.py"),
    *("lab/corpora/english_korean/test_visitors.py", "lab/corpora/english_korean/test_corpus.py"),
)


def pytest_collection_modifyitems(items):
    """Begin with the notebooks, in the order given, and with the longest files."""
    order = {Path(__file__).parent / name: place for place, name in enumerate(LONGEST)}

    def place(item):
        return -1 if item.path.suffix == ".ipynb" else order.get(item.path, len(order))

    items.sort(key=place)


def pytest_configure(config):
    """Keep corpora out of the cache of whoever runs the tests, and a browser from their fonts.

    What one process has generated or tokenised is there for the others of the same run; programs
    and notebooks inherit both.
    """
    if "PYTEST_XDIST_WORKER" not in os.environ:
        folder = tempfile.TemporaryDirectory()
        os.environ["ANNOTATED_TRANSFORMER_DATA"] = folder.name
        config.add_cleanup(folder.cleanup)
        fonts = tempfile.TemporaryDirectory()
        os.environ["FONTCONFIG_FILE"] = str(write_settings(Path(fonts.name), USUAL))
        config.add_cleanup(fonts.cleanup)


def pytest_collection_finish():
    """Hide all that is imported from Python's collector: it is millions of objects, and stays.

    Otherwise it looks through them again and again, and the tests take much longer.
    """
    gc.freeze()


@pytest.fixture(autouse=True)
def fixed_seed():
    """Start every test from the same state of torch's generator, with no call counted yet."""
    torch.manual_seed(0)
    new_test()


@pytest.fixture(scope="module")
def browser():
    """A headless Chromium that reaches no other host."""
    from browser import launch  # noqa: PLC0415 - most tests need none

    with launch() as browser:
        yield browser


@pytest.fixture(scope="module")
def html():
    """The folder of the built book."""
    folder = ROOT / "_build" / "html"
    if not (folder / "book" / "index.html").is_file():
        pytest.fail("there is no built book in _build/html: run make strict-book", pytrace=False)
    return folder


def fail_instead_of_skipping(report):
    """In CI everything a test could miss is installed, so a skip hides something."""
    if os.environ.get("CI") and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid} may not be skipped in CI: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    report = yield
    fail_instead_of_skipping(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report():
    report = yield
    fail_instead_of_skipping(report)
    return report
