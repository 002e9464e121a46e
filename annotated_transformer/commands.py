"""What the commands of the command line do; their arguments are those of cli.py."""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from annotated_transformer.config import TABLE3, TransformerConfig
from annotated_transformer.corpora import SentencePair
from annotated_transformer.corpora.files import BYTE_ORDER_MARK, decode_line, read_parallel
from annotated_transformer.evaluation import evaluate as evaluate_split
from annotated_transformer.storage import load_model
from annotated_transformer.training.data import read_split
from annotated_transformer.training.loop import choose_device
from annotated_transformer.training.loop import train as train_recipe
from annotated_transformer.training.recipe import PRESETS, CorpusRecipe, Recipe, load_recipe
from annotated_transformer.transformer import count_parameters
from annotated_transformer.translator import Translator


def train(
    *, recipe: str, out: Path, overrides: Sequence[str], resume: bool, device: str, command: str
) -> None:
    """Train as the recipe says, then print what came out."""
    run = train_recipe(
        load_recipe(recipe, overrides), out, resume=resume, device=device, command=command
    )
    last, record = run.curve[-1], run.record
    print(
        f"{record['recipe']}: {record['parameters']:,} parameters, {last['step']:,} steps in "
        f"{record['wall_seconds']:,.0f} s, {last['tokens'] / last['seconds']:,.0f} target tokens/s;"
        f" validation loss {last['valid_loss']:.3f}, accuracy {last['valid_accuracy']:.1%}"
    )
    _print_scores(record["scores"])
    print(f"model, log and record are in {out}")


def translate(
    *,
    model: Path,
    text: str | None,
    beam_size: int,
    length_penalty: float,
    batch_size: int,
    device: str,
) -> None:
    """Translate one sentence, or standard input line by line."""
    translator = Translator.load(
        model,
        beam_size=beam_size,
        alpha=length_penalty,
        batch_size=batch_size,
        device=choose_device(device),
    )
    if text is not None:
        print(_on_one_line(translator(text)))
        return
    # Someone typing wants each answer at once; a file is faster in batches.
    size = 1 if sys.stdin.isatty() else batch_size
    for chunk in _chunks(_lines(sys.stdin.buffer, translator), size):
        for translation in translator(chunk):
            print(_on_one_line(translation))
        sys.stdout.flush()


def _on_one_line(translation: str) -> str:
    """One line out for one line in, whatever bytes a badly trained model may spell."""
    return translation.replace("\r", " ").replace("\n", " ")


def _lines(stream: Iterable[bytes], translator: Translator) -> Iterator[str]:
    """The lines of standard input without their ends, or an error that names the line."""
    limit = translator.model.config.max_length
    for number, raw in enumerate(stream, start=1):
        content = raw.removeprefix(BYTE_ORDER_MARK) if number == 1 else raw
        line = decode_line(
            "standard input", number, content.removesuffix(b"\n").removesuffix(b"\r")
        )
        place = f"standard input, line {number}"
        try:
            length = len(translator.tokenizer.source_ids(line))
        except ValueError as error:
            raise ValueError(f"{place}: {error}") from error
        if length > limit:
            raise ValueError(f"{place} has {length} tokens, the model takes at most {limit}")
        yield line


def _chunks(lines: Iterator[str], size: int) -> Iterator[list[str]]:
    """Groups of `size` lines; what was read before an error comes before the error."""
    chunk: list[str] = []
    try:
        for line in lines:
            chunk.append(line)
            if len(chunk) == size:
                yield chunk
                chunk = []
    except ValueError:
        if chunk:
            yield chunk
        raise
    if chunk:
        yield chunk


def evaluate(
    *,
    model: Path,
    splits: Sequence[str] | None,
    source: Path | None,
    target: Path | None,
    tokenize: str | None,
    as_json: bool,
    beam_size: int | None,
    length_penalty: float | None,
    batch_size: int,
    device: str,
) -> None:
    """Translate test sets and print their scores; what is None is as the run's recipe says."""
    recipe = _recipe_of(model)
    usual = recipe.evaluation
    sets = _test_sets(recipe, splits, source, target)
    translator = Translator.load(
        model,
        beam_size=usual.beam_size if beam_size is None else beam_size,
        alpha=usual.length_penalty if length_penalty is None else length_penalty,
        batch_size=batch_size,
        device=choose_device(device),
    )
    scores = [
        score
        for name, pairs in sets.items()
        for score in evaluate_split(
            translator,
            pairs,
            split=name,
            tokenize=usual.tokenize if tokenize is None else tokenize,
            progress=sys.stderr.isatty(),
        )
    ]
    if as_json:
        print(json.dumps(scores, indent=2, ensure_ascii=False))
    else:
        _print_scores(scores)


def _recipe_of(model: Path) -> Recipe:
    """The recipe of a run, or of the run that a model lies in.

    A model alone is taken for one of the embedded corpus, with the default settings.
    """
    place = model.resolve()
    for run in (place, *([place.parent] if place.name == "model" else [])):
        if (run / "recipe.toml").exists():
            return load_recipe(run / "recipe.toml")
    return Recipe(name=place.name, corpus=CorpusRecipe(kind="english_korean"))


def _test_sets(
    recipe: Recipe, splits: Sequence[str] | None, source: Path | None, target: Path | None
) -> dict[str, list[SentencePair]]:
    """The sentence pairs to score, by the name that the scores will carry."""
    if (source is None) != (target is None):
        raise ValueError("--source and --target belong together")
    if source is not None and target is not None:
        if splits:
            raise ValueError("give either --split or --source and --target")
        return {source.name: read_parallel(source, target)}
    chosen = splits or recipe.evaluation.splits or ("test",)
    return {split: read_split(recipe.corpus, split) for split in chosen}


def _print_scores(scores: Sequence[dict[str, Any]]) -> None:
    """A table of scores; the signatures say how each was computed."""
    if scores:
        width = max(len(score["split"]) for score in scores)
        print(f"{'split':{width}}  {'metric':11}  {'value':>6}  signature")
        for score in scores:
            print(
                f"{score['split']:{width}}  {score['metric']:11}  {score['value']:6.2f}  "
                f"{score['signature']}"
            )


def describe(*, what: str, vocab_size: int | None, as_json: bool) -> None:
    """Print a configuration, its parameters by part, and their total."""
    config = _config(what, vocab_size)
    parameters = count_parameters(config)
    if as_json:
        print(json.dumps({"config": config.to_dict(), "parameters": parameters}, indent=2))
        return
    width = max(len(name) for name in (*config.to_dict(), *parameters))
    for name, value in config.to_dict().items():
        print(f"{name:{width}}  {value!s:>12}")
    print("\nparameters")
    for name, count in parameters.items():
        print(f"{name:{width}}  {count:>12,}")


def _config(what: str, vocab_size: int | None) -> TransformerConfig:
    """The configuration of a preset, a row of Table 3, a saved model or run, or a recipe."""
    if what in PRESETS or what in TABLE3 or ": " in what:
        size = 37_000 if vocab_size is None else vocab_size
        if what in PRESETS:
            return getattr(TransformerConfig, what)(vocab_size=size)
        return TransformerConfig.table3(what, vocab_size=size)
    if vocab_size is not None:
        raise ValueError(f"--vocab-size is for presets and rows of Table 3; {what} has its own")
    if Path(what).is_dir():
        return load_model(what)[0].config
    recipe = load_recipe(what)
    return recipe.model.config(recipe.tokenizer.vocab_size)
