"""Measures: how much, how long, how often, in one unit for each kind, whatever words tell it.

"25 %", "one in four", "a quarter" and "12 of 48" are one share; "a week" and "7 days" one time; "twice a day" and
"every twelve hours" one frequency. Each measure keeps its place in the text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

_ONES = {w: float(n) for n, w in enumerate("zero one two three four five six seven eight nine ten eleven".split())}
_NUMBERS = {
    **_ONES, "twelve": 12.0, "thirteen": 13.0, "fourteen": 14.0, "fifteen": 15.0, "sixteen": 16.0, "seventeen": 17.0,
    "eighteen": 18.0, "nineteen": 19.0,
    "twenty": 20.0, "thirty": 30.0, "forty": 40.0, "fifty": 50.0, "sixty": 60.0, "seventy": 70.0, "eighty": 80.0,
    "ninety": 90.0, "a hundred": 100.0, "one hundred": 100.0, "hundred": 100.0, "a dozen": 12.0, "dozen": 12.0,
    "two dozen": 24.0, "three dozen": 36.0,
}  # fmt: skip
_PARTS = {
    "half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "tenth": 10,
}  # fmt: skip
_TIMES = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
_PERIODS = {"day": 1.0, "night": 1.0, "week": 7.0, "fortnight": 14.0, "month": 30.4375, "year": 365.25, "hour": 1 / 24}
_ADVERBS = {"daily": 1.0, "weekly": 1 / 7, "monthly": 1 / 30.4375, "yearly": 1 / 365.25, "hourly": 24.0}
_UNITS: dict[str, tuple[str, float]] = {
    **dict.fromkeys(("%", "percent", "per cent"), ("percent", 1.0)),
    **dict.fromkeys(("kg", "kilogram", "kilo"), ("gram", 1e3)),
    **dict.fromkeys(("g", "gram", "gramme", "gm"), ("gram", 1.0)),
    **dict.fromkeys(("mg", "milligram", "milligramme"), ("gram", 1e-3)),
    **dict.fromkeys(("µg", "μg", "mcg", "ug", "microgram", "microgramme"), ("gram", 1e-6)),
    **dict.fromkeys(("pound", "lb"), ("gram", 453.6)),
    **dict.fromkeys(("l", "liter", "litre"), ("litre", 1.0)),
    **dict.fromkeys(("ml", "milliliter", "millilitre", "cc"), ("litre", 1e-3)),
    **dict.fromkeys(("m", "meter", "metre"), ("metre", 1.0)),
    **dict.fromkeys(("cm", "centimeter", "centimetre"), ("metre", 1e-2)),
    **dict.fromkeys(("mm", "millimeter", "millimetre"), ("metre", 1e-3)),
    **dict.fromkeys(("inch", "inche"), ("metre", 0.0254)),
    **dict.fromkeys(("foot", "feet"), ("metre", 0.3048)),
    **dict.fromkeys(("year", "yr"), ("day", 365.25)),
    "month": ("day", 30.4375),
    "fortnight": ("day", 14.0),
    **dict.fromkeys(("week", "wk"), ("day", 7.0)),
    "day": ("day", 1.0),
    **dict.fromkeys(("hour", "hr"), ("day", 1 / 24)),
    **dict.fromkeys(("minute", "min"), ("day", 1 / 1440)),
    "second": ("day", 1 / 86400),
    "mmhg": ("mmHg", 1.0),
    "mmol/l": ("mmol/l", 1.0),
    "mg/dl": ("mg/dl", 1.0),
    "mg/kg": ("mg/kg", 1.0),
    "point": ("point", 1.0),
    **dict.fromkeys(("°c", "degrees celsius", "degree celsius"), ("celsius", 1.0)),
    **dict.fromkeys(("°f", "degrees fahrenheit", "degree fahrenheit"), ("fahrenheit", 1.0)),
}
_MOST = {
    "nearly all": (90.0, 100.0), "almost all": (90.0, 100.0), "the vast majority": (75.0, 100.0),
    "the great majority": (75.0, 100.0), "the majority": (50.01, 100.0), "more than half": (50.01, 100.0),
    "over half": (50.01, 100.0), "a minority": (0.0, 49.99), "fewer than half": (0.0, 49.99),
    "less than half": (0.0, 49.99), "most": (50.01, 100.0),
}  # fmt: skip


def _any(names: object) -> str:
    return "|".join(sorted(map(re.escape, names), key=len, reverse=True))  # type: ignore[call-overload]


_DIGITS = r"(?<![\w.,])(?<!\w-)(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.·]\d+)?)"
_NUMBER = rf"(?:{_DIGITS}|\b(?:{_any(_NUMBERS)})\b)"
_PART = rf"(?:{_any(_PARTS)})s?|hal(?:f|ves)"
_UNIT = rf"(?:(?:{_any(u for u in _UNITS if u != '%')})(?:s|es)?(?![\w/]|-(?!old))|%)"
_PERIOD = rf"(?:{_any(_PERIODS)})"
_HIGH = rf"(?:\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:[.·]\d+)?|\b(?:{_any(_NUMBERS)})\b)"
"""The second number of a range, which a hyphen may join to the first."""
_RANGE = r"\s*(?:-|–|to|or)\s*"
_BOUND = (
    r"(?P<bound>(?<!not )(?<!no )(?:more|greater) than|at least|at most|(?<!no )(?:less|fewer) than|no more than"
    r"|not more than|no fewer than|no less than|over|above"
    r"|under|below|up to|[≥≤<>])\s*"
)
_ABOUT = r"(?P<about>about|around|roughly|approximately|nearly|almost|some|just (?:under|over))\s+"
_OPEN = frozenset(("at least", "more than", "greater than", "over", "above", "no fewer than", "no less than", "≥", ">"))
_LEAD = rf"(?:(?:{_BOUND})|(?:{_ABOUT}))?"


class Measure(NamedTuple):
    """A value or a range in the base unit of its kind; ``unit`` is empty for a bare number; ``start:end`` its place.

    A share is a percentage, a frequency is times a day.
    """

    low: float
    high: float
    unit: str
    start: int
    end: int
    number: int = 0
    """Where the number begins, after "at least" and the like."""
    about: bool = False
    """Whether it is rough: said to be, or a share in words, such as "a third"."""
    vague: bool = False
    """Whether it is said without a number: "most"."""

    @property
    def bounded(self) -> bool:
        """Whether only its least or its most is said."""
        return self.number > self.start and (math.isinf(self.high) or self.low == 0.0)

    def holds(self, other: Measure) -> bool:
        """Whether whatever is of the other's range is of this one, as nearly as it is said."""
        if self.unit != other.unit:
            return False
        rough = 0.0 if self.bounded else _ROUGH if self.about or other.about else _CLOSE
        slack = rough * max((abs(end) for end in (self.low, self.high) if math.isfinite(end)), default=0.0)
        return self.low - slack <= other.low and other.high <= self.high + slack


