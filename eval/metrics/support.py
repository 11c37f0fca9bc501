"""Whether what is said is borne out: claims by the context, statements by what they cite, the context by what it held.

All of them ask a verifier whether a text supports a claim. English alone: claims are split by its grammar.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from eval.metrics.questioning import source
from eval.metrics.record import Cited, Scored

Claims = Callable[[str], Sequence[str]]
Supports = Callable[[Sequence[tuple[str, str]]], Sequence[bool]]


def claim_support_rate(record: Scored, claims: Claims, supports: Supports) -> float | None:
    """The share of the answer's claims that context and knowledge support; None without claims, or without both."""
    known = source(record)
    return _share_supported(claims(record.answer or ""), known, supports) if known else None


def context_recall(record: Scored, claims: Claims, supports: Supports) -> float | None:
    """The share of the reference's claims that the context supports (Es et al. 2024, RAGAS); of several the best."""
    if record.context is None:
        return None
    shares = [_share_supported(claims(reference), record.context, supports) for reference in record.references]
    return max((share for share in shares if share is not None), default=None)


def context_precision(record: Scored, claims: Claims, supports: Supports) -> float | None:
    """Mean precision at the places of the useful passages (RAGAS): 1 where they stand before all others.

    A passage is useful where it supports a claim of a reference. 0 where none is.
    """
    passages = record.passages or ((record.context,) if record.context else ())
    wanted = [claim for reference in record.references for claim in claims(reference)]
    if not passages or not wanted:
        return None
    useful = [any(supports([(passage, claim) for claim in wanted])) for passage in passages]
    at = [sum(useful[:place]) / place for place, hit in enumerate(useful, 1) if hit]
    return sum(at) / len(at) if at else 0.0


def citation_recall(statements: Sequence[Cited], supports: Supports) -> float | None:
    """The share of statements that all they cite together supports (Gao et al. 2023, ALCE)."""
    held = _held(statements, supports)
    return sum(held) / len(held) if held else None


def citation_precision(statements: Sequence[Cited], supports: Supports) -> float | None:
    """The share of citations that are needed (ALCE); None where nothing is cited.

    One of a statement that holds counts where it supports the statement, or where the others do not support it without
    it; none of a statement that does not hold.
    """
    cited = sum(len(statement.passages) for statement in statements)
    if not cited:
        return None
    held = _held(statements, supports)
    pairs = [
        (text, statement.text)
        for statement, holds in zip(statements, held, strict=True)
        if holds
        for n, alone in enumerate(statement.passages)
        for text in (alone, "\n\n".join((*statement.passages[:n], *statement.passages[n + 1 :])))
    ]
    borne_out = supports(pairs)
    needed = [alone or not others for alone, others in zip(borne_out[::2], borne_out[1::2], strict=True)]
    return sum(needed) / cited


def _held(statements: Sequence[Cited], supports: Supports) -> list[bool]:
    borne_out = iter(supports([("\n\n".join(each.passages), each.text) for each in statements if each.passages]))
    return [bool(each.passages) and next(borne_out) for each in statements]


def _share_supported(claims: Sequence[str], text: str, supports: Supports) -> float | None:
    if not claims:
        return None
    return sum(supports([(text, claim) for claim in claims])) / len(claims)
