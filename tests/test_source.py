"""`show_source` prints the line that the tests run: same text, stable address, no surprises."""

import ast
import html
import io
import json
import re
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest
from IPython.utils.capture import capture_output

import annotated_transformer
import words
from annotated_transformer import minimal
from annotated_transformer.attention import MultiHeadAttention, attention
from annotated_transformer.inspection import record_attention
from annotated_transformer.lab.source import (
    SourceDifference,
    SourceListing,
    show_difference,
    show_source,
)
from annotated_transformer.transformer import DecoderLayer, EncoderLayer
from source_links import titled

PACKAGE = Path(annotated_transformer.__file__).parent


def bundle(obj, **options):
    return SourceListing(obj, **options)._repr_mimebundle_()


def test_function_under_the_runtime_checker_shows_its_own_lines():
    assert hasattr(attention, "__wrapped__"), "the plugin should have wrapped it"
    header, _, code = bundle(attention)["text/plain"].partition("\n")
    assert header == "# annotated_transformer/attention.py · attention"
    assert code.startswith("@float16_in_float32\ndef attention(")
    assert code in (PACKAGE / "attention.py").read_text(encoding="utf-8")


def test_method_is_dedented_and_named_with_its_class():
    listing = SourceListing(MultiHeadAttention.forward)
    assert listing.name == "MultiHeadAttention.forward"
    assert listing.code.startswith("def forward(")
    ast.parse(listing.code)


def test_class_is_shown_whole():
    listing = SourceListing(MultiHeadAttention)
    assert listing.code.startswith("class MultiHeadAttention(")
    assert "def forward(" in listing.code


def test_module_is_its_whole_file_and_its_title_is_the_file():
    found, text = bundle(minimal), Path(minimal.__file__).read_text(encoding="utf-8")
    header, _, code = found["text/plain"].partition("\n")
    assert header == "# annotated_transformer/minimal.py"
    assert code == text.rstrip()
    page = found["text/html"]
    assert 'data-file="annotated_transformer/minimal.py"' in page
    assert "data-object" not in page
    assert "·" not in page.partition("</div>")[0]
    short = SourceListing(minimal, docstring=False).code
    assert text.endswith(f"{short}\n")
    assert short.startswith("import math\n")


def test_bound_methods_and_context_managers_are_looked_through():
    module = MultiHeadAttention(d_model=4, n_heads=2)
    assert SourceListing(module.forward).code == SourceListing(MultiHeadAttention.forward).code
    listing = SourceListing(record_attention)
    assert listing.code.startswith("@contextmanager\n")


def test_without_docstring_keeps_every_statement_and_comment():
    full, short = (SourceListing(attention, docstring=d).code for d in (True, False))
    assert '"""' in full
    assert '"""' not in short
    whole, stripped = ast.parse(full).body[0], ast.parse(short).body[0]
    whole.body = whole.body[1:]
    assert ast.dump(whole) == ast.dump(stripped)


def test_without_docstring_keeps_a_comment_that_follows_it(monkeypatch):
    code = 'def f():\n    """What."""\n\n    # why\n    return 1'
    monkeypatch.setattr("inspect.getsource", lambda _: code)
    listing = SourceListing(attention, docstring=False)
    assert listing.code == "def f():\n    # why\n    return 1"


def comments(code):
    tokens = tokenize.generate_tokens(io.StringIO(code).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


def untyped(code):
    """What a code does, with the annotations taken out of its signatures."""
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
            for argument in ast.walk(node.args):
                if isinstance(argument, ast.arg):
                    argument.annotation = None
    return ast.dump(tree)


def test_without_types_nothing_but_the_types_of_signatures_is_gone(monkeypatch):
    for module in sorted(PACKAGE.rglob("*.py")):
        code = module.read_text(encoding="utf-8").rstrip()
        monkeypatch.setattr("inspect.getsource", lambda _, code=code: code)
        shown = SourceListing(minimal, types=False).code
        assert (module, ast.dump(ast.parse(shown))) == (module, untyped(code))
        assert (module, comments(shown)) == (module, comments(code))
        before = set(code.splitlines())
        wide = [line for line in shown.splitlines() if len(line) > 80 and line not in before]
        assert (module, wide) == (module, [])


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("def f(a: int, *, b: float = 1.0) -> int:\n    return a", "def f(a, *, b=1.0):"),
        ("def f(\n    a: X,\n    *b: Y,\n) -> Z:\n    return a", "def f(a, *b):"),
        ("def f(a: X['é'], b: Y = (1, 2)) -> Z[1:2]: ...", "def f(a, b=(1, 2)):"),
        ("def f(\n    a: X,  # the first\n):\n    return a", "def f(\n    a,  # the first\n):"),
        ("def f(a, b=3):\n    return a", "def f(a, b=3):"),
        (
            "def f(\n    a: X,\n    {}: Y,\n):\n    return a".format("b" * 70),
            "def f(\n    a, {}\n):".format("b" * 70),
        ),
        (
            "def f(\n    a: X,\n    {}: Y,\n):\n    return a".format("b" * 77),
            "def f(\n    a,\n    {},\n):".format("b" * 77),
        ),
    ],
)
def test_a_signature_without_types_is_written_as_the_formatter_would(monkeypatch, code, expected):
    monkeypatch.setattr("inspect.getsource", lambda _: code)
    assert SourceListing(attention, types=False).code.startswith(expected)


