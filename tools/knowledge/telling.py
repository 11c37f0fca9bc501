"""Of several records about one thing, the one that tells most, and their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tools.knowledge.frequency import CLASSES, Frequency
from tools.knowledge.values import Annotation, Entry

UNSTATED, FEW = "", "few"
GROUPS = (*CLASSES[:-1], UNSTATED, FEW)
"""Classes of frequency, most frequent first; then records without a frequency, and those of few individuals."""


def most_telling(annotations: Iterable[Annotation], subject: Callable[[Annotation], Entry]) -> list[Annotation]:
    """Keep the best record for each feature (or each disease), present ones only, most frequent first.

    A count of enough individuals tells more than a class, a class more than a small count. A subject that several
    databases record comes before one that only one does.
    """
    best: dict[str, Annotation] = {}
    origins: dict[str, set[str]] = {}
    for a in annotations:
        if a.excluded:
            continue
        identifier = subject(a).concept.id
        origins.setdefault(identifier, set()).add(a.origin)
        if identifier not in best or weight(a.frequency) > weight(best[identifier].frequency):
            best[identifier] = a
    return sorted(
        best.values(),
        key=lambda a: (
            GROUPS.index(group_of(a.frequency)),
            -len(origins[subject(a).concept.id]),
            -((a.frequency and a.frequency.share) or 0.0),
            -((a.frequency and a.frequency.total) or 0),
            len(subject(a).inline),
            subject(a).inline,
        ),
    )


def weight(frequency: Frequency | None) -> tuple[int, int]:
    """How much a stated frequency tells: a count over a class over a small count over none."""
    if frequency is None:
        return 0, 0
    if frequency.total is None:
        return 2, 0
    return (1 if frequency.few else 3), frequency.total


def group_of(frequency: Frequency | None) -> str:
    """Return the one of ``GROUPS`` that a frequency belongs to."""
    if frequency is None:
        return UNSTATED
    return FEW if frequency.few else frequency.label or UNSTATED
