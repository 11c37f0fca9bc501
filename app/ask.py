"""``medattest ask``: one question, or a file of them."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast

from langchain_core.runnables import RunnableConfig

from app.asked import checked
from app.batch import run_batch
from app.exits import Exit
from app.render import show_answer, show_progress, show_step
from core.errors import SourceError, UsageError
from core.records import Record
from core.schema import QuestionSettings, VerifiedAnswer
from core.settings import load_settings
from graphs.medical_qa import Graph, build_graph
from graphs.resources import Resources
from graphs.state import QuestionInput
from graphs.threads import held, open_threads
from graphs.tracing import traced

AT_ONCE = 4
"""Questions of a batch that run together."""


def ask_one(fields: dict[str, Any], thread: str | None, as_json: bool) -> Exit:
    """Ask, show what every step does on standard error, and the answer on standard output."""
    answer = asyncio.run(_ask_one(fields, thread))
    if as_json:
        sys.stdout.write(answer.model_dump_json() + "\n")
    else:
        show_answer(answer)
    if _has_failed(answer):
        return Exit.FAILURE
    return Exit.ABSTAINED if answer.abstained else Exit.ANSWERED


def ask_batch(questions: Path, out: Path, settings: QuestionSettings, retry_failed: bool, everything: bool) -> Exit:
    """Answer every question of a file that the output has no line for yet."""
    return asyncio.run(_ask_batch(questions, out, settings, retry_failed, everything))


async def _ask_one(fields: dict[str, Any], thread: str | None) -> VerifiedAnswer:
    if thread is not None and not thread.strip():
        raise UsageError("--thread: the name is empty: give the thread one, or leave it out")
    async with _agent(thread) as graph:
        config: RunnableConfig = {"configurable": {"thread_id": thread}} if thread else {}
        given = await _unfinished(graph, config, fields) if thread else _input(fields)
        final: dict[str, Any] = {}
        async for _, mode, data in graph.astream(given, config, stream_mode=["custom", "values"], subgraphs=True):
            if mode == "custom":
                show_step(cast("dict[str, Any]", data))
            elif "answer" in cast("dict[str, Any]", data):
                final = cast("dict[str, Any]", data)
        return cast("VerifiedAnswer", final["answer"])


async def _unfinished(graph: Graph, config: RunnableConfig, fields: dict[str, Any]) -> QuestionInput | None:
    """None where this thread was killed while it worked on this question: then it goes on from where it stopped."""
    state = await graph.aget_state(config)
    asked = state.values.get("asked")
    if state.next and asked is not None and fields["question"] in ("", asked.question):
        show_progress(f"going on with “{asked.question[:80]}”, at {', '.join(state.next)}")
        return None
    return _input(fields)


def _input(fields: dict[str, Any]) -> QuestionInput:
    """The question in the form that the graph takes."""
    return cast("QuestionInput", checked(fields).model_dump())


async def _ask_batch(
    questions: Path, out: Path, settings: QuestionSettings, retry_failed: bool, everything: bool
) -> Exit:
    common = settings.model_dump(exclude_defaults=True)
    async with _agent(None) as graph:

        async def answer(record: Record) -> Record:
            own = record.get("settings")
            own = {**common, **own} if isinstance(own, dict) else common if own is None else own
            result = await graph.ainvoke(cast("QuestionInput", checked({**record, "settings": own}, str).model_dump()))
            found = cast("VerifiedAnswer", result["answer"])
            if _has_failed(found):
                raise SourceError(found.reason)
            return cast("Record", json.loads(found.model_dump_json()))

        return await run_batch(
            questions, out, answer, AT_ONCE, tells="text", retry_failed=retry_failed, everything=everything
        )


def _has_failed(answer: VerifiedAnswer) -> bool:
    """Nothing is withheld where nothing could be searched."""
    return answer.abstained and not answer.evidence and not all(failure.of_model for failure in answer.failures)


@asynccontextmanager
async def _agent(thread: str | None) -> AsyncIterator[Graph]:
    """The graph over the configured resources; with a thread, over its checkpoints too."""
    settings = load_settings()
    resources = Resources(settings, show_progress)
    warming = asyncio.ensure_future(resources.warm())
    try:
        with traced(settings):
            if thread is None:
                yield build_graph(resources)
            else:
                waiting = partial(show_progress, f"another process asks on the thread {thread!r}: waiting for it")
                async with held(settings.home, thread, waiting), open_threads(settings.home) as checkpointer:
                    yield build_graph(resources, checkpointer)
    finally:
        # What fails here fails again, and is told, in the step that needs it.
        await asyncio.gather(warming, return_exceptions=True)
        await resources.services.close()
        resources.close()
