"""Whether a mention is negated: cues to its left within the sentence, in the manner of NegEx.

Chapman et al., A simple algorithm for identifying negated findings and diseases in discharge summaries, 2001.
"""

from __future__ import annotations

from collections.abc import Sequence

SCOPE_WORDS = 6

_CUE_WORDS = """no not without never neither nor denies denied deny denying lacks lacked lacking cannot none absent free
    negative excluded excludes"""
_CUES = frozenset(_CUE_WORDS.split())
_WITH_NEXT = {"free": {"of", "from"}, "negative": {"for"}, "absent": set[str]()}
_PHRASES = frozenset(
    [("absence", "of"), ("lack", "of"), ("ruled", "out"), ("rules", "out"), ("rule", "out"), ("instead", "of")]
)
_AFFIRMED_AFTER = {
    "not": {"only", "just", "necessarily", "always"},
    "no": {"doubt", "longer"},
    "without": {"doubt", "question"},
}
_END_WORDS = "but however although though except besides yet because since which who whose that if then"
_ENDS = frozenset(_END_WORDS.split())


def is_negated(before: Sequence[str]) -> bool:
    """Tell from the small-letter words before a mention, in order, within its sentence."""
    window = list(before[-SCOPE_WORDS:])
    ends = [n for n, word in enumerate(window) if word in _ENDS]
    scope = window[ends[-1] + 1 :] if ends else window
    return any(_is_cue(word, scope[n + 1] if n + 1 < len(scope) else "") for n, word in enumerate(scope))


def _is_cue(word: str, following: str) -> bool:
    if (word, following) in _PHRASES:
        return True
    if word in _WITH_NEXT:
        return following in _WITH_NEXT[word]
    if following in _AFFIRMED_AFTER.get(word, ()):
        return False
    return word in _CUES or word.endswith(("n't", "n\u2019t"))
