"""What one relation says of another: causing is raising the risk, preventing is the opposite of both.

``follows(told, claimed)`` is +1 where whatever stands in the first relation stands in the second, −1 where it cannot,
0 where the first tells nothing of the second.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from chains.verify.signals.antonyms import opposed
from chains.verify.statements.vocabulary import akin
from core.language.statement import RelationKind, Statement
from core.text import stem

_IMPLIED: Mapping[RelationKind, frozenset[RelationKind]] = MappingProxyType(
    {
        "cause": frozenset({"associate", "raise", "have"}),
        "raise": frozenset({"associate"}),
        "worsen": frozenset({"associate"}),
        "prevent": frozenset({"associate", "lower"}),
        "lower": frozenset({"associate"}),
        "treat": frozenset[RelationKind](),
    }
)
_FOR = frozenset[RelationKind]({"cause", "raise", "worsen"})
_AGAINST = frozenset[RelationKind]({"prevent", "lower", "treat"})
_LIKE: Mapping[RelationKind, frozenset[RelationKind]] = MappingProxyType(
    {"lower": frozenset({"treat"}), "treat": frozenset({"lower"}), "worsen": frozenset({"raise"})}
)
"""What passes for the other: to lower pain is to treat it, to worsen gout is to bring more of it."""
SYMMETRIC = frozenset[RelationKind]({"associate"})
"""Relations whose two sides may be exchanged."""


def follows(told: Statement, claimed: Statement) -> int:
    """What the relation of one statement says of the relation of the other, negation left aside."""
    if _opposed_direction(told, claimed):
        return -1
    if told.kind == claimed.kind != "other":
        if claimed.kind == "associate" and ((claimed.direction and not told.direction) or told.direction < 0):
            return 1 if told.direction == claimed.direction else 0
        return _words(told, claimed) if claimed.kind in ("happen", "be") and told.lemma and claimed.lemma else 1
    if claimed.kind in _IMPLIED.get(told.kind, ()):
        return 1 if claimed.kind != "associate" or not claimed.direction or _direction(told) else 0
    if claimed.kind in _LIKE.get(told.kind, ()):
        return 1
    if told.kind in ("treat", "prevent") and claimed.kind == "cause":
        return 0  # a remedy for one case may bring about another
    kinds = {told.kind, claimed.kind}
    if kinds == {"treat", "raise"} or "spread" in kinds:
        return 0  # who improves survival raises it, who treats pain does not; a vaccine is got, and from nobody caught
    if (told.kind in _FOR and claimed.kind in _AGAINST) or (told.kind in _AGAINST and claimed.kind in _FOR):
        return -1
    if claimed.kind == "other" or told.kind == "other":
        return _words(told, claimed)
    return 0


def _words(told: Statement, claimed: Statement) -> int:
    """What the words that carry two relations say of each other."""
    one, other = stem(told.lemma.lower()), stem(claimed.lemma.lower())
    if akin(one, other):
        return 1
    return -1 if opposed(one, other) else 0


def _direction(statement: Statement) -> int:
    return 1 if statement.kind in _FOR else -1 if statement.kind in _AGAINST else statement.direction


def _opposed_direction(told: Statement, claimed: Statement) -> bool:
    comparable = told.kind == claimed.kind or "associate" in (told.kind, claimed.kind)
    return comparable and _direction(told) * _direction(claimed) < 0


def toward(told: Statement, claimed: Statement) -> int:
    """What a statement says of another by its relation and its polarity: +1 for it, −1 against it, 0 nothing.

    A denied relation denies whatever would imply it, and nothing more: who does not raise a risk need not lower it.
    """
    if not told.negated:
        found = follows(told, claimed)
        return -found if claimed.negated else found
    denied = 1 if follows(claimed, told) > 0 or _null(told, claimed) else 0
    return denied if claimed.negated else -denied


def _null(told: Statement, claimed: Statement) -> bool:
    """Whether a denied association denies an effect of either direction, a denied cause of a sign that it is had."""
    effect = told.kind == "associate" and claimed.kind in (_FOR | _AGAINST)
    return effect or (told.kind == "cause" and claimed.kind == "have")
