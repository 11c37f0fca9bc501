"""What people type for short, and what it stands for: the tables of ``short.toml``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

_FILE = Path(__file__).with_name("short.toml")


class Short(NamedTuple):
    """The tables, by what is typed in lower case."""

    chat: Mapping[str, str]
    medical: Mapping[str, str]
    lay: Mapping[str, str]
    spelling: Mapping[str, str]
    numbers: Mapping[str, str]


@lru_cache(maxsize=1)
def tables() -> Short:
    """The tables that ship."""
    return Short(**tomllib.loads(_FILE.read_text(encoding="utf-8")))


def in_full(word: str) -> str | None:
    """What a word is short for, or a misspelling of by sound; None where it is neither."""
    short, lower = tables(), word.lower().replace("\u2019", "'")
    full = short.chat.get(lower) or short.spelling.get(lower)
    if full:
        return full.capitalize() if word[:1].isupper() and len(word) > 1 else full
    # "It" and "Us" at the head of a sentence are no abbreviations; "MS" and "ms" are.
    return short.medical.get(lower) if word in (lower, word.upper()) else None


def in_common_words(text: str) -> str:
    """A text with patients' expressions and brands as vocabularies have them."""
    return _lay().sub(lambda said: tables().lay[" ".join(said.group().lower().replace("\u2019", "'").split())], text)


@lru_cache(maxsize=1)
def _lay() -> re.Pattern[str]:
    longest_first = sorted(tables().lay, key=len, reverse=True)
    names = "|".join(re.escape(name).replace(r"\ ", r"\s+").replace("'", "['\u2019]") for name in longest_first)
    return re.compile(rf"\b(?:{names})\b(?!['\u2019-]\w)", re.I)
