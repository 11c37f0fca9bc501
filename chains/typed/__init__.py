"""A question as it was typed, put in words that texts have: chat and abbreviations in full, spelling corrected.

What each word may stand for has a cost: itself, the less it is known the more; words near it in letters or sound; two
words run together; with its neighbour one word. The likeliest reading of the whole sentence is taken, as people ask: so
"dose" is "does" where nobody would say "dose". A name of a person is never touched.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from langchain_core.runnables import Runnable, RunnableLambda

from chains.typed.phrases import NUMBER, asked_phrases
from chains.typed.reading import Way, likeliest
from chains.typed.spelling import Lexicon, library_words
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

EDIT, SPLIT, MERGED, BY_NUMBER = 4.5, 5.0, 3.0, 4.0
"""What it costs to read a word as one edit away, as two words, with the next as one, and a figure by its sound."""
CORRECTION, DRAWLED = 12.0, 1.0
"""What it costs to read a word that nobody knows as one that a vocabulary has a letter away, or without repetitions."""
CAREFUL = 1.0
"""What another word costs beside where all words of the sentence are known."""
COMMON = 20
"""How often a word stands in the library that is no misspelling there."""
MOST_WAYS = 100
_NEAR, _FAR, _FARTHEST, _FAR_KNOWN = 0.2, 0.21, 2.3, 1.01
"""How far a word may be from another: so far and so much farther a letter, at most; and one that is known."""

_TOKEN = re.compile(r"\bw/o?(?=\s)|[^\W_]+(?:['\u2019][^\W_]+)*")
_SHORTEST_PART = 3
_DRAWL = re.compile(r"([a-z])\1{2,}")
_JOINED = re.compile(r"^((?i:yes|no|ok|okay|thanks|hello|hi))(?=[A-Z][a-z])")
"""What stands before a sentence without a blank: "YesIs there …"."""
_SENTENCE_START = re.compile(r"(?:^|[.!?]\s+|\n)$")
_SENTENCE_END = re.compile(r"[.!?]\s|\n")


class Standing(IntEnum):
    """Where a word is known, the surest place last."""

    NOWHERE = 0
    IN_NO_TEXT = 1
    IN_A_VOCABULARY = 2
    IN_A_DICTIONARY = 3
    IN_THE_LIBRARY = 4
    ASKED = 5


ITSELF = MappingProxyType(
    {
        Standing.NOWHERE: 20.0,
        Standing.IN_NO_TEXT: 10.0,
        Standing.IN_A_VOCABULARY: 8.0,
        Standing.IN_A_DICTIONARY: 7.0,
        Standing.IN_THE_LIBRARY: 0.0,
        Standing.ASKED: 0.0,
    }
)
"""What a word costs as it stands, by where it is known."""
ANOTHER = MappingProxyType({Standing.IN_THE_LIBRARY: 6.0, Standing.ASKED: 6.0})
"""What it costs beside to read a word as another that is known by people who ask, or by the library."""


class Typed(Value):
    """A question in words that texts have; ``unknown`` are those of its words that nobody knows."""

    text: str
    unknown: tuple[str, ...] = ()


class Words(NamedTuple):
    """Who knows words in lower case: the vocabularies, with what they would correct one to, and the embedder."""

    in_vocabularies: Known
    correction: Correction
    embedded: Known


def typist(words: Words) -> Runnable[str, Outcome[Typed]]:
    """A Runnable from a question to its words as texts have them."""
    return RunnableLambda(lambda text: Outcome(value=as_written(text, words)), name="typed")


def as_written(text: str, words: Words) -> Typed:
    """The text with its short forms in full and its spelling corrected; all else, and what names a person, stays."""
    text = _JOINED.sub(r"\1. ", text)
    text = _lay().sub(lambda said: _short().lay[_key(said.group())], text)
    tokens = list(_tokens(text))
    pieces: list[str] = []
    unknown: list[str] = []
    end = 0
    for sentence in _sentences(text, tokens):
        place = 0
        for way in likeliest(_ways(sentence, words), asked_phrases()):
            read = sentence[place : place + way.tokens]
            place += way.tokens
            first = read[0]
            kept = len(read) == 1 and way.words in ((first.lower,), (NUMBER,))
            if kept and not first.fixed and not _standing(first.lower, words) and _may_be_a_name(first.lower):
                unknown.append(first.text)
            written = first.text if kept else _as_typed(" ".join(first.full or way.words), first)
            pieces += [text[end : first.start], written]
            end = read[-1].start + len(read[-1].text)
    return Typed(text="".join([*pieces, text[end:]]), unknown=tuple(dict.fromkeys(unknown)))


class _Token(NamedTuple):
    """A word as it was typed; ``full`` is what it is short for, ``fixed`` that it is nothing else."""

    text: str
    start: int
    lower: str
    full: tuple[str, ...] = ()
    fixed: bool = False
    named: bool = False
    shouted: bool = False


def _tokens(text: str) -> Iterator[_Token]:
    persons = [found for found in redacted(text).removed if found.kind in ("name", "address")]
    shouted = text.isupper()
    for match in _TOKEN.finditer(text):
        word, lower = match.group(), match.group().lower().replace("\u2019", "'")
        private = any(found.start <= match.start() < found.end for found in persons)
        full = None if private else _in_full(word, lower)
        named = word[:1].isupper() and not shouted and not _SENTENCE_START.search(text[: match.start()])
        yield _Token(
            word, match.start(), lower, tuple((full or "").split()), private or full is not None, named, shouted
        )


def _sentences(text: str, tokens: Sequence[_Token]) -> Iterator[list[_Token]]:
    sentence: list[_Token] = []
    for token in tokens:
        if sentence and _SENTENCE_END.search(text[sentence[-1].start + len(sentence[-1].text) : token.start]):
            yield sentence
            sentence = []
        sentence.append(token)
    if sentence:
        yield sentence


def _ways(sentence: Sequence[_Token], words: Words) -> list[list[Way]]:
    """How each word of a sentence may be read, and each with the next."""
    careful = all(token.fixed or _standing(token.lower, words) > Standing.IN_NO_TEXT for token in sentence)
    found = []
    for place, token in enumerate(sentence):
        ways = [Way(_asked(token))]
        if not token.fixed:
            ways = _named_ways(token, words) if token.named else _typed_ways(sentence, place, words, careful)
        after = sentence[place + 1] if place + 1 < len(sentence) else None
        found.append([*ways, *(_merged(token, after) if after else ())])
    return found


def _asked(token: _Token) -> tuple[str, ...]:
    return tuple(word.lower() for word in token.full) or (NUMBER if token.lower.isdigit() else token.lower,)


def _named_ways(token: _Token, words: Words) -> list[Way]:
    """A name may only be one of the vocabularies', where it is long."""
    right = words.correction(token.lower) if len(token.lower) >= LONG_NAME else None
    if right is None or _standing(token.lower, words):
        return [Way((token.lower,))]
    return [Way((right,))]


