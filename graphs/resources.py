"""The composition root: every collaborator, built once and only when it is needed, from the settings."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, TypeVar

from core.errors import SettingsError
from core.schema import Concept, Evidence, Outcome, Question
from core.settings import Settings, load_settings
from graphs.services import Services
from graphs.sources import Sources

if TYPE_CHECKING:  # what is imported here is imported for real when it is first built
    from langchain_core.runnables import Runnable
    from langchain_core.tools import BaseTool

    from chains.answer.by_task import AnswerInput
    from chains.claims import ClaimInput
    from chains.expand import ExpandInput
    from chains.question import UnderstandInput
    from chains.refine import RefineInput
    from chains.relevance.weigh import WeighInput
    from chains.revise import ReviseInput, Revision
    from chains.select.evidence import SelectInput
    from chains.select.mmr import Matrix
    from chains.understand import Understanding
    from chains.verify import VerifyInput
    from core.cache import Mode
    from core.embeddings import MiniLM
    from core.rarity import Rarity
    from core.schema import Claim, Draft, Mention, Triple, Verdict
    from core.source import Source
    from tools.knowledge import KnowledgeStore, Linker
    from tools.repository import Repository

I = TypeVar("I")  # noqa: E741  # input of a chain
O = TypeVar("O")  # noqa: E741  # its outcome's value
Progress = Callable[[str], None]


def _silent(_: str) -> None:
    """Progress that nobody watches."""


class Resources:
    """What the graphs work with. Properties build on first use; ``close`` gives threads back."""

    def __init__(self, settings: Settings, progress: Progress = _silent) -> None:
        if settings.model is not None:
            raise SettingsError(
                f"MEDATTEST_MODEL is {settings.model!r}, but this version has the evidence-only engine alone: unset it"
            )
        self.settings = settings
        self.progress = progress
        self.engine = "evidence-only"
        self.services = Services(settings)
        local: dict[str, Callable[[], Source]] = {
            "knowledge": lambda: self.knowledge_source,
            "repository": lambda: self.repository_source,
        }
        self.sources = Sources(settings, self.services, local)
        self._pool = ThreadPoolExecutor(settings.threads, thread_name_prefix="medattest")

    def close(self) -> None:
        """Wait for running work and end the threads."""
        self._pool.shutdown()

    async def invoke(self, chain: Callable[[Resources], Runnable[I, Outcome[O]]], given: I) -> Outcome[O]:
        """Run a chain in the bounded pool; building it, where that is still to do, happens there too."""
        return await self._in_pool(lambda: chain(self).invoke(given))

    async def warm(self) -> None:
        """Load the embedder while the first steps load the vocabularies."""
        await self._in_pool(lambda: self.rarity)

    async def source(self, name: str, mode: Mode = "normal") -> Source:
        """The source of that name; ``mode`` says whether a service is asked, or what is kept of its replies used."""
        return await self._in_pool(partial(self.sources.get, name, asyncio.get_running_loop(), mode))

    async def _in_pool(self, work: Callable[[], O]) -> O:
        context = contextvars.copy_context()
        return await asyncio.get_running_loop().run_in_executor(self._pool, context.run, work)

    # Collaborators

    @cached_property
    def embedder(self) -> MiniLM:
        """The sentence embedder."""
        from core.embeddings import MiniLM

        return MiniLM.load(self.settings.home, self.settings.threads)

    @cached_property
    def rarity(self) -> Rarity:
        """How much a word tells."""
        from core.rarity import wordpiece_rarity

        return wordpiece_rarity(self.embedder.vocabulary())

    @cached_property
    def repository(self) -> Repository:
        """The user's own documents."""
        from tools.repository import Repository

        s = self.settings
        return Repository(
            s.home,
            lambda: self.embedder,
            chroma_url=s.chroma_url,
            chunk_tokens=s.chunk_tokens,
            chunk_overlap=s.chunk_overlap,
            max_file_mb=s.max_file_mb,
            max_pdf_pages=s.max_pdf_pages,
        )

    @cached_property
    def repository_source(self) -> Source:
        """The repository as a source of evidence."""
        from tools.repository import RepositorySource

        return RepositorySource(self.repository, self._pool)

    @cached_property
    def knowledge(self) -> KnowledgeStore:
        """The vocabularies, built at first use."""
        from tools.knowledge import KnowledgeStore

        return KnowledgeStore.open(self.settings.home, lambda what, share: self.progress(f"{what} {share:.0%}"))

    @cached_property
    def linker(self) -> Linker:
        """From text to concepts."""
        from tools.knowledge import Linker

        return Linker(self.knowledge)

    @cached_property
    def knowledge_source(self) -> Source:
        """The vocabularies as a source of evidence."""
        from tools.knowledge import KnowledgeSource

        return KnowledgeSource(self.knowledge, self.linker)

    def knowledge_tools(self) -> tuple[BaseTool, BaseTool]:
        """``umls_lookup`` and ``umls_relations`` over the vocabularies, for any LangChain agent."""
        from tools.knowledge.langchain import umls_tools
        from tools.knowledge.local import LocalKnowledge

        return umls_tools(LocalKnowledge(self.knowledge))

    def names(self, concept: Concept) -> Sequence[str]:
        """The names of a concept by which texts call it, the preferred one first."""
        return [name.text for name in self.knowledge.names(concept) if name.linked]

    def broader(self, concept: Concept) -> Sequence[str]:
        """What a concept is a kind of."""
        return [parent.name for parent in self.knowledge.parents(concept)]

    def phrasings(self, query: str) -> tuple[str, ...]:
        """A query, and its other phrasings under the other names of its concepts."""
        from chains.expand import ExpandInput
        from chains.understand import understand

        understanding = understand(query, self.linker.link, synonyms=self.names)
        return (query, *self.expander.invoke(ExpandInput(understanding)).value)

    def vectors(self, evidence: Sequence[Evidence]) -> Matrix:
        """Embeddings of evidence, n × 384: those that the repository keeps, and the others made now."""
        import numpy as np

        stored = [i for i, e in enumerate(evidence) if e.id.startswith("repository:")]
        fresh = [i for i, e in enumerate(evidence) if not e.id.startswith("repository:")]
        matrix = np.zeros((len(evidence), self.embedder.dimensions), np.float32)
        if stored:
            matrix[stored] = self.repository.vectors([evidence[i].id for i in stored])
        if fresh:
            matrix[fresh] = self.embedder.encode([evidence[i].text for i in fresh])
        return matrix

    # Steps

    @cached_property
    def concept_linker(self) -> Runnable[Question, Outcome[tuple[Mention, ...]]]:
        """From a question to the concepts that it mentions."""
        from chains.link import concept_linker

        return concept_linker(self.linker.link)

    @cached_property
    def understander(self) -> Runnable[UnderstandInput, Outcome[Understanding]]:
        """From a question to what it is about."""
        from chains.question import understander

        return understander(self.names)

    @cached_property
    def relater(self) -> Runnable[Understanding, Outcome[tuple[Triple, ...]]]:
        """From what a question is about to what the vocabularies state of it."""
        from chains.triples import relater

        return relater(self.knowledge.triples, self.settings.triples)

    @cached_property
    def expander(self) -> Runnable[ExpandInput, Outcome[tuple[str, ...]]]:
        """From a question to other phrasings of it."""
        from chains.expand import expander

        return expander(self.names, self.settings.queries)

    @cached_property
    def refiner(self) -> Runnable[RefineInput, Outcome[tuple[str, ...]]]:
        """From weak claims to new queries."""
        from chains.refine import refiner

        return refiner(self.names, self.broader, self.settings.queries)

    @cached_property
    def weigher(self) -> Runnable[WeighInput, Outcome[dict[str, float]]]:
        """From evidence to the probability that each piece answers the question."""
        from chains.relevance.weigh import weigher

        return weigher(self.rarity)

    @cached_property
    def selector(self) -> Runnable[SelectInput, Outcome[tuple[Evidence, ...]]]:
        """From candidates to the few that go on."""
        from chains.select.evidence import selector
        from chains.verify.risk import strength

        s = self.settings
        return selector(
            self.vectors,
            self.embedder.encode,
            s.select,
            s.mmr_lambda,
            strength=lambda evidence: 1.0 - s.strength_weight * (1.0 - strength(evidence)),
        )

    @cached_property
    def answerer(self) -> Runnable[AnswerInput, Outcome[Draft]]:
        """From evidence to a draft."""
        from chains.answer.by_task import answerer

        return answerer(self.embedder.encode, self.rarity, self.settings.answer_sentences)

    @cached_property
    def claim_splitter(self) -> Runnable[ClaimInput, Outcome[tuple[Claim, ...]]]:
        """From a text to its claims."""
        from chains.claims import claim_splitter

        return claim_splitter(self.linker.link)

    @cached_property
    def verifier(self) -> Runnable[VerifyInput, Outcome[tuple[Verdict, ...]]]:
        """From claims and evidence to verdicts."""
        from chains.verify import verifier

        return verifier(self.embedder.encode, self.rarity, self.linker.link)

    @cached_property
    def reviser(self) -> Runnable[ReviseInput, Outcome[Revision]]:
        """From a draft to what of it is attested."""
        from chains.revise import reviser

        return reviser()


@cache
def shared_resources() -> Resources:
    """One set a process, for servers that call a graph factory at every run."""
    return Resources(load_settings())
