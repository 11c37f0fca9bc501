"""The UMLS service, asked as any other knowledge is."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping, Sequence

from core.errors import SourceError
from core.schema import Concept, Triple
from tools.knowledge.interface import Definition
from tools.knowledge.rest.client import UmlsClient
from tools.knowledge.rest.labels import rank, said
from tools.knowledge.rest.references import CUI, Reference, identified, pointed_at
from tools.knowledge.rest.replies import ConceptRecord, Hit, RelationRow
from tools.knowledge.rest.vocabularies import is_translation
from tools.knowledge.semantics import SEMANTIC_TYPES

MAX_CODES = 3
"""Codes asked for their concepts, for each relation wanted: many name one concept, and its relation counts once."""
_CONCEPTS_OF_A_CODE = 5
_log = logging.getLogger(__name__)


class UmlsRest:
    """``Knowledge`` over the service. An identifier that the current release does not have has nothing."""

    def __init__(self, client: UmlsClient) -> None:
        """Ask through this client."""
        self.client = client

    async def lookup(self, term: str, limit: int) -> tuple[Concept, ...]:
        """Return the concept of an identifier, or those of this name; where there are none, those with its words."""
        if limit < 1:
            return ()
        if (reference := identified(term)) and (known := await self._concept(reference)):
            return (known,)
        hits = await self.client.search(term, limit=limit, search_type="exact")
        if not hits:
            hits = await self.client.search(term, limit=limit, search_type="words")
        found = {hit.ui: hit for hit in hits if CUI.fullmatch(hit.ui)}
        return tuple(await asyncio.gather(*map(self._of_hit, found.values())))

    async def concept(self, identifier: str) -> Concept | None:
        """Return the concept of an identifier, with its semantic types."""
        reference = identified(identifier)
        return await self._concept(reference) if reference else None

    async def names(self, identifier: str) -> tuple[str, ...]:
        """Return a concept's English names, the preferred one first, none that differs from another in case only."""
        known = await self.concept(identifier)
        if known is None:
            return ()
        names = [known.name, *(atom.name for atom in await self.client.atoms(known.id))]
        chosen: dict[str, str] = {}
        for name in names:
            chosen.setdefault(name.casefold(), name)
        return tuple(filter(None, chosen.values()))

    async def definitions(self, identifier: str) -> tuple[Definition, ...]:
        """Return a concept's definitions in English, each with its vocabulary's abbreviation."""
        cui = await self._cui(identifier)
        rows = await self.client.definitions(cui) if cui else ()
        texts = [(row, row.value.strip()) for row in rows if not is_translation(row.root_source)]
        return tuple(dict.fromkeys(Definition(text=text, vocabulary=row.root_source) for row, text in texts if text))

    async def relations(self, identifier: str, limit: int, *, resolve: bool = True) -> tuple[Triple, ...]:
        """Return a concept's relations, each once, those that tell most first.

        What is related may come as a vocabulary's code. It is given as the concept that the service has for the code;
        where that is none, several, or could not be asked, its CURIE stays the id. That takes a request a code, which
        a caller who wants names alone can spare by ``resolve``.
        """
        if limit < 1 or (head := await self.concept(identifier)) is None:
            return ()
        rows = await self.client.relations(head.id)
        ranks = [(rank(row.relation_label, row.additional_relation_label), row) for row in rows]
        chosen = [(place, row) for place, row in ranks if place is not None and not is_translation(row.root_source)]
        ordered = [row for _, row in sorted(chosen, key=lambda pair: pair[0])]
        found: dict[tuple[str, str, str], Triple] = {}
        for start in range(0, min(len(ordered), limit * MAX_CODES), limit):
            batch = ordered[start : start + limit]
            wanted = {reference: row.related_id_name for row in batch if (reference := pointed_at(row.related_id))}
            hits = await self._all_resolved(wanted) if resolve else {}
            for triple in _triples(head, batch, hits):
                found.setdefault((triple.head.id, triple.relation, triple.tail.id), triple)
            if len(found) >= limit:
                break
        return tuple(found.values())[:limit]

    async def release(self, identifier: str) -> str | None:
        """Return the release of the UMLS that a concept is from, such as ``2024AA``; None where it is not told."""
        cui = await self._cui(identifier)
        record = await self.client.concept(cui) if cui else None
        return record.release if record else None

    async def _cui(self, identifier: str) -> str | None:
        reference = identified(identifier)
        hit = await self._resolved(reference, "") if reference else None
        return hit.ui if hit else None

    async def _concept(self, reference: Reference) -> Concept | None:
        hit = await self._resolved(reference, "")
        record = await self.client.concept(hit.ui) if hit else None
        return _concept(record) if record else None

    async def _of_hit(self, hit: Hit) -> Concept:
        record = await self.client.concept(hit.ui)
        return _concept(record) if record else Concept(id=hit.ui, name=hit.name)

    async def _all_resolved(self, wanted: Mapping[Reference, str]) -> dict[Reference, Hit]:
        """Return the concepts of those references, each given with its name, that have one."""
        answers = await asyncio.gather(*(self._resolved(r, n) for r, n in wanted.items()), return_exceptions=True)
        hits: dict[Reference, Hit] = {}
        failures: list[SourceError] = []
        for reference, answer in zip(wanted, answers, strict=True):
            if isinstance(answer, SourceError):
                failures.append(answer)
            elif isinstance(answer, BaseException):
                raise answer
            elif answer:
                hits[reference] = answer
        if failures and not self.client.offline:
            _log.warning("%d codes of relations keep their own ids: %s", len(failures), failures[0])
        return hits

    async def _resolved(self, reference: Reference, name: str) -> Hit | None:
        """Return the concept that is pointed at; None where the service knows none, or cannot tell which of several."""
        if reference.cui:
            return Hit(ui=reference.cui, name=name)
        if not reference.vocabulary:
            atom = await self.client.atom(reference.ui)
            return _hit(atom.concept if atom else "", name)
        hits = await self.client.search(
            reference.ui, limit=_CONCEPTS_OF_A_CODE, codes=True, vocabularies=(reference.vocabulary,)
        )
        hits = tuple(hit for hit in hits if CUI.fullmatch(hit.ui))
        if len(hits) > 1:
            hits = tuple(hit for hit in hits if hit.name.casefold() == name.casefold())
            return hits[0] if len(hits) == 1 else None
        if hits:
            return hits[0]
        code = await self.client.code(reference.vocabulary, reference.ui)
        return _hit(code.concepts, name or code.name) if code else None


