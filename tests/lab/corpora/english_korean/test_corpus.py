"""Properties of the embedded corpus with the small lexicon: splits, particles, held-out pairings.

What holds of both lexicons is tested of the large one in test_large.py.
"""

import hashlib
import re
import subprocess
import sys
import unicodedata
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from stored_corpus import read_back

from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.corpora.english_korean import (
    CONSTRUCTIONS,
    SIZES,
    SPLITS,
    Derived,
    derivations,
    english_korean,
)
from annotated_transformer.lab.corpora.english_korean.held_out import HELD_OUT
from annotated_transformer.lab.corpora.english_korean.large import large_lexicon
from annotated_transformer.lab.corpora.english_korean.lexicon import SMALL, Lexicon
from annotated_transformer.lab.corpora.english_korean.nouns import NOUNS

FINGERPRINTS = {
    "train": "b710bb7c2338331b5499f9b0189c9161de92cd133d9d2a435fc83ada5b40d87d",
    "valid": "fbe0dd49c83021309eb7285f4945e36f12dc27bb9acb1597927dd023599cc998",
    "test": "aeae2d1056d31350e28abb1b1f7227edb3e9f2cf574a31326c83ae070c20c5aa",
    "compositional": "69c598951f235d59a549282fd035ae900bf1934b007eabe0a6bb09a5dc903faf",
}
# A Korean noun that ends in one of these letters and a particle, by its two written forms.
PAIRS = {"은": "는", "을": "를", "이": "가", "과": "와"}


@pytest.fixture(scope="module")
def derived() -> dict[str, list[Derived]]:
    return derivations("small")


@pytest.fixture(scope="module")
def pairs() -> list[SentencePair]:
    return [pair for split in SPLITS for pair in english_korean(split)]


