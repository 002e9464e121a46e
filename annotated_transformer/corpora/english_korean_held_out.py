"""The pairings that the compositional split is made of and that training never shows. CC0.

Each entry is a feature that a derivation notes: ("object", verb, noun) for a verb with its object,
("relative", noun) for a noun with a relative clause, ("negated", tense, verb), ("progressive",
verb), ("counted", noun), ("it", noun) for the antecedent of "it" in a *because* sentence,
("modal", modal, verb) and ("copula", noun). Both halves of every pairing are frequent in training.
"""

from annotated_transformer.corpora.english_korean_derivation import Feature

OBJECTS = {
    "read": ("letter", "textbook"),
    "write": ("poem",),
    "buy": ("guitar", "milk", "boots", "ticket"),
    "sell": ("camera", "apple"),
    "eat": ("cake", "fish", "carrot"),
    "drink": ("tea",),
    "wear": ("coat", "hat"),
    "cut": ("cheese", "onion"),
    "wash": ("shirt", "peach"),
    "cross": ("desert",),
    "find": ("key", "doll"),
    "hide": ("ring",),
    "meet": ("nurse", "king", "poet"),
    "help": ("farmer", "girl"),
    "love": ("queen",),
    "visit": ("museum", "Paris"),
    "open": ("box",),
    "learn": ("history",),
    "clean": ("kitchen",),
    "plant": ("rose",),
}
RELATIVE = ("photo", "bread", "bicycle", "dancer", "horse")
NEGATED = (("past", "sing"), ("past", "build"), ("present", "drink"), ("future", "visit"))
PROGRESSIVE = ("write", "cook", "push")
COUNTED = ("novel", "tree", "duck", "soldier")
IT = ("wolf", "donkey", "bridge", "soup")
MODAL = (("can", "read"), ("want", "sell"), ("must", "help"))
COPULA = ("pilot", "merchant")

HELD_OUT: frozenset[Feature] = frozenset(
    [
        *(("object", verb, noun) for verb, objects in OBJECTS.items() for noun in objects),
        *(("relative", noun) for noun in RELATIVE),
        *(("negated", tense, verb) for tense, verb in NEGATED),
        *(("progressive", verb) for verb in PROGRESSIVE),
        *(("counted", noun) for noun in COUNTED),
        *(("it", noun) for noun in IT),
        *(("modal", modal, verb) for modal, verb in MODAL),
        *(("copula", noun) for noun in COPULA),
    ]
)
