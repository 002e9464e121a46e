"""What people do when they type: faces, forgotten spaces, words taken apart."""

import re
from collections.abc import Sequence
from itertools import pairwise

from .lines import cut
from .spelling import Spelling
from .stems import bends, is_korean
from .tables import ENDS, MARKS, TABLES, of_a_word, shown

_ATTACHED = "|".join(TABLES["faces"])
_ALONE = "|".join([*TABLES["faces"], *TABLES["faces_alone"]])
_AFTER = f"[{ENDS},;~]*"
FACE = re.compile(f"((?:{_ALONE})+)({_AFTER})")
FACE_BEHIND = re.compile(f"((?:{_ATTACHED})+)({_AFTER})$")
HEART = re.compile(f"(<3+)({_AFTER})$")
"""Only at the end of a text, for elsewhere it may be a sum: less than three."""
WAVES = "~\u301c"
PAUSES = ENDS + ",;:"
"""After these stands a space."""
RUN = re.compile(f"[{PAUSES}]+")
LONGEST = 24
"""Syllables of a Korean word that is looked through for forgotten spaces."""


class Habits:
    """What is undone before marks are fitted: each step is for words cut at single spaces.

    Faces are left out and named. All else changes no meaning, and `changes` says it.
    """

    def __init__(self, spelling: Spelling) -> None:
        self.spelling = spelling
        self.training = spelling.training

    def undone(self, text: str, changes: list[str], left_out: list[str]) -> str:
        """Return the text with its words apart, and add what was changed and left out."""
        tokens = self._without_faces(text.split(" "), left_out)
        tokens = self._without_waves(tokens, changes)
        if self.training.knows_words:
            tokens = self._with_apostrophes(tokens, changes)
            tokens = self._without_initials(tokens, changes)
        tokens = self._apart(tokens, changes)
        if self.training.paradigms:
            tokens = self._with_korean_spaces(tokens, changes)
        return " ".join(tokens)

    def _without_faces(self, tokens: Sequence[str], left_out: list[str]) -> list[str]:
        """Leave out faces and laughter, such as ":)", "^^" and "ㅋㅋ", where training had none."""
        known = self.training.alone | self.training.after | self.training.end
        rest: list[str] = []
        faces: list[str] = []
        for token in reversed(tokens):
            match = FACE.fullmatch(token) or FACE_BEHIND.search(token)
            if not match and not any(cut(each)[1] for each in rest):
                match = HEART.search(token)
            if not match or self.spelling.has(match[1]) or match[1] in known:
                rest.append(token)
                continue
            faces.append(match[1])
            rest += filter(None, [token[: match.start()] + match[2]])
        left_out += reversed(faces)
        return rest[::-1]

    def _without_waves(self, tokens: list[str], changes: list[str]) -> list[str]:
        """Leave out a wave after a word (Hello~), which is a tone; between marks it is markup."""
        if any(len(token) > 1 and token[0] in WAVES for token in tokens):
            return tokens
        rest = []
        for i, token in enumerate(tokens):
            _, word, after = cut(token)
            after = after if word else token
            waves = [c for c in after if c in WAVES and c not in self.training.characters]
            ends = word[-1:].isalpha() or (not word and i == len(tokens) - 1)
            if waves and ends and {*after} <= {*WAVES, *ENDS, ","}:
                plain = "".join(mark for mark in after if mark not in waves)
                if plain or i == len(tokens) - 1:
                    changes.append(f"{shown(waves[0])} left out")
                else:
                    plain = "..."  # it may part two sentences, as an ellipsis may
                    changes.append(f"{shown(waves[0])} read as '...'")
                token = token[: len(token) - len(after)] + plain  # noqa: PLW2901
            rest += [token] if token else []
        return rest

    def _with_apostrophes(self, tokens: list[str], changes: list[str]) -> list[str]:
        """Join what belongs to one word with an apostrophe: I' m, I 'm, do n't."""
        joined: list[str] = []
        for token in tokens:
            last = joined[-1] if joined else ""
            beside = last[-1:] in TABLES["same"][0] or token[0] in TABLES["same"][0]
            both = last + token
            word = cut(both)[1]
            apart = beside or token.startswith(("n't", "n\u2019t"))
            inside = not {"'", "\u2019"}.isdisjoint(word) and both.startswith(word)
            if last and apart and inside and self.spelling.of(word):
                changes.append(f"'{last} {token}' read as '{both}'")
                joined[-1] = both
            else:
                joined.append(token)
        return joined

    def _without_initials(self, tokens: list[str], changes: list[str]) -> list[str]:
        """Write U.S. without full stops, where training had US and had no U.S."""
        written = []
        for i, token in enumerate(tokens):
            before, word, after = cut(token)
            letters = word.split(".")
            name = "".join(letters).upper()
            single = len(letters) > 1 and all(len(x) == 1 and x.isalpha() for x in letters)
            if single and self.spelling.is_strange(word) and self.spelling.has(name):
                following = cut(tokens[i + 1])[1] if i + 1 < len(tokens) else ""
                if after.startswith(".") and following[:1].islower():
                    after = after[1:]  # it closes no sentence
                changes.append(f"'{word}' read as '{name}'")
                token = before + name + after  # noqa: PLW2901
            written.append(token)
        return written

    def _apart(self, tokens: list[str], changes: list[str]) -> list[str]:
        """Put the space that was forgotten after a mark, or was put before it."""
        apart: list[str] = []
        for token in tokens:
            closes = {*token} <= {*ENDS, ","} and token not in self.training.alone
            if closes and apart and cut(apart[-1])[1]:
                apart[-1] += token
                changes.append(f"the space before '{token}' left out")
                continue
            pieces = self._pieces(token)
            start = pieces[0]
            run = start[: len(start) - len(start.lstrip(f"{ENDS},"))]
            goes_back = run not in ("", ".") and run not in self.training.before
            follows = apart and cut(apart[-1])[1] and start[len(run) :][:1].isalpha()
            if goes_back and follows:
                apart[-1] += run
                pieces[0] = start[len(run) :]
                changes.append(f"a space put after '{run}'")
            for piece in pieces[:-1]:
                changes.append(f"a space put after '{_end(piece)}'")
            apart += pieces
        return apart

    def _pieces(self, token: str) -> list[str]:
        """Cut a token that is no word after each mark where its words meet: no,no."""
        before, word, _ = cut(token)
        plain = all(of_a_word(c) or c in MARKS for c in token)
        if not plain or self.spelling.has(word) or not {*word} & {*PAUSES}:
            return [token]
        runs = _runs(word)
        edges = [0, *(stop for _, stop in runs), len(word)]
        words = [word[a : b - len(_end(word[a:b]))] for a, b in pairwise(edges)]
        pieces, first = [], 0
        for n, (start, stop) in enumerate(runs):
            if self._meet(words[n], word[start:stop], words[n + 1]):
                place = len(before) + stop
                pieces.append(token[first:place])
                first = place
        return [*pieces, token[first:]]

    def _meet(self, left: str, marks: str, right: str) -> bool:
        """Return whether two words meet at marks, which then do not belong into a word."""
        if not self.training.knows_words:
            strong = len(marks) > 1 or marks in "?!"
            return strong and self.training.inside.isdisjoint(marks)
        if marks[0] in "?!" or marks.startswith(".."):
            return True
        # a.m. and e.g. have single letters; an address has parts that are no words.
        single = any(
            len(each) == 1 and each.isascii() and each not in "Ii" for each in (left, right)
        )
        initials = len(left) == len(right) == 1
        strange = self.spelling.is_strange(left) or self.spelling.is_strange(right)
        return not (single or initials or strange)

    def _with_korean_spaces(self, tokens: list[str], changes: list[str]) -> list[str]:
        """Join particles to their noun, and part words that were typed as one.

        나 는 is 나는, and 나는학생이다 is 나는 학생이다. A word is parted only in one way,
        after particles and endings; so 책상위에, which may be a noun of its own, is not.
        """
        spaced: list[str] = []
        for token in tokens:
            before, word, after = cut(token)
            last = spaced[-1] if spaced else ""
            _, noun, closed = cut(last)
            no_word = not self.spelling.has(word) or word in TABLES["copulas"]
            both = is_korean(word) and is_korean(noun) and not (before or closed)
            if both and no_word and self.spelling.has(noun + word):
                changes.append(f"the space before '{word}' left out")
                spaced[-1] += token
                continue
            parts = " ".join(self._parts(word))
            if parts != word:
                changes.append(f"'{word}' read as '{parts}'")
            spaced += f"{before}{parts}{after}".split(" ")
        return spaced

    def _parts(self, word: str) -> list[str]:
        """Return the fewest words of two syllables or more that an unknown one consists of.

        The word itself where there are none, or several ways to part it into so few.
        """
        n, paradigms = len(word), self.training.paradigms
        if not is_korean(word) or n > LONGEST or self.spelling.has(word):
            return [word]
        best: list[list[list[str]]] = [[] for _ in range(n)] + [[[]]]
        """What begins at each place, parted into the fewest words; two ways at most."""
        for start in reversed(range(n - 1)):
            for stop in range(start + 2, n + 1):
                part = word[start:stop]
                if best[stop] and self.spelling.has(part) and (stop == n or bends(part, paradigms)):
                    more = [[part, *rest] for rest in best[stop]]
                    fewer = len(more[0]) - len(best[start][0]) if best[start] else -1
                    if fewer <= 0:
                        best[start] = [*(best[start] if fewer == 0 else []), *more][:2]
        return best[0][0] if len(best[0]) == 1 else [word]


def _runs(word: str) -> list[tuple[int, int]]:
    """Return where marks stand between two letters of a word."""
    runs = (match.span() for match in RUN.finditer(word))
    return [(i, j) for i, j in runs if word[i - 1 : i].isalpha() and word[j : j + 1].isalpha()]


def _end(piece: str) -> str:
    """Return the marks that a piece ends with."""
    return piece[len(piece.rstrip(PAUSES)) :]
