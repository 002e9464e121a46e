"""I know how to swim, I do not know what to do: 수영할 줄 안다, 무엇을 해야 할지 모른다. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.compound import (
    person,
)
from annotated_transformer.lab.corpora.english_korean.everyday.endings import (
    Predicate,
)
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.morphology import (
    infinitive,
)
from annotated_transformer.lab.corpora.english_korean.open.deeds import deed
from annotated_transformer.lab.corpora.english_korean.phrases import pronoun


def how_to(d: Derivation) -> Clause:
    """I know how to swim: 나는 수영할 줄 안다. He learned how to drive: 운전하는 법을 배웠다."""
    node, to = d.node(), d.node()
    kind = d.weighted((("know", 0.6), ("learn", 0.2), ("forget", 0.06), ("show", 0.14)))
    if kind == "show":
        verb, stem = d.choose((("show", "보여"), ("tell", "알려"), ("teach", "가르쳐")))
        him, polite = d.node(), d.node()
        whom, korean_whom = d.choose((("me", "나에게"), ("me", "나에게"), ("us", "우리에게")))
        made = deed(d, pronoun(d, 4 if whom == "us" else 0), "k", 0.0)
        rest = [*words(verb, node), *words(whom, him), *words("how to", to), *made.base]
        method = [*made.before("present"), Word("법을", (to,))]
        korean = [*words(korean_whom, him), *method, *words(stem, node)]
        if d.chance(0.5):
            asked = d.choose((("can you", "줄 수 있니"), ("could you", "줄 수 있니")))
            head, last = words(asked[0], polite), words(asked[1], polite)
            return Clause([*head, *rest], [*korean, *last])
        head = words("please", polite) if d.chance(0.5) else []
        return Clause([*head, *rest], [*korean, *words("줘", polite if head else node)])
    subject = person(d)
    made = deed(d, subject, "k", 0.0)
    english = [*words("how to", to), *made.base]
    if kind == "learn" and d.chance(0.4):
        english = [*words("to", to), *made.base]
    questioned = subject.english[0].text == "you" and d.chance(0.7)
    ending = "니" if questioned else "다"
    if kind == "know":
        part = Clause(english, [*made.before("future"), Word("줄", (to,))])
        know = EnglishVerb("know", "knows", "knew", "knowing", node, [])
        said = Said(subject, know, Predicate([], "알", "", "verb", (node,)), (part,))
        how = How("past" if d.chance(0.1) else "present", "", not questioned and d.chance(0.45))
        return clause(d, said, how, ending=ending, asked=questioned)
    korean = [*made.before("present"), Word("법을", (to,))]
    if kind == "forget":
        main = EnglishVerb("forget", "forgets", "forgot", "forgetting", node, [])
        how, stem = How("past"), "잊어버리"
    else:
        main = EnglishVerb("learn", "learns", "learned", "learning", node, [])
        modal = d.chance(0.25)
        how = How("present", "want") if modal else How(d.choose(("past", "past", "progressive")))
        stem = "배우"
    said = Said(subject, main, Predicate([], stem, "", "verb", (node,)), (Clause(english, korean),))
    return clause(d, said, how, ending=ending, asked=questioned)


# What one asks oneself: English behind "what", Korean, question of both.
WHAT_TO = (
    *(("what to", "무엇을", f"{e}", k) for e, k in (
        ("do", "하"), ("do", "하"), ("do", "하"), ("say", "말하"), ("say", "말하"),
        ("buy", "사"),
        ("eat", "먹"), ("wear", "입"), ("cook", "요리하"), ("read", "읽"), ("believe", "믿"),
        ("study", "공부하"), ("choose", "고르"), ("drink", "마시"))),
    *(("where to", w, e, k) for e, w, k in (
        ("go", "어디로", "가"), ("go", "어디로", "가"), ("go", "어디로", "가"),
        ("start", "어디에서", "시작하"),
        ("begin", "어디에서", "시작하"), ("sit", "어디에", "앉"),
        ("buy it", "어디에서", "그것을 사"),
        ("buy tickets", "어디에서", "표를 사"), ("park", "어디에", "주차하"),
        ("put it", "어디에", "그것을 놓"),
        ("sleep", "어디에서", "자"), ("look", "어디를", "보"), ("eat", "어디에서", "먹"),
        ("stay", "어디에", "머무르"))),
    *(("when to", "언제", e, k) for e, k in (
        ("start", "시작하"), ("stop", "멈추"), ("leave", "떠나"), ("go", "가"),
        ("come", "오"), ("begin", "시작하"))),
    *(("who to", w, e, k) for e, w, k in (
        ("ask", "누구에게", "묻"), ("call", "누구에게", "전화하"), ("believe", "누구를", "믿"),
        ("trust", "누구를", "믿"), ("invite", "누구를", "초대하"))),
    *(("which one to", "어느 것을", e, k) for e, k in (
        ("choose", "고르"), ("buy", "사"), ("take", "가져가"))),
)  # fmt: skip


def what_to(d: Derivation) -> Clause:
    """I do not know what to do: 나는 무엇을 해야 할지 모른다. Tell me where to go: 어디로 가야."""
    asked_word, korean_word, english, korean = d.choose(WHAT_TO)
    ask, act, to, node = d.node(), d.node(), d.node(), d.node()
    *before, stem = korean.split(" ")
    irregular = {"묻": "ㄷ", "고르": "르", "머무르": "르"}.get(stem, "")
    question, _ = asked_word.rsplit(" ", 1)
    must = [Word(infinitive(stem, irregular) + "야", (act,)), Word("할지", (to,))]
    part = [*words(korean_word, ask), *(Word(text, (act,)) for text in before), *must]
    inner = Clause([*words(question, ask), *words("to", to), *words(english, act)], part)
    kind = d.weighted((("know", 0.6), ("tell", 0.22), ("decide", 0.18)))
    if kind == "tell":
        me, polite = d.node(), d.node()
        head = words("please", polite) if d.chance(0.3) else []
        show = words("tell", node)
        last = [*words("말해", node), *words("줘", polite if head else node)]
        return Clause(
            [*head, *show, *words("me", me), *inner.english],
            [*words("나에게", me), *inner.korean, *last],
        )
    subject = person(d)
    asked = subject.english[0].text == "you" and d.chance(0.7)
    if kind == "decide":
        verb = EnglishVerb("decide", "decides", "decided", "deciding", node, [])
        said = Said(subject, verb, Predicate([], "결정하", "", "verb", (node,)), (inner,))
        how = How(d.choose(("past", "past", "future")), "", not asked and d.chance(0.3))
        how = How("present", "have") if d.chance(0.2) and not asked else how
        return clause(d, said, how, ending="니" if asked else "다", asked=asked)
    verb = EnglishVerb("know", "knows", "knew", "knowing", node, [])
    said = Said(subject, verb, Predicate([], "알", "", "verb", (node,)), (inner,))
    tense = "past" if d.chance(0.25) else "present"
    how = How(tense, "", not asked and d.chance(0.85))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)
