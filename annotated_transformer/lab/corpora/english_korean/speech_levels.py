"""How Korean says one sentence to different people: its speech levels. CC0.

    plain    해라체    나는 밥을 먹었다         as one writes; the level of the grammar
    formal   합니다체  저는 밥을 먹었습니다
    polite   해요체    저는 밥을 먹었어요
    casual   해체      나는 밥을 먹었어

Only the last word changes, and 나 becomes 저 before people to whom one is polite. The plain form
does not say its stem (산다 is of 사다, to buy, and of 살다, to live), so the other forms are made
from the stems of the lexicon. A word that can be read in two ways stays as it is.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Literal, get_args

from annotated_transformer.lab.corpora.english_korean.morphology import (
    NO_FINAL,
    before_eu,
    final_consonant,
    infinitive,
    present,
    with_final,
    without_rieul,
)
from annotated_transformer.lab.corpora.english_korean.open.lexicon import open_lexicon

Level = Literal["plain", "formal", "polite", "casual"]
LEVELS: tuple[Level, ...] = get_args(Level)
FAMILIAR = ("너", "네", "넌", "널")
"""Who is addressed so is not spoken to politely."""
HUMBLE = {
    **{"나는": "저는", "나도": "저도", "나를": "저를", "나만": "저만", "나의": "저의"},
    **{"내": "제", "내가": "제가", "나에게": "저에게", "나와": "저와", "나보다": "저보다"},
}
# Stems of set phrases and constructions that are no entries of the lexicon.
MORE_VERBS = {
    **dict.fromkeys(("하", "되", "않", "주", "보", "오", "가", "지", "두", "놓", "버리"), ""),
    **dict.fromkeys(("바라", "보이", "나", "지내", "들리", "끝나", "어울리", "돌아가"), ""),
    "모르": "르",
}
MORE_ADJECTIVES = {
    **dict.fromkeys(("하", "않", "없", "같", "싶", "많", "좋", "맞"), ""),
    **dict.fromkeys(("고맙", "반갑", "그립"), "ㅂ"),
}
# Adjectives in ㅎ lose it before 아/어: 그래, 빨개.
WITHOUT_HIEUH = {
    **{"그렇": "그래", "이렇": "이래", "저렇": "저래", "어떻": "어때"},
    **{"빨갛": "빨개", "파랗": "파래", "하얗": "하얘", "노랗": "노래", "까맣": "까매"},
    **{"동그랗": "동그래", "커다랗": "커다래", "기다랗": "기다래"},
}
# Of 이다 after these, which are no nouns of the lexicon.
NAMED = ("무엇", "누구", "언제", "어디", "얼마", "여기", "거기", "저기", "뭐", "몇 개", "중", "곳")
CONTRACTED = {
    **dict.fromkeys(("것이다", "것이니", "거다", "거니"), "거야"),
    **dict.fromkeys(("아니다", "아니니"), "아니야"),
}
"""What one says of 것이다 and 아니다; 거니 may ask who hangs something (걸다), but seldom does."""
HONORED = ("있", "자", "먹", "마시", "죽")
"""A polite request to do these has a verb of its own: 주무세요, 드세요."""


@cache
def _nouns() -> frozenset[str]:
    return frozenset(noun.korean for noun in open_lexicon().all_nouns)


@cache
def _stems(*, asked: bool) -> frozenset[str]:
    """Return the stems that stand before 니 (of verbs and adjectives), or before 다."""
    adjectives = {stem for stem, _ in _adjectives()}
    if not asked:
        return frozenset(adjectives)
    return frozenset(map(without_rieul, adjectives | {stem for stem, _ in _verbs()}))


def _verbs() -> Iterator[tuple[str, str]]:
    """Yield the stem of each verb and its irregular class."""
    lexicon = open_lexicon()
    verbs = (*lexicon.transitive, *lexicon.intransitive, *lexicon.dative, *lexicon.phrasal)
    for verb in verbs:
        yield verb.korean.split(" ")[-1], verb.irregular


def _adjectives() -> Iterator[tuple[str, str]]:
    for adjective in open_lexicon().adjectives:
        yield adjective.korean.split(" ")[-1], adjective.irregular


def _unequivocal(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return what belongs to each word, without the words to which two things belong."""
    found: dict[str, set[str]] = {}
    for word, form in pairs:
        found.setdefault(word, set()).add(form)
    return {word: form for word, (form, *more) in found.items() if not more}


@cache
def _casual_of() -> dict[str, str]:
    """Return the casual form of each plain statement and question of one word: 먹는다, 먹어."""

    def forms() -> Iterator[tuple[str, str]]:
        for stem, irregular in (*_verbs(), *MORE_VERBS.items()):
            form = _infinitive(stem, irregular)
            yield from ((present(stem), form), (without_rieul(stem) + "니", form))
        for stem, irregular in (*_adjectives(), *MORE_ADJECTIVES.items()):
            form = _infinitive(stem, irregular)
            yield from ((stem + "다", form), (without_rieul(stem) + "니", form))
        for stem, form in WITHOUT_HIEUH.items():
            yield from ((stem + "다", form), (with_final(stem, NO_FINAL) + "니", form))

    return _unequivocal(forms())


