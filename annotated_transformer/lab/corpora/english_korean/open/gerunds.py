"""Good at singing, thank you for helping, looking forward to seeing you: 노래를 잘한다. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.compound import person
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.morphology import OBJECT, attach
from annotated_transformer.lab.corpora.english_korean.open.deeds import deed

# What one is good at: English, Korean with 잘 or 못 before the verb.
SKILLS = tuple(
    tuple(line.split(" | "))
    for line in """
singing | 노래를 | 하
singing | 노래를 | 하
dancing | 춤을 | 추
dancing | 춤을 | 추
swimming | 수영을 | 하
swimming | 수영을 | 하
cooking | 요리를 | 하
cooking | 요리를 | 하
drawing | 그림을 | 그리
painting | 그림을 | 그리
driving | 운전을 | 하
writing | 글을 | 쓰
skiing | 스키를 | 타
skating | 스케이트를 | 타
baking | 빵을 | 굽
speaking English | 영어를 | 하
speaking Korean | 한국어를 | 하
playing the piano | 피아노를 | 치
playing the guitar | 기타를 | 치
playing the violin | 바이올린을 | 켜
playing soccer | 축구를 | 하
playing basketball | 농구를 | 하
playing tennis | 테니스를 | 치
playing chess | 체스를 | 두
playing games | 게임을 | 하
taking pictures | 사진을 | 찍
riding a bike | 자전거를 | 타
telling stories | 이야기를 | 하
telling jokes | 농담을 | 하
making friends | 친구를 | 사귀
""".strip().splitlines()
)
# Adjective and preposition, whether Korean 것을 or another noun, stem, kind.
OF_DOING = (
    ("afraid of", "을", "무서워하", "verb"),
    ("afraid of", "을", "무서워하", "verb"),
    ("interested in", "에", "관심이 있", "adjective"),
    ("interested in", "에", "관심이 있", "adjective"),
    ("tired of", "에", "싫증이 나", "R"),
    ("tired of", "에", "싫증이 나", "R"),
)
FRIGHTENING = ("driving", "swimming", "riding", "skiing", "traveling", "dancing", "singing")
FEARED = (
    ("the dark", "어둠"),
    ("the dark", "어둠"),
    ("ghosts", "귀신"),
    ("the water", "물"),
    ("heights", "높은 곳"),
    ("spiders", "거미"),
    ("the dentist", "치과 의사"),
    ("thunder", "천둥"),
    ("fire", "불"),
    ("everything", "모든 것"),
)


def good_at_doing(d: Derivation) -> Clause:
    """I am good at singing: 나는 노래를 잘한다. She is afraid of driving: 무서워한다."""
    subject = person(d)
    node, be, act = d.node(), d.node(), d.node()
    kind = d.weighted((("skill", 0.55), ("of", 0.35), ("dark", 0.1)))
    flags: frozenset[str] = frozenset()
    if kind == "skill":
        english, thing, stem = d.choose(SKILLS)
        how_well, korean = d.choose((*(("good", "잘"),) * 3, ("bad", "못")))
        if stem == "하":
            predicate = Predicate(words(thing, act), korean + "하", "", "verb", (node, be, act))
        else:
            before = [*words(thing, act), Word(korean, (node, be))]
            predicate = Predicate(before, stem, "ㅂ" if stem == "굽" else "", "verb", (act,))
        tail = [*words(f"{how_well} at", node), *words(english, act)]
        flags = frozenset("n" if how_well == "good" else "")
        if how_well == "bad" and stem != "하":
            raise Unfit
    elif kind == "dark":
        english, thing = d.choose(FEARED)
        *first, last = thing.split(" ")
        noun = [*(Word(text, (act,)) for text in first), Word(attach(last, OBJECT), (act,))]
        predicate = Predicate(noun, "무서워하", "", "verb", (node, be))
        tail = [*words("afraid of", node), *words(english, act)]
    else:
        made = deed(d, subject, "j", 0.0)
        adjective, particle, korean, form = d.choose(OF_DOING)
        if adjective == "afraid of" and made.ing[0].text not in FRIGHTENING:
            raise Unfit
        *first, last = korean.split(" ")
        before = [*made.gerund(particle, node), *(Word(text, (node,)) for text in first)]
        predicate = Predicate(
            before, last, "", "adjective" if form == "adjective" else "verb", (node, be)
        )
        flags = frozenset("R" if form == "R" else "")
        tail = [*words(adjective, node), *made.ing]
    said = Said(subject, EnglishVerb("be", "", "", "", be, tail), predicate, (), flags)
    asked = subject.english[0].text == "you" and d.chance(0.6)
    how = How(
        "past" if d.chance(0.12) else "present",
        "",
        not asked and "R" not in flags and d.chance(0.22),
    )
    if how.negated and kind == "skill" and "bad" in [word.text for word in tail]:
        raise Unfit
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


# For what one thanks: with -ing form, Korean before 줘서.
THANKED = tuple(
    tuple(line.split(" | "))
    for line in """
