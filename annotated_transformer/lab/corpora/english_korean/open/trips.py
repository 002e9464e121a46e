"""Tom's friends are nice, the last train leaves at ten: 톰의 친구들. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import subject_of
from annotated_transformer.lab.corpora.english_korean.morphology import TOPIC
from annotated_transformer.lab.corpora.english_korean.open.society import (
    part,
    phrase,
    said,
    society_rows,
    told,
)
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, pronoun


def toms_friends(d: Derivation) -> Clause:
    """Tom's friends are nice: 톰의 친구들은 친절하다. My father's friends live in London."""
    name, korean_name, _ = d.choose(society_rows("owners"))
    own, node = d.node(), d.node()
    if name == "Tom" or d.chance(0.5):
        noun = d.choose(d.lexicon.nouns("name"))
        name, korean_name = noun.english, noun.korean
    if name.endswith("s"):
        raise Unfit
    people, korean = d.choose(society_rows("their people"))
    if people == "students" and "teacher" not in name:
        raise Unfit
    if "teacher" in name and people not in ("students", "friends", "children", "parents"):
        raise Unfit
    if "friend" in name and people == "friends":
        raise Unfit
    subject = NounPhrase(
        [*words(name + "'s", own), *words(people, node)],
        [*words(korean_name + "의", own), *words(korean, node)],
        *(node, "p"),
    )
    kind = d.weighted((("are", 0.45), ("do", 0.4), ("job", 0.15)))
    if kind == "are":
        english, stem, irregular = d.choose(society_rows("they are"))
        verb, be = d.node(), d.node()
        predicate = endings.verb(stem, irregular.strip("-"), verb, be)
        forms = EnglishVerb("be", "", "", "", be, words(english, verb))
        what = Said(subject, forms, predicate._replace(kind="adjective"))
        return told(d, what, d.choose(("present", "present", "past")), asked=0.2, denied=0.15)
    if kind == "job":
        english, korean_job = d.choose(society_rows("members are"))
        if people in ("kids", "children", "students") or english + "s" == people:
            raise Unfit
        verb, be = d.node(), d.node()
        forms = EnglishVerb("be", "", "", "", be, words(f"{english}s", verb))
        what = Said(subject, forms, Predicate([], korean_job, "", "copula", (verb, be)))
        return told(d, what, "present", asked=0.2, denied=0.15)
    forms_text, stem, irregular, tenses = d.choose(society_rows("they do"))
    if "school" in forms_text and people not in ("kids", "children", "brothers", "sisters"):
        raise Unfit
    what = said(d, subject, forms_text, stem, irregular)
    return told(d, what, d.choose(tenses.split(",")), asked=0.2, denied=0.12)


def last_train(d: Derivation) -> Clause:
    """The last train leaves at midnight: 마지막 기차는 자정에 떠난다. My flight was canceled."""
    subject = phrase(d, *d.choose(society_rows("rides")))
    if d.chance(0.3):
        forms, korean, kind = d.choose(society_rows("rides are"))
        english = forms.removeprefix("be ")
        node, be = d.node(), d.node()
        verb = EnglishVerb("be", "", "", "", be, words(english, node))
        if kind == "copula":
            predicate = Predicate([], korean.removesuffix("이"), "", "copula", (node, be))
        else:
            predicate = endings.verb(korean, "", node, be)
        late = kind == "R"
        what = Said(subject, verb, predicate, (), frozenset("R" if late else ""))
        tense = "past" if kind == "past" or d.chance(0.4) else "present"
        return told(d, what, tense, asked=0.2, denied=0.1)
    forms, korean = d.choose(
        (
            ("leave leaves left leaving", "떠나"),
            ("leave leaves left leaving", "떠나"),
            ("arrive arrives arrived arriving", "도착하"),
            ("come comes came coming", "오"),
        )
    )
    if "flight" in subject.english[-1].text and forms.startswith("come"):
        raise Unfit
    what = said(d, subject, forms, korean)
    if d.chance(0.3):
        node, hour = d.node(), d.node()
        if d.chance(0.5):
            question = Clause(
                [*words("what", node), *words("time", hour)],
                [*words("몇", node), *words("시에", hour)],
            )
        else:
            question = Clause(words("when", node), words("언제", node))
        tense = d.weighted((("present", 0.7), ("future", 0.15), ("past", 0.15)))
        return clause(d, what, How(tense), ending="니", asked=True, question=question)
    english, korean_time = d.choose(society_rows("rides when"))
    tense = "present" if d.chance(0.6) else "future"
    coming = "next" in subject.english[1].text
    if not coming and english.startswith("at ") and d.chance(0.3):
        tense = "past"
    return told(d, what, tense, time=part(d, english, korean_time), asked=0.12, denied=0.08)


def want_to_be_what(d: Derivation) -> Clause:
    """What do you want to be when you grow up?: 너는 커서 무엇이 되고 싶니."""
    subject = pronoun(d, d.choose((1, 1, 1, 2, 3, 5)))
    if d.chance(0.45):
        subject = subject_of(d, frozenset({"kin"}), pronouns=0.0)
    if subject.first_person or subject.english[0].text == "everyone":
        raise Unfit
    node, verb, want, grow = d.node(), d.node(), d.node(), d.node()
    do = "does" if subject.agreement == "3s" else "do"
    english = [*words("what", node), *words(do, want), *subject.english]
    english += [*words("want to", want), *words(d.choose(("be", "be", "become")), verb)]
    who = subject.english[0].text
    later: list[Word] = []
    if d.chance(0.4) and subject.noun is None:
        forms = {"he": "he grows", "she": "she grows"}.get(who, f"{who} grow")
        english += words(f"when {forms} up", grow)
        later = words("커서", grow)
    become = Predicate([], "되", "", "verb", (verb,))
    wish = endings.wishing(become, want, first_person=who == "you")
    last = endings.finished(wish, "present", "니")
    return Clause(english, [*subject.marked(TOPIC), *later, *words("무엇이", node), *last])
