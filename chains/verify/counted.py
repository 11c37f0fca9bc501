"""What the figures of a passage say of a claim that compares two groups.

"Nausea occurred in 44% of the semaglutide group and 16% of the placebo group" says that it was more common with
semaglutide, and no word of it does. The claim is taken apart by its own words (``comparative``), and the figures are
given to its groups by where both stand. Where that is not plain, where the sentence lacks a word of what the claim
measures, or where the difference is said to be uncertain, the figures say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from chains.link import Link
from chains.verify.chance import differs, unsure
from chains.verify.comparative import CHANGE, Compared, comparative, compares, has_comparative, is_change, stems_of
from core.language import sentences
from core.language.measures import Measure, measures
from core.text import stem

_BY = re.compile(rf"\b{CHANGE}\b[^.;]{{0,60}}?\b(?:by|was|of|from)\b|\bfrom\s+\d|[−-]\d", re.IGNORECASE)
_INTERVAL = re.compile(
    r"[(\[,]?\s*\b9\d\s*%\s*(?:CI|confidence (?:interval|limits))[^.;)]*?\d[\d.]*\s*(?:to|-|–|,)\s*\d[\d.]*[)\]]?"
    r"|[(\[]?\s*\bp\s*[<=>≤]\s*0?\.\d+\s*[)\]]?",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"\b(?:arm|group|type|grade|stage|phase|class|cohort|table|figure|part|score|day|week|n =|n=)\s*$", re.IGNORECASE
)
_BASELINE = re.compile(r"\b(?:baseline|at (?:the start|entry|enrol?ment)|before treatment|initially)\b", re.IGNORECASE)
_TURNING = re.compile(
    r"\b(?:no|without|free|absent|absence|avoid\w*|prevent\w*|reliev\w*|relief|stop\w*|resolv\w*|halv\w*|heal\w*|cur(?:e|ed)"
    r"|clear\w*|surviv\w*|remission|missed|negative)\b",
    re.IGNORECASE,
)
_FALLEN = re.compile(r"\b(?:fell|fall|dropped|declined|decreased|lost)\b", re.IGNORECASE)
_RISEN = re.compile(r"\b(?:rose|increased|gained)\b", re.IGNORECASE)
_SIGNED = re.compile(r"(?:^|\s)[−-]\d")
_UNSIGNED = re.compile(r"\+\d|(?:was|and) \d")
_MEAN = re.compile(r"\b(?:mean|averaged?|median|scores?)\b", re.IGNORECASE)
_TOOK = re.compile(r"\b(?:median|mean|averaged?|took|times?|recover\w*|until|within|stay)\b", re.IGNORECASE)
_RATIO = re.compile(r"\b(?:hazard|odds|risk|rate) ratio|\brelative risk|\b(?:HR|OR|RR)\b|\bodds of", re.IGNORECASE)
_RATIO_VALUE = re.compile(
    r"(?<![\d.])\d+\.\d+\s*[(\[,;]\s*(?:95\s*%\s*(?:CI|confidence interval)[,:]?\s*)?(?P<low>\d+\.\d+)"
    r"\s*(?:to|-|–|,)\s*(?P<high>\d+\.\d+)",
    re.IGNORECASE,
)
_OVER = re.compile(
    r"\b(?:versus|vs|(?:as )?compared (?:with|to)|relative to|over|against|than|with (?=[^.]* as (?:the )?reference))",
    re.IGNORECASE,
)
_BREAK = re.compile(r"[,;]|\band\b|\bbut\b|\bversus\b|\bvs\b|\bcompared\b|\bwhile\b|\bwhereas\b", re.IGNORECASE)
_NEAR = 0.15
"""How far from "twice" a ratio may be to be called so."""
_LACKING = 2
"""Words of a claim that may stand elsewhere than beside the figures."""
_PIECE = re.compile(rf"[.,;:]\s|{_BREAK.pattern}", re.IGNORECASE)
_AFTER_FIGURE = re.compile(
    r"\s*(?:\((?!\d)|(?:of|in|with|among|on|for|at|after|by|under|from|taking|using)\b)", re.IGNORECASE
)


Values = tuple[float, float] | None


class Figured(NamedTuple):
    """What figures say of a comparison: for it (1) or against it (−1)."""

    toward: Literal[1, -1]
    shared: int
    """How many of the claim's words stand beside these figures."""


def counted(claim: str, passage: str, link: Link | None = None) -> Figured | None:
    """What the figures of a passage say of a claim; None where it compares nothing, or they do not tell.

    ``link`` finds what names call one thing: "breathlessness" and "dyspnoea".
    """
    compared = comparative(claim)
    if compared is None or not (compared.first and compared.second):
        return None
    found = _told(compared, passage)
    renamed = comparative(_named(claim, link)) if link is not None and found is None else None
    return found if renamed is None or link is None else _told(renamed, _named(passage, link))


