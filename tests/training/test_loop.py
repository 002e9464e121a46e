"""One update, the validation, and whole runs on a made-up corpus."""

import copy
import json
import math
import os
import signal

import pytest
import torch
from safetensors.torch import load_file
from tiny_run import write_recipe
from torch.testing import assert_close

from annotated_transformer.config import TransformerConfig
from annotated_transformer.corpora import SentencePair
from annotated_transformer.serving.machine import commit
from annotated_transformer.serving.storage import load_model
from annotated_transformer.training import loop
from annotated_transformer.training.batching import Example, collate, token_batches
from annotated_transformer.training.data import (
    prepare_data,
    read_split,
    reversed_pair,
    split_names,
    updates,
)
from annotated_transformer.training.loop import train
from annotated_transformer.training.loss import label_smoothing_loss
from annotated_transformer.training.recipe import TrainingRecipe, load_recipe
from annotated_transformer.training.run.checkpoints import Progress, checkpoints
from annotated_transformer.training.run.signals import StopRequest, TrainingStopped
from annotated_transformer.training.schedule import noam_rate
from annotated_transformer.training.step import (
    make_optimizer,
    train_step,
    uses_bfloat16,
    validate,
)
from annotated_transformer.transformer import Transformer

EXAMPLES = [
    Example((5, 6, 7, 2), (1, 8, 9, 2)),
    Example((6, 2), (1, 9, 9, 8, 2)),
    Example((5, 5, 2), (1, 8, 2)),
    Example((7, 2), (1, 2)),
]


def make_model(dropout=0.1, **overrides):
    sizes = {"n_layers": 1, "d_model": 12, "d_ff": 20, "n_heads": 3, "max_length": 8}
    config = TransformerConfig(vocab_size=10, dropout=dropout, **{**sizes, **overrides})
    return Transformer(config)


def a_step(model, batches, step=1, **settings):
    settings = TrainingRecipe(**{"warmup_steps": 3, "precision": "float32", **settings})
    return train_step(model, batches, make_optimizer(model, settings), step, settings)


# One update.


def test_update_number_n_uses_rate_number_n():
    settings = TrainingRecipe(warmup_steps=3, learning_rate_scale=0.5)
    model = make_model()
    optimizer = make_optimizer(model, settings)
    used, step = [], optimizer.step

    def recording_step():
        used.extend(group["lr"] for group in optimizer.param_groups)
        step()

    optimizer.step = recording_step
    for number in range(1, 6):
        result = train_step(model, [collate(EXAMPLES)], optimizer, number, settings)
        assert result.learning_rate == used[-1]
    assert used == [noam_rate(number, 12, 3, 0.5) for number in range(1, 6)]
    assert used[0] == pytest.approx(0.5 * 12**-0.5 * 3**-1.5)


def test_first_update_moves_every_used_weight_by_about_the_rate():
    # Adam's first step is rate * g / (|g| + epsilon): the rate itself, with the gradient's sign.
    model = make_model(dropout=0.0)
    before = model.encoder.layers[0].feed_forward.state_dict()
    before = {name: tensor.clone() for name, tensor in before.items()}
    rate = a_step(model, [collate(EXAMPLES)]).learning_rate
    weight = model.encoder.layers[0].feed_forward
    for name, parameter in weight.named_parameters():
        moved = (parameter.detach() - before[name]).abs()
        used = parameter.grad.abs() > 1e-6
        assert used.any()
        assert_close(moved[used], torch.full_like(moved[used], rate), rtol=1e-2, atol=0)


def test_the_optimizer_has_the_papers_constants():
    [group] = make_optimizer(make_model(), TrainingRecipe()).param_groups
    assert group["betas"] == (0.9, 0.98)
    assert group["eps"] == 1e-9
    assert group["weight_decay"] == 0


