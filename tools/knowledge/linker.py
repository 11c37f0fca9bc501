"""Text to mentions of concepts: the longest match over normalised tokens, left to right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.schema import Mention
from core.text import Span, sentences, words
from tools.knowledge.names import EXACT_CASE
from tools.knowledge.negation import is_negated
from tools.knowledge.store import KnowledgeStore
from tools.knowledge.tokens import Token, tokens

_KIND_ORDER = ("preferred", "exact", "layperson", "spelling", "plural", "derived", "abbreviation")
_SEPARATORS = frozenset(";:|•")
_PLURALS = frozenset(map(frozenset, [("", "s"), ("", "es"), ("y", "ies"), ("i", "e"), ("", "")]))
_CUE_CHARS = 200
STEM_SCORE = 0.95


class _Match(NamedTuple):
    concept: int
    name: str
    tokens: int
    score: float


class Linker:
    """An index of all linkable names of a store, in memory; safe to use from any thread.

    A name matches by the stems of its tokens in their order, so plural and possessive forms match too; abbreviations
    match only as they are written. Of several concepts with one name, the one that prefers it wins.
    """

    def __init__(self, store: KnowledgeStore) -> None:
        """Read the names of a store into memory."""
        self._store = store
        self._folded: dict[str, list[tuple[int, str]]] = {}
        self._exact: dict[str, tuple[int, str]] = {}
        self._reach: dict[str, int] = {}
        order = {kind: n for n, kind in enumerate(_KIND_ORDER)}
        ambiguous: set[str] = set()
        for name, normal, _, mode, key in sorted(store.linkable_names(), key=lambda row: (order[row[2]], row[4])):
            if mode == EXACT_CASE:
                written = " ".join(token.text for token in tokens(name))
                if self._exact.setdefault(written, (key, name))[0] != key:
                    ambiguous.add(written)
            else:
                written = normal
                self._folded.setdefault(normal, []).append((key, name))
            first, _, rest = written.partition(" ")
            length = rest.count(" ") + 2 if rest else 1
            self._reach[first] = max(self._reach.get(first, 0), length)
        for written in ambiguous:
            del self._exact[written]

    def link(self, text: str) -> tuple[Mention, ...]:
        """Find the concepts that a text mentions: in order, none overlapping, never across two sentences.

        ``score`` is 1 for a name as written, less where only its stems match.
        """
        mentions: list[Mention] = []
        for sentence in sentences(text):
            found = tokens(sentence.text)
            place = 0
            while place < len(found):
                match = self._longest(sentence.text, found, place)
                if match is None:
                    place += 1
                    continue
                mentions.append(self._mention(sentence, found[place : place + match.tokens], match))
                place += match.tokens
        return tuple(mentions)

    def _longest(self, text: str, found: list[Token], place: int) -> _Match | None:
        first = found[place]
        reach = max(self._reach.get(first.normal, 0), self._reach.get(first.text, 0))
        for length in range(min(reach, len(found) - place), 0, -1):
            run = found[place : place + length]
            hit = self._exact.get(" ".join([token.text for token in run]))
            if hit is not None:
                match: _Match | None = _Match(*hit, length, 1.0)
            else:
                match = _best(self._folded.get(" ".join([token.normal for token in run]), ()), run)
            if match is not None and _SEPARATORS.isdisjoint(text[first.start : run[-1].end]):
                return match
        return None

    def _mention(self, sentence: Span, run: list[Token], match: _Match) -> Mention:
        start, end = run[0].start, run[-1].end
        # A text may be one endless sentence: only as much is read back as the scope of a cue can need.
        before = [word.text.lower() for word in words(sentence.text[max(0, start - _CUE_CHARS) : start])]
        return Mention(
            concept=self._store.by_number(match.concept).concept,
            start=sentence.start + start,
            end=sentence.start + end,
            text=sentence.text[start:end],
            score=match.score,
            negated=is_negated(before),
        )


def _best(candidates: Sequence[tuple[int, str]], run: Sequence[Token]) -> _Match | None:
    """Choose the name that is written alike, otherwise the first whose words are forms of the same words."""
    written = [token.text.lower() for token in run]
    chosen: _Match | None = None
    for concept, name in candidates:
        named = [token.text.lower() for token in tokens(name)]
        if named == written:
            return _Match(concept, name, len(run), 1.0)
        if chosen is None and (same_word(named[0], written[0]) if len(run) == 1 else _same_words(named, written)):
            chosen = _Match(concept, name, len(run), STEM_SCORE)
    return chosen


def same_word(a: str, b: str) -> bool:
    """Tell whether two words with one stem are singular and plural of one word.

    A single word is told from its neighbours by no more than its ending: "sinus" is no sinusitis, "into" no intoeing.
    """
    shared = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return frozenset((a[shared:], b[shared:])) in _PLURALS


def _same_words(named: Sequence[str], written: Sequence[str]) -> bool:
    return all(a.endswith("itis") == b.endswith("itis") for a, b in zip(named, written, strict=True))
