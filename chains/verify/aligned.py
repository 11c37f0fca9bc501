"""A claim in a passage's own measures: what the passage gives as "25%" the claim may call "one in four".

Readers and rules compare words. Where a measure of the claim holds one of the passage's of the same kind, though in
other words, the claim is read with the passage's.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Sequence

from core.language import sentences
from core.language.measures import Measure, measures
from core.text import content_terms

_IN = re.compile(r"\b(?:in|of)\b", re.IGNORECASE)
_COUNTED, _LOOKED_AT = 13, 50
_SCORE = re.compile(r"out of (?:10|5|100)\b", re.IGNORECASE)
_INTERVAL = re.compile(
    r"\b9\d\s*%\s*(?:CI|confidence interval)[^.;)]*?\d[\d.]*\s*(?:to|-|–|,)\s*\d[\d.]*", re.IGNORECASE
)
_OF_THEM = re.compile(r"%|\bper ?cent\b", re.IGNORECASE)


def in_measures_of(passage: str, claim: str) -> str:
    """The claim with the passage's wording of what both measure alike; the same claim where nothing is."""
    wanted = measures(claim)
    told = [one for one in measures(_without_intervals(passage)) if not one.vague] if wanted else []
    written = claim
    for one in reversed(wanted):
        alike = [other for other in told if _alike(one, other) and not _SCORE.search(passage[other.start : other.end])]
        if one.vague or one.bounded:
            alike = alike if sum(other.unit == one.unit for other in told) == 1 else [a for a in alike if _same(one, a)]
        if not alike or _stands(claim[one.number : one.end], passage):
            continue
        best = _nearest(alike, passage, claim)
        equal = one.bounded and _same_end(one, best)
        start = one.number if equal else one.start
        new = _fitted(passage[best.number if equal else best.start : best.end], claim[start : one.end], one)
        written = written[:start] + _joined(new, written[one.end :], one)
    return written


def unmeasured(passage: str, claim: str) -> bool:
    """Whether a passage measures nothing as the claim does, though it gives measures of that kind.

    Small numbers without a unit are counted by whoever writes, and left out.
    """
    wanted = [one for one in measures(claim) if (one.unit or one.low >= _COUNTED) and not one.vague]
    told = measures(passage) if wanted else ()
    return any(
        any(other.unit == one.unit for other in told)
        and not any(_alike(one, other) or (not one.unit and one.low == other.low) for other in told)
        for one in wanted
    )


def _alike(claimed: Measure, told: Measure) -> bool:
    """Whether the passage's measure is the claim's, or of a share or a number within what the claim gives."""
    if claimed.unit in ("percent", "") and claimed.holds(told):
        return claimed.unit == "percent" or claimed.bounded or claimed.low == told.low
    return (claimed.holds(told) and told.holds(claimed)) or (
        claimed.bounded and claimed.unit == told.unit and _same_end(claimed, told)
    )


def _same(one: Measure, other: Measure) -> bool:
    """Whether two measures are of one value, and not one within the other."""
    return one.bounded and _same_end(one, other)


def _without_intervals(text: str) -> str:
    """A text with its confidence intervals blank: what they hold measures how sure it is."""
    return _INTERVAL.sub(lambda match: " " * len(match.group()), text)


def _same_end(bounded: Measure, other: Measure) -> bool:
    """Whether the end that a measure gives is the other's value, or its end."""
    value = _end(other) if other.bounded else other.low if other.low == other.high else math.nan
    return math.isclose(_end(bounded), value, rel_tol=0.02)


def _end(bounded: Measure) -> float:
    return bounded.low if math.isinf(bounded.high) else bounded.high


def _stands(own: str, passage: str) -> bool:
    """Whether the passage has the claim's own wording, in the singular or the plural, with a hyphen or without."""
    words = r"[\s-]+".join(map(re.escape, re.split(r"[\s-]+", own.lower().removesuffix("s"))))
    return re.search(rf"(?<!\w){words}s?(?!\w)", passage, re.IGNORECASE) is not None


def _nearest(alike: Sequence[Measure], passage: str, claim: str) -> Measure:
    """The one whose sentence shares most with the claim, of the first few."""
    words = set(content_terms(claim))
    told = sentences(passage)
    starts = [sentence.start for sentence in told]

    def shared(one: Measure) -> int:
        place = bisect_right(starts, one.start) - 1
        return len(words.intersection(content_terms(told[place].text))) if place >= 0 else 0

    return max(alike[:_LOOKED_AT], key=shared)


def _fitted(new: str, old: str, one: Measure) -> str:
    """The passage's words in the claim's place: "24 hours" for "24-hour", a capital where the claim has one."""
    if one.unit == "day" and "-" in new and "-" not in old:
        new = new.replace("-", " ") + ("" if new.endswith("s") else "s")
    return (new[:1].upper() if old[:1].isupper() else new[:1].lower()) + new[1:]


def _joined(new: str, after: str, one: Measure) -> str:
    """Both with one "of" between them where a name follows: "25% of patients", "40 of the 80 wounds"."""
    if one.unit == "percent" and not _IN.search(new) and re.match(r"\s+(?!of\b)\w", after):
        return f"{new} of{after}"
    if _IN.search(new):
        return new + re.sub(r"^\s+of(?: the)?\b", "", after)
    return new + after
