"""The readers that have learned: each is loaded at first use, and absent where its file is missing or damaged."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from core.errors import DataMissing

if TYPE_CHECKING:
    from chains.relevance.windows import Read
    from chains.verify.comparing import Learned
    from core.readers.entailment import EntailmentReader
    from core.readers.reader import Reader

Loaded = TypeVar("Loaded")


class Readers:
    """What the steps read pairs of texts with; what is absent is named in ``notices``."""

    def __init__(self, threads: int, folder: Path | None = None) -> None:
        """Nothing is loaded yet; a reader computes on so many threads. ``folder`` is where other files lie."""
        self._threads = threads
        self._folder = {"folder": folder} if folder else {}
        self._missing: dict[str, str] = {}

    @property
    def answers(self) -> Read | None:
        """What reads a question and a passage that may answer it."""
        return self._answering.outputs if self._answering else None

    @property
    def entails(self) -> Learned | None:
        """What reads a claim and a passage that may support or contradict it."""
        return self._entailment.read if self._entailment else None

    def notices(self) -> tuple[str, ...]:
        """What must be told of readers that are missing; loads them."""
        found = (self._answering, self._entailment)
        return () if all(found) else tuple(self._missing.values())

    @cached_property
    def _answering(self) -> Reader | None:
        from core.readers.reader import Reader

        return self._loaded("answering", lambda: Reader.load("answering", self._threads, **self._folder))

    @cached_property
    def _entailment(self) -> EntailmentReader | None:
        from core.readers.entailment import EntailmentReader

        return self._loaded("entailment", lambda: EntailmentReader.load(self._threads, **self._folder))

    def _loaded(self, name: str, load: Callable[[], Loaded]) -> Loaded | None:
        try:
            return load()
        except DataMissing as error:
            self._missing[name] = str(error)
            return None
