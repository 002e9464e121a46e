"""Clauses and longer sentences: embedded questions, verbs before verbs, so that, instead of."""

import re

import pytest
from open_grammar import check_said, korean_of, sentences

COUNT = 1000
NAMES = (
    "forget_to",
    "try_to",
    "start_to",
    "stop_it",
    "decide_to",
    "saw_dancing",
    "how_to",
    "what_to",
    "where_you_live",
    "asked_me",
    "wonder_if",
    "what_he_said",
    "for_you",
    "whispered",
    "said_hello",
    "said_nothing",
    "it_takes",
    "so_that",
    "old_enough",
    "good_at_doing",
    "thanks_for",
    "instead_of",
    "without_doing",
    "looking_forward",
    "one_who_has",
    "wanted_but",
    "have_enough",
    "if_tomorrow",
    "glad_to",
    "busy_doing",
    "had_better",
    "how_about_doing",
    "i_wish",
    "work_to_do",
    "prefer_to",
    "what_i_need",
    "sure_that",
    "neither_nor",
    "let_me",
)


@pytest.mark.parametrize("name", NAMES)
def test_no_word_is_said_twice(name: str) -> None:
    for english, korean in sentences(name, seed=3, count=COUNT):
        assert not re.search(r"(^| )(\S+) \2( |$)", korean), korean
        assert not re.search(r"(^| )(\S+) \2( |$)", english), english


