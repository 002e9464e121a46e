"""The open lexicon: one translation each, Korean that is natural, numbers, words that are copied.

The corpus takes a minute to derive. The first sentences of it are looked at here, derived by the
same code, which itself refuses a second translation of any English sentence.
"""

import hashlib
import re
import unicodedata
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.corpora.english_korean.derivation import Word
from annotated_transformer.lab.corpora.english_korean.everyday.calendar import NUMBERED
from annotated_transformer.lab.corpora.english_korean.held_out import HELD_OUT
from annotated_transformer.lab.corpora.english_korean.large import PHRASE
from annotated_transformer.lab.corpora.english_korean.morphology import final_consonant
from annotated_transformer.lab.corpora.english_korean.open.copied import (
    PARTICLES,
    as_typed,
    particle_after_letters,
    split_of,
)
from annotated_transformer.lab.corpora.english_korean.open.lexicon import open_lexicon, open_phrases
from annotated_transformer.lab.corpora.english_korean.open.numerals import english, native, sino
from annotated_transformer.lab.corpora.english_korean.open.splits import (
    COPIED,
    OPEN,
    OPEN_CONSTRUCTIONS,
    OPEN_SIZES,
    open_splits,
)
from annotated_transformer.lab.corpora.english_korean.open.surface import FULL, plain
from annotated_transformer.lab.corpora.english_korean.splits import Derived

SIZES = {"train": 65_000, "valid": 200, "test": 200}
FINGERPRINT = "dc0a7f527e3d9ef58c8d2f599cf12458f5f8e38f9e0f3a41ebc6fa17363bab44"
LATIN = re.compile(r"[A-Za-z]")
SPLITS = ("train", "valid", "test", "compositional")


@pytest.fixture(scope="module")
def derived() -> dict[str, list[Derived]]:
    return open_splits(SIZES)


@pytest.fixture(scope="module")
def pairs(derived: dict[str, list[Derived]]) -> list[SentencePair]:
    return [item.pair for items in derived.values() for item in items]


def test_the_corpus_is_the_same_everywhere(pairs: list[SentencePair]) -> None:
    lines = (f"{pair.source}\t{pair.target}\t{pair.alignment}\n" for pair in pairs)
    assert hashlib.sha256("".join(lines).encode()).hexdigest() == FINGERPRINT


def test_sizes_are_those_promised() -> None:
    sizes = {"train": 300_000, "valid": 2_000, "test": 2_000, "compositional": 250}
    assert sizes == OPEN_SIZES


def test_an_english_sentence_has_one_translation(pairs: list[SentencePair]) -> None:
    translations: dict[str, set[str]] = {}
    for pair in pairs:
        translations.setdefault(pair.source, set()).add(pair.target)
    assert [source for source, found in translations.items() if len(found) > 1] == []


def test_a_meaning_stands_in_one_split(derived: dict[str, list[Derived]]) -> None:
    meanings = {
        split: {plain(item.pair.source) for item in items} for split, items in derived.items()
    }
    for left, right in combinations(SPLITS, 2):
        assert meanings[left].isdisjoint(meanings[right]), (left, right)


def test_every_word_is_aligned(pairs: list[SentencePair]) -> None:
    for pair in pairs:
        english_words, korean = pair.source.split(" "), pair.target.split(" ")
        assert {i for i, _ in pair.alignment or ()} == set(range(len(english_words))), pair
        assert {j for _, j in pair.alignment or ()} == set(range(len(korean))), pair


def test_every_construction_is_there(pairs: list[SentencePair]) -> None:
    count = Counter(pair.construction for pair in pairs)
    assert set(count) == set(OPEN_CONSTRUCTIONS)
    assert {name: count[name] for name in OPEN if count[name] < 5} == {}


def test_held_out_pairings_are_held_out(derived: dict[str, list[Derived]]) -> None:
    for split in ("train", "valid", "test"):
        assert all(item.features.isdisjoint(HELD_OUT) for item in derived[split])
    assert all(item.features & HELD_OUT for item in derived["compositional"])
    assert derived["compositional"]