_CLOSE, _ROUGH = 0.02, 0.085
Value = tuple[float, float, str] | None
_Rule = tuple[re.Pattern[str], Callable[[re.Match[str]], Value]]


def _value(written: str) -> float:
    lowered = written.lower()
    return _NUMBERS[lowered] if lowered in _NUMBERS else float(lowered.replace(",", "").replace("·", "."))


def _unit(written: str) -> tuple[str, float]:
    lowered = written.lower()
    for name in (lowered, lowered.removesuffix("s"), lowered.removesuffix("es")):
        if name in _UNITS:
            return _UNITS[name]
    return "", 1.0


def _part(written: str) -> float:
    lowered = written.lower()
    return 1.0 / (2 if lowered in ("half", "halves") else _PARTS[lowered.removesuffix("s")])


def _share(part: float, whole: float) -> Value:
    return (100.0 * part / whole,) * 2 + ("percent",) if whole > 0 and part <= whole else None


def _measured(low: float, high: float, unit: str) -> Value:
    name, factor = _unit(unit)
    if name == "fahrenheit":
        return (low - 32) / 1.8, (high - 32) / 1.8, "celsius"
    return low * factor, high * factor, name


def _often(times: float, days: float) -> Value:
    return times / days, times / days, "a day"


def _fraction(match: re.Match[str]) -> Value:
    times = _value(match["times"]) if match["times"] and match["times"].lower() not in ("a", "an") else 1.0
    value = times * _part(match["part"] or match["bare"])
    if match["unit"]:
        return _measured(value, value, match["unit"])
    return (100.0 * value,) * 2 + ("percent",) if value <= 1 else None


