"""How often a feature occurs in a disease: HPO's classes (HP:0040279), counts and percentages."""

from __future__ import annotations

import re
from dataclasses import dataclass

CLASSES = ("obligate", "very frequent", "frequent", "occasional", "very rare", "excluded")
RANGES = {
    "obligate": "100% of cases",
    "very frequent": "80 to 99% of cases",
    "frequent": "30 to 79% of cases",
    "occasional": "5 to 29% of cases",
    "very rare": "1 to 4% of cases",
    "excluded": "0% of cases",
}
MIN_COHORT = 5

_TERMS = {f"HP:004028{n}": label for n, label in enumerate(CLASSES)}
_MIDPOINTS = {"obligate": 1.0, "very frequent": 0.9, "frequent": 0.55, "occasional": 0.17, "very rare": 0.025}
_COUNT = re.compile(r"(\d+)/(\d+)")
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)%")


@dataclass(frozen=True)
class Frequency:
    """A stated frequency: a class, or ``count`` of ``total`` individuals, or a share in [0, 1]."""

    label: str | None = None
    count: int | None = None
    total: int | None = None
    share: float | None = None

    @property
    def few(self) -> bool:
        """Whether it rests on so few individuals that a class would mislead."""
        return self.total is not None and self.total < MIN_COHORT


def read_frequency(text: str | None) -> Frequency | None:
    """Read an annotation's frequency; None where none is stated or it cannot be read.

    A count gets the class of its share, but never obligate: that all of a sample have a feature does not show that it
    is always there. Below ``MIN_COHORT`` individuals it gets no class.
    """
    if not text:
        return None
    if text in _TERMS:
        label = _TERMS[text]
        return Frequency(label=label, share=_MIDPOINTS.get(label, 0.0))
    if match := _COUNT.fullmatch(text):
        count, total = int(match[1]), int(match[2])
        if not 0 <= count <= total or not total:
            return None
        share = count / total
        return Frequency(_class(share) if total >= MIN_COHORT else None, count, total, share)
    if match := _PERCENT.fullmatch(text):
        share = float(match[1]) / 100
        return Frequency(_class(share), share=share) if share <= 1 else None
    return None


def _class(share: float) -> str:
    for label, least in (("very frequent", 0.8), ("frequent", 0.3), ("occasional", 0.05)):
        if share >= least:
            return label
    return "very rare" if share else "excluded"
