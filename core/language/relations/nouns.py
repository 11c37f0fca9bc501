"""Relations that stand in and beside nouns: "treatment of gout with colchicine", "fatigue due to anemia"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from core.language import lexicon
from core.language.grammar import (
    SUBJECTS,
    child,
    conjuncts,
    is_passive,
    is_verb,
    prepositional,
    subjects,
)
from core.language.lexicon import Frame
from core.language.parser import Tree
from core.language.relations.draft import EVENTS, Draft, complemented, drafted
from core.language.statement import RelationKind

if TYPE_CHECKING:
    from spacy.tokens import Token

_ACTING = ("with", "by", "using", "from", "through", "via")
_LIGHT = frozenset("have play show exert provide offer produce lead result cause be serve act function".split())


def nominal(tree: Tree, noun: Token) -> Iterator[Draft]:  # noqa: C901  a list of cases reads best in one place
    """A relation that a noun carries: "treatment of gout with colchicine", "no link between stress and ulcers"."""
    lemma = tree.lemma(noun)
    if lemma not in lexicon.frames("noun"):
        return
    if noun.dep_ in ("attr", "oprd") and child(noun.head, *SUBJECTS):
        return  # told with its copula
    if any(frame.kind == "associate" for frame in lexicon.frames("noun")[lemma]):
        verb = noun.head if noun.dep_ in ("nsubjpass", "attr", "dobj", "nsubj") else noun
        sides = prepositional(tree, noun, "between") or prepositional(tree, verb, "between")
        if len(sides) >= 2:
            yield Draft("associate", noun, lemma, sides[:1], sides[1:])
            return
    on = prepositional(tree, noun, "on") or prepositional(tree, noun, "upon")
    if on:  # "the effect of aspirin on mortality"
        own = prepositional(tree, noun, "of") or _acting(tree, noun, Frame("associate", "on", "active"))
        yield Draft("associate", noun, lemma, own, on)
        return
    for frame, what in complemented(tree, noun)[:1] or _compounded(tree, noun):
        acting = _acting(tree, noun, frame)
        if str(frame.kind) == "risk":
            if acting:
                fewer = any(c.text.lower() in lexicon.words("direction", "down") for c in noun.children)
                kind: RelationKind = "lower" if fewer else "raise"  # "have a lower risk of"
                yield Draft(kind, noun, lemma, acting, what, risk=True)
        elif acting or (
            noun.dep_ in ("attr", "dobj", "nsubjpass") and frame.kind in ("treat", "prevent", "cause", "associate")
        ):
            if frame.kind == "associate" and noun.dep_ in ("attr", "dobj", "nsubjpass", "nsubj"):
                acting = acting or [each for each in prepositional(tree, noun, "of") if each not in what]
            yield drafted(frame, noun, lemma, acting, what)


def _compounded(tree: Tree, noun: Token) -> list[tuple[Frame, list[Token]]]:
    """What stands before a noun that names a treatment, a prevention or a test: "malaria prevention"."""
    before = child(noun, "compound", "nmod")
    frames = [
        frame for frame in lexicon.frames("noun")[tree.lemma(noun)] if frame.kind in ("treat", "prevent", "diagnose")
    ]
    if (
        before is None
        or not frames
        or noun.dep_ != "pobj"
        or tree.lemma(noun) not in ("treatment", "prevention", "diagnosis", "prophylaxis")
    ):
        return []
    return [(frames[0], [before])]


def _acting(tree: Tree, noun: Token, frame: Frame) -> list[Token]:  # noqa: C901  a list of cases reads best in one place
    """What acts in a relation that a noun carries: named beside it, or the subject of the verb that it belongs to."""
    for preposition in _ACTING:
        acting = prepositional(tree, noun, preposition)
        if acting and frame.preposition != preposition:
            return acting
    if noun.dep_ == "appos":
        return [noun.head]
    head = noun.head
    if noun.dep_ == "dobj" and (tree.lemma(head) in _LIGHT or tree.lemma(head) in lexicon.words("use", "verb")):
        return [] if is_passive(head) else subjects(tree, head)
    if noun.dep_ == "conj" and noun.head.dep_ == "pobj":
        head = noun.head.head
    elif noun.dep_ == "pobj":
        head = noun.head
    else:
        return []
    while head.dep_ == "conj":  # "for diabetes and in the treatment of obesity"
        head = head.head
    governor = head.head
    if str(frame.kind) == "risk" and head.lower_ == "at" and is_verb(governor):
        return subjects(tree, governor)  # "are at risk of"
    if head.text.lower() not in ("for", "in", "as", "to") or (head.text.lower() != "as" and frame.kind not in EVENTS):
        return []
    if is_verb(governor):
        known = tree.lemma(governor) in lexicon.words("use", "verb") | _LIGHT
        return subjects(tree, governor) if known else []
    if governor.dep_ in ("acomp", "attr", "oprd") and is_verb(governor.head):
        return subjects(tree, governor.head)
    if (
        governor.dep_ == "dobj"
        and is_verb(governor.head)
        and tree.lemma(governor) in ("role", "effect", "use", "benefit")
    ):
        return subjects(tree, governor.head)
    return []


def apposed(tree: Tree, noun: Token) -> Iterator[Draft]:
    """Tell of "aspirin, a salicylate,"."""
    for each in noun.children:
        if each.dep_ == "appos" and each.pos_ in ("NOUN", "PROPN"):
            yield Draft("be", each, "be", [noun], [each])


def compound(tree: Tree, part: Token) -> Iterator[Draft]:
    """Tell of "cisplatin-induced nephrotoxicity" and "glucose-lowering drugs"."""
    hyphen = part.nbor(-1)
    before = part.nbor(-2)
    noun = part.head
    if hyphen.text != "-" or noun.pos_ not in ("NOUN", "PROPN"):
        return
    kind, converse = lexicon.compounds()[part.text.lower()]
    first, second = ([before], list(conjuncts(noun))) if converse else (list(conjuncts(noun)), [before])
    yield Draft(kind, part, part.text.lower(), first, second)


def adjoined(tree: Tree, adjective: Token) -> Iterator[Draft]:
    """Tell of "fatigue due to anemia" and "drugs effective against malaria"."""
    noun = adjective.head
    for frame in lexicon.frames("adjective").get(tree.lemma(adjective), ()):
        what = prepositional(tree, adjective, frame.preposition)
        if what and noun.pos_ in ("NOUN", "PROPN"):
            yield drafted(frame, adjective, tree.lemma(adjective), [noun], what)
            return
        if what and is_verb(noun) and tree.lemma(noun) in ("occur", "develop", "happen", "arise", "die", "suffer"):
            yield drafted(frame, noun, tree.lemma(adjective), subjects(tree, noun), what)
            return
