"""Which relations a parsed sentence states, each between words of the parse, in the order of the relation's meaning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from core.language import lexicon
from core.language.grammar import (
    SUBJECTS,
    child,
    conjuncts,
    examples,
    is_passive,
    is_verb,
    means,
    members,
    objects,
    prepositional,
    subjects,
)
from core.language.lexicon import Frame
from core.language.parser import Tree
from core.language.phrase import scope_kind
from core.language.statement import RelationKind

if TYPE_CHECKING:
    from spacy.tokens import Token

_ACTING = ("with", "by", "using", "from", "through", "via")
_EVENTS = frozenset(("treat", "prevent", "diagnose", "lower", "raise", "worsen"))
_LIGHT = frozenset("have play show exert provide offer produce lead result cause be serve act function".split())


class Draft(NamedTuple):
    """A relation between words: ``token`` is what carries it, ``denied`` whether the word itself denies it."""

    kind: RelationKind
    token: Token
    lemma: str
    subjects: Sequence[Token]
    objects: Sequence[Token]
    denied: bool = False
    risk: bool = False
    """Whether the object is a risk of what the words name."""


def drafts(tree: Tree) -> Iterator[Draft]:
    """Every relation of a sentence."""
    for token in tree.doc:
        if is_verb(token):
            yield from _verbal(tree, token)
        elif token.pos_ in ("NOUN", "PROPN"):
            yield from _nominal(tree, token)
            yield from _apposed(tree, token)
        if token.i >= 2 and token.text.lower() in lexicon.compounds():
            yield from _compound(tree, token)
        if token.pos_ in ("ADJ", "ADP") and token.dep_ in ("amod", "prep", "acl", "advmod"):
            yield from _adjoined(tree, token)


@cache
def _governing() -> frozenset[str]:
    """Verbs that only say how the clause under them is meant."""
    return frozenset().union(
        *(lexicon.words("report", name) for name in ("shown", "believed", "refuted", "weak")),
        *(lexicon.words(section, "verb") for section in ("hedge", "ask", "negation", "use")),
        lexicon.words("use", "carry"),
    )


def _verbal(tree: Tree, verb: Token) -> Iterator[Draft]:
    lemma = tree.lemma(verb)
    if lemma == "be":
        yield from _copular(tree, verb)
        return
    subject = child(verb, "nsubj")
    if verb.tag_ == "VBG" and subject is not None and not child(verb, "dobj") and child(verb, "aux"):
        relation = _complemented(tree, subject)  # "The cause of COPD is smoking"
        if relation:
            frame, about = relation[0]
            yield _draft(frame, verb, tree.lemma(subject), [verb], about)
            return
    if child(verb, "ccomp", "xcomp") and lemma in _governing():
        return  # "was thought to", "failed to": said of the clause under it
    direct = child(verb, "dobj")
    if lemma == "give" and direct is not None and direct.lower_ == "rise":
        lemma = "give_rise"
    found = list(_framed(tree, verb, lemma))
    yield from found or _other(tree, verb, lemma)


def _draft(frame: Frame, token: Token, lemma: str, first: Sequence[Token], second: Sequence[Token]) -> Draft:
    risk = str(frame.kind) == "risk"
    kind: RelationKind = "raise" if risk else frame.kind
    if frame.role != "active":
        first, second = second, first
    return Draft(kind, token, lemma, first, second, risk=risk)


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
                yield _draft(frame, verb, lemma, prepositional(tree, verb, "by"), who)
                continue
            what = objects(tree, verb)
        else:
            what = prepositional(tree, verb, frame.preposition)
        if frame.role == "converse" and child(verb, "dobj") and lemma != "give_rise":
            continue
        if what and frame.kind == "be" and not passive and child(verb, "dobj"):  # "regard it as a disease"
            found = True
            yield _draft(frame, verb, lemma, objects(tree, verb), what)
        elif what and (passive or frame.role != "patient"):
            found = True
            yield _draft(frame, verb, lemma, who, what)
    for frame in bare[: 0 if found or child(verb, "prt") else 1]:
        if passive:
            agents = prepositional(tree, verb, "by")
            yield _draft(frame, verb, lemma, agents, who)
        else:
            direct = objects(tree, verb)
            if frame.kind == "have" and frame.role == "active":
                inverse = [relation for subject in who for relation in _complemented(tree, subject)[:1]]
                for inner, about in inverse:  # "Symptoms of flu include fever"
                    yield _draft(inner, verb, tree.lemma(who[0]), direct, about)
                if inverse:
                    return
                yield from _exemplified(tree, verb, who, direct)
            if frame.kind in _EVENTS and all(_is_person(tree, each) for each in who):
                who = means(tree, verb) or who
            if direct or frame.kind == "happen":
                yield _draft(frame, verb, lemma, who, direct)


def _exemplified(tree: Tree, verb: Token, who: Sequence[Token], direct: Sequence[Token]) -> Iterator[Draft]:
    """Tell of "X has many possible causes, such as Y" that Y is a cause of X."""
    for each in direct:
        inner = _of_which(tree, each)
        frame = next((f for f in lexicon.frames("noun").get(tree.lemma(inner), ()) if f.preposition == "of"), None)
        named = [member for holder in {each, inner} for one in examples(tree, holder) for member in conjuncts(one)]
        if frame is not None and named:
            yield _draft(frame, verb, tree.lemma(inner), named, who)


def _of_which(tree: Tree, token: Token) -> Token:
    """What "one of the results" or "a number of causes" is of."""
    of = next((c for c in token.children if c.dep_ == "prep" and c.lower_ == "of"), None)
    inner = child(of, "pobj") if of is not None and tree.lemma(token) in lexicon.words("partitive", "word") else None
    return inner if inner is not None else token


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


def _complemented(tree: Tree, noun: Token) -> list[tuple[Frame, list[Token]]]:
    """The frames of a noun that its own prepositions fill, with what fills them."""
    found = []
    for frame in lexicon.frames("noun").get(tree.lemma(noun), ()):
        if str(frame.kind) == "risk" and tree.lemma(noun) == "factor" and not _is_risk_factor(tree, noun):
            continue
        what = prepositional(tree, noun, frame.preposition)
        if what:
            found.append((frame, what))
    return found


def _is_risk_factor(tree: Tree, noun: Token) -> bool:
    return any(tree.lemma(c) in ("risk", "causative", "etiologic") for c in noun.children)


def _copular(tree: Tree, verb: Token) -> Iterator[Draft]:  # noqa: C901  a list of cases reads best in one place
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
                for frame, about in _complemented(tree, subject):
                    yield _draft(frame, verb, tree.lemma(subject), [each], about)


def _identified(tree: Tree, verb: Token, who: Sequence[Token], named: Token) -> Iterator[Draft]:
    described = [f for f in lexicon.frames("adjective").get(tree.lemma(named), ()) if f.preposition]
    if named.pos_ == "ADJ" and any(prepositional(tree, named, f.preposition) for f in described):
        yield from _described(tree, verb, who, named)  # "is due to a deficiency"
        return
    named = _of_which(tree, named)
    relation = _complemented(tree, named)
    for frame, what in relation[:1]:
        yield _draft(frame, verb, tree.lemma(named), who, what)
    if relation:
        if relation[0][0].kind != "be":
            return
    else:
        for subject in who:
            inverse = _complemented(tree, subject)
            if inverse:
                frame, about = inverse[0]
                yield _draft(frame, verb, tree.lemma(subject), [named], about)
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
            yield _draft(frame, verb, lemma, who, what)._replace(denied=denied)
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


def _nominal(tree: Tree, noun: Token) -> Iterator[Draft]:  # noqa: C901  a list of cases reads best in one place
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
    for frame, what in _complemented(tree, noun)[:1] or _compounded(tree, noun):
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
            yield _draft(frame, noun, lemma, acting, what)


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
    if head.text.lower() not in ("for", "in", "as", "to") or (head.text.lower() != "as" and frame.kind not in _EVENTS):
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


def _apposed(tree: Tree, noun: Token) -> Iterator[Draft]:
    for each in noun.children:
        if each.dep_ == "appos" and each.pos_ in ("NOUN", "PROPN"):
            yield Draft("be", each, "be", [noun], [each])


def _compound(tree: Tree, part: Token) -> Iterator[Draft]:
    """Tell of "cisplatin-induced nephrotoxicity" and "glucose-lowering drugs"."""
    hyphen = part.nbor(-1)
    before = part.nbor(-2)
    noun = part.head
    if hyphen.text != "-" or noun.pos_ not in ("NOUN", "PROPN"):
        return
    kind, converse = lexicon.compounds()[part.text.lower()]
    first, second = ([before], list(conjuncts(noun))) if converse else (list(conjuncts(noun)), [before])
    yield Draft(kind, part, part.text.lower(), first, second)


def _adjoined(tree: Tree, adjective: Token) -> Iterator[Draft]:
    """Tell of "fatigue due to anemia" and "drugs effective against malaria"."""
    noun = adjective.head
    for frame in lexicon.frames("adjective").get(tree.lemma(adjective), ()):
        what = prepositional(tree, adjective, frame.preposition)
        if what and noun.pos_ in ("NOUN", "PROPN"):
            yield _draft(frame, adjective, tree.lemma(adjective), [noun], what)
            return
        if what and is_verb(noun) and tree.lemma(noun) in ("occur", "develop", "happen", "arise", "die", "suffer"):
            yield _draft(frame, noun, tree.lemma(adjective), subjects(tree, noun), what)
            return
