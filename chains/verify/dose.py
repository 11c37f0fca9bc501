"""Doses: a claim that states one needs the same number and unit, and no other frequency, in one of its quotes.

Stricter than the numbers among the signals of verification: there is no slack, a mass per kilogram is another dose than
that mass, and a mass three times a day another than the same once a day. What is measured in blood (mg/dL, g/L) is no
dose.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from core.language import sentences

_MASSES = {
    "ng": 1e-9, "nanogram": 1e-9, "µg": 1e-6, "μg": 1e-6, "ug": 1e-6, "mcg": 1e-6, "microgram": 1e-6,
    "mg": 1e-3, "milligram": 1e-3, "milligramme": 1e-3, "g": 1.0, "gm": 1.0, "gram": 1.0, "gramme": 1.0,
}  # fmt: skip
_VOLUMES = {
    "ml": 1e-3, "cc": 1e-3, "millilitre": 1e-3, "milliliter": 1e-3, "l": 1.0, "litre": 1.0, "liter": 1.0,
}  # fmt: skip
_UNITS = {"iu": 1.0, "u": 1.0, "unit": 1.0, "international unit": 1.0, "mega unit": 1e6, "million unit": 1e6}
_CHARGES = {"meq": 1e-3, "milliequivalent": 1e-3, "mmol": 1e-3, "millimole": 1e-3}
_SYNONYMS = {"tab": "tablet", "cap": "capsule", "tsp": "teaspoon", "tbsp": "tablespoon", "inhalation": "puff"}
_FORMS = (
    "tablet capsule pill caplet lozenge drop puff spray patch sachet suppository ampoule vial teaspoon tablespoon"
    " teaspoonful tablespoonful spoonful scoop dose tab cap tsp tbsp inhalation injection"
).split()
_BASES: dict[str, tuple[str, float]] = {
    **{name: ("gram", factor) for name, factor in _MASSES.items()},
    **{name: ("litre", factor) for name, factor in _VOLUMES.items()},
    **{name: ("unit", factor) for name, factor in _UNITS.items()},
    **{name: ("mole", factor) for name, factor in _CHARGES.items()},
    **{name: (_SYNONYMS.get(name, name), 1.0) for name in _FORMS},
    "suppositorie": ("suppository", 1.0),
}
_WORDS = {
    "half a": 0.5, "one half": 0.5, "half": 0.5, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
    "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12, "½": 0.5, "¼": 0.25,
}  # fmt: skip
_TIMES = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
_HOURS = {"hour": 24.0, "hr": 24.0, "h": 24.0, "minute": 1440.0, "min": 1440.0, "day": 1.0, "d": 1.0}
_PERIODS = {**_HOURS, "night": 1.0, "morning": 1.0, "evening": 1.0, "week": 1 / 7, "fortnight": 1 / 14, "month": 1 / 30}
_ADVERBS = {"daily": 1.0, "nightly": 1.0, "hourly": 24.0, "weekly": 1 / 7, "fortnightly": 1 / 14, "monthly": 1 / 30}
_LATIN = {"bid": 2.0, "bd": 2.0, "tid": 3.0, "tds": 3.0, "qid": 4.0, "qds": 4.0, "qd": 1.0, "qhs": 1.0}


def _one_of(names: Iterable[str]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


_NUMBER = rf"(?:\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:[.·]\d+)?|(?<!\w)(?:{_one_of(_WORDS)})(?!\w))"
_BETWEEN = r"\s*(?:-|–|—|/|,|\bto\b|\bor\b|\band\b|, or|, and)\s*"
_LONG = f"(?:{_one_of(name for name in _BASES if len(name) > 2)})"
_SHORT = f"(?:{_one_of(name for name in _BASES if len(name) <= 2)})"
_DOSE = re.compile(
    rf"(?<![\w.\-–])(?P<numbers>{_NUMBER}(?:{_BETWEEN}{_NUMBER})*)\s*-?\s*"
    rf"(?:(?P<unit>{_LONG}(?=s?(?!\w))|{_SHORT}(?![\w.]\w|\w))s?+|(?P<percent>%)(?=\s+(?:\w+\s+){{0,2}}"
    r"(?:cream|ointment|gel|solution|lotion|drops|shampoo|paste|foam|saline|dextrose|glucose|spray|mouthwash)))"
    r"(?P<rate>(?:\s*(?:/|\bper\b|\ba\b)\s*(?:kg|kilogram|kilo|m2|m²|ml|puff|tablet|dose)s?(?![\w]))?)"
    r"(?!\s*(?:/|per)\s*(?:dl|l|litre|liter|decilitre|deciliter|100)\b)",
    re.IGNORECASE,
)
_PERIOD = rf"(?P<period>{_one_of(_PERIODS)})s?(?![\w])"
_FREQUENCIES = (
    re.compile(
        rf"(?:(?P<times>once|twice|thrice)|(?P<numbers>{_NUMBER}(?:{_BETWEEN}{_NUMBER})*)(?:\s+|-)times)\s*"
        rf"(?:(?:a|per|each|every|/|in a)\s*)?(?:{_PERIOD}|(?P<adverb>{_one_of(_ADVERBS)}))",
        re.I,
    ),
    re.compile(
        rf"(?:\bevery|\beach|\bq)\s*(?P<every>other|{_NUMBER}(?:{_BETWEEN}{_NUMBER})*)\s*-?\s*(?:{_PERIOD}|hourly)",
        re.I,
    ),
    re.compile(rf"(?<![\w])(?P<latin>{_one_of(_LATIN)})(?![\w])", re.I),
    re.compile(rf"(?:/|\bper\b|\ba\b|\ban\b|\beach\b|\bevery\b|\bat\b)\s*{_PERIOD}", re.I),
    re.compile(rf"\b(?P<adverb>{_one_of(_ADVERBS)})\b", re.I),
)


class Dose(NamedTuple):
    """An amount with its rate and its frequency.

    ``values`` are in gram, litre, mole, units or pieces, ``per`` is kg, m2, ml or empty, ``a_day`` says how many times;
    both hold the ends of a range.
    """

    text: str
    values: frozenset[float]
    unit: str
    per: str
    a_day: frozenset[float]


@lru_cache(maxsize=4_096)
def doses(text: str) -> tuple[Dose, ...]:
    """The doses of a text in their order, each with the frequency that its sentence gives it, if any."""
    return tuple(dose for sentence in sentences(text) for dose in _of_sentence(sentence.text))


def dose_fault(claim: str, quotes: Sequence[str]) -> str | None:
    """Why a claim's dose is not attested by its quotes.

    Args:
        claim: a sentence; where it states no dose nothing is asked of the quotes.
        quotes: verbatim pieces of the evidence that supports it.

    Returns:
        A reason in words that names the dose; None where every dose of the claim stands in one of the quotes.
    """
    told = [dose for quote in quotes for dose in doses(quote)]
    return next((fault for dose in doses(claim) if (fault := _fault(dose, told))), None)


def _fault(dose: Dose, told: Sequence[Dose]) -> str | None:
    alike = [other for other in told if (other.unit, other.per) == (dose.unit, dose.per)]
    stated = frozenset[float]().union(*(other.values for other in alike))
    if not dose.values <= stated:
        instead = ", ".join(dict.fromkeys(other.text for other in told))
        return f"no quote states the dose {dose.text}" + (f": stated is {instead}" if instead else "")
    holding = [other for other in alike if dose.values & other.values]
    if dose.a_day and not any(not other.a_day or dose.a_day <= other.a_day for other in holding):
        return f"the quotes give {dose.text} another frequency than the claim"
    return None


def _of_sentence(sentence: str) -> list[Dose]:
    found = [m for m in _DOSE.finditer(sentence) if not _is_count_of_time(sentence, m)]
    read: list[Dose] = []
    for place, match in enumerate(found):
        last = place + 1 == len(found)
        after = sentence[match.end() : len(sentence) if last else found[place + 1].start()]
        often = _a_day(after)
        if not often and place == 0:
            often = _a_day(sentence[: match.start()])
        read.append(_dose(match, often))
    return _shared_frequency(read)


def _shared_frequency(read: list[Dose]) -> list[Dose]:
    """In "250 mg or 500 mg twice daily" the frequency belongs to both; a dose that has its own keeps it."""
    following: frozenset[float] = frozenset()
    shared: list[Dose] = []
    for dose in reversed(read):
        following = dose.a_day or following
        shared.append(dose if dose.a_day else dose._replace(a_day=following))
    return shared[::-1]


def _is_count_of_time(sentence: str, match: re.Match[str]) -> bool:
    """Whether "a dose" only counts how often, as in "three doses a day": then it is a frequency's matter."""
    return (match["unit"] or "").lower() == "dose" and bool(re.match(r"\s+(?:a|per|each)\b", sentence[match.end() :]))


