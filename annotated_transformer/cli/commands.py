"""What the commands of the command line do; `arguments.py` defines their arguments."""

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from io import BufferedIOBase
from pathlib import Path
from typing import Any, cast

from annotated_transformer.cli import streaming
from annotated_transformer.config import TABLE3, TransformerConfig
from annotated_transformer.corpora import SentencePair
from annotated_transformer.corpora.files import read_parallel
from annotated_transformer.decoding.threads import advice
from annotated_transformer.evaluation import evaluate as evaluate_split
from annotated_transformer.export.formats import export_model
from annotated_transformer.saving import load_model
from annotated_transformer.storage.machine import data_directory
from annotated_transformer.training.cost import cost_lines, estimate
from annotated_transformer.training.data import open_corpus
from annotated_transformer.training.distributed import choose_device, rank_and_size
from annotated_transformer.training.loop import train as train_recipe
from annotated_transformer.training.recipe import PRESETS, Recipe
from annotated_transformer.training.recipe.loading import check_files, load_recipe
from annotated_transformer.training.recipe.schema import abridged
from annotated_transformer.training.run.beginning import start_from
from annotated_transformer.training.run.checking import check_run, check_sitting
from annotated_transformer.training.run.checkpoints import checkpoints, step_of
from annotated_transformer.training.run.directory import RunDirectory
from annotated_transformer.training.run.signals import STOPPED_BEFORE, stopping_with
from annotated_transformer.training.run.trained import Trained, run_of
from annotated_transformer.transformer import count_parameters
from annotated_transformer.translator import Translator

UNSCORED = "no split is scored: evaluation.splits of the recipe is empty, or it has no test"


def train(
    *,
    recipe: str,
    out: Path,
    overrides: Sequence[str],
    steps: int | None,
    resume: bool,
    start: str | None,
    device: str,
    **options: Any,
) -> None:
    """Print what the recipe will cost, train as it says, then print what came out.

    `options` are others of the function `train` in training/loop.py.
    """
    more = [] if steps is None else [f"training.steps={steps}"]
    chosen = load_recipe(recipe, [*overrides, *more])
    rank, processes = rank_and_size()
    if rank == 0:  # of several processes, the first looks and speaks
        begun = RunDirectory(out)
        # Refused before anything is timed.
        check_sitting(resume, options["new_sitting"])
        check_run(begun, chosen, resume)
        data_directory()
        done = max(map(step_of, checkpoints(begun.checkpoints)), default=0)
        with stopping_with(STOPPED_BEFORE):
            open_corpus(chosen)  # a download that fails, fails at once
            if start is not None:
                start_from(start, chosen)
            where = choose_device(device)
            cost = estimate(chosen, where, world_size=processes)
        # A run keeps the number of threads that it begins with: its weights depend on it.
        if where.type == "cpu" and (slow := advice()):
            print(f"{chosen.name}: {slow}", flush=True)
        for line in cost_lines(cost, chosen.training.steps, done=done):
            print(f"{chosen.name}: {line}", flush=True)
        if not chosen.evaluation.splits:
            print(f"{chosen.name}: {UNSCORED}", flush=True)
    run = train_recipe(chosen, out, resume=resume, start=start, device=device, **options)
    if not run.record:
        return
    last, record = run.curve[-1], run.record
    print(
        f"{record['recipe']}: {record['parameters']:,} parameters, {last['step']:,} steps in "
        f"{record['wall_seconds']:,.0f} s, {last['tokens'] / last['seconds']:,.0f} target tokens/s;"
        f" validation loss {last['valid_loss']:.3f}, accuracy {last['valid_accuracy']:.1%}"
    )
    _print_scores(record["scores"])
    if not record["scores"]:
        print(UNSCORED)
    print(f"model, log and record are in {out}")


def translate(*, model: Path, text: str | None, **search: Any) -> int:
    """Translate one sentence, or standard input line by line, with the settings of the run.

    `search` are the options of `_load_translator`. Returns the exit status: 1 if lines of standard
    input could not be translated.
    """
    if text is None:
        streaming.check_two_files(sys.stdin, sys.stdout)
    translator = _load_translator(model, run_of(model), **search)
    if text is not None:
        (translation,) = translator.translations([text])
        if translation.refusal:
            raise ValueError(translation.refusal)
        for about in (*translation.changes, *translator.policy.about(translation)):
            print(about, file=sys.stderr)
        if translation.doubts:
            print(f"this may be wrong: {'; '.join(translation.doubts)}", file=sys.stderr)
        print(streaming.on_one_line(translation.text))
        return 0
    n_lines, n_refused = streaming.translate_stream(
        translator,
        # Typeshed calls them BinaryIO, which need not have `read1`.
        cast(BufferedIOBase, sys.stdin.buffer),
        cast(BufferedIOBase, sys.stdout.buffer),
        lambda message: print(f"warning: standard input, {message}", file=sys.stderr),
    )
    if n_refused:
        print(
            f"{n_refused} of {n_lines} lines are not translated; in the output they are empty",
            file=sys.stderr,
        )
    return 1 if n_refused else 0


