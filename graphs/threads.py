"""Threads that survive the process: checkpoints in SQLite, holding our own types and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from chains import safety, scope, understand
from core import schema, source
from core.errors import StoreError

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
    understand.Understanding,
)
"""What a checkpoint may hold beside plain values: anything else is refused when it is read back."""


def serializer() -> JsonPlusSerializer:
    """Strict: no pickle, no type that is not listed."""
    return JsonPlusSerializer(allowed_msgpack_modules=[(t.__module__, t.__name__) for t in STATE_TYPES])


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
        await saver.setup()
        yield saver
    except aiosqlite.DatabaseError as error:
        raise StoreError(f"{home}/threads.sqlite cannot be used ({error}): move it away and ask again") from error
    finally:
        await connection.close()
