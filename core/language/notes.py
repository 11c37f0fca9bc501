"""What reaches the words of a sentence, told from its words alone: denial, doubt, and that it is said of a relative.

Chapman et al., A simple algorithm for identifying negated findings and diseases in discharge summaries, 2001 (NegEx);
Harkema et al., ConText, 2009. Notes are seldom full sentences ("denies fever; has cough"), so no parse is needed; that also keeps
the linker fast.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from core.language import lexicon

_STOPS = frozenset(";:.!?|\n")
_BE = frozenset("is was were are been being be has have had appears appear looks seems".split())
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


def qualify(words: Sequence[str]) -> Qualified:
    """Tell of every small-letter word of one sentence, marks among them, what reaches it."""
    size = len(words)
    found = Qualified([False] * size, [False] * size, [False] * size)
    at = 0
    while at < size:
        at += _cue(words, at, found)
    _relatives(words, found)
    return found


def _pair(words: Sequence[str], at: int) -> tuple[str, ...]:
    return tuple(words[at : at + 2])


def _cue(words: Sequence[str], at: int, found: Qualified) -> int:
    """Mark what a cue at a place reaches; return by how many words to go on."""
    word = words[at]
    pair = _pair(words, at)
    if pair in lexicon.phrases("note", "pseudo"):
        return 2
    if pair in lexicon.phrases("note", "after_two") and (_subject_before(words, at)):
        _mark(found.negated, _clause_start(words, at), at)
        return 2
    if pair in lexicon.phrases("note", "before_two"):
        _mark(found.negated, at + 2, _clause_end(words, at + 2))
        return 2
    if (
        word in lexicon.words("note", "before")
        or word.endswith(("n't", "n’t"))
        or (word == "t" and at and words[at - 1].endswith("n"))
    ):
        if word == "negative" or word == "absent" or word in ("excluded",):
            return _postposed(words, at, found)
        if word == "denied" and at and words[at - 1] in _BE:
            return _postposed(words, at, found)
        _mark(
            found.negated,
            at + 1,
            _clause_end(
                words,
                at + 1,
                cut_verbs=word not in ("not", "never", "cannot", "t") and not word.endswith(("n't", "n’t")),
            ),
        )
        if word in ("not", "never") and at and words[at - 1] in _BE and not words[at + 1 :][:1]:
            _mark(found.negated, _clause_start(words, at), at)
        return 1
    if word in lexicon.words("note", "after"):
        return _postposed(words, at, found)
    if word in lexicon.words("note", "doubt"):
        _mark(found.doubted, at + 1, _clause_end(words, at + 1))
        if word in lexicon.words("note", "doubt_after") and (at + 1 >= len(words) or words[at - 1 if at else 0] in _BE):
            _mark(found.doubted, _clause_start(words, at), at)
    return 1


def _postposed(words: Sequence[str], at: int, found: Qualified) -> int:
    """A denial after what it denies: "fever: absent", "pneumonia was excluded"; or before it, "negative for"."""
    if at and (
        words[at - 1] in _BE or words[at - 1] in (":", "-", "–") or at + 1 >= len(words) or words[at + 1] in _STOPS
    ):
        _mark(found.negated, _clause_start(words, at - 1 if words[at - 1] in (":", "-", "–") else at), at)
    elif words[at] in ("absent", "negative"):
        _mark(found.negated, at + 1, min(at + 4, _clause_end(words, at + 1)))
    return 1


def _subject_before(words: Sequence[str], at: int) -> bool:
    return at > 0


def _mark(marks: list[bool], start: int, end: int) -> None:
    for n in range(max(0, start), end):
        marks[n] = True


def _clause_end(words: Sequence[str], at: int, cut_verbs: bool = True) -> int:
    """Where the reach of a cue ends: at a stop, a word such as "but", or a new verb."""
    for n in range(at, len(words)):
        word = words[n]
        if word in _STOPS or word in lexicon.words("note", "ends"):
            return n
        if word in lexicon.words("family", "patient") and n > at + 1:
            return n
        if cut_verbs and n > at and word in _VERBS and not (word in _BE and _is_denial(words, n)):
            return n
        if not cut_verbs and n > at + 1 and word in ("has", "reports", "complains", "presents", "admits", "endorses"):
            return n
        if not cut_verbs and word == "and" and n + 1 < len(words) and words[n + 1] in _VERBS:
            return n
    return len(words)


def _is_denial(words: Sequence[str], at: int) -> bool:
    return words[at + 1 : at + 2] != [] and words[at + 1] in ("seen", "found", "noted", "present", "reported")


def _clause_start(words: Sequence[str], at: int) -> int:
    for n in range(at - 1, -1, -1):
        if words[n] in _STOPS or words[n] in lexicon.words("note", "ends"):
            return n + 1
        if words[n] in ("and", ",") and n + 1 < at and words[n + 1] not in ("or",) and _has_verb(words, 0, n):
            return n + 1
    return 0


def _has_verb(words: Sequence[str], start: int, end: int) -> bool:
    return any(words[n] in _VERBS for n in range(start, end))


def _relatives(words: Sequence[str], found: Qualified) -> None:
    size = len(words)
    for n, word in enumerate(words):
        following = words[n + 1] if n + 1 < size else ""
        relative = word in lexicon.words("family", "relative") and following not in ("to", "-")
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
    for n in range(at, len(words)):
        word = words[n]
        if word in (";", ".", "!", "?", "but", "while", "whereas", "however", "although"):
            return n
        if word in lexicon.words("family", "patient") and n > at and words[n - 1] in (",", "and", "the", ":", "this"):
            return n
    return len(words)
