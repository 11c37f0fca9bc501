"""What small words weigh when two statements are compared: how often, of whom in general, and nouns that only carry.

Three short lists, by stem, that no parse can give.
"""

from __future__ import annotations

from core.text import stem


def _stems(words: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words.split())


CARRIERS = _stems(
    """use usage intake consumption administration dose supplement supplementation tablet pill capsule
    injection exposure risk chance likelihood odds probability rate level amount number
    concentration quantity incidence prevalence frequency occurrence onset development formation severity degree
    duration extent presence case episode attack symptom sign effect evidence factor cause kind type form sort variety
    people person patient individual human someone anyone everyone somebody anybody body condition disease disorder
    illness infection syndrome problem agent thing way part group member it them they this that these those which
    course build-up build cluster
    bout range series lot lump action activity consequence result reason complication process state status history
    loss"""
)
"""Nouns that say how something is met rather than what it is: the use of aspirin is aspirin."""

REMEDIES = _stems("therapy treatment medicine medication drug vaccine vaccination prevention")
"""The same of what is given; but the treatment of malaria is not malaria."""

EVERYONE = _stems(
    """people person patient individual human adult someone anyone everyone subject participant volunteer population
    man woman case sufferer public you we men women"""
)
"""Whom a statement is about anyway."""
SEXES = (_stems("man men male boy"), _stems("woman women female girl"))
"""Of these a statement about everyone may hold, and one about the others does not."""

_OFTEN: dict[str, int] = {
    **dict.fromkeys("no none never".split(), 0),
    **dict.fromkeys("rarely seldom hardly scarcely infrequently uncommonly few".split(), 1),
    **dict.fromkeys("occasionally sometimes some minority several partly".split(), 2),
    **dict.fromkeys("often frequently commonly many half".split(), 3),
    **dict.fromkeys(
        "nearly almost usually typically generally mostly most majority mainly primarily largely normally".split(), 4
    ),
    **dict.fromkeys("always all every each both only entirely invariably".split(), 5),
}
USUAL = 3
"""How often what is stated without such a word is at least the case."""


def how_often(word: str) -> int | None:
    """From 0, never, to 5, always; None where the word says nothing of it."""
    return _OFTEN.get(word.lower())
