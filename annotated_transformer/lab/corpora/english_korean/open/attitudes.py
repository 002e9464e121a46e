"""Glad to see you, busy cooking, thinking of buying a car, had better go, I wish I could. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.compound import person
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.morphology import SUBJECT, TOPIC, infinitive
from annotated_transformer.lab.corpora.english_korean.open.deeds import Deed, deed
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, pronoun


def _be(
    d: Derivation, subject: NounPhrase, english: Words, korean: tuple[Words, str, str], node: int
) -> Clause:
    """Return "I am busy cooking dinner" from what follows "be" and the Korean."""
    before, stem, kind = korean
    asked = subject.english[0].text == "you" and d.chance(0.6)
    predicate = Predicate(before, stem, "", kind, (node,))
    said = Said(subject, EnglishVerb("be", "", "", "", node, english), predicate)
    how = How("past" if d.chance(0.25) else "present")
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


GLAD = tuple(
    tuple(line.split(" | "))
    for line in """
see you | 너를 만나서
see you again | 너를 다시 만나서
meet you | 너를 만나서
help you | 너를 도울 수 있어서
hear from you | 네 소식을 들어서
hear that | 그 말을 들어서
hear the news | 소식을 들어서
be here | 여기에 있어서
be home | 집에 있어서
be back | 돌아와서
work with you | 너와 함께 일해서
have you as a friend | 너를 친구로 둬서
""".strip().splitlines()
)


def glad_to(d: Derivation) -> Clause:
    """I am glad to see you: 나는 너를 만나서 기쁘다. He was surprised to hear: 듣고 놀랐다."""
    subject, node, act = person(d), d.node(), d.node()
    if subject.english[0].text in ("you", "everyone") or (
        subject.agreement == "p" and not subject.first_person
    ):
        raise Unfit
    if d.chance(0.25):
        news, heard = d.choose(
            (("hear the news", "소식을 듣고"), ("see me", "나를 보고"), ("see you", "너를 보고"),
             ("see him there", "거기에서 그를 보고"), ("hear that", "그 말을 듣고"))
        )  # fmt: skip
        if ("me" in news.split(" ") and subject.first_person) or subject.english[0].text in ("he",):
            raise Unfit
        surprised = [*words("surprised to", node), *words(news, act)]
        said = Said(
            subject,
            EnglishVerb("be", "", "", "", node, surprised),
            Predicate(words(heard, act), "놀라", "", "verb", (node,)),
        )
        return clause(d, said, How("past"))
    english, korean = d.choose(GLAD)
    adjective = d.choose(("glad", "glad", "happy", "so glad", "so happy", "very happy"))
    much = {"so": ["정말"], "very": ["아주"]}.get(adjective.split(" ")[0], [])
    stem = "기쁘" if "glad" in adjective else "행복하"
    tail = [*words(f"{adjective} to", node), *words(english, act)]
    before = [*words(korean, act), *(Word(text, (node,)) for text in much)]
    said = Said(
        subject,
        EnglishVerb("be", "", "", "", node, tail),
        Predicate(before, stem, "", "adjective", (node,)),
        base=adjective.split(" ")[-1],
    )
    if not subject.first_person and "glad" in adjective:
        p = Predicate(before, "기뻐하", "", "verb", (node,))
        said = said._replace(korean=p, base="")
    return clause(d, said, How("past" if d.chance(0.25) else "present"))


def busy_doing(d: Derivation) -> Clause:
    """She is busy cooking dinner: 그녀는 저녁을 만드느라 바쁘다. Thinking of buying: 살까."""
    subject, node = person(d), d.node()
    kind = d.weighted(
        (
            *(("busy", 0.2), ("thinking", 0.2), ("about", 0.15), ("feel", 0.15), ("dream", 0.1)),
            *(("wait", 0.1), ("mind", 0.1)),
        )
    )
    letter = {"busy": "m", "thinking": "d", "about": "d", "feel": "j", "dream": "y", "wait": "d"}
    made = deed(d, subject, letter.get(kind, "d"), 0.0)
    p = made.korean
    last = p.nodes
    if kind == "busy":
        text = without_rieul_before_n(p.stem) + "느라"
        before = [*made.around, *p.before, Word(text, last)]
        return _be(
            d, subject, [*words("busy", node), *made.ing], (before, "바쁘", "adjective"), node
        )
    if kind == "about":
        before = [*words("막", node), *made.meaning_to()]
        return _be(d, subject, [*words("about to", node), *made.base], (before, "하", "verb"), node)
    asked = subject.english[0].text == "you" and d.chance(0.6)
    ending = "니" if asked else "다"
    if kind == "thinking":
        *head, verb = made.before("future")
        of = d.choose(("of", "of", "about"))
        part = Clause([*words(of, node), *made.ing], [*head, Word(verb.text + "까", verb.nodes)])
        english = EnglishVerb("think", "thinks", "thought", "thinking", node, [])
        said = Said(subject, english, Predicate([], "생각하", "", "verb", (node,)), (part,))
        tense = "past progressive" if d.chance(0.2) else "progressive"
        return clause(d, said, How(tense), ending=ending, asked=asked)
    if kind == "dream":
        part = Clause([*words("of", node), *made.ing], made.gerund("을"))
        english = EnglishVerb("dream", "dreams", "dreamed", "dreaming", node, [])
        said = Said(subject, english, Predicate([], "꿈꾸", "", "verb", (node,)), (part,))
        return clause(
            d, said, How("past" if d.chance(0.3) else "present"), ending=ending, asked=asked
        )
    if kind == "feel":
        wish = endings.finished(_wished(made, node), "present", "는")
        before = [*made.around, *wish]
        english = EnglishVerb("feel", "feels", "felt", "feeling", node, words("like", node))
        said = Said(
            subject,
            english,
            Predicate([], "기분", "", "copula", (node,)),
            (Clause(made.ing, before),),
        )
        if not subject.first_person and not asked:
            raise Unfit
        how = How("past" if d.chance(0.25) else "present")
        return clause(d, said, how, ending=ending, asked=asked)
    if not subject.first_person:
        raise Unfit
    stem = Word(p.stem + "고", last)
    around = [*words("빨리", node), *made.around, *p.before, stem]
    saying, rest = words("싶다", node), [*words("cannot wait to", node), *made.base]
    if kind == "mind":
        around = [*made.around, *p.before, Word(infinitive(p.stem, p.irregular) + "도", last)]
        saying, rest = words("괜찮다", node), [*words("do not mind", node), *made.ing]
    return Clause([*subject.english, *rest], [*subject.marked(TOPIC), *around, *saying])


def _wished(made: Deed, node: int) -> Predicate:
    p = made.korean
    return Predicate([*p.before, Word(p.stem + "고", p.nodes)], "싶", "", "adjective", (node,))


def without_rieul_before_n(stem: str) -> str:
    """Return the stem as it stands before ㄴ: 만드느라."""
    last = stem[-1]
    code = ord(last) - 0xAC00
    return stem[:-1] + chr(0xAC00 + code - code % 28) if code % 28 == 8 else stem


def had_better(d: Derivation) -> Clause:
    """You had better go home: 너는 집에 가는 것이 좋겠다; not: 가지 않는 것이 좋겠다."""
    subject, node, no = person(d), d.node(), d.node()
    made = deed(d, subject, d.choose("dft"), 0.0)
    deny = d.chance(0.2)
    head = [*subject.english, *words("had better", node), *(words("not", no) if deny else [])]
    if deny:
        korean = [*made.stem_with("지"), Word("않는", (no,)), *words("것이 좋겠다", node)]
    else:
        korean = [*made.before("present"), *words("것이 좋겠다", node)]
    return Clause([*head, *made.base], [*subject.marked(TOPIC), *korean])


def how_about_doing(d: Derivation) -> Clause:
    """How about going home?: 집에 가는 것이 어떠니. Would you mind opening it?: 열어 주겠니."""
    node = d.node()
    you = pronoun(d, 1)
    if d.chance(0.6):
        made = deed(d, you, d.choose("dj"), 0.0)
        if any(word.text == "your" for word in made.ing):
            raise Unfit
        asked = d.choose(("how about", "how about", "what about"))
        return Clause(
            [*words(asked, node), *made.ing], [*made.before("present"), *words("것이 어떠니", node)]
        )
    made = deed(d, you, d.choose("fm"), 0.0)
    texts = {word.text for word in made.ing}
    if texts & {"your", "medicine"} or made.korean.stem in ("주", "합격하"):
        raise Unfit
    p = made.korean
    korean = [*made.around, *p.before, Word(infinitive(p.stem, p.irregular), p.nodes)]
    return Clause([*words("would you mind", node), *made.ing], [*korean, *words("주겠니", node)])


def i_wish(d: Derivation) -> Clause:
    """I wish I could fly: 나는 날 수 있으면 좋겠다. I wish you were here: 네가 여기에 있으면."""
    node, own = d.node(), d.node()
    subject = pronoun(d, 0)
    last = words("좋겠다", node)
    if d.chance(0.5):
        made = deed(d, subject, d.choose("dkj"), 0.0)
        can = d.node()
        could = [*subject.english, Word("wish", (node,)), Word("I", subject.english[0].nodes)]
        could += [Word("could", (can,)), *made.base]
        able = [*made.before("future"), *words("수 있으면", can)]
        return Clause(could, [*subject.marked(TOPIC), *able, *last])
    other = pronoun(d, d.choose((1, 1, 2, 3, 5)))
    english, korean = d.choose(WISHED)
    text = other.english[0].text
    part = [*other.english, *words(english, own)]
    spoken = [*other.marked(SUBJECT), *words(korean, own)]
    if (text == "she" and "brother" in english) or (text in ("you", "they") and "my" in english):
        raise Unfit
    return Clause(
        [*subject.english, Word("wish", (node, *subject.english[0].nodes)), *part],
        [*subject.marked(TOPIC), *spoken, *last],
    )


WISHED = (
    ("were here", "여기에 있으면"),
    ("were here", "여기에 있으면"),
    ("were happy", "행복하면"),
    ("were my friend", "내 친구면"),
    ("were at home", "집에 있으면"),
    ("were with me", "나와 함께 있으면"),
    ("could come", "올 수 있으면"),
    ("could stay", "머무를 수 있으면"),
    ("could help me", "나를 도울 수 있으면"),
    ("could see me", "나를 볼 수 있으면"),
    ("loved me", "나를 사랑하면"),
    ("liked me", "나를 좋아하면"),
    ("knew the truth", "진실을 알면"),
    ("had more time", "시간이 더 있으면"),
    ("lived here", "여기에 살면"),
)