# The rule, an English sentence that it must derive, and the Korean.
PAIRS = (
    ("forget_to", "I forgot to buy milk", "나는 우유를 사는 것을 잊어버렸다"),
    ("forget_to", "do not forget to lock the door", "문을 잠그는 것을 잊지 마라"),
    ("try_to", "I tried to ride a bike", "나는 자전거를 타려고 했다"),
    ("try_to", "I am trying to learn Korean", "나는 한국어를 배우려고 노력하고 있다"),
    ("start_to", "it started to rain", "비가 오기 시작했다"),
    ("start_to", "she stopped crying", "그녀는 우는 것을 멈췄다"),
    ("stop_it", "stop talking", "그만 이야기해라"),
    ("stop_it", "keep walking", "계속 걸어라"),
    ("decide_to", "he decided to become a doctor", "그는 의사가 되기로 결정했다"),
    ("decide_to", "I hope to go to Korea", "나는 한국에 가기를 바란다"),
    ("saw_dancing", "I saw her dancing", "나는 그녀가 춤추는 것을 봤다"),
    ("saw_dancing", "I heard him singing", "나는 그가 노래하는 것을 들었다"),
    ("how_to", "I know how to drive", "나는 운전할 줄 안다"),
    ("how_to", "I do not know how to swim", "나는 수영할 줄 모른다"),
    ("what_to", "I do not know what to do", "나는 무엇을 해야 할지 모른다"),
    ("what_to", "tell me where to go", "나에게 어디로 가야 할지 말해 줘"),
    ("where_you_live", "I know where you live", "나는 네가 어디에 사는지 안다"),
    ("where_you_live", "do you know what time it is", "너는 몇 시인지 아니"),
    ("asked_me", "he asked me what my name was", "그는 나에게 이름이 무엇인지 물었다"),
    ("asked_me", "she asked me where I lived", "그녀는 나에게 어디에 사는지 물었다"),
    ("wonder_if", "I wonder if it will rain", "나는 비가 올 것인지 궁금하다"),
    ("wonder_if", "I do not know if it will rain", "나는 비가 올 것인지 모른다"),
    ("what_he_said", "that is what I saw", "그것이 내가 본 것이다"),
    ("what_he_said", "I cannot believe what he said", "나는 그가 한 말을 믿을 수 없다"),
    ("for_you", "this is for you", "이것은 너를 위한 것이다"),
    ("for_you", "those flowers are for you", "저 꽃은 너를 위한 것이다"),
    ("whispered", "she whispered to me", "그녀는 나에게 속삭였다"),
    ("whispered", "he whispered something in my ear", "그는 내 귀에 무언가를 속삭였다"),
    ("said_hello", "she said no", "그녀는 아니라고 말했다"),
    ("said_hello", "they told me a joke", "그들은 나에게 농담을 했다"),
    ("said_nothing", "she did not say anything", "그녀는 아무 말도 하지 않았다"),
    ("said_nothing", "I did not say a word", "나는 한마디도 하지 않았다"),
    ("it_takes", "how long does it take to get there", "거기까지 가는 데 얼마나 걸리니"),
    ("it_takes", "it takes an hour to get to work", "직장까지 가는 데 한 시간이 걸린다"),
    ("so_that", "I was so tired that I fell asleep", "나는 너무 피곤해서 잠들었다"),
    ("so_that", "he was so angry that he left", "그는 너무 화가 나서 떠났다"),
    ("old_enough", "he is old enough to drive", "그는 운전할 수 있을 만큼 나이가 들었다"),
    (
        "old_enough",
        "are you smart enough to pass the test",
        "너는 시험에 합격할 수 있을 만큼 똑똑하니",
    ),
    ("good_at_doing", "I am good at singing", "나는 노래를 잘한다"),
    ("good_at_doing", "I am afraid of the dark", "나는 어둠을 무서워한다"),
    ("thanks_for", "thank you for waiting", "기다려 줘서 고맙다"),
    ("thanks_for", "I am sorry for leaving early", "일찍 떠나서 미안하다"),
    ("instead_of", "I drank tea instead of coffee", "나는 커피 대신 차를 마셨다"),
    ("instead_of", "I took a taxi instead of the bus", "나는 버스 대신 택시를 탔다"),
    ("without_doing", "he left without saying a word", "그는 한마디도 하지 않고 떠났다"),
    ("without_doing", "he answered without thinking", "그는 생각하지 않고 대답했다"),
    ("looking_forward", "I am looking forward to meeting you", "나는 너를 만나기를 고대하고 있다"),
    ("looking_forward", "I am looking forward to the party", "나는 파티를 고대하고 있다"),
    ("wanted_but", "I wanted to study but I was sick", "나는 공부하고 싶었지만 아팠다"),
    (
        "wanted_but",
        "he wanted to buy a car, but he did not have enough money, so he asked his father",
        "그는 자동차를 사고 싶어 했지만 돈이 충분하지 않아서 그의 아버지에게 부탁했다",
    ),
    ("have_enough", "I do not have enough money", "나는 돈이 충분하지 않다"),
    ("have_enough", "do you have enough time", "너는 시간이 충분히 있니"),
    ("if_tomorrow", "if it rains, I will bake a cake", "비가 오면 나는 케이크를 구울 것이다"),
    ("if_tomorrow", "we will cook dinner if it rains", "비가 오면 우리는 저녁을 만들 것이다"),
    ("glad_to", "I am glad to see you", "나는 너를 만나서 기쁘다"),
    ("glad_to", "she was surprised to hear the news", "그녀는 소식을 듣고 놀랐다"),
    ("busy_doing", "she is busy cooking dinner", "그녀는 저녁을 만드느라 바쁘다"),
    ("busy_doing", "I am thinking of buying a house", "나는 집을 살까 생각하고 있다"),
    ("had_better", "you had better go home", "너는 집에 가는 것이 좋겠다"),
    ("had_better", "he had better save money", "그는 돈을 모으는 것이 좋겠다"),
    ("how_about_doing", "how about going home", "집에 가는 것이 어떠니"),
    ("how_about_doing", "would you mind closing the window", "창문을 닫아 주겠니"),
    ("i_wish", "I wish I could swim", "나는 수영할 수 있으면 좋겠다"),
    ("i_wish", "I wish you were here", "나는 네가 여기에 있으면 좋겠다"),
    ("work_to_do", "I have a lot of work to do", "나는 할 일이 많다"),
    ("work_to_do", "I have no books to read", "나는 읽을 책이 없다"),
    ("prefer_to", "I prefer tea to coffee", "나는 커피보다 차를 더 좋아한다"),
    ("prefer_to", "I like both dogs and cats", "나는 개와 고양이를 둘 다 좋아한다"),
    ("what_i_need", "what I need is time", "내가 필요한 것은 시간이다"),
    ("what_i_need", "what you need is sleep", "네가 필요한 것은 잠이다"),
    ("sure_that", "do you think he is right", "너는 그가 맞다고 생각하니"),
    ("sure_that", "do you think she is pretty", "너는 그녀가 예쁘다고 생각하니"),
    ("neither_nor", "neither he nor she came", "그도 그녀도 오지 않았다"),
    ("neither_nor", "both he and she like it", "그와 그녀는 둘 다 그것을 좋아한다"),
    ("let_me", "let me carry your bag", "내가 네 가방을 들어 주겠다"),
    ("let_me", "let him sleep", "그를 자게 해라"),
)
MOST = 12_000


@pytest.mark.parametrize(("name", "english", "korean"), PAIRS)
def test_pairs(name: str, english: str, korean: str) -> None:
    assert korean_of(name, english, seed=3, most=MOST) == korean


