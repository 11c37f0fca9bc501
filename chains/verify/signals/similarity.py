"""Whether claim and evidence mean the same, by their embeddings."""

from __future__ import annotations

from chains.verify.comparison import Comparison
from chains.verify.signals.antonyms import lexicon
from core.text import Span, words

_NEGATIONS = frozenset({"not", "no", "never", "cannot"})
_AUXILIARIES = frozenset("is are was were does do did can may might could should will would has have had must".split())


def similarity(comparison: Comparison) -> float | None:
    """Cosine of the embeddings of claim and window; None where none was made."""
    return comparison.similarity


def counter_margin(comparison: Comparison) -> float | None:
    """How much nearer the window is to the claim than to the claim turned into its opposite.

    Sentence embedders barely hear a single negation, but of two sentences that differ in nothing else the true one
    tends to come nearer. None where no embedding was made.
    """
    if comparison.similarity is None or comparison.counter_similarity is None:
        return None
    return comparison.similarity - comparison.counter_similarity


def counter_claim(text: str) -> str:
    """The opposite of a statement: its first word that has a ready opposite swapped, otherwise its negation."""
    found = words(text)
    opposites = lexicon().swaps
    for span in found:
        other = opposites.get(span.text.lower())
        if other:
            return text[: span.start] + other + text[span.end :]
    return _negated(text, found)


def _negated(text: str, found: list[Span]) -> str:
    for span in found:
        if span.text.lower() in _NEGATIONS:
            kept = "can" if span.text.lower() == "cannot" else ""
            return " ".join((text[: span.start] + kept + text[span.end :]).split())
    for span in found:
        if span.text.lower() in _AUXILIARIES:
            return f"{text[: span.end]} not{text[span.end :]}"
    return f"It is not true that {text}"
