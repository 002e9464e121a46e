"""Two sentences as one text: the alignment goes along, and steps are counted to the nearer end."""

from itertools import pairwise

from annotated_transformer.corpora import SentencePair
from experiments.joined_texts import joined, steps_to_the_end, texts

FIRST = SentencePair("I sleep", "나는 잔다", ((0, 0), (1, 1)))
SECOND = SentencePair("She reads it", "그녀는 그것을 읽는다", ((0, 0), (1, 2), (2, 1)))


def test_joined_words_keep_their_links():
    pair = joined(FIRST, SECOND)
    assert pair.source == "I sleep She reads it"
    assert pair.target == "나는 잔다 그녀는 그것을 읽는다"
    source, target = pair.source.split(" "), pair.target.split(" ")
    linked = {(source[s], target[t]) for s, t in pair.alignment}
    assert linked == {
        *{("I", "나는"), ("sleep", "잔다")},
        *{("She", "그녀는"), ("reads", "읽는다"), ("it", "그것을")},
    }


def test_one_sentence_and_two_in_turn_and_none_too_long():
    found = texts("valid", 40, longest=9)
    assert found == texts("valid", 40, longest=9)
    assert max(len(pair.source.split(" ")) for pair in found) == 9
    # A sentence begins with a capital, and names apart has no other word with one.
    starts = [sum(w in ("The", "A", "This") for w in pair.source.split(" ")) for pair in found]
    assert max(starts[0::2]) == 1
    assert max(starts[1::2]) == 2


class Pieces:
    """A tokenizer that cuts words into pieces of so many letters."""

    def __init__(self, letters):
        self.letters = letters

    def word_spans(self, text):
        ends = [0]
        for word in text.split(" "):
            ends.append(ends[-1] + -(-len(word) // self.letters))
        return list(pairwise(ends))

    def source_ids(self, text):
        return [1] * (self.word_spans(text)[-1][1] + 1)  # and the end


def test_steps_are_counted_to_the_nearer_end_of_the_source():
    pair = joined(FIRST, SECOND)
    # I 0, sleep 1, She 2 (forwards; backwards 3), reads 2 (3 and 2), it 1 (4 and 1).
    found = steps_to_the_end(pair, Pieces(letters=9))
    steps = dict(zip(pair.target.split(" "), found, strict=False))
    assert steps == {"나는": 0, "잔다": 1, "그녀는": 2, "그것을": 1, "읽는다": 2}
    assert found[-1] is None  # the end of the translation


def test_of_several_words_the_nearest_counts_and_without_a_link_there_is_none():
    pair = SentencePair("a b c d e f g", "x y z", ((2, 0), (3, 0), (6, 2)))
    assert steps_to_the_end(pair, Pieces(letters=9)) == [2, None, 1, None]


def test_pieces_are_counted_on_both_sides():
    pair = SentencePair("students read long books", "여러학생들은 책을", ((0, 0), (3, 1)))
    # stu den ts rea d lon g boo ks </s>: "students" begins at 0, "books" ends one before the end.
    assert steps_to_the_end(pair, Pieces(letters=3)) == [0, 0, 1, None]
