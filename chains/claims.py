"""Claims: a text split into the statements it makes, by rules, each with its exact place.

A sentence is a claim; a sentence that joins two full statements is two; an item of a list is a claim together with
the line that heads the list. Questions, headings and bare citation marks claim nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from langchain_core.runnables import Runnable, RunnableLambda

from core.language import sentences
from core.schema import Claim, Mention, Outcome
from core.text import Span, words

Link = Callable[[str], Sequence[Mention]]
"""Finds the concepts of a text."""

_NAME = r"(?:\d{1,3}|[a-z][a-z0-9_-]*:[^\[\]\s]+)"
MARK = re.compile(rf"\s*\[{_NAME}(?:\s*[,;–-]\s*{_NAME})*\]")
_ITEM = re.compile(r"[ \t]*(?:[-*•–]|\(?\d{1,3}[.)]|\(?[a-z]\))[ \t]+(?=\S)")
_INLINE_ITEM = re.compile(r"\s+[-*•–]\s+(?=\S)")
_HEADING = re.compile(r"[ \t]*#{1,6}\s")
_JOIN = re.compile(r"(?:[,;]\s+(?:and|but|whereas|while|yet)\s+|\s+(?:and|but)\s+|;\s+)", re.IGNORECASE)
_SUBORDINATORS = frozenset(
    "if when because although though unless whether that which who whose since until after before while either both "
    "between neither".split()
)
_FINITE = frozenset(
    """is are was were am isn't aren't wasn't weren't has have had hasn't haven't hadn't can cannot can't could may
    might must shall should will would won't do does did don't doesn't didn't affects affect affected appears appear
    appeared arises begins begin became become becomes blocks carries carry caused consists consist contains contain
    decreases decreased depends depend develops develop developed differs differ enhances exists exist fails failed
    follows gives helps help improves improve improved includes include included increases increased indicates indicate
    indicated induces induced inhibits inhibit inhibited involves involve involved lacks lack lacked leads lead led
    lowers makes make means mean needs need occurs occur occurred prevents prevent prevented produces produce produced
    protects protect protected provides provide raises reduces reduce reduced relieves remains remain remained requires
    require required responds respond responded resulted seems seem seemed shows show showed slows stops suggests
    suggest suggested supports support supported treats treat treated tends tend worsens worsened activates activated
    regulates regulate regulated promotes promoted suppresses suppressed binds bind bound encodes encode causes
    results""".split()
)
_NOUN_TOO = frozenset(
    "affect causes results needs shows stops lead bound support supports help increases decreases means".split()
)
_DETERMINERS = frozenset(
    "the a an its his her their our your this that these those some many most several other all no such of with for "
    "common main major possible and or".split()
)
_NEGATIONS = frozenset("not no never without neither nor cannot none lack lacks lacking absent excluded".split())
_HEDGES = frozenset(
    """may might could possibly possible perhaps probably probable potentially suggest suggests suggested likely appear
    appears appeared seem seems seemed presumably unclear unknown uncertain suspected""".split()
)
_MIN_WORDS = 2


class _Piece(NamedTuple):
    """A place that makes a statement, the head of its list, and where a clause's sentence ends, with its marks."""

    start: int
    end: int
    head: str = ""
    until: int = 0


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
    claims: list[Claim] = []
    for piece in _pieces(text):
        claim = _claim(text, piece, cited, link)
        if claim:
            claims.append(claim)
    return tuple(claims)


def _claim(text: str, piece: _Piece, cited: Sequence[str], link: Link | None) -> Claim | None:
    raw = text[piece.start : piece.end]
    statement = " ".join(MARK.sub("", raw).split())
    if statement.endswith("?") or statement.endswith(":") or len(words(statement)) < (1 if piece.head else _MIN_WORDS):
        return None
    if piece.head:
        statement = f"{piece.head} {statement}"
    subject, predicate, object_ = triple(statement, link)
    names = [span.text.lower() for span in words(statement)]
    return Claim(
        text=statement,
        span=(piece.start, piece.end),
        subject=subject,
        predicate=predicate,
        object=object_,
        negated=any(name in _NEGATIONS or name.replace("’", "'").endswith("n't") for name in names),
        hedged=any(name in _HEDGES for name in names),
        cited=cited_in(raw, cited) or cited_in(text[piece.end : piece.until], cited),
    )


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
            whole = not head or (_is_statement(block.text[item.end() :]) and block.text.rstrip().endswith("."))
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
    listed = _INLINE_ITEM.search(block, block.find(":") + 1) if ":" in block else None
    ended = block.endswith(":") or bool(listed) or _is_heading(block)
    return bool(_HEADING.match(block)) or (ended and not following[:1].islower())


