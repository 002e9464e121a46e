"""The rules for places and days, comparisons, passives, modals, since, that-clauses, machines."""

import re

import pytest
from open_grammar import check_said, check_written, sentences

from annotated_transformer.lab.corpora.english_korean.open.splits import OPEN
from annotated_transformer.lab.corpora.english_korean.open.tabled import third_of

COUNT = 1200
MODULES = (
    *("where_we_met", "reason_why", "than_i_thought", "faster_than", "was_built", "should_have"),
    *("able_to", "ever_since", "not_anymore", "unless", "it_seems", "machines", "languages"),
    "longest",
)
NAMES = tuple(name for name, (rule, _) in OPEN.items() if rule.__module__.split(".")[-1] in MODULES)


# The rule, what its English says, and what the Korean then has.
SAID = (
    ("where_we_met", r"^this is the \w+ where I was born$", r"^이곳은 내가 태어난 \S+다$"),
    ("where_we_met", r"\bthe city (which |that )?\S+ lives? in\b", r" 사는 도시"),
    ("remember_the_day", r"^do you remember that day\b", r"그날을 (\S+ )*기억하니$"),
    ("remember_the_day", r"\bthe day (when )?we met", r"우리가 만난 날을 "),
    ("remember_the_day", r"\bnever forget\b", r" 절대 잊지 않을 것이다$"),
    ("reason_why", r"^that is why ", r"^그것이 .* 이유다$"),
    ("whose_father", r"\ba \w+ whose father is a pilot$", r"아버지가 조종사인 "),
    ("than_i_thought", r"\bthan I thought$", r"내가 생각한 것보다 .*더 "),
    ("bigger_than_yours", r"\bis not as \w+ as yours$", r" 네 (것|\S+)만큼 .*지 않다$"),
    ("bigger_than_yours", r"\bthan mine$", r" 내 (것|남동생|여동생)보다 .*더 "),
    ("colder_than_yesterday", r"^today is colder than yesterday$", r"^오늘은 어제보다 더 춥다$"),
    ("faster_than_me", r"\b(runs|run) faster than me$", r"나보다 더 빨리 달"),
    ("best_noodles", r"\bmakes the best noodles$", r" 가장 맛있는 국수를 만든다$"),
    ("the_more", r"^the more you read,? the more you learn$", r"^많이 읽을수록 더 많이 배운다$"),
    ("more_and_more", r"\bis getting (\w+er) and \1$", r"점점 더 .*지고 있다$"),
    ("was_built", r"\bwas built in \d+$", r"은? ?\d+년에 지어졌[다니]$"),
    ("was_built", r"\bwas (written|painted|made|built) by the \w+$", r"[이가] \S+[다니]$"),
    ("was_built", r"\bis being \w+ now$", r"지금 .*고 있[다니]$"),
    ("when_built", r"^when was .* built$", r"[은는] 언제 지어졌니$"),
    ("happened_to", r"\bbitten by a dog$", r"개에게 물[렸리]"),
    ("is_spoken", r"^English is spoken in many countries$", r"^영어는 많은 나라에서 쓰인다$"),
    ("should_have", r"\bshould have told me\b", r"말했어야 했다$"),
    ("should_have", r"\bshould not have\b", r"지 말았어야 했다$"),
    ("must_be", r"^he must be ", r"^그는 .* 것이 틀림없다$"),
    ("must_be", r"\bcannot be\b", r" 리가 없다$"),
    ("would_rather", r"^I would rather stay (at )?home$", r"^나는 차라리 집에 있고 싶다$"),
    ("must_not_be", r"^we (must|should) not be late$", r"^우리는 늦으면 안 된다$"),
    ("able_to", r"^I was able to ", r" 수 있었다$"),
    ("been_doing", r"\bhave been waiting for ", r"기다리고 있[다니]$"),
    ("not_since", r"\bnot seen him since last summer$", r"지난여름부터 그를 보지 못했다$"),
    ("since_ago", r"\byears since we met$", r"^우리가 만난 지 \S+ 년이 됐다$"),
    ("not_anymore", r"\bdo(es)? not .*\banymore$",
     r" 더 이상 .*(지 않는다|지 않다|지 못한다|없다|모른다|아니다)$"),
    ("not_everyone", r"^not everyone likes cheese$", r"^모든 사람이 치즈를 .* 것은 아니다$"),
    ("no_idea", r"^I have no idea ", r"지 전혀 모른다$"),
    ("everything_he_said", r"^everything \w+ said (was|is) a lie$",
     r"[이가] 말한 모든 것은 거짓말"),
    ("not_what_i_said", r"^that is not what I said$", r"^그것은 내가 말한 것이 아니다$"),
    ("unless", r"\bunless (it rains|it snows)", r"[비눈][이가] 오지 않으면 "),
    ("tell_him_that", r"^tell him (that )?I ", r"^그에게 내가 .*고 말해라$"),
    ("let_me_know", r"^please let me know when ", r"면 나에게 알려 줘$"),
    ("it_is_true_that", r"^it is true that ", r"는 것은 사실이다$"),
    ("problem_is_that", r"^the problem is (that )?", r"^문제는 .*는 것이다$"),
    ("it_seems", r"^(it seems|I am afraid)", r" 것 같다$"),
    ("until_midnight", r"\buntil midnight$", r"자정까지 "),
    ("machine_does", r"^will .* replace ", r"[을를] .*대신할까$"),
    ("machine_does", r"\btranslates English into Korean$", r"영어를 한국어로 번역한다$"),
    ("model_that", r"\bprogram (that|which) counts words$", r"단어를 세는 프로그램"),
    ("studying", r"\bam reading a paper about ", r"에 대한 논문을 읽고 있다$"),
    ("read_to_learn", r"\bto understand the paper$", r"논문을 이해하려고 "),
    ("languages_are", r"^learning .* is .*fun$", r"배우는 것은 .*재미있"),
    ("how_to_say", r"^how do you say this in Korean$", r"^이것을 한국어로 어떻게 말하니$"),
    ("told_but", r"^(?!I |you )\w+ told me .*, but (he|she|they) ", r"고 말했지만 "),
    ("if_you_have_time", r"^if you have time, you should visit ",
     r"있으면 .*[을를] 방문해야 한다$"),
    ("when_young_where", r"^when I was a child, ", r"^나는 어렸을 때 "),
    ("but_so", r"\bwanted to .*\bbut it rained", r"싶(었|어 했)지만 비가 와서 "),
    ("boring_so", r"\bso you ", r"서 너는 "),
    ("when_before", r"^when I .* before I ", r"^나는 .*을 때 .* 전에 "),
)  # fmt: skip


@pytest.mark.parametrize(("name", "english", "korean"), SAID)
def test_what_is_said(name: str, english: str, korean: str) -> None:
    check_said(sentences(name, seed=9, count=COUNT), english, korean)


@pytest.mark.parametrize("name", NAMES)
def test_particles_and_marks(name: str) -> None:
    pairs = sentences(name, seed=9, count=COUNT)
    check_written(pairs)
    for _, korean in pairs:
        assert not re.search(r"(^| )(나가|너가|저가) ", korean), korean


def test_every_rule_of_these_modules_is_tried() -> None:
    assert {name.removeprefix("open_") for name in NAMES} == {name for name, _, _ in SAID}


@pytest.mark.parametrize(
    ("base", "third"),
    [("go", "goes"), ("try", "tries"), ("play", "plays"), ("have", "has"), ("catch", "catches")],
)
def test_third_person(base: str, third: str) -> None:
    assert third_of(base) == third