def _dose(match: re.Match[str], often: frozenset[float]) -> Dose:
    base, factor = ("percent", 1.0) if match["percent"] else _BASES[match["unit"].lower()]
    rate = re.sub(r"^\W*(?:(?:per|a)\b)?\s*|s$", "", match["rate"].strip().lower())
    per = {"kilogram": "kg", "kilo": "kg", "m²": "m2"}.get(rate, rate)
    values = frozenset(round(value * factor, 12) for value in _values(match["numbers"]))
    return Dose(" ".join(match.group().split()), values, base, per, often)


def _values(numbers: str) -> list[float]:
    return [_value(number) for number in re.findall(_NUMBER, numbers, re.IGNORECASE)]


def _value(number: str) -> float:
    word = number.lower()
    return float(_WORDS[word]) if word in _WORDS else float(word.replace(",", "").replace("·", "."))


def _a_day(text: str) -> frozenset[float]:
    """How many times a day, or both ends of a range of it; empty where nothing is said."""
    for pattern in _FREQUENCIES:
        match = pattern.search(text)
        if match is not None:
            return frozenset(round(times, 6) for times in _times({k: v for k, v in match.groupdict().items() if v}))
    return frozenset()


def _times(said: dict[str, str]) -> list[float]:
    if "latin" in said:
        return [_LATIN[said["latin"].lower()]]
    period = _PERIODS[said["period"].lower()] if "period" in said else _ADVERBS[said.get("adverb", "hourly").lower()]
    if "every" in said:
        gaps = [2.0] if said["every"].lower() == "other" else _values(said["every"])
        return [period / gap for gap in gaps if gap]
    counts = [_TIMES[said["times"].lower()]] if "times" in said else _values(said.get("numbers", "1"))
    return [count * period for count in counts]