def test_sentences_are_clean(pairs: list[SentencePair]) -> None:
    for pair in pairs:
        assert re.fullmatch(r"[A-Za-z0-9'’,.:?!-]+( [A-Za-z0-9'’,.:?!-]+)*", pair.source), pair
        words = pair.target.split(" ")
        korean = r"([가-힣]+|[0-9,]+[가-힣]*|[A-Za-z]+[가-힣()]*)"
        assert all(re.fullmatch(korean, word) for word in words), pair


# --- Korean


PAIRS = {"은": "는", "을": "를", "이": "가", "과": "와"}
# Of 빗다, 감다 and 죽다; sick leave (病暇).
NO_PARTICLE = {"빗는", "감는", "죽는", "병가"}


def ends_in_consonant(word: str) -> bool:
    """Oracle: the canonical decomposition of a closed syllable ends in U+11A8 to U+11C2."""
    return "\u11a8" <= unicodedata.normalize("NFD", word)[-1] <= "\u11c2"


def test_particles_follow_the_final_consonant(pairs: list[SentencePair]) -> None:
    """Of every noun of the lexicon that stands before a particle."""
    ends = {noun.korean.split(" ")[-1] for noun in open_lexicon().all_nouns}
    seen = Counter[str]()
    for word in {word for pair in pairs for word in pair.target.split(" ")}:
        stem, particle = word[:-1], word[-1]
        if stem not in ends or word in ends | NO_PARTICLE:
            continue
        if particle in PAIRS:
            assert ends_in_consonant(stem), word
        elif particle in PAIRS.values():
            assert not ends_in_consonant(stem), word
        seen[particle] += 1
    assert min(seen[particle] for pair in PAIRS.items() for particle in pair) >= 10


def test_direction_takes_ro_after_a_vowel_or_rieul(pairs: list[SentencePair]) -> None:
    ends = {noun.korean.split(" ")[-1] for noun in open_lexicon().all_nouns} | {"호실"}
    words = {word for pair in pairs for word in pair.target.split(" ")}
    for end in ends:
        wrong = "으로" if final_consonant(end) in ("", "ㄹ") else "로"
        assert end + wrong not in words - ends, end


# Patterns of Korean that the large lexicon has and a reader would mend.
LIKED = r"(?<!나이 )(?<!호기심 )(?<!인기 )(?<!참을성 )(?<!재능 )"
UNNATURAL = {
    "a feeling of somebody else": re.compile(
        r"(^|[가-힣]+ )(그|그녀|그들|[가-힣]+(어머니|아버지|친구|선생님|의사|이모|삼촌))[은는] "
        r"(아주 |정말 |너무 )?(슬프|기쁘|심심하|무섭|궁금하|속상하|외롭|미안하)(다|지 않다)$"
    ),
    "no cause of worry": re.compile("걱정스럽지 않|걱정스럽다"),
    "many before its noun": re.compile(LIKED + r"(?<!즙이 )(?<!음이 )많은 [가-힣]+[이가] (있|없)"),
    "not many": re.compile(r"많이 없[다었]"),
    "a number with 없다": re.compile(
        r"(한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|스무|몇) (명|마리|개|권|대|장)(이|가)? 없"
    ),
    "planted where": re.compile(r"(들판|농장|정원)에서 (?:[가-힣 ]* )?심(?!심)"),
    "ran to": re.compile(r"[가-힣]에 (뛰어|걸어)(가|갔|갈|간)"),
    "the old man": re.compile(r"(?<!가장 )나이가 많은 (?!것)[가-힣]+"),
    "two brothers": re.compile(
        r"^\S+[은는] [가-힣]+ (한|두|세|네|다섯|열) (명이|마리가|개가|권이|대가) 있"
    ),
    "her own": re.compile(r"^(그는 그가|그녀는 그녀가|그들은 그들이) (?!가장)"),
}


def of_rules(pairs: list[SentencePair]) -> list[SentencePair]:
    """Leave out what is written line by line: its Korean may say the same in other words."""
    written = [PHRASE, *(name for name in OPEN if name.startswith("open_common"))]
    return [pair for pair in pairs if pair.construction not in written]


@pytest.mark.parametrize("kind", UNNATURAL)
def test_korean_is_natural(pairs: list[SentencePair], kind: str) -> None:
    assert [pair for pair in of_rules(pairs) if UNNATURAL[kind].search(pair.target)] == []


