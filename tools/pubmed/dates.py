"""Dates of publication in every form that PubMed has, as YYYY, YYYY-MM or YYYY-MM-DD."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_YEAR = re.compile(r"\b(1[5-9]\d\d|20\d\d)\b")
_MONTH = re.compile(rf"\b({'|'.join(_MONTHS)})[a-z]*", re.I)


def date_of(element: Element | None) -> str | None:
    """Return a date; None where the element is not there or names no year.

    A range (``1998 Dec-1999 Jan``, ``Jul-Aug``) is its beginning. Of a season only the year is told: when spring is
    depends on the hemisphere.
    """
    if element is None:
        return None
    if (told := element.findtext("MedlineDate")) is not None:
        return _told(told)
    year = _YEAR.search(element.findtext("Year") or "")
    if year is None:
        return None
    month = _month(element.findtext("Month") or element.findtext("Season") or "")
    day = (element.findtext("Day") or "").strip()
    if month is None:
        return year[1]
    has_day = day.isdecimal() and 1 <= int(day) <= 31 and element.find("Month") is not None
    return f"{year[1]}-{month:02}" + (f"-{int(day):02}" if has_day else "")


def earliest(dates: Iterator[str | None]) -> str | None:
    """Return the date of the first year; within it the most exact, and of equally exact ones the earliest."""
    return min((date for date in dates if date), key=lambda date: (date[:4], -len(date), date), default=None)


def _told(text: str) -> str | None:
    """A date in words, such as ``1998 Dec-1999 Jan`` or ``Winter 2000``."""
    year = _YEAR.search(text)
    if year is None:
        return None
    until = _YEAR.search(text, year.end())  # a month after the second year belongs to that
    month = _MONTH.search(text, 0, until.start() if until else len(text))
    return year[1] if month is None else f"{year[1]}-{_MONTHS.index(month[1].lower()) + 1:02}"


def _month(text: str) -> int | None:
    text = text.strip()
    if text.isdecimal():
        return int(text) if 1 <= int(text) <= 12 else None
    found = _MONTH.match(text)
    return _MONTHS.index(found[1].lower()) + 1 if found else None
