"""How somebody is and how things seem: he is asleep, the soup smells good, it sounds fun. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import known, subject_of
from annotated_transformer.lab.corpora.english_korean.morphology import AT, TOWARDS
from annotated_transformer.lab.corpora.english_korean.open.stated import (
    drawn_how,
    options,
    owned_thing,
    predicate_of,
    state_table,
    stated,
    told,
)
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, choose_noun

PEOPLE = frozenset({"own", "kin", "relation"})
SENSES = {
    "smell": ("smell", "smells", "smelled", "smelling"),
    "taste": ("taste", "tastes", "tasted", "tasting"),
    "sound": ("sound", "sounds", "sounded", "sounding"),
    "feel": ("feel", "feels", "felt", "feeling"),
    "look": ("look", "looks", "looked", "looking"),
    "seem": ("seem", "seems", "seemed", "seeming"),
}


def somebody_so(d: Derivation) -> Clause:
    """The baby is awake: 그 아기는 깨어 있다. I am in a hurry: 나는 급하다."""
    english, korean, kind, who = d.choose(state_table("somebody so"))
    kinds = who.split(",")
    if "person" in kinds and d.chance(0.75 if "animal" in kinds else 1.0):
        subject = subject_of(d, PEOPLE, pronouns=0.65)
        if english in ("asleep", "awake") and d.chance(0.3):
            subject = known(d, choose_noun(d, frozenset({"baby", "child", "boy", "girl"})), 0.0)
    else:
        noun = d.choose(("dog", "cat", "puppy", "rabbit", "hamster", "horse", "bird", "kitten"))
        baby = "baby" in kinds and d.chance(0.4)
        subject = known(d, choose_noun(d, frozenset({"baby" if baby else noun})), 0.0)
    first = subject.english[0].text
    how, asked = drawn_how(d)
    if asked and first in ("I", "we"):
        raise Unfit
    if kind == "c" and english.endswith("handed") and subject.agreement == "p" and first == "they":
        raise Unfit
    if english == "late again" and how.negated:
        raise Unfit
    still = ""
    if not (asked or how.negated) and english in STILL and d.chance(0.25):
        still = "아직"
    said = stated(d, subject, english, korean, kind, still=still)
    return told(d, said, how, asked=asked, timed=0.25 if english in PASSING else 0.0)


STILL = ("asleep", "awake", "alive", "single", "in bed", "outside", "inside", "in a meeting")
PASSING = (
    *("alone", "in a hurry", "in a good mood", "in a bad mood", "in a meeting", "outside"),
    *("barefoot", "dizzy", "homesick", "busy", "on time", "early"),
)


def _sensed(d: Derivation, state: tuple[str, str, str], verb: str, noun: str) -> Clause:
    english, korean, kind = state
    subject = owned_thing(d, noun, owned=True)
    degree = "" if english in ("great", "terrible") else d.choose(("", "", "", "very", "so"))
    how, asked = drawn_how(d)
    if degree and (how.negated or kind == "v"):
        raise Unfit
    said = stated(d, subject, english, korean, kind, verb=SENSES[verb])
    if degree:
        more = d.node()
        first, *rest = said.korean.before or [Word("", ())]
        text = words({"very": "아주", "so": "정말"}[degree], more)
        before = [first, *text, *rest] if first.text else text
        tail = [*words(degree, more), *said.english.tail]
        said = said._replace(
            english=said.english._replace(tail=tail), korean=said.korean._replace(before=before)
        )
    return clause(*(d, said._replace(kind=""), how), ending="니" if asked else "다", asked=asked)


def smelling(d: Derivation) -> Clause:
    """The soup smells delicious: 수프는 맛있는 냄새가 난다. The blanket feels soft."""
    if d.chance(0.35):
        return _it_senses(d)
    if d.chance(0.35):
        english, korean, _, nouns = d.choose(state_table("it feels"))
        state = (english, f"{korean}게 느껴지", "v")
        return _sensed(d, state, "feel", d.choose(nouns.split(",")))
    english, korean, kind, nouns = d.choose(state_table("smelling"))
    return _sensed(d, (english, korean, kind), "smell", d.choose(nouns.split(",")))


# What "it" or "this" smells like.
SMELLS = (
    *(("good", "냄새가 좋", "-"), ("bad", "냄새가 나쁘", "-"), ("great", "냄새가 아주 좋", "-")),
    *(("nice", "냄새가 좋", "-"), ("delicious", "맛있는 냄새가 나", "v")),
    *(("strange", "냄새가 이상하", "-"), ("terrible", "냄새가 고약하", "-")),
    *(("sweet", "달콤한 냄새가 나", "v"), ("awful", "냄새가 고약하", "-")),
)
THESE = (("it", "그것"), ("it", "그것"), ("it", "그것"), ("this", "이것"), ("that", "저것"))


def _this(d: Derivation) -> NounPhrase:
    english, korean = d.choose(THESE)
    own = d.node()
    return NounPhrase(words(english, own), words(korean, own), own, "3s")


def _it_senses(d: Derivation) -> Clause:
    """Say how it smells, tastes or sounds: 그것은 냄새가 좋다."""
    sense = d.choose(("smell", "taste", "sound"))
    if sense == "sound":
        (field,) = d.choose(state_table("it sounds"))
        english, adverb, _ = d.choose(options(field))
        korean, kind = f"{adverb} 들리", "v"
    else:
        table = SMELLS if sense == "smell" else state_table("it tastes")
        english, korean, kind = d.choose(table)
    how, asked = drawn_how(d)
    if how.negated and korean.endswith("없"):
        raise Unfit
    said = stated(d, _this(d), english, korean, kind, verb=SENSES[sense])
    return clause(*(d, said._replace(kind=""), how), ending="니" if asked else "다", asked=asked)


def sounding(d: Derivation) -> Clause:
    """Say how it sounds: this song sounds sad: 이 노래는 슬프게 들린다."""
    field, nouns = d.choose(state_table("sounding"))
    english, adverb, _ = d.choose(options(field))
    return _sensed(d, (english, f"{adverb} 들리", "v"), "sound", d.choose(nouns.split(",")))


def seeming(d: Derivation) -> Clause:
    """He seems angry: 그는 화가 나 보인다. The cake looks delicious: 케이크는 맛있어 보인다."""
    if d.chance(0.45):
        subject, (english, korean, irregular) = _thing_with_quality(d)
        verb = d.choose(("look", "look", "look", "seem"))
    else:
        subject = subject_of(d, PEOPLE, pronouns=0.65)
        english, korean, irregular = d.choose(state_table("seeming"))
        verb = d.choose(("look", "seem", "seem"))
        if verb == "look" and english in LOOKED:
            raise Unfit
    node, look = d.node(), d.node()
    tail = words(english, node)
    predicate = endings.seeming(endings.verb(korean, irregular.strip("-"), node), look)
    how, asked = drawn_how(d)
    if asked and subject.first_person:
        raise Unfit
    degree = "" if asked or how.negated else d.choose(("", "", "", "", "very", "so", "really"))
    if degree:
        more = d.node()
        tail = [*words(degree, more), *tail]
        korean_more = words({"very": "아주", "so": "정말", "really": "정말"}[degree], more)
        predicate = predicate._replace(before=_degreed(predicate, korean_more, len(korean.split())))
    if verb == "seem" and d.chance(0.2):
        tail = [*words("to be", look), *tail]
    said = Said(subject, EnglishVerb(*SENSES[verb], look, tail), predicate)
    return told(d, said, how, asked=asked, timed=0.12 if subject.noun is None else 0.0)


def _degreed(p: Predicate, degree: list[Word], parts: int) -> list[Word]:
    """Put the degree next to what it is of: 화가 아주 나 보이-, 아주 맛있어 보이-."""
    place = len(p.before) - 1 if parts > 1 else 0
    return [*p.before[:place], *degree, *p.before[place:]]


# What the rule for "you look tired" says of people.
LOOKED = frozenset({"happy", "tired", "sad", "busy", "nice", "healthy", "smart", "sleepy"}) | {
    *("lonely", "worried", "hungry", "bored", "sick", "calm", "friendly", "strange", "serious")
}
SEEN = {
    *("expensive", "cheap", "heavy", "light", "comfortable", "old", "delicious", "tasty", "fresh"),
    *("clean", "dirty", "beautiful", "pretty", "difficult", "easy", "interesting", "boring"),
    *("dangerous", "strong", "soft", "warm", "nice", "good", "cute", "scary", "deep", "tall"),
    *("spicy", "salty", "sweet", "big", "small", "long", "short", "safe", "funny", "strange"),
}


def _thing_with_quality(d: Derivation) -> tuple[NounPhrase, tuple[str, str, str]]:
    entries = [
        entry
        for entry in d.lexicon.adjectives
        if entry.english in SEEN and not entry.classes & {"person", "adult"}
    ]
    entry = d.choose(entries)
    noun = choose_noun(d, entry.classes)
    if noun.classes & {"person", "kin", "name"}:
        raise Unfit
    return known(d, noun, 0.0), (entry.english, entry.korean, entry.irregular or "-")


def towards(d: Derivation) -> Clause:
    """I am sick of rain: 나는 비가 지긋지긋하다. I am allergic to cats."""
    english, korean, kind, marked, things = d.choose(TOWARDS_THINGS)
    subject = subject_of(d, PEOPLE, pronouns=0.75)
    thing, text = d.choose(tuple(pair.split(":") for pair in things.split(",")))
    node, be, own = d.node(), d.node(), d.node()
    last = NounPhrase([], words(text, own), own, "3s").marked(_PARTICLES[marked], node)
    predicate = predicate_of(korean, kind, node, be)
    complement = Clause(words(thing, own), last)
    verb = EnglishVerb("be", "", "", "", be, words(english, node))
    flags = frozenset("R") if kind == "r" else frozenset[str]()
    said = Said(subject, verb, predicate, (complement,), flags)
    asked = d.chance(0.18) and subject.english[0].text not in ("I", "we")
    how = How("past" if d.chance(0.15) else "present", "", not asked and d.chance(0.12))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


_PARTICLES = {"에": AT, "으로": TOWARDS}
FOODS = "milk:우유,peanuts:땅콩,eggs:달걀,seafood:해산물,shrimp:새우,cats:고양이,dogs:개,dust:먼지"
ROUTINE = "rain:비,winter:겨울,school:학교,work:일,homework:숙제,pizza:피자,this city:이 도시"
TOWARDS_THINGS = (
    ("allergic to", "알레르기가 있", "-", "에", FOODS + ",pollen:꽃가루,nuts:견과류"),
    ("tired of", "싫증 나", "r", "에", ROUTINE + ",this game:이 게임,this song:이 노래"),
    ("sick of", "싫증 나", "r", "에", ROUTINE + ",rice:밥,noodles:국수"),
    ("busy with", "바쁘", "-", "으로", "work:일,homework:숙제,school:학교 일,housework:집안일"),
    ("addicted to", "중독되", "r", "에", "coffee:커피,games:게임,sugar:설탕,TV:텔레비전"),
    ("crazy about", "푹 빠져 있", "s", "에", "soccer:축구,music:음악,games:게임,cars:자동차"),
)
