"""What the statement of a passage that comes nearest to a claim leans to, where none is the claim's own."""

from __future__ import annotations

from collections.abc import Sequence

from chains.verify.statements.conditions import frame, scope
from chains.verify.statements.phrases import phrase_fit
from chains.verify.statements.relations import SYMMETRIC, toward
from chains.verify.statements.stand import Leaning
from chains.verify.statements.vocabulary import Shortened, Vocabulary
from core.language.statement import Phrase, Statement
from core.language.weights import CARRIERS


def leaning(
    claimed: Sequence[Statement],
    told: Sequence[Statement],
    vocabulary: Vocabulary,
    shortened: Shortened,
    scene: frozenset[str],
) -> Leaning:
    """The leaning of the nearest statement to the first claimed one that has anything of it."""
    best = Leaning()
    for one in claimed:
        for statement in told:
            found = _of(one, statement, vocabulary, shortened, scene)
            if (found.joined, abs(found.sign)) > (best.joined, abs(best.sign)):
                best = found
    return best


def _of(
    claimed: Statement, told: Statement, vocabulary: Vocabulary, shortened: Shortened, scene: frozenset[str]
) -> Leaning:
    def fits(one: Phrase | None, others: Sequence[Phrase | None]) -> bool:
        return any(
            one is not None
            and other is not None
            and phrase_fit(one, other, vocabulary, shortened, CARRIERS) is not None
            for other in others
        )

    around = (*told.arguments, *(limit.phrase for limit in told.scopes))
    subject, object_ = fits(claimed.subject, (told.subject, *around)), fits(claimed.object, (told.object, *around))
    swapped = fits(claimed.subject, (told.object,)), fits(claimed.object, (told.subject,))
    turned = sum(swapped) > subject + object_
    joined = max(subject + object_, sum(swapped)) / 2.0
    if not joined:
        return Leaning()
    limits = scope(told, claimed, scene, vocabulary, shortened) is not None
    sign = toward(told, claimed)
    exchanged = turned and told.kind not in SYMMETRIC and sign != 0
    return Leaning(joined, exchanged, 0 if exchanged else sign, frame(told, claimed) is not None, limits)