# The rule, what its English says, and what the Korean then has.
SAID = (
    ("forget_to", r"^(I|he|she) forgot to", r"는 것을 잊어버렸다$"),
    ("forget_to", r"^(do not|never) forget", r"것을 (절대 )?잊지 마라$"),
    ("try_to", r"\btried to\b", r"려고 했다$"),
    ("try_to", r"\btried not to\b", r"지 않으려고 했다$"),
    ("start_to", r"\b(started|began)\b", r"기 시작했다$"),
    ("start_to", r"\bstopped\b", r"는 것을 멈췄다$"),
    ("stop_it", r"^stop ", r"그만 "),
    ("decide_to", r"\bdecided not to\b", r"지 않기로 결정했다$"),
    ("decide_to", r"\bplans? to\b", r"ㄹ 계획이다$|[을를할갈살될울] 계획이다$|계획이다$"),
    ("saw_dancing", r"^(I|he|she) (saw|watched)\b", r"는 것을 봤다$"),
    ("saw_dancing", r"^(I|he|she) heard\b", r"는 것을 들었다$"),
    ("how_to", r"\bknows? how to\b", r" 줄 (안다|아니|모른다|몰랐다|알았니)$"),
    ("how_to", r"\blearned how to\b", r"는 법을 배웠다$"),
    ("what_to", r"\b(do|does) not know\b", r"야 할지 모른다$"),
    ("where_you_live", r"^tell me\b", r"^나에게 .*지 말해 줘$"),
    ("where_you_live", r"^I wonder\b", r"지 궁금하다$"),
    ("asked_me", r"\basked me\b", r"나에게 .*지 물었다$"),
    ("wonder_if", r"\bwill\b", r"것인지 (모른다|궁금하다|아니)$"),
    ("what_he_said", r"\bcannot believe what \S+ said$", r"한 말을 믿을 수 없다$"),
    ("for_you", r"\bfor you$", r"너를 위한 (것|거|선물|편지|책|노래)"),
    ("whispered", r"\bin my ear$", r"내 귀에 .*속삭"),
    ("said_hello", r"\bsaid goodbye to\b", r"에게 .*작별 인사를 (했|하)"),
    ("said_nothing", r"\bsaid nothing\b", r"아무 말도 하지 않았다$"),
    ("it_takes", r"\bto get there\b", r"거기까지 (\S+ )?가는 데 "),
    ("it_takes", r"\bhow long does\b", r"얼마나 걸리니$"),
    ("so_that", r"\bwas so tired\b", r"너무 피곤해서"),
    ("old_enough", r"\bis old enough to\b", r"수 있을 만큼 나이가 들었다$"),
    ("good_at_doing", r"\bis good at (singing|cooking)$", r"(노래|요리)를 잘한다$"),
    ("good_at_doing", r"\bis afraid of\b", r"[을를] 무서워한다$"),
    ("thanks_for", r"^(thank you|thanks) for\b", r"줘서 고맙다$"),
    ("instead_of", r"\binstead of\b", r" 대신 "),
    ("without_doing", r"\bwithout saying a word\b", r"한마디도 하지 않고"),
    ("looking_forward", r"\blooking forward\b", r"고대하고 있(다|었다|니|었니)$"),
    ("one_who_has", r"^the man who lives next door\b", r"^옆집에 사는 남자는 "),
    ("one_who_has", r"^the .*man (who is )?wearing glasses\b", r"^안경을 쓴 .*(남자|여자)는 "),
    ("one_who_has", r"\blives in the small house\b", r"^작은 집에 사는 "),
    (
        "one_who_has",
        r"\b(dogs|cats|birds|pigs) and \S+ (dogs?|cats?|birds?|ducks?)$",
        r"마리와 .*마리가 있",
    ),
    ("wanted_but", r"\bdid not have enough money, so\b", r"지만 돈이 충분하지 않아서 "),
    ("have_enough", r"\bdoes not have enough\b", r"충분하지 않다$"),
    ("if_tomorrow", r"\bit rains tomorrow\b", r"^내일 비가 오면 .*것이다$"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "english", "korean"), SAID)
def test_what_is_said(name: str, english: str, korean: str) -> None:
    check_said(sentences(name, seed=3, count=COUNT), english, korean)


def test_nobody_says_it_to_himself() -> None:
    for name in ("said_hello", "whispered", "asked_me"):
        for english, _ in sentences(name, seed=3, count=COUNT):
            assert not re.search(r"^(I|.* and I) .*\b(me|us)\b", english), english
