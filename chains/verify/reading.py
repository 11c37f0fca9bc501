"""A text read for verifying: its words with stems, and which of them stand under a negation or a hedge.

Negation follows the trigger-and-scope method of NegEx (Chapman et al., 2001): a trigger word negates what follows it
(and, for words such as *absent* after a verb of being, also what precedes it) up to a boundary.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from core.text import content_terms, words

_FORWARD = frozenset(
    """not no never without neither nor cannot none nobody nothing lack lacks lacked absence fail fails failed
    failure unable free denies denied excludes exclude hardly scarcely unrelated""".split()
)
_BACKWARD = frozenset("absent excluded unlikely lacking denied refuted disproved disproven false untrue myth".split())
_LISTS = frozenset("no without nor neither absence lack lacks lacked".split())
_CONTRAST = frozenset("but however although though whereas while except yet because unless despite".split())
_COPULAS = frozenset("is are was were be been being as remain remains remained seems appears".split())
_ADDITIVE = frozenset("only just merely solely simply".split())
_HEDGES = frozenset(
    """may might could possibly possible perhaps probably probable potentially potential suggest suggests suggested
    suggesting likely appear appears appeared seem seems seemed presumably unclear unknown uncertain hypothesized
    hypothesised inconclusive controversial suspected questionable speculated preliminary""".split()
)
_REACH = 12
_BOUNDARY = re.compile(r"[;:.!?()]")


class Token(NamedTuple):
    """A word of a text: in lower case, with the stems of its parts that carry content."""

    word: str
    stems: tuple[str, ...]
    negated: bool


@dataclass(frozen=True, eq=False)
class Reading:
    """A text with its tokens in order."""

    text: str
    tokens: tuple[Token, ...]

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of the words that carry content."""
        return frozenset(stem for token in self.tokens for stem in token.stems)

    @cached_property
    def polarity(self) -> dict[str, bool]:
        """For each stem whether every one of its places is negated."""
        polarity: dict[str, bool] = {}
        for token in self.tokens:
            for stem in token.stems:
                polarity[stem] = polarity.get(stem, True) and token.negated
        return polarity

    @cached_property
    def hedged(self) -> bool:
        """Whether the text says that it is not sure."""
        return any(token.word in _HEDGES for token in self.tokens)

    @cached_property
    def negated(self) -> bool:
        """Whether anything in the text is negated."""
        return any(token.negated for token in self.tokens)


@lru_cache(maxsize=16_384)
def read(text: str) -> Reading:
    """Read a sentence; equal sentences are read once a process (a bounded memory)."""
    found = [(span.start, span.end, span.text.lower().replace("’", "'")) for span in words(text)]
    names = [word for _, _, word in found]
    gaps = [text[end:start] for (_, end, _), (start, _, _) in pairwise(found)]
    bounds = [bool(_BOUNDARY.search(gap)) for gap in gaps]
    commas = ["," in gap for gap in gaps]
    negated = _negations(names, bounds, commas)
    tokens = (Token(word, tuple(content_terms(word)), negated[i]) for i, word in enumerate(names))
    return Reading(text, tuple(tokens))


def _negations(names: list[str], bounds: list[bool], commas: list[bool]) -> list[bool]:
    """For each word whether an odd number of triggers reach it; triggers do not negate themselves."""
    reached = [0] * len(names)
    for i, word in enumerate(names):
        if word in _FORWARD or word.endswith("n't"):
            if i + 1 < len(names) and names[i + 1] in _ADDITIVE:
                continue
            for j in _forward(i, names, bounds, commas):
                reached[j] += 1
        if word in _BACKWARD and any(before in _COPULAS for before in names[max(0, i - 3) : i]):
            for j in (*_backward(i, names, bounds), *_forward(i, names, bounds, commas)):
                reached[j] += 1
    return [count % 2 == 1 for count in reached]


def _forward(i: int, names: list[str], bounds: list[bool], commas: list[bool]) -> list[int]:
    scope: list[int] = []
    for j in range(i + 1, min(len(names), i + 1 + _REACH)):
        if bounds[j - 1] or names[j] in _CONTRAST or (commas[j - 1] and names[i] not in _LISTS and j > i + 1):
            break
        scope.append(j)
    return scope


def _backward(i: int, names: list[str], bounds: list[bool]) -> list[int]:
    scope: list[int] = []
    for j in range(i - 1, max(-1, i - 1 - _REACH), -1):
        if bounds[j] or names[j] in _CONTRAST:
            break
        scope.append(j)
    return scope
