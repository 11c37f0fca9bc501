"""E-mail addresses, and web addresses that lead to one person."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.privacy.identifier import Removed, matches

_AT = r"(?:@| ?[(\[]at[)\]] ?)"
_DOT = r"(?:\.| ?[(\[]dot[)\]] ?)"
_MAIL = re.compile(rf"(?<![\w.+%'-])[\w.+%'-]{{1,64}}{_AT}[\w-]+(?:{_DOT}[\w-]+)+", re.IGNORECASE)
_WEB = re.compile(
    r"\b(?:https?://|www\.|[\w-]{2,60}\.(?:com|org|net|info|eu|uk|de|fr|io)/)[^\s<>\"'()\[\]]+[^\s<>\"'()\[\].,;:!?]",
    re.IGNORECASE,
)
_PERSONAL = re.compile(
    r"://[^/@\s]+@"
    r"|/profile\b|[?&;](?:patient|pat|user|member|account|mrn|nhs|ssn|session|token|name|email|dob|login)\w*="
    r"|/patients?/[^/?#\s]*\d"  # a word there is what publishers call their pages for patients
    r"|/(?:users?|members?|accounts?|profiles?|people|u)/[^/?#]+",
    re.IGNORECASE,
)


def mail_addresses(text: str) -> Iterator[Removed]:
    """Every e-mail address: who asks a medical question has no other use for one."""
    yield from matches("e-mail address", _MAIL, text)


def web_addresses(text: str) -> Iterator[Removed]:
    """Web addresses that name a user or patient, whole; those of articles and organisations stay."""
    for found in matches("web address", _WEB, text):
        if _PERSONAL.search(text, found.start, found.end):
            yield found
