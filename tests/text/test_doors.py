"""Doors x characters: a text is read, translated, named or refused alike through every door."""

import io
import re
import sys
from dataclasses import astuple, replace
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest
from korean_text import INVENTED, MARKED, NEW_FORMS, korean_text
from korean_text import PLAIN as KOREAN
from odd_text import CLOSED, REFUSED_TEXTS, SAME, TYPED_KOREAN, TYPED_TEXTS
from typechecking import unchecked

from annotated_transformer import Translator, evaluate
from annotated_transformer.cli import main
from annotated_transformer.corpora import SentencePair
from annotated_transformer.export.formats import FORMATS, export_model
from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.saving import save_model
from annotated_transformer.text import TextPolicy
from annotated_transformer.translation import Translation

PLAIN = ["do you like coffee?", "I don't like milk. You are a teacher", "I want to eat lasagna"]
ODD = [change(PLAIN[i % 3]) for i, change in enumerate((*SAME.values(), *CLOSED.values()))]
TEXTS = list(dict.fromkeys([*PLAIN, *ODD, *TYPED_TEXTS, *REFUSED_TEXTS]))
LINES = [text for text in TEXTS if "\n" not in text]
N_SENTENCES = 200
TOO_LONG = "I am " + "very " * 150 + "good"
"""More tokens than the model has positions: refused, and the other texts are translated."""


@pytest.fixture(scope="module")
def translator() -> Translator:
    translator = Translator.load("english_korean", beam_size=1, alpha=0.0)
    translator.model.double()  # the same choices in batches of any size
    return translator


@pytest.fixture(scope="module")
def wanted(translator: Translator) -> dict[str, Translation]:
    """What the first door gives: that it is right is tested with the policy."""
    return dict(zip(TEXTS, translator.translations(TEXTS), strict=True))


@pytest.fixture(scope="module")
def plain(translator: Translator) -> dict[str, str]:
    """Sentences of the test split, and what the first door gives."""
    texts = [pair.source for pair in english_korean("test")[:N_SENTENCES]]
    assert len(set(texts)) == N_SENTENCES
    return dict(zip(texts, translator(texts), strict=True))


def accepted(wanted: dict[str, Translation]) -> list[str]:
    return [text for text, found in wanted.items() if not found.refusal]


def test_texts_that_mean_the_same_are_translated_the_same(
    translator: Translator, wanted: dict[str, Translation]
) -> None:
    for i, change in enumerate(SAME.values()):
        assert wanted[change(PLAIN[i % 3])].text == wanted[PLAIN[i % 3]].text
    assert len(accepted(wanted)) == len({*PLAIN, *ODD, *TYPED_TEXTS})
    assert all(not wanted[text].text and wanted[text].refusal for text in REFUSED_TEXTS)


def test_a_call(translator: Translator, wanted: dict[str, Translation]) -> None:
    texts = accepted(wanted)
    assert translator(texts) == [wanted[text].text for text in texts]
    for text in REFUSED_TEXTS[::10]:
        with pytest.raises(ValueError, match=re.escape(str(wanted[text].refusal))):
            translator(text)
        with pytest.raises(ValueError, match=r"line 2: I cannot"):
            translator([PLAIN[0], text])


def test_hypotheses_and_attention(translator: Translator, wanted: dict[str, Translation]) -> None:
    single = [t for t in accepted(wanted) if len(translator.policy.read(t).sentences) == 1]
    for text, found in zip(single, translator.hypotheses(single), strict=True):
        assert translator.tokenizer.decode(found[0].ids) == wanted[text].text
    with pytest.raises(ValueError, match="line 1 has 2 sentences"):
        translator.hypotheses([PLAIN[1]])
    for text, found in zip(
        single,
        translator.attentions([(text, "나는\u00a0학생이다") for text in single]),
        strict=True,
    ):
        assert found.source_words == tuple(translator.policy.read(text).sentences[0].split(" "))
        assert found.target_words == ("나는", "학생이다")
    with pytest.raises(ValueError, match="source line 1: I cannot"):
        translator.attention(REFUSED_TEXTS[0], "나는")


def test_workers(translator: Translator, wanted: dict[str, Translation]) -> None:
    two = Translator(
        translator.model,
        translator.tokenizer,
        beam_size=1,
        alpha=0.0,
        text=translator.policy.training_text,
        threshold=translator.threshold,
        workers=2,
    )
    found, first = two.translations(TEXTS), list(wanted.values())
    assert [replace(each, doubt=None) for each in found] == [replace(x, doubt=None) for x in first]
    for each, other in zip(found, first, strict=True):  # sums in another order
        assert each.doubt == pytest.approx(other.doubt)
    two.workers.close()


