"""The constructions of written English, which every lexicon has. CC0."""

from annotated_transformer.lab.corpora.english_korean import because, simple, states, things
from annotated_transformer.lab.corpora.english_korean import complex as complex_
from annotated_transformer.lab.corpora.english_korean.splits import Rule

# Construction, rule and share of the corpus (relative weights).
RULES: dict[str, tuple[Rule, float]] = {
    "copula": (states.copula, 3.5),
    "copula_negation": (states.copula_negation, 3),
    "adjective": (states.adjective, 5),
    "comparison": (states.comparison, 5),
    "transitive": (simple.transitive, 10),
    "negation": (simple.negation, 6),
    "progressive": (simple.progressive, 8),
    "intransitive": (simple.intransitive, 6),
    "motion": (simple.motion, 5),
    "existential": (things.existential, 3),
    "location": (things.location, 3),
    "counting": (things.counting, 7),
    "dative": (things.dative, 5),
    "instrument": (things.instrument, 3),
    "coordination": (things.coordination, 5),
    "modal": (things.modal, 5),
    "relative_object": (complex_.relative_object, 6),
    "relative_subject": (complex_.relative_subject, 5),
    "conjunction": (complex_.conjunction, 3),
    "contrast": (complex_.contrast, 3),
    "reported": (complex_.reported, 5),
    "because_subject": (because.because_subject, 5),
    "because_object": (because.because_object, 5),
}
