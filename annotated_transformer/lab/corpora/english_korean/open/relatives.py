"""The song you sang, a friend who lives in Busan, my sister, who lives there: 네 노래. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import object_particle
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.compound import (
    event_of,
    expressing,
    person,
)
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import being, quality
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.frames import action, said_of
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import (
    known,
    object_pronoun,
    subject_of,
)
from annotated_transformer.lab.corpora.english_korean.everyday.times import time_for
from annotated_transformer.lab.corpora.english_korean.morphology import DATIVE, SUBJECT
from annotated_transformer.lab.corpora.english_korean.natural import itself
from annotated_transformer.lab.corpora.english_korean.nouns import Noun
from annotated_transformer.lab.corpora.english_korean.open.joints import doing, with_comma
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    article,
    choose_noun,
)
from annotated_transformer.lab.corpora.english_korean.verbs import names

THINGS = frozenset({"goods", "thing", "reading", "sung", "shown", "dish"})
UNSUITED = names(
    "cut,read,put on,want,need,hit,prefer,leave,enjoy,hear,see,use,know,hate,understand"
)


def that_somebody(
    d: Derivation, outer: NounPhrase | None = None, *, verb_not: str = ""
) -> NounPhrase:
    """Return "the song (that) you sang", 네가 부른 노래; also "the book you gave me"."""
    giving = d.chance(0.25)
    table = d.lexicon.dative if giving else d.lexicon.transitive
    verb = d.choose(table)
    if (
        verb.english in UNSUITED
        or verb.english == verb_not
        or verb.subjects.isdisjoint({"kin", "person"})
    ):
        raise Unfit
    if not giving and (object_particle(verb) != ("을", "를") or "p" in verb.flags):
        raise Unfit
    noun = choose_noun(d, verb.objects)
    if noun.classes.isdisjoint(THINGS) or noun.plural_only:
        raise Unfit
    subject = itself(subject_of(d, frozenset({"kin", "relation", "own"}), pronouns=0.75), outer)
    if subject.english[0].text == "everyone" or "나" in [w.text for w in subject.korean[1:]]:
        raise Unfit
    node, marker = d.node(), d.node()
    complements: tuple[Clause, ...] = ()
    if giving:
        receiver = object_pronoun(d, subject)
        complements = (Clause(receiver.english, receiver.marked(DATIVE)),)
        if "f" in verb.flags and verb.english != "buy":
            raise Unfit
    said = said_of(d, subject, verb, complements)
    d.pairing("relative", noun.english)
    d.pairing("object", verb.english, noun.english)
    stative = bool(verb.flags & {"s"})
    how = How("present" if stative else "past" if d.chance(0.85) else "progressive")
    if how.tense == "progressive":
        how = event_of(d, said, "progressive")
    time = time_for(d, said, "past", 0.2) if how.tense == "past" else Clause([], [])
    part = clause(d, said, how, ending="는", particle=SUBJECT, time=time)
    with_that = d.chance(0.55)
    head = words(f"the {noun.english}", node)
    korean = expressing(part, marker) if with_that else part.korean
    return NounPhrase(
        [*head, *(words("that", marker) if with_that else []), *part.english],
        [*korean, *words(noun.korean, node)],
        *(node, "3s", noun),
    )


def song_you_sang(d: Derivation) -> Clause:
    """I like the song you sang: 나는 네가 부른 노래를 좋아한다. This is the book I bought."""
    kind = d.weighted((("object", 0.45), ("quality", 0.3), ("this", 0.25)))
    if kind == "this":
        this, korean = d.choose((("this", "이것"), ("that", "저것"), ("it", "그것")))
        own = d.node()
        subject = NounPhrase(words(this, own), words(korean, own), own, "3s")
        phrase = that_somebody(d)
        asked = d.chance(0.2)
        how = How("present", "", not asked and d.chance(0.2))
        said = being(d, subject, phrase)
        return clause(d, said, how, ending="니" if asked else "다", asked=asked)
    if kind == "quality":
        phrase = that_somebody(d)
        said = quality(d, phrase)
        asked = d.chance(0.1)
        how = How("past" if d.chance(0.4) else "present", "", not asked and d.chance(0.15))
        return clause(d, said, how, ending="니" if asked else "다", asked=asked)
    subject = person(d)
    phrase = that_somebody(d, subject)
    noun = phrase.noun
    verbs = [
        v
        for v in d.lexicon.transitive
        if noun is not None and v.selects(noun) and "person" in v.subjects and "p" not in v.flags
    ]
    verb = d.choose(verbs)
    inner = phrase.english[len(noun.english.split(" ")) + 1 :] if noun is not None else []
    if verb.english.split(" ")[0] in [w.text for w in inner] or verb.past in [
        w.text for w in inner
    ]:
        raise Unfit
    if verb.english in ("cut", "read", "want", "put on"):
        raise Unfit
    complement = Clause(phrase.english, phrase.marked(object_particle(verb)))
    said = said_of(d, subject, verb, (complement,))
    how = event_of(d, said, d.choose(("past", "past", "present", "future")))
    return clause(d, said, how._replace(negated=d.chance(0.15)))


def who_does(d: Derivation, noun: Noun, determiner: str = "the") -> NounPhrase:
    """Return "the man who lives next door", 옆집에 사는 남자."""
    node, who = d.node(), d.node()
    doer = NounPhrase(words("who", who), words(noun.korean, node), node, "3s", noun)
    said = action(d, doer)
    if "OWN" in said.base or said.base in ("read", "cut", "put on"):
        raise Unfit
    how = event_of(d, said, d.choose(("present", "present", "past", "progressive")))
    part = clause(d, said, how, ending="는", drop_subject=True)
    if any(word.text == "some" for word in part.english):
        raise Unfit
    d.pairing("relative", noun.english)
    head = words(f"{determiner} {noun.english}", node)
    return NounPhrase(
        [*head, *part.english],
        [*expressing(part, who), *words(noun.korean, node)],
        node,
        "3s",
        noun,
    )


def know_somebody(d: Derivation) -> Clause:
    """I have a friend who lives in Busan: 나는 부산에 사는 친구가 있다. Do you know the man who."""
    subject = person(d)
    having = d.chance(0.45)
    if having:
        noun = choose_noun(d, frozenset({"relation"}))
        if (
            noun.english in ("boyfriend", "girlfriend", "best friend", "stranger")
            or "best" in noun.english
        ):
            raise Unfit
        phrase = who_does(d, noun, article(noun.english))
        node = d.node()
        have = EnglishVerb("have", "has", "had", "having", node, [])
        p = Predicate([], "있", "", "adjective", (node,))
        said = Said(
            subject, have, p, (Clause(phrase.english, phrase.marked(SUBJECT)),), kind="state"
        )
        asked = subject.english[0].text == "you"
        how = How("past" if d.chance(0.15) else "present")
        return clause(d, said, how, ending="니" if asked else "다", asked=asked)
    noun = choose_noun(d, frozenset({"adult", "little", "job"}))
    if noun == subject.noun:
        raise Unfit
    phrase = who_does(d, noun)
    verbs = [v for v in d.lexicon.transitive if v.selects(noun) and "person" in v.subjects]
    verb = d.choose([v for v in verbs if v.english in MEETING])
    complement = Clause(phrase.english, phrase.marked(object_particle(verb)))
    said = said_of(d, subject, verb, (complement,))
    asked = d.chance(0.2)
    tense = "present" if "s" in said.flags else d.choose(("past", "past", "future"))
    how = How(tense, "", not asked and d.chance(0.15))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


MEETING = names(
    "know meet see like love help invite visit remember call talk_to respect hate trust"
)


def sister_who(d: Derivation) -> NounPhrase:
    """Return "my sister, who lives in Busan,": 부산에 사는 내 여동생."""
    noun = choose_noun(d, frozenset({d.choose(("kin", "kin", "relation", "name"))}))
    somebody = known(d, noun, 0.0)
    if somebody.agreement == "p" or "best" in noun.english:
        raise Unfit
    who = d.node()
    doer = NounPhrase(words("who", who), somebody.korean, somebody.node, "3s", noun)
    if d.chance(0.3):
        said = being(d, doer, _job(d))
        korean_end = "인"
        part = clause(d, said, How("present"), ending="고", drop_subject=True)
        last = part.korean[-1]
        stem = said.korean.stem
        part = Clause(part.english, [*part.korean[:-1], Word(stem + korean_end, last.nodes)])
    else:
        said = doing(d, doer, "xp") if d.chance(0.6) else action(d, doer)
        if said.base not in ("live", "work", "study") and d.chance(0.6):
            raise Unfit
        if "OWN" in said.base or said.flags & {"x", "p"} or said.base in ("read", "cut", "put on"):
            raise Unfit
        how = event_of(d, said, d.choose(("present", "present", "past")))
        part = clause(d, said, how, ending="는", drop_subject=True)
    if any(word.text == "some" for word in part.english):
        raise Unfit
    return somebody._replace(
        english=[*with_comma(somebody.english), *with_comma(part.english)],
        korean=[*expressing(part, who), *somebody.korean],
    )


def _job(d: Derivation) -> NounPhrase:
    noun = d.choose(d.lexicon.nouns("job"))
    node = d.node()
    english = [*words(article(noun.english), node), *words(noun.english, node)]
    return NounPhrase(english, words(noun.korean, node), node, "3s", noun)


def my_sister_who(d: Derivation) -> Clause:
    """My sister, who lives in Busan, is a doctor: 부산에 사는 내 여동생은 의사다."""
    subject = sister_who(d)
    if d.chance(0.35):
        said = quality(d, subject)
        if "is" not in [text for text, _ in subject.english] and d.chance(0.5):
            said = being(d, subject, _job(d))
        how = How("past" if d.chance(0.2) else "present")
        return clause(d, said, how)
    said = doing(d, subject)
    tense = d.choose(("past", "past", "future", "going", "progressive"))
    how = event_of(d, said, tense)
    return clause(d, said, how, time=time_for(d, said, tense, 0.35))
