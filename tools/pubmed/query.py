"""From a question and its concepts to queries that PubMed understands: the strictest first, each further one weaker.

A concept is its MeSH heading, which finds what has been indexed with it or anything below it, or its name in title or
abstract, which finds what has not been indexed yet. What is asked of it is a MeSH subheading or words. Tags and
operators are those of https://pubmed.ncbi.nlm.nih.gov/help/#search-tags.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from core.schema import Concept
from core.text import STOPWORDS, content_terms, stem, words

Heading = Callable[[str], str | None]
"""The name of a MeSH descriptor by its CURIE, such as ``MESH:D008687``; None where it is not known."""

MAX_CONCEPTS = 4
MAX_STRICT_WORDS = 4
MAX_WORDS = 8
MAX_STEPS = 5

_ASPECTS = {
    "treat treatment treated therapy therapies therapeutic manage management managed cure": (
        '"therapy"[Subheading] OR "drug therapy"[Subheading] OR treatment[Title/Abstract] OR therapy[Title/Abstract]'
    ),
    "cause causes caused etiology aetiology": (
        '"etiology"[Subheading] OR cause*[Title/Abstract] OR etiology[Title/Abstract]'
    ),
    "diagnose diagnosed diagnosis diagnostic detect detected": (
        '"diagnosis"[Subheading] OR diagnos*[Title/Abstract]'
    ),
    "prevent prevention prevented preventing prophylaxis": (
        '"prevention and control"[Subheading] OR prevent*[Title/Abstract] OR prophyla*[Title/Abstract]'
    ),
    "adverse harm harms harmful toxicity side safety safe": (
        '"adverse effects"[Subheading] OR "toxicity"[Subheading] OR adverse[Title/Abstract] OR safety[Title/Abstract]'
    ),
    "prognosis survival mortality outlook": (
        '"mortality"[Subheading] OR prognos*[Title/Abstract] OR survival[Title/Abstract] OR mortality[Title/Abstract]'
    ),
    "symptom symptoms sign signs manifestation manifestations features": (
        '"diagnosis"[Subheading] OR symptom*[Title/Abstract] OR manifestation*[Title/Abstract] OR signs[Title/Abstract]'
    ),
    "dose dosage doses dosing": (
        '"administration and dosage"[Subheading] OR dose*[Title/Abstract] OR dosage[Title/Abstract]'
    ),
    "gene genes genetic inherited hereditary mutation mutations": (
        '"genetics"[Subheading] OR gene[Title/Abstract] OR genetic*[Title/Abstract] OR mutation*[Title/Abstract]'
    ),
    "prevalence incidence frequency epidemiology": (
        '"epidemiology"[Subheading] OR prevalence[Title/Abstract] OR incidence[Title/Abstract]'
    ),
}  # fmt: skip
_ASPECT_OF = {stem(word): clause for listed, clause in _ASPECTS.items() for word in listed.split()}
_EMPTY = frozenset(
    stem(word)
    for word in """patient patients people person persons human humans disease diseases disorder disorders condition
    conditions effect effects effective use used using best known common commonly usually often possible likely given
    make made help helps mean means called name type types kind kinds role related associated relation association
    following true false correct regarding work works happen tell does much many several
    information question year years old man woman not
    improve increase reduce decrease affect influence lead change""".split()
)
"""Stems of words that say nothing of a question's subject, or name a relation that articles word in many ways."""
_SPECIAL = re.compile(r"[^\w\s'’.,/+-]|(?<!\w)[-.,/+]|[.,/](?!\w)")
_QUOTING = re.compile(r'["\[\]()]')
_OPERATOR = re.compile(r"\b(?:AND|OR|NOT)\b")


