"""The old man who lives in the small house has three dogs and a cat, is my uncle. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.morphology import SUBJECT, attach
from annotated_transformer.lab.corpora.english_korean.open.numerals import numeral
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, article

WHO = tuple(
    tuple(line.split(" | "))
    for line in """
lives lived in the small house | 작은 집에 | 사는
lives lived in the big house | 큰 집에 | 사는
lives lived in the old house | 오래된 집에 | 사는
lives lived next door | 옆집에 | 사는
lives lived next door | 옆집에 | 사는
lives lived in Seoul | 서울에 | 사는
lives lived in Busan | 부산에 | 사는
lives lived in London | 런던에 | 사는
lives lived in the village | 마을에 | 사는
lives lived in my town | 우리 동네에 | 사는
lives lived near the park | 공원 근처에 | 사는
lives lived near the school | 학교 근처에 | 사는
lives lived above us | 우리 위층에 | 사는
works worked at the bank | 은행에서 | 일하는
works worked at the hospital | 병원에서 | 일하는
works worked in the garden | 정원에서 | 일하는
works worked with me | 나와 함께 | 일하는
works worked here | 여기에서 | 일하는
teaches taught me English | 나에게 영어를 | 가르치는
sits sat next to me | 내 옆에 | 앉는
plays played the piano | 피아노를 | 치는
sings sang well | 노래를 | 잘하는
has had long hair | 머리가 | 긴
has had a red car | 빨간 자동차를 | 가진
is was wearing a red hat | 빨간 모자를 | 쓴
is was wearing a black coat | 검은 외투를 | 입은
is was wearing glasses | 안경을 | 쓴
is was standing there | 저기에 | 서_있는
is was standing by the door | 문 옆에 | 서_있는
is was sitting on the bench | 벤치에 | 앉아_있는
is was sitting over there | 저기에 | 앉아_있는
is was talking to Tom | 톰과 | 이야기하고_있는
is was reading a book | 책을 | 읽고_있는
helped helped me | 나를 | 도와준
helped helped us | 우리를 | 도와준
called called me yesterday | 어제 나에게 | 전화한
came came to the party | 파티에 | 온
won won the race | 경주에서 | 이긴
wrote wrote this book | 이 책을 | 쓴
found found my wallet | 내 지갑을 | 찾은
stole stole my bag | 내 가방을 | 훔친
broke broke the window | 창문을 | 깬
bought bought the flowers | 꽃을 | 산
""".strip().splitlines()
)
DOERS = tuple(
    tuple(line.split(" | "))
    for line in """
