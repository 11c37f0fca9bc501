"""How good answers are: one way to score a record, whatever answered it."""

from __future__ import annotations

from eval.metrics.metric import Metric
from eval.metrics.record import Cited, Scored
from eval.metrics.registry import METRICS, notices, score
from eval.metrics.scorers import Scorers

__all__ = ["METRICS", "Cited", "Metric", "Scored", "Scorers", "notices", "score"]
