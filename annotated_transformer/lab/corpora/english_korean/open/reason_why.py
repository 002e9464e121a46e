"""I know the reason why she left, that is why, a girl whose father is a pilot: 떠난 이유. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.compound import event_of, expressing
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import quality
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    How,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import known
from annotated_transformer.lab.corpora.english_korean.morphology import OBJECT, SUBJECT
from annotated_transformer.lab.corpora.english_korean.open.joints import doing, happening
from annotated_transformer.lab.corpora.english_korean.open.tabled import (
    clause_table,
    drawn_how,
    phrase_of,
    said_by,
    said_so,
    somebody,
    to_be,
)
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    article,
    choose_noun,
    pronoun,
)


def reason_why(d: Derivation) -> Clause:
    """I know the reason why she left: 나는 그녀가 떠난 이유를 안다. That is why he left."""
    subject = somebody(d)
    if d.chance(0.25):
        said, how = happening(d), How("past")
    else:
        said = doing(d, subject)
        how = event_of(d, said, d.choose(("past", "past", "present")))
        how = how._replace(negated=d.chance(0.35))
    why, node = d.node(), d.node()
    part = clause(d, said, how, ending="는", particle=SUBJECT)
    if any(word.text in ("some", "any") for word in part.english):
        raise Unfit
    kind = d.weighted((("that is why", 0.45), ("know", 0.55)))
    if kind == "that is why":
        this, korean = d.choose((("this", "이것"), ("that", "그것"), ("that", "그것")))
        phrase = NounPhrase(
            [*words("why", why), *part.english],
            [*expressing(part, why), *words("이유", node)],
            *(node, "3s"),
        )
        phrase = phrase._replace(english=[Word("why", (why, node)), *part.english])
        made = to_be(d, phrase_of(d, this, korean), phrase)
        asked = d.chance(0.15)
        how = How("past" if d.chance(0.1) else "present", "", not asked and d.chance(0.15))
        particle = SUBJECT if not asked and not how.negated else ("은", "는")
        return clause(d, made, how, ending="니" if asked else "다", asked=asked, particle=particle)
    knower = pronoun(d, d.choose((0, 0, 0, 1, 1, 2, 3)))
    if knower.english[0].text == subject.english[0].text:
        raise Unfit  # of the same person Korean says 자기가
    word = d.choose(("why", "why", "that", ""))
    joint = words(word, why) if word else []
    korean_part = expressing(part, why) if word else part.korean
    reason = NounPhrase(
        [*words("the reason", node), *joint, *part.english],
        [*korean_part, *words("이유", node)],
        *(node, "3s"),
    )
    forms, stem = d.choose(
        (("know knew knowing", "알"), ("understand understood understanding", "이해하"))
    )
    made = said_by(d, knower, forms, stem, "-")
    made = made._replace(complements=(Clause(reason.english, reason.marked(OBJECT)),))
    asked = knower.english[0].text == "you" and d.chance(0.8)
    how = How("present", "", not asked and d.chance(0.5))
    if stem == "이해하" and how.negated:
        made = made._replace(flags=frozenset("n"))
    return said_so(d, made, how, asked=asked)


def whose_father(d: Derivation) -> Clause:
    """I know a girl whose father is a pilot: 나는 아버지가 조종사인 소녀를 안다."""
    heads, english, korean = d.choose(clause_table("whose"))
    (noun,) = d.lexicon.nouns(d.choose(heads.split(" ")))[:1]
    node, whose, act = d.node(), d.node(), d.node()
    subject_first = d.chance(0.3)
    head = "the" if subject_first or d.chance(0.3) else article(noun.english)
    first, *rest = english.split(" ")
    text = [*words(f"{head} {noun.english}", node), *words("whose", whose)]
    text += [*words(first, act), *words(" ".join(rest), act)]
    own = korean.split(" ")
    spoken = [*words(" ".join(own[:-1]), act), Word(own[-1], (act, whose))]
    phrase = NounPhrase(text, [*spoken, *words(noun.korean, node)], node, "3s", noun)
    if subject_first:
        if d.chance(0.5):
            said = quality(d, phrase)
        else:
            role = known(d, choose_noun(d, frozenset({"relation"})), 0.0)
            if role.noun == noun or role.agreement == "p" or role.english[0].text == "the":
                raise Unfit
            said = to_be(d, phrase, role)
        return said_so(d, said, drawn_how(d, ("present", "present", "past")))
    subject = somebody(d)
    forms, stem = d.choose(
        (("know knew knowing", "알"), ("know knew knowing", "알"), ("meet met meeting", "만나"),
         ("see saw seeing", "보"), ("help helped helping", "돕"))
    )  # fmt: skip
    said = said_by(d, subject, forms, stem, "ㅂ" if stem == "돕" else "-")
    said = said._replace(complements=(Clause(phrase.english, phrase.marked(OBJECT)),))
    asked = subject.english[0].text == "you" and d.chance(0.6)
    tense = "present" if stem == "알" else "past"
    return said_so(d, said, How(tense, "", not asked and d.chance(0.1)), asked=asked)
