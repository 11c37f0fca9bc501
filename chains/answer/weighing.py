"""Yes or no from whole texts: what everything that was read in them comes to.

A report seldom says in one sentence what its title asks, and of several texts none may say it surely. Here their
windows are read from the end, where a report has its results, and one multinomial logistic function of what the
readings come to gives the probabilities. ``yesno.json`` holds it; ``python -m eval.experiments.yesno_fit`` makes it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from chains.verify.comparing import Learned
from chains.verify.finding import Finding
from core.language import sentences
from core.odds import log_odds, probabilities
from core.readers.entailment import Entailed
from core.schema import Evidence

FILE = Path(__file__).with_name("yesno.json")
WINDOW_WORDS = 85
"""Words of a window, unless one sentence has more; ``yesno.json`` was fitted on windows of so many."""
MOST_WINDOWS = 4
"""Windows of one text that are read, the last ones."""
_LITTLE = 0.01
"""Added to both sides of a ratio of probabilities: what says nothing either way leans nowhere."""
_FEW = 0.3
"""Weight of results by which a single faint one does not count as all there is."""

Logits = Mapping[str, Mapping[str, float]]
"""For ``yes`` and ``no``, against neither: the intercept and the weight of each of the readings."""


class Readings(NamedTuple):
    """What the function is of; leanings are logarithms of ratios, positive for yes.

    Short texts and reports are weighed apart: one sentence decides what a short text says, and few of a report's do.
    The first six are times the share of the texts that are short, the last three times that of the reports.
    """

    surest_yes: float
    """Log-odds of the window that says yes most surely."""
    surest_no: float
    leaning: float
    """The mean leaning of the windows, of which those count more that say more."""
    ending: float
    """The mean leaning of the last window of each text."""
    stated: float
    """1 where more of the texts have a statement of what is asked than have its denial, -1 where fewer."""
    reported: float
    """Results that report an effect against those that report none; between -1 and 1."""
    report: float
    """The share of the texts that are long enough to be reports."""
    report_leaning: float
    report_ending: float
    report_reported: float


class Weighed(NamedTuple):
    """How likely the texts come to a yes, and to a no; the rest is neither."""

    yes: float
    no: float

    @property
    def choice(self) -> str:
        """What of the two is likelier."""
        return "yes" if self.yes >= self.no else "no"

    @property
    def likeliest(self) -> str:
        """What of the three is likeliest: ``maybe`` where the texts come to neither rather than to either."""
        return self.choice if self.chance(self.choice) >= self.chance("maybe") else "maybe"

    def chance(self, choice: str) -> float:
        """How likely a choice is right; ``maybe`` is neither."""
        return {"yes": self.yes, "no": self.no}.get(choice, max(0.0, 1.0 - self.yes - self.no))


def readings_of(
    asked: str, evidence: Sequence[Evidence], findings: Sequence[Finding], found: tuple[float, float], learned: Learned
) -> Readings:
    """What is read in texts on a question.

    Args:
        asked: the question.
        evidence: the texts; at least one has words.
        findings: what single statements of them say on it.
        found: the weight of the results that report an effect, and of those that report none.
        learned: the reader that has learned.
    """
    cut = [(piece.title, ending_windows(piece.text)) for piece in evidence if piece.text.strip()]
    read = iter(learned([(asked, window, title) for title, own in cut for window in own]))
    texts = [[next(read) for _ in own] for _, own in cut]
    windows = [one for text in texts for one in text]
    says = [one.supported + one.contradicted for one in windows]
    leaning = sum(weight * _leaning(one) for weight, one in zip(says, windows, strict=True)) / max(sum(says), _LITTLE)
    ending = sum(_leaning(text[-1]) for text in texts) / len(texts)
    stated = sum(f.stand.supports - f.stand.contradicts for f in findings)
    effect, none = found
    reported = (effect - none) / (effect + none + _FEW)
    report = sum(f.long for f in findings) / max(len(findings), 1)
    short = 1.0 - report
    return Readings(
        surest_yes=short * log_odds(max(one.supported for one in windows)),
        surest_no=short * log_odds(max(one.contradicted for one in windows)),
        leaning=short * leaning,
        ending=short * ending,
        stated=short * ((stated > 0) - (stated < 0)),
        reported=short * reported,
        report=report,
        report_leaning=report * leaning,
        report_ending=report * ending,
        report_reported=report * reported,
    )


def weigh(known: Readings, fitted: Logits | None = None) -> Weighed:
    """The two probabilities that the function gives."""
    logits = fitted or _fitted()
    odds = [
        logits[choice]["intercept"]
        + sum(logits[choice][name] * value for name, value in zip(Readings._fields, known, strict=True))
        for choice in ("yes", "no")
    ]
    return Weighed(*probabilities(odds))


def ending_windows(text: str) -> list[str]:
    """The last windows of a text: whole sentences, together as many words as a window has."""
    found: list[str] = []
    size = WINDOW_WORDS
    for sentence in reversed([" ".join(part.text.split()) for part in sentences(text) if part.text.strip()]):
        words = sentence.count(" ") + 1
        if size + words > WINDOW_WORDS:
            found.append(sentence)
            size = words
        else:
            found[-1] = f"{sentence} {found[-1]}"
            size += words
    return found[MOST_WINDOWS - 1 :: -1]


def _leaning(one: Entailed) -> float:
    return math.log((one.supported + _LITTLE) / (one.contradicted + _LITTLE))


@cache
def _fitted() -> Logits:
    fitted: Logits = json.loads(FILE.read_text(encoding="utf-8"))["logits"]
    return fitted
