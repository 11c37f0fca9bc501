"""What the passage's statements say of the claim, by the rule of support."""

from __future__ import annotations

from chains.verify.comparison import Comparison

_FRAMES = frozenset({"frame", "doubt"})


def stated_support(comparison: Comparison) -> float:
    """1 where the statements of the passage support the claim, otherwise 0."""
    return float(comparison.stand.supports)


def stated_contradiction(comparison: Comparison) -> float:
    """1 where a statement of the passage contradicts the claim, otherwise 0."""
    return float(comparison.stand.contradicts)


def relation_match(comparison: Comparison) -> float:
    """How much of the claim's subject, relation and object one statement of the passage has, in [0, 1]."""
    return comparison.stand.match


def frame_conflict(comparison: Comparison) -> float:
    """1 where the passage has the claim as a belief, a question, a supposition or a possibility, otherwise 0."""
    return float(comparison.stand.obstacle in _FRAMES)


def scope_conflict(comparison: Comparison) -> float:
    """1 where it has the claim of others, at other times, of another number or as seldom, otherwise 0."""
    return float(comparison.stand.obstacle not in _FRAMES and comparison.stand.obstacle is not None)


def joined(comparison: Comparison) -> float:
    """How much of the claim's subject and object the nearest statement has, in [0, 1]."""
    return comparison.stand.leaning.joined


def reversed_roles(comparison: Comparison) -> float:
    """1 where the nearest statement has subject and object the other way round, otherwise 0."""
    return float(comparison.stand.leaning.reversed)


def leans(comparison: Comparison) -> float:
    """1 where the relation of the nearest statement is for the claim, −1 where it is against it, otherwise 0."""
    return float(comparison.stand.leaning.sign)


def framed(comparison: Comparison) -> float:
    """1 where the nearest statement is believed, asked or supposed, otherwise 0."""
    return float(comparison.stand.leaning.framed)


def limited(comparison: Comparison) -> float:
    """1 where the nearest statement is of others than the claim, otherwise 0."""
    return float(comparison.stand.leaning.limited)
