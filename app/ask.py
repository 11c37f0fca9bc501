"""``medattest ask``: one question, or a file of them."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from pydantic import TypeAdapter, ValidationError

from app.batch import run_batch
from app.exits import Exit
from app.render import show_answer, show_progress, show_step
from core.errors import InputError, SourceError, UsageError
from core.records import Record
from core.schema import Question, QuestionSettings, Turn, VerifiedAnswer
from core.settings import load_settings
from graphs.medical_qa import Graph, build_graph
from graphs.resources import Resources
from graphs.state import QuestionInput
from graphs.threads import held, open_threads
from graphs.tracing import traced

AT_ONCE = 4
"""Questions of a batch that run together."""
MAX_TEXT_BYTES = 5_000_000


def settings_from(
    without: Sequence[str],
    sources: str | None,
    collection: str | None,
    rounds: int | None = None,
    *,
    method: str | None = None,
    verbatim: bool = False,
    offline: bool = False,
    refresh: bool = False,
) -> QuestionSettings:
    """The settings of one question from what the command line says; UsageError where they cannot be."""
    parts = [part.strip() for listed in without for part in listed.split(",") if part.strip()]
    named = None if sources is None else tuple(name.strip() for name in sources.split(",") if name.strip())
    if named == ():
        raise UsageError("--sources names none: name some with commas between, or leave it out")
    fields: dict[str, Any] = {"without": tuple(parts), "sources": named, "collection": collection, "rounds": rounds}
    fields |= {"verbatim": verbatim, "offline": offline, "refresh": refresh}
    if method is not None:
        fields["method"] = method
    try:
        return QuestionSettings.model_validate(fields)
    except ValidationError as error:
        raise UsageError(_faults(error, _option)) from error


def _option(field: str) -> str:
    """How the command line calls a field of a question."""
    return "--option" if field == "options" else f"--{field.replace('_', '-')}"


def _faults(error: ValidationError, called: Callable[[str], str]) -> str:
    """What does not fit, after the name of where it stands; a sentence of our own says that itself."""
    return "; ".join(
        e["msg"].removeprefix("Value error, ")
        if e["type"] == "value_error" or not e["loc"]
        else f"{'.'.join([called(str(e['loc'][0])), *map(str, e['loc'][1:])])}: {e['msg']}"
        for e in error.errors()
    )


def options_from(pairs: Sequence[str]) -> dict[str, str]:
    """Options of a choice from LETTER=TEXT."""
    options: dict[str, str] = {}
    for pair in pairs:
        letter, equals, text = pair.partition("=")
        if not equals or letter.strip() in options:
            raise UsageError(f"--option {pair!r}: give each option once, as LETTER=TEXT")
        options[letter.strip()] = text.strip()
    return options


def history_of(path: Path) -> list[dict[str, str]]:
    """A consultation from a file: lines that begin with Patient: or Doctor:, or a JSON list of {role, text}."""
    text = text_of(path).strip()
    if text.startswith("["):
        try:
            turns = TypeAdapter(list[Turn]).validate_json(text)
        except ValidationError as error:
            raise InputError(f"{path} is no history: give a JSON list of {{role: patient|doctor, text}}") from error
        return [turn.model_dump() for turn in turns]
    turns_told: list[dict[str, str]] = []
    for number, line in enumerate(filter(str.strip, text.splitlines()), start=1):
        role, colon, said = line.partition(":")
        if colon and role.strip().lower() in ("patient", "doctor") and said.strip():
            turns_told.append({"role": role.strip().lower(), "text": said.strip()})
        elif turns_told:
            turns_told[-1]["text"] += f"\n{line.strip()}"
        else:
            raise InputError(f"{path}:{number} begins with neither “Patient:” nor “Doctor:”: begin each turn with one")
    return turns_told


def text_of(path: Path) -> str:
    """A text file given as evidence; InputError where it cannot be read as UTF-8."""
    try:
        if path.stat().st_size > MAX_TEXT_BYTES:
            raise InputError(f"{path} has more than {MAX_TEXT_BYTES:,} bytes: index it into a collection instead")
        text = path.read_text(encoding="utf-8-sig")
        if "\0" in text:
            raise InputError(f"{path} is no text: it has zero bytes")
        return text
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read as UTF-8 text: {error}") from error


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


def ask_batch(questions: Path, out: Path, settings: QuestionSettings, retry_failed: bool) -> Exit:
    """Answer every question of a file that the output has no line for yet."""
    return asyncio.run(_ask_batch(questions, out, settings, retry_failed))


async def _ask_one(fields: dict[str, Any], thread: str | None) -> VerifiedAnswer:
    if thread is not None and not thread.strip():
        raise UsageError("--thread: the name is empty: give the thread one, or leave it out")
    async with _agent(thread) as graph:
        config: RunnableConfig = {"configurable": {"thread_id": thread}} if thread else {}
        given = await _unfinished(graph, config, fields) if thread else _checked(fields)
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
    return _checked(fields)


def _checked(fields: dict[str, Any], called: Callable[[str], str] = _option) -> QuestionInput:
    """The question in the form that the graph takes; wrong use is found before anything runs."""
    try:
        question = Question.model_validate(fields)
    except ValidationError as error:
        raise InputError(_faults(error, called)) from error
    return cast("QuestionInput", question.model_dump())


async def _ask_batch(questions: Path, out: Path, settings: QuestionSettings, retry_failed: bool) -> Exit:
    common = settings.model_dump(exclude_defaults=True)
    async with _agent(None) as graph:

        async def answer(record: Record) -> Record:
            own = record.get("settings")
            own = {**common, **own} if isinstance(own, dict) else own or common
            result = await graph.ainvoke(_checked({**record, "settings": own}, str))
            found = cast("VerifiedAnswer", result["answer"])
            if _has_failed(found):
                raise SourceError(found.reason)
            return cast("Record", json.loads(found.model_dump_json()))

        return await run_batch(questions, out, answer, AT_ONCE, retry_failed=retry_failed)


def _has_failed(answer: VerifiedAnswer) -> bool:
    """Nothing is withheld where nothing could be searched."""
    return answer.abstained and bool(answer.failures) and not answer.evidence


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
