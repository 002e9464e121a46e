"""Questions with question words. CC0.

What asks for a part of the clause stands in its place in Korean: 무엇을 and 누구를 as the object,
누가 as the subject; 어디에서, 언제, 왜 and 어떻게 after the topic and the time.
"""

from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY, object_particle
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import (
    having,
    located,
    quality,
    state,
)
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.everyday import asked_subject, how_of
from annotated_transformer.lab.corpora.english_korean.everyday.frames import (
    HUMAN,
    action,
    motion,
    transitive,
)
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import known, subject_of
from annotated_transformer.lab.corpora.english_korean.everyday.times import time_for
from annotated_transformer.lab.corpora.english_korean.everyday.ways import with_way
from annotated_transformer.lab.corpora.english_korean.morphology import FROM, SUBJECT, TOPIC, attach
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    noun_phrase,
    pronoun,
)
from annotated_transformer.lab.corpora.english_korean.predicates import be
from annotated_transformer.lab.corpora.english_korean.verbs import names

ASKABLE = ("past", "past", "present", "progressive", "future", "going")


def _given(d: Derivation) -> NounPhrase:
    """Return whom the question is about."""
    if d.chance(0.75):
        return pronoun(d, asked_subject(d))
    return subject_of(d, HUMAN, pronouns=0.0)


def _how(d: Derivation, said: Said) -> How:
    how = how_of(d, said, asked=True)
    if how.modal in ("must", "like", "like doing", "enjoy", "love", "would like", "need"):
        raise Unfit
    if said.subject.first_person and how.modal == "want":
        raise Unfit
    return how


def adverbial_question(d: Derivation) -> Clause:
    """When did you meet her?: 너는 언제 그녀를 만났니. Why, how, where (of an action)."""
    word = d.weighted((("when", 0.26), ("why", 0.36), ("how", 0.1), ("where", 0.28)))
    given = _given(d)
    if word == "why":
        said = action(d, given) if d.chance(0.65) else state(d, given)
    elif word == "how":
        said = motion(d, given) if d.chance(0.5) else transitive(d, given)
        if said.flags & {"s", "x"}:
            raise Unfit
    else:
        said = action(d, given)
        if "s" in said.flags or said.base in ("live", "become"):
            raise Unfit
        where = said.base.split(" ")[-1]
        if word == "where" and d.lexicon.natural and where in PLACED:
            raise Unfit
        if word == "where" and (said.kind == "motion" or said.base in ELSEWHERE):
            raise Unfit
    how = _how(d, said)
    if d.lexicon.natural and _said_otherwise(word, said, how):
        raise Unfit
    if word == "when" and ("progressive" in how.tense or how.modal in ("can", "want")):
        raise Unfit
    korean = {"when": "언제", "why": "왜", "how": "어떻게", "where": "어디에서"}[word]
    node = d.node()
    asked = Clause(words(word, node), words(korean, node))
    time = EMPTY
    if word != "when" and not how.modal:
        time = time_for(d, said, how.tense, 0.15)
    if word == "where":  # the place is what is asked for
        rest = [part for part in said.complements if not _is_place(part)]
        said = said._replace(complements=tuple(rest[:1]))
    if word == "why" and how.modal in ("", "can", "want") and d.chance(0.22):
        how = how._replace(negated=True)
    return clause(d, said, how, ending="니", asked=True, question=asked, time=time)


def _said_otherwise(word: str, said: Said, how: How) -> bool:
    """Whether it is a stranger's "where can I", or a degree, of which Korean asks 왜 그렇게."""
    degree = [part.text for part in said.english.tail[:1]] if said.english.is_be else []
    stranger = word == "where" and how.modal == "can" and said.subject.first_person
    return stranger or degree in (["so"], ["very"], ["really"])


def _is_place(part: Clause) -> bool:
    return bool(part.korean) and part.korean[-1].text.endswith(FROM[0])


PLACED = names("go come here there home inside outside upstairs out abroad work")
# What already says where it happens, or hardly happens in a place.
ELSEWHERE = frozenset(
    """travel,go home,come home,stay home,go to bed,leave,arrive,go shopping,go swimming,go hiking,
go camping,go fishing,get up,wake up,climb,cross,enter,leave,follow,visit""".replace(
        "\n", ""
    ).split(",")
)


