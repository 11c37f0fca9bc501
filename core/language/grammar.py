"""What the parse says of a clause: its subject, its objects, its marks, with what conjunctions and relatives share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from core.language import lexicon
from core.language.parser import Tree

if TYPE_CHECKING:
    from spacy.tokens import Token

SUBJECTS = frozenset(("nsubj", "nsubjpass", "csubj", "csubjpass"))
_IDIOMS = frozenset("fact reality addition contrast general turn particular theory part".split())  # "in fact"
_MISTAKEN = frozenset("xcomp advmod advcl npadvmod acl ccomp".split())
_NOMINAL = frozenset("NN NNS NNP VBG VBP VB".split())
_NAMING = frozenset(("NN", "NNS", "NNP", "NNPS", "VBG"))
_ALSO_PREPOSITIONS = frozenset("after before until since".split())
_WH = frozenset(("which", "that", "who", "whom"))


def child(token: Token, *deps: str) -> Token | None:
    """The first child in one of these roles."""
    return next((each for each in token.children if each.dep_ in deps), None)


def is_verb(token: Token) -> bool:
    """Whether a word heads a clause."""
    return token.pos_ in ("VERB", "AUX") and token.dep_ not in ("aux", "auxpass", "amod", "compound", "nmod")


def is_passive(token: Token) -> bool:
    """Whether a verb's subject is what is acted on."""
    if token.tag_ != "VBN":
        return child(token, "auxpass") is not None
    if child(token, "auxpass", "nsubjpass", "agent"):
        return True
    if child(token, "aux"):
        return False
    if token.dep_ == "conj" and is_verb(token.head):
        return is_passive(token.head)
    return token.dep_ in ("acl", "relcl", "advcl", "amod", "nmod", "ROOT") and not child(token, "nsubj")


def conjuncts(token: Token) -> Iterator[Token]:
    """A noun and all that is joined to it by "and", "or" or a comma; verbs are no conjuncts of a noun."""
    yield token
    for each in token.children:
        if each.dep_ == "conj" and not (is_verb(each) and each.tag_ not in ("VBG",)):
            yield from conjuncts(each)


def members(tree: Tree, token: Token) -> Iterator[Token]:
    """What a noun phrase names: its conjuncts, and what "such as" and "including" give as examples of it."""
    for each in conjuncts(token):
        yield each
        for example in examples(tree, each):
            yield from conjuncts(example)


def examples(tree: Tree, token: Token) -> Iterator[Token]:
    """What stands after "such as", "including" or "like" of a noun."""
    for each in token.children:
        if each.dep_ != "prep":
            continue
        text = each.text.lower()
        such = text == "as" and any(c.text.lower() == "such" for c in each.children)
        if such or text in ("including", "like"):
            yield from (c for c in each.children if c.dep_ in ("pobj", "dobj"))


def subjects(tree: Tree, verb: Token) -> list[Token]:
    """Who or what a clause is about, also where it is shared with another clause or stands before a relative."""
    own = [each for each in verb.children if each.dep_ in SUBJECTS]
    if own:
        if own[0].text.lower() in _WH and verb.dep_ in ("relcl", "acl", "ccomp", "conj"):
            return _named(tree, verb.head) if verb.dep_ != "conj" else subjects(tree, verb.head)
        named = _before_mark(verb) or _participial(own[0])
        if named is not None:
            return list(conjuncts(named))
        return [each for one in own for each in conjuncts(one)]
    if child(verb, "expl"):
        return []
    before = child(verb, "compound", "npadvmod", "nmod")
    if verb.tag_ == "VBZ" and before is not None and before.i == verb.i - 1:
        return [before]  # "Insulin lowers sugar", with the first two words taken together
    return _shared(tree, verb)


def _before_mark(verb: Token) -> Token | None:
    """What "Cooling after asphyxia improves survival" is about, where "after" was taken for a conjunction."""
    mark, head = child(verb, "mark"), verb.head
    if verb.dep_ != "advcl" or mark is None or mark.lower_ not in _ALSO_PREPOSITIONS:
        return None
    head = head.head if head.dep_ == "acl" else head
    bare = head.dep_ == "ROOT" and head.tag_ in _NAMING and child(head, "aux", "auxpass", *SUBJECTS) is None
    return head if bare and head.i < mark.i else None


def _participial(subject: Token) -> Token | None:
    """What a participle belongs to that was taken for a subject: "Finasteride taken daily slows hair loss"."""
    return child(subject, "nsubj") if subject.dep_ == "csubj" and subject.tag_ == "VBN" else None


def _shared(tree: Tree, verb: Token) -> list[Token]:
    head = verb.head
    if verb.dep_ == "conj" and is_verb(head):
        return subjects(tree, head) if verb.tag_ != "VB" or child(head, *SUBJECTS) or head.dep_ != "ROOT" else []
    if verb.dep_ in ("xcomp", "advcl", "ccomp") and is_verb(head):
        return _controlling(tree, verb, head)
    if verb.dep_ in ("acl", "relcl"):
        return _modified(tree, verb)
    if verb.dep_ == "pcomp":
        return _before_preposition(tree, head)
    if verb.dep_ in ("xcomp", "advcl", "ccomp"):  # an adjective's complement: "effective in treating"
        return _before_preposition(tree, verb)
    return []


