"""Let me carry your bag: 내가 네 가방을 들어 주겠다. Let him sleep: 그를 자게 해라. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.morphology import OBJECT
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, pronoun

MINE = tuple(
    tuple(line.split(" | "))
    for line in """
carry your bag | 네 가방을 들어 주
carry it | 그것을 들어 주
carry the box | 상자를 들어 주
open the door | 문을 열어 주
open the window | 창문을 열어 주
close the door | 문을 닫아 주
turn on the light | 불을 켜 주
help him | 그를 도와주
help her | 그녀를 도와주
help your mother | 네 어머니를 도와주
show you | 너에게 보여 주
show you my room | 너에게 내 방을 보여 주
show you the picture | 너에게 사진을 보여 주
show you the way | 너에게 길을 알려 주
explain | 설명하
explain it | 그것을 설명하
try | 해 보
try again | 다시 해 보
think about it | 그것에 대해 생각해 보
ask him | 그에게 물어보
ask my mother | 우리 어머니에게 물어보
ask you a question | 너에게 질문을 하나 하
introduce myself | 내 소개를 하
introduce my friend | 내 친구를 소개하
introduce my family | 내 가족을 소개하
buy you a coffee | 너에게 커피를 사 주
buy you lunch | 너에게 점심을 사 주
drive you home | 너를 집까지 태워 주
take you home | 너를 집까지 데려다주
tell you something | 너에게 무언가를 말해 주
tell you a story | 너에게 이야기를 해 주
tell you a secret | 너에게 비밀을 말해 주
tell you the truth | 너에게 진실을 말해 주
tell you about my family | 너에게 내 가족에 대해 말해 주
check | 확인해 보
check it | 그것을 확인해 보
call you later | 나중에 너에게 전화하
call him | 그에게 전화하
call a taxi | 택시를 부르
call a doctor | 의사를 부르
take a picture | 사진을 찍
do it | 그것을 하
cook dinner | 저녁을 만들
wash the dishes | 설거지하
clean the room | 방을 청소하
fix it | 그것을 고쳐 주
pay | 돈을 내
drive | 운전하
go with you | 너와 함께 가
read it | 그것을 읽어 보
read you a book | 너에게 책을 읽어 주
sing a song | 노래를 부르
""".strip().splitlines()
)
THEIRS = (
    *(("go", "가"), ("go home", "집에 가"), ("sleep", "자"), ("play", "놀"), ("rest", "쉬")),
    *(("eat", "먹"), ("work", "일하"), ("come in", "들어오"), ("speak", "말하")),
    *(("finish", "끝내"), ("sing", "노래하"), ("try", "해 보"), ("stay here", "여기에 있")),
    *(("study", "공부하"), ("use my phone", "내 전화를 사용하"), ("drive", "운전하")),
    *(("go out", "나가"), ("cry", "울"), ("watch TV", "텔레비전을 보"), ("help you", "너를 돕")),
    ("wait outside", "밖에서 기다리"),
)
OTHERS = (
    *(
        ("the children", "아이들"),
        ("the dog", "개"),
        ("the boy", "그 소년"),
        ("the girl", "그 소녀"),
    ),
)
NOT_MINE = ("go", "try", "help you", "use my phone", "finish", "drive", "study", "cry", "sing")
OF_DOGS = ("go", "sleep", "play", "eat", "come in")


def let_me(d: Derivation) -> Clause:
    """Let me carry your bag: 내가 네 가방을 들어 주겠다. Let him sleep: 그를 자게 해라."""
    node, act, no = d.node(), d.node(), d.node()
    if d.chance(0.6):
        english, korean = d.choose(MINE)
        *before, stem = korean.split(" ")
        me = d.node()
        ending = [*(Word(text, (act,)) for text in before), Word(stem + "겠다", (act, node))]
        return Clause(
            [*words("let", node), *words("me", me), *words(english, act)],
            [*words("내가", me), *ending],
        )
    english, korean = d.choose(THEIRS)
    whom = pronoun(d, d.choose((0, 0, 2, 2, 3, 3, 5)), is_object=True)
    if d.chance(0.3):
        name, korean_name = d.choose(OTHERS)
        own = d.node()
        whom = NounPhrase(words(name, own), words(korean_name, own), own, "3s")
    mine = whom.english[0].text == "me"
    if (mine and english in NOT_MINE) or (
        whom.english[-1].text == "dog" and english not in OF_DOGS
    ):
        raise Unfit
    spoken = [*whom.marked(OBJECT), *words(korean + "게", act)]
    head = words("let", node)
    rest = [*whom.english, *words(english, act)]
    if not mine and d.chance(0.3):
        last = [*words("하지", node), *words("마라", no)]
        return Clause([*words("do not", no), *head, *rest], [*spoken, *last])
    please = words("please", no) if d.chance(0.3) else []
    last = [*words("해", node), *words("줘", no if please else node)]
    if not mine and not please:
        last = words("해라", node)
    return Clause([*please, *head, *rest], [*spoken, *last])
