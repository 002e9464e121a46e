"""Encoded pairs in flat arrays: what goes in comes out, and its fingerprint says what it was."""

from annotated_transformer.tokenizer import BOS_ID, EOS_ID
from annotated_transformer.training.encoded import Example, TokenPairs, fingerprint

SHORT = Example((7, 7, EOS_ID), (BOS_ID, 8, 8, 8, EOS_ID))
LONG = Example((7, 7, 7, EOS_ID), (BOS_ID, 8, 8, 8, EOS_ID))


def test_sentencepieces_of_a_large_vocabulary_keep_all_their_bits():
    ids = TokenPairs.of([Example((70_000, EOS_ID), (BOS_ID, 99_999, EOS_ID))])
    assert ids[0] == Example((70_000, EOS_ID), (BOS_ID, 99_999, EOS_ID))


def test_fingerprint_changes_with_any_token_and_with_the_order():
    first, second = SHORT, LONG
    prints = {
        fingerprint(examples)
        for examples in ([first, second], [second, first], [first], [first, first], [])
    }
    assert len(prints) == 5
    assert fingerprint(TokenPairs.of([first, second])) == fingerprint([first, second])
