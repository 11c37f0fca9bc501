"""Worked examples for prompts: those that ship, and those that the user imported, with their embeddings."""

from __future__ import annotations

from tools.exemplars.bank import ExemplarBank
from tools.exemplars.values import ImportReport, Instances, Refused, embedded_text

__all__ = ["ExemplarBank", "ImportReport", "Instances", "Refused", "embedded_text"]
