"""Names of persons: after a title or another cue, and a common given name with a surname.

A title always means a person ("Dr. Smith's method" loses its name). Elsewhere a name that a sign, a disease or a score
is called by stays: "Charles Bonnet syndrome" is no patient.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.privacy.identifier import Removed
from core.privacy.known_names import SURNAMES
from core.privacy.name_words import NAME, Word, name_from, words_from

_TITLE = re.compile(
    r"(?<![\w'-])(?:(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Doctor|Herrn?|Frau|Sir|Dame|Madame|Mme|Mlle|Monsieur"
    r"|Se[nñ]ora?|Signora?|Mevrouw|mr|mrs|dr|prof)\.?[ \n]+)+(?=[^\W\d_])"
)
_CAPITAL_TITLE = re.compile(r"(?<![\w'-])(?:(?:MR|MRS|MS|MISS|DR|PROF)(?P<dot>\.?) +)+(?=[A-Z])")
_SELF = re.compile(r"\b(?:I am|I'm|i am|i'm|[Tt]his is) +")
_AGE = re.compile(r",? (?:\(?\d{1,3}\b(?! ?(?:mg|ml|%))|aged? \d)")
_OWN = re.compile(
    r"\b(?:my|his|her|their|(?:patient|pt|client|child|mother|father|wife|husband|son|daughter)'?s?)"
    r" (?:full |first |last |sur|maiden )?name(?: is|'s|:| -) +",
    re.IGNORECASE,
)
_FIELD = re.compile(
    r"(?:^|[\n;.(|] *)(?:(?:patient|full|first|last|family|given|pt) ?)?(?:name|surname|forenames?)\b *[:=-] *"
    r"|\b(?:next of kin|NOK|signed(?: electronically)?(?: by)?)\b:? *"
    r"|\b(?:sincerely|regards|wishes|faithfully)(?:,| *\n)\s*",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"\b(?:Patient|Pat\.?|Pt|Client|Re|RE|Carer|GP|Consultant|Attending|Dear|I am|I'm|i'm|i am|[Tt]his is) *:? +"
)
RELATIVE = (
    r"(?:husband|wife|spouse|son|daughter|mother|father|mum|mom|dad|brother|sister|partner|friend|neighbou?r|boyfriend"
    r"|girlfriend|fianc[ée]e?|uncle|aunt|cousin|niece|nephew|grand(?:ma|pa|mother|father|son|daughter)|nan|carer)"
)
_RELATION = re.compile(
    rf"\b(?:(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir) (?:[a-z-]+ )?)?(?:{RELATIVE}|Uncle|Aunt|Nurse|Grandma)"
    r"(?P<comma>,| of)? +(?=[^\W\d_])"
)
DOES = re.compile(
    r" (?:has|had|is|was|takes|took|says|said|asks|asked|reports|reported|denies|denied|feels|felt|wants|rang|phoned"
    r"|complains|complained|presented|attended|lives)\b"
)
_CALLED = re.compile(
    rf"\b(?:patient|man|woman|boy|girl|lady|gentleman|child|baby|infant|person|kid|teenager|{RELATIVE}),?"
    r" (?:called|named) +"
)
_BESIDE = re.compile(
    r"[ ,(]{0,9}(?:D\.?O\.?B\b|date of birth|born\b|MRN\b|NHS n|aged? \d)"
    r"| ?[,(] ?\d{1,3}[ -]?(?:years?|yrs?|y/?o)\b"
)
EPONYM = re.compile(
    r"(?:'s?)?(?:[ -][\w-]{1,40}){0,2}?[ -](?:syndrome|disease|disorder|sign|test|phenomenon|pupil|murmur|nodule"
    r"|criteria|score|scale|classification|procedure|operation|manoeuvre|maneuver|method|law|effect|fracture|splint|catheter"
    r"|hospital|cent(?:re|er)|university|institute|foundation|college|clinic|trial|study|palsy|an[a]?emia|lymphoma|chorea|thyroiditis"
    r"|dystrophy|node|index|formula|equation|stain|agar|cells?|hernia|tumou?r)s?\b"
    r"|\[(?:au|author|1au|fau)\b| et al\b",
    re.IGNORECASE,
)
NO_PATIENTS = ("St. ", "St ", "Saint ", "Sister ", "Queen ", "King ", "-")


def names(text: str) -> Iterator[Removed]:
    """Names with their titles; the cue itself ("my name is") stays."""
    yield from _titled(text)
    yield from _told(text)
    yield from _of_the_asker(text)
    yield from _of_relatives(text)
    yield from _bare(text)


def _titled(text: str) -> Iterator[Removed]:
    for title in _TITLE.finditer(text):
        lowered = title.group()[0].islower()
        if end := name_from(text, title.end(), known_only=False, any_case=lowered and _known_at(text, title.end())):
            yield Removed("name", title.start(), end)
    for title in _CAPITAL_TITLE.finditer(text):
        # MR and MS are diseases, MRS and DR methods: without a dot, only a known name tells
        if not (title["dot"] or _known_at(text, title.end())):
            continue
        if end := name_from(text, title.end(), capitals=True):
            yield Removed("name", title.start(), end)


def _told(text: str) -> Iterator[Removed]:
    for cue in _OWN.finditer(text):
        if end := name_from(text, cue.end(), any_case=True):
            yield Removed("name", cue.end(), end)
    for cue in _FIELD.finditer(text):
        if end := name_from(text, cue.end(), capitals=True, inverted=True):
            yield Removed("name", cue.end(), end)
    for cue in _HEADER.finditer(text):
        lowered = cue.group()[0].islower()
        if end := name_from(text, cue.end(), known_only=True, inverted=True, any_case=lowered):
            yield Removed("name", cue.end(), end)
    for cue in _CALLED.finditer(text):
        if end := name_from(text, cue.end()):
            yield Removed("name", cue.end(), end)


def _of_the_asker(text: str) -> Iterator[Removed]:
    """Two names before an age: "I am Jean Dupont, 54"."""
    for cue in _SELF.finditer(text):
        end = name_from(text, cue.end())
        if end and len(words_from(text, cue.end())) > 1 and _AGE.match(text, end):
            yield Removed("name", cue.end(), end)


def _of_relatives(text: str) -> Iterator[Removed]:
    for cue in _RELATION.finditer(text):
        known = _known_at(text, cue.end())
        end = name_from(text, cue.end(), known_only=cue["comma"] == ",", any_case=known)
        if end and (
            known or not (text[cue.end() : end].isupper() or EPONYM.match(text, end) or text.startswith("'s", end))
        ):
            yield Removed("name", cue.end(), end)


def _bare(text: str) -> Iterator[Removed]:
    """A common given name with a surname, and two names beside a date of birth, an age or a record number."""
    place = 0
    while match := NAME.search(text, place):
        place = match.end()
        words = words_from(text, match.start())
        known = bool(words) and words[0].is_given
        if not known and (len(words) < 2 or not words[1].text[0].isupper()):
            continue
        end = name_from(text, match.start())
        if end is None or not (known or _BESIDE.match(text, end)):
            continue
        if end <= words[0].end and (words[0].text.isupper() or not DOES.match(text, end)):
            continue
        if EPONYM.match(text, end) or text.endswith(NO_PATIENTS, 0, match.start()):
            continue
        yield Removed("name", match.start(), end)
        place = end


def _known_at(text: str, start: int) -> bool:
    words: list[Word] = words_from(text, start)
    return bool(words) and (words[0].is_given or words[0].key in SURNAMES)
