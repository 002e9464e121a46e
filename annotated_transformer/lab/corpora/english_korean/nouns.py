"""Nouns of the embedded corpus, with plural, Korean counter and semantic classes. CC0.

One noun a line: English, plural ("-" for what English does not count), Korean, Korean counter
("-" if it is never counted here) and its classes; "_" is a space. A verb lists the classes it
selects and an adjective those it describes, so that people read books and dogs do not.
"""

from typing import NamedTuple

PEOPLE = """
student students 학생 명 job
teacher teachers 선생님 명 job relation
doctor doctors 의사 명 job
nurse nurses 간호사 명 job
singer singers 가수 명 job
farmer farmers 농부 명 job
painter painters 화가 명 job
writer writers 작가 명 job
soldier soldiers 군인 명 job
lawyer lawyers 변호사 명 job
police_officer police_officers 경찰관 명 job
firefighter firefighters 소방관 명 job
scientist scientists 과학자 명 job
actor actors 배우 명 job
dancer dancers 무용수 명 job
baker bakers 제빵사 명 job
pilot pilots 조종사 명 job
judge judges 판사 명 job
king kings 왕 명 royal male
queen queens 여왕 명 royal lovely female
prince princes 왕자 명 royal male
princess princesses 공주 명 royal lovely female
poet poets 시인 명 job
gardener gardeners 정원사 명 job
musician musicians 음악가 명 job
professor professors 교수 명 job
merchant merchants 상인 명 job
guest guests 손님 명 relation
neighbor neighbors 이웃 명 relation
friend friends 친구 명 relation
child children 아이 명 little
boy boys 소년 명 little male
girl girls 소녀 명 little lovely female
man men 남자 명 adult male
woman women 여자 명 adult lovely female
"""
KIN = """
father - 아버지 - elder male
mother - 어머니 - elder female
grandfather - 할아버지 - elder male
grandmother - 할머니 - elder female
uncle - 삼촌 - elder male
son - 아들 - junior male
daughter - 딸 - junior female
"""
ANIMALS = """
animal animals 동물 마리 wild
dog dogs 개 마리 pet
cat cats 고양이 마리 pet climber
puppy puppies 강아지 마리 pet
horse horses 말 마리 pet worker
cow cows 소 마리 livestock worker
pig pigs 돼지 마리 livestock
goat goats 염소 마리 livestock prey
chicken chickens 닭 마리 livestock prey
duck ducks 오리 마리 livestock prey
donkey donkeys 당나귀 마리 livestock worker
camel camels 낙타 마리 wild worker
bird birds 새 마리 wild prey
rabbit rabbits 토끼 마리 wild prey
mouse mice 쥐 마리 wild prey
squirrel squirrels 다람쥐 마리 wild climber prey
monkey monkeys 원숭이 마리 wild climber
fox foxes 여우 마리 wild hunter
wolf wolves 늑대 마리 wild hunter
bear bears 곰 마리 wild hunter climber
tiger tigers 호랑이 마리 wild hunter
lion lions 사자 마리 wild hunter
elephant elephants 코끼리 마리 wild worker
"""
FOOD = """
apple apples 사과 개 fruit
banana bananas 바나나 개 fruit
peach peaches 복숭아 개 fruit
strawberry strawberries 딸기 개 fruit crop
watermelon watermelons 수박 개 fruit heavy
tomato tomatoes 토마토 개 fruit crop
potato potatoes 감자 개 vegetable crop baked
carrot carrots 당근 개 vegetable crop
onion onions 양파 개 vegetable crop
mushroom mushrooms 버섯 개 vegetable
egg eggs 달걀 개 cooked
cake cakes 케이크 개 baked sweet made
cookie cookies 과자 개 baked sweet made
bread - 빵 - baked made
meat - 고기 - cooked baked
fish - 생선 - cooked baked
rice - 밥 - made
cheese - 치즈 - made
soup - 수프 - cooked made hot
"""
DRINKS = """
water - 물 잔 plain
milk - 우유 잔 plain
coffee - 커피 잔 bitter
tea - 차 잔 bitter
juice - 주스 잔 sweet
wine - 포도주 잔 adults
"""
READINGS = """
book books 책 권 written printed
novel novels 소설 권 written printed
magazine magazines 잡지 권 printed
textbook textbooks 교과서 권 printed written
letter letters 편지 통 written sent
poem poems 시 편 written
report reports 보고서 부 written sent
newspaper newspapers 신문 부 printed
"""
CLOTHES = """
shirt shirts 셔츠 벌 body
dress dresses 드레스 벌 body
coat coats 외투 벌 body
skirt skirts 치마 벌 body
sweater sweaters 스웨터 벌 body
hat hats 모자 개 head
shoes shoes 신발 켤레 foot
boots boots 장화 켤레 foot
socks socks 양말 켤레 foot
gloves gloves 장갑 켤레 hand
ring rings 반지 개 hand jewel
"""
GOODS = """
car cars 자동차 대 vehicle driven
truck trucks 트럭 대 vehicle driven
bicycle bicycles 자전거 대 vehicle ridden
computer computers 컴퓨터 대 device electric
camera cameras 카메라 대 device
radio radios 라디오 대 device electric heard
television televisions 텔레비전 대 device electric
lamp lamps 램프 개 device electric
piano pianos 피아노 대 instrument struck heavy
guitar guitars 기타 대 instrument struck
violin violins 바이올린 대 instrument bowed
trumpet trumpets 트럼펫 대 instrument blown
table tables 탁자 개 furniture surface
desk desks 책상 개 furniture surface
chair chairs 의자 개 furniture surface
bed beds 침대 개 furniture surface
box boxes 상자 개 container portable heavy
bag bags 가방 개 container portable heavy
basket baskets 바구니 개 container portable
ball balls 공 개 thrown toy
doll dolls 인형 개 toy portable
gift gifts 선물 개 portable sent
cup cups 컵 개 fragile
bottle bottles 병 개 fragile
mirror mirrors 거울 개 fragile
knife knives 칼 자루 tool
pencil pencils 연필 자루 tool
key keys 열쇠 개 small
umbrella umbrellas 우산 개 small
ticket tickets 표 장 paper
stamp stamps 우표 장 paper
map maps 지도 장 paper drawn
photo photos 사진 장 paper
painting paintings 그림 장 drawn
flower flowers 꽃 송이 plant natural
rose roses 장미 송이 plant natural
"""
SURROUNDINGS = """
stone stones 돌 개 thrown heavy natural
tree trees 나무 그루 plant natural tall climbed
door doors 문 개 opening
window windows 창문 개 opening fragile
movie movies 영화 편 shown
song songs 노래 곡 sung heard
"""
PLACES = """
park parks 공원 - in outdoor
garden gardens 정원 - in outdoor
school schools 학교 - at indoor built
hospital hospitals 병원 - at indoor built
library libraries 도서관 - in indoor built
market markets 시장 - at outdoor
kitchen kitchens 부엌 - in room
room rooms 방 - in room entered
classroom classrooms 교실 - in room
house houses 집 채 in room entered built
office offices 사무실 - in room
museum museums 박물관 - at indoor built
theater theaters 극장 - at indoor built
restaurant restaurants 식당 - at indoor built
factory factories 공장 - at indoor built
hotel hotels 호텔 - at indoor built
bank banks 은행 - at indoor
station stations 역 - at outdoor
airport airports 공항 - at outdoor
beach beaches 해변 - on outdoor
village villages 마을 - in outdoor
forest forests 숲 - in outdoor entered
cave caves 동굴 - in entered
farm farms 농장 - on outdoor
zoo zoos 동물원 - at outdoor
island islands 섬 - on outdoor
street streets 길 - on crossed wide
road roads 도로 - on crossed wide
river rivers 강 - in crossed wide deep
bridge bridges 다리 - on crossed long
desert deserts 사막 - in crossed wide
field fields 들판 - in crossed wide
mountain mountains 산 - on tall climbed steep
hill hills 언덕 - on climbed steep
tower towers 탑 - in tall climbed built
"""
CITIES = """
Seoul - 서울 -
Busan - 부산 -
Jeju - 제주 -
Paris - 파리 -
London - 런던 -
Rome - 로마 -
"""
SUBJECTS_OF_STUDY = """
history - 역사 -
mathematics - 수학 -
science - 과학 -
music - 음악 - heard
English - 영어 -
Korean - 한국어 -
"""
ACTIVITIES = """
soccer - 축구 - ball_game
baseball - 야구 - ball_game
basketball - 농구 - ball_game
tennis - 테니스 - struck
"""
# English name, Korean name. All are third person singular and take no article.
NAMES = """
Minsu - 민수 - male
Jisu - 지수 - female
Yuna - 유나 - female
Sujin - 수진 - female
Jihun - 지훈 - male
Minjun - 민준 - male
Anna - 안나 - female
Tom - 톰 - male
"""


