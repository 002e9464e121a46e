"""I wanted to, but had no money, so I asked; enough money; if it rains tomorrow. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.compound import (
    _again,
    person,
)
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.morphology import TOPIC
from annotated_transformer.lab.corpora.english_korean.open.deeds import deed
from annotated_transformer.lab.corpora.english_korean.open.joints import (
    with_comma,
)
from annotated_transformer.lab.corpora.english_korean.phrases import pronoun

# A wish, why not, and what one did: with the wish's base; what is lacking; then the deed.
WISHES = tuple(
    tuple(line.split(" | "))
    for line in """
buy a car | 자동차를 사 | money,time | money
buy a house | 집을 사 | money | money
buy a new bike | 새 자전거를 사 | money | money
buy a present | 선물을 사 | money | money
buy a new phone | 새 휴대 전화를 사 | money | money
travel | 여행하 | money,time,busy,sick | money,home
go to Korea | 한국에 가 | money,time,busy | money,home
go to the party | 파티에 가 | time,busy,sick,tired | home
go to the park | 공원에 가 | time,busy,sick,tired,rain | home
go to the beach | 해변에 가 | time,busy,sick,rain,cold | home
go swimming | 수영하러 가 | time,busy,sick,cold,rain | home
go out | 나가 | time,busy,sick,tired,rain,cold | home
play soccer | 축구를 하 | time,busy,sick,tired,rain | home
watch a movie | 영화를 보 | time,busy,tired | home,sleep
read a book | 책을 읽 | time,busy,tired | sleep
meet my friend | 내 친구를 만나 | time,busy,sick | home,called
visit my grandmother | 우리 할머니를 방문하 | time,busy,sick | home,called
help me | 나를 돕 | time,busy,sick | sorry
cook dinner | 저녁을 만들 | time,busy,tired | pizza
go to school | 학교에 가 | sick | home
study | 공부하 | tired,sick | sleep
""".strip().splitlines()
)
LACKS = {
    "money": ("did not have enough money", "돈이 충분하지 않"),
    "time": ("did not have enough time", "시간이 충분하지 않"),
    "busy": ("WAS too busy", "너무 바쁘"),
    "sick": ("WAS sick", "아프"),
    "tired": ("WAS too tired", "너무 피곤하"),
    "rain": ("it was raining", "비가 오고 있"),
    "cold": ("it was too cold", "날씨가 너무 춥"),
}
SO = {
    "money": (
        ("asked OWN father", "THEIR 아버지에게 부탁했다"),
        ("asked OWN father for money", "THEIR 아버지에게 돈을 부탁했다"),
        ("asked OWN mother for help", "THEIR 어머니에게 도움을 청했다"),
        ("borrowed some money", "돈을 빌렸다"),
        ("found a job", "일자리를 찾았다"),
        ("had to work", "일해야 했다"),
        ("could not go", "갈 수 없었다"),
        ("could not buy it", "그것을 살 수 없었다"),
    ),
    "home": (
        ("stayed home", "집에 머물렀다"),
        ("stayed at home", "집에 머물렀다"),
        ("watched TV at home", "집에서 텔레비전을 봤다"),
        ("went home", "집에 갔다"),
        ("could not go", "갈 수 없었다"),
        ("read a book at home", "집에서 책을 읽었다"),
        ("went to bed early", "일찍 잠자리에 들었다"),
    ),
    "sleep": (("went to bed", "잠자리에 들었다"), ("fell asleep", "잠들었다"), ("slept", "잤다")),
    "called": (
        ("called OWN mother", "THEIR 어머니에게 전화했다"),
        ("wrote a letter", "편지를 썼다"),
    ),
    "sorry": (("said sorry", "미안하다고 말했다"), ("could not come", "올 수 없었다")),
    "pizza": (
        ("ordered pizza", "피자를 주문했다"),
        ("ate out", "외식했다"),
        ("went to a restaurant", "식당에 갔다"),
    ),
}
WHOSE = {
    "I": ("my", "우리"),
    "he": ("his", "그의"),
    "she": ("her", "그녀의"),
    "we": ("our", "우리"),
    "they": ("their", "그들의"),
}


def wanted_but(d: Derivation) -> Clause:
    """He wanted to buy a car, but he did not have enough money, so he asked his father."""
    subject = person(d)
    again = _again(d, subject)
    if again is None or subject.english[0].text in ("everyone", "you"):
        raise Unfit
    english, korean, lacks, ends = d.choose(WISHES)
    lack = d.choose(lacks.split(","))
    end = d.choose(ends.split(","))
    said, spoken = LACKS[lack]
    then, then_korean = d.choose(SO[end])
    if (lack == "busy" and end == "sleep") or (
        lack != "money" and end == "money" and "go" not in then
    ):
        raise Unfit
    if "go" in then.split(" ") and not english.startswith(("go", "travel")):
        raise Unfit
    if "buy" in then.split(" ") and not english.startswith("buy"):
        raise Unfit
    if lack == "money" and end == "home" and "go" not in then.split(" ") and "home" not in then:
        raise Unfit
    text = again.english[0].text
    own, korean_own = WHOSE[text]
    if "my" in english.split(" ") and text not in ("I",):
        english = english.replace("my", own)
        korean = korean.replace("내 ", f"{korean_own} ").replace("우리 할", f"{korean_own} 할")
    if "me" in english.split(" ") and subject.first_person:
        raise Unfit
    then, then_korean = then.replace("OWN", own), then_korean.replace("THEIR", korean_own)
    wish, want, but, why, so, done = (d.node() for _ in range(6))
    *before, stem = korean.split(" ")
    inner = Predicate(
        [Word(t, (wish,)) for t in before], stem, "ㅂ" if stem == "돕" else "", "verb", (wish,)
    )
    longing = endings.wishing(inner, want, first_person=subject.first_person)
    left_end = endings.finished(longing, "past", "지만")
    left_end = [*left_end[:-1], Word(left_end[-1].text, (*left_end[-1].nodes, but))]
    head = [*subject.english, *words("wanted to", want), *words(english, wish)]
    was = "were" if text in ("we", "they") else "was"
    who: Words = [] if said.startswith("it ") else again.english
    middle = [*words("but", but), *who, *words(said.replace("WAS", was), why)]
    *around, last = spoken.split(" ")
    irregular = "ㅂ" if last == "춥" else ""
    kind = "adjective"
    reason = Predicate([Word(t, (why,)) for t in around], last, irregular, kind, (why,))
    long_form = d.chance(0.75)
    if long_form:
        because = endings.finished(reason, "present", "서")
        because = [*because[:-1], Word(because[-1].text, (*because[-1].nodes, so))]
        tail = [*words("so", so), *again.english, *words(then, done)]
        commas = d.chance(0.8)
        first = with_comma(head) if commas else head
        second = with_comma(middle) if commas else middle
        return Clause(
            [*first, *second, *tail],
            [*subject.marked(TOPIC), *left_end, *because, *words(then_korean, done)],
        )
    end_words = endings.finished(reason, "past", "다")
    first = with_comma(head) if d.chance(0.6) else head
    return Clause([*first, *middle], [*subject.marked(TOPIC), *left_end, *end_words])


ENOUGH_OF = (
    *(("money", "돈이"), ("money", "돈이"), ("time", "시간이"), ("time", "시간이")),
    *(("food", "음식이"), ("water", "물이"), ("work", "일이")),
)


def have_enough(d: Derivation) -> Clause:
    """I have enough money: 나는 돈이 충분히 있다. He does not have enough time: 충분하지 않다."""
    subject = person(d)
    node, much, thing = d.node(), d.node(), d.node()
    english, korean = d.choose(ENOUGH_OF)
    negated = d.chance(0.5)
    asked = subject.english[0].text == "you" and d.chance(0.6)
    negated = negated and not asked
    verb = EnglishVerb("have", "has", "had", "having", node, [])
    rest: Words = [*words("enough", much), *words(english, thing)]
    around: Words = words(korean, thing)
    if d.chance(0.3):
        made = deed(d, subject, "d", 0.0)
        to = d.node()
        rest += [*words("to", to), *made.base]
        around = [*made.before("future", to), *around]
        if english not in ("money", "time"):
            raise Unfit
    if negated:
        predicate = Predicate([], "충분하", "", "adjective", (node, much))
    else:
        around += words("충분히", much)
        predicate = Predicate([], "있", "", "adjective", (node,))
    said = Said(subject, verb, predicate, (Clause(rest, around),))
    how = How("past" if d.chance(0.3) else "present", "", negated)
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


DAYS = (
    *(("tomorrow", "내일"), ("tomorrow", "내일"), ("today", "오늘"), ("tonight", "오늘 밤에")),
    *(("this weekend", "이번 주말에"), ("on Sunday", "일요일에"), ("on Saturday", "토요일에")),
)
SKIES = (
    ("it rains", "비가", "오면"),
    ("it rains", "비가", "오면"),
    ("it snows", "눈이", "오면"),
    ("it does not rain", "비가", "오지 않으면"),
    ("it is sunny", "날씨가", "맑으면"),
    ("it is cold", "날씨가", "추우면"),
    ("it is hot", "날씨가", "더우면"),
    ("the weather is good", "날씨가", "좋으면"),
    ("the weather is nice", "날씨가", "좋으면"),
    ("the weather is bad", "날씨가", "나쁘면"),
)
PLANS = tuple(
    tuple(line.split(" | "))
    for line in """
