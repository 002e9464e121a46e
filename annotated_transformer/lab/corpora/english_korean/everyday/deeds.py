"""Deeds that a lexicon lists whole, "take OWN dog for a walk": 개를 산책시키다. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import Derivation, Unfit, Word
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import EnglishVerb, Said
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import own_possessive
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase


def listed_deed(d: Derivation, subject: NounPhrase) -> tuple[Said, str]:
    """Return one of the lexicon's deeds, done by the subject, and its flags.

    The flags are those of `[deeds]` in `words/open_daily.txt`: p is done somewhere, d lasts, c has
    an hour, b a deadline, w several people in it; e happens at once, so that it has no present,
    and u is spelt alike in the past.
    """
    forms, korean, irregular, flags = d.choose(d.lexicon.deeds)
    base, third, past, ing, *after = forms.split(" ")
    if "w" in flags and subject.agreement != "p":
        raise Unfit
    if "OWN" in after:
        own = own_possessive(subject)
        if not own:
            raise Unfit
        after = [own if text == "OWN" else text for text in after]
    node = d.node()
    verb = EnglishVerb(base, third, past, ing, node, [Word(text, (node,)) for text in after])
    predicate = endings.verb(korean, irregular.strip("-"), node)
    known = frozenset("e") if "e" in flags else frozenset()
    return Said(subject, verb, predicate, (), known, "action", base), flags
