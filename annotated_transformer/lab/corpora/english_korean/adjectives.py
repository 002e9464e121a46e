"""Adjectives of the embedded corpus. CC0.

One adjective a line: English, comparative ("more" if it is formed with that word, "-" if it is not
compared here), Korean stem, irregular class, and the noun classes or nouns it describes. As with
verbs, one English adjective may fill several lines: hot soup is 뜨겁다, a hot room is 덥다.
"""

from typing import NamedTuple

from annotated_transformer.lab.corpora.english_korean.nouns import Noun

ADJECTIVES_TABLE = """
kind kinder 친절하 - person
smart smarter 똑똑하 - person,pet
brave braver 용감하 - person,animal
honest more 정직하 - person
famous more 유명하 - job,reading,painting,museum,city,song,restaurant,movie
diligent more 부지런하 - person
lazy lazier 게으르 르 person,animal
tired - 피곤하 - person,animal
hungry - 배고프 - person,animal
thirsty - 목마르 르 person,animal
sick - 아프 - person,animal
sleepy - 졸리 - person,animal
full - 배부르 르 animal
fat fatter 뚱뚱하 - animal
happy happier 행복하 - person
sad - 슬프 - song,novel,poem,movie
busy busier 바쁘 - person,station,market
poor poorer 가난하 - person,village
lonely - 외롭 ㅂ adult,little
healthy healthier 건강하 - person,animal
strong stronger 강하 - adult,job,royal,animal
weak weaker 약하 - adult,little,animal
young younger 젊 - adult,job,royal
young younger 어리 - little,animal
fast faster 빠르 르 animal,vehicle,driven
slow slower 느리 - animal,vehicle
beautiful more 아름답 ㅂ lovely,outdoor,plant,city,song,painting
pretty prettier 예쁘 - clothes,doll,cup
big bigger 크 - animal,furniture,vehicle,place,container,clothes,stone,fruit
small smaller 작 - animal,furniture,place,container,clothes,fruit,toy
expensive more 비싸 - clothes,vehicle,device,instrument,furniture,meat,fish,cheese,wine
cheap cheaper 싸 - clothes,vehicle,device,instrument,furniture,fruit,vegetable,bread
heavy heavier 무겁 ㅂ heavy,furniture,coat,bicycle
light lighter 가볍 ㅂ container,camera,bicycle,clothes,chair
clean cleaner 깨끗하 - room,house,clothes,fragile,river,water
dirty dirtier 더럽 ㅂ room,house,clothes,fragile,river,street,water
wide wider 넓 - wide,bridge,house,park,garden
narrow narrower 좁 - bridge,cave,street,road,room
deep - 깊 - deep,cave,forest
long longer 길 - bridge,reading,pencil,river,song,movie
short shorter 짧 - bridge,reading,pencil,skirt,song,movie
high - 높 - mountain,hill
tall taller 높 - tree,tower
low - 낮 - hill,table,chair,desk
steep - 가파르 르 steep
slippery - 미끄럽 ㅂ climbed,street,road,bridge
dangerous more 위험하 - crossed,climbed,cave,forest,knife
safe safer 안전하 - crossed,climbed,house,village
quiet quieter 조용하 - room,indoor,outdoor,house
noisy noisier 시끄럽 ㅂ room,station,market,restaurant,factory,radio
dark darker 어둡 ㅂ room,cave,forest,street,house
bright - 밝 - room,lamp,house
cold colder 춥 ㅂ room,house
cold colder 차갑 ㅂ drink,soup,river
hot hotter 덥 ㅂ room
hot hotter 뜨겁 ㅂ coffee,tea,soup,milk,water
warm warmer 따뜻하 - clothes,milk,bread,soup,room,house,cave
sweet sweeter 달 - fruit,sweet
delicious more 맛있 - food,drink
salty saltier 짜 - cooked,cheese,cookie
bitter - 쓰 - bitter
spicy - 맵 ㅂ soup,meat,onion
fresh fresher 신선하 - fruit,vegetable,fish,meat,milk,egg
hard - 단단하 - bread,cookie,stone
soft softer 부드럽 ㅂ bread,cake,clothes,bed
difficult more 어렵 ㅂ printed,study,poem
easy easier 쉽 ㅂ printed,study,poem
interesting more 재미있 - printed,study,sport,letter,movie
boring more 지루하 - printed,study,letter,report,movie
important more 중요하 - study,report,letter,key
useful more 유용하 - tool,device,study,printed,map,umbrella
"""
# Used only before a noun: English, Korean form, classes.
ATTRIBUTIVES_TABLE = """
new 새 printed,clothes,vehicle,device,instrument,furniture,container,toy,indoor,built,song
old 오래된 printed,clothes,vehicle,device,instrument,furniture,paper,indoor,built,bridge
red 빨간 vehicle,clothes,container,rose,flower,door,fragile
blue 파란 vehicle,clothes,container,umbrella,door,chair
yellow 노란 flower,clothes,container,umbrella,bicycle
white 하얀 pet,clothes,rabbit,flower,furniture,house
black 검은 pet,clothes,camera,umbrella,container
"""


class Adjective(NamedTuple):
    """An adjective that can be a predicate, with the classes it describes."""

    english: str
    comparative: str
    korean: str
    irregular: str
    classes: frozenset[str]

    def describes(self, noun: Noun) -> bool:
        """Whether the adjective is sensible of the noun."""
        return noun.name in self.classes or bool(noun.classes & self.classes)


class Attributive(NamedTuple):
    """An adjective used only before its noun, with its one Korean form."""

    english: str
    korean: str
    classes: frozenset[str]

    def describes(self, noun: Noun) -> bool:
        """Whether the adjective is sensible of the noun."""
        return noun.name in self.classes or bool(noun.classes & self.classes)


def parse_adjective(line: str) -> Adjective:
    """Read one line of a table."""
    english, comparative, korean, irregular, classes = line.split()
    if comparative == "more":
        comparative = f"more {english}"
    return Adjective(
        english,
        comparative.strip("-"),
        korean.replace("_", " "),
        irregular.strip("-"),
        frozenset(classes.split(",")),
    )


def parse_attributive(line: str) -> Attributive:
    """Read one line of a table."""
    english, korean, classes = line.split()
    return Attributive(english, korean.replace("_", " "), frozenset(classes.split(",")))


ADJECTIVES = tuple(parse_adjective(line) for line in ADJECTIVES_TABLE.strip().splitlines())
ATTRIBUTIVES = tuple(parse_attributive(line) for line in ATTRIBUTIVES_TABLE.strip().splitlines())
