"""Worked examples for prompts: those that ship, and those that the user imported, with their embeddings."""

from __future__ import annotations

from tools.exemplars.bank import ExemplarBank
from tools.exemplars.values import REFUSED_SHOWN, ImportReport, Instances, Refused, embedded_text

__all__ = ["REFUSED_SHOWN", "ExemplarBank", "ImportReport", "Instances", "Refused", "embedded_text"]
