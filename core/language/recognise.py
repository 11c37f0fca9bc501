"""Which language a text is in, by py3langid; a few terms alone, which belong to every language, count as English."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

_LANGUAGES = """en de fr es it pt nl sv da no pl cs sk ru uk bg el tr ar fa he zh ja ko hi bn ta th vi id fi hu ro hr
    ka hy""".split()
_ENGLISH = frozenset(
    """the what how does which why with should this there these their your would could could've who's what's isn't
    doesn't treatment disease causes caused symptoms have been being about between after while because""".split()
)
_STARTS = frozenset("is are can do did has have will".split())
"""Words that begin English questions, and stand in other languages too."""
_ASKERS = frozenset("i it my you we".split())
"""What follows such a word, or "am", in English questions and hardly ever elsewhere: "Am I contagious?"."""
_BEFORE_ASKERS = _STARTS | {"am"}
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
_SURE, _SHORT_SURE, _NOT_ENGLISH = 0.5, 0.85, 0.25
_SHORT = 2
_READ = 2000
_LOCK = threading.Lock()


@lru_cache(maxsize=1024)
def language_of(text: str) -> str:
    """ISO 639-1 code of the language; terms alone, and what cannot be told, count as English."""
    text = text[:_READ]
    words = _WORD.findall(text.lower())
    letters = sum(len(word) for word in words)
    if not letters:
        return "en"
    if len(_LATIN.findall(text)) * 2 < letters:
        return _ranked(text)[0][0]
    foreign_letters = any(ord(c) > 127 and c.isalpha() for c in text)
    if not foreign_letters and (_ENGLISH & set(words) or _asks(words)):
        return "en"  # most questions; the recogniser need not be loaded for them
    ranked = _ranked(text)
    best, sure = ranked[0]
    english = dict(ranked).get("en", 0.0)
    likely_english = len(words) <= _SHORT or words[0] in _STARTS
    least = _SHORT_SURE if likely_english and not foreign_letters else _SURE
    return best if sure >= least and english < _NOT_ENGLISH else "en"


def _asks(words: Sequence[str]) -> bool:
    return len(words) > 1 and words[0] in _BEFORE_ASKERS and words[1] in _ASKERS


def _ranked(text: str) -> list[tuple[str, float]]:
    with _LOCK:
        return [(str(code), float(sure)) for code, sure in _identifier().rank(text)]


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    found = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    found.set_languages(_LANGUAGES)
    return found