def _is_heading(block: str) -> bool:
    if _HEADING.match(block):
        return True
    ended = MARK.sub("", block).rstrip().endswith((".", "!", ";", ")"))
    return not ended and not _is_statement(block) and len(words(block)) <= 12


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
            pieces += _inline_items(text, first, last) or _clauses(text, first, last, last)
    return pieces


def _clauses(text: str, start: int, end: int, until: int) -> list[_Piece]:
    for match in _JOIN.finditer(text, start, end):
        left, right = text[start : match.start()], text[match.end() : end]
        if _joins(left, right):
            return [_Piece(start, match.start(), "", until), *_clauses(text, match.end(), end, until)]
    return [_Piece(start, end, "", until)]


def _joins(left: str, right: str) -> bool:
    """Whether both sides are full statements: each with a verb of its own, the right one with a subject before it."""
    before = [span.text.lower() for span in words(left)]
    if any(word in _SUBORDINATORS for word in before) or not _is_statement(left):
        return False
    after = [span.text.lower() for span in words(right)]
    verb = _verb(after)
    return verb is not None and 0 < verb <= 8 and len(after) > verb + 1 and after[0] not in _SUBORDINATORS


def _is_statement(text: str) -> bool:
    return _verb([span.text.lower().replace("’", "'") for span in words(text)]) is not None


def _verb(names: Sequence[str]) -> int | None:
    """Index of the first finite verb; a word that may be a noun counts only where no determiner stands before it."""
    for i, name in enumerate(names):
        if name not in _FINITE or (i == 0 and len(names) > 1 and name in _NOUN_TOO):
            continue
        if name in _NOUN_TOO and (i == 0 or names[i - 1] in _DETERMINERS):
            continue
        return i
    return None


def triple(statement: str, link: Link | None = None) -> tuple[str | None, str | None, str | None]:
    """Subject, predicate and object of one statement, each None where the rule finds none.

    With ``link``, subject and object are the last concept before the verb and the first one after it, where there are
    such; otherwise the words before and after the verb group.
    """
    found = words(statement)
    names = [span.text.lower().replace("’", "'") for span in found]
    verb = _verb(names)
    if verb is None:
        return None, None, None
    last = verb
    while last + 1 < len(names) and (names[last + 1] in _FINITE or names[last + 1] in ("not", "been", "be", "also")):
        last += 1
    predicate = statement[found[verb].start : found[last].end]
    subject = statement[: found[verb].start].strip(" ,;:") or None
    object_ = statement[found[last].end :].strip(" ,;:.!") or None
    if link is None:
        return subject, predicate, object_
    mentions = link(statement)
    heads = [mention for mention in mentions if mention.end <= found[verb].start]
    tails = [mention for mention in mentions if mention.start >= found[last].end]
    return (
        heads[-1].concept.name if heads else subject,
        predicate,
        tails[0].concept.name if tails else object_,
    )


class ClaimInput(NamedTuple):
    """A text to split, and the ids of the evidence that its marks ``[1]``, ``[2]`` … stand for."""

    text: str
    cited: tuple[str, ...] = ()


def claim_splitter(link: Link | None = None) -> Runnable[ClaimInput, Outcome[tuple[Claim, ...]]]:
    """The chain: from a text to its claims."""

    def run(given: ClaimInput) -> Outcome[tuple[Claim, ...]]:
        return Outcome(value=split_claims(given.text, given.cited, link=link))

    return RunnableLambda(run, name="split_claims")
