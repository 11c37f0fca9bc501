"""A relation between words of a parse, and what fills the frames of a noun."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from core.language import lexicon
from core.language.grammar import (
    child,
    prepositional,
)
from core.language.lexicon import Frame
from core.language.parser import Tree
from core.language.statement import RelationKind

if TYPE_CHECKING:
    from spacy.tokens import Token

EVENTS = frozenset(("treat", "prevent", "diagnose", "lower", "raise", "worsen"))
"""Kinds of relation that something or somebody does."""


class Draft(NamedTuple):
    """A relation between words: ``token`` is what carries it, ``denied`` whether the word itself denies it."""

    kind: RelationKind
    token: Token
    lemma: str
    subjects: Sequence[Token]
    objects: Sequence[Token]
    denied: bool = False
    risk: bool = False
    """Whether the object is a risk of what the words name."""


def drafted(frame: Frame, token: Token, lemma: str, first: Sequence[Token], second: Sequence[Token]) -> Draft:
    """The relation of a frame between what stands first and second in it, in the order of its meaning."""
    risk = str(frame.kind) == "risk"
    kind: RelationKind = "raise" if risk else frame.kind
    if frame.role != "active":
        first, second = second, first
    return Draft(kind, token, lemma, first, second, risk=risk)


def of_which(tree: Tree, token: Token) -> Token:
    """What "one of the results" or "a number of causes" is of."""
    of = next((c for c in token.children if c.dep_ == "prep" and c.lower_ == "of"), None)
    inner = child(of, "pobj") if of is not None and tree.lemma(token) in lexicon.words("partitive", "word") else None
    return inner if inner is not None else token


def complemented(tree: Tree, noun: Token) -> list[tuple[Frame, list[Token]]]:
    """The frames of a noun that its own prepositions fill, with what fills them."""
    found = []
    for frame in lexicon.frames("noun").get(tree.lemma(noun), ()):
        if str(frame.kind) == "risk" and tree.lemma(noun) == "factor" and not _is_risk_factor(tree, noun):
            continue
        what = prepositional(tree, noun, frame.preposition)
        if what:
            found.append((frame, what))
    return found


def _is_risk_factor(tree: Tree, noun: Token) -> bool:
    return any(tree.lemma(c) in ("risk", "causative", "etiologic") for c in noun.children)