def where_is(d: Derivation) -> Clause:
    """Where is the station?: 역은 어디에 있니. Where do you live?: 너는 어디에 사니."""
    node = d.node()
    kind = d.weighted((("thing", 0.45), ("person", 0.2), ("motion", 0.35)))
    if kind == "motion":
        given = _given(d)
        said = motion(d, given)
        if said.base in ("walk", "run", "drive", "return", "arrive"):
            raise Unfit
        goal = "어디로" if said.base in ("move", "travel") else "어디에"
        asked = Clause(words("where", node), words(goal, node))
        said = said._replace(complements=())
        how = _how(d, said)
        time = time_for(d, said, how.tense, 0.15) if not how.modal else EMPTY
        return clause(d, said, how, ending="니", asked=True, question=asked, time=time)
    if kind == "thing":
        classes = ("place", "small", "container", "device", "pet", "clothes", "vehicle", "reading")
        subject = known(d, choose_noun(d, frozenset({d.choose(classes)})), 0.05)
    else:
        subject = subject_of(d, HUMAN)
    said = located(d, subject)._replace(complements=())
    asked = Clause(words("where", node), words("어디에", node))
    how = How("past" if d.chance(0.2) else "present")
    return clause(d, said, how, ending="니", asked=True, question=asked)


def what(d: Derivation) -> Clause:
    """What did you eat?: 너는 무엇을 먹었니. Who did you meet?: 너는 누구를 만났니."""
    said = transitive(d, _given(d))
    base = next(verb for verb in d.lexicon.transitive if verb.english == said.base)
    person = not base.objects.isdisjoint({"person", "kin", "relation"})
    if said.base in UNASKED or (d.lexicon.natural and not d.lexicon.is_single(said.base)):
        raise Unfit
    node = d.node()
    noun = "누구" if person else "무엇"
    asked = words(attach(noun, object_particle(base)), node)
    said = said._replace(complements=(Clause([], asked), *said.complements[1:]))
    if said.base in ("eat", "cook", "order"):
        said = with_way(d, said, negated=False)
    how = _how(d, said)
    time = time_for(d, said, how.tense, 0.2) if not how.modal else EMPTY
    question = Clause(words("who" if person else "what", node), [])
    return clause(d, said, how, ending="니", asked=True, question=question, time=time)


# What is asked of things with more than one Korean verb, or of people and things alike.
UNASKED = frozenset(
    """wear play take ride do like love see hate climb turn_on wash enjoy practice know remember
understand look_at hear miss lose call follow speak fly talk_with forget get explain""".replace(
        "_", " "
    ).split()
) | {"turn on", "look at", "talk with", "turn off"}

SIMPLE = (
    ("do", "does did doing 하", "무엇을", "what"),
    ("do", "does did doing 하", "무엇을", "what"),
    ("like", "likes liked liking 좋아하", "무엇을", "what"),
    ("see", "sees saw seeing 보", "무엇을", "what"),
    ("have", "has had having 가지고_있", "무엇을", "what"),
    ("say", "says said saying 말하", "무엇을", "what"),
    ("think", "thinks thought thinking 생각하", "무엇을", "what"),
    ("know", "knows knew knowing 알", "무엇을", "what"),
    ("get", "gets got getting 받", "무엇을", "what"),
)


def what_simple(d: Derivation) -> Clause:
    """What are you doing?: 너는 무엇을 하고 있니. What do you like?: 너는 무엇을 좋아하니."""
    base, forms, thing, word = d.choose(SIMPLE)
    third, past, ing, stem = forms.split()
    subject = _given(d)
    node, asked = d.node(), d.node()
    *first, last = stem.split("_")
    korean = Predicate([Word(part, (node,)) for part in first], last, "", "verb", (node,))
    if first:
        korean = korean._replace(kind="adjective")
    flags = frozenset("s" if base in ("like", "have", "know", "see") else "")
    if base in ("do", "think") and d.chance(0.4):
        how = How("progressive")
    else:
        options = ("present", "past") if flags or base in ("think", "get") else ASKABLE
        how = How(d.choose(options))
    if base == "do" and d.chance(0.25):
        how = How("present", "want" if not subject.first_person else "can")
    said = Said(
        *(subject, EnglishVerb(base, third, past, ing, node, []), korean),
        complements=(Clause([], words(thing, asked)),),
        flags=flags,
        base=base,
    )
    time = time_for(d, said, how.tense, 0.3) if not how.modal and base == "do" else EMPTY
    question = Clause(words(word, asked), [])
    return clause(d, said, how, ending="니", asked=True, question=question, time=time)


