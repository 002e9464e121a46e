"""A corpus of a few made-up sentences and a recipe that trains on it in a second."""

from pathlib import Path

WORDS = {
    "cat": "고양이",
    "dog": "개",
    "bird": "새",
    "child": "아이",
    "friend": "친구",
    "man": "남자",
}

RECIPE = """
name = "tiny_run"
seed = 3

[corpus]
kind = "files"

[corpus.splits]
train = ["train.en", "train.ko"]
valid = ["valid.en", "valid.ko"]
test = ["test.en", "test.ko"]

[tokenizer]
vocab_size = 300

[model]
preset = "tiny"
n_layers = 1
d_model = 16
d_ff = 32
n_heads = 2
max_length = 64

[training]
steps = 12
tokens_per_batch = 200
warmup_steps = 6
log_every = 1
validate_every = 5
checkpoint_every = 4

[evaluation]
splits = ["test"]
beam_size = 1
"""


def write_recipe(directory: Path) -> Path:
    """Write corpus and recipe into a directory and return the recipe's path."""
    pairs = [
        (
            f"the {a} sees a {b}" + " today" * (i % 3),
            f"{WORDS[a]} 가 {WORDS[b]} 를 본다" + " 오늘" * (i % 3),
        )
        for i, (a, b) in enumerate((a, b) for _ in range(3) for a in WORDS for b in WORDS)
    ]
    splits = {"train": pairs[:80], "valid": pairs[80:90], "test": pairs[90:96]}
    for split, part in splits.items():
        for language, lines in zip(("en", "ko"), zip(*part, strict=True), strict=True):
            (directory / f"{split}.{language}").write_text("\n".join(lines) + "\n", "utf-8")
    recipe = directory / "tiny_run.toml"
    recipe.write_text(RECIPE, "utf-8")
    return recipe
