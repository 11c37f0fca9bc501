"""Names of persons that no rule knows: those that spaCy recognises, where the words around them agree.

The recogniser takes many a drug, disease or street for a person. So a name needs two words that no vocabulary of
medicine calls anything by, or one such word with a cue: what persons do or are called beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

from core.language.parser import names as entities
from core.privacy.identifier import Removed
from core.privacy.known_names import GIVEN_NAMES, SURNAMES
from core.privacy.name_words import NAME, NO_NAMES
from core.privacy.names import DOES, EPONYM, NO_PATIENTS, RELATIVE

_SOMEBODY = re.compile(
    rf"\b(?:pt|patient|client|baby|infant|child|twin|midwife|interpreter for|{RELATIVE})\.?,? $"
    r"|(?:^|[.!?] )(?:hi|hello|hey|dear|signed|yours|thanks|love),? $",
    re.IGNORECASE,
)
_MAY = re.compile(r"\b(?:can|could|should|may|might|must|will|would|does|did)(?:n't)? $", re.IGNORECASE)
_ACTS = re.compile(r" (?:take|eat|drink|breast-?feed|travel|fly|drive|go|come|see)\b")
_SAYS = re.compile(
    r",? (?:here\b|takes|took|says|said|asks|asked|denies|denied|feels|felt|wants|wanted|rang|phoned|called|complains"
    r"|complained|attended|lives|weighs|weighed|(?:has|had) been (?:\w+ing|unwell|ill|sick)|is (?:my|our|his|her))\b"
)
_PERHAPS = frozenset({"PERSON", "ORG", "GPE", "FAC", "NORP", "LOC", "PRODUCT", "WORK_OF_ART"})
"""What an uncommon name is often taken for."""
_PLACES = re.compile(
    r"[ -]?(?:street|road|avenue|lane|drive|court|house|ward|clinic|hospital|surgery|school|university|genomics|pharma"
    r"|inc|ltd|gmbh)\b",
    re.IGNORECASE,
)


def recognised_names(text: str) -> Iterator[Removed]:
    """Names that the recogniser finds in each line, and that the words around them confirm."""
    place = 0
    for line in text.split("\n"):
        if NAME.search(line):
            for start, end in _in_line(line):
                yield Removed("name", place + start, place + end)
        place += len(line) + 1


@lru_cache(maxsize=4096)  # a prompt's evidence comes again with every step
def _in_line(line: str) -> tuple[tuple[int, int], ...]:
    found = []
    for start, end, label in entities([line])[0]:
        words = _words(line, start, end) if label in _PERHAPS else []
        if words and _is_person(line, words, label == "PERSON"):
            found.append((words[0].start(), words[-1].end()))
    return tuple(found)


def _words(line: str, start: int, end: int) -> list[re.Match[str]]:
    """The first run of words in a place that may be names."""
    words: list[re.Match[str]] = []
    for word in NAME.finditer(line, start, end):
        if words and line[words[-1].end() : word.start()].strip(" "):
            break
        if _may_be_name(word.group().removesuffix("'s")):
            words.append(word)
        elif words:
            break
    return words


def _may_be_name(word: str) -> bool:
    key = word.casefold()
    return len(word) > 2 and not word.isupper() and key not in NO_NAMES


def _is_person(line: str, words: list[re.Match[str]], sure: bool) -> bool:
    start, end = words[0].start(), words[-1].end()
    if (
        any(EPONYM.match(line, word.end(), end) for word in words)
        or EPONYM.match(line, end)
        or _PLACES.match(line, end)
        or line.endswith(NO_PATIENTS, 0, start)
    ):
        return False
    if all(_is_term(word.group()) for word in words):
        return False
    if sure and len(words) > 1 and not any(_is_term(word.group()) for word in words):
        return True
    before, after = line[:start], line[end : end + 40]
    if _SOMEBODY.search(before[-40:]) or (_MAY.search(before[-12:]) and _ACTS.match(after)) or _SAYS.match(after):
        return True
    return sure and bool(DOES.match(line, end)) and words[0].group().casefold() in GIVEN_NAMES | SURNAMES


def _is_term(word: str) -> bool:
    key = word.casefold().removesuffix("'s")
    return key in eponyms() or any(part in eponyms() for part in key.split("-"))


@cache
def eponyms() -> frozenset[str]:
    """Capitalised words by which HPO, MONDO, the Disease Ontology and MeSH name diseases, signs and tests."""
    return frozenset((Path(__file__).parent / "eponyms.txt").read_text(encoding="utf-8").split())
