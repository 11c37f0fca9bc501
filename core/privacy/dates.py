"""Dates of birth: a date beside a cue. Other dates stay, and so does a year alone: it tells an age, not a person."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.privacy.identifier import Removed, matches

_MONTH = (
    r"(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni|july?|juli|aug(?:ust)?"
    r"|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)\b\.?"
)
_DAY = r"(?:the )?\d{1,2}(?:st|nd|rd|th|\.)?"
_YEAR = r"(?:\d{4}|'?\d{2})\b(?![\d/.-]*\d)"
DATE = (
    rf"(?:\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}\b|\d{{1,2}}(?P<same>[-/. ])\s?\d{{1,2}}(?P=same)\s?{_YEAR}"
    rf"|{_DAY}[ -](?:of )?{_MONTH}(?:[ ,-]+(?:of )?{_YEAR})?|{_MONTH} {_DAY}\b(?:,? {_YEAR})?|{_MONTH}[ -]\d{{4}}\b)"
)
"""A date with a day or a month, with a group that keeps its separators alike."""

_CUE = (
    r"(?:\bD\.?O\.?B\b\.?|\bdate of birth|\bbirth ?-?date|\bb(?:irth)?-?day|\bgeburtsdatum|\bborn|\bgeb\.|\bgeboren"
    r"|\bn[ée]e? le|\bnacid[oa]|\bdate de naissance)"
)
_COHORT = r"(?:between|after|before|since|from|during|until|prior|on or|in or)\b"
_AFTER_CUE = re.compile(
    rf"{_CUE}(?! {_COHORT})(?:[ ,:;=(\n-]|\b(?:is|was|on|in|am|el|the|it|given|as|at [A-Z]\w+|in [A-Z]\w+"
    rf"|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b){{0,8}}(?P<it>{DATE})",
    re.IGNORECASE,
)
_LATER_CUE = re.compile(r"(?:D\.?O\.?B\b|date of birth|birth ?date)", re.IGNORECASE)
_BEFORE_CUE = re.compile(rf"(?<![\d/.-])(?P<it>{DATE})[ ,]*\(?{_LATER_CUE.pattern}", re.IGNORECASE)


def dates_of_birth(text: str) -> Iterator[Removed]:
    """Dates beside "born", "DOB" and the like; not those that bound a cohort ("born between …")."""
    yield from matches("date of birth", _AFTER_CUE, text)
    if _LATER_CUE.search(text):  # dates are many, cues few
        yield from matches("date of birth", _BEFORE_CUE, text)
