"""What the constructions share: predicates, objects, places, times, word order. CC0."""

from annotated_transformer.lab.corpora.english_korean.adverbs import (
    FREQUENCIES,
    FUTURE_TIMES,
    HABITUAL_TIMES,
    MANNERS,
    PAST_TIMES,
    Adverbial,
)
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.morphology import (
    AT,
    DATIVE,
    FROM,
    OBJECT,
    TOPIC,
    WITH,
)
from annotated_transformer.lab.corpora.english_korean.natural import PUTTING
from annotated_transformer.lab.corpora.english_korean.nouns import Noun
from annotated_transformer.lab.corpora.english_korean.phrases import (
    PRONOUNS,
    NounPhrase,
    choose_noun,
    noun_phrase,
    object_phrase,
    pronoun,
)
from annotated_transformer.lab.corpora.english_korean.predicates import Form, verb_form
from annotated_transformer.lab.corpora.english_korean.verbs import PLACES_OF, Verb

EMPTY = Clause([], [])
TIMES = {"past": PAST_TIMES, "future": FUTURE_TIMES, "present": HABITUAL_TIMES}


def realise(d: Derivation, form: Form) -> Clause:
    """Give every role of the form a node of its own."""
    nodes: dict[str, int] = {}
    for _, roles in (*form.english, *form.korean):
        for role in roles:
            if role not in nodes:
                nodes[role] = d.node()
    english, korean = (
        [Word(text, tuple(nodes[role] for role in roles)) for text, roles in side] for side in form
    )
    return Clause(english, korean)


def is_unclear(verb: Verb, agreement: str) -> bool:
    """Whether present and past are spelt alike, as in "I read" (but not in "she reads")."""
    return verb.past == verb.english and agreement != "3s"


def tense_of(d: Derivation, verb: Verb, agreement: str, *, timed: bool = False) -> str:
    """Draw a tense that is natural for the verb and whose English form is unambiguous.

    Where "I read" could be present or past it is past, and only if a time will say so (`timed`).
    """
    if "p" in verb.flags:
        return "present"
    if is_unclear(verb, agreement):
        return "past" if timed and d.chance(0.6) else "future"
    habitual = "e" not in verb.flags
    return d.weighted((("present", 0.4 * habitual), ("past", 0.45), ("future", 0.25)))


def conjugate(
    d: Derivation, verb: Verb, tense: str, agreement: str, *, negated: bool, ending: str = "다"
) -> Clause:
    """Inflect the verb, noting the pairings (negated, tense, verb) and (progressive, verb)."""
    d.uses(verb.english, verb.korean)
    if negated:
        d.pairing("negated", tense, verb.english)
    if "progressive" in tense:
        d.pairing("progressive", verb.english)
    return realise(d, verb_form(verb, tense, agreement, negated=negated, ending=ending))


def adverbial(d: Derivation, options: tuple[Adverbial, ...]) -> Clause:
    """Return an adverbial, aligned word by word if both sides have as many words."""
    entry = d.choose(options)
    d.uses(entry.english, entry.korean)
    english, korean = entry.english.split(" "), entry.korean.split(" ")
    if len(english) == len(korean):
        own = [d.node() for _ in english]
        pairs = list(zip(english, korean, own, strict=True))
        return Clause(
            [Word(text, (node,)) for text, _, node in pairs],
            [Word(text, (node,)) for _, text, node in pairs],
        )
    node = d.node()
    return Clause(words(entry.english, node), words(entry.korean, node))


def time_of(d: Derivation, verb: Verb, tense: str, probability: float) -> Clause:
    """Perhaps return a time that suits the tense; states do not recur, so they take none."""
    if tense not in TIMES or "s" in verb.flags or not d.chance(probability):
        return EMPTY
    return adverbial(d, TIMES[tense])


def frequency_of(d: Derivation, verb: Verb, tense: str, probability: float) -> Clause:
    """Perhaps return an adverb of frequency, for habits."""
    if tense == "future" or verb.flags & {"s", "e"} or not d.chance(probability):
        return EMPTY
    return adverbial(d, FREQUENCIES)


