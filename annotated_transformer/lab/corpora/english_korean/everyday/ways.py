"""How, where, for how long and with whom something is done. CC0."""

from annotated_transformer.lab.corpora.english_korean.adverbs import Adverbial, parse_adverbials
from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY, adverbial
from annotated_transformer.lab.corpora.english_korean.derivation import Clause, Derivation, words
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import Said
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import known, object_pronoun
from annotated_transformer.lab.corpora.english_korean.morphology import WITH
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, choose_noun
from annotated_transformer.lab.corpora.english_korean.simple import by_vehicle
from annotated_transformer.lab.corpora.english_korean.verbs import names

DURATIONS = parse_adverbials("""
for an hour | 한 시간 동안
for two hours | 두 시간 동안
for three hours | 세 시간 동안
for a week | 일주일 동안
for two weeks | 이 주 동안
for a long time | 오랫동안
all day | 하루 종일
""")


# How something is done, and the verbs (their English) that it goes with.
WAYS = {
    ("for breakfast", "아침으로"): names("eat,cook,make,order"),
    ("for lunch", "점심으로"): names("eat,cook,make,order"),
    ("for dinner", "저녁으로"): names("eat,cook,make,order"),
    ("well", "잘"): frozenset(
        [
            "speak",
            "cook",
            "sing",
            "dance",
            "swim",
            "drive",
            "play",
            "draw",
            "sleep",
            "teach",
            "understand",
            "know",
            "do",
        ]
    ),
    ("hard", "열심히"): names("study work practice exercise learn"),
    ("very hard", "아주 열심히"): names("study work practice exercise"),
    ("a lot", "많이"): frozenset(
        ["eat", "drink", "read", "study", "work", "travel", "walk", "sleep", "talk"]
    ),
    ("very much", "아주 많이"): names("like love miss hate enjoy"),
    ("a lot", "아주 많이"): names("like love miss"),
    ("fast", "빨리"): names("run walk drive swim eat"),
    ("early", "일찍"): frozenset(
        ["get up", "wake up", "go to bed", "arrive", "leave", "come home"]
    ),
    ("late", "늦게"): frozenset(
        ["get up", "wake up", "go to bed", "arrive", "come home", "go home"]
    ),
    ("slowly", "천천히"): names("walk eat read drive write"),
    ("quietly", "조용히"): names("read talk cry sing"),
    ("alone", "혼자"): frozenset(
        [
            "live",
            "travel",
            "eat lunch",
            "have dinner",
            "study",
            "walk",
            "go to bed",
            "watch TV",
            "work",
            "play",
        ]
    ),
    ("again", "다시"): frozenset(
        ["read", "call", "see", "meet", "visit", "watch", "come", "try", "play"]
    ),
    ("at home", "집에서"): frozenset(
        """study,work,rest,sleep,cook,eat dinner,have dinner,have lunch,watch TV,exercise,read,
watch,listen to,listen to music,play games,take a nap""".replace("\n", "").split(",")
    ),
    ("here", "여기에서"): names("work live study wait play rest"),
}


TOGETHER = frozenset(
    """go home,have breakfast,have lunch,have dinner,eat lunch,eat dinner,take a walk,go shopping,
go swimming,go hiking,go camping,go fishing,travel,watch TV,watch movies,play games,have a party,
watch,play,study,eat,drink,go,work,live,learn,visit,cook,dance,walk,exercise,swim,run""".replace(
        "\n", ""
    ).split(",")
)


RIDES = names("go,come,travel,go to work,go home,come home")


def with_way(d: Derivation, said: Said, *, negated: bool) -> Said:
    """Add perhaps how, where or for how long it is done, or with whom."""
    if said.base in RIDES and d.chance(0.15):
        return said._replace(complements=(*said.complements, by_vehicle(d)))
    way = EMPTY if d.chance(0.6) else _way(d, said, negated=negated)
    if not way.english:
        return said
    if way.korean[-1].text in NEAR_THE_VERB:
        return said._replace(manner=way)
    return said._replace(complements=(*said.complements, way))


NEAR_THE_VERB = frozenset(
    ["잘", "열심히", "많이", "빨리", "일찍", "늦게", "다시", "천천히", "조용히"]
)


def _way(d: Derivation, said: Said, *, negated: bool) -> Clause:
    noun = said.subject.noun
    human = noun is None or not noun.classes & {"animal", "creature"}
    if said.base in TOGETHER and human and d.chance(0.5):
        return companion(d, said.subject)
    ways = [pair for pair, verbs in WAYS.items() if said.base in verbs]
    if said.base in ("study", "work", "sleep", "wait", "read", "walk", "wait for") and not negated:
        ways.append(("", ""))
    if not ways:
        return EMPTY
    english, korean = d.choose(ways)
    if not english:
        return adverbial(d, DURATIONS)
    return adverbial(d, (Adverbial(english, korean),))


def companion(d: Derivation, subject: NounPhrase) -> Clause:
    """Return "with my friend", 내 친구와 함께; "together", 함께."""
    node = d.node()
    if subject.agreement == "p" and d.chance(0.2):
        return Clause(words("together", node), words("함께", node))
    if d.chance(0.25):
        other = object_pronoun(d, subject)
    else:
        other = known(d, choose_noun(d, frozenset({"kin", "relation", "name"})))
    own = d.node()
    english = [*words("with", own), *other.english]
    return Clause(english, [*other.marked(WITH), *words("함께", own)])