def test_reported_loss_is_the_loss_before_the_update():
    model = make_model(dropout=0.0)
    batch = collate(EXAMPLES)
    expected = label_smoothing_loss(model(batch.source, batch.target_input), batch.target_output)
    assert a_step(model, [batch]).loss == pytest.approx(expected.item(), rel=1e-6)


def test_small_batches_together_are_one_large_batch():
    torch.manual_seed(1)
    whole = make_model(dropout=0.0)
    torch.manual_seed(1)
    parts = make_model(dropout=0.0)
    one = a_step(whole, [collate(EXAMPLES)])
    many = a_step(parts, [collate(EXAMPLES[:1]), collate(EXAMPLES[1:3]), collate(EXAMPLES[3:])])
    assert one.n_tokens == many.n_tokens == 10
    assert many.loss == pytest.approx(one.loss, rel=1e-6)
    assert many.gradient_norm == pytest.approx(one.gradient_norm, rel=1e-5)
    for ours, theirs in zip(parts.parameters(), whole.parameters(), strict=True):
        assert_close(ours.grad, theirs.grad)


def test_accumulated_micro_batches_are_one_batch_to_the_last_digits():
    """In float64, so that no other difference can hide behind rounding."""
    torch.manual_seed(1)
    whole = make_model(dropout=0.0).double()
    parts = copy.deepcopy(whole)
    one = a_step(whole, [collate(EXAMPLES)])
    many = a_step(parts, [collate([example]) for example in EXAMPLES])
    assert many.loss == pytest.approx(one.loss, rel=1e-13)
    for ours, theirs in zip(parts.parameters(), whole.parameters(), strict=True):
        assert_close(ours.grad, theirs.grad, rtol=1e-10, atol=1e-14)


def test_precision_auto_is_what_the_hardware_has(monkeypatch):
    cpu = torch.device("cpu")
    for has in (True, False):
        monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda has=has: has)
        assert uses_bfloat16("auto", cpu) is has
        assert uses_bfloat16("bfloat16", cpu)
        assert not uses_bfloat16("float32", cpu)


def test_clipping_shortens_the_gradient_and_reports_its_true_norm():
    torch.manual_seed(1)
    free = make_model(dropout=0.0)
    torch.manual_seed(1)
    clipped = make_model(dropout=0.0)
    norm = a_step(free, [collate(EXAMPLES)]).gradient_norm
    result = a_step(clipped, [collate(EXAMPLES)], clip_norm=norm / 4)
    assert result.gradient_norm == norm
    for ours, theirs in zip(clipped.parameters(), free.parameters(), strict=True):
        assert_close(ours.grad, theirs.grad / 4, rtol=1e-4, atol=1e-7)


def test_without_clipping_the_gradient_is_left_alone():
    torch.manual_seed(1)
    model = make_model(dropout=0.0)
    batch = collate(EXAMPLES)
    loss = label_smoothing_loss(model(batch.source, batch.target_input), batch.target_output)
    gradients = torch.autograd.grad(loss, list(model.parameters()))
    a_step(model, [batch])
    for parameter, gradient in zip(model.parameters(), gradients, strict=True):
        assert_close(parameter.grad, gradient)


def test_bfloat16_is_close_and_leaves_float32_weights():
    torch.manual_seed(1)
    model = make_model(dropout=0.0)
    torch.manual_seed(1)
    low = make_model(dropout=0.0)
    exact = a_step(model, [collate(EXAMPLES)])
    rounded = a_step(low, [collate(EXAMPLES)], precision="bfloat16")
    assert rounded.loss != exact.loss
    assert rounded.loss == pytest.approx(exact.loss, rel=0.02)
    assert {parameter.dtype for parameter in low.parameters()} == {torch.float32}


