"""Whatever a run may hold, without identifiers of patients: every text in it, the names of fields too.

A run holds a question in many forms: as it was asked, in small letters, as the stems of its words. Rules know an
identifier only where its cue or its capitals are left, so what is found once is taken out of everything after it.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from functools import lru_cache
from threading import Lock
from typing import Any, TypeAlias
from uuid import UUID

from pydantic import BaseModel

from core.privacy.dates import dates_of_birth
from core.privacy.identifier import Kind, Removed
from core.privacy.numbers import insurance_numbers, phone_numbers, record_numbers
from core.privacy.redaction import Redaction, redacted
from core.text import STOPWORDS

REMEMBERED = 1_000
"""Identifiers that are known again; the oldest are forgotten."""
BARE_WORDS = 8
"""A list of so many bare words is a text in pieces: a run is told how many there are."""
LONGEST_NUMBER = 60
"""Characters of a text that may be a number, by the name of its field."""
LARGE = 100_000
"""A number from here on may stand for a person."""
THREADS = frozenset({"thread_id", "session_id", "conversation_id"})
"""Fields by which LangSmith puts runs together; whoever asks names them as they like."""

_NUMBERS = (dates_of_birth, record_numbers, insurance_numbers, phone_numbers)
_COUNT = re.compile(r"\b(?:tokens?|seconds)\b")
"""What a model used, and how long it took."""
_NUMBER = re.compile(r"\s*\d{6,}\s*")
_BETWEEN_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])|[\W_]+")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_MARK = re.compile(r"thread [0-9a-f]{16}")
_SECRET = secrets.token_bytes()
"""Whoever has the traces could try names of patients against a hash without it."""
_ESCAPED = re.compile(r"(?<!\\)\\++(?:(?P<space>[nrt])|u(?P<code>[0-9a-fA-F]{4}))")
"""An object may be told as code, a line's end in it as a backslash and a letter."""
_TOKEN = re.compile(r"[^\W_]+")
_TITLES = frozenset("mr mrs ms miss mx dr prof professor doctor sir dame herr frau madame".split())
_STREETS = frozenset("street road avenue lane drive court place square hill park north south east west flat".split())
_NO_NAMES = STOPWORDS | _TITLES | _STREETS
_WORDED: frozenset[Kind] = frozenset({"name", "address"})
"""Kinds of which each word alone tells who is meant, or where they live."""
Phrase: TypeAlias = tuple[str, ...]


class Memory:
    """Identifiers that were found, as the words that they are made of, in small letters."""

    def __init__(self) -> None:
        self._kinds: OrderedDict[Phrase, Kind] = OrderedDict()
        self._beginning: dict[str, list[Phrase]] = {}
        self._lock = Lock()

    def learn(self, kind: Kind, identifier: str) -> None:
        """Know an identifier again: as a whole, each part between commas, each word of a name or place, each number."""
        whole = _words(identifier)
        parts = [part for each in re.split(r"[,;\n]", identifier) if len(part := _words(each)) > 1]
        alone = [(w,) for w in whole if _is_number(w) or (kind in _WORDED and len(w) > 2 and w not in _NO_NAMES)]
        with self._lock:
            for phrase in (whole, *parts, *alone):
                if phrase and (len(phrase) > 1 or phrase in alone) and phrase not in self._kinds:
                    self._kinds[phrase] = kind
                    self._beginning.setdefault(phrase[0], []).append(phrase)
            while len(self._kinds) > REMEMBERED:
                oldest, _ = self._kinds.popitem(last=False)
                self._beginning[oldest[0]].remove(oldest)

    def without(self, text: str) -> str:
        """The text without what was learnt."""
        tokens = list(_TOKEN.finditer(text))
        words = [token.group().casefold() for token in tokens]
        parts, place, number = [], 0, 0
        with self._lock:
            while number < len(words):
                length = 1
                if longest := self._longest(words, number):
                    length = len(longest)
                    parts += [text[place : tokens[number].start()], f"[{self._kinds[longest]}]"]
                    place = tokens[number + length - 1].end()
                number += length
        return "".join([*parts, text[place:]])

    def _longest(self, words: list[str], start: int) -> Phrase:
        """The longest phrase that begins at a place; empty where none does."""
        known = self._beginning.get(words[start], ())
        return max((p for p in known if tuple(words[start : start + len(p)]) == p), key=len, default=())


_memory = Memory()


def anonymous(value: Any, named: str = "") -> Any:
    """The value as plain values whose texts hold no identifier; of an object that is no value, its type's name.

    ``named`` are the fields that it stands in, as words: they tell what a number is.
    """
    if isinstance(value, str):
        return _anonymous_text(value, named)
    if value is None or isinstance(value, bool | UUID):
        return value
    if isinstance(value, int | float):
        return _anonymous_number(value, named)
    if isinstance(value, date):
        return value if isinstance(value, datetime) and named.endswith("time") else "[date]"
    if isinstance(value, Mapping):
        return {_anonymous_text(str(name)): _anonymous_field(str(name), item, named) for name, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        items = list(value)
        if len(items) >= BARE_WORDS and all(isinstance(item, str) and _TOKEN.fullmatch(item) for item in items):
            return f"{len(items)} words"
        return [anonymous(item, named) for item in items]
    if isinstance(value, BaseModel):
        return anonymous(value.model_dump(), named)
    return type(value).__name__


def _anonymous_field(name: str, value: Any, named: str) -> Any:
    if name in THREADS:
        told = str(value)
        digest = hashlib.blake2b(told.encode(errors="surrogatepass"), key=_SECRET, digest_size=8).hexdigest()
        return told if _UUID.fullmatch(told) or _MARK.fullmatch(told) else f"thread {digest}"
    return anonymous(value, f"{named} {_BETWEEN_WORDS.sub(' ', name).lower()}".strip())


def _anonymous_number(number: float, named: str) -> Any:
    if abs(number) < 1_000 or _COUNT.search(named):
        return number
    told = _anonymous_text(str(number), named)
    if told != str(number):
        return told
    return number if abs(number) < LARGE else "[number]"


def _anonymous_text(text: str, named: str = "") -> str:
    if _NUMBER.fullmatch(text):
        return "[number]"
    if named and len(text) <= LONGEST_NUMBER:
        _learn(f"{named}: {text}", (found for detect in _NUMBERS for found in detect(f"{named}: {text}")))
    text = _ESCAPED.sub(_unescaped, text)
    found = _redacted(text)
    _learn(text, found.removed)
    return _memory.without(found.text)


def _learn(text: str, found: Iterable[Removed]) -> None:
    for piece in found:
        _memory.learn(piece.kind, text[piece.start : piece.end])


@lru_cache(maxsize=4096)  # each step's state holds what the steps before it held
def _redacted(text: str) -> Redaction:
    return redacted(text)


def _unescaped(escape: re.Match[str]) -> str:
    return chr(int(escape["code"], 16)) if escape["code"] else " " if escape["space"] == "t" else "\n"


def _words(text: str) -> Phrase:
    return tuple(_TOKEN.findall(text.casefold()))


def _is_number(token: str) -> bool:
    return len(token) > 3 and any(character.isdecimal() for character in token)
