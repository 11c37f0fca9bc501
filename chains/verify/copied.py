"""A claim that stands word for word in a piece of evidence, as a whole sentence or a main clause of one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from chains.verify.comparison import Comparison
from chains.verify.entailment import Probabilities
from chains.verify.finding import Finding
from chains.verify.passage import Passage, Window
from chains.verify.signals import measure
from chains.verify.statements.near import Run, asserted, near_runs, words_in, words_of
from chains.verify.statements.stand import COPIED
from chains.verify.wording import wording
from core.language.notes import disowns
from core.language.statement import Reading
from core.rarity import Rarity
from core.schema import Claim, Evidence
from core.text import words

VERBATIM = Probabilities(0.99, 0.002)
"""What a copy of the evidence is given: only a damaged or misread text could make it false."""
_VERBATIM_WORDS = 3
_RESERVED = frozenset(
    "only but except unless if though although however whereas not no never nor without fails mice rats animals vitro "
    "myth false untrue wrong believed believe believes thought claimed claim claims said say says alleged according "
    "supposedly reportedly allegedly once formerly unproven doubt doubtful unclear whether than instead rather "
    "retracted hypothesis hypothesised hypothesized may might could possibly perhaps when until".split()
)
"""Words after which what a sentence began with may not stand."""
_ITEM = re.compile(r"\s*(?:[-*•\u2013]|\d+[.)])\s")


@dataclass(frozen=True, eq=False)
class Asked:
    """A claim as read, how many sentences of evidence there are to look at, and whether they are one report, cut up."""

    claim: Claim
    reading: Reading
    looked_at: int
    cut_up: bool = False


def copied(asked: Asked, evidence: Evidence, passage: Passage, rarity: Rarity) -> Finding | None:
    """The finding of evidence in which the claim stands word for word, as a whole sentence or a main clause of one.

    What is believed, asked, supposed or taken back there is no copy.
    """
    said = _flat(asked.claim.text)
    if said.count(" ") < _VERBATIM_WORDS - 1 or f" {said} " not in f" {_flat(evidence.text)} ":
        return None
    for windows in _holding(passage, said):
        runs = near_runs(passage, windows, evidence.title)
        # Items go with what introduces them.
        if _ITEM.match(windows[0].text) and disowns(_head(passage, windows[0])):
            continue
        told = [windows[0], *(window for window in windows[1:] if not _ITEM.match(window.text))]
        if all(_asserts(window, runs, said) for window in told):
            window, claim = passage.stretch(windows), asked.claim
            comparison = Comparison(
                wording(claim.text), window, passage, rarity, claim.subject, claim.object,
                claim_words=words_in(asked.reading), window_words=words_of(window, runs), stand=COPIED,
                looked_at=asked.looked_at,
            )  # fmt: skip
            return Finding(evidence, window, measure(comparison), VERBATIM, COPIED, verbatim=True)
    return None


def opens(claim: str, sentence: str) -> bool:
    """Whether a sentence begins with the claim, word for word, and goes on without taking it back."""
    said, told = _flat(claim), _flat(sentence)
    if said.count(" ") < _VERBATIM_WORDS - 1 or not told.startswith(f"{said} "):
        return False
    return _RESERVED.isdisjoint(told[len(said) :].split())


def _holding(passage: Passage, said: str) -> Iterator[tuple[Window, ...]]:
    """The sentences in which a claim stands: one that has it, or neighbours that together are it, as of a list."""
    single = passage.sentences
    for place, window in enumerate(single):
        text = _flat(window.text)
        if f" {said} " in f" {text} ":
            yield (window,)
        for end in range(place + 1, len(single)):
            if not said.startswith(f"{text} "):
                break
            text = f"{text} {_flat(single[end].text)}"
            if text == said:
                yield single[place : end + 1]


def _head(passage: Passage, item: Window) -> str:
    """The sentence that introduces an item; empty where none does."""
    before = [window for window in passage.sentences if window.start < item.start and not _ITEM.match(window.text)]
    return before[-1].text if before else ""


def _asserts(window: Window, runs: Sequence[Run], said: str) -> bool:
    """Whether a sentence asserts a claim that stands in it, or its own part of one."""
    own = _flat(window.text)
    wanted = said if f" {said} " in f" {own} " else own
    return any(wanted == _flat(text) for text in asserted(window, runs))


@lru_cache(maxsize=16_384)
def _flat(text: str) -> str:
    """The words of a text in lower case, without what stands between them."""
    return " ".join(span.text.lower() for span in words(text))
