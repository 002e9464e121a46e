"""From a recipe to encoded data: the corpus and its splits, the tokenizer, the token ids."""

from collections import Counter

import pytest
from tiny_run import write_recipe

from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.run_data import split_names
from annotated_transformer.tokenizer import BOS_ID, EOS_ID, Tokenizer
from annotated_transformer.training.batching import collate
from annotated_transformer.training.data import encode, read_split, reversed_pair, sampled
from annotated_transformer.training.encoded import TokenPairs, check_lengths
from annotated_transformer.training.recipe import load_recipe

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


# The tokenizer.


def test_sample_is_fair_and_repeats_itself():
    pairs = [SentencePair(str(n), "x") for n in range(20)]
    assert sampled(pairs, 30, 1) == pairs
    assert sampled(pairs, 5, 1) == sampled(iter(pairs), 5, 1) != sampled(pairs, 5, 2)
    drawn = Counter(pair.source for seed in range(2_000) for pair in sampled(pairs, 5, seed))
    # Each is drawn 500 times on average, with a standard deviation of 19.4.
    assert all(abs(drawn[str(n)] - 500) < 5 * 19.4 for n in range(20))


# The encoded data.


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.train(["a cat sat on a mat", "고양이가 앉았다"], vocab_size=280)


def encode_pairs(pairs, tokenizer, *, max_length, origin):
    encoded = TokenPairs.of(encode(pairs, tokenizer, origin=origin))
    check_lengths(encoded, max_length, origin=origin)
    return encoded


def test_encoded_pair_ends_and_begins_as_the_model_expects(tokenizer):
    [encoded] = encode_pairs(
        [SentencePair("a cat", "고양이가")], tokenizer, max_length=50, origin="train"
    )
    assert encoded.source == (*tokenizer.encode("a cat"), EOS_ID)
    assert encoded.target == (BOS_ID, *tokenizer.encode("고양이가"), EOS_ID)


@pytest.mark.parametrize(
    ("side", "pair"), [("source", ("a " * 30, "a")), ("target", ("a", "a " * 30))]
)
def test_sentence_longer_than_the_model_takes_is_named(tokenizer, side, pair):
    pairs = [SentencePair("a cat", "a mat"), SentencePair(*pair)]
    n_tokens = len(tokenizer.encode("a " * 30)) + 1
    with pytest.raises(
        ValueError, match=rf"valid, line 2: the {side} sentence has {n_tokens} tokens.*at most 20"
    ):
        encode_pairs(pairs, tokenizer, max_length=20, origin="valid")


def test_the_longest_sentence_that_fits_is_taken(tokenizer):
    text = "a cat sat on a mat"
    length = len(tokenizer.encode(text)) + 1
    pairs = [SentencePair(text, text)]
    [encoded] = encode_pairs(pairs, tokenizer, max_length=length, origin="train")
    batch = collate([encoded])
    assert batch.source.shape == batch.target_input.shape == (1, length)
    with pytest.raises(ValueError, match=f"{length} tokens"):
        encode_pairs(pairs, tokenizer, max_length=length - 1, origin="train")
