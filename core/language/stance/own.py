"""How a clause is said by its own words: its auxiliaries and adverbs, its subject and its determiners."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.language import lexicon
from core.language.grammar import SUBJECTS, child, is_verb
from core.language.parser import Tree
from core.language.stance.denial import a_before, denies, is_denied_noun, neither, shares_denial, sharing
from core.language.statement import Attribution, Modality

if TYPE_CHECKING:
    from spacy.tokens import Token

_MODALITIES: tuple[Modality, ...] = ("asserted", "possible", "hedged", "hypothetical", "asked")
_ATTRIBUTIONS: tuple[Attribution, ...] = ("stated", "shown", "believed", "refuted")


@dataclass
class Stance:
    """How something is said; it only ever becomes weaker, and a denial of a denial is none."""

    negated: bool = False
    modality: Modality = "asserted"
    attribution: Attribution = "stated"

    def weaken(self, modality: Modality) -> None:
        """At most this sure."""
        self.modality = max(self.modality, modality, key=_MODALITIES.index)

    def ascribe(self, attribution: Attribution) -> None:
        """At most this well founded."""
        self.attribution = max(self.attribution, attribution, key=_ATTRIBUTIONS.index)

    def deny(self, yes: bool = True) -> None:
        """Deny it, or take a denial back."""
        self.negated ^= yes


def own(tree: Tree, token: Token) -> Stance:
    """What the words of the clause itself, its auxiliaries and adverbs, its subject and its determiners, say."""
    found = Stance()
    before = token.doc[token.i - 1].text.lower() if token.i else ""
    for each in token.children:
        _weigh(tree, each, token, found)
        if each.dep_ in SUBJECTS:
            found.deny(is_denied_noun(tree, each))
    if before == "no" and token.pos_ in ("NOUN", "PROPN") and not child(token, "det", "neg"):
        found.deny()
    if is_verb(token):
        found.deny(neither(token))
    shared = sharing(token)
    if shared is not None:
        for each in shared.children:
            if each.dep_ == "neg":
                found.deny(shares_denial(token, shared))
            elif each.dep_ == "aux":
                _weigh(tree, each, shared, found)
            elif each.dep_ in SUBJECTS and not child(token, *SUBJECTS):
                found.deny(is_denied_noun(tree, each))
    return found


def _weigh(tree: Tree, each: Token, token: Token, found: Stance) -> None:  # noqa: C901  a list of cases reads best in one place
    """What one word beside the head of a clause does to it."""
    word = each.text.lower()
    lemma = tree.lemma(each)
    if each.dep_ in ("neg", "advmod", "det", "preconj", "cc") and denies(each, token):
        found.deny()
    elif each.dep_ == "aux":
        if word in lexicon.words("hedge", "aux"):
            found.weaken("hedged")
        elif word in ("can", "ca"):
            found.weaken("possible")
    elif each.dep_ in ("advmod", "amod", "det", "npadvmod"):
        if word in lexicon.words("hedge", "adverb") or (
            each.dep_ == "amod" and lemma in lexicon.words("hedge", "adjective") and not is_verb(token)
        ):
            found.weaken("hedged")
        elif (
            word in lexicon.words("negation", "scarce")
            and token.pos_ == "NOUN"
            and word != "least"
            and not a_before(each)
        ):
            found.deny()
            found.weaken("hedged")
        elif word in lexicon.words("report", "adverb_believed"):
            found.ascribe("believed")
        elif word in lexicon.words("report", "adverb_refuted"):
            found.ascribe("refuted")
        elif word in ("longer", "more", "better", "different", "worse", "further") and any(
            c.text.lower() == "no" for c in each.children
        ):
            found.deny()
