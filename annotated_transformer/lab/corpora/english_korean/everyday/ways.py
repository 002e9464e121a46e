"""How, where, for how long and with whom something is done. CC0."""

from annotated_transformer.lab.corpora.english_korean.adverbs import Adverbial, adverbials_of
from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY, adverbial
from annotated_transformer.lab.corpora.english_korean.derivation import Clause, Derivation, words
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import Said
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import known, object_pronoun
from annotated_transformer.lab.corpora.english_korean.morphology import WITH
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, choose_noun
from annotated_transformer.lab.corpora.english_korean.simple import by_vehicle
from annotated_transformer.lab.corpora.english_korean.tables import listed, rows
from annotated_transformer.lab.corpora.english_korean.verbs import names

DURATIONS = adverbials_of("times", "durations")
WAYS = {(english, korean): listed(verbs) for english, korean, verbs in rows("ways", "how", (3,))}
"""How something is done, and the verbs (their English) that it goes with."""
TOGETHER = frozenset(verb for (verb,) in rows("ways", "together with", (1,)))
RIDES = names("go,come,travel,go to work,go home,come home")


def with_way(d: Derivation, said: Said, *, negated: bool) -> Said:
    """Add perhaps how, where or for how long it is done, or with whom."""
    if said.base in RIDES and d.chance(0.15):
        return said._replace(complements=(*said.complements, by_vehicle(d)))
    way = EMPTY if d.chance(0.6) else _way(d, said, negated=negated)
    if not way.english:
        return said
    if way.korean[-1].text in NEAR_THE_VERB:
        return said._replace(manner=way)
    return said._replace(complements=(*said.complements, way))


NEAR_THE_VERB = frozenset(
    ["잘", "열심히", "많이", "빨리", "일찍", "늦게", "다시", "천천히", "조용히"]
)


def _way(d: Derivation, said: Said, *, negated: bool) -> Clause:
    noun = said.subject.noun
    human = noun is None or not noun.classes & {"animal", "creature"}
    if said.base in TOGETHER and human and d.chance(0.5):
        return companion(d, said.subject)
    ways = [pair for pair, verbs in WAYS.items() if said.base in verbs]
    if said.base in ("study", "work", "sleep", "wait", "read", "walk", "wait for") and not negated:
        ways.append(("", ""))
    if not ways:
        return EMPTY
    english, korean = d.choose(ways)
    if not english:
        return adverbial(d, DURATIONS)
    return adverbial(d, (Adverbial(english, korean),))


def companion(d: Derivation, subject: NounPhrase) -> Clause:
    """Return "with my friend", 내 친구와 함께; "together", 함께."""
    node = d.node()
    if subject.agreement == "p" and d.chance(0.2):
        return Clause(words("together", node), words("함께", node))
    if d.chance(0.25):
        other = object_pronoun(d, subject)
    else:
        other = known(d, choose_noun(d, frozenset({"kin", "relation", "name"})))
    own = d.node()
    english = [*words("with", own), *other.english]
    return Clause(english, [*other.marked(WITH), *words("함께", own)])
