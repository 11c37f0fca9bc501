"""The knowledge store as a source of evidence: definitions and facts of the concepts that a question is about."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from core.errors import SourceError, StoreError
from core.schema import Concept, Evidence
from core.source import SourceQuery
from tools.knowledge import facts
from tools.knowledge.linking.linker import Linker
from tools.knowledge.store import KnowledgeStore
from tools.knowledge.telling import most_telling
from tools.knowledge.values import (
    CHEBI,
    COURSE_OF,
    HAS_ROLE,
    HPO,
    INHERITANCE_OF,
    IS_A,
    MODIFIER_OF,
    NARROWER,
    PHENOTYPE_OF,
    Entry,
)
from tools.knowledge.wording import joined

MAX_CONCEPTS = 12
MAX_SHARED = 4
MAX_RELATIONS = 60

_TOLD_ELSEWHERE = frozenset((IS_A, NARROWER, PHENOTYPE_OF, INHERITANCE_OF, COURSE_OF, MODIFIER_OF))
_PAGES = {
    "MESH": "https://meshb.nlm.nih.gov/record/ui?ui={1}",
    "MONDO": "https://monarchinitiative.org/{0}",
    "DOID": "https://disease-ontology.org/term/{0}",
    "CHEBI": "https://www.ebi.ac.uk/chebi/searchId.do?chebiId={0}",
    "OMIM": "https://omim.org/entry/{1}",
    "ORPHA": "https://www.orpha.net/en/disease/detail/{1}",
    "HP": "https://hpo.jax.org/browse/term/{0}",
}
_UMLS_PAGE = "https://uts.nlm.nih.gov/uts/umls/concept/{}"
_ORIGINS = {"MESH": "MeSH", "CHEBI": "ChEBI", "HP": HPO, "OMIM": HPO, "ORPHA": HPO, "DECIPHER": HPO}

_WEIGHTS = {
    "pair": 1.0,
    "shared": 0.95,
    "features": 0.7,
    "medicine": 0.69,
    "class": 0.69,
    "definition": 0.68,
    "relations": 0.64,
    "diseases": 0.6,
    "inheritance": 0.5,
    "course": 0.45,
    "excluded": 0.4,
}
_TERM_ASPECTS = ("definition", "diseases", "shared")
_ASKED = {
    aspect: re.compile(rf"\b(?:{cue})\b", re.IGNORECASE)
    for aspect, cue in {
        "features": r"features?|symptoms?|signs?|manifest\w*|characteri[sz]\w*|present\w*|findings?",
        "definition": r"what (?:is|are|does)|mean(?:s|ing)?|defin\w+|explain",
        "diseases": r"(?:which|what|other)\s+(?:\w+\s+){0,2}?(?:diseases?|conditions?|syndromes?|disorders?)",
        "inheritance": r"inherit\w*|hereditary|genetics?|runs in",
        "course": r"onset|begins?|starts?|progress\w*|prognosis|outlook|course|age",
        "medicine": r"what (?:is|are|does)|names?|brands?|generic|same|treat\w*|use[ds]?|for|work\w*",
        "class": r"an?|kind|type|class|category|same",
        "relations": r"role|kind|type|class|treat\w*|cause\w*|use[ds]?|for",
        "excluded": r"absent|exclud\w*|without|lack\w*|never",
    }.items()
}
_ASKED_BONUS = 0.25
_SPECIFICITY_SHARE = 0.4
_MOST_ANNOTATED = 12_000


class _Piece(NamedTuple):
    """A text before it becomes evidence; ``specificity`` in [0, 1] falls with the diseases that share the feature."""

    aspect: str
    key: str
    title: str
    text: str
    about: tuple[Entry, ...]
    specificity: float = 1.0
    vocabulary: str = HPO


class KnowledgeSource:
    """Evidence from the vocabularies; a concept of which nothing is recorded yields nothing."""

    def __init__(self, store: KnowledgeStore, linker: Linker) -> None:
        """Search this store; the linker finds concepts in queries that come without any."""
        self._store = store
        self._linker = linker
        self._vocabularies = {vocabulary.id: vocabulary for vocabulary in store.vocabularies()}

    @property
    def name(self) -> str:
        """The name that settings, failures and evidence know it by."""
        return "knowledge"

    async def search(self, query: SourceQuery) -> list[Evidence]:
        """Return facts of the query's concepts, or of those linked in its texts, those most likely asked for first."""
        try:
            return await asyncio.to_thread(self.find, query)
        except StoreError as error:
            raise SourceError(f"knowledge: {error}") from error

    def find(self, query: SourceQuery) -> list[Evidence]:
        """Do what ``search`` does, in the calling thread."""
        question = query.queries[0] if query.queries else ""
        entries = self._entries(query)
        terms = [entry for entry in entries if entry.term]
        diseases = [entry for entry in entries if entry.disease]
        pieces = chain(
            (piece for disease in diseases for term in terms for piece in self._pair(term, disease)),
            self._shared(terms),
            (piece for disease in diseases for piece in self._of_disease(disease)),
            (piece for term in terms for piece in self._of_term(term)),
            (piece for entry in entries for piece in self._of_any(entry)),
        )
        asked = {aspect for aspect, cue in _ASKED.items() if cue.search(question)}
        found = [self._evidence(piece, piece.aspect in asked, question) for piece in pieces if piece.text]
        return sorted(found, key=lambda evidence: -evidence.score)[: query.limit]

    def kinds(self, concept: Concept) -> list[str]:
        """What people call the medicines that a concept is one of; nothing where it is none."""
        entry = self._store.entry(concept.id) if self._store.concept(concept.id) else None
        if not entry:
            return []
        return facts.medicine_kinds(entry, self._wider(concept), self._roles(concept) if entry.medicine else ())

    def _entries(self, query: SourceQuery) -> list[Entry]:
        concepts: Sequence[Concept] = query.concepts or [
            mention.concept for text in query.queries for mention in self._linker.link(text)
        ]
        known = dict.fromkeys(concept.id for concept in concepts if self._store.concept(concept.id))
        return [self._store.entry(identifier) for identifier in list(known)[:MAX_CONCEPTS]]

    def _pair(self, term: Entry, disease: Entry) -> Iterator[_Piece]:
        if term.concept.id == disease.concept.id:
            return
        text = facts.pair_text(self._store.pair(term.concept, disease.concept), disease.as_disease())
        title = f"{disease.concept.name}: {term.inline}"
        yield _Piece("pair", f"{disease.disease}#{term.term}", title, text, (term, disease))

    def _shared(self, terms: Sequence[Entry]) -> Iterator[_Piece]:
        subjects = terms[:MAX_SHARED]
        if len(subjects) < 2:
            return
        recorded = [most_telling(self._store.diseases(s.concept), lambda a: a.disease) for s in subjects]
        common = set.intersection(*({a.disease.concept.id for a in found} for found in recorded))
        if not common:
            return
        diseases = [a.disease for a in recorded[0] if a.disease.concept.id in common]
        title = f"{joined([subject.inline for subject in subjects])}: diseases"
        curies = "+".join(str(subject.term) for subject in subjects)
        yield _Piece("shared", f"{curies}#diseases", title, facts.shared_text(subjects, diseases), tuple(subjects))

    def _of_disease(self, disease: Entry) -> Iterator[_Piece]:
        concept, store = disease.concept, self._store
        recorded = store.features(concept)
        subject = disease.as_disease()
        texts = {
            "features": facts.features_text(subject, recorded),
            "excluded": facts.excluded_text(subject, recorded),
            "inheritance": facts.inheritance_text(subject, store.inheritance(concept)),
            "course": facts.course_text(subject, store.course(concept)),
        }
        titles = {"excluded": "features recorded as not present", "course": "onset and course"}
        for aspect, text in texts.items():
            title = f"{concept.name}: {titles.get(aspect, aspect)}"
            yield _Piece(aspect, f"{disease.disease}#{aspect}", title, text, (disease,))

    def _of_term(self, term: Entry) -> Iterator[_Piece]:
        concept, store = term.concept, self._store
        annotations = store.diseases(concept)
        specificity = 1 - math.log1p(len(annotations)) / math.log1p(_MOST_ANNOTATED)
        parents = [store.entry(parent) for parent in store.parents(concept)]
        text = facts.definition_text(term, store.definition(concept), store.names(concept), parents)
        yield _Piece("definition", str(term.term), f"{concept.name}: definition", text, (term,), specificity)
        text = facts.diseases_text(term, annotations, store.specific_diseases(concept))
        yield _Piece("diseases", f"{term.term}#diseases", f"{concept.name}: diseases", text, (term,), specificity)

    def _of_any(self, entry: Entry) -> Iterator[_Piece]:
        """What the vocabularies beside HPO say: meaning and kind, where HPO has none, and stated relations."""
        concept, store = entry.concept, self._store
        curie = entry.curies[0] if entry.curies else concept.id
        if not entry.term:
            parents = [store.entry(parent) for parent in store.parents(concept)]
            text = facts.definition_text(entry, store.definition(concept), store.names(concept), parents)
            yield _Piece("definition", curie, f"{concept.name}: definition", text, (entry,), vocabulary=_origin(curie))
        stated: dict[tuple[str, str, bool], list[Entry]] = {}
        for triple in store.relations(concept, MAX_RELATIONS):
            if triple.relation not in _TOLD_ELSEWHERE:
                backwards = triple.head.id != concept.id
                other = triple.head if backwards else triple.tail
                stated.setdefault((triple.relation, triple.vocabulary, backwards), []).append(store.entry(other))
        if entry.medicine:
            roles = self._roles(concept)
            text = " ".join((facts.medicine_text(entry, roles, store.names(concept)), *self._of_parts(entry))).strip()
            title = f"{concept.name}: medicine"
            yield _Piece("medicine", f"{curie}#medicine", title, text, (entry,), vocabulary=CHEBI)
            text = facts.class_text(entry, self._wider(concept), roles)
            title = f"{concept.name}: class of medicines"
            yield _Piece("class", f"{curie}#class", title, text, (entry,), vocabulary=CHEBI)
        for (relation, vocabulary, backwards), others in stated.items():
            text = facts.relations_text(entry, relation, others, vocabulary, backwards)
            key = f"{curie}#{'of ' if backwards else ''}{relation} ({vocabulary})"
            yield _Piece("relations", key, f"{concept.name}: {relation}", text, (entry,), vocabulary=vocabulary)

    def _of_parts(self, entry: Entry) -> list[str]:
        """What each medicine acts against that a combined one has in it."""
        found = (self._store.lookup(name)[:1] for name in facts.combined_in(entry))
        parts = [part for several in found for part in several]
        told = (facts.medicine_text(self._store.entry(part), self._roles(part), (), within=entry) for part in parts)
        return [text for text in told if text]

    def _wider(self, concept: Concept) -> list[Entry]:
        """All that a concept is a kind of."""
        return [self._store.entry(one) for one in self._store.ancestors(concept)]

    def _roles(self, concept: Concept) -> list[list[Entry]]:
        """The roles that ChEBI gives a substance or what it is a kind of, each with all that it is a kind of itself."""
        store = self._store
        stated = {
            triple.tail.id: triple.tail
            for one in (concept, *store.ancestors(concept))
            for triple in store.relations(one, MAX_RELATIONS)
            if triple.relation == HAS_ROLE and triple.vocabulary == CHEBI and triple.head.id == one.id
        }
        return [[store.entry(wider) for wider in (role, *store.ancestors(role))] for role in stated.values()]

    def _evidence(self, piece: _Piece, asked: bool, question: str) -> Evidence:
        vocabulary = self._vocabularies.get(piece.vocabulary)
        weight = (_WEIGHTS[piece.aspect] + (_ASKED_BONUS if asked else 0)) / (1 + _ASKED_BONUS)
        browsed = "disease" if piece.about[-1].disease and piece.aspect not in _TERM_ASPECTS else "term"
        curie = piece.about[-1].disease if browsed == "disease" else piece.about[0].term
        known = piece.vocabulary == HPO and curie
        page = f"https://hpo.jax.org/browse/{browsed}/{curie}" if known else _page(piece.about[0])
        return Evidence(
            id=f"knowledge:{piece.key}",
            text=piece.text,
            title=piece.title,
            url=page,
            published=vocabulary.released if vocabulary else None,
            source=self.name,
            query=question,
            score=round(weight * (1 - _SPECIFICITY_SHARE * (1 - max(0.0, piece.specificity))), 4),
            about=tuple(dict.fromkeys(i for entry in piece.about for i in (entry.concept.id, *entry.curies))),
            owner=vocabulary.name if vocabulary else None,
            version=vocabulary.version if vocabulary else None,
        )


def _origin(curie: str) -> str:
    """The vocabulary that a CURIE is of."""
    space = curie.partition(":")[0]
    return _ORIGINS.get(space, space)


def _page(entry: Entry) -> str | None:
    """Where a concept is shown to readers."""
    for curie in entry.curies:
        space, _, code = curie.partition(":")
        if space in _PAGES:
            return _PAGES[space].format(curie, code)
    return _UMLS_PAGE.format(entry.concept.id) if ":" not in entry.concept.id else None
