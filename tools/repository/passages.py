"""Cutting documents into passages: at sentence ends, within the embedder's tokens, verbatim."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.language import sentences

TokenSpans = Callable[[str], list[tuple[int, int]]]

# A sentence splitter and a tokenizer both slow down on very long strings.
BLOCK_CHARS = 8_000
# WordPiece makes one unknown token of a word of 100 letters and more: base64 must not become one endless passage.
CHARS_PER_TOKEN = 16
TITLE_SHARE = 4


@dataclass(frozen=True, slots=True)
class Chunking:
    """How documents are cut: tokens of a passage at most, its title's included, and tokens that neighbours share."""

    tokens: int
    overlap: int


@dataclass(frozen=True, slots=True)
class Passage:
    """``document.text[start:end]``, and the text that is embedded for it, which begins with the title."""

    start: int
    end: int
    embedded: str


@dataclass(frozen=True, slots=True)
class _Piece:
    start: int
    end: int
    tokens: int


def cut(text: str, title: str, token_spans: TokenSpans, chunking: Chunking) -> list[Passage]:
    """Cut a text into passages of whole sentences; one that is longer than a passage is cut between words.

    The last sentences of a passage begin the next one as far as they fit into ``chunking.overlap`` tokens. Of the
    title, which stands before every embedded passage, at most a quarter of the tokens are taken.
    """
    heading, taken = _heading(title, token_spans, chunking.tokens // TITLE_SHARE)
    room = chunking.tokens - taken
    pieces = [piece for start, end in _blocks(text) for piece in _pieces(text, start, end, token_spans, room)]
    return [Passage(start, end, heading + text[start:end]) for start, end in _pack(pieces, room, chunking.overlap)]


def joined(records: Sequence[Mapping[str, Any]]) -> str | None:
    """The document that these passages, in order, were cut from; None where what stands between two is not known.

    A record has ``start``, ``end``, ``text`` and, where blanks stand before it, these as ``between``.
    """
    text, covered = "", 0
    for record in records:
        start, end = int(record["start"]), int(record["end"])
        if start > covered and len(record.get("between", "")) != start - covered:
            return None
        text += record.get("between", "") + record["text"][max(0, covered - start) :]
        covered = max(covered, end)
    return text


def _heading(title: str, token_spans: TokenSpans, most: int) -> tuple[str, int]:
    spans = token_spans(title) if title else []
    if not spans:
        return "", 0
    kept = spans[:most]
    return title[: kept[-1][1]] + "\n", len(kept)


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while len(text) - start > BLOCK_CHARS:
        end = start + BLOCK_CHARS
        for mark in ("\n\n", "\n", ". ", " "):
            found = text.rfind(mark, start + BLOCK_CHARS // 2, end)
            if found > 0:
                end = found + len(mark)
                break
        yield start, end
        start = end
    yield start, len(text)


def _pieces(text: str, start: int, end: int, token_spans: TokenSpans, most: int) -> Iterator[_Piece]:
    """Sentences of a block with their tokens, cut where they have more than ``most``."""
    block = text[start:end]
    spans = token_spans(block)
    firsts = [first for first, _ in spans]
    for sentence in sentences(block):
        low, high = bisect_left(firsts, sentence.start), bisect_left(firsts, sentence.end)
        weight = _weight(high - low, sentence.end - sentence.start)
        if weight <= most:
            yield _Piece(start + sentence.start, start + sentence.end, weight)
        else:
            yield from _cut_sentence(text, start, spans[low:high], start + sentence.end, most)


def _cut_sentence(text: str, offset: int, spans: Sequence[tuple[int, int]], end: int, most: int) -> Iterator[_Piece]:
    """Runs of at most ``most`` tokens, each beginning at the start of a word if one is near."""
    low = 0
    while low < len(spans):
        high = min(low + most, len(spans))
        if high < len(spans):
            high = _word_start(text, offset, spans, low, high)
        first = offset + spans[low][0]
        last = offset + spans[high - 1][1] if high < len(spans) else end
        longest = most * CHARS_PER_TOKEN
        for start in range(first, last, longest):
            stop = min(start + longest, last)
            yield _Piece(start, stop, min(_weight(high - low, stop - start), most))
        low = high


def _weight(tokens: int, chars: int) -> int:
    return max(tokens, -(-chars // CHARS_PER_TOKEN))


def _word_start(text: str, offset: int, spans: Sequence[tuple[int, int]], low: int, high: int) -> int:
    for candidate in range(high, low + (high - low) // 2, -1):
        if text[offset + spans[candidate][0] - 1].isspace():
            return candidate
    return high


def _pack(pieces: Sequence[_Piece], most: int, overlap: int) -> Iterator[tuple[int, int]]:
    """Fill passages with sentences, about equally, so that the last one is not a stub."""
    total = sum(piece.tokens for piece in pieces)
    target = -(-total // max(1, -(-total // most)))
    held: list[_Piece] = []
    fresh = 0
    for piece in pieces:
        tokens = sum(p.tokens for p in held)
        if fresh and (tokens >= target or tokens + piece.tokens > most):
            yield held[0].start, held[-1].end
            held, fresh = _carried(held, overlap, most - piece.tokens), 0
        held.append(piece)
        fresh += 1
    if fresh:
        yield held[0].start, held[-1].end


def _carried(held: Sequence[_Piece], overlap: int, room: int) -> list[_Piece]:
    carried: list[_Piece] = []
    tokens = 0
    for piece in reversed(held[1:]):
        tokens += piece.tokens
        if tokens > min(overlap, room):
            break
        carried.insert(0, piece)
    return carried