def _named(text: str, link: Link) -> str:
    """A text in which what the vocabularies know has the name that they prefer."""
    pieces, end = [], 0
    for mention in sorted(link(text), key=lambda mention: mention.start):
        if mention.start >= end:
            pieces += [text[end : mention.start], mention.concept.name]
            end = mention.end
    return "".join([*pieces, text[end:]])


def _told(compared: Compared, passage: str) -> Figured | None:
    """What the figures say, those that have most of the claim's words beside them; None where they do not agree."""
    found = [figured for figured in _read(compared, passage) if figured is not None]
    return max(found, key=lambda figured: figured.shared) if len({figured.toward for figured in found}) == 1 else None


def left_open(claim: str, passage: str) -> bool:
    """Whether a claim compares groups and a sentence of the passage has figures of several, and no word for it."""
    return compares(claim) and any(_several(sentence.text) for sentence in sentences(passage))


def _several(text: str) -> bool:
    units = [one.unit for one in measures(_INTERVAL.sub(" ", text))]
    told = has_comparative(text) or differs(text)
    return (not told or unsure(text)) and any(units.count(unit) > 1 for unit in units)


def _has(compared: Compared, text: str, pieces: Sequence[frozenset[str]]) -> bool:
    """Whether a text has all words of the claim that are not light, or the passage beside a group's name."""
    here, named = stems_of(text), compared.first | compared.second
    lacking = {word for word in named if word not in here and not is_change(word)}
    if len(lacking) > _LACKING:
        return False
    return all(any(word in piece and piece & (named & here) for piece in pieces) for word in lacking)


def _read(compared: Compared, passage: str) -> Iterator[Figured | None]:
    """What each sentence, or two neighbours where one has but one of the groups, says by its figures."""
    told = [s.text for s in sentences(passage)]
    pieces = [stems_of(piece) for piece in _PIECE.split(passage)]
    for length in (1, 2):
        runs = range(len(told) - length + 1)
        sure = [n for n in runs if not unsure(" ".join(told[n : n + length + 1]))]
        near = [n for n in sure if _has(compared, " ".join(told[n : n + length]), pieces)]
        found = [_of(compared, told[n : n + length], " ".join(told[n + length : n + length + 1])) for n in near]
        yield from found
        if any(found):
            return


def _of(compared: Compared, told: Sequence[str], following: str = "") -> Figured | None:
    """What one sentence says, or two of which each has one of the figures; ``following`` may take it back."""
    text = " ".join(told)
    if _BASELINE.search(text) or _turned(text) - compared.first or _around_one(following) or _both_ways(text):
        return None
    shared = len((compared.first | compared.second) & stems_of(text))
    if _around_one(text) or ((_BY.search(text) is not None) != compared.change and not _loss(compared, text)):
        return None
    shown = _INTERVAL.sub(lambda match: " " * len(match.group()), text)
    found = [one for one in measures(shown) if one.unit or not _LABEL.search(shown[: one.start])]
    if (ratio := _ratio(compared, text)) is not None:
        return Figured(ratio, shared)
    for unit in dict.fromkeys(one.unit for one in found):
        if compared.speed != (unit == "day") or not (unit or _MEAN.search(text)):
            continue
        if compared.speed and not _TOOK.search(text):
            continue
        own = [one for one in found if one.unit == unit]
        parted = _parted(told, own) if len(told) > 1 else None
        values = (
            _given(parted, compared, shown, own)
            if parted
            else _values(compared, shown, own)
            if len(told) == 1
            else None
        )
        if values is not None:
            toward = _toward(compared, *values)
            return None if toward is None else Figured(toward, shared)
    return None


def _turned(text: str) -> frozenset[str]:
    """Words by which more of one thing is less of another: who is free of pain has none."""
    return frozenset(stem(word.lower()) for word in _TURNING.findall(text))


def _both_ways(text: str) -> bool:
    """Whether a sentence tells of a fall and of a rise, or has figures with a sign and without."""
    return (_FALLEN.search(text) is not None and _RISEN.search(text) is not None) or bool(
        _SIGNED.search(text) and _UNSIGNED.search(text)
    )


def _ratio(compared: Compared, text: str) -> Literal[1, -1] | None:
    """What a ratio of risks with its interval says: of the first group over the second, or the other way round."""
    value, over = _RATIO_VALUE.search(text), _OVER.search(text)
    if value is None or over is None or not _RATIO.search(text) or compared.factor is not None:
        return None
    low, high = float(value["low"]), float(value["high"])
    if over.start() == 0:
        below, _, above = text.partition(",")
    else:
        above, below = text[: over.start()], re.split(r"[,.]\s", text[over.end() :], maxsplit=1)[0]
    top, bottom = stems_of(above), stems_of(below)
    ours, theirs = compared.first & (top ^ bottom), compared.second & (top ^ bottom)
    if ours and theirs and theirs <= bottom and not theirs & top and ours & top:
        more = low > 1
    elif theirs and theirs <= top and ours & bottom:
        more = high < 1
    else:
        return None
    return 1 if more == (compared.direction > 0) else -1


