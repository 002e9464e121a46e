"""What are you doing tonight, and which color do you like. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.frames import HUMAN
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import subject_of
from annotated_transformer.lab.corpora.english_korean.morphology import OBJECT, TOPIC, attach
from annotated_transformer.lab.corpora.english_korean.open.lexicon import word_table
from annotated_transformer.lab.corpora.english_korean.phrases import pronoun

LATER = (
    ("tonight", "오늘 밤에"),
    ("tomorrow", "내일"),
    ("this weekend", "이번 주말에"),
    ("on Saturday", "토요일에"),
    ("on Sunday", "일요일에"),
    ("after school", "방과 후에"),
    ("after work", "퇴근 후에"),
    ("next week", "다음 주에"),
    ("tomorrow night", "내일 밤에"),
    ("this evening", "오늘 저녁에"),
)


def doing_later(d: Derivation) -> Clause:
    """What are you doing tonight?: 너는 오늘 밤에 무엇을 할 거니."""
    if d.chance(0.6):
        subject = pronoun(d, d.choose((1, 1, 1, 2, 3, 4, 5)))
    else:
        subject = subject_of(d, HUMAN, pronouns=0.0)
    english, korean = d.choose(LATER)
    node, verb, time, will = d.node(), d.node(), d.node(), d.node()
    be = "is" if subject.agreement == "3s" else "are"
    asked = [*words("what", node), *words(be, will), *subject.english, *words("doing", verb)]
    last = [*words("무엇을", node), *words("할", verb), *words("거니", will)]
    return Clause(
        [*asked, *words(english, time)], [*subject.marked(TOPIC), *words(korean, time), *last]
    )


def which_color(d: Derivation) -> Clause:
    """Which color do you like?: 너는 어떤 색을 좋아하니."""
    english, korean = d.choose(word_table("liked kinds"))
    node, kind, verb = d.node(), d.node(), d.node()
    if d.chance(0.75):
        subject = pronoun(d, d.choose((1, 1, 1, 2, 3, 5)))
    else:
        subject = subject_of(d, HUMAN, pronouns=0.0)
    asked = Clause(
        [*words(d.choose(("which", "what")), node), *words(english, kind)],
        [*words("어떤", node), *words(attach(korean, OBJECT), kind)],
    )
    best = EMPTY
    if d.chance(0.35):
        most = d.node()
        best = Clause(words(d.choose(("best", "most", "the most")), most), words("가장", most))
    verb_forms = EnglishVerb("like", "likes", "liked", "liking", verb, [])
    said = Said(
        *(subject, verb_forms, endings.verb("좋아하", "", verb), (best,)),
        *(frozenset("s"), "state", "like"),
    )
    return clause(d, said, How("present"), ending="니", asked=True, question=asked)
