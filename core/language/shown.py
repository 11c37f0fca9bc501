"""Sentences as the parser is shown them: in an order and in words that it knows how to read, each at its own place.

The parser was trained on news. It reads "metformin lowers glucose", "Does smoking prevent cancer?" and "The idea that
vaccines cause autism is a myth" wrongly, and the same words rightly with a capital, in the order of a statement, or
with a plainer verb.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.language import lexicon
from core.language.grammar import SUBJECTS, child, is_verb
from core.language.parser import Tree, Unit, parse
from core.language.relations import drafts

if TYPE_CHECKING:
    from spacy.tokens import Token

_MODALS = frozenset("does do did can could may might will would should has have had must".split())
_BE = frozenset(("is", "are", "was", "were"))
_NOT_BEFORE_VERB = frozenset("a an the of in and or with for any to on by from at this that".split())
_ARTICLES = frozenset(("a", "an", "the", "one", "due"))
_ENDS = (".", "!", "?", ":", ";")


def parsed(listed: Sequence[list[Unit]]) -> list[Tree]:
    """Trees of sentences; where a first parse looks wrong, the one of two that relates more."""
    trees = parse([_shown(each) for each in listed])
    again = {n: other for n, tree in enumerate(trees) if (other := _otherwise(tree)) is not None}
    for n, tree in zip(again, parse(list(again.values())) if again else (), strict=True):
        if _score(tree) > _score(trees[n]):
            trees[n] = tree
    return trees


def _score(tree: Tree) -> int:
    """How much a parse relates: what has both a subject and an object, twice where the relation is a known one."""
    root = tree.doc[0]
    if root.dep_ == "ROOT" and root.lower_ in _BE and not child(root, *SUBJECTS):
        return 0  # "Are antibiotics useful" without a subject
    whole = (each for each in drafts(tree) if each.subjects and each.objects)
    return sum(1 if each.kind in ("other", "be", "have") else 2 for each in whole)


def _shown(own: list[Unit]) -> list[Unit]:
    """A capital first, a full stop last, a yes/no question in the order of a statement, a verdict on an idea first."""
    own = _declared(own) if own[-1].text == "?" else _verdict_first(own)
    first, last = own[0], own[-1]
    if first.shown[:1].islower() and first.shown.isalpha():
        own = [first._replace(shown=first.shown[:1].upper() + first.shown[1:]), *own[1:]]
    if last.shown not in _ENDS:
        own = [*own, Unit("", last.end, last.end, ".")]
    return own


def _declared(own: list[Unit]) -> list[Unit]:
    """Show "Does smoking prevent cancer?" as "Smoking does prevent cancer."."""
    if own[0].text.lower() not in _MODALS or len(own) < 4:
        return own
    verbs = lexicon.frames("verb")
    for n in range(2, len(own) - 1):
        known = own[n].text.lower() in verbs or own[n].text.lower() == "be"
        if known and own[n - 1].text.lower() not in _NOT_BEFORE_VERB:
            return _moved(own, n)
    return own


def _moved(own: Sequence[Unit], to: int) -> list[Unit]:
    """The first word, an auxiliary, before another, and a full stop for the question mark."""
    auxiliary = own[0]._replace(shown=own[0].text.lower())
    return [*own[1:to], auxiliary, *own[to:-1], own[-1]._replace(shown=".")]


def _verdict_first(own: list[Unit]) -> list[Unit]:
    """Show "The idea that P is a myth" as "It is a myth that P"."""
    ideas = lexicon.words("report", "believed_noun")
    that = next((n for n in range(1, min(5, len(own))) if own[n].text.lower() == "that"), None)
    if that is None or own[that - 1].text.lower().removesuffix("s") not in ideas:
        return own
    names = ("refuted_adjective", "refuted_noun", "unproven_adjective")
    verdicts = frozenset[str]().union(*(lexicon.words("report", name) for name in names))
    for n in range(len(own) - 1, that + 3, -1):
        if own[n].text.lower() in _BE:
            tail = {unit.text.lower() for unit in own[n:]}
            if len(own) - n > 7 or not tail & verdicts or "not" in tail:
                return own
            end = own[-1] if own[-1].text in _ENDS else Unit("", own[-1].end, own[-1].end, ".")
            verdict = own[n : -1 if own[-1].text in _ENDS else len(own)]
            verdict[0] = verdict[0]._replace(shown="is" if verdict[0].text.lower() in ("is", "are") else "was")
            it = Unit("", own[0].start, own[0].start, "It")
            return [it, *verdict, *own[that:n], end]
    return own


def _otherwise(tree: Tree) -> list[Unit] | None:
    """Another way to show a sentence that may have been misread; None where nothing looks wrong."""
    first = tree.units[0].text.lower()
    if first in _BE and tree.units[-1].text == "?" and not _score(tree):
        return _copula_moved(tree.units)
    changed: list[Unit] = []
    for unit, token in zip(tree.units, tree.doc, strict=True):
        if _misread(tree, token):
            changed += [Unit("", unit.start, unit.start, "will"), unit._replace(shown="affect")]
        else:
            changed.append(unit)
    if first == "not" and tree.units[0].shown == "Not" and tree.doc[1].tag_ == "VBG":
        at = changed[0].end  # "Not smoking prevents cancer"
        changed[:1] = [changed[0]._replace(shown="Avoidance"), Unit("", at, at, "of")]
    return changed if changed != list(tree.units) else None


def _misread(tree: Tree, token: Token) -> bool:
    """Whether a word that may relate was taken for a noun or a participle where a verb may stand."""
    word = token.lower_
    verbs = lexicon.frames("verb")
    past = word in lexicon.words("ambiguous", "past") and token.dep_ in ("amod", "acl", "compound", "nmod")
    known = word.endswith("s") and (word[:-1] in verbs or word[:-2] in verbs)
    known = known or word in lexicon.words("ambiguous", "base")
    return (past or (known and not is_verb(token))) and _may_be_verb(tree, token.i)


def _may_be_verb(tree: Tree, at: int) -> bool:
    if at == 0 or at + 2 >= len(tree.units):
        return False
    before, after = tree.doc[at - 1], tree.doc[at + 1]
    if before.pos_ in ("DET", "ADP", "ADJ") or before.dep_ in ("det", "prep", "poss", "aux"):
        return False
    return after.text.lower() not in ("of", "and", "or", "for", ",", "is", "are", "was", "were")


def _copula_moved(given: Sequence[Unit]) -> list[Unit] | None:
    """Show "Is metformin effective for gout?" as "Metformin is effective for gout."."""
    adjectives = lexicon.frames("adjective")
    ineffective = lexicon.words("negation", "ineffective")
    for n in range(2, len(given) - 1):
        word = given[n].text.lower()
        if word in _ARTICLES or word in adjectives or word in ineffective or word.endswith("ed"):
            return _moved(given, n)
    return None
