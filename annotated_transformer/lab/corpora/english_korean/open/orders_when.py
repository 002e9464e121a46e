"""Call me when you arrive, wait until I come, I am hungry, let's eat: 도착하면 전화해라. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.compound import MOODS, expressing
from annotated_transformer.lab.corpora.english_korean.everyday.endings import AFTER, BEFORE
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import How, Said
from annotated_transformer.lab.corpora.english_korean.everyday.weather import weather_clause
from annotated_transformer.lab.corpora.english_korean.morphology import SUBJECT, TOPIC
from annotated_transformer.lab.corpora.english_korean.open.joints import (
    AS,
    AT_ONCE,
    UNTIL,
    doing,
    happening,
    joined,
    mood,
    order,
    proposal,
    unsaid,
    with_comma,
)
from annotated_transformer.lab.corpora.english_korean.phrases import pronoun
from annotated_transformer.lab.corpora.english_korean.verbs import names

NEED = names("tired hungry thirsty busy sick sleepy sad bored lonely scared upset worried nervous")
# What waiting has an end.
LASTING = ("wait", "stay", "sleep", "study", "play", "rest", "work", "watch", "read", "keep")
# Comings and goings that an order waits for.
COMING = names(
    """arrive,come,come back,come home,come here,get home,get up,wake up,go home,leave,go out,
    finish OWN homework,have breakfast,have lunch,have dinner,eat breakfast,eat lunch,eat dinner,
    go to bed,leave home,go outside,take a shower,take a break,get hungry,get tired,go there,
    watch TV,study,work,cook,sleep,drive,eat,wash OWN hands,do OWN homework,take a bus"""
)


def _event(d: Derivation, who: int) -> Said:
    """Return something that one of PRONOUNS does, mostly a coming or going."""
    said = doing(d, pronoun(d, who), "sp")
    if said.base not in COMING and not (said.kind == "motion" or d.chance(0.12)):
        raise Unfit
    if any(text in ("you", "me") for part in said.complements for text, _ in part.english):
        raise Unfit
    return said


def _part(d: Derivation, word: str) -> Clause:
    """Return "when you arrive", 도착하면, with the conjunction."""
    node = d.node()
    who = d.choose((1, 1, 1, 0, 0, 2, 3, 4, 5))
    hearer = who == 1
    kind = d.weighted((("event", 0.6), ("mood", 0.25), ("thing", 0.15)))
    if word in ("before", "after", "until", "as soon as"):
        kind = "event" if d.chance(0.75) else "thing"
    if word == "if" and d.chance(0.2):
        part = weather_clause(d, "present", "면")
        return Clause([*words(word, node), *part.english], expressing(part, node))
    ending = {"before": BEFORE, "after": AFTER, "until": UNTIL, "as soon as": AT_ONCE}.get(
        word, "면"
    )
    if kind == "thing":
        said, hearer = happening(d), False
        if "w" in said.flags and word == "when":
            raise Unfit
    elif kind == "mood":
        said = mood(d, pronoun(d, who), NEED)
        ending = "때" if word == "when" else "면"
    else:
        said = _event(d, who)
    how = How("present")
    if kind == "event" and word == "when" and not said.flags & {"e", "x"} and d.chance(0.3):
        how, ending = How("progressive"), "때"
    if word == "if" and kind == "event":
        how = how._replace(negated=d.chance(0.15))
    part = joined(d, said, how, ending, drop_subject=hearer)
    korean = unsaid(part, said.subject, node) if hearer else expressing(part, node)
    return Clause([*words(word, node), *part.english], korean)


def order_when(d: Derivation) -> Clause:
    """Call me when you arrive: 도착하면 나에게 전화해라. If, before, after, until, as soon as."""
    word = d.weighted(
        (
            *(("when", 0.3), ("if", 0.3), ("before", 0.13)),
            *(("after", 0.08), ("until", 0.12), ("as soon as", 0.07)),
        )
    )
    part = _part(d, word)
    told, kind = order(d, positive=word in ("as soon as", "after"))
    first = told.english[-1 if kind == "never" else 0].text
    if word == "until" and kind != "never":
        texts = [text for text, _ in told.english]
        if not any(text in LASTING for text in texts[:2]):
            raise Unfit
    if first == part.english[-1].text:
        raise Unfit
    verbs = {text for text, _ in told.english} & {text for text, _ in part.english}
    if verbs & {"go", "come", "eat", "have", "take", "wash", "cook", "study", "work", "home"}:
        raise Unfit
    korean = [*part.korean, *told.korean]
    if d.chance(0.35):
        comma = "," if d.chance(0.85) else ""
        return Clause([*with_comma(part.english, comma), *told.english], korean)
    return Clause([*told.english, *part.english], korean)


def reason_to(d: Derivation) -> Clause:
    """I am hungry, let's eat: 나는 배고프니까 먹자. It is raining, so take a taxi."""
    node = d.node()
    who = d.choose((0, 0, 0, 1, 4, 4, 2, 3))
    kind = d.weighted((("mood", 0.55), ("sky", 0.3), ("thing", 0.15)))
    subject = pronoun(d, who)
    if kind == "sky":
        part = weather_clause(d, "present", "면")
        last = part.korean[-1]
        text = last.text.removesuffix("면") + AS
        part = Clause(part.english, [*part.korean[:-1], last._replace(text=text)])
        if part.english[-1].text in ("rains", "snows"):
            be, ing = part.english[0], part.english[-1]
            rain = ing.text.removesuffix("s") + "ing"
            part = Clause(
                [*part.english[:-1], *words("is", *be.nodes), *words(rain, *ing.nodes)], part.korean
            )
    elif kind == "thing":
        part = joined(d, happening(d), How("past"), AS)
    else:
        said = mood(d, subject, NEED | (MOODS & {"late", "full", "happy", "free"}))
        particle = TOPIC if subject.first_person or who == 1 else SUBJECT
        part = joined(d, said, How("present"), AS, particle=particle)
    together = d.chance(0.45)
    told = proposal(d) if together else order(d)[0]
    if together and who in (1, 2, 3) and kind == "mood":
        raise Unfit
    way = d.weighted(((",", 0.35), (", so", 0.35), (" so", 0.1), ("because", 0.2)))
    korean = [*part.korean, *told.korean]
    if way == "because":
        return Clause(
            [*told.english, *words("because", node), *part.english],
            [*expressing(part, node), *told.korean],
        )
    left = with_comma(part.english, "," if "," in way else "")
    if "so" in way:
        return Clause(
            [*left, *words("so", node), *told.english], [*expressing(part, node), *told.korean]
        )
    return Clause([*left, *told.english], korean)
