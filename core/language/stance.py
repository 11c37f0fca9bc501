"""How a clause is said: denied or not, how surely and by whom, from its own words and from the clauses around it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from core.language import lexicon
from core.language.grammar import SUBJECTS, child, is_verb
from core.language.parser import Tree
from core.language.statement import Attribution, Modality

if TYPE_CHECKING:
    from spacy.tokens import Token

_MODALITIES: tuple[Modality, ...] = ("asserted", "possible", "hedged", "hypothetical", "asked")
_ATTRIBUTIONS: tuple[Attribution, ...] = ("stated", "shown", "believed", "refuted")
_EMBEDDED = frozenset(("ccomp", "xcomp", "csubj", "csubjpass", "acl", "relcl", "advcl", "pcomp"))


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


def own(tree: Tree, token: Token) -> Stance:
    """What the words of the clause itself, its auxiliaries and adverbs, its subject and its determiners, say."""
    found = Stance()
    before = token.doc[token.i - 1].text.lower() if token.i else ""
    for each in token.children:
        _weigh(tree, each, token, found)
        if each.dep_ in SUBJECTS:
            found.deny(_is_denied_noun(tree, each))
    if before == "no" and token.pos_ in ("NOUN", "PROPN") and not child(token, "det", "neg"):
        found.deny()
    if is_verb(token):
        found.deny(_neither(token))
    shared = _sharing(token)
    if shared is not None:
        for each in shared.children:
            if each.dep_ == "neg":
                found.deny(_shares_denial(token, shared))
            elif each.dep_ == "aux":
                _weigh(tree, each, shared, found)
            elif each.dep_ in SUBJECTS and not child(token, *SUBJECTS):
                found.deny(_is_denied_noun(tree, each))
    return found


def _weigh(tree: Tree, each: Token, token: Token, found: Stance) -> None:  # noqa: C901  a list of cases reads best in one place
    """What one word beside the head of a clause does to it."""
    word = each.text.lower()
    lemma = tree.lemma(each)
    if each.dep_ in ("neg", "advmod", "det", "preconj", "cc") and _denies(each, token):
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
            and not _a_before(each)
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


def _neither(verb: Token) -> bool:
    """Whether a verb is one of those after "neither", or stands after "rather than"."""
    if any(c.text.lower() == "neither" and c.dep_ in ("preconj", "cc", "advmod", "det") for c in verb.children):
        return True
    if verb.dep_ != "conj":
        return False
    joined = {c.text.lower() for c in verb.head.children if c.dep_ == "cc" and c.i < verb.i}
    beside = {c.text.lower() for c in verb.head.children if c.dep_ == "advmod" and c.i < verb.i}
    return ("rather" in joined | beside and "than" in joined) or (
        "nor" in joined and not child(verb, "nsubj") and _neither(verb.head)
    )


def _a_before(scarce: Token) -> bool:
    """Whether it is "a few" or "a little", which are some."""
    return scarce.i > 0 and scarce.nbor(-1).text.lower() in ("a", "the", "these")


def _denies(each: Token, token: Token) -> bool:
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


def _is_denied_noun(tree: Tree, noun: Token) -> bool:
    """Whether a subject or object says that there is none: "no drug", "neither drug", "none of the drugs"."""
    if noun.text.lower() in ("none", "nothing", "nobody", "neither"):
        return True
    if noun.dep_ == "conj":
        joined = {c.text.lower() for c in noun.head.children if c.dep_ == "cc"}
        return bool(joined & {"nor", "or"}) and _is_denied_noun(tree, noun.head)
    following = noun.nbor(1).text.lower() if noun.i + 1 < len(noun.doc) else ""
    for each in noun.children:
        word = each.text.lower()
        if each.dep_ in ("det", "preconj", "neg", "cc") and word in lexicon.words("negation", "determiner"):
            return not (word == "no" and following == "doubt")
        if each.dep_ == "amod" and each.lower_ in ("few", "little", "scant") and not _a_before(each):
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
    return lemma != "doubt" and _is_denied_noun(tree, noun)


def _only(word: Token) -> bool:
    return word.i + 1 < len(word.doc) and word.nbor(1).text.lower() in lexicon.words("negation", "not_negating")


def _sharing(token: Token) -> Token | None:
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


def _shares_denial(token: Token, head: Token) -> bool:
    between = {c.text.lower() for c in head.children if c.dep_ == "cc" and c.i < token.i}
    return bool(between & {"or", "nor"}) or (not between & {"but", "yet"} and token.tag_ == "VB")


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
        return _of_noun(tree, node, head, found)
    if dep == "ccomp" and head.pos_ in ("NOUN", "PROPN"):
        return _of_noun(tree, node, head, found)
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
            _adjective(tree, head, found)
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
            _predicated(tree, node, head, found)
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
            _adjective(tree, predicate, found, above.negated)
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


def _refute(found: Stance, yes: bool) -> None:
    if yes:
        found.ascribe("refuted")
    else:
        found.weaken("hedged")


def _adjective(tree: Tree, predicate: Token, found: Stance, negated: bool = False) -> None:  # noqa: C901  a list of cases reads best in one place
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


def _of_noun(tree: Tree, node: Token, noun: Token, found: Stance) -> bool:  # noqa: C901  a list of cases reads best in one place
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
        found.deny(_is_denied_noun(tree, noun))
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
            _adjective(tree, predicate, found, own(tree, verb).negated)
            return
    if is_verb(verb):
        _predicated(tree, noun, verb, found)


def _predicated(tree: Tree, noun: Token, verb: Token, found: Stance) -> None:
    """What the verb of a noun says of what the noun names: that it was found, was not found, was rejected."""
    lemma = tree.lemma(verb)
    above = own(tree, verb)
    if noun.dep_ in SUBJECTS and _is_denied_noun(tree, noun):
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
            doubled = node.dep_ in SUBJECTS and _is_denied_noun(tree, node)
            return denied ^ above.negated ^ doubled ^ (tree.lemma(head) in lexicon.words("negation", "verb"))
        node = head
    return denied
