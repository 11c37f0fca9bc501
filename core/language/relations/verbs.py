"""Relations that verbs carry: "treats", "is caused by", "leads to", "has many causes, such as"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from core.language import lexicon
from core.language.grammar import (
    child,
    conjuncts,
    examples,
    is_passive,
    means,
    members,
    objects,
    prepositional,
    subjects,
)
from core.language.lexicon import Frame
from core.language.parser import Tree
from core.language.relations.copula import copular
from core.language.relations.draft import EVENTS, Draft, complemented, drafted, of_which

if TYPE_CHECKING:
    from spacy.tokens import Token


def verbal(tree: Tree, verb: Token) -> Iterator[Draft]:
    """What a verb says of its subject and object, by its frames in the lexicon."""
    lemma = tree.lemma(verb)
    if lemma == "be":
        yield from copular(tree, verb)
        return
    subject = child(verb, "nsubj")
    if verb.tag_ == "VBG" and subject is not None and not child(verb, "dobj") and child(verb, "aux"):
        relation = complemented(tree, subject)  # "The cause of COPD is smoking"
        if relation:
            frame, about = relation[0]
            yield drafted(frame, verb, tree.lemma(subject), [verb], about)
            return
    if child(verb, "ccomp", "xcomp") and lemma in _governing():
        return  # "was thought to", "failed to": said of the clause under it
    direct = child(verb, "dobj")
    if lemma == "give" and direct is not None and direct.lower_ == "rise":
        lemma = "give_rise"
    found = list(_framed(tree, verb, lemma))
    yield from found or _other(tree, verb, lemma)


@cache
def _governing() -> frozenset[str]:
    """Verbs that only say how the clause under them is meant."""
    return frozenset().union(
        *(lexicon.words("report", name) for name in ("shown", "believed", "refuted", "weak")),
        *(lexicon.words(section, "verb") for section in ("hedge", "ask", "negation", "use")),
        lexicon.words("use", "carry"),
    )


def _framed(tree: Tree, verb: Token, lemma: str) -> Iterator[Draft]:  # noqa: C901  a list of cases reads best in one place
    """What the lexicon's frames of a verb find: those with a preposition first."""
    if {lemma, str(verb.lemma_).lower()} & lexicon.words("absence", "verb") and verb.dep_ in (
        "csubj",
        "pcomp",
        "nsubj",
    ):
        return  # "avoiding alcohol" is a name for what is not there
    passive = is_passive(verb)
    who = subjects(tree, verb)
    bare: list[Frame] = []
    found = False
    for frame in lexicon.frames("verb").get(lemma, ()):
        if not frame.preposition:
            bare.append(frame)
            continue
        if frame.preposition == "by" and passive and bare and frame.role == "active" and frame.kind not in ("spread",):
            continue
        particle = child(verb, "prt")
        if particle is not None and particle.lower_ == frame.preposition:  # "bring about"
            if passive:  # "is brought on by drinking"
                found = True
                yield drafted(frame, verb, lemma, prepositional(tree, verb, "by"), who)
                continue
            what = objects(tree, verb)
        else:
            what = prepositional(tree, verb, frame.preposition)
        if frame.role == "converse" and child(verb, "dobj") and lemma != "give_rise":
            continue
        if what and frame.kind == "be" and not passive and child(verb, "dobj"):  # "regard it as a disease"
            found = True
            yield drafted(frame, verb, lemma, objects(tree, verb), what)
        elif what and (passive or frame.role != "patient"):
            found = True
            caught = objects(tree, verb) if frame.kind == "spread" and not passive else []
            yield drafted(frame, verb, lemma, caught or who, what)  # "You get malaria from mosquitoes"
    for frame in bare[: 0 if found or child(verb, "prt") else 1]:
        if passive:
            agents = prepositional(tree, verb, "by")
            yield drafted(frame, verb, lemma, agents, who)
        else:
            direct = objects(tree, verb)
            if frame.kind == "have" and frame.role == "active":
                inverse = [relation for subject in who for relation in complemented(tree, subject)[:1]]
                for inner, about in inverse:  # "Symptoms of flu include fever"
                    yield drafted(inner, verb, tree.lemma(who[0]), direct, about)
                if inverse:
                    return
                yield from _exemplified(tree, verb, who, direct)
            if frame.kind in EVENTS and all(_is_person(tree, each) for each in who):
                who = means(tree, verb) or who
            if direct or frame.kind == "happen":
                yield drafted(frame, verb, lemma, who, direct)


def _exemplified(tree: Tree, verb: Token, who: Sequence[Token], direct: Sequence[Token]) -> Iterator[Draft]:
    """Tell of "X has many possible causes, such as Y" that Y is a cause of X."""
    for each in direct:
        inner = of_which(tree, each)
        frame = next((f for f in lexicon.frames("noun").get(tree.lemma(inner), ()) if f.preposition == "of"), None)
        named = [member for holder in {each, inner} for one in examples(tree, holder) for member in conjuncts(one)]
        if frame is not None and named:
            yield drafted(frame, verb, tree.lemma(inner), named, who)


def _is_person(tree: Tree, token: Token) -> bool:
    return token.text.lower() in ("you", "we", "they", "one") or tree.lemma(token) in lexicon.words("family", "doing")


def _other(tree: Tree, verb: Token, lemma: str) -> Iterator[Draft]:
    passive = is_passive(verb)
    who = subjects(tree, verb)
    if lemma in lexicon.words("use", "verb") and passive:
        what = [each for each in prepositional(tree, verb, "for") if tree.lemma(each) not in lexicon.frames("noun")]
        what = [each for each in what if each.tag_ != "VBG"]
        if what:
            yield Draft("treat", verb, lemma, who, what)
            return
    direct = objects(tree, verb)
    particle = child(verb, "prt")
    lemma = f"{lemma} {particle.lower_}" if particle is not None else lemma
    small = child(verb, "ccomp")
    if lemma == "make" and not direct and small is not None:  # "makes children hyperactive"
        direct = [small]
    if passive:
        yield Draft("other", verb, lemma, prepositional(tree, verb, "by"), who)
        return
    if not direct:
        for each in verb.children:
            if each.dep_ == "prep":
                direct = [member for c in each.children if c.dep_ == "pobj" for member in members(tree, c)]
                if direct:
                    break
    if direct or (who and (verb.dep_ in ("ROOT", "conj") or child(verb, "neg"))):
        yield Draft("other", verb, lemma, who, direct)