def _before_preposition(tree: Tree, preposition: Token) -> list[Token]:
    governor = preposition.head
    if governor.dep_ in ("acomp", "attr", "oprd") or is_verb(governor):
        verb = governor if is_verb(governor) else governor.head
        return _controlling(tree, preposition, verb)
    if governor.pos_ in ("NOUN", "PROPN"):
        return [governor] if tree.lemma(governor) in lexicon.words("use", "way") else []
    return []


def _controlling(tree: Tree, clause: Token, verb: Token) -> list[Token]:
    """The subject of a clause without one: what is used, taken or given, or else who the governing verb is about."""
    used = tree.lemma(verb) in lexicon.words("use", "verb") | lexicon.words("use", "take")
    dobj = child(verb, "dobj")
    if is_passive(verb) or not used or dobj is None:
        found = [each for each in subjects(tree, verb) if tree.lemma(each) not in lexicon.words("use", "way")]
        if found or clause.dep_ != "advcl":
            return found
        return [verb]  # "To prevent malaria, sleep under a net"
    return list(conjuncts(dobj))


def _modified(tree: Tree, verb: Token) -> list[Token]:
    """The noun that a participle or an infinitive belongs to; of a way or a means, what the way is said to be."""
    noun = verb.head
    if tree.lemma(noun) in lexicon.words("use", "way") and noun.dep_ in ("nsubj", "attr"):
        copula = noun.head
        others = ("attr", "xcomp", "ccomp", "acomp", "oprd") if noun.dep_ == "nsubj" else ("nsubj", "csubj")
        other = child(copula, *others)
        if other is not None:
            return list(conjuncts(other))
        if copula.tag_ == "VBG" or copula.tag_ == "VB":
            return [copula]
        return []
    if noun.dep_ == "dobj" and any(c.text == "to" for c in verb.children):
        governor = noun.head
        if tree.lemma(governor) in ("have", "lack", "do"):
            return subjects(tree, governor)  # "has the ability to reduce"
    return _named(tree, noun)


def _named(tree: Tree, noun: Token) -> list[Token]:
    """A noun before a relative clause, or what is said to be it: "Cholera is an infection that causes diarrhea"."""
    if noun.dep_ == "attr" and is_verb(noun.head) and tree.lemma(noun.head) == "be":
        return subjects(tree, noun.head) or list(conjuncts(noun))
    if noun.dep_ == "appos":
        return [noun.head]
    return list(conjuncts(noun))


def means(tree: Tree, verb: Token) -> list[Token]:
    """What people do something with: "you can lower your risk by not smoking", "doctors treat gout with colchicine"."""
    return [
        m
        for each in verb.children
        if each.dep_ in ("prep", "agent") and each.text.lower() in ("by", "with", "through", "using")
        for c in each.children
        if c.dep_ in ("pobj", "pcomp")
        for m in members(tree, c)
    ]


def objects(tree: Tree, verb: Token) -> list[Token]:
    """What a verb acts on; of a relative without it, the noun that the relative belongs to."""
    direct = [each for each in verb.children if each.dep_ in ("dobj", "oprd")]
    if not direct:
        sharing = [
            each for each in verb.children if each.dep_ == "conj" and is_verb(each) and not child(each, *SUBJECTS)
        ]
        own = child(verb, "prep", "acomp", "attr", "xcomp", "ccomp", "agent")
        if sharing and own is None and not is_passive(verb):  # "treats or prevents colds"
            return objects(tree, sharing[0])
        following = [
            each for each in verb.children if each.i > verb.i and each.dep_ in _MISTAKEN and each.tag_ in _NOMINAL
        ]
        if following and not child(following[0], "aux", "mark"):
            return following[:1]  # "slows ageing", "increases appetite"
        if verb.dep_ == "relcl" and child(verb, "nsubj") and child(verb, "nsubj").text.lower() not in _WH:  # type: ignore[union-attr]
            return list(conjuncts(verb.head))
    found = []
    for each in direct:
        if each.text.lower() in _WH and verb.dep_ == "relcl":
            found += list(conjuncts(verb.head))
        else:
            found += list(members(tree, each))
    return found


def prepositional(tree: Tree, token: Token, preposition: str) -> list[Token]:
    """The objects of a word's preposition, "between" giving both sides."""
    found: list[Token] = []
    for each in token.children:
        if (
            each.dep_ in ("prep", "agent", "dative", "prt", "pcomp", "amod", "xcomp", "advmod")
            and tree.lemma(each) == preposition
        ):
            for pobj in each.children:
                if tree.lemma(pobj) in _IDIOMS:
                    continue
                if pobj.dep_ in ("pobj", "pcomp", "dobj"):
                    found += members(tree, pobj)
                elif pobj.dep_ in ("prep", "pcomp") and pobj.text.lower() in ("to", "of"):
                    found += [m for c in pobj.children if c.dep_ == "pobj" for m in members(tree, c)]
    return found


def clause(token: Token) -> list[Token]:
    """The words of a clause, without the clauses joined to it or set into it."""
    found = [token]
    for each in token.children:
        if each.dep_ == "conj" and is_verb(each):
            continue
        if each.dep_ in ("relcl", "advcl", "parataxis") or (
            each.dep_ == "ccomp" and token.dep_ == "ROOT" and each.i < token.i
        ):
            continue
        found += clause(each)
    return found
