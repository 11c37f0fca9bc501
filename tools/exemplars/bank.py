"""The bank: the exemplars that ship and those that the user imported, with their embeddings kept on disk.

They are encoded like the questions that look for them (IMKDG), also by an embedder that reads passages otherwise.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TypeVar

import numpy as np

from core.embeddings import Embedder, encode_queries
from core.errors import InputError
from core.schema import Exemplar, Task
from tools.exemplars.formats import ACCEPTED, exemplars_of
from tools.exemplars.shipped import shipped
from tools.exemplars.store import ExemplarStore, Key
from tools.exemplars.values import REFUSED_SHOWN, Floats, ImportReport, Instances, Refused, content_id, embedded_text

TASKS: tuple[Task, ...] = ("open", "choice", "yesno", "dialogue")
BATCH = 256
"""Exemplars that are read or embedded, and kept, at once: what a killed run loses at most."""

Progress = Callable[[int, int], None]
"""Told how many of how many texts are embedded."""
Relate = Callable[[str], Sequence[str]]
"""From a context to its knowledge, triples as they are printed."""
T = TypeVar("T")


class ExemplarBank:
    """Exemplars to choose from; safe to use from several threads, its file from several processes."""

    def __init__(self, home: Path, embedder: Callable[[], Embedder], *, ships: bool = True) -> None:
        """Use the data directory ``home``; ``embedder`` is called when vectors are first needed.

        Without ``ships`` the exemplars that ship take no part.
        """
        self._ours = shipped() if ships else ()
        self._store = ExemplarStore(home)
        self._load_embedder = embedder
        self._lock = threading.Lock()
        self._loaded: dict[Task, tuple[int, Instances]] = {}

    @cached_property
    def _embedder(self) -> Embedder:
        return self._load_embedder()

    def exemplars(self) -> list[Exemplar]:
        """Every exemplar: those that ship, then the imported ones in the order of their import."""
        return [*self._ours, *self._store.all()]

    def get(self, ids: Sequence[str]) -> list[Exemplar]:
        """The exemplars of these ids, in this order; one that is gone is left out."""
        found = {exemplar.id: exemplar for exemplar in self._ours}
        found.update(self._store.fetch([id_ for id_ in ids if id_ not in found]))
        return [found[id_] for id_ in ids if id_ in found]

    def instances(self, task: Task, progress: Progress | None = None) -> Instances:
        """The exemplars of a task with their embeddings; what has none yet is embedded now, and kept."""
        with self._lock:
            changes = self._store.changes()
            known = self._loaded.get(task)
            if known is None or known[0] != changes:
                known = self._loaded[task] = (changes, self._load(task, progress))
            return known[1]

    def prepare(self, progress: Progress) -> None:
        """Embed now whatever has no embedding yet, so that no question has to wait for it."""
        for task in TASKS:
            self.instances(task, progress)

    def import_file(
        self, path: Path, relate: Relate | None = None, refused_shown: int | None = REFUSED_SHOWN
    ) -> ImportReport:
        """Import a file; what cannot be used of it is reported, and the rest kept. The same file twice changes nothing.

        Args:
            path: JSON Lines, JSON, CSV or text, in one of the forms that ``ACCEPTED`` describes.
            relate: gives knowledge to the exemplars that bring none.
            refused_shown: so many of the refused records are named in the report; None: all.

        Raises:
            InputError: the file cannot be read, is of no known form, or nothing of it can be used.
            StoreError: the data directory cannot be used.
        """
        ours = {content_id(exemplar) for exemplar in self._ours}
        report = ImportReport(path)
        for batch in _batches(exemplars_of(path), BATCH):
            refused = [found for found in batch if isinstance(found, Refused)]
            usable = [_identified(found, relate) for found in batch if isinstance(found, Exemplar)]
            others = [exemplar for exemplar in usable if exemplar.id not in ours]
            new, changed, same = self._store.keep(others)
            report = report.plus(new, changed, same + len(usable) - len(others), refused, refused_shown)
        if not report.new + report.changed + report.same:
            why = f"nothing of it can be used, first {report.refused[0]}" if report.refused else "it is empty"
            raise InputError(f"{path} holds no exemplar ({why}). {ACCEPTED}")
        return report

    def _load(self, task: Task, progress: Progress | None) -> Instances:
        ours = [exemplar for exemplar in self._ours if exemplar.task == task]
        keys = [*map(Key.of, ours), *self._store.keys(task)]
        asked: dict[bytes, list[int]] = {}
        for place, key in enumerate(keys):
            asked.setdefault(key.asks, []).append(place)
        return Instances([key.id for key in keys], self._vectors(keys, progress), asked)

    def _vectors(self, keys: Sequence[Key], progress: Progress | None) -> Floats:
        embedder = self._embedder
        matrix = np.zeros((len(keys), embedder.dimensions), np.float32)
        missing: dict[bytes, list[int]] = {}
        for place, key in enumerate(keys):
            missing.setdefault(key.text, []).append(place)
        for text, vector in self._store.vectors(embedder.name, embedder.dimensions):
            if text in missing:
                matrix[missing.pop(text)] = vector
        total = len(missing)
        for batch in _batches(iter(list(missing)), BATCH):
            exemplars = self.get([keys[missing[text][0]].id for text in batch])
            vectors = encode_queries(embedder, [embedded_text(e.context, e.knowledge) for e in exemplars])
            # Under what was read: another process may just have changed it, which the next question notices.
            self._store.keep_vectors(embedder.name, [Key.of(exemplar).text for exemplar in exemplars], vectors)
            for text, vector in zip(batch, vectors, strict=True):
                matrix[missing.pop(text)] = vector
            if progress is not None:
                progress(total - len(missing), total)
        return matrix


def _identified(exemplar: Exemplar, relate: Relate | None) -> Exemplar:
    """The exemplar under the id of its content, with knowledge where it has none."""
    knowledge = exemplar.knowledge or tuple(relate(exemplar.context) if relate else ())
    return exemplar.model_copy(update={"id": content_id(exemplar), "knowledge": knowledge})


def _batches(items: Iterator[T], size: int) -> Iterator[list[T]]:
    while batch := list(islice(items, size)):
        yield batch