def test_what_is_read_from_a_file_is_what_was_derived(
    derived: dict[str, list[Derived]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = read_back(derived, tmp_path, monkeypatch)
    for split in SPLITS:
        assert read[split] == english_korean(split) == [item.pair for item in derived[split]]


def words_of(split: str) -> Counter[str]:
    return Counter(
        word for pair in english_korean(split) for word in f"{pair.source} {pair.target}".split()
    )


def fingerprint(split: str) -> str:
    lines = (
        f"{pair.source}\t{pair.target}\t{pair.alignment}\t{pair.construction}\n"
        for pair in english_korean(split)
    )
    return hashlib.sha256("".join(lines).encode()).hexdigest()


@pytest.mark.parametrize("split", SPLITS)
def test_the_corpus_is_the_same_everywhere(split: str) -> None:
    assert len(english_korean(split)) == SIZES[split]
    assert fingerprint(split) == FINGERPRINTS[split]


def test_sizes_are_those_promised() -> None:
    assert SIZES == {"train": 60_000, "valid": 1_000, "test": 1_000, "compositional": 1_000}


def test_order_of_hashing_does_not_matter() -> None:
    code = (
        "from annotated_transformer.corpora import english_korean as corpus\n"
        "corpus.SIZES.update(train=300, valid=9, test=9, compositional=9)\n"
        "derived = corpus.derivations('small')\n"
        "print([[item.pair for item in derived[split]] for split in corpus.SPLITS])"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert len(outputs.pop()) > 10_000


def test_each_english_sentence_is_there_once(pairs: list[SentencePair]) -> None:
    # No sentence in two splits or twice in one, hence one translation for each.
    assert len({pair.source for pair in pairs}) == len(pairs) == 63_000
    # Capitals aside, too.
    assert len({pair.source.lower() for pair in pairs}) == len(pairs)


def test_unknown_split_is_named() -> None:
    with pytest.raises(ValueError, match=r"unknown split 'dev' of english_korean; expected one of"):
        english_korean("dev")


def test_a_caller_cannot_change_the_corpus() -> None:
    english_korean("test").clear()
    assert len(english_korean("test")) == 1_000


def test_sentences_are_clean(pairs: list[SentencePair]) -> None:
    for pair in pairs:
        assert re.fullmatch(r"[A-Z][a-zA-Z]*( [a-zA-Z]+)*", pair.source), pair
        assert re.fullmatch(r"[가-힣]+( [가-힣]+)*", pair.target), pair
        assert pair.construction in CONSTRUCTIONS


def test_vocabulary_and_lengths() -> None:
    train = english_korean("train")
    english = Counter(word.lower() for pair in train for word in pair.source.split(" "))
    korean = Counter(word for pair in train for word in pair.target.split(" "))
    assert len(english) >= 800
    assert len(korean) >= 2_500
    assert min(english.values()) >= 10
    lengths = [len(pair.source.split(" ")) for pair in train]
    assert max(lengths) <= 20
    assert sum(4 <= length <= 16 for length in lengths) > 0.95 * len(lengths)


def test_every_lexicon_entry_is_frequent(derived: dict[str, list[Derived]]) -> None:
    count = Counter(lexeme for item in derived["train"] for lexeme in item.lexemes)
    assert {entry: count[entry] for entry in entries(SMALL) if count[entry] < 30} == {}


def entries(lexicon: Lexicon) -> set[tuple[str, str]]:
    """Return the words of the constructions that both lexicons share."""
    tables = (
        *(lexicon.all_nouns, lexicon.transitive, lexicon.intransitive, lexicon.dative),
        *([entry.verb for entry in lexicon.motion], lexicon.adjectives, lexicon.attributives),
    )
    return {(entry.english, entry.korean) for table in tables for entry in table}


def test_constructions_are_balanced() -> None:
    share = Counter(pair.construction for pair in english_korean("train"))
    assert set(share) == set(CONSTRUCTIONS)
    assert min(share.values()) > 1_000
    assert max(share.values()) < 6_500
    for split in ("valid", "test"):
        assert {pair.construction for pair in english_korean(split)} == set(CONSTRUCTIONS)


def test_every_word_is_aligned(pairs: list[SentencePair]) -> None:
    for pair in pairs:
        assert pair.alignment is not None
        assert {i for i, _ in pair.alignment} == set(range(len(pair.source.split(" "))))
        assert {j for _, j in pair.alignment} == set(range(len(pair.target.split(" "))))
        assert list(pair.alignment) == sorted(set(pair.alignment))


def test_compositional_sentences_and_only_they_have_held_out_pairings(
    derived: dict[str, list[Derived]],
) -> None:
    for split in ("train", "valid", "test"):
        assert all(item.features.isdisjoint(HELD_OUT) for item in derived[split])
    assert all(item.features & HELD_OUT for item in derived["compositional"])
    used = {feature for item in derived["compositional"] for feature in item.features & HELD_OUT}
    assert used == HELD_OUT


def test_compositional_words_all_occur_in_training() -> None:
    assert set(words_of("compositional")) <= set(words_of("train"))


def test_halves_of_held_out_pairings_are_known(derived: dict[str, list[Derived]]) -> None:
    # ("object", "read", "letter"): reading and letters occur, each with others, in that role.
    train = [feature for item in derived["train"] for feature in item.features]
    kinds = Counter(feature[0] for feature in train)
    first = Counter(feature[:2] for feature in train if len(feature) == 3)
    objects = Counter(feature[2] for feature in train if feature[0] in ("object", "give"))
    for feature in HELD_OUT:
        assert kinds[feature[0]] >= 300
        if len(feature) == 3:
            assert first[feature[:2]] >= 30, feature
        if feature[0] == "object":
            assert objects[feature[2]] >= 30, feature


def test_held_out_objects_by_reading_the_text() -> None:
    # The features are notes of the grammar itself; this looks at the words.
    held_out = ((r"\bread(s|ing)? (a|the|this) letter\b", "편지를 읽"),)
    held_out += ((r"\bdrinks? (the |this )?tea\b", "차를 마"),)
    for english, korean in held_out:
        for split in ("train", "valid", "test"):
            found = [p for p in english_korean(split) if re.search(english, p.source)]
            found += [p for p in english_korean(split) if korean in p.target]
            assert found == []
        found = [p for p in english_korean("compositional") if re.search(english, p.source)]
        assert found != []


def last_letter_is_consonant(word: str) -> bool:
    """Oracle: the canonical decomposition of a closed syllable ends in U+11A8 to U+11C2."""
    return "\u11a8" <= unicodedata.normalize("NFD", word)[-1] <= "\u11c2"


def test_particles_follow_the_final_consonant(pairs: list[SentencePair]) -> None:
    nouns = {noun.korean for noun in NOUNS} - {"이웃"} | {"그녀", "그들", "우리", "너"}
    seen = Counter[str]()
    for word in {word for pair in pairs for word in pair.target.split(" ")}:
        stem, particle = word[:-1], word[-1]
        stem = stem.removesuffix("들") if stem.removesuffix("들") in nouns else stem
        if stem not in nouns or word in nouns:
            continue
        marked = word[:-1]
        if particle in PAIRS:
            assert last_letter_is_consonant(marked), word
        elif particle in PAIRS.values():
            assert not last_letter_is_consonant(marked), word
        seen[particle] += 1
    assert min(seen[particle] for pair in PAIRS.items() for particle in pair) >= 10


def test_direction_takes_ro_after_a_vowel_or_rieul(pairs: list[SentencePair]) -> None:
    words = {word for pair in pairs for word in pair.target.split(" ")}
    assert {"칼로", "연필로", "지하철로", "마을로", "서울로", "버스로", "학교로"} <= words
    assert {"섬으로", "공원으로", "부산으로"} <= words
    assert not {"칼으로", "연필으로", "마을으로", "섬로", "공원로"} & words


def test_because_sentences_name_the_antecedent() -> None:
    for pair in english_korean("train"):
        if not (pair.construction or "").startswith("because"):
            continue
        english, korean = pair.source.split(" "), pair.target.split(" ")
        because = english.index("because")
        targets = {j for i, j in pair.alignment or () if i == because + 1}
        assert english[because + 1] == "it"
        (position,) = targets
        assert korean[position][-1] in "이가"
        # The noun's other English words say which one it is: before or after the main verb.
        origin = {i for i, j in pair.alignment or () if j == position} - {because + 1}
        reason = {j for i, j in pair.alignment or () if i == because}
        main_verb = {i for i, j in pair.alignment or () if j == len(korean) - 1}
        is_subject = max(origin) < min(main_verb)
        assert is_subject == (pair.construction == "because_subject"), pair
        assert position < min(reason)


LEXICONS = pytest.mark.parametrize("lexicon", [SMALL, large_lexicon()], ids=["small", "large"])


@LEXICONS
def test_no_verb_names_one_object_twice_with_different_translations(lexicon: Lexicon) -> None:
    for left, right in combinations(lexicon.transitive, 2):
        if left.english == right.english and left.korean != right.korean:
            # The dog and the girl may eat the same, and do it in the same words.
            both = [n.english for n in lexicon.all_nouns if left.selects(n) and right.selects(n)]
            assert both == [], (left.english, left.korean, right.korean, both)


@LEXICONS
def test_no_adjective_describes_one_noun_twice_with_different_translations(
    lexicon: Lexicon,
) -> None:
    for left, right in combinations(lexicon.adjectives, 2):
        if left.english == right.english and left.korean != right.korean:
            both = [
                n.english for n in lexicon.all_nouns if left.describes(n) and right.describes(n)
            ]
            assert both == [], (left.english, left.korean, right.korean, both)


@LEXICONS
def test_every_class_that_is_selected_exists(lexicon: Lexicon) -> None:
    nouns = lexicon.all_nouns
    known = {noun.english for noun in nouns} | {kind for noun in nouns for kind in noun.classes}
    verbs = (*lexicon.transitive, *lexicon.intransitive, *lexicon.dative, *lexicon.states)
    selected = {kind for verb in verbs for kind in verb.subjects | verb.objects}
    described = (*lexicon.adjectives, *lexicon.attributives)
    selected |= {kind for entry in described for kind in entry.classes}
    assert selected - {""} <= known


def test_failure_to_do_something_is_said_as_such(pairs: list[SentencePair]) -> None:
    """The negations that the rule for all others gets wrong."""
    said = {
        "know": "모른다",
        "find": "찾지 (못했다|못할 것이다|못했지만|못했다고)",
        "understand": "이해하지 못",
        "remember": "기억하지 못",
        "catch": "잡지 못",
    }
    for english, korean in said.items():
        denied = re.compile(rf"\b(do|does|did|will) not {english}\b")
        found = [pair for pair in pairs if denied.search(pair.source)]
        assert len(found) > 30
        assert [pair for pair in found if not re.search(korean, pair.target)] == []
    assert [p for p in pairs if re.search("알지 않|이해하지 않|기억하지 않", p.target)] == []


def test_a_clause_with_because_keeps_its_object() -> None:
    for pair in english_korean("train"):
        if pair.construction == "because_object":
            assert re.search("그것을|그곳을|그것에|그곳에", pair.target), pair
        if (pair.construction or "").startswith("because") and "too" in pair.source:
            unwilling = pair.source.endswith(("boring", "noisy", "sad"))
            denied = "지 않았다" if unwilling else "지 못했다"
            assert pair.target.endswith((denied, "수 없었다")), pair


def test_english_agreement(pairs: list[SentencePair]) -> None:
    wrong = re.compile(
        r"^(I (is|are|were)|(you|we|they) (is|am|was|does)|(he|she) (am|are|were|do))\b"
        r"|\b(it were|a (?!useful)[aeiou]\w*|an (?![aeiou]|honest)\w*"
        r"|arrive[sd]? in the|a full|(the|this) (Seoul|London|Paris)"
        r"|(two|three|four|five|six|seven|eight|nine|ten) \w+ (is|was|does))\b",
        re.IGNORECASE,
    )
    assert [pair.source for pair in pairs if wrong.search(pair.source)] == []
