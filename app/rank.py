"""``medattest rank``: how probable it is that each of some passages answers a question."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from pydantic import Field, TypeAdapter, ValidationError

from app.asked import text_of
from app.batch import run_batch
from app.exits import Exit
from app.render import show_progress, show_table
from chains.relevance.weigh import WeighInput
from chains.understand import understand
from core.errors import InputError
from core.records import Record
from core.schema import MAX_QUESTION_CHARS, Evidence, Value
from core.settings import load_settings
from graphs.resources import Resources

AT_ONCE = 2
DIGITS = 4


class Passage(Value):
    """One passage of a pair file."""

    title: str = ""
    text: str = Field(min_length=1)


_PASSAGES = TypeAdapter(list[Passage])


def rank_one(question: str, evidence: list[Path], as_json: bool) -> Exit:
    """Show the files in the order in which they probably answer the question."""
    passages = [Passage(text=_nonempty(path)) for path in evidence]
    resources = _resources()
    try:
        found = asyncio.run(_ranked(resources, question, passages))
    finally:
        resources.close()
    ranked = sorted(zip(found, evidence, strict=True), key=lambda pair: -pair[0])
    if as_json:
        shown = [{"file": str(path), "p_answers": p} for p, path in ranked]
        sys.stdout.write(json.dumps({"question": question, "ranked": shown}, ensure_ascii=False) + "\n")
    else:
        show_table(("p_answers", "file"), [(f"{p:.3f}", str(path)) for p, path in ranked])
    return Exit.ANSWERED


def rank_batch(pairs: Path, out: Path, retry_failed: bool, everything: bool) -> Exit:
    """Judge the passages of every line of a file that the output has no line for yet."""
    resources = _resources()

    async def judge(record: Record) -> Record:
        question = record.get("question")
        if not isinstance(question, str):
            raise InputError("the line has no question: give {id, question, passages: [{title?, text}]}")
        try:
            passages = _PASSAGES.validate_python(record.get("passages"))
        except ValidationError as error:
            raise InputError("the line's passages must be a list of {title?, text}, no text empty") from error
        return {"p_answers": await _ranked(resources, question, passages)}

    try:
        return asyncio.run(
            run_batch(pairs, out, judge, AT_ONCE, tells="p_answers", retry_failed=retry_failed, everything=everything)
        )
    finally:
        resources.close()


def _resources() -> Resources:
    resources = Resources(load_settings(), show_progress)
    for notice in resources.readers.notices():
        show_progress(notice)
    return resources


async def _ranked(resources: Resources, question: str, passages: list[Passage]) -> list[float]:
    if not question.strip():
        raise InputError("the question is empty: say what is asked")
    if len(question) > MAX_QUESTION_CHARS:
        raise InputError(f"the question has {len(question):,} characters, the limit is {MAX_QUESTION_CHARS:,}")
    evidence = tuple(
        Evidence(id=f"given:{n}", text=p.text, title=p.title, source="given") for n, p in enumerate(passages)
    )
    asked = await asyncio.to_thread(understand, question, resources.linker.link, synonyms=resources.names)
    found = (await resources.invoke(lambda s: s.ranker, WeighInput(asked, evidence))).value
    return [round(found[e.id], DIGITS) for e in evidence]


def _nonempty(path: Path) -> str:
    text = text_of(path)
    if not text.strip():
        raise InputError(f"{path} is empty: give a text that may answer the question")
    return text
