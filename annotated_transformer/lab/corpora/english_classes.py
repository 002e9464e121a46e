"""The words of the English trees, their classes, and what goes with what.

In a table such as "man 2 dog", the number is the weight of what stands before
it; without one it is 1. Names before "^" are tags of the Penn Treebank, those
behind it and all others are classes, which no tree shows.
"""

NOUNS = {
    "person": "man woman teacher doctor girl boy farmer nurse student neighbour king singer",
    "animal": "dog cat horse bird rabbit fox goat mouse",
    "thing": "book letter box picture bottle bag drawer map poster basket",
    "tool": "hammer knife spoon key brush stick saw rope",
    "optic": "telescope camera lens mirror",
    "wear": "hat scarf coat ring beard shirt necklace cap",
    "food": "soup cake roll pudding pear salad biscuit pie",
    "place": "garden park house kitchen school street market forest bridge tower",
    "time": "morning night winter summer week storm",
}
"""The nouns of each class, in the singular."""
IRREGULAR = {
    "man": "men",
    "woman": "women",
    "box": "boxes",
    "fox": "foxes",
    "mouse": "mice",
    "knife": "knives",
    "brush": "brushes",
    "lens": "lenses",
    "scarf": "scarves",
}
VERBS = {
    "see": "saw watched noticed found spotted",
    "act": "cut opened hit cleaned fixed broke",
    "eat": "ate cooked tasted served",
    "give": "gave sent showed handed",
    "put": "put placed left hid",
    "say": "said thought knew believed",
    "tell": "told warned reminded",
    "move": "walked ran went hurried",
    "rest": "slept laughed waited sang",
    "like": "liked loved met trusted",
    "buy": "bought got brought made",
    "write": "wrote read finished copied",
    "lift": "looked picked held",
}
OTHER_WORDS = {
    "DT^one": "the 5 a 4 this 1 every 1",
    "DT^many": "the 4 some 2 these 1",
    "PRP$": "his her their my",
    "PRP^he": "he she they I",
    "PRP^him": "him her them me",
    "NNP": "Anna Ben Clara David Emma Felix",
    "JJ": "small big red quiet heavy dirty new lazy tall young",
    "RB^manner": "quickly quietly slowly gladly",
    "RB^when": "yesterday today again later",
    "CC": "and 5 or 1",
    "IN^that": "that",
    "WP": "who",
    "WDT": "that which",
    "RP": "up",
    ",": ",",
    ".": ".",
}
PHRASES = {
    "tool": ("with", "tool"),
    "optic": ("with", "optic"),
    "wear": ("with", "wear"),
    "company": ("with", "person 3 animal 1 him 1"),
    "food": ("with", "food"),
    "place": ("in near behind", "place"),
    "inside": ("in on under", "thing"),
    "time": ("in during", "time"),
    "of": ("of", "person 3 animal 1 place 1"),
    "about": ("about", "person 2 animal 2 place 1 food 1"),
    "to": ("to", "place"),
    "whom": ("to", "person 3 him 2 animal 1"),
    "for": ("for", "person 4 animal 1 him 1"),
    "from": ("from", "person 2 place 2"),
    "up": ("up", "place"),
}
"""Prepositional phrases: the prepositions of each kind, and what may follow them."""
OF_NOUN = {
    "person": "wear 4 place 2 from 2 optic 1.5 tool 1 of 0.5 company 0.3",
    "animal": "place 2 of 2 wear 1 company 0.3",
    "thing": "about 3 of 2 from 2 for 1.5 inside 1.5 whom 1 tool 0.3",
    "tool": "inside 2 of 1 place 0.7 for 0.5",
    "optic": "of 1 inside 1 place 0.5",
    "wear": "of 2 inside 0.6 from 0.5",
    "food": "food 3 for 1 inside 1 from 0.7 place 0.4",
    "place": "of 1.5 place 0.7 for 0.3",
}
"""What modifies a noun of each class; a time has no modifiers."""
SUBJECTS = {
    "person": "see act eat give put say tell move rest like buy write lift",
    "animal": "see 2 eat 2 move 3 rest 2 like 1",
    "he": "see act eat give put say tell move rest like buy write lift",
}
"""What a subject of each class does."""
OBJECTS = {
    "see": "person 4 animal 3 thing 2 place 1 him 2 wear 0.5 optic 0.3",
    "act": "thing 4 food 2 wear 1 tool 1 optic 1",
    "eat": "food",
    "like": "person 4 animal 2 him 2 food 1 place 1",
    "buy": "thing 2 food 3 wear 2 tool 1 animal 1 optic 1",
    "write": "thing",
}
OF_VERB = {
    "see": "optic 3 place 1.5 time 0.7 when 1 company 0.3 tool 0.1",
    "act": "tool 4 place 0.7 time 0.5 manner 1 for 0.7 when 0.5",
    "eat": "tool 2 company 1.5 place 1 time 0.7 when 0.7 food 0.3 manner 0.5",
    "give": "when 1 place 0.5 time 0.4 manner 0.7",
    "put": "when 1 manner 0.7 time 0.3",
    "say": "when 1 place 0.3 manner 0.3",
    "tell": "when 1 place 0.3",
    "move": "place 1 company 1 manner 1 time 0.5 when 0.5 wear 0.3",
    "rest": "place 2 company 1 time 1 manner 1 when 0.7",
    "like": "when 0.5 for 0.3 manner 0.3",
    "buy": "for 2 from 2 place 1 when 1 time 0.4",
    "write": "place 1 whom 0.7 time 0.5 when 0.7 tool 0.3 manner 0.5",
    "lift": "when 0.7 manner 0.7",
}
"""What modifies a verb of each class: prepositional phrases and adverbs (`manner`, `when`)."""
