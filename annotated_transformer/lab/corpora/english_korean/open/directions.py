"""Turn left at the corner, the bank is on the left, let's not go, stop crying. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.frames import action
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
    surroundings,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import subject_of
from annotated_transformer.lab.corpora.english_korean.morphology import (
    SUBJECT,
    adnominal,
    infinitive,
)
from annotated_transformer.lab.corpora.english_korean.open.society import part, phrase, society_rows
from annotated_transformer.lab.corpora.english_korean.phrases import (
    pronoun,
)

UNPROPOSED = frozenset({"arrive", "become", "get home", "live", "make"})
HUMAN = frozenset({"own", "kin", "relation"})


def ordered(d: Derivation, english: Clause, before: list[Word], last: Predicate) -> Clause:
    """Return an order, a request with "please" or what one must not do; `english` has the verb."""
    node = d.node()
    kind = d.weighted((("command", 0.6), ("please", 0.25), ("never", 0.15)))
    if kind == "command":
        return Clause(english.english, [*before, *endings.command(last)])
    if kind == "never":
        english_words = [*words("do not", node), *english.english]
        return Clause(english_words, [*before, *endings.prohibition(last, node)])
    polite = words("please", node)
    first = d.chance(0.6)
    body = [*polite, *english.english] if first else [*english.english, *polite]
    return Clause(body, [*before, *endings.request(last, node)])


def _way(d: Derivation) -> tuple[Clause, Predicate]:
    """Return "go straight", "turn left at the corner" and its Korean predicate."""
    node = d.node()
    if d.chance(0.3):
        english, korean, irregular = d.choose(society_rows("ways"))
        return Clause(words(english, node), []), endings.verb(korean, irregular.strip("-"), node)
    if d.chance(0.2):
        number, korean_number = d.choose(society_rows("ordinal ways"))
        side, korean_side = d.choose((("left", "왼쪽"), ("right", "오른쪽")))
        which, where = d.node(), d.node()
        english_words = [
            *words("take the", node),
            *words(number, which),
            *words(d.choose(("street", "road")), node),
            *words(f"on the {side}", where),
        ]
        before = [*words(korean_side, where), *words(korean_number, which), *words("길로", node)]
        return Clause(english_words, []), Predicate(before, "가", "", "verb", (node,))
    english, korean = d.choose(society_rows("turns"))
    there = part(d, *d.choose(society_rows("turn where")))
    shape = endings.verb(korean, "", node)
    predicate = shape._replace(before=[*there.korean, *shape.before])
    return Clause([*words(english, node), *there.english], []), predicate


def turn_left(d: Derivation) -> Clause:
    """Turn left at the corner: 모퉁이에서 왼쪽으로 돌아라. Go straight and turn right: 가서."""
    english, predicate = _way(d)
    if d.chance(0.25):
        then, last = _way(d)
        if then.english[0].text == english.english[0].text or "거기에서" in last.before[0].text:
            raise Unfit
        node = d.node()
        form = infinitive(predicate.stem, predicate.irregular) + "서"
        joint = d.choose(("and", "and", "and then"))
        both = [*english.english, *words(joint, node), *then.english]
        first = [*predicate.before, Word(form, (*predicate.nodes, node))]
        return Clause(both, [*first, *last.before, *endings.command(last._replace(before=[]))])
    return ordered(d, english, [], predicate)


def on_the_left(d: Derivation) -> Clause:
    """The bank is on your left: 은행은 왼쪽에 있다. You will see the bank on the right: 보일 것."""
    name, korean = d.choose(society_rows("found"))
    side, korean_side = d.choose(society_rows("sides"))
    there = part(d, side, korean_side)
    thing = phrase(d, f"the {name}", korean)
    be = d.node()
    if side.startswith(("on the l", "on the r", "on your")) and d.chance(0.3):
        will, you = d.node(), d.node()
        english = [*words("you", you), *words("will", will), *words("see", be), *thing.english]
        last = [*words("보일", be), Word("것이다", (will, you))]
        return Clause([*english, *there.english], [*there.korean, *thing.marked(SUBJECT), *last])
    if name in side:
        raise Unfit
    subject = thing if d.chance(0.7) else phrase(d, "it", "그것")
    verb = EnglishVerb("be", "", "", "", be, [])
    said = Said(subject, verb, Predicate([], "있", "", "adjective", (be,)), (there,))
    asked = d.chance(0.2)
    how = How("present", "", not asked and d.chance(0.1))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


def let_us_not(d: Derivation) -> Clause:
    """Let's not go to the park: 공원에 가지 말자."""
    said = action(d, pronoun(d, 4))
    if said.flags & {"s", "x", "p"} or said.kind not in ("action", "motion"):
        raise Unfit
    texts = {word.text for item in said.complements for word in item.english}
    if texts & {"us", "some", "more", "you"} or "OWN" in said.base or said.base in UNPROPOSED:
        raise Unfit
    node = d.node()
    follow, around = surroundings(said)
    verb = said.english
    body = [*words("let us not", node), Word(verb.base, (verb.node,)), *verb.tail, *follow]
    done = said.korean
    last = [*done.before, Word(done.stem + "지", done.nodes), *words("말자", node)]
    return Clause(body, [*around, *last])


