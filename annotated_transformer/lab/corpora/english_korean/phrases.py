"""Noun phrases of the embedded corpus: determiners, adjectives, numbers, pronouns. CC0."""

from typing import NamedTuple

from annotated_transformer.lab.corpora.english_korean import natural
from annotated_transformer.lab.corpora.english_korean.adjectives import Attributive
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Derivation,
    Word,
    Words,
    extend_last,
    words,
)
from annotated_transformer.lab.corpora.english_korean.morphology import SUBJECT, adnominal, attach
from annotated_transformer.lab.corpora.english_korean.nouns import Noun

# English subject, English object, Korean, Korean with 이/가, agreement.
PRONOUNS = (
    ("I", "me", "나", "내가", "1s"),
    ("you", "you", "너", "네가", "p"),
    ("he", "him", "그", "그가", "3s"),
    ("she", "her", "그녀", "그녀가", "3s"),
    ("we", "us", "우리", "우리가", "p"),
    ("they", "them", "그들", "그들이", "p"),
)
POSSESSIVES = {"my": "내", "his": "그의", "her": "그녀의", "our": "우리", "their": "그들의"}
DEMONSTRATIVES = {"the": "그", "this": "이", "that": "저", "these": "이", "those": "저"}
DEMONSTRATIVES |= {"your": "네", "many": "많은", "a lot of": "많은", "more": "더 많은"}
ANIMATE = frozenset({"person", "animal", "creature"})
POSSESSED = frozenset({"relation", "pet", "kin", "clothes", "thing", "printed", "sent", "written"})
COMPANIONS = frozenset({"kin", "relation", "pet"})
UNOWNED = frozenset({"natural", "opening"})
KINDS = ANIMATE | {
    "food",
    "drink",
    "reading",
    "clothes",
    "thing",
    "shown",
    "sung",
    "place",
    "city",
    "study",
    "sport",
}
VOWELS = tuple("aeiou")
VOWEL_SOUNDS = ("honest",)
CONSONANT_SOUNDS = (
    *("useful", "used", "university", "uniform", "European"),
    *("unique", "unicorn", "ukulele"),
)


class NounPhrase(NamedTuple):
    """A noun phrase in both languages; the particle is still to be joined to the Korean."""

    english: Words
    korean: Words
    node: int
    agreement: str
    noun: Noun | None = None
    subject_form: str = ""
    first_person: bool = False
    after: tuple[Word, ...] = ()
    """Korean words behind the particle, such as an amount."""

    def marked(self, particle: tuple[str, str], *nodes: int) -> Words:
        """Korean words with the particle, which expresses the nodes (a preposition's, say)."""
        last = self.korean[-1].text
        if particle is SUBJECT and self.subject_form:
            return extend_last(self.korean, self.subject_form, *nodes)
        return [*extend_last(self.korean, attach(last, particle), *nodes), *self.after]


def article(following: str) -> str:
    """Return "an" before a vowel sound, else "a"."""
    if following.startswith(VOWEL_SOUNDS):
        return "an"
    return "an" if following.startswith(VOWELS) and following not in CONSONANT_SOUNDS else "a"


def pronoun(d: Derivation, index: int, *, is_object: bool = False) -> NounPhrase:
    """Return a personal pronoun."""
    subject, accusative, korean, subject_form, agreement = PRONOUNS[index]
    node = d.node()
    return NounPhrase(
        english=words(accusative if is_object else subject, node),
        korean=words(korean, node),
        node=node,
        agreement="3s" if is_object else agreement,
        subject_form=subject_form,
        first_person=korean in ("나", "우리"),
    )


def modifier(
    d: Derivation, noun: Noun, probability: float, among: frozenset[str] = frozenset()
) -> tuple[Words, Words]:
    """Return perhaps an adjective before the noun (one of `among` if given), else nothing."""
    options = [
        entry for entry in d.lexicon.modifiers_of(noun) if not among or entry.english in among
    ]
    if d.lexicon.natural and noun.english.startswith("best "):
        return [], []
    if not options or not d.chance(probability):
        return [], []
    entry = d.choose(options)
    node = d.node()
    d.uses(entry.english, entry.korean)
    d.pairing("modifier", entry.english, noun.english)
    if isinstance(entry, Attributive):
        return words(entry.english, node), words(entry.korean, node)
    korean = adnominal(entry.korean, "present", entry.irregular, is_adjective=True)
    if d.lexicon.natural:
        korean = natural.BEFORE_A_NOUN.get(entry.korean, korean)
    return words(entry.english, node), words(korean, node)


def noun_phrase(
    d: Derivation,
    noun: Noun,
    determiner: str,
    *,
    plural: bool = False,
    adjective: float = 0.0,
    among: frozenset[str] = frozenset(),
) -> NounPhrase:
    """Return a noun with "the", "a", "this", a possessive or "" before it.

    "the" is 그 with people and animals and has no word of its own with things and places, where
    it is aligned to the noun, as "a" always is. The plural is 들 after 그, else unmarked.
    """
    node = d.node()
    d.uses(noun.english, noun.korean)
    english_adjective, korean_adjective = modifier(d, noun, adjective, among)
    english_noun = words(noun.plural if plural else noun.english, node)
    described = [*english_adjective, *english_noun]
    amount = natural.behind(determiner, noun, plural=plural) if d.lexicon.natural else ""
    if amount:
        own = d.node()
        english, after = words(determiner, own), tuple(words(amount, own))
        korean: Words = []
    else:
        english, korean = _determiner(d, noun, determiner, described[0].text, node)
        after = ()
    is_marked_plural = (
        plural and determiner in ("the", "these", "those") and not noun.classes.isdisjoint(ANIMATE)
    )
    korean_noun = noun.korean + ("들" if is_marked_plural else "")
    return NounPhrase(
        english=[*english, *described],
        korean=[*korean, *korean_adjective, Word(korean_noun, (node,))],
        node=node,
        agreement="p" if plural or noun.plural_only else "3s",
        noun=noun,
        after=after,
    )