def who(d: Derivation) -> Clause:
    """Who ate my cake?: 누가 내 케이크를 먹었니. Who is busy?: 누가 바쁘니."""
    node = d.node()
    subject = NounPhrase(words("who", node), words("누구", node), node, "3s", None, "누가")
    said = action(d, subject) if d.chance(0.7) else d.choose((having, quality, located))(d, subject)
    if "OWN" in said.base:
        raise Unfit
    how = how_of(d, said)
    if how.modal in ("would like", "must", "should", "love", "enjoy", "like doing"):
        raise Unfit
    how = How(how.tense, how.modal, how.negated and d.chance(0.3))
    time = time_for(d, said, how.tense, 0.15) if not how.modal else EMPTY
    return clause(d, said, how, ending="니", particle=SUBJECT, time=time)


def who_is(d: Derivation) -> Clause:
    """Who is that man?: 저 남자는 누구니. What is this?: 이것은 무엇이니. How is she?: 어떠니."""
    node, verb = d.node(), d.node()
    word = d.weighted((("who", 0.4), ("what", 0.3), ("how", 0.3)))
    english = EnglishVerb("be", "", "", "", verb, [])
    how = How("past" if word == "how" and d.chance(0.4) else "present")
    if word == "who":
        subject = subject_of(d, HUMAN | {"person"})
        korean = Predicate([], "누구", "", "copula", (node, verb))
    elif word == "what":
        subject = _thing(d)
        korean = Predicate([], "무엇", "", "copula", (node, verb))
    else:
        if d.chance(0.5):
            subject = subject_of(d, HUMAN)
        else:
            shown = ("shown", "event", "dish", "place", "drink")
            subject = known(d, choose_noun(d, frozenset({d.choose(shown)})), 0.0)
        korean = Predicate([], "어떻", "", "how", (node, verb))
    said = Said(subject, english, korean, (), frozenset(), "identity", "be")
    if word == "how":
        return _how_is(d, subject, how, node, verb)
    question = Clause(words(word, node), [])
    return clause(d, said, how, ending="니", asked=True, question=question)


def _how_is(d: Derivation, subject: NounPhrase, how: How, node: int, verb: int) -> Clause:
    english = [*words("how", node), *words(be(how.tense, subject.agreement), verb)]
    human = subject.noun is None or subject.noun.classes & {"person", "kin", "name"}
    if d.lexicon.natural and human and how.tense == "present":  # how somebody is doing
        doing = [Word("어떻게", (node,)), Word("지내니", (verb,))]
        return Clause([*english, *subject.english], [*subject.marked(TOPIC), *doing])
    korean = Word("어땠니" if how.tense == "past" else "어떠니", (node, verb))
    return Clause([*english, *subject.english], [*subject.marked(TOPIC), korean])


def _thing(d: Derivation) -> NounPhrase:
    """Return this, that, these or those as things, or something abstract of somebody's."""
    if d.chance(0.35):
        noun = d.choose(
            d.lexicon.nouns(
                "dream", "plan", "hobby", "occupation", "question", "phone number", "address"
            )
        )
        return noun_phrase(d, noun, d.choose(d.lexicon.possessives))
    return demonstrative(d)


def demonstrative(d: Derivation) -> NounPhrase:
    """Return this, 이것; that, 저것; these, 이것들; those, 저것들."""
    english = d.weighted((("this", 0.45), ("that", 0.3), ("these", 0.13), ("those", 0.12)))
    korean = {"this": "이것", "that": "저것", "these": "이것들", "those": "저것들"}[english]
    node = d.node()
    agreement = "p" if english.endswith("se") else "3s"
    return NounPhrase(words(english, node), words(korean, node), node, agreement)
