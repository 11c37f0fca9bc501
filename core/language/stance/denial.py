"""What is denied inside a clause: by "not", "no", "neither", "few", and by what joined words share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.language import lexicon
from core.language.grammar import child, is_verb
from core.language.parser import Tree

if TYPE_CHECKING:
    from spacy.tokens import Token


def neither(verb: Token) -> bool:
    """Whether a verb is one of those after "neither", or stands after "rather than"."""
    if any(c.text.lower() == "neither" and c.dep_ in ("preconj", "cc", "advmod", "det") for c in verb.children):
        return True
    if verb.dep_ != "conj":
        return False
    joined = {c.text.lower() for c in verb.head.children if c.dep_ == "cc" and c.i < verb.i}
    beside = {c.text.lower() for c in verb.head.children if c.dep_ == "advmod" and c.i < verb.i}
    return ("rather" in joined | beside and "than" in joined) or (
        "nor" in joined and not child(verb, "nsubj") and neither(verb.head)
    )


def a_before(scarce: Token) -> bool:
    """Whether it is "a few" or "a little", which are some."""
    return scarce.i > 0 and scarce.nbor(-1).text.lower() in ("a", "the", "these")


def denies(each: Token, token: Token) -> bool:
    """Whether a word beside the head of a clause denies the clause; "not only" and "no doubt" do not."""
    word = each.text.lower()
    if each.dep_ == "cc":
        return False
    if each.dep_ in ("det", "preconj"):
        denied = word in lexicon.words("negation", "determiner")
        return denied and each.dep_ == "det"
    if word not in lexicon.words("negation", "adverb"):
        return False
    following = each.nbor(1).text.lower() if each.i + 1 < len(each.doc) else ""
    if following in lexicon.words("negation", "not_negating") and word == "not":
        return False
    return not (word == "no" and following in ("longer", "doubt"))


def is_denied_noun(tree: Tree, noun: Token) -> bool:
    """Whether a subject or object says that there is none: "no drug", "neither drug", "none of the drugs"."""
    if noun.text.lower() in ("none", "nothing", "nobody", "neither"):
        return True
    if noun.dep_ == "conj":
        joined = {c.text.lower() for c in noun.head.children if c.dep_ == "cc"}
        return bool(joined & {"nor", "or"}) and is_denied_noun(tree, noun.head)
    following = noun.nbor(1).text.lower() if noun.i + 1 < len(noun.doc) else ""
    for each in noun.children:
        word = each.text.lower()
        if each.dep_ in ("det", "preconj", "neg", "cc") and word in lexicon.words("negation", "determiner"):
            return not (word == "no" and following == "doubt")
        if each.dep_ == "amod" and each.lower_ in ("few", "little", "scant") and not a_before(each):
            return True
    return False


def denied_alone(noun: Token) -> bool:
    """Whether "not" stands right before a noun: "aspirin, not ibuprofen, prevents"."""
    if noun.tag_ in ("VB", "VBG") or noun.left_edge.i == 0:
        return False
    first = noun.left_edge
    before = first if first.lower_ == "not" else first.nbor(-1)
    return (
        before.lower_ == "not" and not _only(before) and before.nbor(-1).lower_ in (",", "but", "and")
        if before.i
        else False
    )


def denied_object(tree: Tree, noun: Token) -> bool:
    """Whether an object is denied by its own determiner, or by the one that a conjunction shares with it."""
    lemma = tree.lemma(noun)
    if any(
        c.dep_ == "neg" or (c.dep_ in ("preconj", "advmod") and c.text.lower() == "not" and not _only(c))
        for c in noun.children
    ):
        return noun.tag_ not in ("VB", "VBG")
    if noun.dep_ == "conj" and noun.i > 0:
        before = {noun.nbor(-1).text.lower(), noun.nbor(-2).text.lower() if noun.i > 1 else ""}
        if "not" in before:
            return True
    return lemma != "doubt" and is_denied_noun(tree, noun)


def _only(word: Token) -> bool:
    return word.i + 1 < len(word.doc) and word.nbor(1).text.lower() in lexicon.words("negation", "not_negating")


def sharing(token: Token) -> Token | None:
    """The verb whose auxiliaries a joined verb without its own shares: "does not treat or prevent"."""
    if token.dep_ != "conj" or not is_verb(token.head) or child(token, "nsubj", "nsubjpass"):
        return None
    head = token.head
    if child(token, "aux", "auxpass", "neg"):
        return None
    if token.tag_ == "VB" and child(head, "aux"):
        return head
    if token.tag_ == "VBN" and child(head, "auxpass", "aux"):
        return head
    return head if not child(head, "aux", "auxpass") and _is_denied_subject_shared(token) else None


def _is_denied_subject_shared(token: Token) -> bool:
    return any(c.text.lower() in ("or", "nor") for c in token.head.children if c.dep_ == "cc")


def shares_denial(token: Token, head: Token) -> bool:
    """Whether the denial of a verb reaches one that is joined to it: "does not treat or prevent"."""
    between = {c.text.lower() for c in head.children if c.dep_ == "cc" and c.i < token.i}
    return bool(between & {"or", "nor"}) or (not between & {"but", "yet"} and token.tag_ == "VB")
