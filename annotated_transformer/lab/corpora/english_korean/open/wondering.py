"""Who is the woman in the garden, why so angry, what time does it start, when, still, tags. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import place_phrase
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.compound import event_of
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import being, quality
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.everyday import asked_subject
from annotated_transformer.lab.corpora.english_korean.everyday.frames import (
    HUMAN,
    action,
    intransitive,
    transitive,
)
from annotated_transformer.lab.corpora.english_korean.everyday.questions import demonstrative
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    NEGATIONS,
    EnglishVerb,
    How,
    Said,
    clause,
    surroundings,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import known, subject_of
from annotated_transformer.lab.corpora.english_korean.morphology import AT, OBJECT, TOPIC, attach
from annotated_transformer.lab.corpora.english_korean.natural import FEELINGS
from annotated_transformer.lab.corpora.english_korean.open.comparing import be_adjective, described
from annotated_transformer.lab.corpora.english_korean.open.existence import _scene
from annotated_transformer.lab.corpora.english_korean.open.lexicon import word_table
from annotated_transformer.lab.corpora.english_korean.open.whose import possessed
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    noun_phrase,
    pronoun,
)
from annotated_transformer.lab.corpora.english_korean.verbs import names

SEEN = ("woman", "man", "girl", "boy", "child", "lady", "guy", "student", "teacher", "doctor")


def what_is_in(d: Derivation) -> Clause:
    """What is in the box?: 상자 안에 무엇이 있니."""
    there, _ = _scene(d)
    node, be = d.node(), d.node()
    was = d.chance(0.2)
    english = [*words("what", node), *words("was" if was else "is", be), *there.english]
    last = words("있었니" if was else "있니", be)
    return Clause(english, [*there.korean, *words("무엇이", node), *last])


def who_is_there(d: Derivation) -> Clause:
    """Who is the woman in the garden?: 정원에 있는 여자는 누구니. Who is the man singing."""
    (noun,) = d.lexicon.nouns(d.choose(SEEN))
    node = d.node()
    if d.chance(0.65):
        place = d.choose(d.lexicon.nouns("indoor", "room", "outdoor"))
        there = place_phrase(d, place, particle=AT)
        if [word.text for word in there.english][1] != "the":
            raise Unfit
        behind = there.english
        before = [*there.korean, *words("있는", *there.english[0].nodes)]
    else:
        phrase = NounPhrase(words(noun.english, node), words(noun.korean, node), node, "3s", noun)
        said = intransitive(d, phrase)
        if said.flags & {"s", "x", "e", "p"} or said.base in ("live", "stay"):
            raise Unfit
        follow, around = surroundings(said)
        verb = said.english
        if not follow or "the" not in {word.text for word in follow}:
            raise Unfit
        behind = [*words(verb.ing, verb.node), *verb.tail, *follow]
        doing = endings.progressive(said.korean, verb.node)
        before = [*around, *endings.finished(doing, "present", "는")]
    person = [*words("the", node), *words(noun.english, node), *behind]
    asked, be = d.node(), d.node()
    if d.chance(0.7):
        korean = [*before, *words(attach(noun.korean, TOPIC), node), *words("누구니", asked, be)]
        return Clause([*words("who", asked), *words("is", be), *person], korean)
    korean = [*before, *words(attach(noun.korean, OBJECT), node), *words("아니", be)]
    who = pronoun(d, 1)
    head = [*words("do", be), *who.english, *words("know", be)]
    return Clause([*head, *person], [*who.marked(TOPIC), *korean])


def why_so(d: Derivation) -> Clause:
    """Why is he so angry?: 그는 왜 그렇게 화가 났니. Why is the bag so expensive."""
    node, so = d.node(), d.node()
    if d.chance(0.65):
        subject = subject_of(d, HUMAN, pronouns=0.75)
        entry = described(d, None)
    else:
        noun = choose_noun(d, frozenset({d.choose(("goods", "place", "shown", "study"))}))
        subject = known(d, noun, 0.0)
        entry = described(d, noun)
    said = be_adjective(
        *(d, subject, entry), before=words("그렇게", so), english=(words("so", so), [])
    )
    how = How("past" if d.chance(0.2) else "present")
    asked = Clause(words("why", node), words("왜", node))
    return clause(d, said, how, ending="니", asked=True, question=asked)


def why_thing(d: Derivation) -> Clause:
    """Why is the water cold?: 물은 왜 차갑니."""
    noun = choose_noun(d, frozenset({d.choose(("goods", "place", "shown", "study", "animal"))}))
    said = be_adjective(d, known(d, noun, 0.0), described(d, noun))
    node = d.node()
    asked = Clause(words("why", node), words("왜", node))
    how = How("past" if d.chance(0.2) else "present")
    return clause(d, said, how, ending="니", asked=True, question=asked)


def what_time_start(d: Derivation) -> Clause:
    """What time does the movie start?: 영화는 몇 시에 시작하니. When did the store close."""
    forms, korean, classes = d.choose(word_table("timetable"))
    base, third, past, ing = forms.split(" ")
    subject = known(d, choose_noun(d, frozenset(classes.split(","))), 0.0)
    if subject.agreement == "p" or subject.english[0].text not in ("the", "this", "that"):
        raise Unfit
    node, hour, verb = d.node(), d.node(), d.node()
    if d.chance(0.65):
        asked = Clause(
            [*words("what", node), *words("time", hour)],
            [*words("몇", node), *words("시에", hour)],
        )
    else:
        asked = Clause(words("when", node), words("언제", node))
    english = EnglishVerb(base, third, past, ing, verb, [])
    said = Said(subject, english, endings.verb(korean, "", verb), base=base)
    how = How(d.weighted((("present", 0.6), ("past", 0.2), ("future", 0.2))))
    return clause(d, said, how, ending="니", asked=True, question=asked)


def when_is(d: Derivation) -> Clause:
    """When is your mother's birthday?: 네 어머니의 생일은 언제니. When is the meeting."""
    if d.chance(0.45):
        (noun,) = d.lexicon.nouns(d.choose(("birthday", "birthday", "wedding", "interview")))
        subject = possessed(d, noun)
    else:
        noun = choose_noun(d, frozenset({"event"}))
        own = d.choose(("the", "the", "your", "my", "the next"))
        if own == "the next":
            node, after = d.node(), d.node()
            subject = NounPhrase(
                [*words("the", node), *words("next", after), *words(noun.english, node)],
                [*words("다음", after), *words(noun.korean, node)],
                *(node, "3s", noun),
            )
        else:
            subject = noun_phrase(d, noun, own if "own" in noun.classes else "the")
    node, be = d.node(), d.node()
    predicate = Predicate([], "언제", "", "copula", (node, be))
    said = Said(subject, EnglishVerb("be", "", "", "", be, []), predicate, kind="identity")
    coming = any(word.text == "next" for word in subject.english)
    how = How("past" if d.chance(0.2) and not coming else "present")
    return clause(d, said, how, ending="니", asked=True, question=Clause(words("when", node), []))


