"""Will AI replace translators, the model learns, a program that counts words, this book. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.compound import expressing
from annotated_transformer.lab.corpora.english_korean.everyday.endings import (
    Predicate,
    command,
    finished,
    prohibition,
    request,
)
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.morphology import (
    OBJECT,
    SUBJECT,
    adnominal,
)
from annotated_transformer.lab.corpora.english_korean.open.should_have import _me
from annotated_transformer.lab.corpora.english_korean.open.tabled import (
    clause_table,
    drawn_how,
    phrase_of,
    said_by,
    said_so,
    somebody,
    third_of,
    verb_of,
)
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, article

LATER = (
    *(("someday", "언젠가"), ("soon", "곧"), ("in the future", "미래에"), ("one day", "언젠가")),
    *(("in ten years", "십 년 후에"), ("next year", "내년에")),
)


def _machine(d: Derivation) -> NounPhrase:
    english, korean, number = d.choose(clause_table("machines"))
    return phrase_of(d, english, korean, "p" if number == "p" else "3s")


def _does(d: Derivation, subject: NounPhrase) -> Said:
    forms, korean, irregular, flags = d.choose(clause_table("machines do"))
    if "my" in forms and subject.english[0].text == "your":
        raise Unfit
    if "it says" in forms and subject.agreement == "p":
        raise Unfit
    said = said_by(d, subject, forms, korean, irregular)
    return said._replace(flags=frozenset(flags.strip("-")))


STATIVE = ("need", "have", "understand", "remember")


def machine_does(d: Derivation) -> Clause:
    """Will AI replace human translators?: 인공 지능은 인간 번역가를 대신할까. The model learns."""
    subject = _machine(d)
    said = _does(d, subject)
    base = said.english.base
    asked = d.chance(0.3)
    modal = d.choose(("", "", "", "", "can", "can", "must", "have")) if base != "need" else ""
    if modal in ("must", "have") and asked:
        modal = ""
    tense = d.choose(("present", "present", "present", "past", "future", "future", "progressive"))
    if (tense == "progressive" and base in STATIVE) or (base == "read" and tense != "future"):
        tense = "present"
    if modal:
        tense = "present"
    denied = not asked and d.chance(0.25) and modal in ("", "can")
    time = EMPTY
    if tense == "future" and d.chance(0.35):
        english, korean = d.choose(LATER)
        node = d.node()
        time = Clause(words(english, node), words(korean, node))
    question = EMPTY
    if asked and d.chance(0.25) and said.korean.kind == "verb":
        ask = d.node()
        english, korean = d.choose((("how", "어떻게"), ("how", "어떻게"), ("why", "왜")))
        question = Clause(words(english, ask), words(korean, ask))
    made = clause(
        d, said, How(tense, modal, denied), ending="니" if asked else "다", asked=asked,
        question=question, time=time,
    )  # fmt: skip
    if asked and tense == "future":  # nobody decides on it: 대신할까
        *head, stem, last = made.korean
        end = Word(stem.text + "까", (*stem.nodes, *last.nodes))
        return Clause(made.english, [*head, end])
    return made


def model_that(d: Derivation) -> Clause:
    """I wrote a program that counts words: 나는 단어를 세는 프로그램을 썼다. A model which."""
    english, korean = d.choose(
        (("model", "모델"), ("model", "모델"), ("program", "프로그램"), ("program", "프로그램"),
         ("computer", "컴퓨터"), ("machine", "기계"), ("robot", "로봇"), ("translator", "번역기"),
         ("network", "신경망"), ("language model", "언어 모델"), ("app", "앱"))
    )  # fmt: skip
    forms, spoken, irregular, _ = d.choose(clause_table("machines do"))
    if "it says" in forms:
        raise Unfit
    verb, p = verb_of(d, forms, spoken, irregular)
    node, that = d.node(), d.node()
    joint = words(d.choose(("that", "that", "which")), that)
    able = d.chance(0.25) and verb.base not in ("need", "have")
    if able:
        last = [*p.before, finished(p, "present", "때")[-2], *words("수 있는", that)]
        inner = [*words("can", that), Word(verb.base, (verb.node,)), *verb.tail]
    else:
        form = adnominal(p.stem, "present", p.irregular, is_adjective=p.is_adjective)
        last = expressing(Clause([], [*p.before, Word(form, p.nodes)]), that)
        inner = [Word(third_of(verb.base), (verb.node,)), *verb.tail]
    kind = d.weighted((("made", 0.6), ("this is", 0.4)))
    text = [*words(f"{article(english)} {english}", node), *joint, *inner]
    phrase = NounPhrase(text, [*last, *words(korean, node)], node, "3s")
    if kind == "this is":
        this, this_korean = d.choose((("this", "이것"), ("it", "그것"), ("that", "저것")))
        be = d.node()
        noun = phrase.korean[-1]
        made = Predicate(phrase.korean[:-1], noun.text, "", "copula", (*noun.nodes, be))
        said = Said(phrase_of(d, this, this_korean), EnglishVerb("be", "", "", "", be, text), made)
        asked = d.chance(0.15)
        return said_so(d, said, drawn_how(d, ("present",), asked=asked), asked=asked)
    subject = somebody(d)
    if _me(forms, subject):
        raise Unfit
    made_forms, stem = d.choose(
        (("make made making", "만들"), ("build built building", "만들"),
         ("write wrote writing", "쓰"), ("want wanted wanting", "원하"),
         ("need needed needing", "필요하"), ("have had having", "있"),
         ("use used using", "사용하"), ("find found finding", "찾"))
    )  # fmt: skip
    if made_forms.startswith("write") and english not in ("program", "app"):
        raise Unfit
    has = stem in ("필요하", "있")
    said = said_by(d, subject, made_forms, stem, "A" if has else "-")
    part = Clause(phrase.english, phrase.marked(SUBJECT if has else OBJECT))
    said = said._replace(complements=(part,))
    asked = d.chance(0.12)
    tenses = ("present",) if has or stem == "원하" else ("past", "past", "future")
    return said_so(d, said, drawn_how(d, tenses, asked=asked), asked=asked)


def studying(d: Derivation) -> Clause:
    """I am reading a paper about language models: 논문을 읽고 있다; want to, try to, do not."""
    subject = somebody(d)
    forms, korean, irregular = d.choose(clause_table("studying"))
    verb, p = verb_of(d, forms, korean, irregular)
    kind = d.weighted((("plain", 0.5), ("modal", 0.3), ("order", 0.2)))
    stative = verb.base in ("understand", "know")
    if kind == "order":
        if stative:
            raise Unfit
        please, own = d.node(), d.node()
        body = [Word(verb.base, (verb.node,)), *verb.tail]
        way = d.choose(("order", "please", "not", "let us"))
        if way == "order":
            return Clause(body, command(p))
        if way == "please":
            return Clause([*words("please", please), *body], request(p, please))
        if way == "not":
            return Clause([*words("do not", own), *body], prohibition(p, own))
        last = Word(p.stem + "자", (*p.nodes, own))
        return Clause([*words("let us", own), *body], [*p.before, last])
    flags = frozenset("n" if verb.base == "understand" else "")
    said = Said(subject, verb, p, (), flags, "action", forms)
    asked = d.chance(0.25)
    question = EMPTY
    if asked and d.chance(0.3):
        ask = d.node()
        options = [("how", "어떻게"), ("when", "언제"), ("why", "왜")]
        if verb.base in ("say", "pronounce", "translate"):
            options = [("how", "어떻게")] * 3
        english, spoken = d.choose(options)
        question = Clause(words(english, ask), words(spoken, ask))
    ending = "니" if asked else "다"
    if kind == "modal":
        modal = d.choose(("want", "want", "can", "can", "have", "must", "should", "like"))
        if modal == "like" and stative:
            raise Unfit
        how = How("present", modal, not asked and d.chance(0.2))
        return clause(d, said, how, ending=ending, asked=asked, question=question)
    if stative or verb.base in ("say", "pronounce"):
        tense = "present"
    else:
        tense = d.choose(("progressive", "progressive", "past", "past", "future", "going"))
    if verb.base == "read" and tense == "past" and d.chance(0.5):
        tense = "progressive"
    how = How(tense, "", not asked and d.chance(0.35 if stative else 0.12))
    return clause(d, said, how, ending=ending, asked=asked, question=question)
