"""I forgot to call her, he tried to open the door, it started to rain, stop crying. CC0."""

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
from annotated_transformer.lab.corpora.english_korean.morphology import SUBJECT
from annotated_transformer.lab.corpora.english_korean.open.deeds import Deed, deed
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, pronoun


def _said(
    subject: NounPhrase, forms: str, stem: str, complement: Clause, node: int, *, kind: str = "verb"
) -> Said:
    base, third, past, ing, *tail = forms.split(" ")
    verb = EnglishVerb(base, third, past, ing, node, [Word(text, (node,)) for text in tail])
    *before, last = stem.split(" ")
    predicate = Predicate([Word(text, (node,)) for text in before], last, "", kind, (node,))
    return Said(subject, verb, predicate, (complement,))


def _to(d: Derivation, made: Deed, *, deny: int = 0) -> Clause:
    """Return "to call", "not to call", whose "to" the node of the verb expresses."""
    head = [*(words("not", deny) if deny else []), *words("to", *made.korean.nodes[:1])]
    return Clause([*head, *made.base], [])


def forget_to(d: Derivation) -> Clause:
    """I forgot to call her: 나는 그녀에게 전화하는 것을 잊어버렸다. Do not forget to: 잊지 마라."""
    node, no = d.node(), d.node()
    if d.chance(0.3):
        made = deed(d, pronoun(d, 1), "f", 0.0)
        kind = d.choose(("do not", "do not", "never", "please", "remember", "remember"))
        english = _to(d, made).english
        if kind == "remember":
            last = words("기억해라", node)
            return Clause([*words("remember", node), *english], [*made.gerund("을"), *last])
        head = {"please": "please do not"}.get(kind, kind)
        ending = "말아 줘" if kind == "please" else "마라"
        korean = [*made.gerund("을"), Word("잊지", (node,)), *words(ending, no)]
        if kind == "never":
            korean = [*made.gerund("을"), *words("절대", no), *words("잊지 마라", node)]
        return Clause([*words(head, no), *words("forget", node), *english], korean)
    subject = person(d)
    made = deed(d, subject, "f", 0.0)
    english = _to(d, made).english
    asked = subject.english[0].text == "you" and d.chance(0.5)
    how = How("past" if d.chance(0.9) else "future", "", d.chance(0.15))
    remembering = d.chance(0.2) and not how.negated
    if remembering:
        forms, stem = "remember remembers remembered remembering", "기억하"
    else:
        forms, stem = "forget forgets forgot forgetting", "잊" if how.negated else "잊어버리"
    asked = asked and not how.negated
    said = _said(subject, forms, stem, Clause(english, made.gerund("을")), node)
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


def try_to(d: Derivation) -> Clause:
    """I tried to open the door: 나는 문을 열려고 했다. I am trying to: 노력하고 있다."""
    subject = person(d)
    made = deed(d, subject, "t", 0.15)
    tense = d.choose(("past", "past", "past", "progressive", "present", "future"))
    node, no = d.node(), d.node()
    deny = tense == "past" and d.chance(0.15)
    avoiding = [*made.stem_with("지"), Word("않으려고", (no,))]
    korean = avoiding if deny else made.meaning_to()
    stem = "하" if tense == "past" else "노력하"
    complement = Clause(_to(d, made, deny=no if deny else 0).english, korean)
    asked = subject.english[0].text == "you" and tense == "progressive"
    said = _said(subject, "try tries tried trying", stem, complement, node)
    return clause(d, said, How(tense), ending="니" if asked else "다", asked=asked)