@pytest.mark.parametrize("broken", ["weights", "gradient"])
def test_what_is_not_finite_stops_before_the_weights_change(broken):
    model = make_model()
    if broken == "weights":
        with torch.no_grad():
            model.encoder.layers[0].feed_forward.inner.weight[0, 0] = math.nan
    else:
        model.source_embedding.weight.register_hook(lambda gradient: gradient * math.inf)
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    with pytest.raises(FloatingPointError, match="step 7"):
        a_step(model, [collate(EXAMPLES)], step=7)
    for name, tensor in model.state_dict().items():
        assert_close(tensor, before[name], rtol=0, atol=0, equal_nan=True)


def test_the_model_learns_a_batch_by_heart():
    torch.manual_seed(1)
    model = make_model(dropout=0.0, d_model=24)
    settings = TrainingRecipe(warmup_steps=20, label_smoothing=0.0, learning_rate_scale=0.3)
    optimizer = make_optimizer(model, settings)
    losses = [
        train_step(model, [collate(EXAMPLES)], optimizer, step, settings).loss
        for step in range(1, 101)
    ]
    assert losses[0] > 2
    assert losses[-1] < 0.05


# Validation.


def test_validation_is_the_unsmoothed_loss_over_all_tokens_without_dropout_or_gradient():
    model = make_model(dropout=0.5)
    result = validate(model, EXAMPLES, [[3], [0, 2, 1]])
    whole = collate(EXAMPLES)
    logits = model.eval()(whole.source, whole.target_input)
    loss = label_smoothing_loss(logits, whole.target_output, smoothing=0.0)
    right = (logits.argmax(dim=-1) == whole.target_output) & (whole.target_output != 0)
    assert result["valid_loss"] == pytest.approx(loss.item(), rel=1e-6)
    assert result["valid_accuracy"] == right.sum().item() / 10


def test_validation_builds_no_graph_and_draws_no_random_number():
    model = make_model(dropout=0.5)
    state, seen = torch.get_rng_state(), []
    model.output.register_forward_hook(
        lambda module, inputs, logits: seen.append(
            logits.requires_grad or not torch.is_inference_mode_enabled()
        )
    )
    validate(model, EXAMPLES, [[0, 1], [2, 3]])
    assert seen == [False, False]
    assert torch.equal(torch.get_rng_state(), state)


# The stream of batches.


def plain_ids(update):
    return [batch.source.tolist() for batch in update.batches]


def test_stream_continues_from_any_position():
    recipe = load_recipe("english_korean", ["training.tokens_per_batch=8", "training.accumulate=2"])
    progress = Progress()
    stream, positions, seen = updates(EXAMPLES, recipe, progress), [], []
    for _ in range(9):
        positions.append((progress.epoch, progress.batch))
        seen.append(plain_ids(next(stream)))
    assert positions[-1][0] >= 2
    for i, (epoch, batch) in enumerate(positions):
        again = updates(EXAMPLES, recipe, Progress(epoch=epoch, batch=batch))
        assert [plain_ids(next(again)) for _ in range(9 - i)] == seen[i:]


def test_an_epoch_of_the_stream_is_all_batches_of_the_plan():
    recipe = load_recipe("english_korean", ["training.tokens_per_batch=8", "training.accumulate=2"])
    progress, rows = Progress(), 0
    plan = token_batches(EXAMPLES, 8, seed=recipe.seed, epoch=0)
    for batches, _ in updates(EXAMPLES, recipe, progress):
        rows += sum(batch.source.size(0) for batch in batches)
        if progress.batch == len(plan):
            break
    assert progress.epoch == 0
    assert rows == len(EXAMPLES)


# The corpus.


def test_reversed_pair_turns_the_alignment_too():
    pair = SentencePair("a b", "c d e", ((0, 2), (1, 0)))
    turned = reversed_pair(pair)
    assert (turned.source, turned.target, turned.alignment) == ("c d e", "a b", ((0, 1), (2, 0)))
    assert reversed_pair(turned) == SentencePair("a b", "c d e", ((0, 2), (1, 0)))