def _typed_ways(sentence: Sequence[_Token], place: int, words: Words, careful: bool) -> list[Way]:
    word = sentence[place].lower
    standing = _standing(word, words)
    known = standing >= Standing.IN_A_VOCABULARY
    if word.isdigit():
        said = _short().numbers.get(word)
        return [Way((NUMBER,)), *([Way((said,), BY_NUMBER)] if said else [])]
    own = Way((word,), ITSELF[standing])
    if not word.replace("'", "").isalpha() or (known and _stands(sentence, place)):
        return [own]
    price = ANOTHER.get(standing, 0.0) + (CAREFUL if careful else 0.0)
    ways = [Way(way.words, way.cost + price) for way in _near(word, known=known)]
    if not standing:
        right, short = words.correction(word), _DRAWL.sub(r"\1", word)
        ways += [Way((right,), CORRECTION)] if right else []
        ways += [Way((short,), DRAWLED)] if short != word and _standing(short, words) else []
    return [own, *sorted(ways, key=lambda way: way.cost)[:MOST_WAYS]]


def _stands(sentence: Sequence[_Token], place: int) -> bool:
    """Whether people put a word beside both its neighbours."""
    phrases, (before, own, after) = asked_phrases(), _around(sentence, place)
    return phrases.met(before, own) and phrases.met(own, after)


def _around(sentence: Sequence[_Token], place: int) -> tuple[str, str, str]:
    before = _asked(sentence[place - 1])[-1] if place else "<s>"
    after = _asked(sentence[place + 1])[0] if place + 1 < len(sentence) else "</s>"
    return before, sentence[place].lower, after


@lru_cache(maxsize=8192)
def _near(word: str, *, known: bool) -> tuple[Way, ...]:
    """Other words that a word may be, and two that may have been run together; one that is known is near few."""
    phrases = asked_phrases()
    if known:
        found = _asked_lexicon().near(word, _FAR_KNOWN)
    else:
        found = _whole_lexicon().near(word, min(_FARTHEST, _NEAR + _FAR * len(word)))
    ways = [Way((other,), EDIT * far + _seldom(other)) for other, far in found.items() if not _denies(word, other)]
    for cut in range(1, len(word)) if "'" not in word else ():
        one, other = word[:cut], word[cut:]
        if one in phrases and other in phrases and (cut > 1 or one in "ai") and len(other) > 1:
            ways.append(Way((one, other), SPLIT))
        elif not known and min(cut, len(word) - cut) >= _SHORTEST_PART:
            ways += _one_misspelt(one, other)
    return tuple(ways)


