"""I have a lot of work to do, no books to read: 할 일이 많다, 읽을 책이 없다. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.compound import person
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)

TO_DO = (
    ("work", "", "일", "do", "할"),
    ("work", "", "일", "do", "할"),
    ("homework", "", "숙제", "do", "할"),
    ("homework", "", "숙제", "do", "할"),
    ("", "things", "일", "do", "할"),
    ("", "books", "책", "read", "읽을"),
    ("", "letters", "편지", "write", "쓸"),
    ("", "emails", "이메일", "write", "쓸"),
    ("", "friends", "친구", "talk to", "이야기할"),
    ("", "people", "사람", "meet", "만날"),
    ("", "clothes", "옷", "wear", "입을"),
    ("", "places", "곳", "visit", "방문할"),
    ("", "dishes", "접시", "wash", "씻을"),
    ("money", "", "돈", "spend", "쓸"),
    ("food", "", "음식", "eat", "먹을"),
    ("time", "", "시간", "rest", "쉴"),
)


def work_to_do(d: Derivation) -> Clause:
    """I have a lot of work to do: 나는 할 일이 많다. I have no books to read: 읽을 책이 없다."""
    subject, node, much, act = person(d), d.node(), d.node(), d.node()
    own = d.node()
    mass, many, korean, verb, form = d.choose(TO_DO)
    amount = d.weighted((("a lot of", 0.4), ("many", 0.25), ("no", 0.25), ("some", 0.1)))
    noun = many or mass
    if amount == "many" and not many:
        raise Unfit
    have = EnglishVerb("have", "has", "had", "having", node, [])
    marked = korean + ("이" if (ord(korean[-1]) - 0xAC00) % 28 else "가")
    thing = [*words(noun, own), *words("to", act), *words(verb, act)]
    how = How("past" if d.chance(0.2) else "present")
    asked = subject.english[0].text == "you" and amount != "no" and d.chance(0.5)
    before = [*words(form, act), *words(marked, own)]
    if amount in ("a lot of", "many"):
        if d.chance(0.2) and not asked:
            how = how._replace(negated=True)
            amount = "many" if many else "much"
        part = Clause([*words(amount, much), *thing], before)
        predicate = Predicate([], "많", "", "adjective", (node, much))
    elif amount == "no":
        part = Clause([*words("no", much), *thing], before)
        predicate = Predicate([], "없", "", "adjective", (node, much))
    else:
        part = Clause([*words("some", own), *thing], before)
        predicate = Predicate([], "있", "", "adjective", (node,))
        asked = False
    said = Said(subject, have, predicate, (part,))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)
