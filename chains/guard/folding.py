r"""Text as its reader sees it: characters without a shape taken out, and one spelling for what looks alike.

Offsets count Unicode code points of the text as given.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property

_SHAPELESS = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
INVISIBLE = re.compile(f"[{_SHAPELESS}]+")
"""Zero width, direction marks, fillers, soft hyphens, variation selectors, tag characters."""
UNREADABLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ue000-\uf8ff\U000f0000-\U0010ffff]")
"""Control and private characters: a broken font's sign may be the unit of a dose, so they leave a mark."""
LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")

_LOOKALIKES = str.maketrans("аеорсухіјѕԁһкмтвнгαορνικτυ", "aeopcyxijsdhkmtbhraopviktu")
_MIXED = re.compile(r"[a-z]+[\u0370-\u052f]\w*|[\u0370-\u052f]+[a-z]\w*")


class _Plain(dict[int, str]):
    """Every character as the cues spell it: none, one or, of a ligature, several; of a tag, the letter it smuggles."""

    def __missing__(self, code: int) -> str:
        self[code] = plain = _plain(chr(code))
        return plain


_PLAIN = _Plain()


class Folded:
    """A text in lower case and one spelling, and where its characters stand in the given one."""

    def __init__(self, text: str) -> None:
        """Resolve compatibility forms and accents, drop shapeless characters, write a word in one alphabet."""
        self._given = text
        plain = text.lower() if text.isascii() else text.translate(_PLAIN)
        self.text = plain if plain.isascii() else _MIXED.sub(lambda m: m.group().translate(_LOOKALIKES), plain)

    @cached_property
    def _places(self) -> Sequence[int]:
        if self._given.isascii():
            return range(len(self._given) + 1)
        return [*(place for place, char in enumerate(self._given) for _ in _PLAIN[ord(char)]), len(self._given)]

    def place(self, offset: int) -> int:
        """Where a character of the folded text stands in the given one."""
        return self._places[offset]

    def offset(self, place: int) -> int:
        """The first character of the folded text at or after a place in the given one."""
        return bisect_left(self._places, place)


def folded(text: str) -> str:
    """The folded text alone."""
    return Folded(text).text


def _plain(char: str) -> str:
    if "\U000e0020" <= char <= "\U000e007e":
        return chr(ord(char) - 0xE0000).lower()
    if INVISIBLE.match(char):
        return ""
    if char.isspace():
        return "\n" if LINE_ENDS.match(char) or char == "\n" else " "
    decomposed = unicodedata.normalize("NFKD", char).lower()
    return "".join(c for c in decomposed if unicodedata.category(c) != "Mn")
