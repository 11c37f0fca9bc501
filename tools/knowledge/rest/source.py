"""The UMLS service as a source of evidence: definitions and relations of the concepts that a question is about."""

from __future__ import annotations

import asyncio
import html
import logging
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from core.errors import SourceError
from core.schema import Concept, Evidence, Triple
from core.source import SourceQuery, report_gap
from tools.knowledge.interface import Definition
from tools.knowledge.rest.knowledge import UmlsRest
from tools.knowledge.rest.labels import verb
from tools.knowledge.rest.references import CUI
from tools.knowledge.rest.vocabularies import vocabulary_name
from tools.knowledge.wording import joined, sentence

MAX_CONCEPTS = 6
MAX_DEFINITIONS = 4
MAX_RELATIONS = 40
LISTED = 10
"""Concepts that one sentence lists at most."""
BROWSER = "https://uts.nlm.nih.gov/uts/umls/concept/"

_DEFINITION_SCORE, _RELATIONS_SCORE, _STEP = 0.7, 0.6, 0.01
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_log = logging.getLogger(__name__)


class UmlsSource:
    """Evidence from the UMLS service, for concepts that it has; one without a CUI is looked up by its name."""

    def __init__(self, knowledge: UmlsRest) -> None:
        """Ask this service."""
        self._knowledge = knowledge

    @property
    def name(self) -> str:
        """The name that settings, failures and evidence know it by."""
        return "umls"

    async def search(self, query: SourceQuery) -> list[Evidence]:
        """Return definitions and relations of the query's concepts, those of the first concepts first.

        A concept that could not be asked about is logged, unless nothing at all was found: then SourceError is raised.
        """
        asked = query.queries[0] if query.queries else ""
        answers = await asyncio.gather(
            *(self._about(concept, asked) for concept in query.concepts[:MAX_CONCEPTS]), return_exceptions=True
        )
        found: dict[str, Evidence] = {}
        failures: list[SourceError] = []
        for place, answer in enumerate(answers):
            if isinstance(answer, SourceError):
                failures.append(answer)
            elif isinstance(answer, BaseException):
                raise answer
            else:
                for evidence in answer:
                    score = round(evidence.score - place * _STEP, 4)
                    found.setdefault(evidence.id, evidence.model_copy(update={"score": score}))
        if failures and not found:
            raise failures[0]
        for failure in failures:
            _log.warning("umls: evidence of one concept is missing: %s", failure)
            report_gap(failure)
        return sorted(found.values(), key=lambda evidence: -evidence.score)[: query.limit]

    async def _about(self, asked: Concept, question: str) -> list[Evidence]:
        known = await self._known(asked)
        if known is None:
            return []
        definitions, triples, release = await asyncio.gather(
            self._knowledge.definitions(known.id),
            self._knowledge.relations(known.id, MAX_RELATIONS, resolve=False),
            self._knowledge.release(known.id),
        )
        about = tuple(dict.fromkeys((known.id, asked.id, *asked.xrefs)))
        pieces = [*_definition_pieces(known, definitions), *_relation_pieces(known, triples)]
        return [
            Evidence(
                id=f"umls:{known.id}#{key}",
                text=text,
                title=title,
                url=BROWSER + known.id,
                source=self.name,
                query=question,
                score=_DEFINITION_SCORE if key.startswith("definition") else _RELATIONS_SCORE,
                about=about,
                owner=owner,
                version=release,
            )
            for key, title, text, owner in pieces
        ]

    async def _known(self, asked: Concept) -> Concept | None:
        if CUI.fullmatch(asked.id):
            return await self._knowledge.concept(asked.id)
        for curie in asked.xrefs:
            if curie.startswith("UMLS:") and (known := await self._knowledge.concept(curie)):
                return known
        found = await self._knowledge.lookup(asked.name, 1)
        return found[0] if found else None


def _definition_pieces(known: Concept, definitions: Sequence[Definition]) -> Iterator[tuple[str, str, str, str]]:
    """Yield key, title, text and owner of each definition: the first of every vocabulary, then their further ones."""
    counted: dict[str, int] = defaultdict(int)
    pieces = []
    for definition in definitions:
        text = " ".join(html.unescape(_TAG.sub("", definition.text)).split())
        if not text:
            continue
        vocabulary = definition.vocabulary
        counted[vocabulary] += 1
        key = f"definition:{vocabulary}" + (f":{counted[vocabulary]}" if counted[vocabulary] > 1 else "")
        owner = vocabulary_name(vocabulary)
        pieces.append(
            (counted[vocabulary], (key, f"{known.name}: definition", sentence(f"{known.name}: {text}"), owner))
        )
    yield from (piece for _, piece in sorted(pieces, key=lambda pair: pair[0])[:MAX_DEFINITIONS])


def _relation_pieces(known: Concept, triples: Sequence[Triple]) -> Iterator[tuple[str, str, str, str]]:
    """Yield one piece with a sentence for each relation, which names its subject and the vocabulary that states it."""
    tails: dict[tuple[str, str], list[str]] = defaultdict(list)
    heads: dict[tuple[str, str], list[str]] = defaultdict(list)
    for triple in triples:
        kind = (triple.relation, triple.vocabulary)
        if triple.head.id == known.id:
            tails[kind].append(triple.tail.name)
        else:
            heads[kind].append(triple.head.name)
    lines = [
        f"{known.name} {verb(relation)} {joined(names[:LISTED], len(names))}{_according(vocabulary)}"
        for (relation, vocabulary), names in tails.items()
    ] + [
        f"{head} {verb(relation)} {known.name}{_according(vocabulary)}"
        for (relation, vocabulary), names in heads.items()
        for head in names[:LISTED]
    ]
    if lines:
        owners = dict.fromkeys(vocabulary_name(triple.vocabulary) for triple in triples if triple.vocabulary)
        yield "relations", f"{known.name}: relations", " ".join(map(sentence, lines)), ", ".join(owners)


def _according(vocabulary: str) -> str:
    return f", according to {vocabulary_name(vocabulary)}" if vocabulary else ""
