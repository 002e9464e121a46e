"""Nobody and everybody, nothing and something: 아무도 오지 않았다, 먹을 것이 없다. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import object_particle, place_phrase
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.compound import event_of
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import having, quality
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.everyday import UNCLEAR
from annotated_transformer.lab.corpora.english_korean.everyday.frames import (
    HUMAN,
    action,
    english_verb,
    said_of,
)
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import subject_of
from annotated_transformer.lab.corpora.english_korean.everyday.times import time_for
from annotated_transformer.lab.corpora.english_korean.morphology import AT, SUBJECT, TOPIC
from annotated_transformer.lab.corpora.english_korean.natural import FEELINGS
from annotated_transformer.lab.corpora.english_korean.open.lexicon import word_table
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase

BARE = ("", "")
NOBODY = ("nobody", "nobody", "no one")
EVERYBODY = ("everybody", "everyone")
SOMEBODY = ("someone", "somebody")


def _pronoun(d: Derivation, english: str, korean: str, subject_form: str = "") -> NounPhrase:
    node = d.node()
    return NounPhrase(words(english, node), words(korean, node), node, "3s", None, subject_form)


def _event(d: Derivation, subject: NounPhrase) -> tuple[Said, How]:
    said = action(d, subject) if d.chance(0.7) else d.choose((having, quality))(d, subject)
    if "OWN" in said.base or said.base in FEELINGS:
        raise Unfit
    if said.kind in ("action", "motion"):
        tense = d.choose(("past", "past", "past", "present", "future"))
        if said.base in UNCLEAR:
            raise Unfit
        return said, event_of(d, said, tense)
    return said, How(d.choose(("present", "present", "past")))


def nobody(d: Derivation) -> Clause:
    """Nobody came: 아무도 오지 않았다. Nobody knows the answer: 아무도 답을 모른다."""
    subject = _pronoun(d, d.choose(NOBODY), "아무도")
    said, how = _event(d, subject)
    if "n" in said.flags:
        raise Unfit
    time = time_for(d, said, how.tense, 0.1)
    return clause(d, said, how._replace(never=subject.node), particle=BARE, time=time)


def nobody_there(d: Derivation) -> Clause:
    """Nobody is at home, there is nobody in the room: 집에 아무도 없다."""
    english, korean = d.choose(
        (
            *(("nobody", "아무도"), ("no one", "아무도"), ("someone", "누군가가")),
            *(("nothing", "아무것도"), ("something", "무언가가"), ("somebody", "누군가가")),
        )
    )
    node, be = d.node(), d.node()
    if d.chance(0.25) and not english.endswith("thing"):
        at, home = d.node(), d.node()
        there = Clause([*words("at", at), *words("home", home)], [Word("집에", (at, home))])
    elif english.endswith("thing"):
        inside, box = d.node(), d.choose(d.lexicon.nouns("container", "fridge", "drawer"))
        place = d.node()
        there = Clause(
            [*words("in", inside), *words(f"the {box.english}", place)],
            [*words(box.korean, place), *words("안에", inside)],
        )
    else:
        there = place_phrase(d, d.choose(d.lexicon.nouns("room", "house", "classroom")), "", AT)
    was = d.chance(0.3)
    lacking = korean.endswith("도")
    stem = ("없" if lacking else "있") + ("었다" if was else "다")
    is_ = words("was" if was else "is", be)
    nodes = (be, node) if lacking else (be,)
    there_is = d.chance(0.55) or english.endswith("thing")
    head = (
        [*words("there", be), *is_, *words(english, node)]
        if there_is
        else [*words(english, node), *is_]
    )
    return Clause([*head, *there.english], [*there.korean, *words(korean, node), Word(stem, nodes)])


def everybody(d: Derivation) -> Clause:
    """Everybody likes pizza: 모든 사람은 피자를 좋아한다. Someone came: 누군가가 왔다."""
    if d.chance(0.6):
        subject = _pronoun(d, d.choose(EVERYBODY), "모든 사람")
    else:
        subject = _pronoun(d, d.choose(SOMEBODY), "누군가")
    said, how = _event(d, subject)
    if subject.korean[0].text == "누군가" and how.tense == "present" and said.kind != "place":
        raise Unfit
    particle = SUBJECT if subject.korean[0].text == "누군가" else TOPIC
    return clause(d, said, how, particle=particle, time=time_for(d, said, how.tense, 0.1))


def anyone(d: Derivation) -> Clause:
    """Does anyone know the answer?: 답을 아는 사람이 있니."""
    subject = _pronoun(d, d.choose(("anyone", "anybody")), "사람")
    said = action(d, subject) if d.chance(0.75) else having(d, subject)
    if "OWN" in said.base or "M" in said.flags or "#" in said.flags:
        raise Unfit
    tense = d.choose(("past", "past", "present")) if said.kind != "state" else "present"
    if tense == "present" and not (said.flags & {"s", "p"} or said.kind == "state"):
        raise Unfit
    part = clause(d, said, How(tense), ending="는", asked=True, drop_subject=True)
    return Clause(part.english, [*part.korean, *words("사람이 있니", subject.node)])


# English with a negated verb, Korean; then those of an affirmed one.
OBJECTS = {
    "person": (("anybody", "anyone"), "아무도", ("nobody", "no one"), (("someone", "누군가"),)),
    "thing": (("anything",), "아무것도", ("nothing",), (("something", "무언가"),)),
}
EVERY = {"person": (("everyone", "모든 사람"),), "thing": (("everything", "모든 것"),)}


def object_of_nobody(d: Derivation) -> Clause:
    """I did not eat anything: 나는 아무것도 먹지 않았다. I know everything: 나는 모든 것을 안다."""
    kind = d.choose(("person", "thing"))
    wanted = {"person": {"person"}, "thing": {"goods", "food", "small", "drink", "sight", "quiz"}}
    verbs = [
        verb
        for verb in d.lexicon.transitive
        if verb.objects & wanted[kind]
        and d.lexicon.is_single(verb.english)
        and not verb.flags & {"a", "d", "w"}
        and verb.english not in ("prefer", "practice")
        and not verb.subjects.isdisjoint(HUMAN)
        and (kind == "person" or "person" not in verb.objects)
    ]
    verb = d.choose(verbs)
    subject = subject_of(d, verb.subjects, pronouns=0.75)
    if subject.noun is not None and "animal" in subject.noun.classes:
        raise Unfit
    denied, korean, no, some = OBJECTS[kind]
    node = d.node()
    way = d.weighted((("any", 0.4), ("no", 0.2), ("some", 0.2), ("every", 0.2)))
    if way in ("some", "every"):
        english, korean = d.choose(some if way == "some" else EVERY[kind])
        marked = NounPhrase(words(english, node), words(korean, node), node, "3s")
        complement = Clause(marked.english, marked.marked(object_particle(verb)))
    else:
        english = d.choose(denied if way == "any" else no)
        complement = Clause(words(english, node), words(korean, node))
    said = said_of(d, subject, verb, (complement,))
    tense = d.choose(("past", "past", "present", "future"))
    how = event_of(d, said, tense)
    if way == "any":
        return clause(d, said, how._replace(negated=True))
    if way == "no":
        if "n" in verb.flags:
            raise Unfit
        return clause(d, said, how._replace(never=node))
    return clause(d, said, how)


def something_to(d: Derivation) -> Clause:
    """I have nothing to do: 나는 할 일이 없다. I want something to drink: 나는 마실 것을 원한다."""
    english, korean = d.choose(word_table("to do"))
    subject = subject_of(d, frozenset({"own", "kin"}), pronouns=0.8)
    what, node = d.node(), d.node()
    *first, last = korean.split(" ")
    noun = [*(Word(text, (node,)) for text in first), Word(last, (what, node))]
    base = d.weighted((("have", 0.5), ("want", 0.25), ("need", 0.15), ("there", 0.1)))
    verb_node = d.node()
    nothing = base in ("have", "there") and d.chance(0.55)
    text = "nothing" if nothing else "something"
    phrase = NounPhrase([*words(text, what), *words(english, node)], noun, node, "3s")
    never = what if nothing else 0
    tense = "past" if d.chance(0.2) else "present"
    if base == "want":
        verb = EnglishVerb("want", "wants", "wanted", "wanting", verb_node, [])
        predicate = Predicate([], "원하", "", "verb", (verb_node,))
        said = Said(
            subject, verb, predicate, (Clause(phrase.english, phrase.marked(("을", "를"))),)
        )
        return clause(d, said, How(tense))
    stem = "필요하" if base == "need" else "있"
    predicate = Predicate([], stem, "", "adjective", (verb_node,))
    if base == "there":
        subject = _pronoun(d, "there", "")._replace(node=verb_node)
        verb = EnglishVerb("be", "", "", "", verb_node, [])
        complement = Clause(phrase.english, phrase.marked(SUBJECT))
        said = Said(subject, verb, predicate, (complement,))
        made = clause(d, said, How(tense, never=never), drop_subject=True)
        there = [Word(t, (verb_node,) if t == "there" else n) for t, n in made.english]
        return Clause(there, made.korean)
    (entry,) = [verb for verb in d.lexicon.states if verb.english == base][:1]
    verb = english_verb(entry, verb_node)
    complement = Clause(phrase.english, phrase.marked(SUBJECT))
    return clause(d, Said(subject, verb, predicate, (complement,)), How(tense, never=never))