def manner_of(d: Derivation, verb: Verb, probability: float) -> Clause:
    """Perhaps return an adverb of manner."""
    if "m" not in verb.flags or not d.chance(probability):
        return EMPTY
    return adverbial(d, MANNERS)


def preposition_of(place: Noun) -> str:
    """Return the English preposition of a place: in, at or on."""
    for preposition in ("at", "on"):
        if preposition in place.classes:
            return preposition
    return "in"


def place_phrase(
    d: Derivation, place: Noun, preposition: str = "", particle: tuple[str, str] = FROM
) -> Clause:
    """Return "in the park", 공원에서; the preposition is expressed by the particle."""
    determiner = "the" if len(d.lexicon.places) == 1 else d.choose(d.lexicon.places)
    if determiner == "a" and not place.plural:
        determiner = "the"
    phrase = noun_phrase(d, place, "" if "city" in place.classes else determiner)
    node = d.node()
    preposition = preposition or preposition_of(place)
    return Clause([*words(preposition, node), *phrase.english], phrase.marked(particle, node))


def usual_place(d: Derivation, verb: Verb, probability: float) -> Clause:
    """Perhaps return a place where people do this."""
    if verb.english not in PLACES_OF or not d.chance(probability):
        return EMPTY
    particle = AT if d.lexicon.natural and verb.english in PUTTING else FROM
    place = d.choose(d.lexicon.nouns(*PLACES_OF[verb.english]))
    return place_phrase(d, place, particle=particle)


def object_noun(d: Derivation, verb: Verb, subject: NounPhrase | None = None) -> Noun:
    """Return a noun that the verb selects, other than the subject's, and note the pairing."""
    noun = choose_noun(d, verb.objects)
    if subject and noun == subject.noun:
        raise Unfit
    d.pairing("object", verb.english, noun.english)
    return noun


def object_of(d: Derivation, verb: Verb, subject: NounPhrase) -> NounPhrase:
    """Return a direct object; people may be pronouns if the subject is not one."""
    if "person" in verb.objects and subject.noun and d.chance(0.25):
        return pronoun(d, int(d.random.random() * len(PRONOUNS)), is_object=True)
    return object_phrase(d, object_noun(d, verb, subject))


def direct_object(d: Derivation, verb: Verb, subject: NounPhrase) -> Clause:
    """Return a direct object with its particle."""
    return with_particle(verb, object_of(d, verb, subject))


def with_particle(verb: Verb, target: NounPhrase) -> Clause:
    """Return the object with the particle that the verb asks for."""
    return Clause(target.english, target.marked(object_particle(verb)))


def object_particle(verb: Verb) -> tuple[str, str]:
    """Return 에, 에게 or 와/과 for the verbs that take it, else 을/를."""
    for flag, particle in (("a", AT), ("d", DATIVE), ("w", WITH)):
        if flag in verb.flags:
            return particle
    return OBJECT


def transitive_verb(d: Derivation, *, without: str = "") -> Verb:
    """Return a verb with none of the flags given."""
    verb = d.choose(d.lexicon.transitive)
    while verb.flags & set(without):
        verb = d.choose(d.lexicon.transitive)
    return verb


def assemble(
    subject: NounPhrase,
    verb: Clause,
    complements: tuple[Clause, ...],
    *,
    particle: tuple[str, str] = TOPIC,
    time: Clause = EMPTY,
    before_verb: Clause = EMPTY,
    time_first: bool = False,
) -> Clause:
    """Put a clause in order: SVO with adverbials at the end, SOV with the time after the topic.

    `complements` come in English order; Korean reverses them, so that what is nearest the verb
    in English is nearest it in Korean too.
    """
    english = [*subject.english, *before_verb.english, *verb.english]
    korean: Words = [*before_verb.korean]
    for complement in complements:
        english += complement.english
    for complement in reversed(complements):
        korean += complement.korean
    topic = subject.marked(particle)
    if time_first:
        return Clause([*time.english, *english], [*time.korean, *topic, *korean, *verb.korean])
    return Clause([*english, *time.english], [*topic, *time.korean, *korean, *verb.korean])
