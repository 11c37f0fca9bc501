"""Whether a passage tells what is asked: a naive Bayes reading of its words, and what its title announces.

``aspect_words.json`` gives for each aspect the words that betray it with their log-likelihood ratios, and one scale and
one bias an aspect that turn sums of them into probabilities (Platt's scaling over several classes). They are fitted on
MedQuAD, CC BY 4.0, by ``eval/experiments/relevance_fit.py``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from chains.lexicon import aspects
from chains.relevance.subject import Passage

_FILE = Path(__file__).with_name("aspect_words.json")
_FLOOR = 0.02
_PLAINEST = 5
_UNTAUGHT_TOLD, _UNTAUGHT_SILENT = 0.7, 0.1
_KIN = (
    {"causes", "genetic changes", "inheritance"},
    {"causes", "risk factors"},
    {"care", "treatment"},
    {"care", "prevention"},
    {"outlook", "complications", "stages"},
    {"definition", "symptoms"},
)


@dataclass(frozen=True)
class AspectReader:
    """Probabilities of aspects by a passage's stems; ``plainest`` are the words that betray each most plainly."""

    scale: float
    biases: Mapping[str, float]
    words: Mapping[str, Mapping[str, float]]
    plainest: Mapping[str, frozenset[str]]

    def probabilities(self, stems: Sequence[str]) -> dict[str, float]:
        """Probability of each taught aspect; together they make 1."""
        sums = dict.fromkeys(self.biases, 0.0)
        for stem in set(stems):
            for aspect, ratio in self.words.get(stem, {}).items():
                sums[aspect] += ratio
        logits = {aspect: self.scale * total + self.biases[aspect] for aspect, total in sums.items()}
        top = max(logits.values())
        powers = {aspect: math.exp(logit - top) for aspect, logit in logits.items()}
        whole = sum(powers.values())
        return {aspect: power / whole for aspect, power in powers.items()}


@lru_cache(maxsize=1)
def aspect_reader() -> AspectReader:
    """The committed reader."""
    return reader_from(json.loads(_FILE.read_text(encoding="utf-8")))


def reader_from(data: Mapping[str, object]) -> AspectReader:
    """A reader from the content of ``aspect_words.json``."""
    words: dict[str, dict[str, float]] = {}
    biases: dict[str, float] = {}
    plainest: dict[str, frozenset[str]] = {}
    for aspect, entry in data["aspects"].items():  # type: ignore[attr-defined]  # JSON's own types
        biases[aspect] = entry["bias"]
        plainest[aspect] = frozenset(list(entry["words"])[:_PLAINEST])
        for stem, ratio in entry["words"].items():
            words.setdefault(stem, {})[aspect] = ratio
    return AspectReader(float(data["scale"]), biases, words, plainest)  # type: ignore[arg-type]  # JSON's own types


def told_aspect(aspect: str, passage: Passage, text: str, reader: AspectReader) -> float:
    """Probability that a passage's text tells an aspect, by its words alone."""
    if aspect in reader.biases:
        return reader.probabilities(passage.stems)[aspect]
    cue = aspects()[aspect].answer
    return _UNTAUGHT_TOLD if cue is not None and cue.search(text.lower()) else _UNTAUGHT_SILENT


def aspect_signals(
    aspect: str, passages: Sequence[Passage], told: Sequence[float], reader: AspectReader
) -> list[dict[str, float]]:
    """Signals of each retrieved passage of one document; ``told`` are the passages' probabilities."""
    plainest = reader.plainest.get(aspect, frozenset())
    mean = sum(told) / len(told)
    signals = []
    for passage, probability in zip(passages, told, strict=True):
        announced = passage.title.aspect
        signals.append(
            {
                "told": math.log(probability + _FLOOR),
                "document_told": math.log(mean + _FLOOR) - math.log(probability + _FLOOR),
                "cued": len(plainest.intersection(passage.stems)) / _PLAINEST,
                "title_same": float(announced == aspect),
                "title_other": float(bool(announced) and announced != aspect and not _kin(announced, aspect)),
            }
        )
    return signals


def _kin(one: str, other: str) -> bool:
    return any(one in group and other in group for group in _KIN)
