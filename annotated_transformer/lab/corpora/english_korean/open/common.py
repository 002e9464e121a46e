"""What people say most, by topic: sentences with slots, alone and joined. CC0.

A file `words/common_TOPIC.txt` has set phrases under `[phrases]`, sentences with slots as in
`patterns` under `[patterns]`, deeds as in `daily` under `[deeds]`, and under `[NAME words]` what
may stand in a slot of that name.
"""

from functools import cache

from annotated_transformer.lab.corpora.english_korean import tables
from annotated_transformer.lab.corpora.english_korean.adverbs import Adverbial
from annotated_transformer.lab.corpora.english_korean.clauses import adverbial
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.open import patterns, slots
from annotated_transformer.lab.corpora.english_korean.open.joints import with_comma
from annotated_transformer.lab.corpora.english_korean.open.lexicon import TOPICS
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase

Line = tuple[str, str, str]


@cache
def lines() -> tuple[Line, ...]:
    """Return the topic, the English and the Korean of each sentence with slots."""
    return tuple(
        (topic, english, korean)
        for topic in TOPICS
        for english, korean in tables.rows(f"common_{topic}", "patterns", (2,))
    )


@cache
def _finite(topic: str) -> tuple[Line, ...]:
    """Return the statements of a topic whose Korean can take any ending: 갔다, 있다, 것이다."""
    return tuple(line for line in lines() if line[0] == topic and _joins(line[2]))


def _joins(korean: str) -> bool:
    last = korean.rsplit(" ", 1)[-1]
    past = len(last) > 1 and last[-1] == "다" and (ord(last[-2]) - 0xAC00) % 28 == 20  # ㅆ
    return past or last in ("없다", "것이다", "싶다")


def _other(d: Derivation, subject: NounPhrase, particle: str) -> slots.Both:
    """Return somebody who is not the speaker, of whom the line may speak besides."""
    found = slots.SLOTS["whom"](d, subject, particle)
    if found[0][0].text in ("me", "us"):
        raise Unfit
    return found


def _slots(topic: str) -> slots.Slots:
    """Return what fills a slot: a list of the topic's own, or one of all patterns."""

    def slot(name: str) -> slots.Slot:
        heading = f"{name} words"
        if heading not in tables.sections(f"common_{topic}"):
            return _other if name == "whom" else slots.SLOTS[name]
        listed = tuple(Adverbial(*row) for row in tables.rows(f"common_{topic}", heading, (2,)))

        def fill(d: Derivation, _: NounPhrase, particle: str) -> slots.Both:
            found = adverbial(d, listed)
            return found.english, slots.marked(found.korean, particle)

        return fill

    return slot


def _sentence(d: Derivation, line: Line) -> Clause:
    topic, english, korean = line
    return patterns.filled(d, english, korean, _slots(topic))


def common(d: Derivation) -> Clause:
    """The battery died while I was driving: one of the sentences, its slots filled."""
    return _sentence(d, d.choose(lines()))


def _two(d: Derivation) -> tuple[Clause, Clause]:
    topic = d.choose(TOPICS)
    first, second = d.choose(_finite(topic)), d.choose(_finite(topic))
    if first == second:
        raise Unfit
    return _sentence(d, first), _sentence(d, second)


def _ending(korean: Words, new: str, node: int) -> Words:
    """Return the clause with another ending in the place of 다: 갔지만."""
    *head, last = korean
    return [*head, Word(last.text.removesuffix("다") + new, (*last.nodes, node))]


def common_joined(d: Derivation) -> Clause:
    """I was tired, but I could not sleep: 나는 피곤했지만 잘 수 없었다. And, because."""
    left, right = _two(d)
    node = d.node()
    joint, ending = d.choose((("but", "지만"), ("and", "고"), ("because", "기 때문에")))
    if joint == "because" and d.chance(0.7):  # the reason stands first in Korean
        left, right = right, left
        english = [*right.english, *words("because", node), *left.english]
    elif joint == "because":
        english = [*words("because", node), *with_comma(left.english), *right.english]
    else:
        first = with_comma(left.english) if d.chance(0.6) else left.english
        english = [*first, *words(joint, node), *right.english]
    *before, last = _ending(left.korean, ending.split(" ")[0], node)
    joined = [*before, last, *words(" ".join(ending.split(" ")[1:]), node)]
    return Clause(english, [*[w for w in joined if w.text], *right.korean])


def common_thought(d: Derivation) -> Clause:
    """I think that the store has closed: 나는 가게가 문을 닫았다고 생각한다. I heard."""
    inner = _sentence(d, d.choose(_finite(d.choose(TOPICS))))
    if inner.korean[0].text in ("나는", "내가"):
        raise Unfit  # 나는 나는
    verb, korean = d.choose((("think", "생각한다"), ("heard", "들었다")))
    node, own, that = d.node(), d.node(), d.node()
    *head, last = inner.korean
    text = "것이라고" if last.text == "것이다" else last.text + "고"
    if d.chance(0.5):
        said = words("that", that)
        tail = Word(text, (*last.nodes, that))
    else:
        said, tail = [], Word(text, last.nodes)
    return Clause(
        [Word("I", (own,)), *words(verb, node), *said, *inner.english],
        [Word("나는", (own,)), *head, tail, *words(korean, node)],
    )