def test_standard_input(
    translator: Translator,
    wanted: dict[str, Translation],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(
        "annotated_transformer.cli.commands.Translator.load", lambda *_, **__: translator
    )
    content = "".join(f"{line}\n" for line in LINES).encode()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))
    assert main(["translate", "english_korean"]) == 1
    printed = capsys.readouterr()
    assert printed.out.split("\n") == [*(wanted[line].text for line in LINES), ""]
    for number, line in enumerate(LINES, start=1):
        found = wanted[line]
        if found.refusal:
            assert f"line {number} is not translated: {found.refusal}" in printed.err
        for about in translator.policy.about(found) if not found.refusal else []:
            assert f"line {number}: {about}" in printed.err
        for change in found.changes if not found.refusal else []:
            assert f": {change}" in printed.err


@pytest.mark.parametrize("text", [*TEXTS[:3], *ODD[::9], *TYPED_TEXTS[::9], *REFUSED_TEXTS[::9]])
def test_an_argument(
    text: str,
    translator: Translator,
    wanted: dict[str, Translation],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(
        "annotated_transformer.cli.commands.Translator.load", lambda *_, **__: translator
    )
    status = main(["translate", "english_korean", "--beam-size", "1", "--", text])
    printed, found = capsys.readouterr(), wanted[text]
    if found.refusal:
        assert (status, printed.out) == (1, "")
        assert printed.err == f"annotated-transformer: error: {found.refusal}\n"
    else:
        assert (status, printed.out) == (0, f"{found.text}\n")
        doubts = [f"this may be wrong: {'; '.join(found.doubts)}"] if found.doubts else []
        about = [*found.changes, *translator.policy.about(found), *doubts]
        assert printed.err.splitlines() == about


def test_evaluate(
    translator: Translator, wanted: dict[str, Translation], caplog: pytest.LogCaptureFixture
) -> None:
    """A text that is refused counts as not translated, and how many there are is said."""
    pairs = [SentencePair(text, found.text or "x") for text, found in wanted.items()]
    found = {s["metric"]: s["value"] for s in evaluate(translator, pairs, split="odd")}
    assert found["exact_match"] == round(100 * len(accepted(wanted)) / len(pairs), 2)
    assert f"{len(REFUSED_TEXTS)} of {len(pairs)} sources of odd are refused" in caplog.text
    assert "a no-break space (U+00A0) read as a space" in caplog.text


@pytest.mark.parametrize("file_format", FORMATS)
def test_the_code_in_the_readme_of_an_export(
    file_format: str,
    translator: Translator,
    wanted: dict[str, Translation],
    plain: dict[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    directory = tmp_path / "export"
    with unchecked():
        assert main(["export", "english_korean", str(directory), "--format", file_format]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    assert printed.out == (
        f"exported for {file_format}; {directory / 'README.md'} says how to serve it\n"
    )
    readme = (directory / "README.md").read_text("utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    names = {"directory": str(directory), "texts": [*TEXTS, *plain, TOO_LONG]}
    path, modules = list(sys.path), set(sys.modules)
    nothing = names | {"texts": ["", "\u2615"]}
    exec(code, nothing)
    assert nothing["translations"] == ["", ""]
    exec(code, names)
    assert names["policy"].__class__.__module__ == "text_policy.policy"
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        if name.startswith("text_policy"):
            del sys.modules[name]
    assert names["translations"] == [
        *(found.text for found in wanted.values()),
        *plain.values(),
        "",
    ]
    assert [reading.refusal for reading in names["readings"]] == [
        *(found.refusal for found in wanted.values()),
        *[None] * N_SENTENCES,
        translator.translations([TOO_LONG])[0].refusal,
    ]


def test_a_model_that_reads_korean_reads_alike_through_its_files(
    translator: Translator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it writes does not count here: the weights are those of a model for English."""
    odd = [change(KOREAN[i % 4]) for i, change in enumerate((*SAME.values(), *CLOSED.values()))]
    unknown = [f"나는 {word} 좋아한다" for word in (*INVENTED, *NEW_FORMS)]
    texts = [*KOREAN, *MARKED, *odd, *INVENTED, *NEW_FORMS, *unknown, *REFUSED_TEXTS, *TYPED_KOREAN]
    text = korean_text()
    wanted = [TextPolicy(text).read(each) for each in texts]
    save_model(tmp_path / "model", translator.model, translator.tokenizer, text=text)
    loaded = Translator.load(tmp_path / "model", beam_size=1, alpha=0.0)
    assert [loaded.policy.read(each) for each in texts] == wanted
    few = [*MARKED, *unknown[::3], *INVENTED[:2]]
    for given, found in zip(few, loaded.translations(few), strict=True):
        reading = wanted[texts.index(given)]
        assert (found.unknown_words, found.refusal) == (reading.unknown_words, reading.refusal)
    export_model(translator.model, translator.tokenizer, tmp_path / "export", text=text)
    monkeypatch.syspath_prepend(str(tmp_path / "export"))
    policy = import_module("text_policy").TextPolicy.load(tmp_path / "export" / "text.json")
    assert [astuple(policy.read(each)) for each in texts] == [astuple(each) for each in wanted]
    for name in [name for name in sys.modules if name.startswith("text_policy")]:
        monkeypatch.delitem(sys.modules, name)