def test_the_page_says_that_types_were_left_out():
    assert " without types</div>" in bundle(attention, types=False)["text/html"]
    assert "without types" not in bundle(attention)["text/html"]
    with capture_output(stdout=True, stderr=False, display=True) as captured:
        show_source(attention, types=False)
    assert "def attention(query, key, value, mask=None, attn_bias=None):" in captured.stdout


def test_html_says_where_the_code_is_and_nothing_about_this_machine():
    found = bundle(MultiHeadAttention.forward)["text/html"]
    assert 'data-file="annotated_transformer/attention.py"' in found
    assert 'data-object="MultiHeadAttention.forward"' in found
    assert str(PACKAGE.parent) not in found
    assert 'class="linenos"' not in found


def test_html_is_the_same_in_another_process():
    program = (
        "import json; from annotated_transformer.lab.source import SourceListing;"
        "from annotated_transformer.attention import attention;"
        "print(json.dumps(SourceListing(attention)._repr_mimebundle_()))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=PACKAGE
    )
    assert json.loads(run.stdout) == bundle(attention)


def test_one_output_per_object():
    with capture_output(stdout=True, stderr=False, display=True) as captured:
        show_source(attention, MultiHeadAttention)
    assert captured.stdout.count("# annotated_transformer/attention.py · ") == 2


def test_a_difference_gives_back_both_sources():
    found = SourceDifference(DecoderLayer, EncoderLayer)
    for obj, foreign in ((DecoderLayer, "+"), (EncoderLayer, "-")):
        own = [line[2:] for line in found.lines if line[0] != foreign]
        assert "\n".join(own) == SourceListing(obj, docstring=False).code
    assert {line[0] for line in found.lines} == set("+- ")
    changed = "".join(line for line in found.lines if line[0] != " ")
    assert "cross_attention" in changed
    assert "self.feed_forward = feed_forward(config)" not in changed


def test_a_difference_without_types_compares_what_it_shows():
    found = SourceDifference(DecoderLayer, EncoderLayer, types=False)
    for obj, foreign in ((DecoderLayer, "+"), (EncoderLayer, "-")):
        own = [line[2:] for line in found.lines if line[0] != foreign]
        assert "\n".join(own) == SourceListing(obj, docstring=False, types=False).code
    assert "Float" not in "".join(found.lines)
    assert " without types</div>" in found._repr_mimebundle_()["text/html"]
    typed = SourceDifference(DecoderLayer, EncoderLayer)._repr_mimebundle_()["text/html"]
    assert "without types" not in typed
    with pytest.raises(ValueError, match="do not differ"):
        SourceDifference(attention, attention, types=False)


@pytest.mark.parametrize("listing", [SourceListing, SourceDifference])
def test_on_a_korean_page_its_title_is_korean(listing, monkeypatch):
    shown = [DecoderLayer, EncoderLayer] if listing is SourceDifference else [attention]
    title = listing(*shown, types=False)._repr_mimebundle_()["text/html"]
    assert titled(title) == title
    monkeypatch.setattr(words, "_spoken", words.KOREAN)
    assert titled(title) == title.replace(" without types</div>", " 타입 없이</div>") != title


def test_a_difference_has_the_same_lines_in_its_html():
    found = SourceDifference(DecoderLayer.forward, EncoderLayer.forward)
    bundle = found._repr_mimebundle_()
    text = re.sub("<[^>]*>", "", bundle["text/html"].partition("<pre>")[2].partition("</pre>")[0])
    assert html.unescape(text).rstrip("\n").split("\n") == found.lines
    assert bundle["text/html"].count('class="at-added"') == sum(
        line.startswith("+") for line in found.lines
    )
    first = bundle["text/plain"].splitlines()[0]
    name = "annotated_transformer/transformer.py · {}.forward"
    assert first == f"# {name.format('DecoderLayer')} → {name.format('EncoderLayer')}"


def test_a_difference_is_displayed_once_and_one_of_nothing_is_refused():
    with capture_output(stdout=True, stderr=False, display=True) as captured:
        show_difference(DecoderLayer, EncoderLayer)
    assert captured.stdout.count("# annotated_transformer/transformer.py · ") == 1
    with pytest.raises(ValueError, match="attention do not differ"):
        show_difference(attention, attention)


@pytest.mark.parametrize("stranger", [len, json.dumps, "attention", PACKAGE, json])
def test_objects_of_other_packages_are_refused(stranger):
    with pytest.raises(ValueError, match=r"show_source: .*annotated_transformer"):
        show_source(stranger)


def test_nothing_to_show_is_an_error():
    with pytest.raises(ValueError, match="at least one"):
        show_source()
