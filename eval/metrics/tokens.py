"""Words of a text as metrics count them, in any language.

English is read as rouge-score reads it, so that figures compare with published ones. Elsewhere a word is a run of
letters and digits of any script with their marks, so that an elided article ("l'insulina") stands by itself; scripts
that put no space between words are read character by character, as sacrebleu does.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

_ENGLISH = re.compile("[a-z0-9]+")
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Thai, Lao, Burmese, Khmer, kana and Han."""


def words(text: str, language: str) -> list[str]:
    """Words in lower case, as ROUGE counts them."""
    if language == "en":
        return _ENGLISH.findall(text.lower())
    return [word.lower() for word in surface(text)]


def surface(text: str) -> list[str]:
    """Words as they are written, of any language."""
    if text.isascii():
        return _ascii().findall(text)
    return _word().findall(unicodedata.normalize("NFC", text))


@cache
def _ascii() -> re.Pattern[str]:
    return re.compile("[A-Za-z0-9]+")


@cache
def _word() -> re.Pattern[str]:
    everywhere = map(chr, range(0x300, 0x11000))
    marks = "".join(
        c for c in everywhere if unicodedata.category(c).startswith("M") and not re.match(f"[{_UNSPACED}]", c)
    )
    return re.compile(rf"[{_UNSPACED}]|(?:[^\W_{_UNSPACED}][{marks}]*)+")
