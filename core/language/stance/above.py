"""What the words above a clause say of it: verbs that report, nouns such as "evidence" and "myth", adjectives."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from core.language import lexicon
from core.language.grammar import SUBJECTS, child, is_verb
from core.language.parser import Tree
from core.language.stance.denial import is_denied_noun
from core.language.stance.own import Stance, own

if TYPE_CHECKING:
    from spacy.tokens import Token


def governed(tree: Tree, verb: Token, found: Stance) -> None:  # noqa: C901  a list of cases reads best in one place
    """What a verb says of the clause under it."""
    lemma = tree.lemma(verb)
    above = own(tree, verb)
    if above.negated and lemma in lexicon.words("report", "weak") | lexicon.words("report", "refuted"):
        return  # "It cannot be denied that"
    found.weaken(above.modality)
    found.ascribe(above.attribution)
    if lemma == "be" or child(verb, "acomp", "attr"):
        predicate = child(verb, "acomp", "attr", "oprd")
        if predicate is not None:
            adjective(tree, predicate, found, above.negated)
            return
        subject = child(verb, "nsubj")
        if subject is not None:  # "A widespread fear is that"
            _called(tree.lemma(subject), found, above.negated)
            return
    past = any(
        c.dep_ in ("advmod", "amod") and c.text.lower() in lexicon.words("report", "past") for c in verb.children
    )
    if lemma in lexicon.words("hedge", "suppose") and verb.tag_ == "VBG":
        found.weaken("hypothetical")  # "Assuming that"
    elif lemma in lexicon.words("ask", "direct"):
        found.weaken("asked")
    elif lemma in lexicon.words("report", "refuted") and lemma != "deny":
        _refute(found, not above.negated)
    elif lemma in lexicon.words("report", "weak"):
        found.ascribe("believed")
        found.weaken("hedged")
    elif lemma in lexicon.words("negation", "verb"):
        found.deny(not above.negated)
    elif lemma in lexicon.words("report", "believed") or (past and lemma in lexicon.words("report", "shown")):
        found.ascribe("believed")
        found.deny(above.negated)
    elif lemma in lexicon.words("report", "shown"):
        if above.negated:
            found.deny()
            found.weaken("hedged")
        else:
            found.ascribe("shown")
    elif lemma in lexicon.words("hedge", "verb"):
        found.weaken("hedged")
        found.deny(above.negated)
    else:
        found.deny(above.negated)


def adjective(tree: Tree, predicate: Token, found: Stance, negated: bool = False) -> None:  # noqa: C901  a list of cases reads best in one place
    """What "It is unlikely that", "It is a myth that" say of the clause after it."""
    lemma = tree.lemma(predicate)
    negated ^= own(tree, predicate).negated
    compared = [c for c in predicate.children if c.lower_ in ("more", "less")]
    if lemma == "likely" and compared:
        found.weaken("hedged")
        return
    subject = child(predicate.head, "nsubj")
    if lemma in lexicon.words("report", "believed_adjective") and subject is not None and subject.lower_ != "it":
        found.ascribe("believed")  # "Physicians were certain that"
    elif lemma in lexicon.words("report", "refuted_adjective") | lexicon.words("report", "refuted_noun"):
        _refute(found, not negated)
    elif lemma in lexicon.words("report", "true_adjective"):
        if negated:
            found.ascribe("refuted")
    elif lemma in lexicon.words("report", "unproven_adjective"):
        found.ascribe("believed")
    elif lemma in lexicon.words("hedge", "unlikely"):
        found.weaken("hedged")
        found.deny(not negated)
    elif lemma in lexicon.words("ask", "adjective") | lexicon.words("ask", "noun"):
        found.weaken("asked")
    elif lemma in lexicon.words("hedge", "adjective") | lexicon.words("hedge", "noun"):
        found.weaken("hedged")
        found.deny(negated)
    elif lemma in lexicon.words("report", "believed_noun"):
        found.ascribe("believed")
    elif lemma in lexicon.words("negation", "adjective"):
        found.deny(not negated)
    else:
        found.deny(negated)


def of_noun(tree: Tree, node: Token, noun: Token, found: Stance) -> bool:  # noqa: C901  a list of cases reads best in one place
    """What "evidence that", "the idea that", "no drug that" say of the clause after them."""
    lemma = tree.lemma(noun)
    relative = any(c.dep_ in SUBJECTS and c.text.lower() in ("which", "who", "that") for c in node.children)
    none = own(tree, noun)
    if lemma in lexicon.words("report", "weak"):  # "no doubt that"
        if not (none.negated ^ _denied_above(tree, noun)):
            found.weaken("hedged")
        return False
    if lemma in lexicon.words("report", "shown_noun") and not relative:
        weak = any(
            c.dep_ in ("amod", "compound") and tree.lemma(c) in lexicon.words("hedge", "weak") for c in noun.children
        )
        denied = none.negated ^ _denied_above(tree, noun)
        if denied:
            found.deny()
        else:
            found.ascribe("shown")
        verdict = child(noun.head, "acomp") if noun.dep_ in SUBJECTS else None
        weak = weak or (verdict is not None and tree.lemma(verdict) in lexicon.words("hedge", "weak"))
        if weak or none.modality != "asserted":
            found.weaken("hedged")
        return False
    if relative or lemma not in _classed():
        found.deny(is_denied_noun(tree, noun) or _is_not_had(tree, node, noun))
        if noun.dep_ == "attr" and is_verb(noun.head):  # "is not a drug that cures"
            found.deny(own(tree, noun.head).negated)
        return noun.dep_ == "attr"
    if lemma in lexicon.words("report", "believed_noun") and noun.dep_ == "dobj" and is_verb(noun.head):
        above = own(tree, noun.head)
        if tree.lemma(noun.head) in lexicon.words("report", "support"):
            found.ascribe("shown")  # "Evidence does not support the claim that"
            found.deny(above.negated)
            found.weaken("hedged" if above.negated else above.modality)
            return False
    _called(lemma, found, none.negated)
    if lemma in lexicon.words("report", "believed_noun"):
        _verdict(tree, noun, found)
    return False


def _is_not_had(tree: Tree, clause: Token, noun: Token) -> bool:
    """Whether there is nothing that does what a clause says: "have not found a way to prevent it"."""
    had = noun.dep_ == "dobj" and tree.lemma(noun.head) in lexicon.words("negation", "found")
    aim = any(c.dep_ == "aux" and c.lower_ == "to" for c in clause.children)
    return had and aim and own(tree, noun.head).negated


def _called(lemma: str, found: Stance, negated: bool) -> None:
    """What a noun such as "belief", "myth", "aim" or "possibility" says of the clause that it stands for."""
    if lemma in lexicon.words("report", "refuted_noun"):
        _refute(found, not negated)
    elif lemma in lexicon.words("report", "believed_noun"):
        found.ascribe("believed")
        found.deny(negated)
    elif lemma in lexicon.words("ask", "noun"):
        found.weaken("asked")
    elif lemma in lexicon.words("hedge", "noun"):
        found.weaken("hedged")
        found.deny(negated)
    elif lemma in lexicon.words("negation", "noun"):
        found.deny(not negated)


@cache
def _classed() -> frozenset[str]:
    """Nouns that say how the clause after them is meant."""
    return frozenset().union(
        *(lexicon.words("report", f"{name}_noun") for name in ("shown", "believed", "refuted")),
        *(lexicon.words(section, "noun") for section in ("ask", "hedge", "negation")),
        lexicon.words("report", "weak"),
    )


def _verdict(tree: Tree, noun: Token, found: Stance) -> None:
    """What the sentence says of an idea: that it is false, that studies have rejected it, or that it holds."""
    verb = noun.head
    if noun.dep_ in SUBJECTS and is_verb(verb):
        predicate = child(verb, "acomp", "attr", "oprd")
        if predicate is not None:
            adjective(tree, predicate, found, own(tree, verb).negated)
            return
    if is_verb(verb):
        predicated(tree, noun, verb, found)


def predicated(tree: Tree, noun: Token, verb: Token, found: Stance) -> None:
    """What the verb of a noun says of what the noun names: that it was found, was not found, was rejected."""
    lemma = tree.lemma(verb)
    above = own(tree, verb)
    if noun.dep_ in SUBJECTS and is_denied_noun(tree, noun):
        above.deny()  # it is counted with the noun itself
    found.weaken(above.modality)
    found.ascribe(above.attribution)
    found.deny(above.negated)
    acts = noun.dep_ in ("nsubjpass", "dobj")
    if lemma in lexicon.words("report", "refuted") and acts and lemma != "deny":
        found.negated ^= above.negated
        _refute(found, not above.negated)
    elif lemma in lexicon.words("negation", "verb") | {"deny"} and acts:
        found.deny()
    elif lemma in lexicon.words("ask", "direct") and acts:
        found.weaken("asked")
    elif lemma in lexicon.words("report", "shown") and acts and not above.negated:
        found.ascribe("shown")
    elif lemma in lexicon.words("hedge", "verb") and acts:
        found.weaken("hedged")


def _denied_above(tree: Tree, noun: Token) -> bool:
    """Whether the clause that a noun stands in denies it: "did not find evidence", "lack of evidence"."""
    node = noun
    denied = False
    for _ in range(4):
        head = node.head
        if node.dep_ == "pobj" and tree.lemma(head.head) in lexicon.words("negation", "noun"):
            return not denied
        if node.dep_ == "pobj" and head.text.lower() in lexicon.words("negation", "prep"):
            return not denied
        if node.dep_ in (*SUBJECTS, "dobj", "attr") and is_verb(head):
            above = own(tree, head)
            doubled = node.dep_ in SUBJECTS and is_denied_noun(tree, node)
            return denied ^ above.negated ^ doubled ^ (tree.lemma(head) in lexicon.words("negation", "verb"))
        node = head
    return denied


def _refute(found: Stance, yes: bool) -> None:
    if yes:
        found.ascribe("refuted")
    else:
        found.weaken("hedged")
