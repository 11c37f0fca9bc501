"""How a clause is said: denied or not, how surely and by whom, from its own words and from the clauses around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.language import lexicon
from core.language.grammar import SUBJECTS, child, is_verb
from core.language.parser import Tree
from core.language.stance.above import adjective, governed, of_noun, predicated
from core.language.stance.own import Stance, own
from core.language.statement import Attribution

if TYPE_CHECKING:
    from spacy.tokens import Token

_EMBEDDED = frozenset(("ccomp", "xcomp", "csubj", "csubjpass", "acl", "relcl", "advcl", "pcomp"))

_DEFINING = frozenset(("attr", "appos", "oprd"))
"""Where a noun stands for what another is: a clause on it is said of that."""


def stance(tree: Tree, token: Token) -> Stance:
    """How the clause or noun phrase of a word is said."""
    found = own(tree, token)
    source = _according(tree)
    if source:
        found.ascribe(source)
    node = token
    seen = 0
    while node.dep_ != "ROOT" and seen < 24:
        seen += 1
        head = node.head
        if not _rise(tree, node, head, found):
            break
        node = head
    if tree.doc[-1].text == "?" or tree.units[-1].text == "?":
        found.weaken("asked")
    return found


def _according(tree: Tree) -> Attribution | None:
    """Whose word a sentence takes that begins with "According to"."""
    if len(tree.doc) < 4 or tree.doc[0].lower_ != "according":
        return None
    named = {tree.lemma(each) for each in tree.doc[1:8]}
    if named & lexicon.words("report", "study"):
        return "shown"
    return "believed" if named & lexicon.words("report", "believer") else None


def _restricts(node: Token, head: Token) -> bool:
    """Whether a clause says which of something is meant.

    "Blood pressure that is too low can harm" calls none low, and "hemophilia that is not inherited is called acquired"
    denies of no other that it is; but "cetirizine is a drug that does not cause sleepiness" says so of cetirizine.
    """
    if node.dep_ != "relcl" or any(token.text == "," for token in head.doc[head.i : node.i]):
        return False
    told = {each.dep_ for each in node.children}
    if "neg" in told:
        return head.dep_ not in _DEFINING
    return node.lemma_ == "be" and "acomp" in told and head.dep_ in SUBJECTS


def _rise(tree: Tree, node: Token, head: Token, found: Stance) -> bool:  # noqa: C901  a list of cases reads best in one place
    """Take in what the word above says of this one; return whether what stands above that still matters."""
    dep = node.dep_
    if dep == "conj":
        return True
    mark = child(node, "mark")
    marked = mark.text.lower() if mark is not None else ""
    if dep == "advcl":
        return _adverbial(tree, node, head, marked, found)
    if dep in ("relcl", "acl") and head.pos_ in ("NOUN", "PROPN", "PRON"):
        if _restricts(node, head):
            found.weaken("hypothetical")
        return of_noun(tree, node, head, found)
    if dep == "ccomp" and head.pos_ in ("NOUN", "PROPN"):
        return of_noun(tree, node, head, found)
    if marked in lexicon.words("ask", "mark") and dep in ("ccomp", "xcomp", "csubj", "acl", "pcomp"):
        found.weaken("asked")
        return False
    if dep in ("attr", "acomp", "oprd") and is_verb(head):
        above = own(tree, head)
        found.weaken(above.modality)
        found.ascribe(above.attribution)
        found.deny(above.negated)
        return True
    if dep in _EMBEDDED or dep == "acomp":
        if is_verb(head):
            if dep == "ccomp" and _is_parallel(node, head):
                return False
            governed(tree, head, found)
        elif head.pos_ == "ADJ":
            adjective(tree, head, found)
        return True
    if dep in ("prep", "agent"):
        return True
    if dep == "pobj":
        if head.text.lower() in lexicon.words("negation", "prep") or (
            head.text.lower() == "of" and head.i and head.nbor(-1).text.lower() == "instead"
        ):
            found.deny()
        return True
    if dep in (*SUBJECTS, "dobj", "pcomp"):
        if is_verb(head):
            predicated(tree, node, head, found)
        elif head.text.lower() in lexicon.words("negation", "prep") or (
            head.lower_ == "from" and head.i and head.nbor(-1).lower_ == "far"
        ):
            found.deny()
        return True
    return dep in ("compound", "amod", "nmod", "npadvmod", "appos")


def _is_parallel(node: Token, head: Token) -> bool:
    """Whether a so-called complement stands before its verb without a mark: two sentences joined by a comma."""
    return (
        node.i < head.i
        and child(node, "mark") is None
        and child(head, "nsubj") is not None
        and head.lemma_ not in ("say", "show", "suggest", "think", "believe")
    )


def _adverbial(tree: Tree, node: Token, head: Token, marked: str, found: Stance) -> bool:
    if marked in lexicon.words("condition", "mark"):
        found.weaken("hypothetical")
        return False
    to = any(c.dep_ == "aux" and c.text.lower() == "to" for c in node.children)
    if to and is_verb(head) and node.i > head.i:
        governed(tree, head, found)
        return True
    return False
