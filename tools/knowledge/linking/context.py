"""What is said of a mention: that it is not there, or that it is a relative's.

Chapman et al., A simple algorithm for identifying negated findings and diseases in discharge summaries, 2001 (NegEx);
Harkema et al., ConText, 2009.
"""

from __future__ import annotations

from collections.abc import Sequence

SCOPE_WORDS = 6
AFTER_WORDS = 5
FAMILY_WORDS = 8

_CUE_WORDS = """no not without never neither nor denies denied deny denying lacks lacked lacking cannot none absent free
    negative excluded excludes"""
_CUES = frozenset(_CUE_WORDS.split())
_WITH_NEXT = {"free": {"of", "from"}, "negative": {"for"}, "absent": set[str]()}
_PHRASES = frozenset(
    [("absence", "of"), ("lack", "of"), ("ruled", "out"), ("rules", "out"), ("rule", "out"), ("instead", "of")]
)
_AFFIRMED_AFTER = {
    "not": {"only", "just", "necessarily", "always", "ruled", "excluded"},
    "no": {"doubt", "longer", "change"},
    "without": {"doubt", "question"},
}
_END_WORDS = "but however although though except besides yet because since which who whose that if then"
_ENDS = frozenset(_END_WORDS.split())
_BE = frozenset(("is", "was", "were", "are", "been", "being"))
_AFTER = frozenset(("absent", "excluded", "unlikely", "negative"))
_RELATIVES = frozenset(
    """mother father parent parents brother brothers sister sisters sibling siblings son sons daughter daughters uncle
    aunt cousin cousins grandmother grandfather grandparents grandparent relative relatives maternal paternal family
    """.split()
)
_FAMILY_HISTORY = frozenset(("family", "maternal", "paternal"))


CUE_WORDS = _CUES | _RELATIVES | _AFTER | {first for first, _ in _PHRASES} | {"t"}
"""A sentence without any of these, in small letters, qualifies nothing; the t is that of "isn't"."""


def is_negated(before: Sequence[str], after: Sequence[str] = ()) -> bool:
    """Tell from the small-letter words before and after a mention, in order, within its sentence."""
    scope = _after_end(before[-SCOPE_WORDS:])
    if any(_is_cue(word, scope[n + 1] if n + 1 < len(scope) else "") for n, word in enumerate(scope)):
        return True
    return _denied_after(after[:AFTER_WORDS])


def is_of_family(before: Sequence[str]) -> bool:
    """Tell whether the words before a mention make it a relative's: "family history of", "her mother had"."""
    scope = _after_end(before[-FAMILY_WORDS:])
    for n, word in enumerate(scope):
        following = scope[n + 1] if n + 1 < len(scope) else ""
        if word in _FAMILY_HISTORY:
            if following == "history":
                return True
        elif word in _RELATIVES and following != "to":
            return True
    return False


def _after_end(words: Sequence[str]) -> list[str]:
    ends = [n for n, word in enumerate(words) if word in _ENDS]
    return list(words[ends[-1] + 1 :] if ends else words)


def _denied_after(after: Sequence[str]) -> bool:
    """Whether the words after a mention deny it: "was ruled out", "is absent", "are unlikely"."""
    for n, word in enumerate(after):
        if word in _ENDS:
            return False
        if word in _BE or word in ("has", "have"):
            rest = list(after[n + 1 : n + 4])
            rest = [w for w in rest if w not in _BE]
            return rest[:1] != [] and (rest[0] in _AFTER or rest[:2] == ["ruled", "out"])
    return False


def _is_cue(word: str, following: str) -> bool:
    if (word, following) in _PHRASES:
        return True
    if word in _WITH_NEXT:
        return following in _WITH_NEXT[word]
    if following in _AFFIRMED_AFTER.get(word, ()):
        return False
    return word in _CUES or word.endswith(("n't", "n\u2019t"))
