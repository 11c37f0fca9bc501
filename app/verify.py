"""``medattest verify``: the claims of any text, scored."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_jsonable_python

from app.asked import settings_from, text_of
from app.batch import run_batch
from app.exits import Exit
from app.render import show_progress, show_verdicts, warn
from core.errors import InputError
from core.records import Record
from core.schema import Claim, Evidence, Failure, QuestionSettings, Verdict
from core.settings import load_settings
from graphs.resources import Resources
from graphs.state import VerificationInput
from graphs.tracing import traced
from graphs.verification import build_graph

AT_ONCE = 4
MAX_TEXT_CHARS = 1_000_000
_TEXTS = TypeAdapter(list[str])


def verify_one(file: str, evidence: list[Path], sources: str | None, collection: str | None, as_json: bool) -> Exit:
    """Verify the claims of one text and show a verdict a claim."""
    text = sys.stdin.read() if file == "-" else text_of(Path(file))
    if len(text) > MAX_TEXT_CHARS:
        raise InputError(f"{file} has {len(text):,} characters, the limit is {MAX_TEXT_CHARS:,}: verify it in parts")
    settings = settings_from([], sources, collection, None)
    found = asyncio.run(_verify(text, [text_of(path) for path in evidence], settings))
    if as_json:
        sys.stdout.write(json.dumps(to_jsonable_python(found), ensure_ascii=False) + "\n")
    else:
        for failure in cast("tuple[Failure, ...]", found["failures"]):
            warn(f"source {failure.source} failed: {failure.error}")
        show_verdicts(cast("tuple[Verdict, ...]", found["verdicts"]), cast("tuple[Evidence, ...]", found["evidence"]))
    return Exit.FAILURE if found["failures"] and not found["evidence"] else Exit.ANSWERED


def verify_batch(pairs: Path, out: Path, retry_failed: bool) -> Exit:
    """Verify every pair of a file that the output has no line for yet."""
    return asyncio.run(_verify_batch(pairs, out, retry_failed))


async def _verify(text: str, evidence: list[str], settings: QuestionSettings) -> dict[str, Any]:
    configured = load_settings()
    resources = Resources(configured, show_progress)
    try:
        with traced(configured):
            given: VerificationInput = {"text": text, "evidence": evidence, "settings": settings}
            return await build_graph(resources).ainvoke(given)
    finally:
        await resources.services.close()
        resources.close()


async def _verify_batch(pairs: Path, out: Path, retry_failed: bool) -> Exit:
    configured = load_settings()
    resources = Resources(configured, show_progress)
    graph = build_graph(resources)

    async def judge(record: Record) -> Record:
        claim, evidence = _pair(record)
        if not evidence:
            raise InputError("the pair has no evidence: give a list of texts")
        result = await graph.ainvoke(
            {"text": claim, "claims": (Claim(text=claim, span=(0, len(claim))),), "evidence": evidence}
        )
        verdict = cast("Verdict", result["verdicts"][0])
        fields = {"label", "p_supported", "p_contradicted", "risk", "signals"}
        return cast("Record", json.loads(verdict.model_dump_json(include=fields)))

    try:
        with traced(configured):
            return await run_batch(pairs, out, judge, AT_ONCE, retry_failed=retry_failed)
    finally:
        resources.close()


def _pair(record: Record) -> tuple[str, list[str]]:
    claim = record.get("claim")
    if not isinstance(claim, str) or not claim.strip():
        raise InputError("the pair has no claim: give {id, claim, evidence: [text]}")
    try:
        return claim, _TEXTS.validate_python(record.get("evidence"))
    except ValidationError as error:
        raise InputError("the pair's evidence must be a list of texts") from error