def start_to(d: Derivation) -> Clause:
    """It started to rain: 비가 오기 시작했다. She stopped crying: 그녀는 우는 것을 멈췄다."""
    node = d.node()
    if d.chance(0.15):
        falls, korean = d.choose((("rain", "비가"), ("snow", "눈이")))
        sky = d.node()
        tense = d.choose(("past", "past", "past", "present"))
        verb = d.choose((("started", "starts"), ("began", "begins")))[tense == "present"]
        ing = d.chance(0.4)
        rest = words(falls + "ing", sky) if ing else words(f"to {falls}", sky)
        done = "시작했다" if tense == "past" else "시작한다"
        english = [*words("it", sky), *words(verb, node), *rest]
        return Clause(english, [*words(korean, sky), *words("오기", sky), *words(done, node)])
    subject = person(d)
    kind = d.choose(("start", "start", "begin", "stop", "stop", "finish", "keep"))
    letter = {"start": "s", "begin": "s", "stop": "p", "finish": "l", "keep": "p"}[kind]
    made = deed(d, subject, letter, 0.1 if kind == "start" else 0.0)
    tense = "past" if d.chance(0.8) else "future"
    if kind in ("start", "begin"):
        forms = {"start": "start starts started starting", "begin": "begin begins began beginning"}
        ing = d.chance(0.4)
        english = made.ing if ing else _to(d, made).english
        said = _said(subject, forms[kind], "시작하", Clause(english, made.stem_with("기")), node)
        return clause(d, said, How(tense))
    if kind == "keep":
        p = made.korean
        going_on = Predicate([Word("계속", (node,))], p.stem, p.irregular, "verb", p.nodes)
        part = Clause(made.ing, made.around)
        keep = EnglishVerb("keep", "keeps", "kept", "keeping", node, [])
        return clause(d, Said(subject, keep, going_on, (part,)), How(tense))
    ending_of, stem = {
        "stop": ("stop stops stopped stopping", "멈추"),
        "finish": ("finish finishes finished finishing", "끝내"),
    }[kind]
    said = _said(subject, ending_of, stem, Clause(made.ing, made.gerund("을")), node)
    negated = d.chance(0.15)
    return clause(d, said, How(tense, "", negated))


def stop_it(d: Derivation) -> Clause:
    """Stop crying: 그만 울어라. Keep walking: 계속 걸어라. Start working: 일하기 시작해라."""
    you = pronoun(d, 1)
    made = deed(d, you, "p", 0.0)
    node, polite = d.node(), d.node()
    word, korean = d.choose((("stop", "그만"), ("stop", "그만"), ("keep", "계속")))
    please = d.chance(0.3)
    grow = endings.request(made.korean, polite) if please else endings.command(made.korean)
    head = words("please", polite) if please else []
    return Clause(
        [*head, *words(word, node), *made.ing], [*made.around, *words(korean, node), *grow]
    )


# Forms and tail, ending of the Korean verb, what follows it, and whether "not to" can be said.
DECIDING = (
    ("decide decides decided deciding", "기로", "결정하", "past", True),
    ("decide decides decided deciding", "기로", "결정하", "past", True),
    ("promise promises promised promising", "기로", "약속하", "past", True),
    ("promise promises promised promising", "기로", "약속하", "past", True),
    ("agree agrees agreed agreeing", "기로", "동의하", "past", False),
    ("refuse refuses refused refusing", "기를", "거부하", "past", False),
    ("hope hopes hoped hoping", "기를", "바라", "present", False),
    ("hope hopes hoped hoping", "기를", "바라", "present", False),
    ("plan plans planned planning", "ㄹ", "계획", "present", False),
    ("plan plans planned planning", "ㄹ", "계획", "planning", False),
)


def decide_to(d: Derivation) -> Clause:
    """He decided to become a doctor: 그는 의사가 되기로 결정했다. I plan to: -할 계획이다."""
    subject = person(d)
    made = deed(d, subject, "d", 0.2)
    forms, ending, stem, tense, refusable = d.choose(DECIDING)
    node, no = d.node(), d.node()
    if ending == "ㄹ":
        korean = made.before("future")
        said = _said(
            subject, forms, stem, Clause(_to(d, made).english, korean), node, kind="copula"
        )
        if tense == "planning":
            verb = EnglishVerb("be", "", "", "", node, words("planning", node))
            return clause(
                d, said._replace(english=verb), How("past" if d.chance(0.3) else "present")
            )
        return clause(d, said, How("past" if d.chance(0.3) else "present"))
    deny = refusable and d.chance(0.2)
    refused = [*made.stem_with("지"), Word("않" + ending, (no,))]
    part = refused if deny else made.stem_with(ending)
    complement = Clause(_to(d, made, deny=no if deny else 0).english, part)
    said = _said(subject, forms, stem, complement, node)
    return clause(d, said, How(tense))