def _one_misspelt(one: str, other: str) -> Iterator[Way]:
    """Two words that were run together, one of them misspelt besides."""
    phrases, near = asked_phrases(), _asked_lexicon().near
    if one in phrases:
        yield from (Way((one, right), SPLIT + EDIT * far) for right, far in near(other, 0.8).items() if len(right) > 2)
    if other in phrases:
        yield from (Way((right, other), SPLIT + EDIT * far) for right, far in near(one, 0.8).items() if len(right) > 2)


def _denies(word: str, other: str) -> bool:
    """Whether one of two words denies and the other does not."""
    return word.endswith("n't") != other.endswith("n't") or "not" in (word, other)


def _merged(token: _Token, after: _Token) -> list[Way]:
    """A word and the next as the one that they make."""
    apart = after.start - token.start - len(token.text)
    joined = token.lower + after.lower
    if apart != 1 or token.fixed or after.fixed or token.named or after.named or len(joined) < LONG_NAME - 2:
        return []
    shortest = min(len(token.lower), len(after.lower))
    return [Way((joined,), MERGED, tokens=2)] if shortest > 1 and joined in asked_phrases() else []


def _seldom(word: str) -> float:
    """What a word costs that is put in another's place though hardly anybody asks it."""
    if word in asked_phrases():
        return 0.0
    counts = library_words()
    return math.log(_all_words() / (counts.get(word, 0) + 0.5)) + 2.0


@lru_cache(maxsize=1)
def _all_words() -> int:
    return sum(library_words().values())


@lru_cache(maxsize=1)
def _asked_lexicon() -> Lexicon:
    return Lexicon(sorted(word for word in asked_phrases().words if word.replace("'", "").isalpha()))


@lru_cache(maxsize=1)
def _whole_lexicon() -> Lexicon:
    rare = (word for word in library_words() if len(word) >= _SHORTEST_PART)
    return Lexicon(sorted({*(word for word in asked_phrases().words if word.replace("'", "").isalpha()), *rare}))


def _standing(lower: str, words: Words) -> Standing:
    """The surest place where a word is known."""
    parts = [part for part in lower.split("'") if re.search(r"[a-z]{2}", part)]
    counts, phrases = library_words(), asked_phrases()

    def somewhere(part: str, holds: Known) -> bool:
        forms = (part, part + "s", part.removesuffix("s"), *_before_not(part, lower))
        return any(holds(form) for form in forms)

    if lower in phrases or all(part in phrases for part in parts):
        return Standing.ASKED
    if all(counts.get(part, 0) >= COMMON for part in parts):
        return Standing.IN_THE_LIBRARY
    if all(somewhere(part, lambda form: form in counts or is_english(form)) for part in parts):
        return Standing.IN_A_DICTIONARY
    if all(somewhere(part, words.in_vocabularies) for part in parts):
        return Standing.IN_A_VOCABULARY
    return Standing.IN_NO_TEXT if all(somewhere(part, words.embedded) for part in parts) else Standing.NOWHERE


def _as_typed(written: str, token: _Token) -> str:
    """What is written in a word's place, with its capitals."""
    if token.full:
        return written
    if token.shouted:
        return written.upper()
    return written.capitalize() if token.text[:1].isupper() else written


def _may_be_a_name(lower: str) -> bool:
    """Whether a word that nobody knows may be what a question is about."""
    return len(lower) >= SHORTEST_NAME and bool(re.search(r"[a-z]{4}", lower))


def _in_full(word: str, lower: str) -> str | None:
    short = _short()
    full = short.chat.get(lower) or short.spelling.get(lower)
    if full:
        return full.capitalize() if word[:1].isupper() and len(word) > 1 else full
    # "It" and "Us" at the head of a sentence are no abbreviations; "MS" and "ms" are.
    return short.medical.get(lower) if word in (lower, word.upper()) else None


def _before_not(part: str, word: str) -> list[str]:
    """What "n't" stands after: "must" of "mustn't"."""
    return [part.removesuffix("n")] if word == f"{part}'t" and part.endswith("n") else []


class _Short(NamedTuple):
    """The tables of ``short.toml``."""

    chat: Mapping[str, str]
    medical: Mapping[str, str]
    lay: Mapping[str, str]
    spelling: Mapping[str, str]
    numbers: Mapping[str, str]


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
