"""The sources of evidence by their names: the local ones, the services, and any LangChain retriever of the settings."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from core.errors import SourceError, UsageError
from core.settings import Settings
from graphs.services import Services

if TYPE_CHECKING:  # imported for real by the source that needs it
    from core.cache import Mode
    from core.source import Source
    from tools.pubmed.headings import Headings
    from tools.pubmed.retractions import Retractions
    from tools.retriever.loading import RetrieverSpec


SERVICES = ("pubmed", "wikipedia", "umls")


class Sources:
    """Makes a source when a question asks it. That may read files: do it off the loop."""

    def __init__(self, settings: Settings, services: Services, local: Mapping[str, Callable[[], Source]]) -> None:
        """Take the local sources as functions that build them at first use."""
        self._settings = settings
        self._services = services
        self._local = local
        self._loaded: dict[str, Source] = {}

    def names(self, collection: str | None) -> tuple[str, ...]:
        """Where a question is searched that names no sources.

        One that names a collection asks that collection; a service that there is a key for is asked with the others.
        """
        if collection is not None:
            return ("repository",)
        keyed = ("umls",) if self._services.has_umls else ()
        usual = (name for name in self._settings.sources if name != "library" or self._settings.library)
        return tuple(dict.fromkeys((*usual, *keyed)))

    def get(self, name: str, loop: asyncio.AbstractEventLoop, mode: Mode) -> Source:
        """The source of that name, for use on that loop; UsageError where there is none."""
        self.check((name,))
        if name in self._local:
            return self._local[name]()
        services = {"pubmed": self._pubmed, "wikipedia": self._wikipedia, "umls": self._umls}
        return services[name](loop, mode) if name in services else self._retriever(name, mode)

    def check(self, names: Iterable[str]) -> None:
        """Raise UsageError where there is no source of one of these names, before anything is asked for the others."""
        known = (*self._local, *SERVICES, *self._retrievers, "given")
        for name in names:
            if name not in known:
                raise UsageError(
                    f"there is no source {name!r} for --sources or MEDATTEST_SOURCES: use some of {', '.join(known)}"
                )

    def usable(self) -> tuple[str, ...]:
        """The names of all that is asked by default and of every retriever; SourceError where one does not load."""
        for name in self._retrievers:
            self._retriever(name, "normal")
        return tuple(dict.fromkeys((*self.names(None), *self._retrievers)))

    def _pubmed(self, loop: asyncio.AbstractEventLoop, mode: Mode) -> Source:
        from tools.pubmed.filters import Filters
        from tools.pubmed.source import PubMedSource

        s = self._settings
        return PubMedSource(
            self._services.pubmed(loop, mode),
            filters=Filters(
                humans=s.pubmed_humans, from_year=s.pubmed_from_year, to_year=s.pubmed_to_year, types=s.pubmed_types
            ),
            retractions=self._retractions,
            headings=self._headings,
            deadline=s.source_deadline,
            enough=s.pubmed_enough,
        )

    def _wikipedia(self, loop: asyncio.AbstractEventLoop, mode: Mode) -> Source:
        from tools.wikipedia.source import WikipediaSource

        client = self._services.wikipedia(loop, mode)
        return WikipediaSource(client, self._settings.wikipedia_language, self._settings.wikipedia_pages)

    def _umls(self, loop: asyncio.AbstractEventLoop, mode: Mode) -> Source:
        from tools.knowledge.rest.source import UmlsSource

        return UmlsSource(self._services.umls(loop, mode))

    def _retriever(self, name: str, mode: Mode) -> Source:
        from tools.retriever.loading import load_retriever
        from tools.retriever.source import RetrieverSource

        if mode == "offline":
            raise SourceError(f"offline: {name} was not asked")
        if name not in self._loaded:
            retriever = load_retriever(self._retrievers[name])
            self._loaded[name] = RetrieverSource(name, retriever, self._settings.source_deadline)
        return self._loaded[name]

    @cached_property
    def _retrievers(self) -> dict[str, RetrieverSpec]:
        from tools.retriever.loading import parse_retrievers

        return {spec.name: spec for spec in parse_retrievers(self._settings.retrievers)}

    @cached_property
    def _retractions(self) -> Retractions:
        from tools.pubmed.retractions import Retractions

        return Retractions()

    @cached_property
    def _headings(self) -> Headings:
        from tools.pubmed.headings import Headings

        return Headings()
