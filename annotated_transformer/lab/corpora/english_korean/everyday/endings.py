"""Korean predicates that grow: auxiliaries, negation, and the ending of the sentence. CC0.

A predicate is what stands before its last stem, that stem and the way it conjugates. Auxiliaries
take a predicate and return a longer one: 먹다, 먹고 싶다, 먹고 싶지 않다. `finished` then gives the
last stem its tense and its ending: a statement in 다 (해라체), a question in 니, or an ending that
joins the clause to another one.
"""

from typing import NamedTuple

from annotated_transformer.lab.corpora.english_korean.derivation import Word, Words
from annotated_transformer.lab.corpora.english_korean.morphology import (
    adnominal,
    final_consonant,
    infinitive,
    past_stem,
    present,
    with_copula,
    without_rieul,
)

Nodes = tuple[int, ...]
CONDITION = "면"
REASON = "서"
WHEN = "때"
ADNOMINAL = "는"
INDIRECT = "는지"
# Endings of a verb and a noun of time: 자기 전에, 잔 후에, 자는 동안.
BEFORE, AFTER, WHILE = "전에", "후에", "동안"


class Predicate(NamedTuple):
    """A Korean predicate without its ending.

    `kind` is "verb", "adjective" (있다, 없다, 싶다 too), "aspect" (the 있다 of 읽고 있다), "copula"
    (the stem is a noun) or "not" (아니다).
    """

    before: Words
    stem: str
    irregular: str
    kind: str
    nodes: Nodes

    @property
    def is_adjective(self) -> bool:
        """Whether it conjugates like an adjective."""
        return self.kind != "verb"


def verb(text: str, irregular: str, *nodes: int) -> Predicate:
    """Return a verb; words before its last one belong to it too: 아침을 먹다."""
    *first, stem = text.split(" ")
    return Predicate([Word(part, nodes) for part in first], stem, irregular, "verb", nodes)


def _then(predicate: Predicate, form: str, stem: str, kind: str, *nodes: int) -> Predicate:
    """Return the predicate in a form that an auxiliary follows."""
    before = [*predicate.before, Word(form, predicate.nodes)]
    return Predicate(before, stem, "", kind, nodes)


def _future_form(p: Predicate) -> str:
    if p.kind == "copula":
        return p.stem + "일"
    return adnominal(p.stem, "future", p.irregular)


def _infinitive(p: Predicate) -> str:
    return infinitive(p.stem, p.irregular)


def denied(p: Predicate, node: int, *, unable: bool = False) -> Predicate:
    """Return 읽지 않다 (못하다 if unable), 없다 for 있다, 모르다 for 알다, 학생이 아니다."""
    if p.kind == "copula":
        particle = "이" if final_consonant(p.stem) else "가"
        # The noun keeps its own nodes, and 아니다 those of "be" and "not".
        before = [*p.before, Word(p.stem + particle, p.nodes[:1])]
        return Predicate(before, "아니", "", "not", (*p.nodes[1:], node))
    single = {"있": ("없", ""), "알": ("모르", "르")}.get(p.stem)
    if single and p.kind != "aspect":
        return p._replace(stem=single[0], irregular=single[1], nodes=(*p.nodes, node))
    kind = "adjective" if p.is_adjective else "verb"
    return _then(p, p.stem + "지", "못하" if unable and kind == "verb" else "않", kind, node)


def progressive(p: Predicate, node: int) -> Predicate:
    """Return 읽고 있다."""
    return _then(p, p.stem + "고", "있", "aspect", node)


def future(p: Predicate, node: int) -> Predicate:
    """Return 읽을 것이다."""
    return _then(p, _future_form(p), "것", "copula", node)


def able(p: Predicate, node: int) -> Predicate:
    """Return 읽을 수 있다."""
    before = [*p.before, Word(_future_form(p), p.nodes), Word("수", (node,))]
    return Predicate(before, "있", "", "adjective", (node,))


def wishing(p: Predicate, node: int, *, first_person: bool) -> Predicate:
    """Return 읽고 싶다 of the speaker and, in questions, the hearer; of others 읽고 싶어 하다."""
    if first_person:
        return _then(p, p.stem + "고", "싶", "adjective", node)
    wished = _then(p, p.stem + "고", "싶어", "verb", node)
    return Predicate([*wished.before, Word("싶어", (node,))], "하", "", "verb", (node,))


def obliged(p: Predicate, node: int) -> Predicate:
    """Return 읽어야 하다."""
    return _then(p, _infinitive(p) + "야", "하", "verb", node)


def allowed(p: Predicate, node: int) -> Predicate:
    """Return 읽어도 되다."""
    return _then(p, _infinitive(p) + "도", "되", "verb", node)


def forbidden(p: Predicate, node: int) -> Predicate:
    """Return 읽으면 안 되다."""
    before = [*p.before, Word(conditional(p), p.nodes), Word("안", (node,))]
    return Predicate(before, "되", "", "verb", (node,))