def _hit(address: str, name: str) -> Hit | None:
    reference = pointed_at(address)
    return Hit(ui=reference.cui, name=name) if reference and reference.cui else None


def _concept(record: ConceptRecord) -> Concept:
    known = [SEMANTIC_TYPES.get(kind.uri.rpartition("/")[2]) for kind in record.semantic_types]
    types = [k[0] if k else kind.name for k, kind in zip(known, record.semantic_types, strict=True)]
    group = next((k[1] for k in known if k), None)
    return Concept(id=record.ui, name=record.name, types=tuple(filter(None, types)), group=group)


def _triples(head: Concept, rows: Sequence[RelationRow], hits: Mapping[Reference, Hit]) -> Iterator[Triple]:
    """Yield a triple for each row that relates the concept to another one."""
    for row in rows:
        if (reference := pointed_at(row.related_id)) is None:
            continue
        hit = hits.get(reference)
        identifier = hit.ui if hit else reference.identifier
        name = (hit.name if hit else "") or row.related_id_name or identifier
        if identifier == head.id or (not hit and name.casefold() == head.name.casefold()):
            continue
        words, reversed_ = said(row.relation_label, row.additional_relation_label)
        related = Concept(id=identifier, name=name)
        first, second = (related, head) if reversed_ else (head, related)
        yield Triple(head=first, relation=words, tail=second, vocabulary=row.root_source)
