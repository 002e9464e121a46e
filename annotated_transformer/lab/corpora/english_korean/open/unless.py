"""Unless you come, tell him that, let me know when, it is true that, the problem is that. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.compound import (
    event_of,
    expressing,
    person,
)
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import quality, state
from annotated_transformer.lab.corpora.english_korean.everyday.endings import (
    INDIRECT,
    Predicate,
    finished,
)
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    How,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import (
    known,
    object_pronoun,
)
from annotated_transformer.lab.corpora.english_korean.everyday.weather import weather_clause
from annotated_transformer.lab.corpora.english_korean.morphology import (
    DATIVE,
)
from annotated_transformer.lab.corpora.english_korean.open.joints import (
    doing,
    happening,
    joined,
    with_comma,
)
from annotated_transformer.lab.corpora.english_korean.open.tabled import (
    clause_table,
    verb_of,
)
from annotated_transformer.lab.corpora.english_korean.phrases import (
    choose_noun,
    pronoun,
)


def unless(d: Derivation) -> Clause:
    """I will not go unless you come: 네가 오지 않으면 나는 가지 않을 것이다."""
    subject = pronoun(d, d.choose((0, 0, 0, 4, 1, 2, 3, 5)))
    node, deny = d.node(), d.node()
    if d.chance(0.25):
        part = weather_clause(d, "present", "다")
        *head, last = part.korean
        if last.text == "온다":
            p = Predicate([], "오", "", "verb", last.nodes)
        else:
            p = Predicate([], last.text[:-1], "", "adjective", last.nodes)
        spoken = [*head, *finished(endings.denied(p, deny), "present", "면")]
        english = part.english
    else:
        other = person(d)
        if other.english[0].text == subject.english[0].text:
            raise Unfit
        said = doing(d, other) if d.chance(0.75) else quality(d, other)
        made = joined(d, said, How("present"), "고")
        spoken = joined(d, said, How("present", "", True), "면").korean
        english = made.english
        free = {n for word in english for n in word.nodes}
        spoken = [Word(w.text, tuple(n for n in w.nodes if n in free) or (deny,)) for w in spoken]
    spoken = [*spoken[:-1], Word(spoken[-1].text, (*spoken[-1].nodes, node, deny))]
    said = doing(d, subject)
    how = event_of(d, said, "future")._replace(negated=d.chance(0.65))
    main = clause(d, said, how)
    text = [*words("unless", node, deny), *english]
    korean = [*spoken, *main.korean]
    if any(word.text in ("some", "any") for word in english):
        raise Unfit
    if d.chance(0.35):
        return Clause([*with_comma(text), *main.english], korean)
    return Clause([*main.english, *text], korean)


def tell_him_that(d: Derivation) -> Clause:
    """Tell him that I am waiting: 그에게 내가 기다리고 있다고 말해라. Please tell her: 말해 줘."""
    whom = object_pronoun(d, pronoun(d, 1))
    if whom.english[0].text in ("me", "us", "you"):
        raise Unfit
    if d.chance(0.35):
        whom = known(d, choose_noun(d, frozenset({"kin", "name"})), 0.0)
    other = pronoun(d, d.choose((0, 0, 0, 0, 4, 2, 3))) if d.chance(0.8) else person(d)
    if other.noun is not None and other.noun == whom.noun:
        raise Unfit
    kind = d.weighted((("doing", 0.6), ("state", 0.4)))
    said = doing(d, other) if kind == "doing" else state(d, other)
    tense = d.choose(("progressive", "past", "future", "future")) if kind == "doing" else "present"
    how = event_of(d, said, tense) if kind == "doing" else How(tense)
    modal = d.choose(("", "", "", "want", "can")) if kind == "doing" and tense == "future" else ""
    how = How("present", modal, d.chance(0.2)) if modal else how._replace(negated=d.chance(0.12))
    inner = joined(d, said, how, "다고")
    node, that = d.node(), d.node()
    with_that = d.chance(0.6)
    quoted = expressing(inner, that if with_that else node)
    rest = [*(words("that", that) if with_that else []), *inner.english]
    marked = whom.marked(DATIVE)
    verb = words("tell", node)
    mood = d.weighted((("order", 0.5), ("please", 0.3), ("not", 0.2)))
    own = d.node()
    if mood == "order":
        return Clause([*verb, *whom.english, *rest], [*marked, *quoted, *words("말해라", node)])
    if mood == "please":
        return Clause(
            [*words("please", own), *verb, *whom.english, *rest],
            [*marked, *quoted, *words("말해", node), *words("줘", own)],
        )
    return Clause(
        [*words("do not", own), *verb, *whom.english, *rest],
        [*marked, *quoted, *words("말하지", node), *words("마라", own)],
    )


def _when_or_whether(d: Derivation, *, knowing: bool) -> tuple[str, Clause, bool]:
    """Return the conjunction and its clause: when you arrive, 네가 도착하면; whether, -는지."""
    kinds = (("when", "면"), ("when", "면"), ("if", "면"), ("as soon as", "자마자"))
    word, ending = d.choose(kinds)
    if knowing and word == "if" and d.chance(0.6):
        word, ending = d.choose((("if", INDIRECT), ("whether", INDIRECT)))
    if ending != INDIRECT and d.chance(0.2):
        return word, joined(d, happening(d), How("present"), ending), False
    other = pronoun(d, 1) if d.chance(0.7) else person(d)
    if other.first_person:
        raise Unfit
    said = doing(d, other)
    if ending != INDIRECT:
        return word, joined(d, said, How("present"), ending), False
    if d.chance(0.6):
        modal = d.choose(("can", "want", "have"))
        return word, joined(d, said, How("present", modal), ending), True
    part = joined(d, said, event_of(d, said, "future"), ending)
    *head, stem, last = part.korean  # 갈 것인지 is written, 갈지 is said
    future = Word(stem.text + "지", (*stem.nodes, *last.nodes))
    return word, Clause(part.english, [*head, future]), True


def let_me_know(d: Derivation) -> Clause:
    """Please let me know when you arrive: 네가 도착하면 나에게 알려 줘; if you can come: 지."""
    forms, korean, irregular = d.choose(clause_table("let me know"))
    verb, p = verb_of(d, forms, korean, irregular)
    knowing = forms.startswith(("let", "tell"))
    word, part, indirect = _when_or_whether(d, knowing=knowing)
    if any(text in ("some", "me", "us") for text, _ in part.english):
        raise Unfit
    node, own = d.node(), d.node()
    text = [*words(word, node), *part.english]
    please = d.chance(0.65)
    order = [Word(verb.base, (verb.node,)), *verb.tail]
    last = endings.request(p, own) if please else endings.command(p)
    if not please and p.stem.endswith("주"):
        *head, end = endings.request(p, own)
        last = [*head, Word(end.text, p.nodes)]
    english = [*(words("please", own) if please else []), *order]
    both = [*expressing(part, node), *last]
    if d.chance(0.2) and not indirect and not please:
        return Clause([*with_comma(text), *english], both)
    return Clause([*english, *text], both)