def test_reversed_and_shortened_corpus(tmp_path):
    path = write_recipe(tmp_path)
    plain = load_recipe(path).corpus
    changed = load_recipe(path, ["corpus.reverse=true", "corpus.train_pairs=5"]).corpus
    assert split_names(plain) == ("train", "valid", "test")
    expected = [(pair.target, pair.source) for pair in read_split(plain, "train")[:5]]
    assert [(pair.source, pair.target) for pair in read_split(changed, "train")] == expected
    assert len(read_split(changed, "valid")) == len(read_split(plain, "valid"))


def test_tsv_corpus(tmp_path):
    for split in ("train", "valid"):
        (tmp_path / f"{split}.tsv").write_text("a cat\t고양이\n", "utf-8")
    recipe = tmp_path / "own.toml"
    recipe.write_text(
        'name = "own"\n[corpus]\nkind = "tsv"\nsplits = {train = "train.tsv", valid = "valid.tsv"}'
    )
    [pair] = read_split(load_recipe(recipe).corpus, "valid")
    assert (pair.source, pair.target) == ("a cat", "고양이")


def test_unknown_split_is_named_with_those_that_are_there(tmp_path):
    corpus = load_recipe(write_recipe(tmp_path)).corpus
    with pytest.raises(ValueError, match="no split 'dev'; there are train, valid, test"):
        read_split(corpus, "dev")


# Whole runs.


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    directory = tmp_path_factory.mktemp("finished")
    recipe = load_recipe(write_recipe(directory))
    torch.set_num_threads(1)
    return recipe, train(recipe, directory / "run", progress=False, command="the command")


def test_run_gives_model_tokenizer_curve_and_record(finished):
    _, run = finished
    assert not run.model.training
    assert run.model.config.vocab_size == run.tokenizer.vocab_size
    assert [entry["step"] for entry in run.curve] == list(range(1, 13))
    validated = [entry["step"] for entry in run.curve if "valid_loss" in entry]
    assert validated == [5, 10, 12]
    assert run.curve[-1]["loss"] < run.curve[0]["loss"]
    assert run.record == json.loads((run.directory / "record.json").read_text())


def test_record_has_what_the_book_reads(finished):
    _, run = finished
    record = run.record
    assert record["recipe"] == "tiny_run"
    assert record["command"] == "the command"
    assert record["seed"] == 3
    assert record["commit"] == commit()
    assert record["machine"]["torch"] == torch.__version__
    assert record["machine"]["threads"] == 1
    assert record["machine"]["cores"] >= 1
    assert record["machine"]["processor"]
    assert record["started"].endswith("+00:00")
    assert record["wall_seconds"] > 0
    assert record["curve"] == run.curve
    assert record["parameters"] == sum(p.numel() for p in run.model.parameters())
    assert {(score["split"], score["metric"]) for score in record["scores"]} == {
        ("test", "BLEU"),
        ("test", "chrF"),
        ("test", "exact_match"),
    }
    assert record["settings"]["training"]["steps"] == 12
    assert record["settings"]["corpus"]["splits"]["train"] == ["train.en", "train.ko"]
    assert str(run.directory.parent) not in json.dumps(record)


def test_run_directory_has_its_parts(finished):
    recipe, run = finished
    assert {path.name for path in run.directory.iterdir()} == {
        "recipe.toml",
        "tokenizer.model",
        "checkpoints",
        "log.jsonl",
        "tensorboard",
        "lock",
        "model",
        "record.json",
    }
    assert [path.name for path in checkpoints(run.directory / "checkpoints")] == [
        "step_000008",
        "step_000012",
    ]
    assert load_recipe(run.directory / "recipe.toml") == recipe
    loaded, tokenizer = load_model(run.directory)
    assert tokenizer.fingerprint == run.tokenizer.fingerprint
    for ours, theirs in zip(loaded.parameters(), run.model.parameters(), strict=True):
        assert torch.equal(ours, theirs)


