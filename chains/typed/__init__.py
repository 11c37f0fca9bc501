"""A question as it was typed, put in words that texts have: chat and abbreviations in full, spelling corrected.

A word that anybody knows is never changed: the library's texts, the embedder, the vocabularies, or a dictionary of
English ("jabs" is not "jobs" because no text has it). Others become the
likeliest word of the library, or else the one word that a vocabulary has a letter away.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Container, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from langchain_core.runnables import Runnable, RunnableLambda

from chains.typed.spelling import corrected, library_words
from core.language.dictionary import is_english
from core.privacy.redaction import redacted
from core.schema import Outcome, Value

Known = Callable[[str], bool]
"""Whether somebody knows a word in lower case."""

Correction = Callable[[str], str | None]
"""The one known word that a word in lower case misspells."""

SHORTEST_NAME = 5
"""Letters from which a word that nobody knows may be what a question is about."""

LONG_NAME = 8
"""Letters from which a capitalised word, a letter away from a vocabulary's, is that: people have shorter names."""

_TOKEN = re.compile(r"\bw/o?(?=\s)|[^\W_]+(?:['\u2019-][^\W_]+)*")
_LEAST_OF_COMPOUND = 3
_DRAWL = re.compile(r"([a-z])\1{2,}")
_JOINED = re.compile(r"^(yes|no|ok|okay|thanks|hello|hi)(?=[A-Z][a-z])", re.IGNORECASE)
"""What stands before a sentence without a blank: "YesIs there …"."""
_SENTENCE_START = re.compile(r"(?:^|[.!?]\s+|\n)$")


class Typed(Value):
    """A question in words that texts have; ``unknown`` are those of its words that nobody knows."""

    text: str
    unknown: tuple[str, ...] = ()


def typist(known: Sequence[Known], correction: Correction) -> Runnable[str, Outcome[Typed]]:
    """A Runnable from a question to its words as texts have them."""
    return RunnableLambda(lambda text: Outcome(value=as_written(text, known, correction)), name="typed")


def as_written(text: str, known: Sequence[Known], correction: Correction) -> Typed:
    """The text with its short forms in full and its spelling corrected; all else, and what names a person, stays."""
    text = _JOINED.sub(r"\1. ", text)
    text = _lay().sub(lambda said: _short().lay[_key(said.group())], text)
    persons = [found for found in redacted(text).removed if found.kind in ("name", "address")]
    pieces: list[str] = []
    unknown: list[str] = []
    end = 0
    shouted = text.isupper()
    for match in _TOKEN.finditer(text):
        word, lower = match.group(), match.group().lower().replace("\u2019", "'")
        named = word[:1].isupper() and not shouted and not _SENTENCE_START.search(text[: match.start()])
        right = _in_full(word, lower)
        private = any(found.start <= match.start() < found.end for found in persons)
        if right is None and not private and not _is_known(lower, known):
            right = _right(lower, known, correction, named=named)
            if right is None and _may_be_a_name(lower):
                unknown.append(word)
            elif right is not None and word[:1].isupper():
                right = right.upper() if shouted else right.capitalize()
        pieces += [text[end : match.start()], right if right is not None else word]
        end = match.end()
    return Typed(text="".join([*pieces, text[end:]]), unknown=tuple(dict.fromkeys(unknown)))


def _right(lower: str, known: Sequence[Known], correction: Correction, *, named: bool) -> str | None:
    """What a word that nobody knows should be; a name is one of the vocabularies' only where it is long."""
    if not lower.isalpha() or is_english(lower) or (named and len(lower) < LONG_NAME):
        return None
    return correction(lower) if named else _corrected(lower, known) or correction(lower)


def _corrected(lower: str, known: Sequence[Known]) -> str | None:
    """A word that nobody knows, as it should be; a drawled one ("sooo") without its repetitions."""
    short = _DRAWL.sub(r"\1", lower)
    return short if short != lower and _is_known(short, known) else corrected(lower, library_words())


def _may_be_a_name(lower: str) -> bool:
    """Whether a word that nobody knows may be what a question is about."""
    return len(lower) >= SHORTEST_NAME and bool(re.search(r"[a-z]{4}", lower)) and not is_english(lower)


def _in_full(word: str, lower: str) -> str | None:
    short = _short()
    full = short.chat.get(lower) or short.spelling.get(lower)
    if full:
        return full.capitalize() if word[:1].isupper() and len(word) > 1 else full
    # "It" and "Us" at the head of a sentence are no abbreviations; "MS" and "ms" are.
    return short.medical.get(lower) if word in (lower, word.upper()) else None


def _is_known(lower: str, known: Sequence[Known]) -> bool:
    parts = [part for part in re.split(r"['-]", lower) if re.search(r"[a-z]{2}", part)]
    words = library_words().all

    def is_word(text: str) -> bool:
        forms = (text, text + "s", text.removesuffix("s"), *_bases(text), *_before_not(text, lower))
        return any(form in words or any(knows(form) for knows in known) for form in forms)

    return all(is_word(part) or _is_compound(part, words) for part in parts)


def _before_not(part: str, word: str) -> list[str]:
    """What "n't" stands after: "must" of "mustn't"."""
    return [part.removesuffix("n")] if word == f"{part}'t" and part.endswith("n") else []


def _bases(word: str) -> list[str]:
    """What a form of an English verb may be made of: "sprained" of "sprain"."""
    if not is_english(word):
        return []
    return [word.removesuffix(end) + more for end in ("ed", "ing") if word.endswith(end) for more in ("", "e")]


def _is_compound(part: str, words: Container[str]) -> bool:
    """Whether two English words of the library make it, as in "seasick"; "gla" and "coma" make no glaucoma."""

    def is_word(text: str) -> bool:
        return text in words and is_english(text)

    cuts = range(_LEAST_OF_COMPOUND, len(part) - _LEAST_OF_COMPOUND + 1)
    return any(is_word(part[:cut]) and is_word(part[cut:].removesuffix("s")) for cut in cuts)


class _Short(NamedTuple):
    """The tables of ``short.toml``."""

    chat: Mapping[str, str]
    medical: Mapping[str, str]
    lay: Mapping[str, str]
    spelling: Mapping[str, str]


@lru_cache(maxsize=1)
def _short() -> _Short:
    return _Short(**tomllib.loads(Path(__file__).with_name("short.toml").read_text(encoding="utf-8")))


@lru_cache(maxsize=1)
def _lay() -> re.Pattern[str]:
    longest_first = sorted(_short().lay, key=len, reverse=True)
    names = "|".join(re.escape(name).replace(r"\ ", r"\s+").replace("'", "['\u2019]") for name in longest_first)
    return re.compile(rf"\b(?:{names})\b(?!['\u2019-]\w)", re.I)


def _key(said: str) -> str:
    return " ".join(said.lower().replace("\u2019", "'").split())
