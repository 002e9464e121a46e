"""Verbs of the embedded corpus, with their forms and what they select. CC0.

One verb a line: English base, past and -ing form ("_" stands for the space of a phrasal verb),
Korean stem, irregular class ("-" if regular), classes of its subjects, classes of its objects and
flags. One English verb may fill several lines with different objects, as "wear" does: 입다 for a
coat, 쓰다 for a hat, 신다 for shoes. No object is named by two lines of one verb (tested), so the
object decides the Korean verb.

Flags: "s" stative, never progressive; "e" event, never in the simple present; "p" present only;
"x" neither progressive nor wished for; "u" uses its object up; "m" goes with an adverb of manner;
"a" takes its object with 에 (산에 올라가다), "d" with 에게, "w" with 와/과; "n" is a success or a
power, so that its negation is 못하다 (찾지 못했다; 찾지 않았다 would mean that nobody looked). Of
the intransitive verbs, "i" is done indoors, "o" outdoors, "k" where people work, "w" in water.
"""

from typing import NamedTuple

from annotated_transformer.lab.corpora.english_korean.nouns import Noun


def names(text: str) -> frozenset[str]:
    """Return the words of a text, or its parts between commas if it has any."""
    parts = text.split(",") if "," in text else text.split()
    return frozenset(" ".join(part.split()) for part in parts)