def _around_one(text: str) -> bool:
    """Whether the interval of a ratio holds 1."""
    return any(float(m["low"]) <= 1 <= float(m["high"]) for m in _RATIO_VALUE.finditer(text)) and bool(
        _RATIO.search(text)
    )


def _loss(compared: Compared, text: str) -> bool:
    """Whether what is measured is itself a loss: "mean blood loss was 320 ml"."""
    return _BY.search(text) is not None and not compared.change and not re.search(r"\bby\b|\bfrom\s+\d", text)


def _values(compared: Compared, text: str, own: Sequence[Measure]) -> Values:
    """The figures of the first and of the second group, by the words between them."""
    gaps = [text[one.end : after.start] for one, after in pairwise(own)]
    if len(own) < 2:
        return None
    head, tail = text[: own[0].start], text[own[-1].end :]
    before, after = [head, *gaps], [*gaps, tail]
    if "respectively" in tail.lower():
        return _respectively(compared, text, own)
    orders = [after, before]
    if not _AFTER_FIGURE.match(after[0]):
        orders.reverse()
    if len(own) == 2:
        orders.append([head, tail])
    for slots in orders:
        near = [stems_of(_beside(slot, before=slots is before)) for slot in slots]
        if (values := _given(near, compared, text, own)) is not None:
            return values
    return None


def _parted(told: Sequence[str], own: Sequence[Measure]) -> list[frozenset[str]] | None:
    """The words of two sentences of which each has one of the figures."""
    first = len(told[0])
    if len(own) != 2 or not own[0].end <= first < own[1].end:
        return None
    return [stems_of(sentence) for sentence in told]


def _beside(slot: str, before: bool) -> str:
    """What belongs to a figure of the words between it and the next."""
    pieces = _BREAK.split(slot)
    return pieces[-1] if before else pieces[0]


def _given(near: Sequence[frozenset[str]], compared: Compared, text: str, own: Sequence[Measure]) -> Values:
    """The figures beside which words of the first group and of the second stand."""
    second = [n for n in range(len(near)) if _beside_alone(compared.second, near, n)]
    first = [n for n in range(len(near)) if _beside_alone(compared.first, near, n) and n not in second]
    if len(first) != 1 or len(second) != 1:
        return None
    return _sizes(text, own[first[0]], own[second[0]])


def _beside_alone(group: frozenset[str], near: Sequence[frozenset[str]], place: int) -> bool:
    """Whether a word of a group stands beside this figure and beside no other."""
    others = frozenset().union(*(words for n, words in enumerate(near) if n != place))
    return bool((group & near[place]) - others)


def _respectively(compared: Compared, text: str, own: Sequence[Measure]) -> Values:
    """The figures of a list that goes with a list of groups, in its order."""
    head, tail = text[: own[0].start], text[own[-1].end :]
    for part, last in ((tail, False), (head, True)):
        named = compared.first | compared.second
        items = [stems_of(item) for item in re.split(r",|\band\b|\bwith\b", part)]
        items = [item for item in items if item & named]
        items = items[-len(own) :] if last else items[: len(own)]
        places = [[n for n, item in enumerate(items) if names & item] for names in (compared.first, compared.second)]
        if len(items) == len(own) and all(len(each) == 1 for each in places):
            return _sizes(text, own[places[0][0]], own[places[1][0]])
    return None


def _sizes(text: str, one: Measure, other: Measure) -> Values:
    first, second = _size(text, one), _size(text, other)
    return None if first is None or second is None else (first, second)


def _size(text: str, one: Measure) -> float | None:
    """The value, or of "from 8.2 to 6.9" the difference; None of another range, or where an end alone is told."""
    if one.low == one.high:
        return one.low
    ranged = not one.bounded and text[: one.start].rstrip().lower().endswith("from")
    return one.high - one.low if ranged else None


def _toward(compared: Compared, first: float, second: float) -> Literal[1, -1] | None:
    if compared.factor is not None:
        if second == 0:
            return None
        near = first / second / compared.factor
        return 1 if abs(near - 1) <= _NEAR else -1 if (first > second) != (compared.factor > 1) or near < 0.5 else None
    if compared.no_more:
        return -1 if first != second and (first > second) == (compared.direction > 0) else 1
    if first == second:
        return -1
    return 1 if (first > second) == (compared.direction > 0) else -1
