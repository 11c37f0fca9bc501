"""A text read: its sentences, what each states, and what a sentence takes up from those before it."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

from core.language.anaphora import resolved
from core.language.parser import WORDS, Tree, Unit, units
from core.language.recognise import language_of
from core.language.shown import parsed
from core.language.split import sentences
from core.language.statement import Reading, Sentence
from core.language.statements import statements
from core.language.words import words_of
from core.text import Span

_KEPT = 4096
_FEW = 4
_ENDS = (".", "!", "?", ":", ";", ",", '"', ")")
_ITEM = re.compile(r"\s*(?:[-*•–·]|\(?\d{1,3}[.)]|\(?[a-z]\))\s+")
_HELD: OrderedDict[tuple[str, str], Reading] = OrderedDict()
_LOCK = threading.Lock()


class _Piece(NamedTuple):
    """What is parsed at once: a part of a sentence, or an item of a list after the words that introduce it."""

    sentence: int
    units: list[Unit]


def read(text: str, title: str = "") -> Reading:
    """Read one text; ``title`` is what its pronouns stand for where nothing before them does."""
    return read_all([text], [title])[0]


def read_all(texts: Sequence[str], titles: Sequence[str] = ()) -> list[Reading]:
    """Read many texts in one go; what was read lately is kept."""
    keys = list(zip(texts, titles or [""] * len(texts), strict=True))
    found: dict[tuple[str, str], Reading] = {}
    with _LOCK:
        for key in keys:
            if key in _HELD:
                _HELD.move_to_end(key)
                found[key] = _HELD[key]
    missing = [key for key in dict.fromkeys(keys) if key not in found]
    for key, reading in zip(missing, _read(missing), strict=True):
        found[key] = reading
    with _LOCK:
        for key in missing:
            _HELD[key] = found[key]
        while len(_HELD) > _KEPT:
            _HELD.popitem(last=False)
    return [found[key] for key in keys]


def _read(given: Sequence[tuple[str, str]]) -> list[Reading]:
    cut = [(text, title, sentences(text)) for text, title in given]
    pieces = [_pieces(text, spans) if _is_english(text) else [] for text, _, spans in cut]
    trees = iter(parsed([piece.units for each in pieces for piece in each]))
    readings = []
    for (text, title, spans), own in zip(cut, pieces, strict=True):
        grouped: list[list[Tree]] = [[] for _ in spans]
        for piece in own:
            grouped[piece.sentence].append(next(trees))
        found = tuple(_sentence(text, span, trees_of) for span, trees_of in zip(spans, grouped, strict=True))
        readings.append(Reading(text, resolved(text, title, found)))
    return readings


def _is_english(text: str) -> bool:
    """Whether a text is to be parsed: a note or a few terms are, whatever they look like."""
    return len(text.split()) < _FEW or language_of(text) == "en"


def _sentence(text: str, span: Span, trees: Sequence[Tree]) -> Sentence:
    told = tuple(each for tree in trees for each in statements(tree, text))
    words = tuple(word for tree in trees[:1] or () for word in words_of(tree, told, span))
    if len(trees) > 1:
        words += tuple(word for tree in trees[1:] for word in words_of(tree, told, span))
    return Sentence(span.start, span.end, span.text, words, told, takes_back=False)


def _pieces(text: str, spans: Sequence[Span]) -> list[_Piece]:
    """The pieces of a text that are parsed: every sentence, its item's mark left out and its head set before it."""
    pieces = []
    head: list[Unit] = []
    for n, span in enumerate(spans):
        item = _ITEM.match(span.text)
        start = span.start + (item.end() if item and item.end() < len(span.text) else 0)
        own = units(text, start, span.end)
        if span.text.endswith(":"):
            head = own[:-1]
        elif not item:
            head = []
        if item and head and len(own) <= 24 and not _is_whole(own):
            own = [*_introducing(head), *own]
        own = _closed(_listed(own))
        pieces += [_Piece(n, own[at : at + WORDS]) for at in range(0, len(own), WORDS)]
    return pieces


def _closed(own: list[Unit]) -> list[Unit]:
    """A sentence without its full stop is shown with one: the parser was taught on whole sentences."""
    if not own or len(own) < _FEW or own[-1].text[-1:] in _ENDS:
        return own
    end = own[-1].end
    return [*own, Unit("", end, end, ".")]


def _is_whole(own: Sequence[Unit]) -> bool:
    lowered = {unit.text.lower() for unit in own}
    return own[-1].text in (".", "!", "?") and bool(lowered & _FINITE)


_FINITE = frozenset(
    """is are was were has have had can may might will should does do did could must include includes causes treats
    prevents lowers raises helps reduces increases contains requires affects needs leads results""".split()
)


def _introducing(head: list[Unit]) -> list[Unit]:
    """The words that introduce a list, with "are" where they lack a verb: "Symptoms of measles: fever"."""
    lowered = {unit.text.lower() for unit in head}
    if (
        lowered & _FINITE
        or any(each.endswith(("es", "ed")) and each in ("includes", "used") for each in lowered)
        or "include" in lowered
    ):
        return head
    end = head[-1].end
    return [*head, Unit("", end, end, "are" if head[-1].text.endswith("s") or "symptoms" in lowered else "is")]


def _listed(own: list[Unit]) -> list[Unit]:
    """A colon before what a verb takes is not shown; a colon after mere names is shown as "are"."""
    for n, unit in enumerate(own[:-1]):
        if unit.text == ":" and 0 < n <= 12 and own[n + 1].text[:1].islower():
            before = own[:n]
            return [*_introducing(before), *own[n + 1 :]]
    return own