helping me | 나를 도와줘서
helping us | 우리를 도와줘서
inviting me | 나를 초대해
inviting us | 우리를 초대해
calling me | 나에게 전화해
waiting | 기다려
waiting for me | 나를 기다려
visiting me | 나를 방문해
telling me | 나에게 말해
telling me the truth | 나에게 진실을 말해
teaching me | 나를 가르쳐
teaching me Korean | 나에게 한국어를 가르쳐
listening | 들어
listening to me | 내 말을 들어
coming today | 오늘 와
coming to my party | 내 파티에 와
coming to the party | 파티에 와
cooking dinner | 저녁을 만들어
making dinner | 저녁을 만들어
cleaning the room | 방을 청소해
washing the dishes | 설거지해
buying me a coffee | 나에게 커피를 사
lending me the book | 나에게 책을 빌려
sending me the picture | 나에게 사진을 보내
fixing my computer | 내 컴퓨터를 고쳐
fixing the car | 자동차를 고쳐
understanding | 이해해
understanding me | 나를 이해해
taking care of my dog | 내 개를 돌봐
driving me home | 나를 집까지 태워
being here | 여기에 있어
being my friend | 내 친구가 되어
""".strip().splitlines()
)
SORRY = tuple(
    tuple(line.split(" | "))
    for line in """
being late again | 또 늦어서
being so late | 이렇게 늦어서
breaking the cup | 컵을 깨서
breaking the window | 창문을 깨서
breaking your phone | 네 전화를 깨서
forgetting your birthday | 네 생일을 잊어버려서
forgetting your name | 네 이름을 잊어버려서
losing your book | 네 책을 잃어버려서
losing your umbrella | 네 우산을 잃어버려서
not calling you | 너에게 전화하지 않아서
not helping you | 너를 돕지 않아서
not coming | 오지 않아서
not coming to the party | 파티에 오지 않아서
lying | 거짓말해서
lying to you | 너에게 거짓말해서
shouting at you | 너에게 소리쳐서
waking you up | 너를 깨워서
making you wait | 너를 기다리게 해서
making you cry | 너를 울게 해서
making a mistake | 실수해서
saying that | 그렇게 말해서
leaving early | 일찍 떠나서
eating your cake | 네 케이크를 먹어서
""".strip().splitlines()
)


def thanks_for(d: Derivation) -> Clause:
    """Thank you for helping me: 나를 도와줘서 고맙다. I am sorry for being late again: 미안하다."""
    node, act = d.node(), d.node()
    if d.chance(0.55):
        english, korean = d.choose(THANKED)
        head = d.choose(("thank you for", "thank you for", "thanks for", "thank you so much for"))
        give = [] if korean.endswith("줘서") else words("줘서", act)
        last = words("고맙다", node)
        if head == "thank you so much for":
            last = words("정말 고맙다", node)
        return Clause(
            [*words(head, node), *words(english, act)], [*words(korean, act), *give, *last]
        )
    english, korean = d.choose(SORRY)
    head = d.choose(("I am sorry for", "I am sorry for", "sorry for", "I am so sorry for"))
    last = words("정말 미안하다" if " so " in head else "미안하다", node)
    return Clause([*words(head, node), *words(english, act)], [*words(korean, act), *last])


def looking_forward(d: Derivation) -> Clause:
    """I am looking forward to seeing you: 나는 너를 만나기를 고대하고 있다."""
    subject = person(d)
    node = d.node()
    if d.chance(0.4):
        english, korean = d.choose(AWAITED)
        thing = d.node()
        part = Clause([*words("forward to", node), *words(english, thing)], words(korean, thing))
    else:
        made = deed(d, subject, "d", 0.0)
        part = Clause([*words("forward to", node), *made.ing], made.stem_with("기를"))
    verb = EnglishVerb("look", "looks", "looked", "looking", node, [])
    said = Said(subject, verb, Predicate([], "고대하", "", "verb", (node,)), (part,))
    tense = d.choose(("progressive", "progressive", "progressive", "past progressive"))
    asked = subject.english[0].text == "you" and d.chance(0.6)
    return clause(d, said, How(tense), ending="니" if asked else "다", asked=asked)


AWAITED = (
    *(("seeing you", "너를 만나기를"), ("meeting you", "너를 만나기를"), ("the party", "파티를")),
    *(("the trip", "여행을"), ("summer", "여름을"), ("Christmas", "크리스마스를")),
    *(("the weekend", "주말을"), ("the concert", "콘서트를"), ("the vacation", "방학을")),
    *(
        ("hearing from you", "네 소식을 듣기를"),
        ("it", "그것을"),
        ("seeing you again", "너를 다시 만나기를"),
    ),
)
