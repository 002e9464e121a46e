"""What it is time for, what day it is, when shops open: 집에 갈 시간이다. CC0."""

from annotated_transformer.lab.corpora.english_korean.adverbs import DAYS, ON_A_DAY, Adverbial
from annotated_transformer.lab.corpora.english_korean.clauses import adverbial
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.frames import action
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
    surroundings,
)
from annotated_transformer.lab.corpora.english_korean.everyday.times import clock
from annotated_transformer.lab.corpora.english_korean.morphology import adnominal
from annotated_transformer.lab.corpora.english_korean.open.whose import owner
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    noun_phrase,
    pronoun,
)
from annotated_transformer.lab.corpora.english_korean.verbs import names

MEALS = (("breakfast", "아침 먹을"), ("lunch", "점심 먹을"), ("dinner", "저녁 먹을"))
FOR = (
    *MEALS,
    *(("bed", "잘"), ("school", "학교에 갈"), ("work", "일할"), ("class", "수업할")),
)


NO_TIME = names(
    """become,lie,sneeze,cough,yawn,snore,cry,smile,get home,stay home,stay here,
stay,sweat,scream,get,receive,live,laugh,shout""".replace("\n", "")
)


def time_to(d: Derivation) -> Clause:
    """It is time to go home: 집에 갈 시간이다. I do not have time to cook: 요리할 시간이 없다."""
    time, be = d.node(), d.node()
    having = d.chance(0.3)
    if not having and d.chance(0.2):
        english, korean = d.choose(FOR)
        node = d.node()
        tail = [*words("time", time), *words("for", node), *words(english, node)]
        before = words(korean, node)
    else:
        said = action(d, pronoun(d, 0 if having else 1))
        odd = any(
            word.text in ("you", "your") for part in said.complements for word in part.english
        )
        if said.flags & {"s", "x", "p"} or "OWN" in said.base or odd or said.base in NO_TIME:
            raise Unfit
        follow, around = surroundings(said)
        verb, to = said.english, d.node()
        form = adnominal(said.korean.stem, "future", said.korean.irregular)
        before = [*around, *said.korean.before, Word(form, (*said.korean.nodes, to))]
        body = [*words("to", to), *words(verb.base, verb.node), *verb.tail, *follow]
        tail = [*words("time", time), *body]
    if having:
        deny = d.chance(0.6)
        no = d.node()
        exists = Predicate([], "있", "", "adjective", (be,))
        phrase = Clause(tail, [*before, Word("시간이", (time,))])
        have = EnglishVerb("have", "has", "had", "having", be, [])
        kept = Said(said.subject, have, exists, (phrase,))
        asked = False
        if deny and d.chance(0.5):
            phrase = Clause([*words("no", no), *tail], phrase.korean)
            return clause(d, kept._replace(complements=(phrase,)), How("present", never=no))
        tense = "past" if d.chance(0.2) else "present"
        return clause(d, kept, How(tense, "", deny), asked=asked)
    kind = d.weighted((("is", 0.65), ("not", 0.12), ("asked", 0.15), ("was", 0.08)))
    it = words("it", be)
    is_ = words("was" if kind == "was" else "is", be)
    copula = Predicate(before, "시간", "", "copula", (time, be))
    if kind == "asked":
        return Clause([*is_, *it, *tail], endings.finished(copula, "present", "니"))
    if kind == "not":
        no = d.node()
        last = endings.finished(endings.denied(copula, no), "present", "다")
        return Clause([*it, *is_, *words("not", no), *tail], last)
    last = endings.finished(copula, "past" if kind == "was" else "present", "다")
    return Clause([*it, *is_, *tail], last)


WHEN = (("today", "오늘"), ("tomorrow", "내일"), ("yesterday", "어제"), *DAYS.items())
FEASTS = (("birthday", "생일"), ("wedding", "결혼식"))


def day_is(d: Derivation) -> Clause:
    """Tomorrow is my sister's birthday: 내일은 내 여동생의 생일이다."""
    english, korean = d.choose(WHEN[:3] * 6 + WHEN[3:])
    feast, korean_feast = d.choose(FEASTS[:1] * 3 + FEASTS[1:])
    node, be, own = d.node(), d.node(), d.node()
    subject = NounPhrase(words(english, node), words(korean, node), node, "3s")
    whose = owner(d)
    if whose.english[-1].text == "family":
        raise Unfit
    last = whose.english[-1]
    tail = [*whose.english[:-1], Word(last.text + "'s", last.nodes), *words(feast, own)]
    *first, name = korean_feast.split(" ")
    before = [*whose.marked(("의", "의")), *(Word(text, (own,)) for text in first)]
    copula = Predicate(before, name, "", "copula", (own, be))
    said = Said(subject, EnglishVerb("be", "", "", "", be, tail), copula)
    asked = d.chance(0.2)
    how = How("past" if english == "yesterday" else "present", "", not asked and d.chance(0.12))
    ending = "니" if asked else "다"
    return clause(d, said, how, ending=ending, asked=asked)


MORNINGS = (Adverbial("today", "오늘"), Adverbial("in the morning", "아침에"))
HOURS = (("open", "opens", "opened", "열"), ("close", "closes", "closed", "닫"))
SHOPS = "shop,restaurant,bank,library,museum,hospital,gym,cafe,school"


def opening_hours(d: Derivation) -> Clause:
    """The shop closes at eight: 가게는 여덟 시에 문을 닫는다."""
    base, third, past, stem = d.choose(HOURS)
    noun = choose_noun(d, frozenset(SHOPS.split(",")))
    plural = d.chance(0.1)
    subject = noun_phrase(d, noun, "the" if plural or d.chance(0.8) else "this", plural=plural)
    node = d.node()
    verb = EnglishVerb(base, third, past, "", node, [])
    said = Said(subject, verb, endings.verb("문을 " + stem, "", node), kind="place")
    asked = d.chance(0.25)
    how = How(d.choose(("present", "present", "present", "past", "future")))
    how = how._replace(negated=not asked and d.chance(0.12))
    times = ON_A_DAY if d.chance(0.5) else MORNINGS
    time = clock(d) if d.chance(0.7) else adverbial(d, times)
    return clause(d, said, how, ending="니" if asked else "다", asked=asked, time=time)
