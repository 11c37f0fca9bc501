"""Sentences that reassure: below the notice of an emergency they would take its edge off."""

from __future__ import annotations

import re

_MILD = (
    r"mild|harmless|benign|minor|not (?:usually )?(?:serious|dangerous|harmful)|nothing to worry|"
    r"go(?:es)? away|clears? up|on (?:its|their) own|at home|without treatment|improves?|gets? better|recovers?|"
    r"very good"
)
_UNDENIED = r"(?:(?!\b(?:not|never|cannot|without)\b|n't\b)[^.;])*"
_REASSURES = re.compile(
    r"\b(?:most(?: often)?|many|usually|often|generally|commonly|typically|normally|almost always)\b"
    rf"{_UNDENIED}\b(?:{_MILD})\b|"
    r"\b(?:is|are) (?:rarely|seldom) (?:serious|dangerous|harmful)\b|"
    r"\b(?:not all|not every|few)\b[^.;]*\b(?:requires?|needs?)\b|"
    r"\b(?:do|does)(?: not|n't) (?:\w+ )?(?:require|need)\b",
    re.I,
)
_OF_OUTLOOK = re.compile(
    r"\bhow long\b|\bgo(?:es)? away\b|\bgo(?:es)? back\b|\bnormal again\b|\brecover\w*|\b(?:get|gets|getting) better\b|"
    r"\bprognosis\b|\boutlook\b",
    re.I,
)


def reassures(text: str) -> bool:
    """Whether a sentence says that something is mostly mild, passes by itself or needs no care."""
    return _REASSURES.search(text) is not None


def asks_of_outlook(question: str) -> bool:
    """Whether a question asks how something will go on: what reassures may be its answer."""
    return _OF_OUTLOOK.search(question) is not None
