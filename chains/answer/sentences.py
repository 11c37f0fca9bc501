"""The pieces of a passage that can stand in an answer: whole sentences, and lists with what introduces them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from chains.relevance.subject import place_in_document
from core.language import sentences
from core.schema import Evidence
from core.text import Span, content_terms, words

_LEAST_WORDS = 4
_LEAST_UNSTOPPED = 8
"""Words of a sentence without a full stop: fewer are a heading."""
_MOST_LIST_WORDS = 160
_INTRODUCED = re.compile(
    r"[A-Z][^.:;?]{8,160}\b(?:includ(?:e|es|ing)|such as|following|performed|causes?|if you)\b[^.:;?]{0,40}: \w"
)
_UNCUT_WORDS = 100
"""A list told in one sentence may end without a full stop, where it is too short to have been cut off."""
_JUNK = re.compile(
    r"(?:(?:key points?|summary|overview|introduction|frequently asked questions|espa\w*ol)\s*[:\-\u2013]?\s+"
    r"(?=[A-Z\-])|"
    r"[-*•\u2013]\s+|\d+[.)]\s+)+",
    re.I,
)
_JOINT = re.compile(r"\.;(?:\s+(?=[A-Z])|\s*$)")
_BULLET = re.compile(r"(?:[-*•\u2013]|\d+[.)])\s")
_HEAD = re.compile(r":\s*(?:[-*•\u2013]|\d+[.)]|$)")
_ANNOUNCES = re.compile(
    r"\b(?:the following\b[^.]{0,80}|as follows)\.$|^(?:here|there) are (?:(?:\w+ ){1,3}(?:of|main|types?|kinds?|ways?|"
    r"forms?|causes?|stages?|steps?|tests?|signs?|symptoms?|complications?|factors?|approaches|tips)\b)[^.]{0,80}\.$",
    re.I,
)
"""What a list may follow though it ends in a full stop: "Studies have found the following risk factors for gout."."""
_END = re.compile(r"[.!:;)\]\"'\u201d\u2019%\w]$")
_STOP = re.compile(r"[.!][\"'\u201d\u2019)\]\d]*$")
_DANGLING = re.compile(
    r"^(?:it|its|this|these|that|those|they|their|them|he|she|his|her|such|however|therefore|thus|also|additionally|"
    r"but|and|or|so|then|in addition|for example|for instance|as a result|other|others|another|yes|no|"
    r"in this|at this|each (?:type|kind|form)|both (?:types|kinds|forms)|\(|while there|once there|either way|"
    r"(?:some|most|many|one|two|three|several|all|none|each|both|any|few|a few) of (?:these|those|them|which)|"
    r"(?:for|in|with|to|among|during|after|before|from|of) (?:these|those|this|such)|if (?:so|not|this|these|it|they)|"
    r"(?:\w+ ){1,4}also)\b",
    re.I,
)
"""What needs the sentence before it; one in brackets explains it."""
_RISKS = re.compile(r"(?:^|: )(?:who (?:is|are|may|might|can|gets?)|what (?:causes|raises|increases))\b", re.I)
_ITEM_OF_RISKS = re.compile(
    r"(?:have|had|has|are|were|is|was|be|been|take|took|drink|drank|eat|ate|smoke|smoked|use|used|get|got|live|lived|work|"
    r"worked|travell?ed|spend|spent|share|inject|do|don't|engage|consume|weigh|abuse|handle|come|play|"
    r"suffer|receive|received|undergo|underwent|wear|breathe|swim|touch|sit|stand|skip|avoid)\b(?!.*\?)",
    re.I,
)
"""An item of "you are more likely to get it if you:", whose introduction is not beside it: alone it reads as advice."""
_OF_RISKS = re.compile(r"\b(?:if you|people who|you|those who)[: ]*(?:-|$)", re.I)
"""How a list begins whose items tell who is at risk."""
_FINITE = re.compile(
    r"(?:\S+|.*, (?!which\b|that\b|who\b))[^,:]*\s(?:is|are|was|were|can|may|might|should|will|have|has|includes?|"
    r"needs?|depends?|means?|occurs?|happens?|confirms?|shows?)\b"
)
"""A sentence that stands by itself, though a list may follow: "Other symptoms may include:"."""
_TITLED = re.compile(r"(?:(?:[A-Z][\w'-]*|of|and|or|the|to|in|for|with)(?: |$)){2,}\W*$")
"""A heading of several words."""
_LONG_ITEM = 30
_BOILERPLATE = re.compile(
    r"table below|information comes from|"
    r"a frequency of \d|click (?:on|here)|see (?:the |this )?(?:section|below|above|figure|table|graphic)|"
    r"for more information|"
    r"more information (?:about|on)|provides the following list|more common in the population|\bweb ?site\b|"
    r"www\.|https?:|medical dictionary|first number of the fraction|frequency of a sign or symptom is usually|"
    r"the sign or symptom may be rare|has collected information on|image below|figure below|"
    r"learn more about|animation (?:below|shows)|"
    r"\b(?:described|discussed|mentioned|listed|noted|outlined|explained|named) (?:above|below|earlier)\b|"
    r"\b(?:you|may|to|includ(?:e|es|ing)|such as);|we also have pages|"
    r"visit the|call the|summary section|check out the|\bsee,? [\"\u201c]|(?:information|list|links?) here\b|key words"
    # The cells of a table that were run together: "4.8 grams 1/2 cup of green peas 4.4 grams 1 medium potato".
    r"|(?:\d[\d./]*[ ](?:grams?|cups?|medium|ounces?|tablespoons?)\b[^.:;,\n]{0,30}[ ]){5,}|(?:\b\d+[ ]){6,}"
    # A range that has lost its dash is another number: "100125 mg/dL".
    r"|\b\d{5,6} ?mg/dL",
    re.I,
)


class Unit(NamedTuple):
    """A piece of evidence's text that an answer may take as it stands."""

    evidence: Evidence
    order: int
    start: int
    end: int
    text: str
    dangling: bool
    boilerplate: bool
    items: int

    @property
    def stems(self) -> frozenset[str]:
        """Stems of its content words."""
        return frozenset(content_terms(self.text))


