"""What is known of names: the concepts that phrases call, what is a kind of what, and what a passage abbreviates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from chains.claims import Link
from core.language.statement import Phrase
from core.schema import Concept
from core.text import content_terms, stem

Fit = Literal["same", "narrower", "broader"]
"""How what a passage names stands to what a claim names: the same, a kind of it, or what it is a kind of."""
Kinds = Callable[[Concept], Iterable[Concept]]
"""All that a concept is a kind of."""
Shortened = Mapping[str, frozenset[str]]
"""Abbreviations that a passage introduces, with the stems of what they stand for."""

_KEY = 6
_AKIN = 0.7
_REMEMBERED = 50_000


@dataclass(frozen=True, slots=True)
class Term:
    """A part of a phrase that names one thing: its stems, and the concept where the vocabularies know it."""

    stems: frozenset[str]
    last: str
    concept: str = ""
    kinds: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Named:
    """A phrase as its terms; the head is the term that says what kind of thing it is."""

    terms: tuple[Term, ...]
    head: Term | None


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """How phrases are compared; without a linker by their words alone."""

    link: Link | None = None
    kinds: Kinds | None = None
    _named: dict[Phrase, Named] = field(default_factory=dict)
    _kinds: dict[str, frozenset[str]] = field(default_factory=dict)

    def named(self, phrase: Phrase) -> Named:
        """The terms of a phrase, remembered."""
        found = self._named.get(phrase)
        if found is None:
            if len(self._named) > _REMEMBERED:
                self._named.clear()
            found = self._named[phrase] = self._parted(phrase)
        return found

    def _parted(self, phrase: Phrase) -> Named:
        terms: list[Term] = []
        mentions = self.link(phrase.text) if self.link else ()
        for mention in mentions:
            stems = content_terms(mention.text)
            if stems:
                kinds = self._kinds_of(mention.concept)
                terms.append(Term(frozenset(stems), stems[-1], mention.concept.id, kinds))
        linked = frozenset[str]().union(*(term.stems for term in terms))
        for lemma in phrase.lemmas or tuple(content_terms(phrase.text)):
            for part in content_terms(lemma) or [stem(lemma.lower())]:
                if part not in linked:
                    terms.append(Term(frozenset({part}), part))
        head = stem(phrase.head.lower())
        own = next((t for t in terms if t.last == head), None) or next((t for t in terms if head in t.stems), None)
        return Named(tuple(terms), own or (terms[-1] if terms else None))

    def _kinds_of(self, concept: Concept) -> frozenset[str]:
        if self.kinds is None:
            return frozenset()
        found = self._kinds.get(concept.id)
        if found is None:
            found = self._kinds[concept.id] = frozenset(kind.id for kind in self.kinds(concept))
        return found


PLAIN = Vocabulary()
"""Compares by words alone."""


def term_fit(claimed: Term, told: Term, shortened: Shortened) -> Fit | None:
    """How one term of a passage stands to one term of a claim."""
    if claimed.concept and claimed.concept == told.concept:
        return "same"
    if claimed.concept and claimed.concept in told.kinds:
        return "narrower"
    if told.concept and told.concept in claimed.kinds:
        return "broader"
    if akin_sets(spelled(claimed.stems, shortened), spelled(told.stems, shortened)):
        return "same"
    if akin(claimed.last, told.last):
        if claimed.stems < told.stems:
            return "narrower"
        if told.stems < claimed.stems:
            return "broader"
    return None


def spelled(stems: frozenset[str], shortened: Shortened) -> frozenset[str]:
    """Stems with abbreviations spelled out."""
    if not shortened or not any(one in shortened for one in stems):
        return stems
    return frozenset[str]().union(*(shortened.get(one, frozenset({one})) for one in stems))


def akin_sets(some: frozenset[str], others: frozenset[str]) -> bool:
    """Whether two sets of stems name the same."""
    if some == others:
        return True
    return len(some) == len(others) and all(any(akin(one, other) for other in others) for one in some)


def akin(one: str, other: str) -> bool:
    """Whether two stems are of one family: diabet and diabetic, immun and immunity."""
    if one == other:
        return True
    if len(one) < _KEY or len(other) < _KEY or one[:_KEY] != other[:_KEY]:
        return False
    shared = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return shared >= _AKIN * max(len(one), len(other))