def test_two_clauses_of_one_subject_have_it_as_their_topic(pairs: list[SentencePair]) -> None:
    found = [pair for pair in pairs if pair.construction == "because_subject"]
    assert found
    for pair in found:
        because = pair.source.lower().split(" ").index("because")
        it = [j for i, j in pair.alignment or () if i == because + 1]
        assert pair.target.split(" ")[max(it)].endswith(("은", "는", "은(는)")), pair


@pytest.mark.parametrize(
    ("pattern", "korean"),
    [
        (
            r"^(he|she|they|(my|his|her) \w+) (is|was|are|were) (very )?(sad|scared|lonely|bored)$",
            "[해워퍼](한다|했다)$",
        ),
        (r"^there (is|are) no ", "없다$"),
        (r"^nobody ", "아무도 .*(않|없|못|몰|모[르른])"),
        (r"\bhas never\b", "적이 없다$"),
        (r"^(may|could) i (?!have )", "도 되니$"),
        (r"\bis all you need\.?$", "^필요한 것은 .*뿐이다$"),
        (r"\bused to\b", "예전에"),
        (r"^(he|she) might ", "지도 모른다$"),
        (r"^do not .* (this|that)\.?$", "^(이|그)것을 .*지 마라$"),
        (r"^how tall is ", "(얼마나 (크|높)니)$"),
        (r" as (?!soon )\w+ as ", "만큼 "),
        (r"^the (children|boys|girls|women|men) (are|were) ", "^그 [가-힣]+들은 "),
    ],
)
def test_constructions_say_what_they_should(
    pairs: list[SentencePair], pattern: str, korean: str
) -> None:
    wanted = re.compile(pattern)
    found = [pair for pair in of_rules(pairs) if wanted.search(plain(pair.source))]
    said = [pair for pair in found if "not" not in plain(pair.source) or "not" in pattern]
    assert said
    assert [pair for pair in said if not re.search(korean, pair.target)] == []


# --- Numbers


@given(st.integers(1, 9_999))
def test_sino_korean_numbers_read_back(number: int) -> None:
    """Oracle: 천, 백 and 십 are read from left to right."""
    values = dict(zip("일이삼사오육칠팔구", range(1, 10), strict=True))
    total, digit = 0, 0
    for syllable in sino(number):
        if syllable in values:
            digit = values[syllable]
        else:
            total += (digit or 1) * {"십": 10, "백": 100, "천": 1_000}[syllable]
            digit = 0
    assert total + digit == number


def test_native_numbers_are_those_of_the_large_lexicon() -> None:
    names = {english(number): native(number) for number in range(1, 100)}
    assert NUMBERED.items() <= names.items()
    assert [native(n) for n in (3, 20, 21, 45, 99)] == [
        "세",
        "스무",
        "스물한",
        "마흔다섯",
        "아흔아홉",
    ]
    assert [sino(n) for n in (10, 16, 100, 250, 300, 15_000)] == [
        *("십", "십육", "백", "이백오십", "삼백", "만 오천")
    ]


@given(st.integers(1, 9_999))
def test_english_numbers_are_all_different(number: int) -> None:
    assert english(number) != english(number + 1)
    assert english(number).replace("-", " ") == english(number, hyphen=False)


def test_a_number_has_the_counter_of_its_noun(pairs: list[SentencePair]) -> None:
    counters: dict[str, set[str]] = {}
    for noun in open_lexicon().all_nouns:
        counters.setdefault(noun.korean.split(" ")[-1], set()).add(noun.counter)
    checked = 0
    for pair in pairs:
        match = re.search(
            r"(?:^| )([가-힣]+)[이가을를] ([가-힣]+) ([가-힣]+) (?:있|샀|필요)", pair.target
        )
        other = not match or match[3] in ("수", "적이") or match[3][-1] in "이가에"
        known = {""} if other else counters.get(match[1], {""})
        if match and match[2] in NUMBERED.values() and "" not in known:
            assert match[3] in known, pair
            checked += 1
    assert checked > 100


# --- What is typed


