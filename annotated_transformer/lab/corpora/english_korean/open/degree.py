"""So tired that I fell asleep, so cold that we stayed home, old enough: 피곤해서. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.compound import (
    _again,
    person,
)
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate, finished
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.morphology import TOPIC, adnominal
from annotated_transformer.lab.corpora.english_korean.phrases import pronoun

# What follows so much of it: English in the past, Korean, irregular, and the states it follows.
FOLLOWS = tuple(
    tuple(line.split(" | "))
    for line in """
fell asleep | 잠들 | tired,sleepy,bored
slept all day | 하루 종일 자 | tired,sleepy,sick
went to bed early | 일찍 잠자리에 들 | tired,sleepy,sick
went home | 집에 가 | tired,sick,bored,angry,sad,upset,hungry
went home early | 일찍 집에 가 | tired,sick,bored
stayed in bed | 침대에 누워 있 | tired,sick
stayed home | 집에 머무르 | tired,sick,busy,sad,lazy
cried | 울 | sad,happy,lonely,upset,scared,angry
started to cry | 울기 시작하 | sad,happy,lonely,upset,scared,angry
cried all night | 밤새 울 | sad,lonely,upset
left | 떠나 | angry,bored,upset
left the room | 방을 나가 | angry,bored,upset
shouted | 소리치 | angry,scared,happy
broke the window | 창문을 깨 | angry,strong
threw the book | 책을 던지 | angry
ate everything | 모든 것을 먹 | hungry
ate two hamburgers | 햄버거를 두 개 먹 | hungry
ate the whole pizza | 피자를 전부 먹 | hungry
drank all the water | 물을 전부 마시 | thirsty
drank three glasses of water | 물을 세 잔 마시 | thirsty
ran away | 도망가 | scared
screamed | 비명을 지르 | scared,surprised,excited,angry
jumped | 뛰 | happy,excited,surprised
could not sleep | 잘 수 없 | excited,worried,nervous,hungry,sad
could not speak | 말할 수 없 | surprised,nervous,sad,angry
could not study | 공부할 수 없 | tired,sleepy,hungry,worried
could not work | 일할 수 없 | tired,sick,worried
could not walk | 걸을 수 없 | tired
closed my eyes | 눈을 감 | scared,tired
danced | 춤추 | happy
hugged everyone | 모든 사람을 껴안 | happy
forgot to eat lunch | 점심을 먹는 것을 잊어버리 | busy
forgot my birthday | 내 생일을 잊어버리 | busy
worked all night | 밤새 일하 | busy
did not eat lunch | 점심을 먹지 않 | busy,sick,sad
did not go to school | 학교에 가지 않 | sick,tired,lazy
did not go to work | 직장에 가지 않 | sick,tired,lazy
did not say anything | 아무 말도 하지 않 | angry,nervous,tired,sad
called a doctor | 의사에게 전화하 | sick,worried
went to the hospital | 병원에 가 | sick
went to see a doctor | 의사를 만나러 가 | sick
became a model | 모델이 되 | tall
bought a big house | 큰 집을 사 | rich
bought three cars | 자동차를 세 대 사 | rich
helped everyone | 모든 사람을 도와주 | kind,strong
passed the test | 시험에 합격하 | smart,lucky
""".strip().splitlines()
)
REASONS = {
    "tired": "피곤해서", "sleepy": "졸려서", "bored": "심심해서", "sick": "아파서",
    "angry": "화가 나서", "sad": "슬퍼서", "upset": "속상해서", "hungry": "배고파서",
    "thirsty": "목말라서", "scared": "무서워서", "happy": "행복해서", "lonely": "외로워서",
    "busy": "바빠서", "lazy": "게을러서", "nervous": "긴장돼서", "worried": "걱정돼서",
    "strong": "강해서", "tall": "키가 커서", "rich": "부유해서", "kind": "친절해서",
    "smart": "똑똑해서", "lucky": "운이 좋아서", "excited": "신나서", "surprised": "놀라서",
}  # fmt: skip
WEATHER = (
    ("cold", "추워서"),
    ("hot", "더워서"),
    ("dark", "어두워서"),
    ("windy", "바람이 불어서"),
    ("warm", "따뜻해서"),
)
WEATHERED = (
    ("cold hot windy dark", "stayed home", "집에 머물렀다"),
    ("cold hot windy dark", "stayed at home", "집에 머물렀다"),
    ("cold hot windy dark", "did not go out", "밖에 나가지 않았다"),
    ("cold windy", "closed the window", "창문을 닫았다"),
    ("hot warm", "opened the window", "창문을 열었다"),
    ("hot", "went swimming", "수영하러 갔다"),
    ("hot", "could not sleep", "잘 수 없었다"),
    ("hot", "took off OWN coat", "외투를 벗었다"),
    ("cold", "wore a coat", "외투를 입었다"),
    ("cold", "drank hot tea", "뜨거운 차를 마셨다"),
    ("dark", "could not see anything", "아무것도 볼 수 없었다"),
    ("dark", "turned on the light", "불을 켰다"),
    ("warm", "took a walk", "산책했다"),
    ("warm", "went to the park", "공원에 갔다"),
)


def so_that(d: Derivation) -> Clause:
    """I was so tired that I fell asleep: 나는 너무 피곤해서 잠들었다. So cold that we ..."""
    too, act, that = d.node(), d.node(), d.node()
    with_that = words("that", that) if d.chance(0.8) else []
    if d.chance(0.06):
        adjective, korean = d.choose(WEATHER)
        fitting = [row for row in WEATHERED if adjective in row[0].split(" ")]
        _, english, follows = d.choose(fitting)
        if adjective == "windy":
            raise Unfit
        who = pronoun(d, d.choose((0, 0, 4, 4, 2, 3, 5)))
        whose = {"I": "my", "we": "our", "he": "his", "she": "her", "they": "their"}
        english = english.replace("OWN", whose[who.english[0].text])
        sky, it = d.node(), d.node()
        head = [*words("it was", it), *words("so", too), *words(adjective, sky)]
        spoken = [*words("날씨가", it), *words("너무", too), Word(korean, (sky, that))]
        if adjective == "dark":
            spoken = [*words("너무", too), Word(korean, (sky, that, it))]
        return Clause(
            [*head, *with_that, *who.english, *words(english, act)],
            [*spoken, *who.marked(TOPIC), *words(follows, act)],
        )
    subject = person(d)
    english, korean, states = d.choose(FOLLOWS)
    state = d.choose(states.split(","))
    again = _again(d, subject)
    if again is None or (english == "forgot my birthday" and subject.first_person):
        raise Unfit
    if english == "closed my eyes" and subject.english[0].text != "I":
        raise Unfit
    own, be = d.node(), d.node()
    *before, stem = korean.split(" ")
    irregular = "르" if stem in ("머무르", "지르") else ""
    kind = "adjective" if stem in ("않", "없") else "verb"
    p = Predicate([Word(text, (act,)) for text in before], stem, irregular, kind, (act,))
    last = finished(p, "past", "다")
    *first, why = REASONS[state].split(" ")
    reason = [*(Word(text, (own,)) for text in first), Word(why, (own, be, that))]
    was = "were" if subject.agreement == "p" else "was"
    return Clause(
        [
            *subject.english,
            Word(was, (be,)),
            Word("so", (too,)),
            Word(state, (own,)),
            *with_that,
            *again.english,
            *words(english, act),
        ],
        [*subject.marked(TOPIC), Word("너무", (too,)), *reason, *last],
    )


# Enough of what, its Korean, and for what.
ENOUGH = (
    ("old", "나이가 들", "drive,work,vote,drink,get married,go to school,live alone"),
    ("tall", "키가 크", "reach it,play basketball,touch the ceiling"),
    ("strong", "강하", "carry it,lift the box,move the table,carry me"),
    ("rich", "부유하", "buy a house,buy a car,travel,help us"),
    ("smart", "똑똑하", "solve it,pass the test,be a doctor,understand it"),
    ("brave", "용감하", "fight,say no,jump,tell the truth"),
    ("fast", "빠르", "win,catch it,win the race"),
    ("kind", "친절하", "help us,show us the way"),
)
CAN = {
    "drive": "운전하", "work": "일하", "vote": "투표하", "drink": "술을 마시",
    "get married": "결혼하",
    "go to school": "학교에 가",
    "live alone": "혼자 살", "reach it": "그것에 닿",
    "play basketball": "농구를 하", "touch the ceiling": "천장을 만지", "carry it": "그것을 나르",
    "lift the box": "상자를 들", "move the table": "탁자를 옮기",
    "carry me": "나를 업",
    "buy a house": "집을 사", "buy a car": "자동차를 사", "travel": "여행하",
    "help us": "우리를 돕",
    "solve it": "그것을 풀", "pass the test": "시험에 합격하",
    "be a doctor": "의사가 되",
    "understand it": "그것을 이해하",
    "fight": "싸우", "say no": "아니라고 말하", "jump": "뛰",
    "tell the truth": "진실을 말하", "win": "이기", "catch it": "그것을 잡",
    "win the race": "경주에서 이기",
    "show us the way": "우리에게 길을 알려 주",
}  # fmt: skip


def old_enough(d: Derivation) -> Clause:
    """He is old enough to drive: 그는 운전할 수 있을 만큼 나이가 들었다; not: 들지 않았다."""
    subject = person(d)
    english, korean, uses = d.choose(ENOUGH)
    use = d.choose(uses.split(","))
    if (subject.first_person and use.split(" ")[-1] in ("us", "me")) or (
        "us" in use.split(" ") and subject.first_person
    ):
        raise Unfit
    node, to, act, enough = d.node(), d.node(), d.node(), d.node()
    *before, stem = CAN[use].split(" ")
    irregular = "ㅂ" if stem == "돕" else ""
    can = [
        *(Word(text, (act,)) for text in before),
        Word(adnominal(stem, "future", irregular), (act,)),
        *words("수", to),
        *words("있을", to),
        *words("만큼", enough),
    ]
    *first, last = korean.split(" ")
    head = [Word(text, (node,)) for text in first]
    kind = "verb" if last == "들" else "adjective"
    predicate = Predicate([*can, *head], last, "", kind, (node,))
    tail = [*words(english, node), *words("enough", enough), *words("to", to), *words(use, act)]
    be = EnglishVerb("be", "", "", "", node, tail)
    flags = frozenset("R" if last == "들" else "")
    said = Said(subject, be, predicate, (), flags)
    asked = subject.english[0].text == "you" or d.chance(0.1)
    if asked and subject.first_person:
        asked = False
    how = How("past" if d.chance(0.2) else "present", "", not asked and d.chance(0.35))
    if english == "fast":
        predicate = predicate._replace(irregular="르")
        said = said._replace(korean=predicate)
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)
