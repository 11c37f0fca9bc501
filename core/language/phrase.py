"""Names of things in a sentence: their words without what is said of them, and whether it is their absence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.language import lexicon
from core.language.grammar import child
from core.language.parser import Tree
from core.language.statement import Phrase

if TYPE_CHECKING:
    from spacy.tokens import Token

_LEFT_OUT = frozenset(
    "relcl appos conj cc preconj punct advcl det predet mark aux auxpass neg expl nsubj nsubjpass csubj ccomp "
    "parataxis meta intj case".split()
)
_EMPTY = frozenset(("DET", "ADP", "CCONJ", "SCONJ", "PART", "PUNCT", "AUX", "PRON", "SPACE"))
_PREPOSITIONS_OUT = frozenset("due because such including like without despite as unlike than by".split())


def phrase(tree: Tree, token: Token, text: str) -> Phrase:
    """The phrase that a word heads."""
    head, absent = _present(tree, token)
    tokens = sorted(_tokens(tree, head), key=lambda each: each.i)
    marked = [token, *tokens] if absent else tokens
    start = min(tree.units[each.i].start for each in marked)
    end = max(tree.units[each.i].end for each in marked)
    lemmas = [part for each in tokens if _is_content(tree, each, head) for part in tree.lemma(each).split()]
    lemmas = lemmas or [tree.lemma(head)]
    return Phrase(
        text=text[start:end],
        start=start,
        end=end,
        head=tree.lemma(head),
        lemmas=tuple(lemmas),
        absent=absent,
    )


def _is_content(tree: Tree, token: Token, head: Token) -> bool:
    if token.i == head.i:
        return True
    if token.text.isupper() and len(token.text) == 1 and token.text.isalpha():
        return True  # the C of vitamin C
    lemma = tree.lemma(token)
    quantifier = lemma in lexicon.words("frequency", "word") or (
        token.dep_ in ("amod", "compound")
        and lemma in lexicon.words("absence", "adjective") | lexicon.words("absence", "verb")
    )
    return token.pos_ not in _EMPTY and not quantifier and any(c.isalnum() for c in lemma)


def _present(tree: Tree, token: Token) -> tuple[Token, bool]:
    """What a word names, or what it names the absence of."""
    lemma = tree.lemma(token)
    if {lemma, str(token.lemma_).lower()} & lexicon.words("absence", "verb") and token.tag_ in ("VBG", "VB"):
        what = child(token, "dobj", "xcomp")
        if what is None:
            from_ = child(token, "prep")
            what = child(from_, "pobj", "pcomp") if from_ is not None else None
        return (what, True) if what is not None else (token, False)
    if {lemma, str(token.lemma_).lower()} & lexicon.words("absence", "noun"):
        of = next((c for c in token.children if c.dep_ == "prep" and c.text.lower() in ("of", "in", "from")), None)
        what = child(of, "pobj", "pcomp") if of is not None else None
        what = what or child(token, "compound", "amod", "nmod")
        return (what, True) if what is not None else (token, False)
    quitting = any(
        c.dep_ in ("amod", "compound") and tree.lemma(c) in lexicon.words("absence", "verb") for c in token.children
    )
    negated_copula = token.dep_ in ("xcomp", "ccomp") and any(c.dep_ == "neg" for c in token.head.children)
    denied = (negated_copula and str(token.head.lemma_) == "be") or any(
        c.dep_ in ("neg", "preconj", "advmod") and c.text.lower() in ("not", "n't", "never") for c in token.children
    )
    wanting = any(c.dep_ == "amod" and tree.lemma(c) in lexicon.words("absence", "adjective") for c in token.children)
    return token, (denied and token.tag_ in ("VBG", "VB")) or wanting or quitting


def _tokens(tree: Tree, token: Token) -> list[Token]:
    found = [token]
    for each in token.children:
        if each.dep_ == "relcl" and tree.lemma(token) in lexicon.words("scope", "population"):
            found += [
                inner for inner in _tokens(tree, each) if inner.i > each.left_edge.i
            ]  # "people who smoke" are not people
            continue
        if each.dep_ in _LEFT_OUT or (each.dep_ == "acl" and each.tag_ != "TO"):
            continue
        if each.dep_ == "prep" and (each.text.lower() in _PREPOSITIONS_OUT or scope_kind(tree, each)):
            continue
        if each.dep_ == "amod" and each.text.lower() in {"such", "due", *lexicon.compounds()}:
            continue
        found += _tokens(tree, each)
    return found


def scope_kind(tree: Tree, preposition: Token) -> str | None:
    """The kind of scope that a prepositional phrase gives: of whom, of what species, when, where."""
    if preposition.text.lower() not in lexicon.words("scope", "prep"):
        return None
    what = child(preposition, "pobj")
    if what is None:
        return None
    lemma = tree.lemma(what)
    if tree.lemma(preposition.head) in lexicon.words("scope", "population") and preposition.text.lower() in (
        "over",
        "at",
    ):
        return None  # "adults over 65 years" are one population
    of = child(what, "prep")
    if lemma == "of" or (lemma in ("number", "group", "majority", "most") and of is not None):
        inner = child(of, "pobj") if of is not None else None
        lemma = tree.lemma(inner) if inner is not None else lemma
    for kind in ("species", "population", "time", "place", "condition"):
        if lemma in lexicon.words("scope", kind):
            return kind
    if what.text.lower() in ("vitro", "vivo"):
        return "species"
    return None
