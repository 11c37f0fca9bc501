"""Postal addresses: a street with a number, a post-office box, a postcode beside a cue."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.privacy.identifier import Removed, matches

_CAP = r"[A-ZÀ-ÖØ-ÞŁŚŠŽČ][\w'-]{0,40}\.?"
_UK = r"(?i:[A-Z]{1,2}\d[A-Z\d]? ?\d[ABD-HJLNP-UW-Z]{2}\b)"  # no unit of measure ends in these letters
_US = r"(?:[A-Z]{2},? )?\d{5}(?:-\d{4})?\b"
_EUROPE = rf"(?:[A-Z]{{1,2}}-)?\d{{4,5}} {_CAP}(?: {_CAP}){{0,2}}"
_FLAT = r"(?:,? ?(?:Apt|Apartment|Flat|Unit|Suite|Room|#)\.? ?\w{1,5}\b)?"
_TAIL = rf"{_FLAT}(?:,? {_EUROPE}|(?:,? {_CAP}(?: {_CAP}){{0,2}}){{0,2}},? (?:{_UK}|{_US}))?"
"""A flat, then city and postcode; a city alone stays, since what follows a comma may be anything."""
_TOWN = rf"(?:, {_CAP}(?: {_CAP}){{0,2}}(?= *(?:[.;\n]|$)))?"
"""A city alone that ends what is said, after a street with its number."""

_ENGLISH = re.compile(
    r"(?<![\w.,/-])(?:(?:Flat|Apt|Apartment|Unit) \w{1,4},? )?\d{1,5}[A-Za-z]?,? (?:[A-Z][\w'.-]{0,40} ){1,3}"
    r"(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Close|Way|Court|Place|Boulevard|Blvd|Crescent|Terrace|Gardens"
    rf"|Square|Grove|Hill|Mews|Highway|Hwy|Parkway)\b(?!-)\.?{_TAIL}{_TOWN}"
    rf"|\b(?:[Ff]lat|[Aa]pt|[Aa]partment|[Uu]nit) \w{{1,4}},? (?:{_CAP} ){{1,3}}(?:Court|House|Tower|Lodge)\b"
)
_GERMAN = re.compile(
    rf"\b(?:{_CAP} ){{0,2}}(?:[A-ZÄÖÜ][\w-]{{0,40}}(?:straße|strasse|str\.|weg|gasse|allee|platz|damm|ufer)"
    rf"|(?:{_CAP} )(?:Straße|Strasse|Str\.|Weg|Gasse|Allee|Platz|Ring)) \d{{1,4}}(?: ?[a-h])?\b{_TAIL}"
)
_ROMANCE = re.compile(
    r"\b(?:\d{1,4},? (?:bis,? |ter,? )?"
    r"(?:[Rr]ue|[Aa]venue|[Bb]oulevard|[Pp]lace|[Aa]llée|[Cc]hemin|[Ii]mpasse|[Qq]uai) "
    rf"(?:(?:de la|de l'|des|du|de|d') ?)?{_CAP}(?:[ -]{_CAP}){{0,3}}"
    r"|(?:Calle|Gran Vía|C/|[Uu]l\.|Avenida|Plaza|Via|Viale|Piazza|Corso|Rua) "
    rf"(?:(?:de la|de|del|della|dei|da|do) )?(?:{_CAP}(?: {_CAP}){{0,2}})?"
    rf",? \d{{1,4}}\b){_TAIL}"
)
_BOX = re.compile(rf"\b(?:P\.? ?O\.? Box|Postfach) \d+{_TAIL}", re.IGNORECASE)
_CUE = (
    r"(?:\b(?:lives?|living|residing|resident|resides|address|addresses|home|house|place|moved|post ?-?code"
    r"|post(?:al)? code|wohnhaft|wohnt|Adresse|Anschrift|PLZ)\b)"
)
_POSTCODE = re.compile(rf"{_CUE}[^.\n\0]{{0,60}}?(?P<it>\b(?:{_UK}|(?<![\d,.])\d{{5}} {_CAP}|[A-Z]{{2}},? \d{{5}}\b))")
_CODE = re.compile(
    r"\b(?:ZIP(?: ?code)?|post ?code|postal code|PLZ)\b[ :]*(?:is )?(?P<it>[\dA-Z]{3,5}(?:[ -][\dA-Z]{3,4})?\b)",
    re.IGNORECASE,
)


def addresses(text: str) -> Iterator[Removed]:
    """Streets with their number, of English, German and Romance form, with flat, city and postcode after them."""
    for pattern in (_ENGLISH, _GERMAN, _ROMANCE, _BOX, _POSTCODE):
        yield from matches("address", pattern, text)
    for found in matches("address", _CODE, text):
        if any(character.isdecimal() for character in text[found.start : found.end]):
            yield found