def evaluate(
    *,
    model: Path,
    recipe: str | None,
    splits: Sequence[str] | None,
    source: Path | None,
    target: Path | None,
    tokenize: str | None,
    as_json: bool,
    **search: Any,
) -> None:
    """Translate test sets and print their scores; options that are None are as the recipe says.

    `search` are the options of `_load_translator`.
    """
    run = run_of(model, recipe)
    sets = _test_sets(run, splits, source, target)
    translator = _load_translator(model, run, **search)
    tokenize = run.recipe.evaluation.tokenize if tokenize is None else tokenize
    scores = [
        score
        for name, pairs in sets.items()
        for score in evaluate_split(
            translator, pairs, split=name, tokenize=tokenize, progress=sys.stderr.isatty()
        )
    ]
    if as_json:
        print(json.dumps(scores, indent=2, ensure_ascii=False))
    else:
        _print_scores(scores)


def _load_translator(
    model: Path,
    run: Trained,
    *,
    beam_size: int | None,
    length_penalty: float | None,
    device: str,
    **search: Any,
) -> Translator:
    """Load a model; options of the search that are None are as the recipe says."""
    if beam_size is None:
        beam_size = run.recipe.evaluation.beam_size
    if length_penalty is None:
        length_penalty = run.length_penalty
    where = choose_device(device)
    return Translator.load(model, beam_size=beam_size, alpha=length_penalty, device=where, **search)


def _test_sets(
    run: Trained, splits: Sequence[str] | None, source: Path | None, target: Path | None
) -> dict[str, list[SentencePair]]:
    """Return the sentence pairs to score, by the name of their split in the scores."""
    if (source is None) != (target is None):
        raise ValueError("--source and --target belong together")
    if source is not None and target is not None:
        if splits:
            raise ValueError("give either --split or --source and --target")
        return {abridged(source.name): read_parallel(source, target)}
    chosen = splits or run.recipe.evaluation.splits or ("test",)
    return {split: run.read_split(split) for split in chosen}


def _print_scores(scores: Sequence[dict[str, Any]]) -> None:
    """Print a table of scores; a signature says how a score was computed."""
    if scores:
        width = max(len(score["split"]) for score in scores)
        print(f"{'split':{width}}  {'metric':11}  {'value':>6}  signature")
        for score in scores:
            print(
                f"{score['split']:{width}}  {score['metric']:11}  {score['value']:6.2f}  "
                f"{score['signature']}"
            )


def describe(*, what: str, vocab_size: int | None, as_json: bool) -> None:
    """Print a configuration and its parameters by part; for a recipe, also what it will cost."""
    config, recipe = _config(what, vocab_size)
    parameters = count_parameters(config)
    if recipe:
        check_files(recipe)
    if as_json:
        content = {"config": config.to_dict(), "parameters": parameters}
        if recipe:
            content["cost"] = asdict(estimate(recipe, choose_device("auto")))
        print(json.dumps(content, indent=2))
        return
    width = max(map(len, config.to_dict() | parameters))
    for name, value in config.to_dict().items():
        print(f"{name:{width}}  {value!s:>12}")
    print("\nparameters")
    for name, count in parameters.items():
        print(f"{name:{width}}  {count:>12,}")
    if recipe:
        print(end="", flush=True)  # what follows is timed, for seconds
        cost = estimate(recipe, choose_device("auto"))
        print("\ncost", *cost_lines(cost, recipe.training.steps), sep="\n")


def _config(what: str, vocab_size: int | None) -> tuple[TransformerConfig, Recipe | None]:
    """Return the configuration of a preset, a row of Table 3, a saved model or run, or a recipe."""
    size = 37_000 if vocab_size is None else vocab_size
    if what in PRESETS:
        return getattr(TransformerConfig, what)(vocab_size=size), None
    if what in TABLE3 or ": " in what:
        return TransformerConfig.table3(what, vocab_size=size), None
    if vocab_size is not None:
        raise ValueError(f"--vocab-size is for presets and rows of Table 3; {what} has its own")
    if Path(what).is_dir():
        return load_model(what)[0].config, None
    recipe = load_recipe(what)
    return recipe.model.config(recipe.tokenizer.vocab_size), recipe


def export(*, model: Path, out: Path, file_format: str) -> None:
    """Write a model for another program to serve."""
    translator = Translator.load(model)
    text = translator.policy.training_text
    export_model(translator.model, translator.tokenizer, out, text=text, file_format=file_format)
    print(f"exported for {file_format}; {out / 'README.md'} says how to serve it")
