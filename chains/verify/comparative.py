"""A claim that compares two groups, taken apart by its own words: what has more, or less, of what, than what."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from core.text import STOPWORDS, stem

Side = Literal[1, -1]

_MORE = "more higher greater larger longer bigger further later"
_LESS = "fewer less lower smaller shorter rarer sooner faster quicker earlier"
_SPEED = frozenset("sooner faster quicker earlier slower later longer shorter".split())
_DIRECTION: dict[str, Side] = {**dict.fromkeys(_MORE.split(), 1), **dict.fromkeys(_LESS.split(), -1)}
_COMPARATIVE = re.compile(
    rf"\b({'|'.join(_DIRECTION)})\b(?! (?:back|limb|leg|abdominal|respiratory|urinary|body|lip|eyelid|airway|dose))",
    re.IGNORECASE,
)
_FORMED = re.compile(
    r"\b(?:better|worse|best|worst|effective|safer|stronger|weaker|milder|easier|harder)\b", re.IGNORECASE
)
_LOWERED = re.compile(
    r"\b(?P<down>lower(?:s|ed)|reduc(?:e|es|ed)|decreas(?:e|es|ed)|cut|cuts)\b|\b(?:rais(?:e|es|ed)|increas(?:e|es|ed))\b",
    re.IGNORECASE,
)
_NO_MORE = re.compile(rf"\bno (?:{'|'.join(_DIRECTION)})\b", re.IGNORECASE)
_AGAINST = re.compile(
    r"\b(?:than|compared (?:with|to)|in comparison (?:with|to)|versus|relative to|as against)\b", re.IGNORECASE
)
_FACTOR = re.compile(
    r"\b(?:(?P<times>twice|three times|four times|five times|double|triple)(?: as)?"
    r"|(?P<part>half|a third|a quarter) as) (?:many|much|often|common|frequent|likely|high)",
    re.IGNORECASE,
)
_AS = re.compile(r"\b(?:as|than)\b", re.IGNORECASE)
_FACTORS = {
    "twice": 2.0, "double": 2.0, "three times": 3.0, "triple": 3.0, "four times": 4.0, "five times": 5.0,
    "half": 0.5, "a third": 1 / 3, "a quarter": 0.25,
}  # fmt: skip
CHANGE = (
    r"(?:f[ae]ll|fell|fall(?:s|en)?|drop(?:s|ped)?|declin(?:e|es|ed)|decreas(?:e|es|ed)|reduc(?:e|es|ed|tion)|los[est]|lost"
    r"|loss|lower(?:s|ed)|improv(?:e|es|ed|ement)|r[io]se|rises|increas(?:e|es|ed)|gain(?:s|ed)?|chang(?:e|es|ed)"
    r"|shr[aiu]nk|shorten(?:s|ed)?)"
)
_CHANGED = re.compile(rf"\b{CHANGE}\b", re.IGNORECASE)
_AMOUNT = re.compile(
    r"\s*(?:\d|half\b|an? (?:half|third|quarter|day|week|fortnight|month|year|hour|dozen)\b"
    r"|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty)\b)",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:not|never|neither|nor|without|cannot)\b|n't\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")
_LIGHT = frozenset(
    stem(word)
    for word in f"""{_MORE} {_LESS} common frequent frequently often likely rate rates risk number numbers people person
    patient patients participant participants group groups arm arms case cases occur occurred happen happened report
    reported reports see seen saw show showed shown have had has having get got getting develop developed experience
    experienced record recorded note noted find found observe observed suffer suffered given give taking take took
    taken receive received receiving compared comparison versus relative study trial average mean median percentage
    proportion share figure figures much many twice double third quarter assigned treated using used use treatment level
    levels come came comes go goes went become became becomes contain contains cause caused causes lead leads led
    give gave gives rise carry carried put puts back took part complain complained account accounts need needs
    significantly markedly far clearly overall probability chance noticed felt went along following followed
    treatment-related""".split()
)
"""What a comparison may say of any measure."""
_HARMS = re.compile(r"\b(?:adverse (?:event|effect|reaction)|side[- ]effect)s?\b", re.IGNORECASE)
_ALIKE = {
    **dict.fromkeys(("die", "dead", "mortal", "fatal", "fatality"), "death"),
    **dict.fromkeys(("lose", "lost"), "loss"),
    **dict.fromkeys(("fell", "fallen"), "fall"),
}
"""Words of one sense whose stems differ."""


class Compared(NamedTuple):
    """A claim taken apart: the stems before and after what compares, of its groups and of what is measured."""

    first: frozenset[str]
    second: frozenset[str]
    direction: Side
    """Of what the first has: more or less."""
    factor: float | None
    change: bool
    """Whether a fall or a rise is compared, and not a level."""
    speed: bool
    no_more: bool
    """Whether it says that there is no more, or no less."""


def compares(claim: str) -> bool:
    """Whether a claim says that one group has more or less of something than another."""
    against = _AGAINST.search(claim)
    if against is None or _AMOUNT.match(claim, against.end()):
        return False
    return any(said.search(claim) for said in (_COMPARATIVE, _FORMED, _FACTOR, _LOWERED))


def has_comparative(text: str) -> bool:
    """Whether a text compares in words: "higher", "better"."""
    return _COMPARATIVE.search(text) is not None or _FORMED.search(text) is not None


def comparative(claim: str) -> Compared | None:
    """A claim taken apart; None where it does not compare two groups in a way that figures can decide."""
    factor = _FACTOR.search(claim)
    against = _AGAINST.search(claim) if factor is None else _AS.search(claim, factor.end())
    directions = {_DIRECTION[word.lower()] for word in _COMPARATIVE.findall(claim)}
    no_more = _NO_MORE.search(claim) is not None
    lowered = _LOWERED.search(claim)
    if (
        against is None
        or _AMOUNT.match(claim, against.end())
        or _FORMED.search(claim)
        or _DENIED.search(claim[: against.start()])
    ):
        return None
    tail = claim[against.end() :]
    if against.start() == 0:
        second, _, rest = tail.partition(",")
    else:
        second, rest = re.split(r"[,.;]", tail, maxsplit=1)[0], claim[: against.start()]
    than = against.group().lower() == "than"
    direction: Side
    if factor is not None:
        direction = 1 if factor["times"] else -1
    elif len(directions) == 1:
        direction = directions.pop()
    elif not directions and lowered is not None and not than:
        direction = -1 if lowered["down"] else 1
    else:
        return None
    changed = _CHANGED.search(rest) is not None and (than or bool(_COMPARATIVE.search(rest)))
    theirs, ours = stems_of(second), stems_of(_NO_MORE.sub(" ", _FACTOR.sub(" ", rest)))
    speed = any(word.lower() in _SPEED for word in _COMPARATIVE.findall(claim))
    value = _FACTORS[(factor["times"] or factor["part"]).lower()] if factor else None
    return Compared(ours - theirs, theirs - ours, direction, value, changed, speed, no_more)


def stems_of(text: str) -> frozenset[str]:
    """The stems of the words that name something; those that may be said of any measure are left out."""
    lowered = (word.lower() for word in _WORD.findall(_HARMS.sub("side effect", text)))
    return frozenset(_ALIKE.get(stem(word), stem(word)) for word in lowered if word not in STOPWORDS) - _LIGHT


def is_change(word: str) -> bool:
    """Whether a stem tells of a fall or a rise."""
    return _CHANGED.fullmatch(word) is not None or word in ("lost", "lose", "loss", "fell", "fall")