stay at home | 집에 머무르 | i
stay home | 집에 머무르 | i
watch a movie | 영화를 보 | i
watch TV | 텔레비전을 보 | i
read a book | 책을 읽 | i
play games | 게임을 하 | i
drink hot chocolate | 핫 초콜릿을 마시 | i
cook dinner | 저녁을 만들 | i
clean the house | 집을 청소하 | i
listen to music | 음악을 듣 | i
bake a cake | 케이크를 굽 | i
go to the park | 공원에 가 | o
go to the beach | 해변에 가 | o
go swimming | 수영하러 가 | o
play soccer | 축구를 하 | o
play in the snow | 눈 속에서 놀 | s
make a snowman | 눈사람을 만들 | s
have a picnic | 소풍을 가 | o
take a walk | 산책하 | o
ride bikes | 자전거를 타 | o
meet our friends | 우리 친구들을 만나 | o
eat ice cream | 아이스크림을 먹 | o
""".strip().splitlines()
)


def _planned(korean: str, node: int) -> Predicate:
    irregular = {"머무르": "르", "듣": "ㄷ", "굽": "ㅂ"}.get(korean.rsplit(" ", maxsplit=1)[-1], "")
    return endings.verb(korean, irregular, node)


def if_tomorrow(d: Derivation) -> Clause:
    """If it rains tomorrow, we will stay at home and watch a movie: 내일 비가 오면 우리는."""
    sky, korean_sky, falls = d.choose(SKIES)
    it, when, word, will, act, link = (d.node() for _ in range(6))
    english_day, day = d.choose(DAYS)
    timed = d.chance(0.75)
    bad = sky.split(" ")[-1] in ("rains", "cold", "bad", "snows")
    snow = sky.endswith("snows")
    suited = [row for row in PLANS if row[2] == "s"] if snow and d.chance(0.5) else []
    suited = suited or [row for row in PLANS if row[2] == ("i" if bad else "o")]
    first = d.choose(suited)
    two = d.chance(0.5)
    subject = pronoun(d, d.choose((4, 4, 4, 0, 0, 2, 3, 5)))
    if "our" in first[0] and subject.english[0].text != "we":
        raise Unfit
    condition = [*words("if", word), *words(sky, it)]
    spoken: Words = [*words(korean_sky, it)]
    *more, last = falls.split(" ")
    spoken += [*(Word(t, (it,)) for t in more), Word(last, (it, word))]
    if timed:
        condition += words(english_day, when)
        spoken = [*words(day, when), *spoken]
    plan = words(first[0], act)
    p, stem = _planned(first[1], act), first[1].split(" ")[-1]
    korean: Words = []
    if two:
        second = d.choose(suited)
        if second == first or second[1].split(" ")[-1] == stem or "our" in second[0]:
            raise Unfit
        other = d.node()
        plan = [*plan, *words("and", link), *words(second[0], other)]
        ending = "서" if stem == "가" else "고"
        joint = endings.finished(p, "present", ending)
        korean = [*joint[:-1], Word(joint[-1].text, (act, link))]
        p = _planned(second[1], other)
    going = d.chance(0.12)
    text = subject.english[0].text
    be = {"I": "am", "he": "is", "she": "is"}.get(text, "are")
    auxiliary = words(f"{be} going to", will) if going else words("will", will)
    last_words = endings.finished(endings.future(p, will), "present", "다")
    main = [*subject.english, *auxiliary, *plan]
    all_korean = [*spoken, *subject.marked(TOPIC), *korean, *last_words]
    if d.chance(0.7):
        head = with_comma(condition) if d.chance(0.85) else condition
        return Clause([*head, *main], all_korean)
    return Clause([*main, *condition], all_korean)
