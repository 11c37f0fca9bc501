"""What reaches the words of a sentence, told from its words alone: denial, doubt, and that it is said of a relative.

Chapman et al., A simple algorithm for identifying negated findings and diseases in discharge summaries, 2001 (NegEx);
Harkema et al., ConText, 2009. Notes are seldom full sentences ("denies fever; has cough"), so no parse is needed; that
also keeps the linker fast.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from core.language import lexicon

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)?|[;:.,!?|+–-]")
_REACH = 40
"""The most words that a cue reaches."""
_STOPS = frozenset(";:.!?|\n")
_BE = frozenset("is was were are been being be has have had appears appear looks seems".split())
_REPORTING = frozenset("has reports complains presents admits endorses".split())
_VERBS = frozenset(
    """has have had is was were are does did reports reported complains complained admits endorses notes noted presents
    presented presenting reveals revealed shows showed showing shown demonstrates demonstrated states stated develops
    developed takes took""".split()
)


class Qualified(NamedTuple):
    """For every word: whether it is denied, doubted, said of a relative."""

    negated: list[bool]
    doubted: list[bool]
    family: list[bool]


@cache
def cue_words() -> frozenset[str]:
    """A sentence without any of these, in small letters, qualifies nothing; the t is that of "isn't"."""
    first = {each[0] for name in ("before_two", "after_two") for each in lexicon.phrases("note", name)}
    lists = [lexicon.words("note", name) for name in ("before", "after", "doubt", "doubt_after")]
    return frozenset(
        first.union(*lists, lexicon.words("family", "relative"), lexicon.words("family", "side"), {"t", "n't"})
    )


@dataclass(frozen=True, slots=True)
class Said:
    """What reaches each word of a sentence, by the word's place in its text."""

    starts: list[int]
    qualified: Qualified

    def negated(self, at: int) -> bool:
        """Whether the word at a place is denied."""
        return self._of(self.qualified.negated, at)

    def doubted(self, at: int) -> bool:
        """Whether the word at a place is doubted."""
        return self._of(self.qualified.doubted, at)

    def family(self, at: int) -> bool:
        """Whether the word at a place is said of a relative."""
        return self._of(self.qualified.family, at)

    def _of(self, marks: list[bool], at: int) -> bool:
        n = bisect_right(self.starts, at) - 1
        return n >= 0 and marks[n]


def said(text: str) -> Said:
    """Tell of the words of one sentence, given as text, what reaches them."""
    matches = list(_TOKEN.finditer(text))
    return Said([match.start() for match in matches], qualify([match.group().lower() for match in matches]))


def qualify(words: Sequence[str]) -> Qualified:
    """Tell of every small-letter word of one sentence, marks among them, what reaches it."""
    size = len(words)
    found = Qualified([False] * size, [False] * size, [False] * size)
    at = 0
    while at < size:
        at += _cue(words, at, found)
    _relatives(words, found)
    return found


def _cue(words: Sequence[str], at: int, found: Qualified) -> int:
    """Mark what a cue at a place reaches; return by how many words to go on."""
    word, pair = words[at], tuple(words[at : at + 2])
    if pair in lexicon.phrases("note", "pseudo") or (pair == ("no", "longer") and words[at + 2 : at + 3] == ["able"]):
        return 2
    if pair in lexicon.phrases("note", "after_two") and at:
        _mark(found.negated, _clause_start(words, at), at)
        return 2
    if pair in lexicon.phrases("note", "before_two"):
        _mark(found.negated, at + 2, _clause_end(words, at + 2, lists=False))
        return 2
    if word in lexicon.words("note", "after") and word not in ("not", "no", "none", "nil"):
        return _postposed(words, at, found)
    if word in lexicon.words("note", "before") or _is_contracted(words, at):
        _denied(words, at, found)
    elif word in lexicon.words("note", "doubt"):
        _mark(found.doubted, at + 1, _clause_end(words, at + 1))
        if word in lexicon.words("note", "doubt_after") and (at + 1 >= len(words) or (at and words[at - 1] in _BE)):
            _mark(found.doubted, _clause_start(words, at), at)
    return 1


def _is_contracted(words: Sequence[str], at: int) -> bool:
    """Whether a word ends in "n't", or is the t that is left of it."""
    return words[at].endswith(("n't", "n’t")) or (words[at] == "t" and at > 0 and words[at - 1].endswith("n"))


def _denied(words: Sequence[str], at: int, found: Qualified) -> None:
    """Mark what a denial before it reaches: to the end of the clause, of a verb further than of "no"."""
    word = words[at]
    if word == "without" and {"cannot", "not", "never"} & set(words[max(0, at - 4) : at]):
        _mark(found.negated, at - 4, at)
        for n in range(max(0, at - 4), min(len(words), at + _REACH)):
            found.negated[n] = False  # "cannot walk without pain"
        return
    verbal = word in ("not", "never", "cannot") or _is_contracted(words, at)
    start = at + 1
    if word.startswith("den") and words[start : start + 1] == ["that"]:
        start, verbal = start + 1, True
    lists = word not in ("no", "without") and not word.endswith("n't")
    _mark(found.negated, start, _clause_end(words, start, cut_verbs=not verbal, lists=lists))


