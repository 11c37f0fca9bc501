"""Claims: a text split into the statements it makes, each with its exact place.

A sentence is a claim; a sentence that joins main clauses is as many; an item of a list is a claim together with
the line that heads the list. Questions, headings and bare citation marks claim nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from langchain_core.runnables import Runnable, RunnableLambda

from chains.link import Link
from core.language import Clause, clauses, is_statement, sentences
from core.schema import Claim, Outcome
from core.text import Span, words

_NAME = r"(?>\d{1,3}|[a-z][a-z0-9_-]*+:[^\[\]\s,;]++)"
MARK = re.compile(rf"(?<!\s)\s*+\[{_NAME}(?:\s*+[,;–-]\s*+{_NAME})*+\]")
"""Nothing in it can be read in two ways: else a text that is nearly a mark is tried in all of them."""
_ITEM = re.compile(r"[ \t]*(?:[-*•–]|\(?\d{1,3}[.)]|\(?[a-z]\))[ \t]+(?=\S)")
_INLINE_ITEM = re.compile(r"(?<!\s)\s++[-*•–]\s++(?=\S)")
_HEADING = re.compile(r"[ \t]*#{1,6}\s")
_MIN_WORDS = 2
_LONGEST_HEADING = 400
_TAIL = 2_000
"""Characters at the end of a paragraph in which an item may have opened: at every line all of it would be read anew."""


class _Piece(NamedTuple):
    """A sentence or an item of a list: its place, and the head of its list."""

    start: int
    end: int
    head: str = ""


def split_claims(text: str, cited: Sequence[str] = (), *, link: Link | None = None) -> tuple[Claim, ...]:
    """Split a text into claims.

    Args:
        text: any English text.
        cited: ids of the evidence that the marks ``[1]``, ``[2]`` … stand for, in order; a mark that is an id itself,
            such as ``[pubmed:123]``, needs no entry here. A mark beyond the list cites nothing.
        link: finds concepts, so that subject and object are concepts' names; without it they are the words around
            the first verb.

    Returns:
        Claims in order. ``span`` is the exact place of the statement, marks included; ``text`` is without marks, and
        for an item of a list begins with the head of the list.
    """
    pieces = [piece for piece in _pieces(text) if _may_claim(text, piece)]
    written = [_written(text, piece) for piece in pieces]
    return tuple(
        claim
        for piece, whole, parts in zip(pieces, written, clauses(written), strict=True)
        for claim in _claims(text, piece, whole, parts, cited, link)
    )


def _may_claim(text: str, piece: _Piece) -> bool:
    """Whether a piece may claim something: no question, no head of a list, no bare mark."""
    bare = MARK.sub("", text[piece.start : piece.end]).strip()
    return not bare.endswith(("?", ":")) and len(words(bare)) >= (1 if piece.head else _MIN_WORDS)


def _written(text: str, piece: _Piece) -> str:
    """A piece as it is parsed: blanks for its marks, so that places stay; an item after the head of its list."""
    blanked = MARK.sub(lambda mark: " " * len(mark.group()), text[piece.start : piece.end])
    return f"{piece.head} {' '.join(blanked.split())}" if piece.head else blanked


def _claims(
    text: str, piece: _Piece, written: str, parts: Sequence[Clause], cited: Sequence[str], link: Link | None
) -> list[Claim]:
    """The claims of a piece: an item of a list is one, a sentence as many as it has main clauses."""
    if piece.head or len(parts) == 1:
        own = [(piece.start, piece.end, part) for part in parts[:1]]
    else:
        ends = [piece.start + part.end for part in parts[:-1]] + [piece.end]
        own = [(piece.start + part.start, end, part) for part, end in zip(parts, ends, strict=True)]
    found = []
    for start, end, part in own:
        raw = text[start:end]
        statement = " ".join(MARK.sub("", raw).split())
        if piece.head:
            statement = f"{piece.head} {statement}"
        subject, object_ = (_named(written, span, link) for span in (part.subject, part.object))
        found.append(
            Claim(
                text=statement,
                span=(start, end),
                subject=subject,
                predicate=part.predicate.text if part.predicate else None,
                object=object_,
                negated=part.negated,
                hedged=part.hedged,
                cited=cited_in(raw, cited) or cited_in(text[end : piece.end], cited),
            )
        )
    return found


def _named(written: str, span: Span | None, link: Link | None) -> str | None:
    """A part of a clause as its words, or as the concept that is linked in it."""
    if span is None:
        return None
    inside = [m for m in link(written) if span.start <= m.start and m.end <= span.end] if link is not None else []
    return inside[-1].concept.name if inside else " ".join(span.text.split())


def cited_in(raw: str, cited: Sequence[str]) -> tuple[str, ...]:
    """The ids that the marks of a text cite: ``[1]`` the first of ``cited``, ``[pubmed:123]`` itself."""
    ids: list[str] = []
    for mark in MARK.finditer(raw):
        for name in re.split(r"[,;\s\[\]]+", mark.group()):
            if name.isdigit() and 1 <= int(name) <= len(cited):
                ids.append(cited[int(name) - 1])
            elif ":" in name:
                ids.append(name)
    return tuple(dict.fromkeys(ids))


def _pieces(text: str) -> list[_Piece]:
    pieces: list[_Piece] = []
    head = ""
    for block in _blocks(text):
        item = _ITEM.match(block.text)
        if item:
            start = block.start + item.end()
            whole = not head or (is_statement(block.text[item.end() :]) and block.text.rstrip().endswith("."))
            pieces += _statements(text, start, block.end) if whole else [_Piece(start, block.end, head)]
            continue
        head = _head(block.text)
        if not _is_heading(block.text):
            pieces += _statements(text, block.start, block.end)
    return pieces


def _blocks(text: str) -> list[Span]:
    """Paragraphs, with every item and heading a block of its own; wrapped lines are joined to what they continue."""
    blocks: list[Span] = []
    start: int | None = None
    end = 0
    offset = 0
    for line in text.splitlines(keepends=True):
        bare = line.strip()
        first = offset + len(line) - len(line.lstrip())
        closed = start is None or not bare or bool(_ITEM.match(line)) or bool(_HEADING.match(line))
        previous_closed = start is not None and _closes(text[start:end], bare)
        if start is not None and (closed or previous_closed):
            blocks.append(Span(start, end, text[start:end]))
            start = None
        if bare:
            start = first if start is None else start
            end = first + len(bare)
        offset += len(line)
    if start is not None:
        blocks.append(Span(start, end, text[start:end]))
    return blocks


def _closes(block: str, following: str) -> bool:
    """Whether a block has ended before the following line: a heading, or a short line that no small letter follows."""
    colon = block.find(":", max(0, len(block) - _TAIL))
    listed = _INLINE_ITEM.search(block, colon + 1) if colon >= 0 else None
    ended = block.endswith(":") or bool(listed) or _is_heading(block)
    return bool(_HEADING.match(block)) or (ended and not following[:1].islower())


def _is_heading(block: str) -> bool:
    if _HEADING.match(block):
        return True
    if len(block) > _LONGEST_HEADING:
        return False
    ended = MARK.sub("", block).rstrip().endswith((".", "!", ";", ")"))
    return not ended and not is_statement(block) and len(words(block)) <= 12


def _head(block: str) -> str:
    bare = block.rstrip()
    if not bare.endswith(":"):
        return ""
    last = sentences(bare)[-1].text
    return " ".join(MARK.sub("", last).split()).rstrip(":").rstrip()


def _inline_items(text: str, start: int, end: int) -> list[_Piece]:
    """Items of a sentence such as ``Symptoms include: - fever - cough``; none where it is not written like that."""
    colon = text.find(":", start, end)
    if colon < 0 or not _INLINE_ITEM.match(text, colon + 1, end):
        return []
    head = " ".join(MARK.sub("", text[start:colon]).split())
    marks = list(_INLINE_ITEM.finditer(text, colon + 1, end))
    ends = [mark.start() for mark in marks[1:]] + [end]
    return [_Piece(mark.end(), stop, head) for mark, stop in zip(marks, ends, strict=True)]


def _statements(text: str, start: int, end: int) -> list[_Piece]:
    """Sentences and joined clauses of a stretch of text; a mark after a full stop stays with its sentence."""
    pieces: list[_Piece] = []
    for sentence in sentences(text[start:end]):
        first, last = start + sentence.start, start + sentence.end
        if pieces:
            mark = MARK.match(text, first, last)
            while mark:
                pieces[-1] = pieces[-1]._replace(end=mark.end())
                first = mark.end()
                mark = MARK.match(text, first, last)
            first += len(text[first:last]) - len(text[first:last].lstrip())
        if first < last:
            pieces += _inline_items(text, first, last) or [_Piece(first, last)]
    return pieces


def triple(statement: str, link: Link | None = None) -> tuple[str | None, str | None, str | None]:
    """Subject, predicate and object of one statement, each None where it has none.

    With ``link``, subject and object are the concepts that are linked in them, where there are such.
    """
    for part in clauses([statement])[0][:1]:
        subject, object_ = (_named(statement, span, link) for span in (part.subject, part.object))
        return subject, part.predicate.text if part.predicate else None, object_
    return None, None, None


class ClaimInput(NamedTuple):
    """A text to split, and the ids of the evidence that its marks ``[1]``, ``[2]`` … stand for."""

    text: str
    cited: tuple[str, ...] = ()


def claim_splitter(link: Link | None = None) -> Runnable[ClaimInput, Outcome[tuple[Claim, ...]]]:
    """The chain: from a text to its claims."""

    def run(given: ClaimInput) -> Outcome[tuple[Claim, ...]]:
        return Outcome(value=split_claims(given.text, given.cited, link=link))

    return RunnableLambda(run, name="split_claims")
