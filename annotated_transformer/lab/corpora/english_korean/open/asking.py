"""May I, could you, how often, how tall, which, and where somebody is that one asks of. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY, object_particle
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.compound import event_of
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import located, quality
from annotated_transformer.lab.corpora.english_korean.everyday.endings import INDIRECT, Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.everyday import asked_subject
from annotated_transformer.lab.corpora.english_korean.everyday.frames import (
    HUMAN,
    action,
    dative,
    transitive,
)
from annotated_transformer.lab.corpora.english_korean.everyday.questions import demonstrative
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
    surroundings,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import known, subject_of
from annotated_transformer.lab.corpora.english_korean.morphology import (
    SUBJECT,
    TOPIC,
    adnominal,
    infinitive,
)
from annotated_transformer.lab.corpora.english_korean.open.lexicon import word_table
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    pronoun,
)
from annotated_transformer.lab.corpora.english_korean.verbs import names


def doing(d: Derivation, index: int) -> Said:
    """Return an action of a pronoun that one may want, allow or ask for."""
    said = action(d, pronoun(d, index))
    if said.flags & {"s", "x", "p"} or said.kind not in ("action", "motion"):
        raise Unfit
    if said.base in ("arrive", "become", "get home", "hurry"):
        raise Unfit
    return said


def _body(said: Said) -> tuple[list[Word], list[Word]]:
    """Return the base verb with what follows it, and what stands before the Korean verb."""
    follow, around = surroundings(said)
    return [Word(said.english.base, (said.english.node,)), *said.english.tail, *follow], around


def may_i(d: Derivation) -> Clause:
    """May I sit here?: 여기에 앉아도 되니. You may go: 너는 가도 된다; may not: 가면 안 된다."""
    node = d.node()
    if d.chance(0.7):
        said = doing(d, 0)
        english, around = _body(said)
        auxiliary = d.choose(("may", "may", "can", "could"))
        korean = said.korean._replace(nodes=(*said.korean.nodes, said.subject.node))
        asked = endings.finished(endings.allowed(korean, node), "present", "니")
        head = [Word(auxiliary, (node,)), *said.subject.english]
        return Clause([*head, *english], [*around, *asked])
    said = doing(d, d.choose((1, 1, 2, 3)))
    english, around = _body(said)
    deny = d.chance(0.4)
    not_node = d.node()
    grow = endings.forbidden if deny else endings.allowed
    head = [*said.subject.english, *words("may", node), *(words("not", not_node) if deny else [])]
    permitted = grow(said.korean, node)
    if deny:
        permitted = permitted._replace(nodes=(node, not_node))
    korean_words = endings.finished(permitted, "present", "다")
    return Clause([*head, *english], [*said.subject.marked(TOPIC), *around, *korean_words])


def favour(d: Derivation) -> Clause:
    """Could you open the window?: 창문을 열어 줄 수 있니."""
    said = dative(d, pronoun(d, 1)) if d.chance(0.3) else doing(d, 1)
    if (said.base,) not in word_table("favours"):
        raise Unfit
    if any(word.text == "you" for part in said.complements for word in part.english):
        raise Unfit
    english, around = _body(said)
    node = d.node()
    verb = said.korean
    nodes = (*verb.nodes, said.subject.node)
    form = infinitive(verb.stem, verb.irregular)
    if verb.stem.endswith("주"):  # what is a favour already
        asked = [Word(adnominal(verb.stem, "future"), nodes)]
    elif said.base == "help":  # 도와주다 is one word
        asked = [Word(form + "줄", (*nodes, node))]
    else:
        asked = [Word(form, nodes), *words("줄", node)]
    polite = d.node() if d.chance(0.25) else 0
    head = [*words(d.choose(("could", "could", "would")), node), *said.subject.english]
    head += words("please", polite) if polite else []
    last = [Word("수", (node,)), Word("있니", (node, polite) if polite else (node,))]
    return Clause([*head, *english], [*around, *verb.before, *asked, *last])


def how_often(d: Derivation) -> Clause:
    """How often do you cook?: 너는 얼마나 자주 요리하니."""
    english, korean = d.choose(word_table("asking"))
    said = action(d, pronoun(d, asked_subject(d)))
    if said.flags & {"s", "x", "p"} or said.base in ("become", "leave"):
        raise Unfit
    if english != "how long" and said.base in ("live", "stay"):
        raise Unfit
    lasting = english == "how long"
    if english == "how many times" and said.base in LASTING:
        raise Unfit
    if lasting and ("e" in said.flags or said.kind == "motion"):
        raise Unfit
    if lasting and said.base not in LASTING:
        raise Unfit
    tense = d.choose(("past", "past", "future")) if english == "how long" else "past"
    if english == "how often":
        tense = "present"
    how = event_of(d, said, tense)
    node = d.node()
    question = Clause(words(english, node), words(korean, node))
    said = said._replace(complements=said.complements[:1])
    return clause(d, said, how, ending="니", asked=True, question=question)


LASTING = names(
    """study work sleep wait run walk swim exercise play live learn read watch travel dance talk
    rest cook"""
)


def how_tall(d: Derivation) -> Clause:
    """How tall is Tom?: 톰은 키가 얼마나 크니. How long is the river?: 강은 얼마나 기니."""
    english, korean, irregular, classes = d.choose(word_table("degrees"))
    if classes.startswith("own"):
        subject = subject_of(d, frozenset(classes.split(",")))
    else:
        noun = choose_noun(d, frozenset(classes.split(",")))
        if noun.classes & {"indoor", "outdoor", "shop"} and english != "far":
            raise Unfit
        subject = known(d, noun, 0.0)
    node, asked, be = d.node(), d.node(), d.node()
    *before, stem = korean.split(" ")
    predicate = Predicate(
        [Word(text, (asked,) if text == "얼마나" else (node,)) for text in before],
        *(stem, irregular.strip("-"), "adjective", (node, be)),
    )
    question = Clause([*words("how", asked), *words(english, node)], [])
    said = Said(subject, EnglishVerb("be", "", "", "", be, []), predicate, kind="quality")
    how = How("past" if d.chance(0.15) else "present")
    return clause(d, said, how, ending="니", asked=True, question=question)


def which(d: Derivation) -> Clause:
    """Which book did you read?: 너는 어느 책을 읽었니."""
    node, kind_node = d.node(), d.node()
    given = pronoun(d, asked_subject(d))
    if d.chance(0.5):
        said = transitive(d, given)
        verb = next(v for v in d.lexicon.transitive if v.english == said.base)
        noun = choose_noun(d, verb.objects)
        if not noun.plural or noun.plural_only or noun.classes & {"kin", "sight"}:
            raise Unfit
        if not d.lexicon.is_single(verb.english) or said.base in ("fly", "practice"):
            raise Unfit
        english, korean = words("which", node), "어느"
        name, korean_name = noun.english, noun.korean
        d.pairing("object", verb.english, noun.english)
    else:
        name, korean_name, bases = d.choose(word_table("kinds"))
        base = d.choose(bases.split(","))
        said = transitive(d, given)
        if said.base != base:
            raise Unfit
        verb = next(v for v in d.lexicon.transitive if v.english == base)
        english, korean = words("what kind of", node), "어떤"
    thing = NounPhrase(
        words(name, kind_node), words(korean_name, kind_node), kind_node, "3s"
    ).marked(object_particle(verb))
    asked = Clause([*english, *words(name, kind_node)], [*words(korean, node), *thing])
    how = How(d.choose(("past", "present", "past"))) if "s" not in said.flags else How("present")
    if said.base == "love":
        raise Unfit
    how = event_of(d, said, how.tense)
    said = said._replace(complements=(EMPTY,))
    return clause(d, said, how, ending="니", asked=True, question=asked)


def how_about(d: Derivation) -> Clause:
    """How about pizza?: 피자는 어떠니. What about tomorrow?: 내일은 어떠니."""
    node = d.node()
    classes = frozenset({d.choose(("dish", "drink", "dessert", "fruit", "restaurant", "name"))})
    noun = choose_noun(d, classes)
    name = known(d, noun, 0.0) if noun.classes & {"name", "place"} else None
    own = d.node()
    phrase = name or NounPhrase(words(noun.english, own), words(noun.korean, own), own, "3s", noun)
    if name is None and noun.plural and not noun.plural_only:
        raise Unfit
    asked = d.choose(("how about", "what about"))
    return Clause(
        [*words(asked, node), *phrase.english], [*phrase.marked(TOPIC), *words("어떠니", node)]
    )


def _inner(d: Derivation) -> tuple[Clause, str]:
    """Return "where Tom is", 톰이 어디에 있는지, and the question word."""
    word = d.weighted(
        (("where", 0.35), ("who", 0.15), ("what", 0.15), ("why", 0.2), ("when", 0.15))
    )
    node, be = d.node(), d.node()
    how = How("past" if d.chance(0.25) else "present")
    if word in ("where", "who", "what"):
        korean = {"where": "어디에", "who": "누구", "what": "무엇"}[word]
        if word == "where":
            subject = located(d).subject
            predicate = Predicate(words(korean, node), "있", "", "adjective", (be,))
        else:
            subject = subject_of(d, HUMAN) if word == "who" else demonstrative(d)
            predicate = Predicate([], korean, "", "copula", (node, be))
        if subject.english[0].text in ("I", "you") and word == "who":
            raise Unfit
        said = Said(subject, EnglishVerb("be", "", "", "", be, []), predicate)
        made = clause(d, said, how, ending=INDIRECT, particle=SUBJECT)
        return Clause([*words(word, node), *made.english], made.korean), word
    said = quality(d) if word == "why" and d.chance(0.4) else action(d)
    if said.kind in ("action", "motion"):
        how = event_of(d, said, d.choose(("past", "past", "future")))
        if word == "when" and said.flags & {"s", "x"}:
            raise Unfit
    elif said.subject.english[0].text in ("it",) or said.english.tail[0].text in ("so", "very"):
        raise Unfit  # of these Korean asks 왜 그렇게
    korean = {"why": "왜", "when": "언제"}[word]
    asked = Clause([], words(korean, node))
    made = clause(d, said, how, ending=INDIRECT, particle=SUBJECT, question=asked)
    return Clause([*words(word, node), *made.english], made.korean), word


def indirect(d: Derivation) -> Clause:
    """I don't know where Tom is: 나는 톰이 어디에 있는지 모른다. Tell me who he is."""
    inner, _ = _inner(d)
    kind = d.weighted((("know", 0.55), ("tell", 0.2), ("remember", 0.1), ("wonder", 0.15)))
    node = d.node()
    if kind == "tell":
        me = d.node()
        polite = words("please", node) if d.chance(0.3) else []
        english = [*polite, *words("tell", node), *words("me", me), *inner.english]
        return Clause(english, [*words("나에게", me), *inner.korean, *words("말해 줘", node)])
    if kind == "wonder":
        subject = pronoun(d, 0)
        korean = [*subject.marked(TOPIC), *inner.korean, *words("궁금하다", node)]
        return Clause([*subject.english, *words("wonder", node), *inner.english], korean)
    asked = d.chance(0.4)
    subject = pronoun(d, 1) if asked else pronoun(d, d.choose((0, 0, 0, 2, 3, 4)))
    if subject.agreement == "3s" and inner.english[1].text == subject.english[0].text:
        raise Unfit  # 자기 or another one
    stem = "알" if kind == "know" else "기억하"
    predicate = Predicate([], stem, "", "verb", (node,))
    verb = EnglishVerb(kind, kind + "s", {"know": "knew"}.get(kind, kind + "ed"), "", node, [])
    said = Said(subject, verb, predicate, (inner,), frozenset("n" if kind == "remember" else ""))
    return clause(
        *(d, said, How("present", "", not asked and d.chance(0.75))),
        ending="니" if asked else "다",
        asked=asked,
    )
