"""Dates of publication in every form that PubMed has, as YYYY, YYYY-MM or YYYY-MM-DD."""

from __future__ import annotations

import re
from collections.abc import Iterable

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NUMBERS = re.compile(r"(1[5-9]\d\d|20\d\d)/?(0[1-9]|1[0-2])/?(0[1-9]|[12]\d|3[01])(?:\b| )")
_YEAR = re.compile(r"\b(1[5-9]\d\d|20\d\d)\b")
_MONTH = re.compile(rf"\b({'|'.join(_MONTHS)})[a-z]*(?: (0?[1-9]|[12]\d|3[01])\b)?", re.I)


def date_of(told: str) -> str | None:
    """Return a date told as ``20020916``, ``2006/01/13 09:00`` or in words; None where it names no year.

    A range (``1998 Dec-1999 Jan``, ``Jul-Aug``) is its beginning. Of a season only the year is told: when spring is
    depends on the hemisphere.
    """
    if numbers := _NUMBERS.match(told):
        return "-".join(numbers.groups())
    year = _YEAR.search(told)
    if year is None:
        return None
    until = _YEAR.search(told, year.end())  # a month after the second year belongs to that
    month = _MONTH.search(told, 0, until.start() if until else len(told))
    if month is None:
        return year[1]
    day = f"-{int(month[2]):02}" if month[2] else ""
    return f"{year[1]}-{_MONTHS.index(month[1].lower()) + 1:02}{day}"


def earliest(dates: Iterable[str | None]) -> str | None:
    """Return the date of the first year; within it the most exact, and of equally exact ones the earliest."""
    return min((date for date in dates if date), key=lambda date: (date[:4], -len(date), date), default=None)
