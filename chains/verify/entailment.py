"""From the signals of one comparison to probabilities: one small multinomial logistic function.

``coefficients.json`` holds it, with the data it was fitted on and the figures it reached;
``python -m eval.experiments.entailment`` makes that file. The classes weighed the same in the fit, so that the
probabilities assume no prior: how many claims are true is nothing that a verifier may presuppose.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from core.odds import log_odds, probabilities

SignalValues = Mapping[str, float | None]

_OPPOSED = 0.1
_COUNTERED = -0.02
LEAST_READ = 0.5
"""How likely support must be to the reader: below it the rule was right in 2 of 19 pairs that it was not fitted on."""
LEAST_READ_OF_REPORTS = 0.3
"""The same of reports and of pieces of them: of 26 passages kept from the reader that it thought to support a claim at
0.3 to 0.5, and all else did, 17 do."""
_READ = ("read_support", "read_contradiction")
_BY_LENGTH = ("similarity", "missing_rare", "containment_passage", *_READ)


class Probabilities(NamedTuple):
    """That evidence supports a claim, and that it contradicts it; the rest is that it says nothing on it."""

    supported: float
    contradicted: float

    @property
    def neither(self) -> float:
        """That the evidence neither supports nor contradicts the claim."""
        return max(0.0, 1.0 - self.supported - self.contradicted)


@dataclass(frozen=True)
class Coefficients:
    """Logits of supported and contradicted against neither, over standardised features."""

    features: tuple[str, ...]
    means: tuple[float, ...]
    scales: tuple[float, ...]
    supported: tuple[float, ...]
    contradicted: tuple[float, ...]
    intercepts: tuple[float, float]
    stated: tuple[float, float] = (0.5, 0.5)
    """How often the rule was right where it called a pair supported, and where it called one contradicted."""


@cache
def coefficients() -> Coefficients:
    """The committed coefficients, read once."""
    raw = json.loads(Path(__file__).with_name("coefficients.json").read_text(encoding="utf-8"))
    rows = raw["features"]
    return Coefficients(
        tuple(rows),
        tuple(row["mean"] for row in rows.values()),
        tuple(row["scale"] for row in rows.values()),
        tuple(row["supported"] for row in rows.values()),
        tuple(row["contradicted"] for row in rows.values()),
        (raw["intercepts"]["supported"], raw["intercepts"]["contradicted"]),
        (raw["stated"]["supported"], raw["stated"]["contradicted"]),
    )


def features(signals: SignalValues) -> dict[str, float | None]:
    """The signals with those made of them.

    Opposition is that exactly one of negation and antonyms turns the sense. The others let a signal weigh differently
    in a long passage, where the nearest of many windows is near by chance, and in a single sentence. Where nothing was
    embedded, the share of common words stands for similarity beside opposition.
    """
    negation, antonyms = signals.get("negation") or 0.0, signals.get("antonyms") or 0.0
    opposition = negation * (1.0 - antonyms) + antonyms * (1.0 - negation)
    length = signals.get("evidence_length")
    near = signals.get("similarity")
    near = signals.get("containment_titled") if near is None else near
    made = {"opposition": opposition, "opposed_similarity": _product(opposition, near)}
    read = {name: _odds(signals.get(name)) for name in _READ}
    held = {**signals, **read}
    by_length = {f"{name}_by_length": _product(held.get(name), length) for name in _BY_LENGTH}
    return {**held, **made, **by_length}


def _odds(p: float | None) -> float | None:
    return None if p is None else log_odds(p)


def vetoed(signals: SignalValues) -> bool:
    """Whether the reader that has learned, where it was asked, does not see the support.

    A sentence that begins with the claim word for word, whose statement is the claim's, says so whatever it thinks: it
    has learned from pairs in which common words mostly mislead. So do figures: it cannot count.
    """
    read = signals.get("read_support")
    least = LEAST_READ_OF_REPORTS if signals.get("report") else LEAST_READ
    return read is not None and read < least and not (signals.get("opening") or signals.get("counted"))


def _product(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one * other


def entailment(signals: SignalValues, fitted: Coefficients | None = None) -> Probabilities:
    """Probabilities for one comparison; a signal that is not available counts as average.

    Where the rule of support speaks, one way alone, its side is at least as likely as the rule was right in the fit:
    it speaks too seldom there for a weight among the others to tell its worth. A support that is vetoed counts nothing.
    """
    model = fitted or coefficients()
    values = features(signals)
    support, contradiction = model.intercepts
    for name, mean, scale, s, c in zip(
        model.features, model.means, model.scales, model.supported, model.contradicted, strict=True
    ):
        value = values.get(name)
        if value is not None:
            standard = (value - mean) / scale
            support += s * standard
            contradiction += c * standard
    worded = Probabilities(*probabilities((support, contradiction)))
    said = (signals.get("stated_support") or 0.0, signals.get("stated_contradiction") or 0.0)
    if said[0] == said[1] or (said[0] and vetoed(signals)):
        return worded
    if said[0]:
        supported = max(worded.supported, model.stated[0])
        return Probabilities(supported, min(worded.contradicted, 1.0 - supported))
    contradicted = max(worded.contradicted, model.stated[1])
    return Probabilities(min(worded.supported, 1.0 - contradicted), contradicted)


def reason(signals: SignalValues) -> str | None:
    """Why evidence may contradict a claim by its words, for a reader; None where nothing speaks for it."""
    if (signals.get("number_conflict") or 0.0) > 0.0:
        return "it gives another number"
    if (signals.get("antonyms") or 0.0) >= _OPPOSED and (signals.get("negation") or 0.0) < _OPPOSED:
        return "it uses the opposite word"
    if (features(signals)["opposition"] or 0.0) >= _OPPOSED:
        return "one of the two denies what the other states"
    if (signals.get("counter_margin") or 0.0) < _COUNTERED:
        return "it is nearer to the opposite of the claim"
    return None
