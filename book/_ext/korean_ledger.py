"""The rows of the claims ledger in Korean: their words stand in `book/ko/claims.md`, as units.

What a row says is keyed by its English, as all units are; who says it, and the evidence, are
addresses, of which only the places within a publication are turned.
"""

import dataclasses
import re

from annotated_transformer.lab.evidence import Claim
from korean_claims import shown_alone
from korean_pages import korean_pages, translations
from korean_units import FOLDER, LEDGER, ROW, Unit, page, row_words, units_of, words_of_row
from ledger_rows import CITED, DIRECTIONS, Row

PLACES = {
    "section": "{}절",
    "chapter": "{}장",
    "equation": "식 {}",
    "table": "표 {}",
    "figure": "그림 {}",
    "appendix": "부록 {}",
    "theorem": "정리 {}",
    "proposition": "명제 {}",
}
ALONE = {
    "abstract": "초록",
    "title": "제목",
    "footnote": "각주",
    "the coreference example": "상호 참조의 예",
    "the ensemble": "앙상블",
    "the equivalent implementation": "동등한 구현",
    "the pull request": "풀 리퀘스트",
    "the textbook one-pass algorithm": "교과서의 한 번 훑는 알고리즘",
    "code of attention": "어텐션의 코드",
    "code of LayerNorm": "LayerNorm의 코드",
}
TITLE = re.compile(r"^# (.+)", re.MULTILINE)
NUMBERED = re.compile(rf"({'|'.join(PLACES)}) ((?:[A-Z]\.?)?[\d.]*(?: \([A-E]\))?)")


def place(english: str) -> str:
    """Return a place within a publication in Korean; the title of a section stays as it is."""
    if english in ALONE:
        return ALONE[english]
    if found := NUMBERED.fullmatch(english):
        return PLACES[found[1]].format(found[2])
    for between in (", ", " and "):
        first, found_it, rest = english.partition(between)
        if found_it and place(first) != first:
            return f"{place(first)}, {place(rest)}"
    return english


def _address(address: str) -> str:
    cited = CITED.fullmatch(address)
    return f"{cited[1]}: {place(cited[2])}" if cited else address


def korean_row(row: Row) -> Row:
    """Return a row with its words in Korean. Raises KeyError for one that is not translated."""
    unit = Unit("row", row_words(dataclasses.asdict(row)))
    known = translations(LEDGER)
    if unit.key not in known:
        raise KeyError(f"no Korean for the row {row.claim!r}; `make korean PAGE={LEDGER}` marks it")
    words = words_of_row(known[unit.key])
    addresses = {name: tuple(map(_address, getattr(row, name))) for name in ("who", *DIRECTIONS)}
    return dataclasses.replace(row, **{key: words.get(key, "") for key in ROW}, **addresses)


def korean_claim(claim: Claim) -> str:
    """Return what `str(claim)` says, in Korean."""
    return shown_alone(str(claim))


def korean_titles() -> dict[str, str]:
    """Return the Korean titles of the pages by the English ones."""
    found = {}
    for name in korean_pages(FOLDER):
        known = translations(name)
        for unit in units_of(page(name)):
            if english := TITLE.search(unit.english):
                korean = TITLE.search(known.get(unit.key, unit.english))
                found[english[1]] = korean[1] if korean else english[1]
                break
    return found