def _determiner(
    d: Derivation, noun: Noun, determiner: str, following: str, node: int
) -> tuple[Words, Words]:
    if not determiner:
        return [], []
    if determiner == "a":
        return words(article(following), node), []
    if determiner == "some" or (determiner == "the" and noun.classes.isdisjoint(ANIMATE)):
        return words(determiner, node), []
    korean = DEMONSTRATIVES.get(determiner) or POSSESSIVES[determiner]
    if determiner == "my" and "elder" in noun.classes:
        korean = "우리"
    if determiner == "our" and noun.classes.isdisjoint(COMPANIONS):
        korean = "우리의"
    own = d.node()
    return words(determiner, own), words(korean, own)


def possessive(d: Derivation) -> str:
    """Return "my", "his", "her", "our", "their" or, in the large lexicon, "your"."""
    return d.choose(d.lexicon.possessives)


def determiner_of(d: Derivation, noun: Noun) -> str:
    """Return a determiner that suits the singular noun (or the mass or plural-only noun)."""
    if noun.classes & {"kin"}:
        return possessive(d)
    if noun.classes & {"city", "name", "study", "sport"}:
        return ""
    owned = noun.classes & POSSESSED and not noun.classes & UNOWNED
    bare = "" if noun.plural_only or not noun.plural else "a"
    choice = d.weighted(
        (("the", 0.45), ("bare", 0.3), ("this", 0.0 if noun.plural_only else 0.1), ("own", 0.15))
    )
    if choice == "own":
        return possessive(d) if owned else "the"
    return bare if choice == "bare" else choice


def subject_phrase(d: Derivation, classes: frozenset[str], adjective: float = 0.15) -> NounPhrase:
    """Return a definite subject of one of the classes; people may be pronouns or names."""
    everyone = not classes.isdisjoint({"person", "adult"})
    kind = d.weighted(
        (
            ("pronoun", 0.3 * everyone),
            ("name", 0.12 * everyone),
            ("kin", 0.1 if "kin" in classes else 0.0),
            ("noun", 0.5 if classes - {"kin"} else 0.0),
        )
    )
    if kind == "pronoun":
        return pronoun(d, int(d.random.random() * len(PRONOUNS)))
    if kind in ("name", "kin"):
        noun = d.choose(d.lexicon.nouns(kind))
        return noun_phrase(d, noun, determiner_of(d, noun))
    return definite(d, choose_noun(d, classes - {"kin"}), adjective=adjective)


def choose_noun(d: Derivation, classes: frozenset[str]) -> Noun:
    """Return a noun of one of the classes, or named among them."""
    return d.choose(d.lexicon.nouns(*sorted(classes)))


def kind_of(noun: Noun) -> frozenset[str]:
    """Return the broad class of a noun, in which things are compared and joined."""
    return noun.classes & KINDS


def definite(d: Derivation, noun: Noun, adjective: float = 0.15) -> NounPhrase:
    """Return the noun with "the", "this" or a possessive, sometimes plural if it is animate."""
    if noun.classes & {"kin", "city", "name", "study", "sport"}:
        return noun_phrase(d, noun, determiner_of(d, noun))
    if noun.classes & {"relation", "pet"} and d.chance(0.25):
        return noun_phrase(d, noun, possessive(d), adjective=adjective)
    animate = not noun.classes.isdisjoint(ANIMATE)
    if animate and d.chance(0.2):
        return noun_phrase(d, noun, "the", plural=True, adjective=adjective)
    determiner = "this" if not noun.plural_only and d.chance(0.2) else "the"
    return noun_phrase(d, noun, determiner, adjective=adjective)


def object_phrase(d: Derivation, noun: Noun, adjective: float = 0.15) -> NounPhrase:
    """Return a direct object: definite, indefinite or owned, singular or bare plural."""
    if noun.classes & {"kin", "city", "name", "study", "sport", "place"}:
        return definite(d, noun, adjective)
    if not noun.classes.isdisjoint(ANIMATE):
        return definite(d, noun, adjective) if d.chance(0.7) else _indefinite(d, noun, adjective)
    if noun.plural and not noun.plural_only and d.chance(0.2):
        return noun_phrase(d, noun, "", plural=True, adjective=adjective)
    return noun_phrase(d, noun, determiner_of(d, noun), adjective=adjective)


def _indefinite(d: Derivation, noun: Noun, adjective: float) -> NounPhrase:
    if d.chance(0.4):
        return noun_phrase(d, noun, "", plural=True, adjective=adjective)
    return noun_phrase(d, noun, "a", adjective=adjective)
