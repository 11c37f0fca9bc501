"""Amounts: numbers, ranges and their units, as a text writes them."""

from __future__ import annotations

import math
import re

from core.language.statement import Quantity

_WORDS = {
    **{w: n for n, w in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())},
    "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90, "hundred": 100,
}  # fmt: skip
_NAMES = {
    "%": "percent, per cent, %",
    "mg": "milligram, mg",
    "g": "gram, g, gm",
    "kg": "kg, kilogram",
    "µg": "microgram, mcg, µg, μg, ug",
    "ml": "ml, milliliter, millilitre, cc",
    "l": "l, liter, litre",
    "dl": "dl",
    "iu": "iu, unit, u",
    "mmhg": "mmhg, mm hg",
    "mmol": "mmol",
    "year": "year, yr",
    "month": "month, mo",
    "week": "week, wk",
    "day": "day",
    "hour": "hour, hr, h",
    "minute": "minute, min",
    "second": "second",
    "time": "time, fold, -fold",
    "cm": "cm",
    "mm": "mm",
    "kcal": "kcal, calorie",
    "°c": "°c",
    "°f": "°f",
    "°": "degree",
    "person": "patient, people, person, adult, child, children, women, men",
    "case": "case",
    "death": "death",
    "million": "million",
    "dose": "dose",
    "tablet": "tablet",
    "cup": "cup",
    "point": "point",
    "lb": "pound, lb",
    "copy": "copy",
    "gene": "gene",
    "type": "type",
    "stage": "stage",
    "chromosome": "chromosome",
    "drink": "drink",
}
"""What each unit is written as."""
_UNITS = {name: unit for unit, names in _NAMES.items() for name in names.split(", ")}
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\b(?:" + "|".join(_WORDS) + r")\b)"
_UNIT = "|".join(sorted((re.escape(unit) for unit in _UNITS), key=len, reverse=True))
_AMOUNT = re.compile(
    r"(?:(?P<least>at least|more than|over|above|greater than|at most|less than|under|below|up to|fewer than|"
    r"no more than|[≥>≤<])\s*)?"
    rf"(?<![\w.])(?P<low>{_NUMBER})(?:\s*(?:-|–|to|and(?= \d))\s*(?P<high>{_NUMBER}))?"
    rf"[\s-]*(?P<unit>(?:{_UNIT})(?:s|es)?(?![^\W\d_]))?(?:\s*(?:/|per|a|each|every)\s*(?P<per>(?:{_UNIT})(?:s)?(?![^\W\d_])))?",
    re.IGNORECASE,
)
_LEAST = frozenset(("at least", "more than", "over", "above", "greater than", "≥", ">"))


def amounts(text: str, offset: int = 0) -> tuple[Quantity, ...]:
    """Every amount of a text, in order: digits with or without a unit, number words only with one."""
    found = []
    for match in _AMOUNT.finditer(text):
        unit = _unit(match["unit"])
        if not match["low"][0].isdigit() and not unit:
            continue
        if match.start("low") > 0 and text[match.start("low") - 1] == "-" and not match["unit"]:
            continue  # the 2 of "IL-2"
        low = _number(match["low"])
        high = _number(match["high"]) if match["high"] else low
        comparator = (match["least"] or "").lower()
        if comparator:
            low, high = (low, math.inf) if comparator in _LEAST else (0.0, high)
        per = _unit(match["per"])
        end = match.end() if unit else match.end("high") if match["high"] else match.end("low")
        found.append(
            Quantity(low, high, f"{unit}/{per}" if unit and per else unit, offset + match.start(), offset + end)
        )
    return tuple(found)


def _unit(written: str | None) -> str:
    lowered = (written or "").lower()
    return _UNITS.get(lowered) or _UNITS.get(lowered.removesuffix("s")) or _UNITS.get(lowered.removesuffix("es")) or ""


def _number(written: str) -> float:
    lowered = written.lower()
    return float(_WORDS[lowered]) if lowered in _WORDS else float(lowered.replace(",", ""))
