"""The pairings that the compositional split is made of and that training never shows. CC0.

Each is a feature that a derivation notes: ("object", verb, noun) for a verb with its object,
("relative", noun) for a noun with a relative clause, ("negated", tense, verb), ("number", number,
noun), ("it", noun) for the antecedent of "it" in a *because* sentence, ("modal", modal, verb) and
("copula", noun). Both halves of every pairing are frequent in training, and the Korean of each
follows from a rule that training shows: seven books take the counter of all other books.
"""

from annotated_transformer.lab.corpora.english_korean.derivation import Feature

OBJECTS = {
    "read": ("letter", "textbook"),
    "write": ("poem",),
    "buy": ("guitar", "milk", "boots", "ticket"),
    "sell": ("camera", "potato"),
    "eat": ("cake", "fish", "carrot"),
    "drink": ("tea",),
    "wear": ("coat", "dress"),
    "cut": ("tomato", "onion"),
    "wash": ("shirt", "peach"),
    "fix": ("radio",),
    "find": ("key", "doll"),
    "hide": ("ring",),
    "meet": ("nurse", "king", "poet"),
    "help": ("farmer", "girl"),
    "love": ("queen",),
    "visit": ("museum", "Paris"),
    "open": ("box",),
    "learn": ("history",),
    "clean": ("house",),
    "plant": ("rose",),
}
RELATIVE = ("photo", "bread", "bicycle", "dancer", "horse")
NEGATED = (
    ("past", "sing"),
    ("past", "build"),
    ("past", "push"),
    ("present", "drink"),
    ("present", "cook"),
    ("future", "visit"),
    ("future", "teach"),
)
NUMBERED = (("seven", "book"), ("four", "dog"), ("nine", "apple"), ("five", "student"))
IT = ("wolf", "donkey", "bridge", "banana")
MODAL = (("can", "read"), ("can", "ride"), ("can", "draw"), ("want", "sell"), ("want", "drink"))
COPULA = ("pilot", "merchant")

HELD_OUT: frozenset[Feature] = frozenset(
    [
        *(("object", verb, noun) for verb, objects in OBJECTS.items() for noun in objects),
        *(("relative", noun) for noun in RELATIVE),
        *(("negated", tense, verb) for tense, verb in NEGATED),
        *(("number", number, noun) for number, noun in NUMBERED),
        *(("it", noun) for noun in IT),
        *(("modal", modal, verb) for modal, verb in MODAL),
        *(("copula", noun) for noun in COPULA),
    ]
)
