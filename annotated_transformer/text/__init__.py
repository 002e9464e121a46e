"""What a sentence may be for a model: one policy for text, the same in every door.

A model reads well what its training text had. So that text is described once (`TrainingText.of`)
and kept with the model, and whatever somebody gives is read by it (`TextPolicy.read`): what means
the same is written as training had it, several sentences are told apart, and the rest is named or
refused. Nothing is changed without being said. A text is made tidy (lines.py), what people do when
they type is undone (habits.py), marks are fitted (fitting.py), and words are read in a spelling
that training had (spelling.py).

The standard library is all this needs: an export carries the folder along, and
a page has the same steps with the same tables (book/_static/live/text.js).
"""

from .lines import CARRIAGE_RETURNS, Tally, only_carriage_returns, sentences_of, tidy, words_of
from .policy import BLANK, Reading, TextPolicy
from .tables import TABLES, listed
from .training import TrainingText, copied_words

__all__ = [
    "BLANK",
    "CARRIAGE_RETURNS",
    "TABLES",
    "Reading",
    "Tally",
    "TextPolicy",
    "TrainingText",
    "copied_words",
    "listed",
    "only_carriage_returns",
    "sentences_of",
    "tidy",
    "words_of",
]
