"""E-mail addresses, network addresses, and web addresses that lead to one person."""

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
_OCTET = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
_HEX = r"[\da-f]{1,4}"
_NETWORK = re.compile(
    r"(?<![\w.])(?<!version )(?:(?<=ip )|(?<=ip: )|(?<=address )|(?<=address: )|(?![1-7]\.))"  # EC 3.4.21.4: an enzyme
    rf"{_OCTET}(?:\.{_OCTET}){{3}}(?!\w|\.\d)"
    rf"|(?<![\w:])(?:{_HEX}:){{7}}{_HEX}(?![\w:])"
    rf"|(?<![\w:])(?=[\da-f:]{{0,30}}[\da-f]{{3}}){_HEX}(?::{_HEX}){{0,5}}::{_HEX}(?::{_HEX}){{0,5}}(?![\w:])"
    r"|(?<![\w:-])[\da-f]{2}(?:([:-])[\da-f]{2})(?:\1[\da-f]{2}){4}(?![\w:-])",  # of a network card
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


def network_addresses(text: str) -> Iterator[Removed]:
    """Addresses of the Internet protocol, versions 4 and 6, and of network cards."""
    yield from matches("network address", _NETWORK, text)