@pytest.mark.parametrize("full", sorted(FULL))
def test_a_contraction_is_typed_without_its_apostrophe_too(full: str) -> None:
    assert plain(full.replace("'", "") + " x") == plain(full + " x") == plain(f"{full}  X.")


def test_no_contraction_without_apostrophe_is_a_word(pairs: list[SentencePair]) -> None:
    bare = {full.replace("'", "") for full in FULL}
    words = {word for noun in open_lexicon().all_nouns for word in noun.english.lower().split()}
    assert bare.isdisjoint(words | {"well", "were", "wed", "ill", "shell", "its", "id"})


def test_set_phrases_have_one_translation() -> None:
    found: dict[str, set[tuple[str, ...]]] = {}
    for text, sentence in open_phrases():
        found.setdefault(plain(text), set()).add(tuple(word.text for word in sentence.korean))
    assert [text for text, korean in found.items() if len(korean) > 1] == []


# --- Copied words


def copied_words(pair: SentencePair) -> list[str]:
    """The Latin letters of the Korean, without the particles behind them."""
    return re.findall(r"[A-Za-z]+", pair.target)


def test_a_share_of_the_sentences_has_copied_words(pairs: list[SentencePair]) -> None:
    share = sum(bool(LATIN.search(pair.target)) for pair in pairs) / len(pairs)
    assert 0.03 < share < COPIED


def test_what_is_copied_stands_in_the_source_letter_by_letter(pairs: list[SentencePair]) -> None:
    for pair in pairs:
        words = [re.sub("['’]s$", "", word.rstrip(".,!?")) for word in pair.source.split(" ")]
        for word in copied_words(pair):
            assert word in words, pair


def test_what_is_copied_is_aligned_to_itself(pairs: list[SentencePair]) -> None:
    for pair in pairs:
        source, target = pair.source.split(" "), pair.target.split(" ")
        for j, word in enumerate(target):
            if match := LATIN.match(word) and re.match(r"[A-Za-z]+", word):
                linked = {source[i] for i, k in pair.alignment or () if k == j}
                assert any(text.startswith(match[0]) for text in linked), pair


def test_an_invented_word_is_of_one_split(derived: dict[str, list[Derived]]) -> None:
    for split in ("train", "valid", "test"):
        for item in derived[split]:
            for word in copied_words(item.pair):
                singular = {split_of(word), split_of(word.removesuffix("s"))}
                assert split in singular, item.pair
    assert not any(LATIN.search(item.pair.target) for item in derived["compositional"])


def test_invented_words_are_fresh(pairs: list[SentencePair]) -> None:
    """Names cannot be learned by heart: nearly all occur in one sentence."""
    count = Counter(word.lower() for pair in pairs for word in copied_words(pair))
    assert sum(times == 1 for times in count.values()) > 0.95 * len(count)


def test_no_invented_word_is_a_word_of_the_lexicon(pairs: list[SentencePair]) -> None:
    known = {
        word
        for noun in open_lexicon().all_nouns
        for word in f"{noun.english} {noun.plural}".lower().split()
    }
    invented = {word.lower() for pair in pairs for word in copied_words(pair)}
    assert invented.isdisjoint(known)


@pytest.mark.parametrize(("ending", "shown"), sorted(PARTICLES.items()))
def test_particles_after_letters_fit_both_sounds(ending: str, shown: str) -> None:
    assert particle_after_letters(ending) == shown
    two_forms = ending in (
        "은",
        "는",
        "이",
        "가",
        "을",
        "를",
        "과",
        "와",
        "으로",
        "로",
        "이나",
        "나",
    )
    assert ("(" in shown) == two_forms


@pytest.mark.parametrize(
    ("ending", "shown"), [("다", "(이)다"), ("이다", "(이)다"), ("였다", "(이)었다"), ("꾼", None)]
)
def test_the_copula_after_letters(ending: str, shown: str | None) -> None:
    assert particle_after_letters(ending) == shown


def test_a_copied_word_keeps_the_capitals_that_were_typed() -> None:
    typed = [Word("zorvik's", (1,)), Word("dog?", (2,))]
    korean = [Word("Zorvik의", (1,)), Word("개", (2,))]
    assert [word.text for word in as_typed(typed, korean, ("Zorvik",))] == ["zorvik의", "개"]
