"""What people do every day, where and when: she does her homework in her room. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.compound import person
from annotated_transformer.lab.corpora.english_korean.everyday.deeds import listed_deed
from annotated_transformer.lab.corpora.english_korean.everyday.everyday import asked_subject
from annotated_transformer.lab.corpora.english_korean.everyday.frames import transitive
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    How,
    Said,
    clause,
    surroundings,
)
from annotated_transformer.lab.corpora.english_korean.everyday.ways import companion
from annotated_transformer.lab.corpora.english_korean.open.joints import with_comma
from annotated_transformer.lab.corpora.english_korean.open.whens import when
from annotated_transformer.lab.corpora.english_korean.open.wheres import daily, scene_of
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, pronoun
from annotated_transformer.lab.corpora.english_korean.verbs import PLACES_OF

# Adverbs before the verb that Korean says with a negated verb.
DENYING = frozenset({"never", "rarely", "seldom", "hardly ever", "almost never"})
MODALS = ("want", "want", "can", "have", "must", "should", "need", "would like", "like")
# Verbs of the lexicon that are done at a place, not to a place.
SOMEWHERE = frozenset(PLACES_OF) - {"plant", "put", "lose", "find", "wait for", "take"}
Deed = tuple[Said, str]


def deed(d: Derivation, subject: NounPhrase) -> Deed:
    """Return something people do every day, and its flags in `[deeds]`."""
    if d.chance(0.22):
        said = transitive(d, subject)
        if said.base not in SOMEWHERE or said.flags & set("sxp") or said.complements[1:] > (EMPTY,):
            raise Unfit
        return said, "pu" if said.english.base == said.english.past else "p"
    return listed_deed(d, subject)


def _how(d: Derivation, flags: str, *, asked: bool) -> How:
    progressive = 0.0 if "c" in flags and "p" not in flags else 0.1
    tense = d.weighted(
        (
            *(("past", 0.32), ("future", 0.1), ("going", 0.04), ("progressive", progressive)),
            *(("present", 0.0 if "e" in flags else 0.28), ("modal", 0.16)),
        )
    )
    negated = not asked and d.chance(0.12)
    if "u" in flags and tense in ("past", "present") and not asked and not negated:
        tense = "future"  # "I read a book" could be both
    if tense == "modal":
        return How("present", d.choose(MODALS), negated)
    return How(tense, "", negated)


def there(d: Derivation, said: Said, flags: str, share: float = 0.5) -> Said:
    """Return the deed perhaps with whom and where."""
    if d.chance(0.12) and "w" not in flags:
        said = said._replace(complements=(*said.complements, companion(d, said.subject)))
    if d.chance(share):
        place = scene_of(d, said.subject)
        said = said._replace(complements=(*said.complements, place))
    return said


def doing_daily(d: Derivation) -> Clause:
    """She is doing her homework in her room: 그녀는 그녀의 방에서 숙제를 하고 있다."""
    asked = d.chance(0.14)
    subject = pronoun(d, asked_subject(d)) if asked else person(d)
    said, flags = deed(d, subject)
    if asked and subject.first_person:
        raise Unfit
    how = _how(d, flags, asked=asked)
    if asked and how.modal not in ("", "want", "have", "like", "need"):
        how = How("past")
    if "p" in flags:
        said = there(d, said, flags)
    often = EMPTY
    if how == How("present") and not asked and d.chance(0.3):
        how, often = _often(d, how)
    time = EMPTY
    placed = any(part.english for part in said.complements)
    if not often.english and (d.chance(0.4 if placed else 0.85) or how == How("present")):
        later = how.modal and how.modal != "like"
        time = when(d, "modal" if later else how.tense, flags)
    first = bool(time.english) and not asked and d.chance(0.1)
    if first and d.chance(0.5):
        time = time._replace(english=with_comma(time.english))
    return clause(
        *(d, said, how),
        ending="니" if asked else "다",
        asked=asked,
        time=time,
        time_first=first,
        often=often,
    )


def _often(d: Derivation, how: How) -> tuple[How, Clause]:
    """Return "always", 항상, or "never", 전혀, whose verb Korean denies."""
    english, korean = d.choose(daily("how often"))
    node = d.node()
    how = how._replace(never=node) if english in DENYING else how
    return how, Clause(words(english, node), words(korean, node))


def often_at(d: Derivation) -> Clause:
    """I usually take a shower at night: 나는 보통 밤에 샤워를 한다."""
    subject = person(d)
    said, flags = deed(d, subject)
    if "e" in flags or "u" in flags:
        raise Unfit
    how, often = _often(d, How("present"))
    if "p" in flags:
        said = there(d, said, flags, 0.45)
    time = when(d, "usual", flags)
    return clause(d, said, how, often=often, time=time)


def told_to_do(d: Derivation) -> Clause:
    """Finish your homework by Friday: 금요일까지 숙제를 끝내라. Let us, please, do not."""
    kind = d.weighted((("command", 0.28), ("please", 0.26), ("never", 0.2), ("let", 0.26)))
    subject = pronoun(d, 4 if kind == "let" else 1)
    said, flags = deed(d, subject)
    if "u" in flags and kind == "never":
        raise Unfit
    if "p" in flags and d.chance(0.5):
        place = scene_of(d, subject)
        said = said._replace(complements=(*said.complements, place))
    time = EMPTY
    if not any(part.english for part in said.complements) or d.chance(0.4):
        time = when(d, "modal", flags)
    node = d.node()
    follow, around = surroundings(said)
    body = [Word(said.english.base, (said.english.node,)), *said.english.tail, *follow]
    body += time.english
    if any(text in ("some", "you", "us", "my") for text, _ in body):
        raise Unfit
    around = [*time.korean, *around]
    if kind == "command":
        return Clause(body, [*around, *endings.command(said.korean)])
    if kind == "never":
        return Clause(
            [*words("do not", node), *body], [*around, *endings.prohibition(said.korean, node)]
        )
    if kind == "let":
        return Clause(
            [*words("let us", node), *body], [*around, *endings.proposal(said.korean, node)]
        )
    please = words("please", node)
    english = [*please, *body] if d.chance(0.6) else [*body, *please]
    return Clause(english, [*around, *endings.request(said.korean, node)])


ASKED = (
    *(("where", "어디에서", "p"), ("when", "언제", ""), ("how often", "얼마나 자주", "")),
    *(("why", "왜", ""), ("who", "누구와", "p"), ("how long", "얼마나 오래", "d")),
    ("what time", "몇 시에", "c"),
)


def when_daily(d: Derivation) -> Clause:
    """Where do you usually have lunch?: 너는 보통 어디에서 점심을 먹니. How long, what time."""
    english, korean, needed = d.choose(ASKED)
    subject = pronoun(d, asked_subject(d)) if d.chance(0.75) else person(d)
    said, flags = deed(d, subject)
    if english == "who" and (said.base in ("chat", "meet", "wait", "help") or said.complements):
        raise Unfit
    if subject.first_person or (needed and needed not in flags) or "w" in flags:
        raise Unfit
    tense = d.weighted((("past", 0.35), ("present", 0.4), ("future", 0.1), ("progressive", 0.15)))
    if (tense == "present" and "e" in flags) or (english == "how often" and tense != "present"):
        tense = "past"
    if tense == "progressive" and english not in ("where", "why", "who"):
        tense = "past"
    if english == "how often" and "e" in flags:
        raise Unfit
    node = d.node()
    question = Clause(words(english, node), words(korean, node))
    often = EMPTY
    if tense == "present" and english in ("where", "when", "what time") and d.chance(0.45):
        usual = d.node()
        often = Clause(words("usually", usual), [])
        question = question._replace(korean=[*words("보통", usual), *question.korean])
    time = EMPTY
    if english in ("where", "why") and d.chance(0.4) and not often.english:
        time = when(d, tense, "")
    if "p" in flags and english not in ("where", "who") and d.chance(0.25):
        said = said._replace(complements=(*said.complements, scene_of(d, subject)))
    made = clause(
        *(d, said, How(tense)),
        ending="니",
        asked=True,
        question=question,
        often=often,
        time=time,
    )
    if english != "who":
        return made
    return Clause([*made.english, *words("with", node)], made.korean)
