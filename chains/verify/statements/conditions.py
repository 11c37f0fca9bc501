"""What keeps a statement that has a claim's relation from attesting it: its frame, doubt, scope or numbers.

Each check returns the reason in words for a reader, or nothing. A reason either lets the passage say nothing of the
claim, or, as another number does, lets it speak against it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from chains.verify.signals.quantities import comparable
from chains.verify.statements.obstacle import Obstacle
from chains.verify.statements.phrases import phrase_fit
from chains.verify.statements.vocabulary import Shortened, Vocabulary, akin
from core.language.statement import Modality, Phrase, Quantity, Scope, Statement
from core.language.weights import CARRIERS, EVERYONE, USUAL, how_often
from core.text import stem

_SURENESS: dict[Modality, int] = {"asserted": 3, "hedged": 2, "possible": 2, "hypothetical": 0, "asked": 0}
_RESTRICTING = frozenset({"population", "species", "condition"})


class Reason(NamedTuple):
    """Why a statement does not attest a claim; ``against`` where it even speaks against it."""

    obstacle: Obstacle
    why: str
    against: bool = False


def frame(told: Statement, claimed: Statement) -> Reason | None:
    """Who says it, and whether it is said at all."""
    if told.attribution == "believed" and claimed.attribution != "believed":
        return Reason("frame", "it reports this as what some believe or claim")
    if told.modality == "asked" and claimed.modality != "asked":
        return Reason("frame", "it only asks whether this is so")
    if told.modality == "hypothetical" and claimed.modality != "hypothetical":
        return Reason("frame", "it only supposes this")
    return None


def doubt(told: Statement, claimed: Statement) -> Reason | None:
    """Whether it is said as surely as the claim says it."""
    if _SURENESS[told.modality] < _SURENESS[claimed.modality]:
        said = "can be" if told.modality == "possible" else "may be"
        return Reason("doubt", f"it is less sure than the claim: it says that this {said} so")
    return None


def often(told: Statement, claimed: Statement) -> Reason | None:
    """How often, or of how many, both say it."""
    one, other = how_often(told.frequency), how_often(claimed.frequency)
    if told.frequency.lower() == "only" != claimed.frequency.lower():
        return Reason("often", "it says this of some alone")
    if other is None:
        if one is not None and one < USUAL and claimed.modality == "asserted":
            return Reason(
                "often", f"it says this only {told.frequency} happens" if one < 2 else f"it says {told.frequency}"
            )
        return None
    if one is None:
        return None if other <= USUAL else Reason("often", f"it does not say {claimed.frequency}")
    if (one <= 1 and other >= USUAL) or (other <= 1 and one >= USUAL):
        return Reason("often", f"it says {told.frequency}, not {claimed.frequency}", against=True)
    return (
        None
        if one >= other or other <= 2 <= one
        else Reason("often", f"it says {told.frequency}, not {claimed.frequency}")
    )


def scope(
    told: Statement, claimed: Statement, scene: frozenset[str], vocabulary: Vocabulary, shortened: Shortened
) -> Reason | None:
    """Whether it holds for whom, when and where the claim says; ``scene`` are the stems of the passage's title."""
    own = _phrases(claimed)
    for limit in told.scopes:
        if limit.kind in _RESTRICTING and not _general(limit) and not _met(limit.phrase, own, vocabulary, shortened):
            return Reason("scope", _about(limit, claimed))
    theirs = _phrases(told)
    for limit in claimed.scopes:
        met = _general(limit) or set_by(limit.phrase, scene) or _met(limit.phrase, theirs, vocabulary, shortened)
        if not met:
            return Reason("scope", f"it does not speak of “{limit.phrase.text}”")
    return None


def set_by(phrase: Phrase, scene: frozenset[str]) -> bool:
    """Whether a title names all of what a phrase names."""
    return all(any(akin(stem(lemma.lower()), other) for other in scene) for lemma in phrase.lemmas)


def _phrases(statement: Statement) -> list[Phrase]:
    parts = (statement.subject, statement.object, *statement.arguments, *(scope.phrase for scope in statement.scopes))
    return [part for part in parts if part is not None]


def _general(limit: Scope) -> bool:
    """Whether a scope is everyone: "in patients", "in people"."""
    return limit.kind in ("population", "species") and all(
        stem(word.lower()) in EVERYONE for word in limit.phrase.lemmas
    )


def _met(phrase: Phrase, others: Iterable[Phrase], vocabulary: Vocabulary, shortened: Shortened) -> bool:
    return any(phrase_fit(phrase, other, vocabulary, shortened, CARRIERS) in ("same", "narrower") for other in others)


def _about(limit: Scope, claimed: Statement) -> str:
    said = next((s.phrase.text for s in claimed.scopes if s.kind == limit.kind), None)
    if said is None and limit.kind == "species":
        said = "people"
    return f"it is about “{limit.phrase.text}”" + (f", not {said}" if said else ", and the claim is not so limited")


def quantity(told: Statement, claimed: Statement, more: Iterable[Quantity] = ()) -> Reason | None:
    """Whether it has every number of the claim; a number of the same unit that excludes the claim's is against it."""
    found = [*told.quantities, *more]
    for wanted in claimed.quantities:
        same = [
            pair
            for one in found
            if (pair := comparable((wanted.low, wanted.high, wanted.unit), (one.low, one.high, one.unit)))
        ]
        if any(pair.within for pair in same):
            continue
        if same and wanted.unit and all(pair.apart for pair in same):
            return Reason("quantity", f"it gives another number than {_written(wanted)}", against=True)
        return Reason("quantity", f"it does not say {_written(wanted)}")
    return None


def _written(quantity: Quantity) -> str:
    if quantity.high == float("inf"):
        number = f"at least {quantity.low:g}"
    elif quantity.low in (0.0, float("-inf")) and quantity.high:
        number = f"at most {quantity.high:g}"
    else:
        number = f"{quantity.low:g}" if quantity.low == quantity.high else f"{quantity.low:g} to {quantity.high:g}"
    return f"{number} {quantity.unit}".strip()