old man | 나이 많은 남자
old man | 나이 많은 남자
man | 남자
man | 남자
woman | 여자
woman | 여자
old woman | 나이 많은 여자
young man | 젊은 남자
young woman | 젊은 여자
boy | 소년
girl | 소녀
tall man | 키 큰 남자
tall boy | 키 큰 소년
teacher | 선생님
doctor | 의사
student | 학생
nurse | 간호사
farmer | 농부
kind woman | 친절한 여자
rich man | 부유한 남자
poor man | 가난한 남자
beautiful woman | 아름다운 여자
""".strip().splitlines()
)
OWNED = (
    (("dog", "dogs", "개", "마리"), ("cat", "cats", "고양이", "마리"),
     ("rabbit", "rabbits", "토끼", "마리"),
     ("bird", "birds", "새", "마리"),
     ("horse", "horses", "말", "마리"), ("cow", "cows", "소", "마리"),
     ("pig", "pigs", "돼지", "마리"), ("duck", "ducks", "오리", "마리")),
    (("son", "sons", "아들", "명"), ("daughter", "daughters", "딸", "명")),
    (("son", "sons", "아들", "명"), ("daughter", "daughters", "딸", "명")),
    (("car", "cars", "자동차", "대"), ("bike", "bikes", "자전거", "대"),
     ("truck", "trucks", "트럭", "대")),
    (("pen", "pens", "펜", "자루"), ("hat", "hats", "모자", "개"), ("bag", "bags", "가방", "개")),
)  # fmt: skip
ROLES = (
    *(
        ("my brother", "내 남동생"),
        ("my uncle", "우리 삼촌"),
        ("my friend", "내 친구"),
        ("my father", "우리 아버지"),
    ),
    *(
        ("my sister", "내 여동생"),
        ("my aunt", "우리 이모"),
        ("my teacher", "내 선생님"),
        ("my mother", "우리 어머니"),
    ),
    *(
        ("a doctor", "의사"),
        ("a nurse", "간호사"),
        ("a teacher", "선생님"),
        ("a writer", "작가"),
        ("a singer", "가수"),
    ),
    *(
        ("a student", "학생"),
        ("a lawyer", "변호사"),
        ("our neighbor", "우리 이웃"),
        ("a police officer", "경찰관"),
    ),
)
FEMALE = ("my sister", "my aunt", "my mother")
PARENTS = ("father", "uncle", "mother", "aunt")
MALE = ("my brother", "my uncle", "my father")


def one_who(d: Derivation) -> tuple[NounPhrase, str]:
    """Return "the man who lives next door", 옆집에 사는 남자, and who it is."""
    forms, around, verb = d.choose(WHO)
    doer, korean_doer = d.choose(DOERS)
    present, _, *rest = forms.split(" ")
    head, who, act, where = d.node(), d.node(), d.node(), d.node()
    *adjective, noun = doer.split(" ")
    *korean_adjective, korean_noun = korean_doer.rsplit(" ", 1)
    own = d.node()
    english = [
        *words("the", head),
        *(Word(text, (own,)) for text in adjective),
        Word(noun, (head,)),
    ]
    if present != "is" or d.chance(0.6):  # else "the man standing there"
        english += [*words("who", who), Word(present, (act,))]
    english += words(" ".join(rest), where)
    *before, last = verb.split("_")
    korean = [
        *words(around, where),
        *(Word(text, (act, where)) for text in before),
        Word(last, (act, who, where)),
    ]
    for part in korean_adjective:
        korean += words(part, own)
    return NounPhrase(english, [*korean, Word(korean_noun, (head,))], head, "3s"), doer


def _some_owned(d: Derivation) -> Clause:
    """Return "three dogs and a cat", 개 세 마리와 고양이 한 마리가, "two sons", 아들이 두 명."""
    kind = d.choose(OWNED)
    two = d.chance(0.6)
    chosen: list[tuple[str, ...]] = []
    for _ in range(2 if two else 1):
        item = d.choose(kind)
        if item in chosen:
            raise Unfit
        chosen.append(item)
    english: Words = []
    korean: Words = []
    for i, (one, many, name, counter) in enumerate(chosen):
        number = d.choose((1, 1, 2, 3, 4, 5, 2, 3))
        node, own, link = d.node(), d.node(), d.node()
        if number == 1:
            typed, spoken = words(article(one), own), [*words("한", own), *words(counter, node)]
        else:
            typed, spoken = numeral(d, number, counter, own, node)
        if i:
            english += words("and", link)
            last = korean[-1]
            korean[-1] = Word(attach(last.text, ("과", "와")), (*last.nodes, link))
        english += [*typed, *words(one if number == 1 else many, node)]
        if not two:
            korean = [Word(attach(name, SUBJECT), (node,)), *spoken]
            continue
        korean += [*words(name, node), *spoken]
    if two:
        korean[-1] = Word(attach(korean[-1].text, SUBJECT), korean[-1].nodes)
    if not two and korean[1].text == "한":
        raise Unfit
    return Clause(english, korean)


def one_who_has(d: Derivation) -> Clause:
    """The old man who lives in the small house has three dogs and a cat: 개 세 마리와 고양이."""
    subject, doer = one_who(d)
    node = d.node()
    kind = d.weighted((("has", 0.4), ("is", 0.3), ("quality", 0.15), ("does", 0.15)))
    said_english = [word.text for word in subject.english]
    if kind == "has":
        if "has" in said_english:
            raise Unfit
        part = _some_owned(d)
        verb = EnglishVerb("have", "has", "had", "having", node, [])
        said = Said(subject, verb, Predicate([], "있", "", "adjective", (node,)), (part,))
        return clause(d, said, How("past" if d.chance(0.1) else "present"))
    if kind == "is":
        english, korean = d.choose(ROLES)
        if doer.split(" ")[-1] in ("woman", "girl") and english in MALE:
            raise Unfit
        if doer.split(" ")[-1] in ("man", "boy") and english in FEMALE:
            raise Unfit
        if doer in ("teacher", "doctor", "student", "nurse", "farmer") and english.startswith("a "):
            raise Unfit
        if doer in ("boy", "girl", "tall boy") and english not in (
            *MALE,
            *FEMALE,
            "my friend",
            "a student",
        ):
            raise Unfit
        if doer in ("boy", "girl", "tall boy") and english.split(" ")[-1] in PARENTS:
            raise Unfit
        if english == "my teacher" and doer == "teacher":
            raise Unfit
        own = d.node()
        *before, noun = korean.split(" ")
        predicate = Predicate([Word(t, (own,)) for t in before], noun, "", "copula", (own, node))
        be = EnglishVerb("be", "", "", "", node, words(english, own))
        asked = d.chance(0.1)
        how = How("past" if d.chance(0.1) else "present", "", not asked and d.chance(0.1))
        return clause(
            d, Said(subject, be, predicate), how, ending="니" if asked else "다", asked=asked
        )
    if kind == "quality":
        english, korean, irregular = d.choose(KIND)
        own = d.node()
        very = d.node()
        much = d.chance(0.4)
        tail = [*(words("very", very) if much else []), *words(english, own)]
        much_so = words("아주", very) if much else []
        *more, stem = korean.split(" ")
        much_so += [Word(text, (own,)) for text in more]
        predicate = Predicate(much_so, stem, irregular, "adjective", (own, node))
        said = Said(subject, EnglishVerb("be", "", "", "", node, tail), predicate)
        return clause(d, said, How("past" if d.chance(0.4) else "present"))
    forms, korean = d.choose(DID)
    base, third, past, *rest = forms.split(" ")
    *before, stem = korean.split(" ")
    predicate = Predicate([Word(t, (node,)) for t in before], stem, "", "verb", (node,))
    verb = EnglishVerb(base, third, past, "", node, [Word(t, (node,)) for t in rest])
    tense = d.choose(("past", "present"))
    if base in said_english or third in said_english or past in said_english:
        raise Unfit
    return clause(d, Said(subject, verb, predicate), How(tense))


KIND = (
    ("kind", "친절하", ""),
    ("kind", "친절하", ""),
    ("rich", "부유하", ""),
    ("friendly", "다정하", ""),
    ("busy", "바쁘", ""),
    ("famous", "유명하", ""),
    ("tall", "키가 크", ""),
    ("smart", "똑똑하", ""),
    ("beautiful", "아름답", "ㅂ"),
    ("honest", "정직하", ""),
    ("strong", "강하", ""),
)
DID = (
    ("like likes liked music", "음악을 좋아하"),
    ("love loves loved dogs", "개를 사랑하"),
    ("know knows knew my father", "우리 아버지를 알"),
    ("want wants wanted to help us", "우리를 돕고 싶어 하"),
    ("want wants wanted to see you", "너를 보고 싶어 하"),
    ("go goes went to church every Sunday", "일요일마다 교회에 가"),
    ("buy buys bought flowers every day", "매일 꽃을 사"),
    ("drink drinks drank coffee every morning", "매일 아침 커피를 마시"),
    ("make makes made good bread", "좋은 빵을 만들"),
)
