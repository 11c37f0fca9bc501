"""The composition root: every collaborator, built once and only when it is needed, from the settings."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar

from core.errors import StoreError, UsageError
from core.schema import EVIDENCE_ONLY, Concept, Evidence, Method, Outcome, QuestionSettings
from core.settings import Settings, load_settings
from graphs.readers import Readers
from graphs.services import Services
from graphs.sources import Sources

if TYPE_CHECKING:  # what is imported here is imported for real when it is first built
    from langchain_core.runnables import Runnable
    from langchain_core.tools import BaseTool

    from chains.select.mmr import Matrix
    from chains.verify.by_graph import Pair, PathBalance
    from core.cache import Mode
    from core.embeddings import Embedder, MiniLM
    from core.hf.cross_encoder import CrossEncoder
    from core.model.client import Model
    from core.rarity import Rarity
    from core.source import Source
    from graphs.engine import EvidenceSteps
    from graphs.relevance import Relevance
    from graphs.waiting import Loop
    from tools.exemplars import ExemplarBank
    from tools.knowledge import KnowledgeSource, KnowledgeStore, Linker
    from tools.knowledge.around import Shape
    from tools.library import Library
    from tools.repository import Repository

I = TypeVar("I")  # noqa: E741  # input of a chain
O = TypeVar("O")  # noqa: E741  # its outcome's value
Progress = Callable[[str], None]

WAITING_PER_REQUEST = 4
"""Threads for steps that wait for a model, for each request that it may have at once: a step may have several."""


def _silent(_: str) -> None:
    """Progress that nobody watches."""


class Resources:
    """What the graphs work with. Properties build on first use; ``close`` gives threads back."""

    def __init__(self, settings: Settings, progress: Progress = _silent) -> None:
        self.settings = settings
        self.progress = progress
        self.engine = settings.model or EVIDENCE_ONLY
        self.services = Services(settings)
        self._encoders: dict[str, Embedder] = {}
        self.readers = Readers(settings.threads)
        local: dict[str, Callable[[], Source]] = {
            "library": lambda: self.library_source,
            "knowledge": lambda: self.knowledge_source,
            "repository": lambda: self.repository_source,
        }
        self.sources = Sources(settings, self.services, local)
        self._pool = ThreadPoolExecutor(settings.threads, thread_name_prefix="medattest")
        self._closed = False
        # What waits for a model must not keep those from computing that do not.
        waiting = WAITING_PER_REQUEST * settings.model_concurrency if settings.model else 0
        self._waiting = ThreadPoolExecutor(waiting, thread_name_prefix="model") if waiting else self._pool

    def close(self) -> None:
        """Wait for running work and end the threads; nothing can be asked afterwards."""
        self._closed = True
        if loop := self.__dict__.pop("_loop", None):
            loop.run(self.services.close())
            loop.close()
        self._waiting.shutdown()
        self._pool.shutdown()

    async def invoke(self, chain: Callable[[EvidenceSteps], Runnable[I, Outcome[O]]], given: I) -> Outcome[O]:
        """Run a step that computes, in the bounded pool; building it, where that is still to do, happens there too."""
        return await self._in_pool(lambda: chain(self.steps).invoke(given))

    async def consult(
        self, chain: Callable[[EvidenceSteps], Runnable[I, Outcome[O]]], given: I, asked: QuestionSettings
    ) -> Outcome[O]:
        """Run a step that may wait for a model, which is asked as the question's settings say."""
        from core.model.client import asking

        def work() -> Outcome[O]:
            with asking(asked.mode):
                return chain(self.steps).invoke(given)

        return await self._in_pool(work, self._waiting)

    async def compute(self, work: Callable[[], O]) -> O:
        """Do what computes beside the event loop."""
        return await self._in_pool(work)

    async def warm(self) -> None:
        """Load the embedder and the library while the first steps load the vocabularies."""
        await self._in_pool(lambda: self.rarity)
        if "library" in self.sources.names(None):
            await self._in_pool(self.library.open)

    async def source(self, name: str, mode: Mode = "normal") -> Source:
        """The source of that name; ``mode`` says whether a service is asked, or what is kept of its replies used."""
        return await self._in_pool(partial(self.sources.get, name, asyncio.get_running_loop(), mode))

    async def whole_documents(self, evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
        """The documents that these passages stand in; a passage whose document cannot be had is told to be one."""

        def whole(passage: Evidence) -> Evidence:
            try:
                return self.repository.whole(passage)
            except (UsageError, StoreError) as error:
                told = (passage.notice, f"only a passage of it is shown: {error}")
                return passage.model_copy(update={"notice": "; ".join(filter(None, told))})

        return await self._in_pool(lambda: tuple(map(whole, evidence)))

    async def _in_pool(self, work: Callable[[], O], pool: ThreadPoolExecutor | None = None) -> O:
        self._check_open()
        context = contextvars.copy_context()
        return await asyncio.get_running_loop().run_in_executor(pool or self._pool, context.run, work)

    def _check_open(self) -> None:
        if self._closed:
            raise UsageError("these resources are closed: make new ones")

    # Collaborators

    @cached_property
    def minilm(self) -> MiniLM:
        """The embedder that is built in: what verifies and answers was fitted with its vectors."""
        from core.embeddings import MiniLM

        return MiniLM.load(self.settings.home, self.settings.threads)

    @cached_property
    def embedder(self) -> Embedder:
        """The embedder that searches and selects."""
        if self.settings.embedder == "minilm":
            return self.minilm
        from core.hf.encoders import load_encoder

        return load_encoder(self.settings.embedder, self.settings.home, self.settings.threads)

    def settings_of(self, method: Method) -> Settings:
        """The settings, with a method's published hyper-parameters where the user says nothing else."""
        from core.presets import with_preset

        return with_preset(self.settings, method)

    def embedder_of(self, method: Method) -> Embedder:
        """The encoder of a method's paper where it is on this machine, otherwise the one that the settings name."""
        from core.encoders import paper_encoder

        s = self.settings
        name = paper_encoder(method, s.home).name if s.embedder == "minilm" else None
        if name is None:
            return self.embedder
        if name not in self._encoders:
            from core.hf.encoders import load_encoder

            self._encoders[name] = load_encoder(name, s.home, s.threads)
        return self._encoders[name]

    async def ready_for(self, asked: QuestionSettings) -> tuple[str, ...]:
        """What a reader must know of how a question is answered here; UsageError where it cannot be, at no cost."""

        def look() -> tuple[str, ...]:
            self.steps.check(asked.method)
            self.sources.check(asked.sources or ())
            if asked.collection is not None:
                with suppress(StoreError):  # that is told when it is searched
                    self.repository.check(asked.collection)
            return (*self._encoder_notices(asked.method), *self.readers.notices())

        return await self._in_pool(look)

    def _encoder_notices(self, method: Method) -> tuple[str, ...]:
        """What stands in for the encoders of a method's paper that are not on this machine."""
        from core.encoders import paper_cross_encoder, paper_encoder

        s = self.settings
        lacking = [paper_encoder(method, s.home).notice] if s.embedder == "minilm" else []
        lacking += [paper_cross_encoder(method, s.home).notice] if s.cross_encoder is None else []
        return tuple(notice for notice in lacking if notice)

    @cached_property
    def rarity(self) -> Rarity:
        """How much a word tells."""
        from core.rarity import wordpiece_rarity

        return wordpiece_rarity(self.minilm.vocabulary())

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
    def library(self) -> Library:
        """The texts that ship."""
        from tools.library import Library

        return Library(self.settings.home, lambda: self.minilm, self.progress)

    @cached_property
    def library_source(self) -> Source:
        """The library as a source of evidence."""
        from tools.library import LibrarySource

        return LibrarySource(self.library, self._pool)

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
    def knowledge_source(self) -> KnowledgeSource:
        """The vocabularies as a source of evidence."""
        from tools.knowledge import KnowledgeSource

        return KnowledgeSource(self.knowledge, self.linker)

    def tools(self) -> tuple[BaseTool, ...]:
        """Search, PubMed, Wikipedia, the vocabularies and the verification as tools for any LangChain agent."""
        from graphs.as_tool import agent_tools

        return agent_tools(self)

    def wait(self, work: Coroutine[Any, Any, O]) -> O:
        """The result of what must be awaited, for a caller that cannot."""
        if self._closed:
            work.close()
        self._check_open()
        return self._loop.run(work)

    @cached_property
    def _loop(self) -> Loop:
        from graphs.waiting import Loop

        return Loop()

    def names(self, concept: Concept) -> Sequence[str]:
        """The names of a concept by which texts call it, the preferred one first."""
        return [name.text for name in self.knowledge.names(concept) if name.linked]

    def broader(self, concept: Concept) -> Sequence[str]:
        """What a concept is a kind of."""
        return [parent.name for parent in self.knowledge.parents(concept)]

    def kinds(self, concept: Concept) -> Sequence[str]:
        """What people call the medicines that a concept is one of."""
        return self.knowledge_source.kinds(concept)

    def phrasings(self, query: str) -> tuple[str, ...]:
        """A query, and its other phrasings under the other names of its concepts."""
        from chains.expand import ExpandInput
        from chains.understand import understand

        understanding = understand(query, self.linker.link, synonyms=self.names)
        return (query, *self.evidence_only.expander.invoke(ExpandInput(understanding)).value)

    def graph_shape(self, method: Method) -> Shape:
        """How the fuzzy concept graph is made for a method."""
        from tools.knowledge.around import Shape

        s = self.settings_of(method)
        return Shape(
            s.graph_slope,
            s.graph_midpoint,
            s.graph_tau,
            s.graph_alpha,
            s.graph_neighbours,
            s.graph_aggregation,
            s.graph_denials,
        )

    def path_balances(
        self, pairs: Sequence[Pair], context: Sequence[Concept], method: Method = "graph"
    ) -> list[PathBalance | None]:
        """What the fuzzy concept graph over these concepts says of each pair."""
        from chains.verify.by_graph import PathBalance
        from tools.knowledge.around import balances

        encode = self.embedder_of(method).encode
        found = balances(self.knowledge, encode, pairs, context, self.graph_shape(method))
        return [PathBalance(b.support, b.contradiction, b.p_net) if b else None for b in found]

    def vectors(self, evidence: Sequence[Evidence], by: Embedder) -> Matrix:
        """Embeddings of evidence, n × d: those that the repository keeps or the library ships, and others made now."""
        import numpy as np

        keepers: dict[str, Callable[[list[str]], Matrix]] = {}
        if by is self.embedder:
            keepers["repository"] = lambda ids: self.repository.vectors(ids)
        if by is self.minilm:
            keepers["library"] = lambda ids: self.library.vectors(ids)
        matrix = np.zeros((len(evidence), by.dimensions), np.float32)
        places: dict[str, list[int]] = {}
        for place, piece in enumerate(evidence):
            source = piece.id.partition(":")[0]
            places.setdefault(source if source in keepers else "", []).append(place)
        fresh = places.pop("", [])
        for source, kept in places.items():
            try:
                matrix[kept] = keepers[source]([evidence[place].id for place in kept])
            except (UsageError, StoreError):  # indexed anew or deleted since it was searched
                fresh += kept
        if fresh:
            matrix[fresh] = by.encode([evidence[place].text for place in fresh])
        return matrix

    @cached_property
    def relevance(self) -> Relevance:
        """What passages and sentences are weighed with."""
        from graphs.relevance import Relevance

        return Relevance(self)

    @cached_property
    def cross_encoder(self) -> CrossEncoder | None:
        """What scores a document for a query by reading both at once; None where the settings name none."""
        from core.encoders import paper_cross_encoder

        s = self.settings
        name = s.cross_encoder or paper_cross_encoder("certified", s.home).name
        if name is None:
            return None
        from core.hf.cross_encoder import load_cross_encoder

        return load_cross_encoder(name, s.home, s.threads)

    @cached_property
    def exemplars(self) -> ExemplarBank:
        """The worked examples that ship, and the user's own."""
        return self.exemplars_of("full")

    def exemplars_of(self, method: Method) -> ExemplarBank:
        """The same, embedded by the encoder of a method's paper where it is on this machine."""
        from tools.exemplars import ExemplarBank

        return ExemplarBank(self.settings.home, lambda: self.embedder_of(method))

    @cached_property
    def model(self) -> Model | None:
        """The model that the settings name."""
        from core.model.client import open_model

        return open_model(self.settings)

    @cached_property
    def evidence_only(self) -> EvidenceSteps:
        """The steps without a model."""
        from graphs.engine import EvidenceSteps

        return EvidenceSteps(self)

    @cached_property
    def steps(self) -> EvidenceSteps:
        """The steps of the engine that the settings choose: with the model that they name, or without one."""
        if self.model is None:
            return self.evidence_only
        from graphs.model_engine import ModelSteps

        return ModelSteps(self, self.model)


@cache
def shared_resources() -> Resources:
    """One set a process, for servers that call a graph factory at every run; they trace as the settings say."""
    from graphs.tracing import trace_as_set

    settings = load_settings()
    trace_as_set(settings)
    return Resources(settings)