def test_the_best_model_is_the_one_with_the_least_validation_loss(finished):
    recipe, run = finished
    validated = [entry for entry in run.curve if "valid_loss" in entry]
    best = min(validated, key=lambda entry: entry["valid_loss"])
    model, tokenizer = load_model(run.directory / "checkpoints" / "best")
    data = prepare_data(recipe, run.directory / "tokenizer.model")
    plan = token_batches(data.valid, recipe.training.tokens_per_batch)
    assert validate(model, data.valid, plan)["valid_loss"] == best["valid_loss"]
    assert tokenizer.fingerprint == run.tokenizer.fingerprint
    about = {"step": best["step"], "valid_loss": best["valid_loss"]}
    description = json.loads((run.directory / "checkpoints/best/config.json").read_text())
    assert description["training"] == run.record["best"] == about


def test_a_worse_validation_does_not_replace_the_best_model(tmp_path, monkeypatch):
    recipe = load_recipe(write_recipe(tmp_path), ["evaluation.splits=[]"])
    losses = iter([3.0, 2.0, 2.5])  # at steps 5, 10 and 12
    monkeypatch.setattr(
        loop, "validate", lambda *_: {"valid_loss": next(losses), "valid_accuracy": 0.5}
    )
    run = train(recipe, tmp_path / "run", progress=False)
    assert run.record["best"] == {"step": 10, "valid_loss": 2.0}
    best, last = (load_model(run.directory / name)[0] for name in ("checkpoints/best", "model"))
    assert not torch.equal(best.output.weight, last.output.weight)


def test_a_resumed_run_knows_the_best_model_of_before(tmp_path, monkeypatch):
    recipe = load_recipe(write_recipe(tmp_path), ["evaluation.splits=[]"])
    losses = iter([2.0, KeyboardInterrupt(), 3.0, 2.5])  # at steps 5, 10, then 10 and 12

    def validated(*_):
        loss = next(losses)
        if isinstance(loss, KeyboardInterrupt):
            raise loss
        return {"valid_loss": loss, "valid_accuracy": 0.5}

    monkeypatch.setattr(loop, "validate", validated)
    with pytest.raises(KeyboardInterrupt):
        train(recipe, tmp_path / "run", progress=False)
    best = tmp_path / "run" / "checkpoints" / "best" / "model.safetensors"
    before = best.read_bytes()
    run = train(recipe, tmp_path / "run", resume=True, progress=False)
    assert run.record["best"] == {"step": 5, "valid_loss": 2.0}
    assert best.read_bytes() == before


def test_the_model_is_the_mean_of_the_last_checkpoints_if_the_recipe_says_so(tmp_path):
    settings = ["training.keep_checkpoints=4", "training.average_checkpoints=3"]
    settings += ["training.steps=14", "evaluation.splits=[]"]
    recipe = load_recipe(write_recipe(tmp_path), settings)
    run = train(recipe, tmp_path / "run", progress=False)
    files = [
        load_file(run.directory / f"checkpoints/step_{step:06d}/model.safetensors")
        for step in (8, 12, 14)
    ]
    for name, weight in run.model.named_parameters():
        assert torch.equal(weight, (sum(file[name].double() for file in files) / 3).float())
    assert run.record["averaged"]["steps"] == [8, 12, 14]
    data = prepare_data(recipe, run.directory / "tokenizer.model")
    plan = token_batches(data.valid, recipe.training.tokens_per_batch)
    assert {**run.record["averaged"], "steps": None} == {
        "steps": None,
        **validate(run.model, data.valid, plan),
    }
    description = json.loads((run.directory / "model/config.json").read_text())
    assert description["training"] == {"steps": [8, 12, 14]}


def without_time(curve):
    return [{key: value for key, value in entry.items() if key != "seconds"} for entry in curve]


def test_same_recipe_same_numbers_and_another_seed_others(finished, tmp_path):
    recipe, run = finished
    again = train(recipe, tmp_path / "again", progress=False)
    assert without_time(again.curve) == without_time(run.curve)
    assert again.record["scores"] == run.record["scores"]
    path = write_recipe(tmp_path)
    other = train(load_recipe(path, ["seed=4"]), tmp_path / "other", progress=False)
    assert other.curve[0]["loss"] != run.curve[0]["loss"]