TRANSITIVE = """
read read reading 읽 - person,kin reading m
write wrote writing 쓰 - person,kin written m
buy bought buying 사 - person,kin goods e
sell sold selling 팔 - person goods
eat ate eating 먹 - person,kin food um
eat ate eating 먹 - animal fruit,vegetable,bread um
eat ate eating 먹 - hunter,dog,cat,puppy meat,fish,egg,cheese um
drink drank drinking 마시 - person,kin drink um
drink drank drinking 마시 - animal water,milk um
bake baked baking 굽 ㅂ person,kin baked m
cook cooked cooking 요리하 - person,kin cooked m
make made making 만들 - person,kin made,toy,furniture m
wash washed washing 씻 - person,kin fruit,vegetable,cup,bottle,knife m
wash washed washing 빨 - person,kin body,socks,gloves m
cut cut cutting 자르 르 person,kin fruit,vegetable,cake,bread m
wear wore wearing 입 - person,kin body
wear wore wearing 쓰 - person,kin head
wear wore wearing 신 - person,kin foot
wear wore wearing 끼 - person,kin hand
play played playing 하 - person,kin ball_game
play played playing 치 - person,kin struck
play played playing 켜 - person,kin bowed
play played playing 불 - person,kin blown
sing sang singing 부르 르 person,kin sung m
listen_to listened_to listening_to 듣 ㄷ person,kin heard
learn learned learning 배우 - person study
study studied studying 공부하 - person study
teach taught teaching 가르치 - person study
drive drove driving 운전하 - adult,job,kin driven m
ride rode riding 타 - person,kin ridden,horse,camel,donkey
fix fixed fixing 고치 - person,kin vehicle,device,furniture,opening m
turn_on turned_on turning_on 켜 - person,kin electric e
turn_off turned_off turning_off 끄 - person,kin electric e
push pushed pushing 밀 - person,kin furniture,vehicle,door m
carry carried carrying 나르 르 person,worker container,furniture,stone m
open opened opening 열 - person,kin opening,container m
close closed closing 닫 - person,kin opening m
break broke breaking 깨 - person,monkey fragile ex
find found finding 찾 - person,kin small,paper,toy,portable,clothes exn
lose lost losing 잃어버리 - person,kin small,paper,jewel,gloves,hat ex
hide hid hiding 숨기 - person,kin small,gift,jewel,letter m
choose chose choosing 고르 르 person,kin printed,clothes,gift,fruit,painting e
bring brought bringing 가져오 - person,kin portable,small,tool,furniture e
borrow borrowed borrowing 빌리 - person printed,vehicle,tool,umbrella,camera e
collect collected collecting 모으 - person,kin stamp,map,doll,photo,stone
draw drew drawing 그리 - person,kin drawn,plant,pet,mountain m
plant planted planting 심 - person,kin plant,crop m
pick_up picked_up picking_up 줍 ㅂ person,monkey stone,ball,small,paper,mushroom e
throw threw throwing 던지 - person,monkey thrown e
kick kicked kicking 차 - person,horse,donkey ball,stone,door e
build built building 짓 ㅅ person built
clean cleaned cleaning 청소하 - person,kin room,house,street,restaurant m
visit visited visiting 방문하 - person,kin indoor,outdoor,city e
leave left leaving 떠나 - person,kin city,village,island e
cross crossed crossing 건너 - person,kin,animal crossed m
climb climbed climbing 올라가 - person climbed am
climb climbed climbing 올라가 - animal mountain,hill am
climb climbed climbing 올라가 - climber tree,tower am
enter entered entering 들어가 - person,kin,animal entered ae
watch watched watching 보 - person,kin shown,ball_game
take took taking 찍 - person,kin photo
meet met meeting 만나 - person,kin person e
help helped helping 돕 ㅂ person,kin person
know knew knowing 알 - person,kin person sp
like liked liking 좋아하 - person,kin,animal person,pet,fruit,sweet,study s
love loved loving 사랑하 - person,kin person,city s
hate hated hating 싫어하 - person,kin,animal animal,vegetable s
remember remembered remembering 기억하 - person,kin person,song,poem sn
understand understood understanding 이해하 - person,kin poem,science,mathematics,novel sn
invite invited inviting 초대하 - person,kin person e
praise praised praising 칭찬하 - person,kin person
respect respected respecting 존경하 - person,kin job s
protect protected protecting 보호하 - person,kin little,pet,forest
wait_for waited_for waiting_for 기다리 - person,kin person
look_for looked_for looking_for 찾 - person,kin small,pet,jewel
chase chased chasing 쫓 - hunter,dog prey
catch caught catching 잡 - person,cat,fox,wolf mouse,bird,rabbit,chicken,duck,squirrel en
lift lifted lifting 들 - person,elephant container,furniture,stone m
follow followed following 따라가 - person,pet person
bite bit biting 물 - dog,wolf,fox person,chicken,duck,rabbit ex
"""
INTRANSITIVE = """
sleep slept sleeping 자 - person,kin,animal - i
run ran running 달리 - person,animal - om
walk walked walking 걷 ㄷ person,kin,animal - om
swim swam swimming 수영하 - person,kin - w
play played playing 놀 - little,pet - o
dance danced dancing 춤추 - person,kin - i
sing sang singing 노래하 - person,kin - i
cry cried crying 울 - little,person - i
laugh laughed laughing 웃 - person,kin - i
work worked working 일하 - person,kin - k
study studied studying 공부하 - person - k
rest rested resting 쉬 - person,kin,animal - io
wait waited waiting 기다리 - person,kin - k
fight fought fighting 싸우 - soldier,animal - o
exercise exercised exercising 운동하 - person,kin - o
shout shouted shouting 소리치 - person - io
"""
# Objects are the places; after them the English preposition ("-": the noun's own) and the Korean
# particle.
MOTION = """
go went going 가 - person,kin indoor,outdoor,city to 에
come came coming 오 - person,kin indoor,outdoor,city to 에
return returned returning 돌아가 - person,kin indoor,outdoor,city to 로
move moved moving 이사하 - person,kin city,village,island to 로 e
arrive arrived arriving 도착하 - person,kin indoor,outdoor,city at 에 e
live lived living 살 - person,kin city,village,island,farm - 에
stay stayed staying 머무르 르 person,kin city,village,hotel,house - 에
"""
DATIVE = """
give gave giving 주 - person,kin goods e
send sent sending 보내 - person,kin sent,paper,clothes e
lend lent lending 빌려주 - person,kin printed,tool,umbrella,vehicle,camera e
sell sold selling 팔 - person goods e
write wrote writing 쓰 - person,kin letter m
"""
# Actions that are done to several things at once, and those whose object keeps a habit's present.
COUNTED_BY = names(
    """read write buy sell eat drink bake make wash cut find lose hide choose bring borrow collect
    draw plant meet invite help catch break fix throw"""
)
HABITS = names("read write sell bake cook make wear play drive ride collect draw")
# Where people usually do it.
PLACES_OF = {
    "read": ("library", "park", "room"),
    "write": ("office", "room"),
    "eat": ("restaurant", "kitchen", "park"),
    "drink": ("restaurant", "kitchen", "hotel"),
    "buy": ("market", "station"),
    "sell": ("market", "street"),
    "bake": ("kitchen",),
    "cook": ("kitchen", "restaurant"),
    "draw": ("park", "classroom", "museum"),
    "learn": ("school", "library"),
    "study": ("school", "library", "room"),
    "teach": ("school", "Seoul", "Paris"),
    "meet": ("station", "airport", "theater", "bank", "Busan"),
    "find": ("house", "forest", "beach"),
    "lose": ("airport", "zoo", "London"),
    "plant": ("garden", "farm", "field"),
    "take": ("zoo", "beach", "museum", "Rome"),
    "wait for": ("station", "hospital", "bank"),
    "fix": ("factory", "house"),
    "play": ("park", "school", "beach"),
    "help": ("hospital", "farm", "village"),
}


