"""Whether an answer is the reference word for word, and how many words they share, as SQuAD counts (Rajpurkar 2016)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from eval.metrics.rouge import overlap
from eval.metrics.tokens import surface

_ARTICLES = frozenset({"a", "an", "the"})


def normal(text: str, language: str) -> list[str]:
    """Words in lower case, without punctuation, and in English without articles."""
    found = [word.casefold() for word in surface(text)]
    return [word for word in found if word not in _ARTICLES] if language == "en" else found


def exact_match(answer: str, references: Sequence[str], language: str) -> float:
    """1 where the answer is one of the references, otherwise 0."""
    said = normal(answer, language)
    return float(any(said == normal(reference, language) for reference in references))


def token_f1(answer: str, reference: str, language: str) -> float:
    """F1 of the words of both, each counted as often as both have it; 1 where neither has one."""
    said, wanted = normal(answer, language), normal(reference, language)
    if not said or not wanted:
        return float(said == wanted)
    return overlap((Counter(said) & Counter(wanted)).total(), len(said), len(wanted)).f1