def _postposed(words: Sequence[str], at: int, found: Qualified) -> int:
    """A denial after what it denies, "fever absent", "pneumonia was excluded", or before it, "negative for"."""
    before, after = words[at - 1] if at else "", words[at + 1] if at + 1 < len(words) else "."
    if at and (before in _BE or before in (":", "-", "–") or after in _STOPS or after in (",", "and")):
        _mark(found.negated, _clause_start(words, at - 1 if before in (":", "-", "–") else at), at)
    elif words[at] == "denied":
        _denied(words, at, found)
    elif words[at] in ("absent", "negative"):
        _mark(found.negated, at + 1, min(at + 4, _clause_end(words, at + 1)))
    return 1


def _mark(marks: list[bool], start: int, end: int) -> None:
    for n in range(max(0, start), end):
        marks[n] = True


def _clause_end(words: Sequence[str], at: int, cut_verbs: bool = True, lists: bool = True) -> int:
    """Where the reach of a cue ends: at a stop, a word such as "but", a new verb, or a comma of no list."""
    end = min(len(words), at + _REACH)
    for n in range(at, end):
        word = words[n]
        if word in _STOPS or word == "+" or word in lexicon.words("note", "ends"):
            return n
        if word in lexicon.words("family", "patient") and n > at + 1:
            return n
        if cut_verbs and n > at and word in _VERBS and not (word in _BE and _is_denial(words, n)):
            return n
        if not cut_verbs and n > at + 1 and word in _REPORTING:
            return n
        if not cut_verbs and word == "and" and words[n + 1 : n + 2] and words[n + 1] in _VERBS:
            return n
        if word == "," and not lists and not _lists_on(words, n):
            return n
    return end


def _lists_on(words: Sequence[str], comma: int) -> bool:
    """Whether a list goes on after a comma, to an "or" or "nor": "no fever, chills or cough"."""
    for n in range(comma + 1, min(len(words), comma + _REACH)):
        if words[n] in _STOPS or words[n] in ("no", "but", "without", "denies") or words[n] in _VERBS:
            return False
        if words[n] in ("or", "nor"):
            return True
    return False


def _is_denial(words: Sequence[str], at: int) -> bool:
    return words[at + 1 : at + 2] != [] and words[at + 1] in ("seen", "found", "noted", "present", "reported")


def _clause_start(words: Sequence[str], at: int) -> int:
    first = max(0, at - _REACH)
    for n in range(at - 1, first - 1, -1):
        if words[n] in _STOPS or words[n] in lexicon.words("note", "ends"):
            return n + 1
        if words[n] in ("and", ",") and n + 1 < at and (_has_verb(words, first, n) or not _has_verb(words, n, at)):
            return n + 1
    return first


def _has_verb(words: Sequence[str], start: int, end: int) -> bool:
    return any(words[n] in _VERBS for n in range(start, end))


def _relatives(words: Sequence[str], found: Qualified) -> None:
    size = len(words)
    for n, word in enumerate(words):
        following = words[n + 1] if n + 1 < size else ""
        relative = word in lexicon.words("family", "relative") and following not in ("to", "-", "of")
        if relative and following in lexicon.words("family", "reporting"):
            continue  # "Mother reports that the child has croup"
        side = word in lexicon.words("family", "side") and (
            following in lexicon.words("family", "history") or word in ("fhx", "fh")
        )
        if not (relative or side):
            continue
        end = _family_end(words, n + 1)
        _mark(found.family, n, end)
        if (
            relative
            and n
            and words[n - 1] in ("her", "his", "the", "in", "patient's", "their", "'s", "maternal", "paternal", "my")
            and end <= n + 2
        ):
            preposition = next((m for m in range(n - 1, max(-1, n - 4), -1) if words[m] == "in"), None)
            if preposition is not None:
                _mark(found.family, _clause_start(words, preposition), n)


def _family_end(words: Sequence[str], at: int) -> int:
    end = min(len(words), at + _REACH)
    for n in range(at, end):
        word = words[n]
        if word in (";", ".", "!", "?", "but", "because", "while", "whereas", "however", "although"):
            return n
        if word in lexicon.words("family", "patient") and n > at and words[n - 1] in (",", "and", "the", ":", "this"):
            return n
    return end


def disowns(head: str) -> bool:
    """Whether what introduces a list says that its items do not hold: "It is not true that:", "Myths:"."""
    told = {word.removesuffix("s") for word in re.findall(r"[^\W\d_]+", head.lower())} | set(head.lower().split())
    nouns = (lexicon.words("report", f"{name}_noun") for name in ("refuted", "believed"))
    denials = (lexicon.words("negation", name) for name in ("determiner", "adverb"))
    return bool(told & frozenset().union(*nouns, *denials, lexicon.words("report", "refuted_adjective")))