class Verb(NamedTuple):
    """A verb of both languages with the classes it selects."""

    english: str
    past: str
    ing: str
    korean: str
    irregular: str
    subjects: frozenset[str]
    objects: frozenset[str]
    flags: frozenset[str]

    @property
    def third(self) -> str:
        """Third person singular of the simple present."""
        head, *rest = self.english.split()
        if head == "have":
            head = "has"
        elif head.endswith(("s", "sh", "ch", "x", "o")):
            head += "es"
        elif head.endswith("y") and head[-2] not in "aeiou":
            head = head[:-1] + "ies"
        else:
            head += "s"
        return " ".join([head, *rest])

    def is_done_by(self, noun: Noun) -> bool:
        """Whether the noun is a subject this verb goes with."""
        return noun.name in self.subjects or bool(noun.classes & self.subjects)

    def selects(self, noun: Noun) -> bool:
        """Whether the noun is an object this verb goes with."""
        return noun.name in self.objects or bool(noun.classes & self.objects)


class Motion(NamedTuple):
    """A verb whose complement is a place, with the preposition ("" for the noun's own)."""

    verb: Verb
    preposition: str
    particle: str


def _verb(fields: list[str]) -> Verb:
    english, past, ing, korean, irregular, subjects, objects, flags = fields
    return Verb(
        english=english.replace("_", " "),
        past=past.replace("_", " "),
        ing=ing.replace("_", " "),
        korean=korean.replace("_", " "),
        irregular=irregular.strip("-"),
        subjects=frozenset(subjects.split(",")),
        objects=frozenset(objects.strip("-").split(",")),
        flags=frozenset(flags),
    )


def parse_verbs(table: str) -> tuple[Verb, ...]:
    """Read a table of verbs."""
    rows = (line.split() for line in table.strip().splitlines())
    return tuple(_verb([*row, ""][:8]) for row in rows)


def parse_motions(table: str) -> tuple[Motion, ...]:
    """Read a table of verbs of motion."""
    rows = (line.split() for line in table.strip().splitlines())
    return tuple(
        Motion(_verb([*row[:7], *row[9:], ""][:8]), row[7].strip("-"), row[8]) for row in rows
    )


TRANSITIVE_VERBS = parse_verbs(TRANSITIVE)
INTRANSITIVE_VERBS = parse_verbs(INTRANSITIVE)
DATIVE_VERBS = parse_verbs(DATIVE)
MOTION_VERBS = parse_motions(MOTION)
