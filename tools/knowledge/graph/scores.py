"""What the paths between two concepts say of a claim that joins them: support, contradiction, net, risk.

Support multiplies ``alpha · μ`` along a path, contradiction ``1 − alpha · μ`` along a counter-path of its own search;
each is the best path, the sum over the best ones, or their noisy-or, ``1 − Π (1 − P)``, which stays in [0, 1]. A sum
may exceed 1 and is not clipped: two clipped sums would be alike wherever concepts are close. Then
``P_net = P_support / (P_support + P_contradiction + ε)`` and ``HRS = 1 − P_net``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

EPSILON = 1e-9


class ConceptPath(NamedTuple):
    """Concepts from one end to the other, the membership μ of each edge between them, and the path's probability.

    The probability is Π alpha · μ of a supporting path, Π (1 − alpha · μ) of a counter-path.
    """

    ids: tuple[str, ...]
    weights: tuple[float, ...]
    probability: float


class Balance(NamedTuple):
    """Support and contradiction under one way of counting paths, what remains of the support, and the risk."""

    support: float
    contradiction: float
    p_net: float
    risk: float


class PathEvidence(NamedTuple):
    """What a graph knows of two concepts.

    ``support`` and ``contradiction`` are the best paths, best first. ``denied``: the two are a negative edge, that is,
    a vocabulary states that they do not go together. ``best``, ``total`` and ``noisy_or`` weigh the paths: the best
    one, the sum, the noisy-or.
    """

    source: str
    target: str
    support: tuple[ConceptPath, ...]
    contradiction: tuple[ConceptPath, ...]
    denied: bool
    best: Balance
    total: Balance
    noisy_or: Balance


def weigh(
    ends: tuple[str, str],
    support: Sequence[ConceptPath],
    contradiction: Sequence[ConceptPath],
    denied: bool,
    alpha: float,
) -> PathEvidence:
    """Weigh the paths between two concepts, best first.

    A negative edge is a statement, believed with ``alpha``: it counts as a counter-path of that probability, and P_net
    is multiplied by the chance, 1 − alpha, that the statement is wrong. So the risk of a denied pair is at least alpha,
    however many paths of similarity there are.
    """
    supporting = [path.probability for path in support]
    opposing = [path.probability for path in contradiction] + [alpha] * denied
    trust = 1 - alpha if denied else 1.0

    def balance(plus: float, minus: float) -> Balance:
        net = trust * plus / (plus + minus + EPSILON)
        return Balance(plus, minus, net, 1 - net)

    return PathEvidence(
        *ends,
        tuple(support),
        tuple(contradiction),
        denied,
        best=balance(max(supporting, default=0.0), max(opposing, default=0.0)),
        total=balance(math.fsum(supporting), math.fsum(opposing)),
        noisy_or=balance(_noisy_or(supporting), _noisy_or(opposing)),
    )


def _noisy_or(probabilities: Sequence[float]) -> float:
    return 1 - math.prod(1 - p for p in probabilities)