@cache
def _asked_without_hieuh() -> dict[str, str]:
    """Return the stem of each question of an adjective in ㅎ: 어떠니 is of 어떻다."""
    return {with_final(stem, NO_FINAL) + "니": stem for stem in WITHOUT_HIEUH}


def _infinitive(stem: str, irregular: str) -> str:
    return WITHOUT_HIEUH.get(stem) or infinitive(stem, irregular)


@cache
def _requests() -> dict[str, str]:
    """Return the polite form of each request of one word: 열어라, 여세요."""

    def forms() -> Iterator[tuple[str, str]]:
        for stem, irregular in (*_verbs(), *MORE_VERBS.items()):
            if stem not in HONORED:
                polite = before_eu(without_rieul(stem) if not irregular else stem, irregular, "")
                yield infinitive(stem, irregular) + "라", polite + "세요"

    return _unequivocal(forms()) | {"마라": "마세요", "줘": "주세요", "줘라": "주세요"}


def _copula(word: str) -> str | None:
    """Return the noun before 이다 if the word is one with it, "" if that is doubtful."""
    stem, asked = word[:-1], word[-1] == "니"
    if stem in _nouns() and not final_consonant(stem):  # 이 is left out after a vowel: 의사다
        twofold = stem in _stems(asked=asked) or (stem.endswith("이") and stem[:-1] in _nouns())
        return "" if twofold else stem
    if stem in NAMED and not final_consonant(stem):
        return stem
    before = stem.removesuffix("이")
    if before and before != stem and final_consonant(before):
        if word not in _casual_of():
            return before
        return "" if before in _nouns() else None  # 죽이니: is it porridge, or does it kill
    return None


def formal_ending(word: str) -> str:
    """Return the last word of a plain sentence in 합니다체; as it is where it has no such form.

    As it is comes back, too, what can be read in two ways: 배우니 asks whether
    somebody learns or is an actor.
    """
    stem, ending = word[:-1], word[-1]
    if not stem or ending not in "다니" or word in _nouns():
        return word
    close = "까" if ending == "니" else "다"
    if (stem in _nouns() or stem in NAMED) and not final_consonant(stem):
        noun = _copula(word)
        return f"{noun}입니{close}" if noun else word
    stem = _asked_without_hieuh().get(word, stem)
    if ending == "다" and stem.endswith("는") and len(stem) > 1:
        return f"{stem[:-1]}습니{close}"
    dropped = ("", "ㄹ", "ㄴ") if ending == "다" else ("", "ㄹ")
    if final_consonant(stem) in dropped:
        return f"{with_final(stem, 'ㅂ')}니{close}"
    return f"{stem}습니{close}"


def casual_ending(word: str) -> str:
    """Return the last word of a plain sentence in 해체; as it is where it has no such form."""
    stem = word[:-1]
    if word in CONTRACTED:
        return CONTRACTED[word]
    if word in _requests() or word.endswith(("해라", "줘라")):
        return word.removesuffix("라")
    if not stem or word[-1] not in "다니" or word in _nouns():
        return word
    if final_consonant(stem) == "ㅆ":  # pasts, 있다, 겠다
        return stem + "어"
    noun = _copula(word)
    if noun is not None:
        return noun + ("이야" if final_consonant(noun) else "야") if noun else word
    does = word.endswith(("한다", "하다", "하니"))
    return word[:-2] + "해" if does else _casual_of().get(word, word)


def polite_ending(word: str) -> str:
    """Return the last word of a plain sentence in 해요체; as it is where it has no such form."""
    casual = casual_ending(word)
    if word in _requests():
        return _requests()[word]
    if word.endswith("해라"):
        return word.removesuffix("해라") + "하세요"
    if word.endswith(("줘", "줘라")):
        return word.removesuffix("라").removesuffix("줘") + "주세요"
    if word.endswith("까"):  # 할까
        return word + "요"
    if casual.endswith("야") and casual != word:
        return _polite_copula(word, casual)
    return word if casual == word else casual + "요"


def _polite_copula(word: str, casual: str) -> str:
    if casual == "아니야":
        return "아니에요"
    noun = _copula(word) if word not in CONTRACTED else None
    return f"{noun}이에요" if noun and final_consonant(noun) else casual[:-1] + "예요"


ENDINGS = {"formal": formal_ending, "polite": polite_ending, "casual": casual_ending}


def spoken(korean: str, level: Level) -> str:
    """Return a plain sentence at a speech level; as it is where that cannot be."""
    *words, last = korean.split(" ")
    if level == "plain" or (
        level != "casual" and any(word.startswith(FAMILIAR) for word in (*words, last))
    ):
        return korean
    ending = ENDINGS[level](last)
    if ending == last:
        return korean
    if level != "casual":
        words = [HUMBLE.get(word, word) for word in words]
    return " ".join([*words, ending])