def liked(p: Predicate, node: int, stem: str = "좋아하") -> Predicate:
    """Return 읽는 것을 좋아하다."""
    form = adnominal(p.stem, "present", p.irregular)
    before = [*p.before, Word(form, p.nodes), Word("것을", (node,))]
    return Predicate(before, stem, "", "verb", (node,))


def seeming(p: Predicate, node: int) -> Predicate:
    """Return 피곤해 보이다."""
    return _then(p, _infinitive(p), "보이", "verb", node)


def conditional(p: Predicate) -> str:
    """Return the last stem with (으)면: 가면, 먹으면, 추우면, 학생이면."""
    if p.kind == "copula":
        return with_copula(p.stem, CONDITION)
    if final_consonant(p.stem) in ("", "ㄹ") and not p.irregular.strip("르"):
        return p.stem + CONDITION
    # The form with ㄴ shows what an ending in (으) does to the stem: 추운, 추우면.
    open_form = adnominal(p.stem, "past", p.irregular)
    return without_final(open_form) + CONDITION


def without_final(word: str) -> str:
    """Return the word without the final consonant of its last syllable."""
    return word[:-1] + chr(ord(word[-1]) - (ord(word[-1]) - 0xAC00) % 28)


def finished(p: Predicate, tense: str, ending: str) -> Words:
    """Return all words, the last stem in its tense ("present" or "past") and with its ending.

    Endings: 다, 니, 다고, 지만, 고, 면, 서, 때 (which is 을 때), 는, before a noun, 는지 and those
    of time: 전에, 후에, 동안.
    """
    if ending == WHEN:
        form = _past_stem(p) + "을" if tense == "past" else _future_form(p)
        return [*p.before, Word(form, p.nodes), Word(WHEN, p.nodes)]
    if ending in (BEFORE, AFTER, WHILE):
        timed = {"후에": "past", "동안": "present"}.get(ending)
        form = adnominal(p.stem, timed, p.irregular) if timed else p.stem + "기"
        return [*p.before, Word(form, p.nodes), Word(ending, p.nodes)]
    return [*p.before, Word(_last(p, tense, ending), p.nodes)]


def _past_stem(p: Predicate) -> str:
    if p.kind == "copula":
        return with_copula(p.stem, "었")
    if p.kind == "not":
        return "아니었"
    return past_stem(p.stem, p.irregular)


def _last(p: Predicate, tense: str, ending: str) -> str:
    if ending == ADNOMINAL:
        return adnominal(p.stem, tense, p.irregular, is_adjective=p.is_adjective)
    if ending == INDIRECT:
        return _indirect(p, tense)
    if ending == "고":
        return with_copula(p.stem, "고") if p.kind == "copula" else p.stem + "고"
    if ending == CONDITION:
        return conditional(p)
    if ending == REASON:
        return _reason(p)
    return _past_stem(p) + ending if tense == "past" else _present(p, ending)


def _indirect(p: Predicate, tense: str) -> str:
    """Return the last stem with 는지: 가는지, 큰지, 누구인지, 갔는지."""
    if tense == "past":
        return _past_stem(p) + INDIRECT
    if p.kind == "copula":
        return p.stem + "인지"
    return adnominal(p.stem, "present", p.irregular, is_adjective=p.is_adjective) + "지"


def _reason(p: Predicate) -> str:
    if p.kind == "copula":
        return with_copula(p.stem, "라서")
    return "아니라서" if p.kind == "not" else _infinitive(p) + REASON


def _present(p: Predicate, ending: str) -> str:
    if p.kind in ("copula", "not"):
        quoted = ending.replace("다고", "라고")
        if p.kind == "not":
            return "아니" + quoted
        # 갈 것이니 is written, 갈 거니 is said.
        return "거니" if (p.stem, ending) == ("것", "니") else with_copula(p.stem, quoted)
    if ending == "니":
        return without_rieul(p.stem) + "니"
    if p.is_adjective or ending == "지만":
        return p.stem + ending
    return present(p.stem) + ending.removeprefix("다")


def command(p: Predicate) -> Words:
    """Return 열어라."""
    return [*p.before, Word(_infinitive(p) + "라", p.nodes)]


def request(p: Predicate, node: int) -> Words:
    """Return 열어 줘; what already ends in 주다 says it once."""
    if p.stem.endswith("주"):
        return [*p.before, Word(_infinitive(p), (*p.nodes, node))]
    return [*p.before, Word(_infinitive(p), p.nodes), Word("줘", (node,))]


def prohibition(p: Predicate, node: int) -> Words:
    """Return 열지 마라."""
    return [*p.before, Word(p.stem + "지", p.nodes), Word("마라", (node,))]


def proposal(p: Predicate, node: int) -> Words:
    """Return 가자."""
    return [*p.before, Word(p.stem + "자", (*p.nodes, node))]
