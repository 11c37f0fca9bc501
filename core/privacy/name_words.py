"""How far a name reaches from where it begins: capitalised words, initials and particles, until a word that is none."""

from __future__ import annotations

import re
from typing import NamedTuple

from core.privacy.known_names import GIVEN_NAMES, SURNAMES
from core.text import STOPWORDS

MAX_WORDS = 4
NAME = re.compile(r"(?<![\w'-])(?=[^\W\d_a-z])[^\W\d_]+(?:['-][^\W\d_]+)*")
"""A word that begins with a capital, roughly: Python's expressions know no category for it."""

_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_GAP = re.compile(r"[ \t]+|\.[ \t]?(?=[^\W\d_])")
_COMMA = re.compile(r",[ \t]*")
_PARTICLES = frozenset("van von de der den del della di da dos du la le el al bin ibn ter zu y st".split())
NO_NAMES = STOPWORDS | frozenset(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december hello hi hey good morning afternoon evening yes no ok okay thanks thank please
    dear sir madam all colleague colleagues team doctor doktor doctors nurse patient patients mr mrs ms miss dr prof
    professor
    hospital clinic ward unit department centre center surgery practice consultant registrar cardiology neurology
    oncology radiology medicine surgical medical general google help live lives living take takes taking suffer suffers
    years year old aged age male female has have had phone tel email address unknown confidential withheld none given
    type stage grade class diabetes diabetic cancer asthma pregnant disease syndrome""".split()
)


class Word(NamedTuple):
    """A word, without the ``'s`` of a possessive."""

    text: str
    end: int

    @property
    def key(self) -> str:
        """What lists of words have it by."""
        return self.text.casefold()

    @property
    def is_given(self) -> bool:
        """Whether it is a common given name, or two in one, such as Jean-Luc."""
        first, hyphen, _ = self.key.partition("-")
        return self.key in GIVEN_NAMES or (bool(hyphen) and (first in GIVEN_NAMES or first == "jean"))


def words_from(text: str, start: int) -> list[Word]:
    """The words from a place on, as many as a name may have, with nothing but blanks and dots of initials between."""
    words: list[Word] = []
    place = start
    while len(words) < MAX_WORDS + 2 and (match := _WORD.match(text, place)):
        word = match.group()
        own = word.removesuffix("'s")
        words.append(Word(own, match.start() + len(own)))
        gap = _GAP.match(text, match.end())
        initial = len(word) == 1
        if own != word or gap is None or (gap.group().startswith(".") and not initial):
            break
        place = gap.end()
    return words


def name_from(
    text: str,
    start: int,
    *,
    known_only: bool = False,
    any_case: bool = False,
    capitals: bool = False,
    inverted: bool = False,
) -> int | None:
    """Where the name that begins at a place ends; None where none begins there.

    Args:
        text: the text, straight apostrophes and hyphens only.
        start: where the name would begin.
        known_only: the first word must be a common given name, or after ``inverted``'s comma one must follow.
        any_case: names may be written small, as in messages.
        capitals: names may be written in capitals, as in headers.
        inverted: "Surname, Given" is a name too.
    """
    words = words_from(text, start)
    end, count, capitals_ok = None, 0, capitals or (bool(words) and words[0].text.isupper() and len(words[0].text) > 2)
    after_given = False
    most = (
        2 if words and words[0].text.isupper() and len(words[0].text) > 1 else MAX_WORDS
    )  # the rest may be in capitals
    for word in words:
        if word.text in _PARTICLES:
            continue
        surname = after_given and word.key in SURNAMES  # Elizabeth Ward, but not Smith Ward
        if not surname and (count == most or not _may_name(word, any_case and count < 2, capitals_ok)):
            break
        after_given = word.is_given
        end, count = word.end, count + 1
        capitals_ok = capitals_ok or after_given  # John SMITH, but not Smith COPD
    if end is None:
        return None
    further = _after_comma(text, end) if inverted else None
    known = words[0].is_given
    if known_only and not known and not (further and further[1]):
        return None
    return further[0] if further and (further[1] or not known_only) else end


def _after_comma(text: str, end: int) -> tuple[int, bool] | None:
    """The end of the given name that a comma leads to, and whether it is a common one."""
    comma = _COMMA.match(text, end)
    words = words_from(text, comma.end()) if comma else []
    if not words or not words[0].is_given:
        return None
    return words[0].end, True


def _may_name(word: Word, any_case: bool, capitals: bool) -> bool:
    if len(word.text) == 1 and word.text.isupper():
        return word.text != "I"
    if word.key in NO_NAMES or (word.text.isupper() and not capitals):
        return False
    return any_case or word.text[0].isupper()