class Noun(NamedTuple):
    """A noun: `plural` is "" for mass nouns, `counter` "" for what is never counted."""

    english: str
    plural: str
    korean: str
    counter: str
    classes: frozenset[str]

    @property
    def name(self) -> str:
        """What verbs and adjectives call it; "" where that is the name of a class (a job)."""
        return "" if "unnamed" in self.classes else self.english

    @property
    def plural_only(self) -> bool:
        """Whether English has only a plural (shoes)."""
        return self.english == self.plural


def parse_nouns(table: str, *classes: str) -> tuple[Noun, ...]:
    """Read a table of nouns, which all have the given classes too."""
    nouns = []
    for line in table.strip().splitlines():
        english, plural, korean, counter, *own = line.split()
        kinds = frozenset(own) | frozenset(classes)
        singular, plural = english.replace("_", " "), plural.replace("_", " ").strip("-")
        korean = korean.replace("_", " ")
        nouns.append(Noun(singular, plural, korean, counter.strip("-"), kinds - {"-"}))
    return tuple(nouns)


NOUNS: tuple[Noun, ...] = (
    *parse_nouns(PEOPLE, "person"),
    *parse_nouns(KIN, "kin"),
    *parse_nouns(ANIMALS, "animal"),
    *parse_nouns(FOOD, "food", "goods"),
    *parse_nouns(DRINKS, "drink", "goods"),
    *parse_nouns(READINGS, "reading", "goods"),
    *parse_nouns(CLOTHES, "clothes", "goods"),
    *parse_nouns(GOODS, "thing", "goods"),
    *parse_nouns(SURROUNDINGS, "thing"),
    *parse_nouns(PLACES, "place"),
    *parse_nouns(CITIES, "city"),
    *parse_nouns(SUBJECTS_OF_STUDY, "study"),
    *parse_nouns(ACTIVITIES, "sport"),
    *parse_nouns(NAMES, "name"),
)
