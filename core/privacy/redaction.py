"""Text without identifiers of patients: names, dates of birth, ways to reach them, numbers that stand for them.

Rules need a cue (a title, "born", "MRN") or an unmistakable form, so that eponyms, doses, dates of visits and
identifiers of the literature survive; a recogniser of names adds those that rules miss. What neither knows stays;
`eval.experiments.privacy` says how much.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from core.privacy.addresses import addresses
from core.privacy.dates import dates_of_birth
from core.privacy.identifier import KINDS, Removed
from core.privacy.names import names
from core.privacy.numbers import account_numbers, device_numbers, insurance_numbers, phone_numbers, record_numbers
from core.privacy.recognised import recognised_names
from core.privacy.web import mail_addresses, network_addresses, web_addresses

_DETECTORS = (
    mail_addresses,
    web_addresses,
    network_addresses,
    dates_of_birth,
    record_numbers,
    insurance_numbers,
    account_numbers,
    device_numbers,
    phone_numbers,
    addresses,
    names,
    recognised_names,
)
_SPACES = {ord(space): " " for space in "\u00a0\u2007\u2009\u202f\t"}
_DASHES = {ord(dash): "-" for dash in "\u2010\u2011\u2012\u2013\u2014\u2212"}
_PLAIN = _SPACES | _DASHES | {ord("’"): "'"}
_KEPT = re.compile(
    r"\[(?:" + "|".join(KINDS) + r")\]"  # what an earlier pass put in
    r"|\b(?:10\.\d{4,9}/\S+"  # DOI
    r"|(?:PMIDs?|PubMed(?: ids?)?)[ :#]*\d{5,9}(?:(?:, ?| and | or )\d{5,9})*"
    r"|(?:NCT|ISRCTN|PMC|ACTRN|DRKS|ChiCTR\w*-?)\d+|(?:EudraCT|CTIS)[ :]*[\d-]+"
    r"|(?:ISBN|ISSN|ORCID|OMIM|SNOMED(?:[ -]CT)?|LOINC|ICD(?:-\d+)?|CAS|ATC|UMLS|MESH|RxNorm)[ :#]*[\dA-Z][\dA-Z.-]*)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Redaction:
    """A text after redaction.

    ``text`` has a placeholder such as ``[name]`` where something was removed, for readers and models. ``query`` has
    nothing there, for search engines: they would look for the placeholder's word, and brackets are syntax to some.
    """

    text: str
    query: str
    removed: tuple[Removed, ...] = ()


@lru_cache(maxsize=512)  # a prompt's fixed parts and a question come again and again
def redacted(text: str) -> Redaction:
    """Remove identifiers of patients from a text; offsets in ``removed`` count code points of the text as given."""
    plain = _KEPT.sub(lambda kept: "\0" * len(kept.group()), text.translate(_PLAIN))
    removed = _merged(found for detector in _DETECTORS for found in detector(plain))
    if not removed:
        return Redaction(text, text)
    return Redaction(
        _without(text, removed, placeholders=True),
        " ".join(_without(text, removed, placeholders=False).split()),
        removed,
    )


def _merged(found: Iterable[Removed]) -> tuple[Removed, ...]:
    """What was found, in order; pieces that overlap become one, of the kind of the longer."""
    merged: list[Removed] = []
    for piece in sorted(found, key=lambda piece: (piece.start, -piece.end)):
        if merged and piece.start < merged[-1].end:
            last = merged.pop()
            longer = max(last, piece, key=lambda each: each.end - each.start)
            piece = Removed(longer.kind, last.start, max(last.end, piece.end))
        merged.append(piece)
    return tuple(merged)


def _without(text: str, removed: tuple[Removed, ...], *, placeholders: bool) -> str:
    parts, place = [], 0
    for piece in removed:
        parts += [text[place : piece.start], f"[{piece.kind}]" if placeholders else " "]
        place = piece.end
    return "".join([*parts, text[place:]])