def _ranged(match: re.Match[str]) -> Value:
    low = _value(match["low"])
    high = _value(match["high"]) if match["high"] else low
    if match["half"]:
        low, high = low + 0.5, high + 0.5
    if not match["unit"]:
        return (low, high, "") if low <= high else None
    return _measured(min(low, high), max(low, high), match["unit"])


def _rules() -> Iterator[_Rule]:
    def rule(pattern: str, made: Callable[[re.Match[str]], Value]) -> _Rule:
        return re.compile(_LEAD + pattern, re.IGNORECASE), made

    every = rf"(?:a|an|per|each|every|in a|in one)\s+(?P<per>{_PERIOD})\b"
    yield rule(
        rf"(?P<n>{_NUMBER}|once|twice|thrice)(?:\s+times)?\s+{every}",
        lambda m: _often(_TIMES.get(m["n"].lower()) or _value(m["n"]), _PERIODS[m["per"].lower()])
        if m["n"].lower() in _TIMES or "times" in m.group().lower() else None,
    )  # fmt: skip
    yield rule(
        rf"(?P<n>{_NUMBER}|once|twice|thrice)(?:\s+times)?\s+(?P<per>{_any(_ADVERBS)})\b",
        lambda m: _often(_TIMES.get(m["n"].lower()) or _value(m["n"]), 1.0 / _ADVERBS[m["per"].lower()]),
    )
    yield rule(
        rf"\b(?:every|at intervals of)\s+(?P<n>{_NUMBER})[\s-]+(?P<per>{_PERIOD})s?\b",
        lambda m: _often(1.0, _value(m["n"]) * _PERIODS[m["per"].lower()]),
    )
    yield rule(
        rf"\bevery\s+(?P<other>other\s+)?(?P<per>{_PERIOD})\b",
        lambda m: _often(1.0, (2 if m["other"] else 1) * _PERIODS[m["per"].lower()]),
    )
    yield rule(
        rf"(?P<n>{_NUMBER})\s+(?:(?:people|person|patients?|women|men|children)\s+)?"
        rf"(?:in|out of|of|in every|out of every|of every)\s+(?:the\s+)?(?P<of>{_NUMBER})"
        rf"(?!\s*(?:%|{_UNIT}))(?:\s+(?P<million>million))?",
        lambda m: _share(_value(m["n"]), _value(m["of"]) * (1e6 if m["million"] else 1.0)),
    )
    yield rule(
        rf"(?P<n>{_NUMBER})\s+(?:per|for every)\s+(?P<of>{_NUMBER})\b",
        lambda m: _share(_value(m["n"]), _value(m["of"])),
    )
    yield rule(
        rf"\b(?:a|an|one)\s+(?P<unit>{_UNIT})\s+and\s+a\s+half\b", lambda m: _measured(1.5, 1.5, m["unit"])
    )  # fmt: skip
    yield rule(rf"(?P<low>{_NUMBER})(?P<half>\s+and\s+a\s+half)(?P<high>(?!))?[\s-]*(?P<unit>{_UNIT})", _ranged)
    yield rule(
        rf"(?:\b(?P<times>an?|{_NUMBER})[\s-]+(?P<part>{_PART})|(?<!in )\b(?P<bare>half))\b"
        rf"(?:\s+(?:of\s+)?an?\s+(?P<unit>{_UNIT}))?(?!-)(?=\s+of\b|[.,;:)]|$|\s+(?:as|the|all|those|more|less|had|have|were|are|is|was)\b|(?<=s)\s)",
        _fraction,
    )
    yield rule(
        rf"\bbetween\s+(?P<low>{_NUMBER})(?P<half>(?!))?(?:\s*%)?\s+and\s+(?P<high>{_HIGH})[\s-]*(?P<unit>{_UNIT})",
        _ranged,
    )
    yield rule(
        rf"(?P<low>{_NUMBER})(?P<half>(?!))?(?:\s*%?{_RANGE}(?P<high>{_HIGH}))?[\s-]*(?P<unit>{_UNIT})",
        _ranged,
    )
    yield rule(
        rf"\b(?:an?|one)\s+(?!second|foot|feet|gram|point)(?P<unit>{_UNIT})", lambda m: _measured(1.0, 1.0, m["unit"])
    )
    yield rule(
        rf"(?P<low>{_NUMBER})(?P<half>(?!))?(?:{_RANGE}(?P<high>{_HIGH}))?(?P<unit>(?!))?(?![\w%]|[.,]\d)", _ranged
    )


