"""What the results of a report come to on a question that no single statement of it answers.

An abstract tells what was done, then what was found, seldom in the words of its question. Each sentence of its later
part that shares words with the question speaks for an effect or reports none; it weighs by what it shares.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from chains.verify.report import REPORT
from chains.verify.signals.containment import share
from chains.verify.statements.leaning import leaning
from chains.verify.statements.vocabulary import Shortened, Vocabulary
from core.language.statement import Reading, RelationKind, Sentence, Statement
from core.rarity import Rarity
from core.text import content_terms

_LATER = 0.4
_EFFECTS = frozenset[RelationKind](
    {"cause", "prevent", "treat", "worsen", "raise", "lower", "associate", "diagnose", "require"}
)
_LEAST_JOINED = 0.5


class Result(NamedTuple):
    """A sentence that reports an effect (``found`` true) or none, with the share of the question that it has."""

    found: bool
    weight: float
    sentence: Sentence


def results(
    asked: Reading,
    claimed: Sequence[Statement],
    report: Reading,
    rarity: Rarity,
    vocabulary: Vocabulary,
    shortened: Shortened,
) -> list[Result]:
    """The results of a report on what is asked, heaviest first; none where it is too short to be one."""
    sentences = report.sentences
    if len(sentences) < REPORT:
        return []
    stems = frozenset(content_terms(asked.text))
    found: list[Result] = []
    for sentence in sentences[int(len(sentences) * _LATER) :]:
        here = frozenset(content_terms(sentence.text))
        weight = share(stems, rarity, lambda stem, here=here: float(stem in here)) or 0.0  # type: ignore[misc]
        told = [
            s
            for s in sentence.statements
            if s.modality not in ("asked", "hypothetical") and s.attribution != "believed"
        ]
        if not weight or not told:
            continue
        nearest = leaning(claimed, told, vocabulary, shortened, frozenset())
        sign = nearest.sign if nearest.joined >= _LEAST_JOINED else 0
        if sign < 0 or (sign == 0 and any(s.negated and s.main for s in told)):
            found.append(Result(False, weight, sentence))
        elif sign > 0 or any((s.kind in _EFFECTS or s.direction) and not s.negated for s in told):
            found.append(Result(True, weight, sentence))
    return sorted(found, key=lambda result: -result.weight)
