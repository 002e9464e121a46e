"""Where you live, what he said, what time it is, as part of a sentence: 네가 어디에 사는지. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.endings import (
    INDIRECT,
    Predicate,
    finished,
)
from annotated_transformer.lab.corpora.english_korean.morphology import (
    SUBJECT,
)
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase

# English verb, its forms, Korean, irregular: what follows "where", "what" and "who".
WHERE = (
    ("live lives lived", "어디에", "살", "present"),
    ("live lives lived", "어디에", "살", "present"),
    ("work works worked", "어디에서", "일하", "present"),
    ("study studies studied", "어디에서", "공부하", "present"),
    ("go goes went", "어디에", "가", "past"),
    ("come comes came from", "어디에서", "오", "past"),
    ("hide hides hid it", "어디에 그것을", "숨기", "past"),
    ("put puts put OWNkeys", "어디에 열쇠를", "두", "past"),
    ("put puts put OWNphone", "어디에 휴대폰을", "두", "past"),
    ("put puts put OWNbag", "어디에 가방을", "두", "past"),
    ("put puts put it", "어디에 그것을", "두", "past"),
    ("buy buys bought it", "어디에서 그것을", "사", "past"),
    ("find finds found it", "어디에서 그것을", "찾", "past"),
    ("park parks parked OWNcar", "어디에 차를", "주차하", "past"),
    ("lose loses lost OWNbag", "어디에서 가방을", "잃어버리", "past"),
)
WHAT = (
    ("want wants wanted", "무엇을", "원하", "present"),
    ("want wants wanted", "무엇을", "원하", "present"),
    ("like likes liked", "무엇을", "좋아하", "present"),
    ("need needs needed", "무엇이", "필요하", "present"),
    ("do does did", "무엇을", "하", "past"),
    ("eat eats ate", "무엇을", "먹", "past"),
    ("buy buys bought", "무엇을", "사", "past"),
    ("think thinks thought", "어떻게", "생각하", "present"),
    ("say says said", "뭐라고", "말하", "past"),
    ("see sees saw", "무엇을", "보", "past"),
    ("mean means meant", "무엇을", "의미하", "present"),
    ("make makes made", "무엇을", "만들", "past"),
    ("find finds found", "무엇을", "찾", "past"),
    ("hear hears heard", "무엇을", "듣", "past"),
    ("write writes wrote", "무엇을", "쓰", "past"),
    ("choose chooses chose", "무엇을", "고르", "past"),
)
HOW_AND_WHO = (
    ("how", "go goes went home", "어떻게 집에", "가", "past"),
    ("how", "make makes made it", "어떻게 그것을", "만들", "past"),
    ("how", "do does did it", "어떻게 그것을", "하", "past"),
    ("who", "love loves loved", "누구를", "사랑하", "present"),
    ("who", "like likes liked", "누구를", "좋아하", "present"),
    ("who", "meet meets met", "누구를", "만나", "past"),
    ("who", "see sees saw", "누구를", "보", "past"),
    ("why", "leave leaves left", "왜", "떠나", "past"),
    ("why", "come comes came", "왜", "오", "past"),
    ("why", "cry cries cried", "왜", "울", "past"),
    ("when", "arrive arrives arrived", "언제", "도착하", "past"),
    ("when", "leave leaves left", "언제", "떠나", "past"),
    ("what time", "get gets got up", "몇 시에", "일어나", "past"),
    ("what time", "come comes came home", "몇 시에", "집에 오", "past"),
)
FIXED = (
    ("what time it is", "몇 시인지"),
    ("what time it is", "몇 시인지"),
    ("how much it is", "그것이 얼마인지"),
    ("how much it costs", "그것이 얼마인지"),
    ("what happened", "무슨 일이 일어났는지"),
    ("what happened", "무슨 일이 일어났는지"),
    ("who did it", "누가 그것을 했는지"),
    ("who said that", "누가 그렇게 말했는지"),
    ("who broke the window", "누가 창문을 깼는지"),
    ("who stole the money", "누가 돈을 훔쳤는지"),
    ("who made the cake", "누가 케이크를 만들었는지"),
    ("what it means", "그것이 무엇을 의미하는지"),
    ("what day it is", "무슨 요일인지"),
    ("what the problem is", "문제가 무엇인지"),
    ("how it works", "그것이 어떻게 작동하는지"),
    ("when the movie starts", "영화가 언제 시작하는지"),
    ("when the bus comes", "버스가 언제 오는지"),
    ("where the bathroom is", "화장실이 어디에 있는지"),
)
NAMED = (
    ("what OWN name is", "이름이 무엇인지"),
    ("what OWN name is", "이름이 무엇인지"),
    ("how old THEY BE", "몇 살인지"),
    ("where THEY BE from", "어디 출신인지"),
    ("where OWN house is", "집이 어디에 있는지"),
    ("what OWN job is", "직업이 무엇인지"),
    ("what OWN phone number is", "전화번호가 무엇인지"),
)
KOREAN_OWN = {
    "my": "내",
    "your": "네",
    "his": "그의",
    "her": "그녀의",
    "our": "우리",
    "their": "그들의",
}


def _fixed(d: Derivation, subject: NounPhrase) -> Clause:
    """Return "what time it is", 몇 시인지, "what his name is", 그의 이름이 무엇인지."""
    node = d.node()
    if d.chance(0.5):
        english, korean = d.choose(FIXED)
        return Clause(words(english, node), words(korean, node))
    english, korean = d.choose(NAMED)
    text = subject.english[0].text
    if subject.noun is not None or text not in ("you", "he", "she", "they"):
        raise Unfit
    if "OWN" in english:
        own = OWN[text]
        korean_own = "네" if own == "your" else KOREAN_OWN[own]
        return Clause(
            words(english.replace("OWN", own), node), words(f"{korean_own} {korean}", node)
        )
    english = english.replace("BE", "is" if text in ("he", "she") else "are")
    question, be = english.split("THEY")
    made = [*words(question.strip(), node), *subject.english, *words(be.strip(), node)]
    return Clause(made, [*subject.marked(SUBJECT), *words(korean, node)])


OWN = {"I": "my", "you": "your", "he": "his", "she": "her", "we": "our", "they": "their"}


def asked_clause(d: Derivation, subject: NounPhrase, *, shifted: bool = False) -> Clause:
    """Return "where you live", 네가 어디에 사는지; `shifted`, "where I lived" of the present."""
    if not shifted and d.chance(0.28):
        return _fixed(d, subject)
    rows = [("where", *row) for row in WHERE] + [("what", *row) for row in WHAT]
    question, forms, korean, stem, tense = d.choose([*rows, *HOW_AND_WHO])
    base, third, past, *rest = forms.split(" ")
    ask, act = d.node(), d.node()
    if shifted and tense == "past":
        raise Unfit
    if shifted:
        form = past
    elif tense == "present":
        form = third if subject.agreement == "3s" else base
    else:
        form = past
    own = OWN.get(subject.english[0].text, "")
    tail = []
    for text in rest:
        if text.startswith("OWN"):
            if not own:
                raise Unfit
            tail += [Word(own, (act,)), Word(text.removeprefix("OWN"), (act,))]
        else:
            tail.append(Word(text, (act,)))
    irregular = {"고르": "르", "듣": "ㄷ"}.get(stem, "")
    kind = "adjective" if stem == "필요하" else "verb"
    first, *others = korean.split(" ")
    n_asked = 2 if first == "몇" else 1
    asked = [*words(" ".join([first, *others][:n_asked]), ask)]
    around = [*asked, *(Word(text, (act,)) for text in [first, *others][n_asked:])]
    *before, stem = stem.split(" ")
    around += [Word(text, (act,)) for text in before]
    last = finished(Predicate([], stem, irregular, kind, (act,)), tense, INDIRECT)
    english = [*words(question, ask), *subject.english, Word(form, (act,)), *tail]
    return Clause(english, [*subject.marked(SUBJECT), *around, *last])
