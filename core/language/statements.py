"""The statements of one parsed sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from core.language import lexicon
from core.language.amounts import amounts
from core.language.grammar import child, clause, is_verb
from core.language.parser import Tree
from core.language.phrase import phrase, scope_kind
from core.language.relations import drafts
from core.language.relations.draft import Draft
from core.language.stance import stance
from core.language.stance.denial import denied_alone, denied_object
from core.language.statement import Phrase, Quantity, Scope, ScopeKind, Statement

if TYPE_CHECKING:
    from spacy.tokens import Token

_MOST = 48
"""The most statements of one sentence: a long list is not multiplied by another."""


def statements(tree: Tree, text: str) -> tuple[Statement, ...]:
    """What a sentence states, in the order of its words."""
    start = min(unit.start for unit in tree.units)
    end = max(unit.end for unit in tree.units)
    told = amounts(text[start:end], start)
    found: dict[tuple[object, ...], Statement] = {}
    for draft in drafts(tree):
        for each in _expanded(tree, draft, text, told):
            key = (each.kind, each.subject, each.object, each.negated)
            if key not in found or (each.main and not found[key].main):
                found[key] = each
        if len(found) >= _MOST:
            break
    return tuple(sorted(found.values(), key=lambda each: (each.start, each.end)))


def _expanded(tree: Tree, draft: Draft, text: str, told: tuple[Quantity, ...]) -> Iterator[Statement]:
    """A draft's statements: one for every subject with every object."""
    said = stance(tree, draft.token)
    if draft.denied:
        said.deny()
    verb = _verb_of(draft.token)
    words = clause(verb)
    first = min(each.i for each in words)
    if first and tree.doc[first - 1].lower_ == "whether":
        said.weaken("asked")
    start = min(tree.units[each.i].start for each in words)
    end = max(tree.units[each.i].end for each in words)
    subjects = _named(tree, draft.subjects, text)
    objects = _named(tree, draft.objects, text)
    used = {each.i for each in (*draft.subjects, *draft.objects)}
    for subject, subject_phrase in subjects:
        for object_, object_phrase in objects:
            if subject is not None and object_ is not None and subject.i == object_.i:
                continue
            yield Statement(
                kind=draft.kind,
                lemma=draft.lemma,
                subject=subject_phrase,
                object=_of_risk(object_phrase) if draft.risk and object_phrase else object_phrase,
                arguments=_arguments(tree, verb, used, text),
                negated=said.negated
                ^ _denied_by_object(tree, draft, object_)
                ^ (subject is not None and denied_alone(subject)),
                modality=said.modality,
                attribution=said.attribution,
                direction=_direction(tree, draft, object_),
                frequency=_frequency(tree, verb, subject),
                scopes=_scopes(tree, verb, draft, text),
                quantities=tuple(each for each in told if start <= each.start < end),
                start=start,
                end=end,
                main=_is_main(verb) and draft.token.i == verb.i,
            )


def _named(tree: Tree, tokens: Sequence[Token], text: str) -> list[tuple[Token | None, Phrase | None]]:
    """Each word with its phrase; one of nothing where there is none."""
    return [(each, phrase(tree, each, text)) for each in tokens] or [(None, None)]


def _of_risk(given: Phrase) -> Phrase:
    return replace(given, head="risk", lemmas=("risk", *given.lemmas))


def _denied_by_object(tree: Tree, draft: Draft, object_: Token | None) -> bool:
    if object_ is None:
        return (
            draft.token.pos_ in ("VERB", "AUX")
            and not draft.objects
            and any(denied_object(tree, s) for s in draft.subjects if s.dep_ in ("attr", "conj"))
        )
    if object_.dep_ in ("nsubj", "nsubjpass") or object_.head.dep_ in ("nsubj", "nsubjpass"):
        return False  # counted with its verb
    return denied_object(tree, object_)


def _verb_of(token: Token) -> Token:
    while not is_verb(token) and token.dep_ != "ROOT":
        token = token.head
    return token


def _is_main(verb: Token) -> bool:
    while verb.dep_ == "conj" or (
        verb.dep_ in ("ccomp", "parataxis") and verb.i < verb.head.i and child(verb, "mark") is None
    ):
        verb = verb.head
    return verb.dep_ == "ROOT"


def _arguments(tree: Tree, verb: Token, used: set[int], text: str) -> tuple[Phrase, ...]:
    found = []
    for each in verb.children:
        if each.dep_ in ("prep", "agent") and not scope_kind(tree, each):
            what = child(each, "pobj")
            if what is not None and what.i not in used:
                found.append(phrase(tree, what, text))
    return tuple(found)


def _direction(tree: Tree, draft: Draft, object_: Token | None) -> int:
    if draft.kind in ("raise", "lower"):
        return 1 if draft.kind == "raise" else -1
    for each in (draft.token, *([object_] if object_ is not None else []), *draft.subjects):
        for word in (each, *each.children):
            lemma = word.text.lower()
            if word.dep_ in ("amod", "advmod", "acomp") or (word is draft.token and draft.kind in ("other", "happen")):
                if lemma in lexicon.words("direction", "up") or tree.lemma(word) in lexicon.words("direction", "up"):
                    return 1
                if lemma in lexicon.words("direction", "down") or tree.lemma(word) in lexicon.words(
                    "direction", "down"
                ):
                    return -1
    return 0


def _frequency(tree: Tree, verb: Token, subject: Token | None) -> str:
    for each in (*verb.children, *(subject.children if subject is not None else ())):
        if each.dep_ in ("advmod", "amod", "det", "predet") and each.text.lower() in lexicon.words("frequency", "word"):
            return str(each.text.lower())
    return ""


def _scopes(tree: Tree, verb: Token, draft: Draft, text: str) -> tuple[Scope, ...]:
    found: list[Scope] = []
    holders = {each.i: each for each in (verb, draft.token, *draft.subjects, *draft.objects)}
    for holder in holders.values():
        for each in holder.children:
            if each.dep_ == "prep":
                kind = scope_kind(tree, each)
                what = child(each, "pobj")
                if kind and what is not None:
                    found.append(Scope(cast(ScopeKind, kind), phrase(tree, what, text)))
            elif each.dep_ == "advcl" and holder is verb:
                mark = child(each, "mark", "advmod")
                marked = mark.text.lower() if mark is not None else ""
                if marked in lexicon.words("condition", "mark"):
                    found.append(Scope("condition", phrase(tree, each, text)))
                elif marked in lexicon.words("condition", "time"):
                    found.append(Scope("time", phrase(tree, each, text)))
    return tuple(found)
