"""The main clauses of sentences, each with its subject, its predicate and its object as they are written.

The subject is the root's ``nsubj``, the predicate the root with its auxiliaries, the object its ``dobj``, ``attr`` or
``acomp``; where the root has none of them, the first word in such a role anywhere serves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from core.language.grammar import SUBJECTS, child, is_verb
from core.language.parser import WORDS, Tree, units
from core.language.shown import parsed
from core.language.stance import stance
from core.language.stance.denial import denied_object
from core.language.statements import statements
from core.text import Span

if TYPE_CHECKING:
    from spacy.tokens import Token

_OBJECTS = ("dobj", "attr", "acomp", "oprd")
_FURTHER = ("agent", "prep", "xcomp", "ccomp")
_GROUP = ("aux", "auxpass", "neg", "prt")
_FINITE = frozenset(("VBZ", "VBD", "VBP", "MD"))
_BETWEEN = frozenset(("and", "but", "yet", "so", "whereas", "while", ",", ";", ":", "-", "–", "—"))


@dataclass(frozen=True, slots=True)
class Clause:
    """A main clause: its place, the places of its parts, whether it is denied, and whether it is hedged."""

    start: int
    end: int
    subject: Span | None
    predicate: Span | None
    object: Span | None
    negated: bool
    hedged: bool


def clauses(texts: Sequence[str]) -> list[tuple[Clause, ...]]:
    """The main clauses of each sentence, in order; a sentence without a verb is one clause without a predicate."""
    listed = [units(text, 0, len(text))[:WORDS] for text in texts]
    trees = iter(parsed([each for each in listed if each]))
    return [_clauses(next(trees), text) if each else () for text, each in zip(texts, listed, strict=True)]


@lru_cache(maxsize=4096)
def is_statement(text: str) -> bool:
    """Whether a stretch of text has a verb that states something of a subject; a heading has none."""
    return any(each.predicate is not None and each.subject is not None for each in clauses([text])[0])


def _clauses(tree: Tree, text: str) -> tuple[Clause, ...]:
    heads = sorted(_heads(next(token for token in tree.doc if token.dep_ == "ROOT")), key=lambda each: each.i)
    starts = [0, *(_first(head) for head in heads[1:])]
    places = [unit for unit in tree.units if unit.text]
    if not places:
        return ()
    found = []
    for n, head in enumerate(heads):
        stop = starts[n + 1] if n + 1 < len(starts) else len(tree.units)
        while n + 1 < len(starts) and stop - 1 > starts[n] and tree.units[stop - 1].text.lower() in _BETWEEN:
            stop -= 1
        own = [unit for unit in tree.units[starts[n] : stop] if unit.text]
        if not own:
            continue
        start, end = min(unit.start for unit in own), max(unit.end for unit in own)
        found.append(_clause(tree, text, head, start, end))
    return tuple(found)


def _heads(root: Token) -> list[Token]:
    """The root and the verbs joined to it that have a subject of their own."""
    found = [root]
    for each in root.children:
        joined = each.dep_ in ("conj", "parataxis") or (
            each.dep_ == "ccomp" and each.i < root.i and child(each, "mark") is None
        )
        if joined and is_verb(each) and child(each, *SUBJECTS, "expl") and is_verb(root):
            found += _heads(each)
    return found


def _first(head: Token) -> int:
    return int(head.left_edge.i)


def _clause(tree: Tree, text: str, head: Token, start: int, end: int) -> Clause:
    within = [token for token in tree.doc if start <= tree.units[token.i].start < end and tree.units[token.i].text]
    verb = head if is_verb(head) else next((each for each in within if is_verb(each) and each.tag_ in _FINITE), None)
    subject = child(verb, *SUBJECTS) if verb is not None else None
    subject = subject or next((each for each in within if verb is not None and each.dep_ in SUBJECTS), None)
    object_ = child(verb, *_OBJECTS) if verb is not None else None
    object_ = object_ or (child(verb, *_FURTHER) if verb is not None else None)
    object_ = object_ or next((each for each in within if verb is not None and each.dep_ in _OBJECTS), None)
    said = stance(tree, verb or head)
    told = [each for each in statements(tree, text) if start <= each.start < end]
    denied = object_ is not None and denied_object(tree, object_)
    return Clause(
        start,
        end,
        subject=_span(tree, text, list(subject.subtree)) if subject is not None else None,
        predicate=_predicate(tree, text, verb),
        object=_span(tree, text, _named(object_)) if object_ is not None else None,
        negated=said.negated or denied or any(each.negated for each in told),
        hedged=said.modality == "hedged" or any(each.modality == "hedged" for each in told),
    )


def _named(object_: Token) -> list[Token]:
    """The words of an object, without the preposition before it."""
    tokens = list(object_.subtree)
    return tokens[1:] if object_.dep_ in ("agent", "prep") and len(tokens) > 1 else tokens


def _predicate(tree: Tree, text: str, verb: Token | None) -> Span | None:
    if verb is None:
        return None
    near = [each for each in verb.children if each.dep_ in _GROUP and abs(each.i - verb.i) <= 4]
    return _span(tree, text, [verb, *near])


def _span(tree: Tree, text: str, tokens: Sequence[Token]) -> Span | None:
    places = [tree.units[token.i] for token in tokens if tree.units[token.i].text]
    if not places:
        return None
    start, end = min(unit.start for unit in places), max(unit.end for unit in places)
    written = text[start:end].rstrip(" .,;:!")
    return Span(start, start + len(written), written) if written else None
