"""He whispered something in my ear, she said goodbye to him, told me a lie, smiled at me. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.compound import person
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import (
    known,
    object_pronoun,
)
from annotated_transformer.lab.corpora.english_korean.everyday.times import time_for
from annotated_transformer.lab.corpora.english_korean.morphology import DATIVE, OBJECT
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase

SECRETS = (
    *(("something", "무언가를"), ("something", "무언가를"), ("a secret", "비밀을")),
    *(
        ("OWN name", "이름을"),
        ("the answer", "답을"),
        ("a word", "한마디를"),
        ("the truth", "진실을"),
    ),
)
EARS = (
    *(("my", "내"), ("my", "내"), ("his", "그의"), ("her", "그녀의"), ("your", "네")),
    *(("Tom's", "톰의"), ("my mother's", "우리 어머니의"), ("her friend's", "그녀의 친구의")),
)


def _to_whom(d: Derivation, subject: NounPhrase, pronouns: float = 0.6) -> NounPhrase:
    if d.chance(pronouns):
        found = object_pronoun(d, subject)
        if found.first_person and subject.first_person:
            raise Unfit
        return found
    found = known(d, d.choose(d.lexicon.nouns("kin", "relation", "name", "job")), 0.0)
    if found.noun == subject.noun is not None:
        raise Unfit
    return found


def whispered(d: Derivation) -> Clause:
    """He whispered something in my ear: 그는 내 귀에 무언가를 속삭였다; to her: 그녀에게."""
    subject = person(d)
    node, thing, at = d.node(), d.node(), d.node()
    what, korean_what = d.choose(SECRETS)
    if "OWN" in what:
        what = what.replace("OWN", d.choose(("my", "his", "her")))
        own = what.split(" ")[0]
        korean_what = {"my": "내 ", "his": "그의 ", "her": "그녀의 "}[own] + korean_what
        if {"I": "my", "he": "his", "she": "her"}.get(subject.english[0].text) == own:
            korean_what = "자기 " + korean_what.split(" ")[-1] if own != "my" else korean_what
    said_what = Clause(words(what, thing), words(korean_what, thing))
    ear = d.chance(0.55)
    if ear:
        whose, korean_whose = d.choose(EARS)
        if {"I": "my", "he": "his", "she": "her", "you": "your"}.get(
            subject.english[0].text
        ) == whose:
            raise Unfit
        owner = d.node()
        place = Clause(
            [*words("in", at), *words(whose, owner), *words("ear", at)],
            [*words(korean_whose, owner), *words("귀에", at)],
        )
    else:
        hearer = _to_whom(d, subject)
        place = Clause([*words("to", at), *hearer.english], hearer.marked(DATIVE, at))
    parts: tuple[Clause, ...] = (said_what, place)
    korean_parts = [*place.korean, *said_what.korean]
    if not ear and d.chance(0.45):
        parts, korean_parts = (place,), place.korean
    complement = Clause([word for part in parts for word in part.english], korean_parts)
    verb = EnglishVerb("whisper", "whispers", "whispered", "whispering", node, [])
    said = Said(subject, verb, Predicate([], "속삭이", "", "verb", (node,)), (complement,))
    how = How(d.choose(("past", "past", "past", "progressive", "future")))
    asked = subject.english[0].text == "you" and how.tense == "past"
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


# What is said, Korean; "-" if nobody is named to whom.
SAID = (
    ("say hello", "인사하"),
    ("say hello", "인사하"),
    ("say hi", "인사하"),
    ("say goodbye", "작별 인사를 하"),
    ("say goodbye", "작별 인사를 하"),
    ("say sorry", "미안하다고 말하"),
    ("say thank you", "고맙다고 말하"),
    ("say thanks", "고맙다고 말하"),
    ("say good night", "잘 자라고 말하"),
    ("say good morning", "아침 인사를 하"),
    ("say happy birthday", "생일 축하한다고 말하"),
    ("say something", "무언가를 말하"),
    ("say yes", "그렇다고 말하"),
    ("say no", "아니라고 말하"),
    ("apologize", "사과하"),
    ("wave", "손을 흔들"),
    ("lie", "거짓말하"),
)
SAYS = {
    "say": ("says", "said", "saying"),
    "apologize": ("apologizes", "apologized", "apologizing"),
    "wave": ("waves", "waved", "waving"),
    "lie": ("lies", "lied", "lying"),
    "smile": ("smiles", "smiled", "smiling"),
    "shout": ("shouts", "shouted", "shouting"),
    "yell": ("yells", "yelled", "yelling"),
    "wink": ("winks", "winked", "winking"),
    "laugh": ("laughs", "laughed", "laughing"),
    "tell": ("tells", "told", "telling"),
    "ask": ("asks", "asked", "asking"),
}
AT = (
    ("smile at", "에게", "미소를 짓"),
    ("smile at", "에게", "미소를 짓"),
    ("shout at", "에게", "소리치"),
    ("yell at", "에게", "소리치"),
    ("wink at", "에게", "윙크하"),
    ("laugh at", "을", "비웃"),
)
TOLD = (
    ("tell", "a lie", "거짓말을 하"),
    ("tell", "lies", "거짓말을 하"),
    ("tell", "a joke", "농담을 하"),
    ("tell", "the truth", "진실을 말하"),
    ("tell", "everything", "모든 것을 말하"),
    ("tell", "something", "무언가를 말하"),
    ("tell", "something important", "중요한 것을 말하"),
    ("tell", "the news", "소식을 전하"),
    ("ask", "for help", "도움을 청하"),
    ("ask", "for money", "돈을 부탁하"),
    ("ask", "for advice", "조언을 구하"),
)


def said_hello(d: Derivation) -> Clause:
    """She said goodbye to him: 작별 인사를 했다; smiled at me: 미소를 지었다; told me a lie."""
    subject = person(d)
    if subject.english[0].text == "everyone":
        raise Unfit
    node, to = d.node(), d.node()
    hearer = _to_whom(d, subject)
    kind = d.weighted((("say", 0.45), ("at", 0.25), ("told", 0.3)))
    if kind == "say":
        english, korean = d.choose(SAID)
        part = Clause([*words("to", to), *hearer.english], hearer.marked(DATIVE, to))
        if english in ("say yes", "say no", "say something") and d.chance(0.5):
            part = Clause([], [])
    elif kind == "at":
        english, particle, korean = d.choose(AT)
        particles = DATIVE if particle == "에게" else OBJECT
        part = Clause(hearer.english, hearer.marked(particles))
    else:
        base, what, korean = d.choose(TOLD)
        english = base
        part = Clause([*hearer.english, *words(what, node)], hearer.marked(DATIVE))
    base, *tail = english.split(" ")
    verb = EnglishVerb(base, *SAYS[base], node, [Word(text, (node,)) for text in tail])
    *before, stem = korean.split(" ")
    irregular = "ㅅ" if stem == "짓" else ""
    predicate = Predicate(
        [Word(text, (node,)) for text in before], stem, irregular, "verb", (node,)
    )
    said = Said(subject, verb, predicate, (part,))
    tense = d.choose(("past", "past", "past", "future"))
    asked = subject.english[0].text == "you" and tense == "past" and d.chance(0.6)
    how = How(tense, "", not asked and "something" not in english and d.chance(0.15))
    if how.negated and kind == "told" and "something" in what:
        raise Unfit
    time = time_for(d, said, tense, 0.15)
    return clause(d, said, how, ending="니" if asked else "다", asked=asked, time=time)


def said_nothing(d: Derivation) -> Clause:
    """She said nothing: 그녀는 아무 말도 하지 않았다. He did not say a word: 한마디도."""
    subject = person(d)
    node, no, to = d.node(), d.node(), d.node()
    whom = _to_whom(d, subject) if d.chance(0.4) else None
    kind = d.choose(("nothing", "anything", "anything", "a word"))
    korean = "한마디도" if kind == "a word" else "아무 말도"
    rest = [*words("to", to), *whom.english] if whom else []
    spoken = whom.marked(DATIVE, to) if whom else []
    verb = EnglishVerb("say", "says", "said", "saying", node, [])
    tense = d.choose(("past", "past", "past", "future"))
    predicate = Predicate([], "하", "", "verb", (node,))
    part = Clause([*words(kind, no), *rest], [*spoken, *words(korean, no)])
    said = Said(subject, verb, predicate, (part,))
    if kind == "nothing":
        return clause(d, said, How(tense, never=no))
    asked = subject.english[0].text == "you"
    return clause(d, said, How(tense, "", True), ending="니" if asked else "다", asked=asked)