def units_of(evidence: Evidence) -> list[Unit]:
    """Sentences of a passage in order, lists joined with their heads; fragments, headings and questions left out."""
    pieces = [part for sentence in sentences(evidence.text) for part in _unglued(sentence)]
    units: list[Unit] = []
    place = 0
    while place < len(pieces):
        after = _list_end(pieces, place + _heads(pieces, place), evidence.text)
        unit = _unit(evidence, len(units), pieces[place:after], last=after == len(pieces))
        if unit is not None:
            units.append(unit)
        place = after
    return units


def in_context(texts: Sequence[str]) -> list[str]:
    """Sentences of a passage as one reads them: one that leans on the sentence before it comes after that."""
    before = ("", *texts)[: len(texts)]
    return [
        f"{last} {text}" if last and _DANGLING.match(text) else text for last, text in zip(before, texts, strict=True)
    ]


def _unglued(sentence: Span) -> Iterator[Span]:
    """The sentences that a source has joined by semicolons after their full stops."""
    joints = list(_JOINT.finditer(sentence.text))
    starts = (0, *(joint.end() for joint in joints))
    ends = (*(joint.start() + 1 for joint in joints), len(sentence.text))
    for start, end in zip(starts, ends, strict=True):
        if start < end:
            yield Span(sentence.start + start, sentence.start + end, sentence.text[start:end])


def _heads(pieces: Sequence[Span], place: int) -> bool:
    """Whether a piece is the name that the sentence after it speaks of, as in a glossary: "Statins. They lower …"."""
    head, after = pieces[place].text, pieces[place + 1].text if place + 1 < len(pieces) else ""
    named = head[:1].isupper() and head.endswith(".") and len(words(head)) < _LEAST_WORDS
    return named and _DANGLING.match(after) is not None and _DANGLING.match(head) is None


def _list_end(pieces: list[Span], place: int, text: str) -> int:
    """Where the list that a sentence opens ends; the next place where it opens none."""
    end = place + 1
    if not _opens_list(pieces, place):
        return end
    counted = len(words(pieces[place].text))
    # An item may have several sentences: they go on in its line, where items have lines.
    lines = end < len(pieces) and "\n" in text[pieces[place].end : pieces[end].start]
    while end < len(pieces):
        within = end > place + 1
        goes_on = lines and within and "\n" not in text[pieces[end - 1].end : pieces[end].start]
        if not goes_on and not _BULLET.match(pieces[end].text) and not (within and _is_item(pieces, place, end)):
            break
        counted += len(words(pieces[end].text))
        if counted > _MOST_LIST_WORDS:
            break
        end += 1
    return end


def _is_item(pieces: list[Span], head: int, place: int) -> bool:
    """Whether what follows a list within it, where a source has lost the mark, is one more item of its first list."""
    text = pieces[place].text
    if _ITEM_OF_RISKS.match(text) and _OF_RISKS.search(pieces[head].text):
        return True
    short = not _STOP.search(text) and not text.endswith("?") and len(words(text)) <= _LONG_ITEM
    return short and not _FINITE.match(text) and not _TITLED.match(text)


def _opens_list(pieces: list[Span], place: int) -> bool:
    """Whether a sentence goes on in a list: it ends with a colon, or before an item with nothing or what announces."""
    head, follows = pieces[place].text, pieces[place + 1 : place + 2]
    open_ended = not _STOP.search(head) and not _BULLET.match(head) and not head.endswith("?")
    before_item = any(_BULLET.match(piece.text) for piece in follows)
    return bool(_HEAD.search(head)) or (before_item and (open_ended or _ANNOUNCES.search(head) is not None))


def _unit(evidence: Evidence, order: int, pieces: list[Span], *, last: bool) -> Unit | None:
    start, end = pieces[0].start, pieces[-1].end
    lead = _JUNK.match(evidence.text, start, end)
    start = lead.end() if lead else start
    text = evidence.text[start:end]
    listed = sum(1 for _ in _items(text))
    if _ITEM_OF_RISKS.match(text) and _RISKS.search(evidence.title):
        return None
    if not _stands(text, listed, opening=pieces[0].start == 0 and place_in_document(evidence) == 0, last=last):
        return None
    return Unit(evidence, order, start, end, text, bool(_DANGLING.match(text)), bool(_BOILERPLATE.search(text)), listed)


def _items(text: str) -> Iterator[re.Match[str]]:
    return re.finditer(r"(?:^|[\s:])(?:[-*•\u2013]|\d+[.)])\s+(?=\w)", text)


def _stands(text: str, listed: int, *, opening: bool, last: bool) -> bool:
    """Whether a text can be read by itself."""
    first = text.lstrip("\"'\u201c\u2018([")[:1]
    unfinished = last or len(words(text)) < _LEAST_UNSTOPPED
    list_told = len(words(text)) <= _UNCUT_WORDS and _INTRODUCED.match(text) is not None
    whole = bool(_STOP.search(text)) or bool(listed) or list_told or not unfinished
    return (
        len(words(text)) >= _LEAST_WORDS
        and not text.endswith(("?", ":"))
        and bool(_END.search(text))
        and whole
        and (first.isupper() or first.isdigit() or opening)
    )
