"""Relations that "is" carries: "is a cause of", "is effective against", "is more likely to develop"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from core.language import lexicon
from core.language.grammar import (
    child,
    conjuncts,
    members,
    objects,
    prepositional,
    subjects,
)
from core.language.parser import Tree
from core.language.phrase import scope_kind
from core.language.relations.draft import Draft, complemented, drafted, of_which
from core.language.statement import RelationKind

if TYPE_CHECKING:
    from spacy.tokens import Token


def copular(tree: Tree, verb: Token) -> Iterator[Draft]:  # noqa: C901  a list of cases reads best in one place
    """What "is" says of its subject: "is a cause of", "is effective against", "there is"."""
    who = subjects(tree, verb)
    named = [each for c in verb.children if c.dep_ in ("attr", "oprd") for each in members(tree, c)]
    if child(verb, "expl"):
        for each in named:
            lemma = tree.lemma(each)
            if lemma not in lexicon.frames("noun") and not (
                lemma in lexicon.words("report", "shown_noun") and child(each, "acl", "ccomp", "relcl")
            ):
                yield Draft("happen", verb, "be", [each], [])
        return
    if any(each.text.lower() == "it" for each in who) and (
        child(verb, "ccomp", "xcomp", "csubj", "advcl") or any(child(each, "ccomp", "acl", "relcl") for each in named)
    ):
        return  # "It is a myth that": said of the clause under it
    for each in named:
        yield from _identified(tree, verb, who, each)
    for each in verb.children:
        if each.dep_ in ("acomp", "prep", "advmod", "oprd", "amod") and each.pos_ in (
            "ADJ",
            "ADP",
            "ADV",
            "VERB",
            "SCONJ",
        ):
            for adjective in conjuncts(each):
                yield from _described(tree, verb, who, adjective)
        if each.dep_ in ("xcomp", "ccomp") and named == []:
            for subject in who:
                for frame, about in complemented(tree, subject):
                    yield drafted(frame, verb, tree.lemma(subject), [each], about)


def _identified(tree: Tree, verb: Token, who: Sequence[Token], named: Token) -> Iterator[Draft]:
    described = [f for f in lexicon.frames("adjective").get(tree.lemma(named), ()) if f.preposition]
    if named.pos_ == "ADJ" and any(prepositional(tree, named, f.preposition) for f in described):
        yield from _described(tree, verb, who, named)  # "is due to a deficiency"
        return
    named = of_which(tree, named)
    relation = complemented(tree, named)
    for frame, what in relation[:1]:
        yield drafted(frame, verb, tree.lemma(named), who, what)
    if relation:
        if relation[0][0].kind != "be":
            return
    else:
        for subject in who:
            inverse = complemented(tree, subject)
            if inverse:
                frame, about = inverse[0]
                yield drafted(frame, verb, tree.lemma(subject), [named], about)
                return
    yield Draft("be", verb, "be", who, [named])


def _described(tree: Tree, verb: Token, who: Sequence[Token], adjective: Token) -> Iterator[Draft]:  # noqa: C901  a list of cases reads best in one place
    lemma = tree.lemma(adjective)
    more = next((c.text.lower() for c in adjective.children if c.text.lower() in ("more", "less")), None)
    verb_of = child(adjective, "xcomp")
    at_risk = lemma in lexicon.words("hedge", "risk") and more
    if at_risk and (
        verb_of is not None or prepositional(tree, adjective, "to")
    ):  # "more likely to develop cancer" is a raised risk of it
        kind: RelationKind = "raise" if more == "more" else "lower"
        if verb_of is None:
            what = prepositional(tree, adjective, "to")
        else:
            what = objects(tree, verb_of) or prepositional(tree, verb_of, "from") or [verb_of]
        none = any(c.lower_ == "no" for c in adjective.subtree if c.i < adjective.i)
        yield Draft(kind, verb, lemma, who, what, denied=none, risk=True)
        return
    denied = lemma in lexicon.words("negation", "ineffective")
    looked = {"ineffective": "effective", "unrelated": "relate"}.get(lemma, "effective" if denied else lemma)
    for frame in lexicon.frames("adjective").get(looked, ()):
        what = [each for each in prepositional(tree, adjective, frame.preposition) if each.tag_ != "VBG"]
        if what:
            yield drafted(frame, verb, lemma, who, what)._replace(denied=denied)
            return
    if lemma in lexicon.words("negation", "adjective"):
        what = (
            prepositional(tree, adjective, "of")
            + prepositional(tree, adjective, "from")
            + prepositional(tree, adjective, "for")
        )
        if what:
            yield Draft("have", verb, lemma, who, what, denied=True)
        elif lemma in ("absent", "negative"):
            yield Draft("happen", verb, lemma, who, [], denied=True)
        return
    if adjective.pos_ in ("ADJ", "VERB"):
        yield Draft("be", verb, "be", who, [adjective])
    elif adjective.pos_ == "ADP" and not scope_kind(tree, adjective):
        what = [m for c in adjective.children if c.dep_ == "pobj" for m in members(tree, c)]
        if what:
            yield Draft("other", verb, f"be {lemma}", who, what)