def test_a_run_whose_loss_is_not_finite_names_the_step_and_keeps_what_was_saved(
    tmp_path, monkeypatch
):
    recipe = load_recipe(write_recipe(tmp_path))
    step = loop.train_step

    def poisoned(model, batches, optimizer, n, *arguments, **options):
        if n == 7:
            torch.nn.init.constant_(model.source_embedding.weight, math.nan)
        return step(model, batches, optimizer, n, *arguments, **options)

    monkeypatch.setattr(loop, "train_step", poisoned)
    with pytest.raises(FloatingPointError, match="step 7: the loss is nan"):
        train(recipe, tmp_path / "run", progress=False)
    assert [path.name for path in checkpoints(tmp_path / "run" / "checkpoints")] == ["step_000004"]
    assert not (tmp_path / "run" / "model").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_ends_the_update_saves_and_stops(tmp_path, monkeypatch, number):
    recipe = load_recipe(write_recipe(tmp_path))
    step = loop.train_step

    def signalled(model, batches, optimizer, n, *arguments, **options):
        if n == 6:
            os.kill(os.getpid(), number)
        return step(model, batches, optimizer, n, *arguments, **options)

    before = signal.getsignal(number)
    monkeypatch.setattr(loop, "train_step", signalled)
    with pytest.raises(TrainingStopped, match="stopped after step 6") as stopped:
        train(recipe, tmp_path / "run", progress=False)
    assert stopped.value.signal == number
    assert checkpoints(tmp_path / "run" / "checkpoints")[-1].name == "step_000006"
    assert signal.getsignal(number) is before


def test_second_signal_is_not_held_back():
    # Python's own handler, also where pytest was started in the background with SIGINT ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        check_second_signal()
    finally:
        signal.signal(signal.SIGINT, before)


def check_second_signal():
    with StopRequest() as stop:
        os.kill(os.getpid(), signal.SIGINT)
        assert stop.signal == signal.SIGINT
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize(
    ("name", "message"), [("tpu", "none of auto, cpu, cuda"), ("cuda", "finds no GPU")]
)
def test_device_that_is_not_there(monkeypatch, name, message):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ValueError, match=message):
        loop.choose_device(name)


@pytest.mark.parametrize("name", ["cpu:foo", "cpu:", "cpu:1", "cuda:x", "cuda:-1", "cudax", ""])
def test_device_that_is_none_is_named(monkeypatch, name):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    with pytest.raises(ValueError, match=f"device '{name}' is none of auto, cpu, cuda"):
        loop.choose_device(name)


def test_device_number_is_checked_against_the_gpus_there(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    assert loop.choose_device("cuda:1") == torch.device("cuda:1")
    with pytest.raises(ValueError, match=r"device 'cuda:9': the last GPU here is cuda:1"):
        loop.choose_device("cuda:9")


def test_automatic_device(monkeypatch):
    for available, name in ((False, "cpu"), (True, "cuda")):
        monkeypatch.setattr(torch.cuda, "is_available", lambda: available)  # noqa: B023
        assert loop.choose_device("auto").type == name


def test_unreadable_evaluation_split_is_found_before_training(tmp_path):
    recipe = load_recipe(write_recipe(tmp_path), ['evaluation.splits=["dev"]'])
    with pytest.raises(ValueError, match="no split 'dev'"):
        train(recipe, tmp_path / "run", progress=False)
    assert not (tmp_path / "run" / "log.jsonl").exists()


def test_commit_outside_a_checkout_is_unknown(monkeypatch, tmp_path):
    monkeypatch.setattr("annotated_transformer.serving.machine.__file__", str(tmp_path / "x.py"))
    assert commit() == "unknown"
