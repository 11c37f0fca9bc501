"""A question as it was typed, put in words that texts have: chat and abbreviations in full, spelling corrected.

What each word may stand for has a cost: itself, the less it is known the more; words near it in letters or sound; two
words run together; with its neighbour one word. The likeliest reading of the whole sentence is taken, as people ask: so
"dose" is "does" where nobody would say "dose". A name of a person is never touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from langchain_core.runnables import Runnable, RunnableLambda

from chains.typed.phrases import NUMBER, asked_phrases
from chains.typed.reading import likeliest
from chains.typed.short import in_common_words, in_full
from chains.typed.ways import Standing, Token, Words, standing_of, ways_of
from core.language import language_of
from core.privacy.redaction import redacted
from core.schema import Outcome, Value

__all__ = ["Typed", "Words", "as_written", "typist"]

SHORTEST_NAME = 5
"""Letters from which a word that nobody knows may be what a question is about."""

_TOKEN = re.compile(r"\bw/o?(?=\s)|[^\W_]+(?:['\u2019][^\W_]+)*")
_JOINED = re.compile(r"^((?i:yes|no|ok|okay|thanks|hello|hi))(?=[A-Z][a-z])")
"""What stands before a sentence without a blank: "YesIs there …"."""
_SPACED = re.compile(r"(?<=\w)\s+(?=[?!.,;:]+(?:\s|$))|(?<=\w\?)[?!]+|(?<=\w \?)[?!]+")
"""A blank before a mark that ends, and what a question mark is repeated by."""
_SENTENCE_START = re.compile(r"(?:^|[.!?]\s+|\n)$")
_SENTENCE_END = re.compile(r"[.!?]\s|\n")


class Typed(Value):
    """A question in words that texts have; ``unknown`` are those of its words that nobody knows."""

    text: str
    unknown: tuple[str, ...] = ()


def typist(words: Words) -> Runnable[str, Outcome[Typed]]:
    """A Runnable from a question to its words as texts have them."""
    return RunnableLambda(lambda text: Outcome(value=as_written(text, words)), name="typed")


def as_written(text: str, words: Words) -> Typed:
    """The text with its short forms in full and its spelling corrected; all else, and what names a person, stays.

    A text in another language than English stays as it is.
    """
    if language_of(text) != "en":
        return Typed(text=text)
    text = in_common_words(_SPACED.sub("", _JOINED.sub(r"\1. ", text)))
    tokens = list(_tokens(text))
    pieces: list[str] = []
    unknown: list[str] = []
    end = 0
    for sentence in _sentences(text, tokens):
        place = 0
        for way in likeliest(ways_of(sentence, words), asked_phrases()):
            read = sentence[place : place + way.tokens]
            place += way.tokens
            first = read[0]
            kept = len(read) == 1 and not first.full and way.words in ((first.lower,), (NUMBER,))
            if kept and _may_be_a_name(first) and standing_of(first.lower, words) == Standing.NOWHERE:
                unknown.append(first.text)
            written = first.text if kept else _as_typed(" ".join(first.full or way.words), first)
            pieces += [text[end : first.start], written]
            end = read[-1].end
    return Typed(text="".join([*pieces, text[end:]]), unknown=tuple(dict.fromkeys(unknown)))


def _tokens(text: str) -> Iterator[Token]:
    persons = [found for found in redacted(text).removed if found.kind in ("name", "address")]
    shouted = text.isupper()
    for match in _TOKEN.finditer(text):
        word, lower = match.group(), match.group().lower().replace("\u2019", "'")
        private = any(found.start <= match.start() < found.end for found in persons)
        full = None if private else in_full(word)
        named = word[:1].isupper() and not shouted and not _SENTENCE_START.search(text[: match.start()])
        yield Token(
            word, match.start(), lower, tuple((full or "").split()), private or full is not None, named, shouted
        )


def _sentences(text: str, tokens: Sequence[Token]) -> Iterator[list[Token]]:
    sentence: list[Token] = []
    for token in tokens:
        if sentence and _SENTENCE_END.search(text[sentence[-1].end : token.start]):
            yield sentence
            sentence = []
        sentence.append(token)
    if sentence:
        yield sentence


def _as_typed(written: str, token: Token) -> str:
    """What is written in a word's place, with its capitals."""
    if token.full:
        return written
    if token.shouted:
        return written.upper()
    return written.capitalize() if token.text[:1].isupper() else written


def _may_be_a_name(token: Token) -> bool:
    """Whether a word, where nobody knows it, may be what a question is about."""
    return not token.fixed and len(token.lower) >= SHORTEST_NAME and bool(re.search(r"[a-z]{4}", token.lower))