def is_not(d: Derivation) -> Clause:
    """Isn't he your friend?: 그는 네 친구가 아니니."""
    if d.chance(0.3):
        subject = demonstrative(d)
        thing = choose_noun(d, frozenset({d.choose(("small", "device", "vehicle", "clothes"))}))
        if subject.agreement == "p" or not thing.plural or thing.plural_only:
            raise Unfit
        phrase = noun_phrase(d, thing, d.choose(("your", "my", "his", "her")))
        how = How("present", "", negated=True)
        return clause(d, being(d, subject, phrase), how, ending="니", asked=True)
    subject = pronoun(d, d.choose((2, 3)))
    noun = choose_noun(d, frozenset({d.choose(("relation", "job", "relation"))}))
    if noun.classes & {"male", "female"} and ("male" in noun.classes) == (
        subject.english[0].text == "she"
    ):
        raise Unfit
    determiner = d.choose(("your", "your", "my")) if "relation" in noun.classes else "a"
    phrase = noun_phrase(d, noun, determiner)
    return clause(
        d, being(d, subject, phrase), How("present", "", negated=True), ending="니", asked=True
    )


def still(d: Derivation) -> Clause:
    """Are you still hungry?: 너는 아직도 배고프니. He is still sleeping: 아직도 자고 있다."""
    asked = d.chance(0.5)
    subject = pronoun(d, asked_subject(d)) if asked else subject_of(d, HUMAN, pronouns=0.75)
    how = How("present")
    kind = d.weighted((("quality", 0.5), ("doing", 0.35), ("state", 0.15)))
    if kind == "quality":
        said = quality(d, subject)
        if said.base not in LASTING or len(said.english.tail) > 1:
            raise Unfit
    elif kind == "doing":
        said = action(d, subject)
        how = event_of(d, said, "progressive")
        if said.english.ing.startswith("going"):
            raise Unfit
    else:
        said = transitive(d, subject)
        if said.base not in ("like", "love", "hate"):
            raise Unfit
    node = d.node()
    yet = Clause(words("still", node), words("아직도", node))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked, often=yet)


LASTING = names(
    """hungry thirsty tired sleepy busy sick angry sad young weak worried scared bored poor lonely
    upset lazy nervous awake afraid"""
)


def tag(d: Derivation) -> Clause:
    """You like coffee, don't you?: 너는 커피를 좋아하지 그렇지 않니. Right?: 맞니."""
    subject = pronoun(d, d.choose((1, 1, 1, 2, 3, 4, 5)))
    who = subject.english[0].text
    if d.chance(0.45):
        said = quality(d, subject)
        how = How("past" if d.chance(0.2) else "present")
        if len(said.english.tail) > 1 or (who == "you" and said.base in FEELINGS):
            raise Unfit
    else:
        said = action(d, subject)
        how = event_of(d, said, d.choose(("past", "past", "present", "future")))
    negated = d.chance(0.25)
    made = clause(d, said, how._replace(negated=negated), ending="지만", asked=False)
    *rest, last = made.korean
    text = last.text.removesuffix("만").replace("것이지", "거지")
    if said.english.is_be:
        plural = who in ("you", "we", "they")
        auxiliary = ("were" if plural else "was") if how.tense == "past" else None
        auxiliary = auxiliary or ("are" if plural else "is")
    elif how.tense == "future":
        auxiliary = "will"
    elif how.tense == "past":
        auxiliary = "did"
    else:
        auxiliary = "does" if subject.agreement == "3s" else "do"
    node = d.node()
    *left, end = made.english
    english = [*left, Word(end.text + ",", end.nodes)]
    if d.chance(0.2):
        return Clause(
            [*english, *words("right", node)], [*rest, Word(text, last.nodes), *words("맞니", node)]
        )
    head = auxiliary if negated else NEGATIONS[auxiliary]
    english += words(f"{head} {who}", node)
    sure = words("맞니" if negated else "그렇지 않니", node)
    return Clause(english, [*rest, Word(text, last.nodes), *sure])
