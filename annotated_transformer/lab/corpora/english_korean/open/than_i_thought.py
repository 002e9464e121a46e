"""Than I thought, than mine, faster than me, colder than yesterday, the best noodles. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import EnglishVerb, How, Said
from annotated_transformer.lab.corpora.english_korean.morphology import (
    attach,
)
from annotated_transformer.lab.corpora.english_korean.open.tabled import (
    clause_table,
    drawn_how,
    opened_last,
    phrase_of,
    predicate,
    said_so,
)
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
)

# English owner, that owner's own, and what Korean says of it.


OWNERS = (
    *(("my", "mine", "내"), ("my", "mine", "내"), ("your", "yours", "네")),
    *(("your", "yours", "네"), ("his", "his", "그의"), ("her", "hers", "그녀의")),
    *(("our", "ours", "우리"), ("their", "theirs", "그들의")),
    *(("my sister's", "my sister's", "내 여동생의"), ("Tom's", "Tom's", "톰의")),
    *(("my brother's", "my brother's", "내 남동생의"), ("Anna's", "Anna's", "안나의")),
)
MUCH = (("much", "훨씬"), ("much", "훨씬"), ("even", "훨씬"), ("a little", "조금"))


def _than(
    d: Derivation, subject: NounPhrase, adjective: str, than: Clause, *, much: float = 0.2
) -> Said:
    """Return that the subject is more so than what the clause says."""
    rows = [row for row in clause_table("how they were") if row[0] == adjective]
    (_, comparative, korean, irregular) = rows[0]
    node, be, more = d.node(), d.node(), d.node()
    made = predicate(korean, irregular, node)._replace(kind="adjective", nodes=(node, be))
    if adjective == "old" and "오래되" in korean:
        made = made._replace(kind="verb")
    if comparative.startswith("more "):
        tail = [*words("more", more), *words(comparative.removeprefix("more "), node)]
    else:
        tail = [Word(comparative, (node, more))]
    spoken = words("더", more)
    if d.chance(much):
        english, word = d.choose(MUCH)
        own = d.node()
        tail = [*words(english, own), *tail]
        spoken = [*words(word, own), *spoken]
    made = made._replace(before=[*than.korean, *spoken, *made.before])
    verb = EnglishVerb("be", "", "", "being", be, [*tail, *than.english])
    flags = frozenset("R" if adjective == "old" else "")
    return Said(subject, verb, made, (), flags, kind="quality")


def than_i_thought(d: Derivation) -> Clause:
    """It was more difficult than I thought: 그것은 내가 생각한 것보다 더 어려웠다."""
    english, korean, fitting = d.choose(clause_table("things that were"))
    adjective = d.choose([word for word in fitting.split(" ") if word != "old"])
    thought, spoken = d.choose(clause_table("expected"))
    than, own = d.node(), d.node()
    part = Clause(
        [*words("than", than), *words(thought, own)], [*words(spoken, own), *words("것보다", than)]
    )
    bare = english in ("it", "Korean", "English", "math")
    head = "" if bare else d.choose(("the ", "the ", "the ", "this ", "that "))
    own_word = {"this ": "이 ", "that ": "저 "}.get(head, "")
    subject = phrase_of(d, head + english, own_word + korean)
    past = d.chance(0.6) or thought == "he thought"
    how = How("past" if past else "present", "", d.chance(0.1))
    return said_so(d, _than(d, subject, adjective, part, much=0.25), how)


def bigger_than_yours(d: Derivation) -> Clause:
    """My room is bigger than yours: 내 방은 네 것보다 더 크다; not as big as yours: 것만큼."""
    names, korean, fitting = d.choose(clause_table("owned"))
    one, many = names.split(" ")
    whose, _, korean_whose = d.choose(OWNERS)
    _, mine, korean_mine = d.choose(OWNERS)
    if korean_whose == korean_mine:
        raise Unfit
    own, node, other, than = d.node(), d.node(), d.node(), d.node()
    plural = many != "-" and whose in ("our", "their") and one in ("hand", "dog", "cat")
    plural = plural or one == "hand"
    subject = NounPhrase(
        [*words(whose, own), *words(many if plural else one, node)],
        [*words(korean_whose, own), *words(korean, node)],
        *(node, "p" if plural else "3s"),
    )
    adjective = d.choose([word for word in fitting.split(" ") if word != "old"])
    asked = d.chance(0.12)
    family = one in ("brother", "sister")
    if family and (whose + mine).count("'s"):
        raise Unfit
    thing = f"{korean_mine} {korean if family else '것'}"
    if d.chance(0.5):
        part = Clause(
            [*words("than", than), *words(mine, other)],
            [*words(thing, other)[:-1], *_last(thing, "보다", other, than)],
        )
        said = _than(d, subject, adjective, part)
    else:
        owned = Clause(
            words(mine, other), [*words(thing, other)[:-1], *_last(thing, "만큼", other)]
        )
        said = _as(d, subject, adjective, owned)
    return said_so(d, said, drawn_how(d, ("present", "present", "past"), asked=asked), asked=asked)


def _last(thing: str, particle: str, *nodes: int) -> list[Word]:
    return [Word(thing.rsplit(" ", maxsplit=1)[-1] + particle, nodes)]


def _as(d: Derivation, subject: NounPhrase, adjective: str, owned: Clause) -> Said:
    """Return "as big as yours", 네 것만큼 크다."""
    rows = [row for row in clause_table("how they were") if row[0] == adjective]
    (_, _, korean, irregular) = rows[0]
    node, be, link = d.node(), d.node(), d.node()
    made = predicate(korean, irregular, node)._replace(kind="adjective", nodes=(node, be))
    made = made._replace(before=[*opened_last(owned.korean, "", link), *made.before])
    tail = [*words("as", link), *words(adjective, node), *words("as", link), *owned.english]
    return Said(subject, EnglishVerb("be", "", "", "being", be, tail), made, kind="quality")


def colder_than_yesterday(d: Derivation) -> Clause:
    """Today is colder than yesterday: 오늘은 어제보다 더 춥다. It is colder today than."""
    one, korean_one, two, korean_two = d.choose(clause_table("days"))
    comparative, korean, irregular = d.choose(clause_table("weather"))
    node, be, more, than, other = (d.node() for _ in range(5))
    made = predicate(korean, irregular, node)._replace(kind="adjective", nodes=(node, be))
    first = phrase_of(d, one, korean_one)
    spoken = [Word(attach(word, ("", "")), (other,)) for word in korean_two.split(" ")]
    spoken = opened_last(spoken, "보다", than)
    much = d.chance(0.25)
    own = d.node()
    before = [*spoken, *(words("훨씬", own) if much else []), *words("더", more)]
    made = made._replace(before=[*before, *made.before])
    tail = [*(words("much", own) if much else []), Word(comparative, (node, more))]
    rest = [*words("than", than), *words(two, other)]
    tense = {"yesterday": "past", "tomorrow": "future"}.get(one, "present")
    asked = d.chance(0.12) and tense == "present"
    how = How(tense, "", not asked and d.chance(0.12))
    subject = first
    if d.chance(0.3) and one not in ("summer", "winter"):
        it = d.node()
        subject = NounPhrase(words("it", it), [*first.korean], first.node, "3s")
        subject = subject._replace(english=words("it", first.node))
        tail = [*tail, *first.english]
    verb = EnglishVerb("be", "", "", "being", be, [*tail, *rest])
    said = Said(subject, verb, made, (), kind="quality")
    return said_so(d, said, how, asked=asked)


# Than what: English, its Korean with 보다 or 만큼.
