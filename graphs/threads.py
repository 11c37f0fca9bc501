"""Threads that survive the process: checkpoints in SQLite, holding our own types and nothing else."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from filelock import FileLock, Timeout
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from chains import safety, scope, understanding
from core import schema, source
from core.errors import StoreBusy, StoreError

STATE_TYPES = (
    schema.Claim,
    schema.Concept,
    schema.Draft,
    schema.Evidence,
    schema.Exemplar,
    schema.Failure,
    schema.Mention,
    schema.Question,
    schema.QuestionSettings,
    schema.Quote,
    schema.Suggestion,
    schema.Triple,
    schema.Turn,
    schema.Usage,
    schema.Verdict,
    schema.VerifiedAnswer,
    safety.Alarm,
    scope.Scope,
    source.SourceQuery,
    understanding.Understanding,
)
"""What a checkpoint may hold beside plain values: anything else is refused when it is read back."""
FORMER_NAMES = (("chains.understand", "Understanding"),)
"""Where such a type was when threads were saved that are still there."""


POLL_SECONDS = 0.1
PATIENCE_SECONDS = 900.0


def serializer() -> JsonPlusSerializer:
    """Strict: no pickle, no type that is not listed."""
    names = [(t.__module__, t.__name__) for t in STATE_TYPES]
    return JsonPlusSerializer(allowed_msgpack_modules=[*names, *FORMER_NAMES])


@asynccontextmanager
async def held(home: Path, thread: str, waiting: Callable[[], None]) -> AsyncIterator[None]:
    """Have a thread to oneself: two questions at once would each forget the other. Call ``waiting`` if it is taken.

    Raises:
        StoreBusy: another process has kept it for too long.
        StoreError: the data directory cannot be used.
    """
    name = hashlib.sha256(thread.encode("utf-8", errors="surrogatepass")).hexdigest()[:16]
    lock = FileLock(home / "locks" / f"thread-{name}.lock", thread_local=False)
    try:
        await asyncio.to_thread(lambda: (home / "locks").mkdir(parents=True, exist_ok=True))
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not _taken(lock):
                waiting()
                waiting = _silent
                await asyncio.sleep(POLL_SECONDS)
    except TimeoutError as error:
        raise StoreBusy(f"another process still asks on the thread {thread!r}: wait for it, or use another") from error
    except OSError as error:
        raise StoreError(f"{home}/locks cannot be written ({error}): check MEDATTEST_HOME") from error
    try:
        yield
    finally:
        lock.release()


def _taken(lock: FileLock) -> bool:
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return False
    return True


def _silent() -> None:
    """It was told once."""


@asynccontextmanager
async def open_threads(home: Path) -> AsyncIterator[AsyncSqliteSaver]:
    """The threads of this data directory, for as long as the context lasts."""
    import aiosqlite

    try:
        await asyncio.to_thread(home.mkdir, parents=True, exist_ok=True)
        connection = await aiosqlite.connect(home / "threads.sqlite")
    except (OSError, aiosqlite.Error) as error:
        raise StoreError(f"{home}/threads.sqlite cannot be opened ({error}): check MEDATTEST_HOME") from error
    try:
        saver = AsyncSqliteSaver(connection, serde=serializer())
        async with held(home, "", _silent):  # making the tables is no thread's
            await saver.setup()
        yield saver
    except aiosqlite.DatabaseError as error:
        full = "disk is full" in str(error)
        todo = "make room on the disk" if full else "move it away and ask again"
        raise StoreError(f"{home}/threads.sqlite cannot be used ({error}): {todo}") from error
    finally:
        await connection.close()
