"""How one feels, what one becomes, how and how long one does it: 아름답게 노래한다. CC0."""

from annotated_transformer.lab.corpora.english_korean.adverbs import Adverbial
from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY, adverbial
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.compound import event_of, person
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.frames import action
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import subject_of
from annotated_transformer.lab.corpora.english_korean.morphology import infinitive
from annotated_transformer.lab.corpora.english_korean.phrases import pronoun
from annotated_transformer.lab.corpora.english_korean.verbs import names

PEOPLE = frozenset({"own", "kin", "relation"})
TODAY = (Adverbial("today", "오늘"), Adverbial("now", "지금"), Adverbial("these days", "요즘"))
THEN = (Adverbial("yesterday", "어제"), Adverbial("last night", "어젯밤에"))

# English, Korean, irregular; "-" before what is felt by oneself and shows in others (-어하다).
FEELINGS = (
    *(("good", "기분이 좋", ""), ("great", "기분이 아주 좋", ""), ("bad", "기분이 나쁘", "")),
    *(("sick", "속이 안 좋", ""), ("happy", "행복하", ""), ("tired", "피곤하", "")),
    *(("sad", "-슬프", ""), ("lonely", "-외롭", "ㅂ"), ("hungry", "배고프", "")),
    *(("sleepy", "-졸리", ""), ("bored", "-심심하", ""), ("comfortable", "편하", "")),
    *(("nervous", "-불안하", ""), ("thirsty", "목마르", "르"), ("proud", "-자랑스럽", "ㅂ")),
)
COLD = (
    *(("cold", "-춥", "ㅂ"), ("hot", "-덥", "ㅂ"), ("cold", "-춥", "ㅂ"), ("hot", "-덥", "ㅂ")),
    *(("sad", "-슬프", ""), ("lonely", "-외롭", "ㅂ"), ("scared", "-무섭", "ㅂ")),
)


def feeling(d: Derivation) -> Clause:
    """I feel good today: 나는 오늘 기분이 좋다. My mother is cold: 우리 어머니는 추워한다."""
    felt = d.chance(0.6)
    english, text, irregular = d.choose(FEELINGS if felt else COLD)
    subject = subject_of(d, PEOPLE, pronouns=0.7)
    asked = d.chance(0.2)
    if asked and subject.english[0].text in ("I", "we"):
        raise Unfit
    node, own = d.node(), d.node()
    *before, stem = text.removeprefix("-").split(" ")
    nodes = (node, own)
    predicate = Predicate([Word(t, nodes) for t in before], stem, irregular, "adjective", nodes)
    speaker = subject.first_person or (asked and subject.english[0].text == "you")
    if text.startswith("-") and not speaker:
        if subject.english[0].text == "you":
            raise Unfit  # what the hearer feels is asked, not told
        predicate = Predicate([], infinitive(stem, irregular) + "하", "", "verb", nodes)
    degree = "" if before else d.choose(("", "", "", "very", "so", "really"))
    tail = words(english, node)
    if degree:
        more = d.node()
        tail = [*words(degree, more), *tail]
        korean = {"very": "아주", "so": "정말", "really": "정말"}[degree]
        predicate = predicate._replace(before=words(korean, more))
    if felt:
        verb = EnglishVerb("feel", "feels", "felt", "feeling", own, tail)
    else:
        verb = EnglishVerb("be", "", "", "", own, tail)
    how = How("past" if d.chance(0.3) else "present")
    how = how._replace(negated=not asked and not degree and d.chance(0.2))
    if how.negated and english in ("sick", "great"):
        raise Unfit
    said = Said(subject, verb, predicate)
    time = adverbial(d, THEN if how.tense == "past" else TODAY) if d.chance(0.3) else EMPTY
    return clause(d, said, how, ending="니" if asked else "다", asked=asked, time=time)


# English, its comparative ("" if there is none here), Korean, irregular.
GROWN = (
    *(("famous", "", "유명하", ""), ("rich", "richer", "부유하", ""), ("poor", "", "가난하", "")),
    *(("strong", "stronger", "강하", ""), ("weak", "weaker", "약하", "")),
    *(("healthy", "healthier", "건강하", ""), ("tall", "taller", "키가 크", "")),
    *(("fat", "fatter", "뚱뚱하", ""), ("popular", "", "인기가 많", "")),
    *(("happy", "happier", "행복하", ""), ("busy", "busier", "바쁘", "")),
    *(("lazy", "lazier", "게으르", "르"), ("smart", "smarter", "똑똑하", "")),
    *(("sad", "", "슬프", ""), ("kind", "kinder", "친절하", "")),
    *(("beautiful", "", "아름답", "ㅂ"), ("sleepy", "", "졸리", "")),
)
# It gets so outside.
OUTSIDE = (
    *(
        ("cold", "colder", "춥", "ㅂ"),
        ("hot", "hotter", "덥", "ㅂ"),
        ("dark", "darker", "어둡", "ㅂ"),
    ),
    *(("warm", "warmer", "따뜻하", ""), ("cool", "cooler", "시원하", "")),
    *(("late", "", "늦", ""), ("bright", "brighter", "밝", "")),
)
BECOME = (
    ("become", "becomes", "became", "becoming"),
    ("get", "gets", "got", "getting"),
)


