"""Whether claim and evidence agree in their numbers: values with units, in one unit for each kind of quantity."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import NamedTuple

from chains.verify.comparison import Comparison

_TO_BASE: dict[str, tuple[str, float]] = {
    "%": ("percent", 1.0),
    "percent": ("percent", 1.0),
    "per cent": ("percent", 1.0),
    **dict.fromkeys(("kg", "kilogram", "kilograms"), ("gram", 1e3)),
    **dict.fromkeys(("g", "gram", "grams", "gm"), ("gram", 1.0)),
    **dict.fromkeys(("mg", "milligram", "milligrams"), ("gram", 1e-3)),
    **dict.fromkeys(("µg", "μg", "mcg", "ug", "microgram", "micrograms"), ("gram", 1e-6)),
    **dict.fromkeys(("ng", "nanogram", "nanograms"), ("gram", 1e-9)),
    **dict.fromkeys(("l", "liter", "liters", "litre", "litres"), ("litre", 1.0)),
    "dl": ("litre", 1e-1),
    **dict.fromkeys(("ml", "milliliter", "milliliters", "millilitre", "millilitres"), ("litre", 1e-3)),
    **dict.fromkeys(("year", "years", "yr", "yrs", "year-old", "years-old"), ("day", 365.25)),
    **dict.fromkeys(("month", "months"), ("day", 30.4375)),
    **dict.fromkeys(("week", "weeks", "wk", "wks"), ("day", 7.0)),
    **dict.fromkeys(("day", "days"), ("day", 1.0)),
    **dict.fromkeys(("hour", "hours", "hr", "hrs", "h"), ("day", 1 / 24)),
    **dict.fromkeys(("minute", "minutes", "min", "mins"), ("day", 1 / 1440)),
    **dict.fromkeys(("mm", "millimeter", "millimeters", "millimetre", "millimetres"), ("metre", 1e-3)),
    **dict.fromkeys(("cm", "centimeter", "centimeters", "centimetre", "centimetres"), ("metre", 1e-2)),
    "mmhg": ("mmHg", 1.0),
    "mmol/l": ("mmol/l", 1.0),
    "mg/dl": ("mg/dl", 1.0),
    "mg/kg": ("mg/kg", 1.0),
    "g/dl": ("g/dl", 1.0),
    **dict.fromkeys(("fold", "times"), ("fold", 1.0)),
    **dict.fromkeys(("°c", "celsius"), ("celsius", 1.0)),
}
_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100, "half": 0.5,
}  # fmt: skip
_VALUE = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.·]\d+)?"
_UNITS = "|".join(sorted((re.escape(unit) for unit in _TO_BASE), key=len, reverse=True))
_NUMBER = re.compile(
    rf"(?<![\w.\-–/])(?P<low>{_VALUE}|\b(?:{'|'.join(_WORDS)})\b)(?:\s*%?\s*(?:-|–|to|and)\s*(?P<high>{_VALUE}))?"
    rf"(?:(?:\s*|-)(?P<unit>{_UNITS})(?![\w]))?(?![\w])",
    re.IGNORECASE,
)
_ONE_IN = re.compile(rf"\b(?:1|one)\s+(?:in|of|out of)\s+(?P<of>{_VALUE})(?P<million>\s+million)?", re.IGNORECASE)
_CLOSE = 0.02


class Quantity(NamedTuple):
    """A value or a range in a base unit; ``unit`` is empty for a bare number."""

    low: float
    high: float
    unit: str


@lru_cache(maxsize=16_384)
def quantities(text: str) -> tuple[Quantity, ...]:
    """All numbers of a text, in base units: percent, gram, litre, day, metre and a few compound ones.

    "1 in 200" is a percentage. Digits inside a name ("IL-10", "CD4") and list or citation marks are none.
    """
    found: list[Quantity] = []
    for match in _ONE_IN.finditer(text):
        of = _value(match["of"]) * (1e6 if match["million"] else 1.0)
        if of > 0:
            found.append(Quantity(100.0 / of, 100.0 / of, "percent"))
    rest = _ONE_IN.sub(" ", text)
    for match in _NUMBER.finditer(rest):
        unit, factor = _TO_BASE.get((match["unit"] or "").lower(), ("", 1.0))
        if match["low"].lower() in _WORDS and not unit:
            continue
        low = _value(match["low"]) * factor
        high = _value(match["high"]) * factor if match["high"] else low
        found.append(Quantity(min(low, high), max(low, high), unit))
    return tuple(found)


class Compared(NamedTuple):
    """How a told range stands to a wanted one: within it, or apart from it."""

    within: bool
    apart: bool


def comparable(wanted: tuple[float, float, str], told: tuple[float, float, str]) -> Compared | None:
    """How two ranges, each with its unit as written, stand to each other; None where the units measure other things."""
    (unit, factor), (other, rate) = (_TO_BASE.get(u.lower(), (u.lower(), 1.0)) for u in (wanted[2], told[2]))
    if unit != other:
        return None
    low, high = wanted[0] * factor, wanted[1] * factor
    least, most = told[0] * rate, told[1] * rate
    slack = _CLOSE * max((abs(end) for end in (low, high) if math.isfinite(end)), default=0.0)
    within = low - slack <= least and most <= high + slack
    return Compared(within, least > high + slack or most < low - slack)


def number_conflict(comparison: Comparison) -> float | None:
    """Share of the claim's numbers with a unit that the window answers with other numbers of that unit.

    None where the claim has no number with a unit.
    """
    claimed = [quantity for quantity in quantities(comparison.claim.text) if quantity.unit]
    if not claimed:
        return None
    told = quantities(comparison.window.text)
    against = 0
    for quantity in claimed:
        same_unit = [other for other in told if other.unit == quantity.unit]
        if same_unit and not any(_meets(quantity, other) for other in told if other.unit in (quantity.unit, "")):
            against += 1
    return against / len(claimed)


def numbers_found(comparison: Comparison) -> float | None:
    """Share of the claim's numbers that the window holds; None where the claim has none."""
    claimed = quantities(comparison.claim.text)
    if not claimed:
        return None
    told = quantities(comparison.window.text)
    return sum(any(_meets(q, o) for o in told if o.unit == q.unit or not o.unit) for q in claimed) / len(claimed)


def _meets(one: Quantity, other: Quantity) -> bool:
    slack = _CLOSE * max(abs(one.low), abs(one.high))
    return one.low <= other.high + slack and other.low <= one.high + slack


def _value(text: str) -> float:
    word = text.lower()
    return float(_WORDS[word]) if word in _WORDS else float(text.replace(",", "").replace("·", "."))
