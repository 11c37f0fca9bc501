"""The import of a UMLS release: stages in their order, filling a file that takes the store's place when it is whole."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from core.errors import InputError, StoreBusy, StoreError
from tools.knowledge.database import BUILD_WAIT_SECONDS, FILE_NAME, finish, locked, sync
from tools.knowledge.progress import Progress
from tools.knowledge.umls.concepts import write_concepts
from tools.knowledge.umls.estimate import Clock, check_room, needed_bytes, room, sizes
from tools.knowledge.umls.merging import merge_vocabularies
from tools.knowledge.umls.names import stage_names
from tools.knowledge.umls.release import Release, find_release
from tools.knowledge.umls.report import ImportReport
from tools.knowledge.umls.small import write_definitions, write_type_relations, write_types
from tools.knowledge.umls.statements import stage_relations, write_relations
from tools.knowledge.umls.unfinished import open_unfinished, remove_unfinished, sealed, unseal
from tools.knowledge.umls.work import Work
from tools.knowledge.vocabularies.default import default_loaders
from tools.knowledge.vocabularies.records import Loader

_MB = 1e-6
_STAGES: tuple[tuple[str, Callable[[Work], None], str, float], ...] = (
    ("importing MRCONSO", stage_names, "MRCONSO", 0.08),
    ("importing MRSTY", write_types, "MRSTY", 0.12),
    ("importing MRDEF", write_definitions, "MRDEF", 0.04),
    ("importing MRREL", stage_relations, "MRREL", 0.06),
    ("writing relations", write_relations, "MRREL", 0.03),
    ("writing relations of semantic types", write_type_relations, "MRSTY", 0.0),
    ("writing concepts", write_concepts, "MRCONSO", 0.4),
)
"""What is told of a stage, its work, and its cost: seconds for a megabyte of a table (``eval.bench.umls_import``)."""
_LAST = (("merging vocabularies", "MRCONSO", 0.05), ("indexing the knowledge store", "MRREL", 0.02))
_MERGING = len(_STAGES)
_COUNTED = ("concepts", "names", "types", "definitions", "xrefs", "relations", "type_relations", "vocabularies")


def import_umls(
    meta: Path,
    home: Path,
    *,
    vocabularies: Collection[str] | None = None,
    loaders: Sequence[Loader] | None = None,
    semantic_network: Path | None = None,
    progress: Progress,
) -> ImportReport:
    """Make the store of a data directory from a UMLS release and the open vocabularies; the old one serves until then.

    An interrupted import of the same files and options goes on where it was.

    Args:
        meta: the folder with MRCONSO.RRF, or the release's folder above it.
        home: the data directory.
        vocabularies: source vocabularies (SAB, such as SNOMEDCT_US) to read; None for all.
        loaders: open vocabularies to merge; None for the default ones.
        semantic_network: the folder with SRDEF and SRSTR; None where it is META or NET beside it.
        progress: told each stage with its share done and the time left.

    Raises:
        InputError: the folder is no META folder, or a file is not what it must be.
        DataMissing: a data wheel of the open vocabularies is not installed.
        StoreBusy: another process is importing.
        StoreError: the data directory cannot be written, or has too little room.
    """
    begun = time.monotonic()
    chosen_loaders = default_loaders() if loaders is None else loaders
    prints = "\n".join(loader.fingerprint() for loader in chosen_loaders)
    release = find_release(meta, semantic_network)
    chosen = None if vocabularies is None else frozenset(vocabularies)
    inputs = f"{release.fingerprint()}\n{sorted(chosen) if chosen is not None else 'all'}\n{prints}"
    path = home / FILE_NAME
    unfinished = path.with_name(f"{path.name}.importing")
    with _failures_told(home, release):
        home.mkdir(parents=True, exist_ok=True)
        with _alone(unfinished, progress):
            check_room(home, release, unfinished.stat().st_size if unfinished.is_file() else 0)
            digest = hashlib.sha256(inputs.encode()).hexdigest()
            connection, state, started = open_unfinished(unfinished, digest)
            progress(f"{started}: UMLS {release.name}", 0.0)
            try:
                with _temporary(unfinished.with_name(f"{unfinished.name}.tmp"), connection) as folder:
                    clock = Clock(progress, _costs(release))
                    work = Work(release, chosen, chosen_loaders, connection, state, clock, folder)
                    with closing(work):
                        _run(work, hashlib.sha256(prints.encode()).hexdigest(), progress)
                    counts = {table: _count(connection, table) for table in _COUNTED}
                sealed(connection)
            except InputError:
                remove_unfinished(unfinished)
                raise
            finally:
                connection.close()
            sync(unfinished)
            with locked(path.with_name(f"{path.name}.lock"), BUILD_WAIT_SECONDS, progress):
                os.replace(unfinished, path)
    return ImportReport(release.name, started, counts, state.bad, release.missing, time.monotonic() - begun)


def _run(work: Work, fingerprint: str, progress: Progress) -> None:
    """Do the stages that are not done; the last ones are done over where they were interrupted."""
    connection, state = work.connection, work.state
    while state.stage < _MERGING:
        work.clock.begin(state.stage)
        _STAGES[state.stage][1](work)
        if state.stage == 0 and not work.known.any():
            raise InputError(_nothing(work))
        state.next_stage()
        work.commit()
    if state.stage == _MERGING:
        merge_vocabularies(work, progress)
        for (table,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE name LIKE 'staged_%' AND type = 'table'"
        ).fetchall():
            connection.execute(f"DROP TABLE {table}")
        connection.execute("INSERT INTO meta VALUES ('umls', ?)", (work.release.name,))
        state.next_stage()
        work.commit()
    unseal(connection)
    finish(connection, fingerprint, progress)


def _costs(release: Release) -> list[tuple[str, float]]:
    found = sizes(release)
    stages = (*((text, table, seconds) for text, _, table, seconds in _STAGES), *_LAST)
    return [(text, found.get(table, 0) * _MB * seconds) for text, table, seconds in stages]


def _count(connection: sqlite3.Connection, table: str) -> int:
    return int(connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])


def _nothing(work: Work) -> str:
    name = work.release.tables["MRCONSO"].parts[0]
    chosen = "" if work.chosen is None else f" of the vocabularies {', '.join(sorted(work.chosen))}"
    return f"{name} has no English name{chosen} that is not suppressed: choose source abbreviations (SAB) that it has"


@contextmanager
def _alone(unfinished: Path, progress: Progress) -> Iterator[None]:
    """Hold the lock of importing, which is not that of building: the open vocabularies' store is built meanwhile."""
    with ExitStack() as held:
        try:
            held.enter_context(locked(unfinished.with_name(f"{unfinished.name}.lock"), 0.0, progress))
        except StoreBusy:
            raise StoreBusy(f"another process is importing into {unfinished.parent}: wait for it, or end it") from None
        yield


@contextmanager
def _temporary(folder: Path, connection: sqlite3.Connection) -> Iterator[Path]:
    """A folder for what is sorted on disk, without what a killed import left there."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    quoted = str(folder).replace("'", "''")
    connection.execute(f"PRAGMA temp_store_directory = '{quoted}'")
    try:
        yield folder
    finally:
        connection.rollback()
        connection.execute("PRAGMA temp_store_directory = ''")
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _failures_told(home: Path, release: Release) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        try:
            free = shutil.disk_usage(home).free
        except OSError:
            free = 0
        raise StoreError(
            f"the import into {home} stopped ({error}); what is done is kept, and the same command goes on with it; "
            + room(needed_bytes(release), free)
        ) from error