def _smoking(d: Derivation) -> Clause:
    """Return "stop smoking", 담배를 끊어라; he quit smoking, 그는 담배를 끊었다."""
    node = d.node()
    base, third, past, ing = d.choose(
        (("stop", "stops", "stopped", "stopping"), ("quit", "quits", "quit", "quitting"))
    )
    predicate = endings.verb("담배를 끊", "", node)
    if d.chance(0.4):
        return ordered(d, Clause(words(f"{base} smoking", node), []), [], predicate)
    subject = subject_of(d, HUMAN, pronouns=0.7)
    said = Said(
        subject, EnglishVerb(base, third, past, ing, node, words("smoking", node)), predicate
    )
    how = d.choose((How("past"), How("future"), How("present", "want"), How("present", "should")))
    return clause(d, said, how)


def stop_doing(d: Derivation) -> Clause:
    """Stop crying: 그만 울어라. Keep walking: 계속 걸어라. She stopped crying: 우는 것을 멈췄다."""
    if d.chance(0.08):
        return _smoking(d)
    ing, korean, _ = d.choose(society_rows("halted"))
    node, stop = d.node(), d.node()
    irregular = "ㄷ" if korean == "걷" else ""
    done = endings.verb(korean, irregular, node)
    if d.chance(0.45):
        keep = d.chance(0.35)
        base = "keep" if keep else "stop"
        head = [*done.before, *words("계속" if keep else "그만", stop)]
        done = done._replace(before=[])
        order = Clause([*words(base, stop), *words(ing, node)], [])
        if d.chance(0.3):
            polite = d.node()
            body = (
                [*words("please", polite), *order.english]
                if d.chance(0.6)
                else [*order.english, *words("please", polite)]
            )
            return Clause(body, [*head, *endings.request(done, polite)])
        return Clause(order.english, [*head, *endings.command(done)])
    if ing.endswith(" me"):
        raise Unfit
    subject = subject_of(d, HUMAN, pronouns=0.7)
    form = adnominal(done.stem, "present", done.irregular)
    if d.chance(0.3):
        verb = EnglishVerb("keep", "keeps", "kept", "keeping", stop, words(ing, node))
        predicate = done._replace(before=[*done.before, *words("계속", stop)])
        return clause(d, Said(subject, verb, predicate), How("past"))
    verb = EnglishVerb("stop", "stops", "stopped", "stopping", stop, words(ing, node))
    before = [*done.before, Word(form, done.nodes), *words("것을", stop)]
    predicate = Predicate(before, "멈추", "", "verb", (stop,))
    asked = d.chance(0.15)
    how = How("past", "", not asked and d.chance(0.2))
    said = Said(subject, verb, predicate)
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)
