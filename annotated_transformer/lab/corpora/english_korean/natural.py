"""What the open lexicon says more naturally than the others, whose Korean stays as it was. CC0.

Every function here is asked only where `Lexicon.natural` is true.

* Feelings are known of oneself and asked of the hearer (나는 슬프다, 너는 슬프니); of others Korean
  tells what shows: 그는 슬퍼한다.
* An amount stands behind its noun: 책을 많이 샀다, 남동생이 두 명 있다, 우유가 조금 있다. What is
  denied of many is 많지 않다, and no number goes with 없다.
* A pronoun that takes up the subject of the clause around it is 자기: 그녀는 자기가 구운 빵을
  먹었다.
"""

from typing import TYPE_CHECKING

from annotated_transformer.lab.corpora.english_korean.derivation import Unfit, Word, Words
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.morphology import infinitive
from annotated_transformer.lab.corpora.english_korean.verbs import names

if TYPE_CHECKING:
    from annotated_transformer.lab.corpora.english_korean.everyday.sayings import Said
    from annotated_transformer.lab.corpora.english_korean.nouns import Noun
    from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase

FEELINGS = names(
    """sad glad bored sorry scared afraid curious worried proud upset lonely sleepy depressed
    anxious jealous embarrassed grateful"""
)
"""Adjectives (English) of what one feels; of a thing they say something else."""
WORRIED = "걱정스럽"
# Before a noun: what it is like rather than what it feels, and 이/가 left out.
BEFORE_A_NOUN = {
    "궁금하": "호기심 많은",
    "나이가 많": "나이 많은",
    "키가 크": "키 큰",
    "키가 작": "키 작은",
    "인기가 많": "인기 많은",
    "참을성이 많": "참을성 많은",
    "재능이 많": "재능 많은",
    "운이 좋": "운 좋은",
    "운이 나쁘": "운 나쁜",
}
# What stands behind its noun, by the English word before it.
BEHIND = {"many": "많이", "a lot of": "많이", "more": "더"}
MANY = "많이"
# A feeling for a kind of thing is not for so many of them.
UNCOUNTED_VERBS = names(
    """like love hate prefer enjoy miss remember understand trust believe practice speak
    respect"""
) | names("kiss,thank,agree with,smile at,shout at,wave at,apologize to,argue with,fight with")
# Where something is put, its place takes 에.
PUTTING = frozenset({"plant", "put", "put on", "hide", "keep", "hang", "park", "leave", "lay"})
# What is no work of one's hands or mind is not praised as one.
ODD = frozenset(
    (adjective, noun)
    for adjective in ("wonderful", "great", "good", "nice", "bad", "fine", "okay")
    for noun in ("work", "money", "homework", "assignment", "job interview", "password")
) | {("cold", "water")}  # 찬물, one word


def felt(said: "Said", *, asked: bool, ending: str) -> "Said":
    """Say a feeling of somebody else as one that shows: 슬퍼하다, 걱정하다."""
    p = said.korean
    if said.base not in FEELINGS or not has_feelings(said.subject):
        return said
    if ending in ("서", "면", "때", "는") and p.stem != WORRIED:
        return said  # 슬퍼서, 슬프면, 슬픈 사람
    hearer = said.subject.english[0].text == "you" and asked
    if said.subject.first_person or hearer:
        stem, kind = ("걱정되", "verb") if p.stem == WORRIED else (p.stem, p.kind)
    elif p.stem == WORRIED:
        stem, kind = "걱정하", "verb"
    else:
        stem, kind = infinitive(p.stem, p.irregular) + "하", "verb"
    irregular = p.irregular if stem == p.stem else ""
    return said._replace(korean=p._replace(stem=stem, irregular=irregular, kind=kind))


def has_feelings(subject: "NounPhrase") -> bool:
    """Whether it is a person or an animal; "it" and "this" are things."""
    if subject.noun is None:
        return subject.english[0].text not in ("it", "this", "that", "these", "those")
    return bool(subject.noun.classes & {"person", "animal", "creature", "kin", "name"})


def denied_amount(said: "Said") -> "Said":
    """Return what is denied with 많지 않다 if it is many; Unfit if it is a number."""
    if "#" in said.flags:
        raise Unfit
    if MANY_FLAG not in said.flags:
        return said
    nodes: tuple[int, ...] = ()
    complements = []
    for part in said.complements:
        kept = [word for word in part.korean if word.text != MANY]
        nodes += tuple(n for word in part.korean if word.text == MANY for n in word.nodes)
        complements.append(part._replace(korean=kept))
    korean = Predicate([], "많", "", "adjective", (*said.korean.nodes, *nodes))
    return said._replace(korean=korean, complements=tuple(complements))


def denied_degree(said: "Said") -> "Said":
    """Return "not very good" as 별로 좋지 않다: 아주 좋지 않다 would be very bad."""
    p, tail = said.korean, said.english.tail
    little = {"very": "별로", "really": "별로", "so": "그렇게"}.get(tail[0].text if tail else "")
    if not little or said.kind != "quality" or not p.before:
        return said
    first, *others = p.before
    if first.text not in ("아주", "정말"):
        return said
    return said._replace(korean=p._replace(before=[Word(little, first.nodes), *others]))


MANY_FLAG = "M"


def flags_of(phrase: "NounPhrase", *, exists: bool) -> frozenset[str]:
    """Return the flags that `denied_amount` asks for."""
    texts = [word.text for word in phrase.after]
    if exists and MANY in texts:
        return frozenset(MANY_FLAG)
    return frozenset("#") if texts and MANY not in texts and len(texts) > 1 else frozenset()


def without_some(english: Words, korean: Words) -> tuple[Words, Words]:
    """Return "any" for "some", of which Korean says nothing: 책이 없다, 책이 있니."""
    own = {node for text, nodes in english if text == "some" for node in nodes}
    if not own:
        return english, korean
    result: Words = []
    for i, (text, nodes) in enumerate(english):
        after = english[min(i + 1, len(english) - 1)].nodes
        result.append(Word("any", after) if text == "some" else Word(text, nodes))
    return result, [word for word in korean if not set(word.nodes) <= own]


def behind(determiner: str, noun: "Noun", *, plural: bool) -> str:
    """Return what stands behind the noun for this English determiner, "" for nothing."""
    if determiner == "some":
        return f"몇 {noun.counter}" if plural and noun.counter else "조금"
    return BEHIND.get(determiner, "")


def floating(phrase: "NounPhrase") -> "NounPhrase":
    """Return a counted phrase with its number behind the particle: 책이 세 권."""
    return phrase._replace(korean=phrase.korean[:-2], after=tuple(phrase.korean[-2:]))


def itself(phrase: "NounPhrase", subject: "NounPhrase | None") -> "NounPhrase":
    """Return 자기 for a pronoun of a third person that is the subject's own."""
    text = phrase.english[0].text
    if subject is None or text not in ("he", "she", "they") or subject.english[0].text != text:
        return phrase
    korean = "자기들" if text == "they" else "자기"
    own = Word(korean, phrase.korean[0].nodes)
    return phrase._replace(korean=[own], subject_form="" if text == "they" else "자기가")
