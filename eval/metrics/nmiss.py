"""NMISS (Priola 2024): a metric that also counts what an answer says beyond the reference and the context supports.

With reference r, answer s, context c and a base metric X: P = s ∩ r, N = s less P, A = N ∩ c, ``f_ref = X(s, r)``,
``f_cxt = X(N, c)`` and ``f = max(f_ref, (|P| f_ref + |A| f_cxt) / (|P| + |A|))``; f_ref where |P| + |A| = 0. The paper
writes X(A) and leaves the denominator open: X(N, c) is our reading, X(s, c) with the matches A an option. All are
multisets of words in lower case; matches are clipped by count and taken from the left, N keeps the answer's order, and
nothing is stemmed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from eval.metrics.base import Compare, Pair
from eval.metrics.record import Scored
from eval.metrics.scorers import Scorers
from eval.metrics.tokens import surface

SMALLEST, LARGEST = 0.0, 0.99
"""Base scores strictly between these leave room for NMISS to raise them (section 3.3)."""


class Parts(NamedTuple):
    """How many words match the reference, what is left of the answer, and how many of that match the context."""

    matched: int
    rest: str
    supported: int


def parts(answer: str, reference: str, context: str) -> Parts:
    """|P|, N as a text, and |A|."""
    wanted, rest = Counter(_lowered(reference)), list[str]()
    said = surface(answer)
    for word in said:
        key = word.lower()
        if wanted[key] > 0:
            wanted[key] -= 1
        else:
            rest.append(word)
    supported = (Counter(map(str.lower, rest)) & Counter(_lowered(context))).total()
    return Parts(len(said) - len(rest), " ".join(rest), supported)


def combined(f_ref: float, f_cxt: float, found: Parts) -> float:
    """The score f."""
    weight = found.matched + found.supported
    if not weight:
        return f_ref
    return max(f_ref, (found.matched * f_ref + found.supported * f_cxt) / weight)


def nmiss(
    compare: Compare, records: Sequence[Scored], base: Sequence[dict[str, float]], by: Scorers
) -> list[dict[str, float]]:
    """NMISS over each figure of a base metric, whose own scores of the records are given; the best reference counts.

    Each reference is held against with its own P, N and ``f_ref``. The records have an answer, a reference and a
    context.
    """
    each = [(place, reference) for place, record in enumerate(records) for reference in record.references]
    alone = _each_alone(compare, records, base, each, by)
    found = [parts(records[n].answer or "", reference, records[n].context or "") for n, reference in each]
    rests = [
        Pair((records[n].answer or "") if by.whole else p.rest, (records[n].context or "",), records[n].language)
        for (n, _), p in zip(each, found, strict=True)
    ]
    scores = [dict(figures) for figures in base]
    for (n, _), p, own, against in zip(each, found, alone, compare(rests, by), strict=True):
        for name, f_ref in own.items():
            scores[n][name] = max(scores[n][name], combined(f_ref, against[name], p))
    return scores


def _each_alone(
    compare: Compare,
    records: Sequence[Scored],
    base: Sequence[dict[str, float]],
    each: Sequence[tuple[int, str]],
    by: Scorers,
) -> list[dict[str, float]]:
    """The base scores against every reference alone; those of a record with one reference are there already."""
    several = [(n, reference) for n, reference in each if len(records[n].references) > 1]
    pairs = [Pair(records[n].answer or "", (reference,), records[n].language) for n, reference in several]
    made = iter(compare(pairs, by) if pairs else ())
    return [next(made) if len(records[n].references) > 1 else base[n] for n, _ in each]


class Outperformance(NamedTuple):
    """The share of cases that NMISS raises, by level of difficulty, and the mean of the levels."""

    by_level: dict[str, float]
    overall: float


def outperformance(
    base: Sequence[float | None],
    raised: Sequence[float | None],
    hallucinated: Sequence[bool],
    levels: Sequence[str],
) -> Outperformance | None:
    """How often NMISS is above its base metric where it could be (section 3.3); None where it could be nowhere.

    What counts: a case that is not hallucinated and whose base score is above 0 and below 0.99. A level without such a
    case has no share.
    """
    by_level: dict[str, list[bool]] = {}
    for f_ref, f, wrong, level in zip(base, raised, hallucinated, levels, strict=True):
        if f_ref is not None and f is not None and not wrong and SMALLEST < f_ref < LARGEST:
            by_level.setdefault(level, []).append(f > f_ref)
    if not by_level:
        return None
    shares = {level: sum(won) / len(won) for level, won in by_level.items()}
    return Outperformance(shares, sum(shares.values()) / len(shares))


def _lowered(text: str) -> list[str]:
    return [word.lower() for word in surface(text)]
