"""The paper was difficult, how do you say water in Korean, to learn about attention: 논문. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.endings import (
    Predicate,
)
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
)
from annotated_transformer.lab.corpora.english_korean.open.joints import PURPOSE, ended
from annotated_transformer.lab.corpora.english_korean.open.tabled import (
    clause_table,
    drawn_how,
    phrase_of,
    predicate,
    said_so,
    verb_of,
)
from annotated_transformer.lab.corpora.english_korean.phrases import pronoun


def read_to_learn(d: Derivation) -> Clause:
    """I read this book to learn about attention: 어텐션에 대해 배우려고 이 책을 읽는다."""
    subject = pronoun(d, d.choose((0, 0, 0, 1, 2, 3, 4, 5)))
    rows = clause_table("studying")
    forms, korean, irregular = d.choose(rows)
    why, korean_why, irregular_why = d.choose(rows)
    verb, p = verb_of(d, forms, korean, irregular)
    if verb.base in ("understand", "know", "say", "pronounce", "practice", "translate"):
        raise Unfit
    to = d.node()
    second, q = verb_of(d, why, korean_why, irregular_why)
    if second.base == verb.base or second.base in ("read", "know", "look", "type", "say"):
        raise Unfit
    *head, last = ended(q, "present", PURPOSE)
    purpose = [*head, Word(last.text[: -len(PURPOSE)] + "려고", (*last.nodes, to))]
    said = Said(subject, verb, p, (), kind="action")
    part = Clause([*words("to", to), Word(second.base, (second.node,)), *second.tail], purpose)
    tense = d.choose(("progressive", "past", "future"))
    if verb.base == "read" and tense == "past":
        tense = "progressive"
    asked = subject.english[0].text == "you" and d.chance(0.6)
    said = said._replace(complements=(part,))
    return said_so(d, said, How(tense), asked=asked)


def languages_are(d: Derivation) -> Clause:
    """A sentence is too long, the paper was difficult, learning a language is fun: 논문."""
    english, korean, fits = d.choose(clause_table("of languages"))
    adjective = d.choose(fits.split(" "))
    stem, kind = next(
        (row[1], row[2]) for row in clause_table("language adjectives") if row[0] == adjective
    )
    subject = phrase_of(d, english, korean)
    node, be = d.node(), d.node()
    tail, before = words(adjective, node), []
    if kind.startswith("A") and adjective != "right" and d.chance(0.4):
        degree, spoken = d.choose((("very", "아주"), ("really", "정말"), ("too", "너무")))
        own = d.node()
        tail, before = [*words(degree, own), *tail], words(spoken, own)
    if kind == "c":
        p = Predicate(before, stem, "", "copula", (node, be))
    elif kind == "r":
        p = Predicate(before, stem, "", "verb", (node, be))
    else:
        p = predicate(stem, kind, node)
        p = p._replace(before=before, nodes=(node, be))
    flags = frozenset("R" if kind == "r" else "")
    verb = EnglishVerb("be", "", "", "being", be, tail)
    said = Said(subject, verb, p, (), flags, "quality", adjective)
    asked = d.chance(0.18)
    how = drawn_how(d, ("present", "present", "past"), asked=asked)
    return said_so(d, said, how, asked=asked)


SAYABLE = (
    *(("this", "이것을"), ("that", "저것을"), ("it", "그것을"), ("this word", "이 단어를")),
    *(("this sentence", "이 문장을"), ("hello", "안녕이라고"), ("thank you", "고맙다고")),
    *(("water", "물을"), ("love", "사랑을"), ("cat", "고양이를"), ("dog", "개를")),
    *(("sorry", "미안하다고"), ("I love you", "사랑한다고"), ("good morning", "좋은 아침이라고")),
    *(("friend", "친구를"), ("mother", "어머니를"), ("book", "책을"), ("your name", "네 이름을")),
    *(("school", "학교를"), ("my name", "내 이름을"), ("apple", "사과를")),
)
TONGUES = (
    *(("Korean", "한국어"), ("Korean", "한국어"), ("Korean", "한국어"), ("English", "영어")),
    *(
        ("Japanese", "일본어"),
        ("French", "프랑스어"),
        ("German", "독일어"),
        ("Spanish", "스페인어"),
    ),
)


def how_to_say(d: Derivation) -> Clause:
    """How do you say water in Korean?: 물을 한국어로 어떻게 말하니. What is it called in: 라고."""
    thing, spoken = d.choose(SAYABLE)
    tongue, korean = d.choose(TONGUES)
    how, node, own, there, in_ = (d.node() for _ in range(5))
    where = [*words("in", in_), *words(tongue, there)]
    place = words(korean + "로", there, in_)
    kind = d.weighted((("say", 0.5), ("write", 0.15), ("can", 0.15), ("mean", 0.2)))
    if kind == "mean":
        word, korean_word = d.choose(
            (("this word", "이 단어는"), ("this sentence", "이 문장은"), ("this", "이것은"),
             ("that", "저것은"), ("your name", "네 이름은"), ("this sign", "이 표지판은"))
        )  # fmt: skip
        ask = words("what", how)
        return Clause(
            [*ask, *words("does", node), *words(word, own), *words("mean", node), *where],
            [*words(korean_word, own), *place, *words("무슨", how), *words("뜻이니", node)],
        )
    verb = "write" if kind == "write" else "say"
    if kind == "write" and spoken.endswith("고"):
        raise Unfit
    stem = "쓰니" if kind == "write" else "말하니"
    if kind == "can":
        you, said = d.node(), words(thing, own)
        return Clause(
            [*words("can", how), *words("you", you), *words("say", node), *said, *where],
            [*words("너는", you), *words(spoken, own), *place, *words("말할", node),
             *words("수 있니", how)],
        )  # fmt: skip
    who = d.choose(("you", "you", "I"))
    do = words(f"do {who}", node)
    return Clause(
        [*words("how", how), *do, *words(verb, node), *words(thing, own), *where],
        [*words(spoken, own), *place, *words("어떻게", how), *words(stem, node)],
    )