def ladder(text: str, concepts: Sequence[Concept] = (), heading: Heading = lambda curie: None) -> tuple[str, ...]:
    """Return queries for a question, each weaker than the one before it, ``MAX_STEPS`` at most.

    Args:
        text: the question as asked, or any phrasing of it.
        concepts: what it is about, the most important first; general ones ("Patients", "Disease") are passed over.
        heading: names of MeSH descriptors.

    Untagged words come last: PubMed maps those to headings and synonyms by itself.

    Returns:
        No query where the text has no word that could be searched.
    """
    chosen = [concept for concept in _distinct(concepts) if _says_something(concept.name)][:MAX_CONCEPTS]
    clauses = [_concept(concept, heading) for concept in chosen]
    named = {term for concept in chosen for name in _names(concept, heading) for term in content_terms(name)}
    asked = list(dict.fromkeys(_ASPECT_OF[term] for term in content_terms(text) if term in _ASPECT_OF))[:2]
    others = _telling(word for word in _words(text) if not set(content_terms(word)) & (named | _ASPECT_OF.keys()))
    steps = _with_concepts(clauses, asked, others) if clauses else _without_concepts(asked, others)
    plain = _telling(_words(text)) or _words(text)
    return tuple(dict.fromkeys(step for step in (*steps, " ".join(plain[:MAX_WORDS])) if step))[:MAX_STEPS]


def _with_concepts(clauses: Sequence[str], asked: Sequence[str], others: Sequence[str]) -> Iterator[str]:
    strict = [_in_text(word) for word in _longest(others, MAX_STRICT_WORDS)]
    yield _all([*clauses, *asked, *strict])
    if asked:
        yield _all([*clauses, *asked])
    elif others:
        yield _all([*clauses, _any(map(_in_text, others[:MAX_WORDS]))])
    yield _all(clauses)
    if len(clauses) > 1:
        yield _all([clauses[0], _any([*clauses[1:], *asked, *strict])])


def _without_concepts(asked: Sequence[str], others: Sequence[str]) -> Iterator[str]:
    yield _all([*map(_in_text, _longest(others, MAX_STRICT_WORDS)), *asked])
    yield _all(map(_in_text, _longest(others, MAX_STRICT_WORDS // 2)))
    yield _any(map(_in_text, _longest(others, MAX_WORDS)))


def _concept(concept: Concept, heading: Heading) -> str:
    curies = (concept.id, *concept.xrefs)
    descriptors = dict.fromkeys(name for curie in curies if curie.startswith("MESH:D") and (name := heading(curie)))
    clauses = [f'"{_QUOTING.sub(" ", name)}"[MeSH Terms]' for name in descriptors]
    return _any([*clauses, *map(_in_text, _names(concept, heading))])


def _names(concept: Concept, heading: Heading) -> list[str]:
    """The concept's name and its headings', those that read as in a sentence: "Neoplasms, Skin" stands in no text."""
    headings = (heading(curie) for curie in (concept.id, *concept.xrefs))
    listed = [_clean(name) for name in (concept.name, *headings) if name and ", " not in name]
    return list({name.lower(): name for name in reversed(listed) if name}.values())[::-1] or [_clean(concept.name)]


def _in_text(name: str) -> str:
    return f"{name}[Title/Abstract]" if name.isalnum() else f'"{name}"[Title/Abstract]'


def _all(clauses: Iterable[str]) -> str:
    return " AND ".join(f"({clause})" if " OR " in clause else clause for clause in dict.fromkeys(clauses))


def _any(clauses: Iterable[str]) -> str:
    return " OR ".join(f"({clause})" if " AND " in clause else clause for clause in dict.fromkeys(clauses))


def _words(text: str) -> list[str]:
    """Words that carry content, as written, without anything that PubMed would take for a tag or an operator."""
    found = (_clean(word.text) for word in words(text))
    kept = (word for word in found if word and word.lower() not in STOPWORDS and content_terms(word))
    return list({word.lower(): word.lower() for word in kept})


def _telling(found: Iterable[str]) -> list[str]:
    """Those that say something: no bare numbers, such as ages and values measured."""
    return [word for word in found if {t for t in content_terms(word) if not t.isdecimal()} - _EMPTY]


def _says_something(name: str) -> bool:
    return not set(content_terms(name)) <= _EMPTY | _ASPECT_OF.keys() | {stem("therapeutics")}


def _longest(found: Sequence[str], count: int) -> list[str]:
    """The longest words, which tend to be the rarest, in the order of the text."""
    kept = set(sorted(found, key=len, reverse=True)[:count])
    return [word for word in found if word in kept]


def _clean(name: str) -> str:
    return " ".join(_OPERATOR.sub(lambda match: match.group().lower(), _SPECIAL.sub(" ", name)).split())


def _distinct(concepts: Sequence[Concept]) -> list[Concept]:
    return list({concept.id: concept for concept in reversed(concepts)}.values())[::-1]
