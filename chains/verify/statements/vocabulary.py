"""What is known of names: the concepts that phrases call, what is a kind of what, and what a passage abbreviates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from chains.link import Link
from core.embeddings import Encode
from core.language.statement import Phrase
from core.language.weights import how_often
from core.schema import Concept
from core.text import content_terms, stem

Fit = Literal["same", "narrower", "broader"]
"""How what a passage names stands to what a claim names: the same, a kind of it, or what it is a kind of."""
Kinds = Callable[[Concept], Iterable[Concept]]
"""All that a concept is a kind of."""
Names = Callable[[Concept], Iterable[str]]
"""The names of a concept by which texts call it."""
Shortened = Mapping[str, frozenset[str]]
"""Abbreviations that a passage introduces, with the stems of what they stand for."""

_DISORDERS = "DISO"
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
    names: frozenset[frozenset[str]] = frozenset()
    """The stems of each name of the concept."""
    disorder: bool = False


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
    names: Names | None = None
    encode: Encode | None = None
    fits: dict[tuple[Phrase | None, Phrase | None, frozenset[str]], Fit | None] = field(default_factory=dict)
    """How phrases stand to each other, as far as that was asked where nothing is abbreviated."""
    _vectors: dict[str, NDArray[np.float32]] = field(default_factory=dict)
    _named: dict[Phrase, Named] = field(default_factory=dict)
    _known: dict[str, tuple[frozenset[str], frozenset[frozenset[str]]]] = field(default_factory=dict)

    def named(self, phrase: Phrase) -> Named:
        """The terms of a phrase, remembered."""
        found = self._named.get(phrase)
        if found is None:
            if len(self._named) > _REMEMBERED:
                self._named.clear()
            found = self._named[phrase] = self._parted(phrase)
        return found

    def likeness(self, one: Phrase, other: Phrase) -> float:
        """Cosine of what two phrases mean; 0 without an encoder."""
        if self.encode is None:
            return 0.0
        texts = [phrase.text.lower() for phrase in (one, other)]
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if new:
            if len(self._vectors) > _REMEMBERED:
                self._vectors.clear()
                new = texts
            self._vectors.update(zip(new, self.encode(new), strict=True))
        return float(self._vectors[texts[0]] @ self._vectors[texts[1]])

    def _parted(self, phrase: Phrase) -> Named:
        terms: list[Term] = []
        text = " ".join(phrase.lemmas) if phrase.absent else phrase.text
        for mention in self.link(text) if self.link else ():
            stems = content_terms(mention.text)
            if stems:
                terms.append(
                    Term(
                        frozenset(stems),
                        stems[-1],
                        mention.concept.id,
                        *self._known_of(mention.concept),
                        mention.concept.group == _DISORDERS,
                    )
                )
        linked = frozenset[str]().union(*(term.stems for term in terms))
        for lemma in phrase.lemmas or tuple(content_terms(phrase.text)):
            for part in content_terms(lemma) or [stem(lemma.lower())]:
                if part not in linked and how_often(lemma) is None:
                    terms.append(Term(frozenset({part}), part))
        head = stem(phrase.head.lower())
        own = next((t for t in terms if t.last == head), None) or next((t for t in terms if head in t.stems), None)
        return Named(tuple(terms), own or (terms[-1] if terms else None))

    def _known_of(self, concept: Concept) -> tuple[frozenset[str], frozenset[frozenset[str]]]:
        """What a concept is a kind of, and the stems of its names."""
        found = self._known.get(concept.id)
        if found is None:
            kinds = frozenset(kind.id for kind in self.kinds(concept)) if self.kinds else frozenset[str]()
            names = (
                frozenset(frozenset(content_terms(name)) for name in self.names(concept)) if self.names else frozenset()
            )
            found = self._known[concept.id] = (kinds, names)
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
    if told.stems in claimed.names or claimed.stems in told.names:
        return "same"
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