# What one sees and hears somebody do.
SEEN = """cry crying 울|dance dancing 춤추|run running 달리|walk walking 걷|swim swimming 수영하
play playing 놀|eat eating 먹|work working 일하|sleep sleeping 자|smile smiling 웃
fight fighting 싸우|wait waiting 기다리|drive driving 운전하|cook cooking 요리하"""
HEARD = """sing singing 노래하|cry crying 울|laugh laughing 웃|shout shouting 소리치
talk talking 이야기하"""
DONE_BY_DOGS = ("run", "walk", "swim", "play", "eat", "sleep", "fight")
PLACES = (
    ("in the park", "공원에서"),
    ("in the street", "거리에서"),
    ("in the garden", "정원에서"),
    ("on the beach", "해변에서"),
    ("in the kitchen", "부엌에서"),
    ("at school", "학교에서"),
    ("in the room", "방에서"),
)


def saw_dancing(d: Derivation) -> Clause:
    """I saw her dancing: 나는 그녀가 춤추는 것을 봤다. We heard a baby crying: 아기가 우는 것을."""
    subject = person(d)
    hearing = d.chance(0.35)
    text = HEARD if hearing else SEEN
    row = d.choose(text.replace("\n", "|").split("|"))
    base, ing, stem = row.split(" ")
    node, act, where = d.node(), d.node(), d.node()
    other = _watched(d, subject, animal=base in DONE_BY_DOGS and d.chance(0.25))
    if base in ("swim", "drive", "cook"):
        places: tuple[tuple[str, str], ...] = ()
    else:
        places = PLACES
    follow: Words = []
    around: Words = []
    if places and d.chance(0.3):
        english, korean = d.choose(places)
        follow, around = words(english, where), words(korean, where)
    irregular = "ㄷ" if stem == "걷" else ""
    seen = endings.finished(Predicate([], stem, irregular, "verb", (act,)), "present", "는")
    bare = d.chance(0.12)
    body = [*other.english, *words(base if bare else ing, act), *follow]
    part = [*other.marked(SUBJECT), *around, *seen, Word("것을", (act,))]
    if hearing:
        verb = EnglishVerb("hear", "hears", "heard", "hearing", node, [])
        predicate = Predicate([], "듣", "ㄷ", "verb", (node,))
    else:
        name = d.choose(("see see", "see see", "watch watch"))
        verb = (
            EnglishVerb("see", "sees", "saw", "seeing", node, [])
            if name == "see see"
            else EnglishVerb("watch", "watches", "watched", "watching", node, [])
        )
        predicate = Predicate([], "보", "", "verb", (node,))
    asked = subject.english[0].text == "you" and d.chance(0.5)
    how = How("past", "", not asked and d.chance(0.12))
    flags = frozenset("" if verb.base == "watch" else "n")
    said = Said(subject, verb, predicate, (Clause(body, part),), flags)
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


def _watched(d: Derivation, subject: NounPhrase, *, animal: bool) -> NounPhrase:
    """Return who is seen: her, a boy, my brother, a dog; Korean says 그녀가."""
    kind = d.weighted((("pronoun", 0.5), ("a", 0.3), ("name", 0.2)))
    kind = "a" if animal else kind
    if kind == "pronoun":
        subject_word = subject.english[0].text
        nominative = d.choose(("I", "you", "he", "she", "he", "she", "they"))
        if nominative == subject_word or {nominative, subject_word} == {"I", "we"}:
            raise Unfit
        unclear = {nominative, subject_word} <= {"he", "they", "she"}
        if unclear and subject_word != "he" and nominative != "she":
            raise Unfit
        index = ("I", "you", "he", "she", "we", "they").index(nominative)
        return pronoun(d, index, is_object=True)
    node = d.node()
    if kind == "a":
        animals = "a dog 개|a cat 고양이|a dog 개"
        names = "a boy 소년|a girl 소녀|a man 남자|a woman 여자|a baby 아기|a child 아이"
        name = d.choose((animals if animal else names).split("|"))
        article, english, korean = name.split(" ")
        return NounPhrase(words(f"{article} {english}", node), words(korean, node), node, "3s")
    noun = d.choose(d.lexicon.nouns("name"))
    if noun == subject.noun:
        raise Unfit
    return NounPhrase(words(noun.english, node), words(noun.korean, node), node, "3s", noun)
