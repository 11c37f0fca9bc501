"""Words written with one letter too many, too few, other or swapped: found through what is left when a letter goes.

Two words one letter apart share a form with one letter less (SymSpell; Garbe 2012). Forms are polynomial hashes, made
for all words and places at once. A correction that would flip a meaning is none: the two words differ in a prefix or
an ending that tells opposites apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

SHORTEST, LONGEST = 5, 24
_BASE = 0x9E3779B97F4A7C15
_INVERSE = pow(_BASE, -1, 1 << 64)
_OPPOSED = (
    ("hyper", "hypo"), ("inter", "intra"), ("ab", "ad"), ("macro", "micro"), ("pre", "pro"), ("anti", "ante"),
    ("supra", "sub"), ("endo", "exo"), ("afferent", "efferent"), ("perineal", "peroneal"), ("ileum", "ilium"),
    ("ileal", "ilial"), ("mal", "mel"), ("epi", "api"),
)  # fmt: skip
_NEGATING = ("a", "an", "un", "in", "im", "ir", "non", "dis", "de")
_OPPOSED_ENDINGS = (("otomy", "ostomy"), ("ectomy", "otomy"), ("itis", "osis"), ("uria", "emia"), ("gram", "graph"))

Numbers = NDArray[np.uint64]
Arrays = Mapping[str, NDArray[np.generic]]


def spelling_arrays(words: Iterable[str]) -> dict[str, NDArray[np.generic]]:
    """Return the words to correct to, and the hashes of their forms with the words' places."""
    chosen = sorted(word for word in words if SHORTEST <= len(word) <= LONGEST)
    table = np.array(chosen, dtype=f"S{LONGEST}")
    hashes, places = _forms(table)
    order = np.argsort(hashes, kind="stable")
    return {"spelling_word": table, "spelling_form": hashes[order], "spelling_place": places[order]}


class Spelling:
    """Corrects words to those of a vocabulary; its arrays are read when the first word needs it."""

    def __init__(self, arrays: Callable[[str], NDArray[np.generic]]) -> None:
        """Read the arrays that ``spelling_arrays`` made through this function."""
        self._read = arrays

    def corrections(self, words: Sequence[str]) -> dict[str, str]:
        """Return the one word of the vocabulary that each is a misspelling of, where there is exactly one."""
        return {word: next(iter(near)) for word, near in self.near(words).items() if len(near) == 1}

    def near(self, words: Sequence[str]) -> dict[str, set[str]]:
        """Return the words of the vocabulary that each may be a misspelling of, where there are any."""
        asked = [w for w in dict.fromkeys(words) if SHORTEST <= len(w) <= LONGEST and w.isascii() and w.isalpha()]
        if not asked:
            return {}
        hashes, places = _forms(np.array(asked, dtype=f"S{LONGEST}"))
        low = np.searchsorted(self._form, hashes, "left")
        high = np.searchsorted(self._form, hashes, "right")
        found: dict[str, set[str]] = {}
        for n in np.flatnonzero(high > low).tolist():
            word = asked[places[n]]
            for place in self._place[low[n] : high[n]].tolist():
                known = self._word[place].decode()
                if one_edit(word, known) and not opposed(word, known):
                    found.setdefault(word, set()).add(known)
        return found

    def knows(self, word: str) -> bool:
        """Tell whether a word in lower case is one of the vocabulary's."""
        at = int(np.searchsorted(self._word, word.encode()))
        return at < len(self._word) and bool(self._word[at] == word.encode())

    @cached_property
    def _form(self) -> Numbers:
        return self._read("spelling_form").astype(np.uint64, copy=False)

    @cached_property
    def _place(self) -> NDArray[np.uint32]:
        return self._read("spelling_place").astype(np.uint32, copy=False)

    @cached_property
    def _word(self) -> NDArray[np.bytes_]:
        return self._read("spelling_word").astype(f"S{LONGEST}", copy=False)


def one_edit(a: str, b: str) -> bool:
    """Tell whether one letter inserted, dropped, replaced, or swapped with the next makes one word of the other."""
    if a == b or abs(len(a) - len(b)) > 1:
        return False
    start = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    if len(a) == len(b):
        swapped = a[start : start + 2] == b[start : start + 2][::-1]
        return a[start + 1 :] == b[start + 1 :] or (swapped and a[start + 2 :] == b[start + 2 :])
    longer, shorter = (a, b) if len(a) > len(b) else (b, a)
    return longer[start + 1 :] == shorter[start:]


def opposed(a: str, b: str) -> bool:
    """Tell whether two words a letter apart may mean opposite or different things."""
    if any({a.removeprefix(p) for p in _NEGATING if a.startswith(p)} & {b} for a, b in ((a, b), (b, a))):
        return True
    for x, y in _OPPOSED:
        if (x in a and a.replace(x, y, 1) == b) or (y in a and a.replace(y, x, 1) == b):
            return True
    return any({x, y} == {_ending(a, x, y), _ending(b, x, y)} for x, y in _OPPOSED_ENDINGS)


def _ending(word: str, *endings: str) -> str:
    return next((ending for ending in endings if word.endswith(ending)), "")


def _forms(table: NDArray[np.bytes_]) -> tuple[Numbers, NDArray[np.uint32]]:
    """Hashes of words and of what is left of each without one of its letters, with the words' places."""
    if not len(table):
        return np.zeros(0, np.uint64), np.zeros(0, np.uint32)
    letters = table.view(np.uint8).reshape(len(table), LONGEST).astype(np.uint64)
    powers = np.array([pow(_BASE, n, 1 << 64) for n in range(LONGEST)], np.uint64)
    prefix = np.zeros((len(table), LONGEST + 1), np.uint64)
    np.cumsum(letters * powers, axis=1, out=prefix[:, 1:])
    whole = prefix[:, -1:]
    without = prefix[:, :-1] + (whole - prefix[:, 1:]) * np.uint64(_INVERSE)
    inside = letters > 0
    hashes = np.concatenate([whole[:, 0], without[inside]])
    rows = np.nonzero(inside)[0]
    return hashes, np.concatenate([np.arange(len(table)), rows]).astype(np.uint32)