def growing(d: Derivation) -> Clause:
    """She became famous: 그녀는 유명해졌다. It is getting colder: 더 추워지고 있다."""
    outside = d.chance(0.35)
    english, more, korean, irregular = d.choose(OUTSIDE if outside else GROWN)
    compared = bool(more) and (english == "tall" or d.chance(0.35))
    forms = d.choose(BECOME)
    if not compared and not outside and english in ("strong", "weak", "kind", "happy", "sad"):
        forms = BECOME[0]
    if outside and forms[0] == "become":
        raise Unfit
    node, own = d.node(), d.node()
    *before, stem = korean.split(" ")
    words_before = [Word(text, (own,)) for text in before]
    if compared:
        words_before = [*words_before, *words("더", own)]
    grown = infinitive(stem, irregular) + "지"
    subject = pronoun(d, 2) if outside else person(d)
    if outside:
        subject = subject._replace(english=words("it", own), node=own)
    predicate = Predicate(words_before, grown, "", "verb", (node, own))
    verb = EnglishVerb(*forms, node, words(more if compared else english, own))
    tense = d.choose(("past", "past", "progressive", "future"))
    asked = not outside and d.chance(0.12)
    how = How(tense)
    if not outside and not asked and tense == "past" and d.chance(0.2):
        how = How("present", "want") if english not in ("poor", "weak", "fat", "lazy") else how
    said = Said(subject, verb, predicate, flags=frozenset("x"))
    ending = "니" if asked else "다"
    return clause(d, said, how, ending=ending, asked=asked, drop_subject=outside)


# How something is done, and the verbs that it goes with.
ADVERBS = (
    ("very well", "아주 잘", "sing dance swim cook drive draw"),
    ("really well", "정말 잘", "sing dance swim cook drive draw"),
    ("beautifully", "아름답게", "sing dance"),
    ("loudly", "큰 소리로", "sing laugh cry talk shout"),
    ("quietly", "조용히", "laugh rest work study"),
    ("happily", "행복하게", "sing smile laugh dance"),
    ("slowly", "천천히", "run swim dance"),
    ("very slowly", "아주 천천히", "walk run swim drive eat"),
    ("quickly", "빨리", "walk run swim eat"),
    ("very fast", "아주 빨리", "run walk swim eat"),
    ("too fast", "너무 빨리", "run walk drive eat"),
    ("carefully", "조심스럽게", "drive walk"),
    ("safely", "안전하게", "drive"),
    ("faster", "더 빨리", "run walk swim eat"),
    ("better", "더 잘", "sing dance swim cook drive sleep"),
    ("harder", "더 열심히", "study work exercise"),
    ("more slowly", "더 천천히", "walk eat drive"),
    ("really hard", "정말 열심히", "study work exercise"),
    ("too much", "너무 많이", "work sleep talk study"),
    ("deeply", "깊이", "sleep"),
)
ALL_DAY = (
    ("all day", "하루 종일"),
    ("all day long", "하루 종일"),
    ("all night", "밤새"),
    ("all morning", "아침 내내"),
    ("all afternoon", "오후 내내"),
    ("all weekend", "주말 내내"),
    ("all evening", "저녁 내내"),
)
LASTING = names(
    """study work sleep wait run walk swim exercise play read watch dance talk rest cook,
watch TV,watch movies,play games,listen to music,play video games,drive,cry,practice,
clean OWN room,play computer games,sing,draw,write,look for,wait for""".replace("\n", "")
) | names("study work sleep wait run walk swim exercise rest cook dance talk read watch")


def _doing(d: Derivation, bases: frozenset[str]) -> Said:
    said = action(d, person(d))
    if said.base not in bases or said.kind != "action":
        raise Unfit
    return said


# 노래를 잘하다, 춤을 잘 추다: what is done well is named.
WORKS = {"sing": "노래를", "cook": "요리를", "swim": "수영을", "drive": "운전을"}


def _done(said: Said, english: str, korean: str, node: int) -> Said:
    """Return the action done in this way."""
    own = said.korean.nodes
    *degree, last = korean.split(" ")
    if last == "잘" and said.base in WORKS:
        before = [Word(WORKS[said.base], own), *(Word(text, (node,)) for text in degree)]
        korean_verb = Predicate(before, "잘하", "", "verb", (*own, node))
        return said._replace(korean=korean_verb, manner=Clause(words(english, node), []))
    if last == "잘" and said.base == "dance":
        before = [Word("춤을", own), *words(korean, node)]
        dancing = Predicate(before, "추", "", "verb", own)
        return said._replace(korean=dancing, manner=Clause(words(english, node), []))
    return said._replace(manner=Clause(words(english, node), words(korean, node)))


def manner(d: Derivation) -> Clause:
    """She sings beautifully: 그녀는 아름답게 노래한다. I run faster every day: 매일 더 빨리."""
    english, korean, bases = d.choose(ADVERBS)
    said = _doing(d, names(bases))
    if said.complements and said.complements[0].english:
        raise Unfit
    node = d.node()
    said = _done(said, english, korean, node)
    tense = d.choose(("present", "present", "past", "past", "progressive", "future"))
    asked = d.chance(0.15)
    daily = tense == "present" and d.chance(0.25)
    every = (Adverbial("every day", "매일"),)
    if d.chance(0.15) and tense == "present" and not daily:
        how = How("present", d.choose(("want", "can", "must", "should", "have")))
        asked = False
    else:
        how = event_of(d, said, tense)
    time = adverbial(d, every) if daily else EMPTY
    return clause(d, said, how, ending="니" if asked else "다", asked=asked, time=time)


def all_day(d: Derivation) -> Clause:
    """I want to sleep all day: 나는 하루 종일 자고 싶다."""
    english, korean = d.choose(ALL_DAY)
    said = _doing(d, LASTING)
    node = d.node()
    lasting = Clause(words(english, node), words(korean, node))
    said = said._replace(complements=(*said.complements[:1], lasting))
    asked = d.chance(0.12)
    if not asked and d.chance(0.25):
        how = How("present", d.choose(("want", "want", "can", "have", "must")))
    else:
        how = event_of(d, said, d.choose(("past", "past", "past progressive", "future")))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)