_NO_MEASURES = frozenset(("one", "zero", "a hundred", "hundred"))
_RULES = tuple(_rules())
_SAID = re.compile(
    rf"\b(?P<most>(?:only\s+)?(?:{_any(_MOST)}))\b(?=\s+(?:of\b|\w*(?:people|patients|women|men|children|adults|cases|babies)))",
    re.IGNORECASE,
)
_OF = re.compile(
    rf"\bof\s+(?:the\s+)?(?P<of>{_NUMBER})\s+[^.,;]{{2,60}}?,\s+(?P<n>{_NUMBER})\b(?!\s*%)"
    rf"|(?P<some>{_NUMBER})\s+(?:[\w-]+\s+){{0,4}}?among\s+(?P<whole>{_NUMBER})\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=16_384)
def measures(text: str) -> tuple[Measure, ...]:
    """Every measure of a text, in order, none within another.

    A number inside a name ("IL-10", "CD4") is none, nor is "one" alone. Of "Of 300 patients, 150 were" 150 is a half.
    """
    found = _Found(text)
    for match in _OF.finditer(text):
        part, whole = ("n", "of") if match["n"] else ("some", "whole")
        if share := _share(_value(match[part]), _value(match[whole])):
            found.take(Measure(*share, *match.span(part), match.start(part)))
            found.fill(*match.span(whole))
    for match in _SAID.finditer(text):
        low, high = _MOST[match["most"].lower().removeprefix("only").strip()]
        start, end = match.span("most")
        found.take(Measure(low, high, "percent", start, end, start, vague=True))
    for pattern, made in _RULES:
        for match in pattern.finditer(text):
            if found.is_free(match) and (measured := made(match)) is not None:
                found.take(_bounded(match, measured))
    return tuple(sorted(found.measures, key=lambda one: one.start))


class _Found:
    """The measures found so far, and which letters of the text they take."""

    def __init__(self, text: str) -> None:
        self.text, self.measures = text, list[Measure]()
        self._taken = bytearray(len(text))

    def take(self, one: Measure) -> None:
        self.measures.append(one)
        self.fill(one.start, one.end)

    def fill(self, start: int, end: int) -> None:
        self._taken[start:end] = b"\x01" * (end - start)

    def is_free(self, match: re.Match[str]) -> bool:
        """Whether nothing of it is taken, and it is no "a day" after what is told of a day."""
        start, end = match.span()
        if any(self._taken[start:end]) or match.group().lower() in _NO_MEASURES:
            return False
        before = len(self.text[max(0, start - 3) : start].rstrip()) + max(0, start - 3)
        return not (match.group()[:1] in "aA" and 0 < before < start and self._taken[before - 1])


def _bounded(match: re.Match[str], found: tuple[float, float, str]) -> Measure:
    low, high, unit = found
    bound = (match["bound"] or "").lower()
    if bound:
        low, high = (low, math.inf) if bound in _OPEN else (0.0, high)
    number = match.end("bound") if bound else match.start()
    while match.string[number].isspace():
        number += 1
    spoken = unit == "percent" and not any(sign.isdigit() for sign in match.group())
    return Measure(low, high, unit, match.start(), match.end(), number, bool(match["about"]) or (spoken and not bound))
