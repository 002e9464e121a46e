"""What everyday clauses say: a verb with its object, a place, a quality, a possession. CC0.

A frame draws a predicate and, unless it is given one, a subject that goes with it.
"""

from collections.abc import Callable

from annotated_transformer.lab.corpora.english_korean.clauses import (
    EMPTY,
    object_particle,
    place_phrase,
)
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.deeds import listed_deed
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import EnglishVerb, Said
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import (
    is_animate,
    it,
    known,
    object_pronoun,
    own_possessive,
    some,
    subject_of,
)
from annotated_transformer.lab.corpora.english_korean.everyday.ways import companion
from annotated_transformer.lab.corpora.english_korean.morphology import (
    AT,
    DATIVE,
    OBJECT,
    SUBJECT,
    TOWARDS,
)
from annotated_transformer.lab.corpora.english_korean.natural import PUTTING, UNCOUNTED_VERBS
from annotated_transformer.lab.corpora.english_korean.nouns import Noun
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    kind_of,
    noun_phrase,
)
from annotated_transformer.lab.corpora.english_korean.simple import scene
from annotated_transformer.lab.corpora.english_korean.things import coordinate
from annotated_transformer.lab.corpora.english_korean.verbs import PLACES_OF, Verb, names

Frame = Callable[[Derivation, NounPhrase | None], Said]

HUMAN = frozenset({"person", "kin", "adult", "own"})


def fits(verb: Verb, subject: NounPhrase) -> bool:
    """Whether the given subject can do it; pronouns are people."""
    if subject.noun is None:
        return not verb.subjects.isdisjoint(HUMAN)
    if subject.noun.classes & {"name", "kin"}:
        return not verb.subjects.isdisjoint({"person", "kin", "own"})
    return verb.is_done_by(subject.noun)


def _subject(d: Derivation, verb: Verb, given: NounPhrase | None) -> NounPhrase:
    if given is None:
        return subject_of(d, verb.subjects)
    if not fits(verb, given):
        raise Unfit
    return given


def english_verb(verb: Verb, node: int, own: str = "") -> EnglishVerb:
    """Return the verb's forms; OWN stands for the possessive of the subject."""
    forms = (verb.english, verb.third, verb.past, verb.ing)
    base, third, past, ing = (form.replace("OWN", own) for form in forms)
    return EnglishVerb(base, third, past, ing, node, [])


def said_of(
    d: Derivation,
    subject: NounPhrase,
    verb: Verb,
    complements: tuple[Clause, ...] = (),
    *,
    kind: str = "action",
    own: str = "",
) -> Said:
    """Return what a verb says of the subject with its complements."""
    node = d.node()
    d.uses(verb.english, verb.korean)
    korean = endings.verb(verb.korean, verb.irregular.strip("A"), node)
    if "A" in verb.irregular:
        korean = korean._replace(kind="adjective")
    english = english_verb(verb, node, own)
    return Said(subject, english, korean, complements, verb.flags, kind, verb.english)


# English would put a pronoun between their parts.
PARTED = names("turn on,turn off,pick up,put on,take off,try on,take out,throw away")
# Noted where a pronoun stands for a noun, whose pairing the sentence then does not show.
REPLACED = ("replaced",)


def target_of(d: Derivation, verb: Verb, subject: NounPhrase) -> NounPhrase:
    """Return the object: a noun, or a pronoun of people and things."""
    noun = choose_noun(d, verb.objects)
    if noun == subject.noun:
        raise Unfit
    d.pairing("object", verb.english, noun.english)
    if d.chance(0.08):
        return _two_things(d, verb, noun)
    if d.chance(0.16) and d.lexicon.is_single(verb.english) and verb.english not in PARTED:
        if not verb.objects.isdisjoint({"person", "kin", "relation"}):
            thing = not verb.objects <= {"person", "kin", "relation", "adult", "job", "little"}
            d.pairing(*REPLACED)
            return it(d) if thing and d.chance(0.4) else object_pronoun(d, subject)
        if not is_animate(noun) and noun.classes & {"goods", "place", "thing", "own"}:
            d.pairing(*REPLACED)
            return it(d, plural=d.chance(0.2))
    target = some(d, noun)
    measured = target.after or any(word.text == "of" for word in target.english)
    if d.lexicon.natural and measured and verb.english in UNCOUNTED_VERBS:
        raise Unfit
    return target


def _two_things(d: Derivation, verb: Verb, noun: Noun) -> NounPhrase:
    """Return two objects of a kind: an apple and a banana."""
    other = choose_noun(d, verb.objects)
    if other == noun or kind_of(other) != kind_of(noun) or not kind_of(noun):
        raise Unfit
    d.pairing("object", verb.english, other.english)
    return coordinate(d, some(d, noun, 0.05), some(d, other, 0.05))


def transitive(d: Derivation, given: NounPhrase | None = None) -> Said:
    """Read the book, 책을 읽다."""
    verb = d.choose(d.lexicon.transitive)
    subject = _subject(d, verb, given)
    target = target_of(d, verb, subject)
    complements = [Clause(target.english, target.marked(object_particle(verb)))]
    if subject.noun is None or not is_animate(subject.noun) or "person" in subject.noun.classes:
        complements.append(_usual_place(d, verb))
    return said_of(d, subject, verb, tuple(complements))


def _usual_place(d: Derivation, verb: Verb) -> Clause:
    if verb.english not in PLACES_OF or not d.chance(0.14):
        return EMPTY
    place = d.choose(d.lexicon.nouns(*PLACES_OF[verb.english]))
    if d.lexicon.natural and verb.english in PUTTING:
        return place_phrase(d, place, particle=AT)
    return bare(d, place, place_phrase(d, place))


