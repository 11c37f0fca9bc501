"""How good answers are: one way to score a record, whatever answered it."""

from __future__ import annotations

from eval.metrics.alone import ALONE
from eval.metrics.metric import Metric
from eval.metrics.record import Cited, Scored
from eval.metrics.registry import METRICS, instrument, notices, score
from eval.metrics.scorers import Scorers

__all__ = ["ALONE", "METRICS", "Cited", "Metric", "Scored", "Scorers", "instrument", "notices", "score"]
