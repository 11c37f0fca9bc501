"""Differences that may be chance, as texts say so."""

from __future__ import annotations

import re

_UNSURE = re.compile(
    r"\b(?:not|n't) (?:\w+ ){0,2}?(?:significan\w+|differ)|\bno (?:\w+ )?(?:significant|difference)|\bnon-?significant"
    r"|\b(?:due to|by|play of) chance\b"
    r"|\bp\s*[=>]\s*0?\.(?:[1-9]|0[5-9])"
    r"|[(\[ ][-−]\d[\d.]*%?\s*(?:to|,)\s*\+?\d|\bcompatible with no"
    r"|\bcould not (?:tell|say|show)|\bcannot (?:tell|say|show)",
    re.IGNORECASE,
)
_EVEN = re.compile(
    r"\b(?:no|not|nor|neither|did not|unchanged|uncertain|unclear|may|might|could|tended|trend)\b|n't\b", re.IGNORECASE
)
_DIFFER = re.compile(r"\b(?:differ\w*|same|equal\w*|similar\w*|significant\w*)\b", re.IGNORECASE)


def by_chance(claim: str, text: str) -> bool:
    """Whether a text says that a difference may be chance, and the claim asserts one."""
    return unsure(text) and not (unsure(claim) or differs(claim) or _EVEN.search(claim))


def unsure(text: str) -> bool:
    """Whether a text says that a difference may be chance."""
    return _UNSURE.search(text) is not None


def differs(text: str) -> bool:
    """Whether a text says in words that things are the same, or that they are not."""
    return _DIFFER.search(text) is not None