def phrasal(d: Derivation, given: NounPhrase | None = None) -> Said:
    """Have breakfast, 아침을 먹다; wash my hands, 손을 씻다."""
    verb = d.choose(d.lexicon.phrasal)
    subject = _subject(d, verb, given)
    own = own_possessive(subject) if "OWN" in verb.english else ""
    if "OWN" in verb.english and not own:
        raise Unfit
    return said_of(d, subject, verb, own=own)


def intransitive(d: Derivation, given: NounPhrase | None = None) -> Said:
    """Work at the bank, 은행에서 일하다."""
    verb = d.choose(d.lexicon.intransitive)
    subject = _subject(d, verb, given)
    return said_of(d, subject, verb, (scene(d, verb, 0.4),))


def motion(d: Derivation, given: NounPhrase | None = None) -> Said:
    """Go to the market, 시장에 가다."""
    verb, preposition, particle = d.choose(d.lexicon.motion)
    subject = _subject(d, verb, given)
    place = d.choose(d.lexicon.nouns(*sorted(verb.objects)))
    preposition = "in" if preposition == "at" and "city" in place.classes else preposition
    marker = TOWARDS if particle == "로" else AT
    goal = place_phrase(d, place, preposition, marker)
    if preposition == "to":
        goal = bare(d, place, goal)
    if verb.english == "live" and d.chance(0.2):
        goal = companion(d, subject)
    return said_of(d, subject, verb, (goal,), kind="motion")


def bare(d: Derivation, place: Noun, there: Clause) -> Clause:
    """Return "to school" for most "to the school"."""
    if place.english not in ("school", "church", "kindergarten") or d.chance(0.2):
        return there
    return Clause([word for word in there.english if word.text != "the"], there.korean)


def dative(d: Derivation, given: NounPhrase | None = None) -> Said:
    """Give the girl a flower or a flower to the girl: 그 소녀에게 꽃을 주다."""
    verb = d.choose(d.lexicon.dative)
    subject = _subject(d, verb, given)
    noun = choose_noun(d, verb.objects)
    if "furniture" in noun.classes:
        raise Unfit
    if d.chance(0.55):
        receiver = object_pronoun(d, subject)
    else:
        receiver = known(d, choose_noun(d, frozenset({"kin", "relation", "little", "name", "job"})))
    if receiver.noun is not None and receiver.noun == subject.noun:
        raise Unfit
    target = it(d) if d.chance(0.08) else some(d, noun)
    marked = receiver.marked(DATIVE)
    thing = Clause(target.english, target.marked(OBJECT))
    # "her flowers" would be hers; "give me it" is hardly said.
    unclear = receiver.english[0].text == "her" and target.english[0].text in (
        *(noun.english.split(" ")[0], noun.plural.split(" ")[0]),
        *(word.text for word in target.english[:1] if word.text not in DETERMINERS),
    )
    if target.noun is not None and d.chance(0.6) and not unclear:
        both = Clause([*receiver.english, *thing.english], [*marked, *thing.korean])
        return said_of(d, subject, verb, (both,))
    node = d.node()
    preposition = "for" if "f" in verb.flags else "to"
    last = marked[-1]
    to = Clause(
        [*words(preposition, node), *receiver.english],
        [*marked[:-1], Word(last.text, (*last.nodes, node))],
    )
    return said_of(d, subject, verb, (thing, to))


DETERMINERS = (
    "the",
    "a",
    "an",
    "this",
    "that",
    "these",
    "those",
    "my",
    "your",
    "his",
    "our",
    "their",
)


def becoming(d: Derivation, given: NounPhrase | None = None) -> Said:
    """Become a doctor, 의사가 되다."""
    subject = given or subject_of(d, frozenset({"own", "little", "kin"}))
    plural = subject.agreement == "p" and subject.english[0].text != "you"
    phrase = noun_phrase(
        *(d, d.choose(d.lexicon.nouns("job")), "" if plural else "a"),
        plural=plural,
        adjective=0.2,
        among=GOOD,
    )
    node = d.node()
    target = Clause(phrase.english, phrase.marked(SUBJECT))
    english = EnglishVerb("become", "becomes", "became", "becoming", node, [])
    predicate = Predicate([], "되", "", "verb", (node,))
    return Said(subject, english, predicate, (target,), frozenset("e"), "action", "become")


ACTIONS: tuple[tuple[str, Frame, float], ...] = (
    ("transitive", transitive, 0.42),
    ("phrasal", phrasal, 0.24),
    ("intransitive", intransitive, 0.1),
    ("motion", motion, 0.14),
    ("dative", dative, 0.07),
    ("becoming", becoming, 0.03),
)

LISTED = 0.3
"""Share of what is done that a lexicon lists, where it does."""


def action(d: Derivation, given: NounPhrase | None = None) -> Said:
    """Draw something that is done, where the lexicon lists deeds also one of these."""
    if d.lexicon.deeds and d.chance(LISTED):
        done, flags = listed_deed(d, subject_of(d, HUMAN, pronouns=0.7) if given is None else given)
        if "u" in flags or (given and given.noun and not given.noun.classes & HUMAN):
            raise Unfit
        return done
    return drawn(d, ACTIONS, given)


GOOD = frozenset(
    ["good", "great", "famous", "kind", "old", "new", "young", "smart", "diligent", "rich"]
)


def drawn(
    d: Derivation, frames: tuple[tuple[str, Frame, float], ...], given: NounPhrase | None
) -> Said:
    """Draw a frame by its share and something it says."""
    name = d.weighted([(name, share) for name, _, share in frames])
    return next(frame for key, frame, _ in frames if key == name)(d, given)
