"""No one likes him, it was not raining when I left: 아무도 그를 좋아하지 않는다. CC0."""

from annotated_transformer.corpora.english_korean.derivation import Clause, Derivation, Word, words
from annotated_transformer.corpora.english_korean.everyday import endings
from annotated_transformer.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.corpora.english_korean.morphology import OBJECT, SUBJECT
from annotated_transformer.corpora.english_korean.open.lexicon import word_table
from annotated_transformer.corpora.english_korean.phrases import pronoun

SKY = (("raining", "비가 오"), ("snowing", "눈이 오"), ("raining", "비가 오"))


def no_one_likes_him(d: Derivation) -> Clause:
    """No one likes him: 아무도 그를 좋아하지 않는다. Nobody knows me: 아무도 나를 모른다."""
    base, third, past, stem, refused = d.choose(word_table("nobody does"))
    who, verb = d.node(), d.node()
    target = pronoun(d, d.choose((0, 1, 2, 3, 4, 5)), is_object=True)
    kind = d.choose(("present", "present", "past", "future"))
    if kind == "future":
        node = d.node()
        english = [*words("will", node), *words(base, verb)]
    else:
        english = words(past if kind == "past" else third, verb)
    if refused != "-":
        predicate = Predicate([], refused, "르", "verb", (verb, who))
    else:
        predicate = endings.denied(endings.verb(stem, "", verb), who)
    if kind == "future":
        predicate = endings.future(predicate, node)
    last = endings.finished(predicate, "past" if kind == "past" else "present", "다")
    subject = words(d.choose(("nobody", "no one")), who)
    return Clause(
        [*subject, *english, *target.english],
        [*words("아무도", who), *target.marked(OBJECT), *last],
    )


def not_raining_when(d: Derivation) -> Clause:
    """It was not raining when I left: 내가 떠났을 때 비가 오고 있지 않았다."""
    falling, korean = d.choose(SKY)
    past, stem = d.choose(word_table("when I"))
    subject = pronoun(d, d.choose((0, 0, 1, 2, 3, 4, 5)))
    sky, be, deny, when, verb = d.node(), d.node(), d.node(), d.node(), d.node()
    denied = d.chance(0.6)
    what, come = korean.split(" ")
    falls = endings.progressive(Predicate(words(what, sky), come, "", "verb", (sky,)), be)
    falls = endings.denied(falls, deny) if denied else falls
    first = [*words("it", sky), *words("was", be), *(words("not", deny) if denied else [])]
    first += words(falling, sky)
    *before, last = stem.split(" ")
    inner = [*words(" ".join(before), verb)] if before else []
    time = endings.finished(Predicate(inner, last, "", "verb", (verb,)), "past", endings.WHEN)
    time = [*time[:-1], Word(time[-1].text, (*time[-1].nodes, when))]
    part = [*words("when", when), *subject.english, *words(past, verb)]
    main = endings.finished(falls, "past", "다")
    return Clause([*first, *part], [*subject.marked(SUBJECT), *time, *main])
