"""``medattest verify``: the claims of any text, scored."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from functools import partial
from pathlib import Path
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_jsonable_python

from app.asked import evidence_of, piped_text, settings_from, text_of
from app.batch import run_batch
from app.exits import Exit
from app.pictures import write_svg
from app.render import show_progress, show_verdicts, warn
from chains.answer.marks import without_marks
from core.errors import InputError
from core.records import Record
from core.schema import Claim, Evidence, Failure, QuestionSettings, Verdict
from core.settings import load_settings
from graphs.claim_paths import claim_paths
from graphs.resources import Resources
from graphs.state import VerificationInput
from graphs.tracing import traced
from graphs.verification import build_graph

AT_ONCE = 4
_TEXTS = TypeAdapter(list[str])


def verify_one(
    file: str, evidence: list[Path], sources: str | None, collection: str | None, paths: Path | None, as_json: bool
) -> Exit:
    """Verify the claims of one text, show a verdict a claim, and draw the paths of each where a folder is named."""
    text = piped_text() if file == "-" else text_of(Path(file))
    settings = settings_from([], sources, collection, None)
    found = asyncio.run(_verify(text, evidence_of(evidence), settings, paths))
    if as_json:
        sys.stdout.write(json.dumps(to_jsonable_python(found), ensure_ascii=False) + "\n")
    else:
        for failure in cast("tuple[Failure, ...]", found["failures"]):
            warn(str(failure))
        show_verdicts(cast("tuple[Verdict, ...]", found["verdicts"]), cast("tuple[Evidence, ...]", found["evidence"]))
    nothing_searched = not found["evidence"] and not all(failure.of_model for failure in found["failures"])
    return Exit.FAILURE if nothing_searched else Exit.ANSWERED


def verify_batch(pairs: Path, out: Path, retry_failed: bool, everything: bool) -> Exit:
    """Verify every pair of a file that the output has no line for yet."""
    return asyncio.run(_verify_batch(pairs, out, retry_failed, everything))


_ITEM = re.compile(r"^\s*(?:\d{1,2}[.)]|[-*•])\s+")
_REFERENCE = re.compile(r"\s*\((?:[^\W\d][\w&.,' -]*,? )?(?:19|20)\d\d[a-z]?\)(?=\s*[.!?]?\s*$)")


async def _verify(text: str, evidence: list[str], settings: QuestionSettings, paths: Path | None) -> dict[str, Any]:
    configured = load_settings()
    resources = Resources(configured, show_progress)
    try:
        with traced(configured):
            given: VerificationInput = {"text": text, "evidence": evidence, "settings": settings}
            found = await build_graph(resources).ainvoke(given)
            if paths is not None:
                found["paths"] = await resources.compute(partial(_draw, resources, found, paths))
            return found
    finally:
        await resources.services.close()
        resources.close()


def _draw(resources: Resources, found: dict[str, Any], folder: Path) -> list[str | None]:
    """Write a file a claim, and say which; none where the graph says nothing of the claim."""
    pictures = claim_paths(resources, [verdict.claim for verdict in found["verdicts"]], found["evidence"])
    files = [folder / f"claim-{number}.svg" for number in range(1, len(pictures) + 1)]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--paths {folder} cannot be written ({error.strerror}): name a folder that can") from error
    for file, picture in zip(files, pictures, strict=True):
        if picture is not None:
            write_svg(file, picture, "--paths")
    show_progress(f"paths of {sum(picture is not None for picture in pictures)} claims drawn in {folder}")
    return [str(file) if picture is not None else None for file, picture in zip(files, pictures, strict=True)]


async def _verify_batch(pairs: Path, out: Path, retry_failed: bool, everything: bool) -> Exit:
    configured = load_settings()
    resources = Resources(configured, show_progress)
    graph = build_graph(resources)

    async def judge(record: Record) -> Record:
        asked, evidence = _pair(record)
        claim = bare(asked)
        if not evidence:
            raise InputError("the pair has no evidence: give a list of texts")
        result = await graph.ainvoke(
            {"text": claim, "claims": (Claim(text=claim, span=(0, len(claim))),), "evidence": evidence}
        )
        verdict = cast("Verdict", result["verdicts"][0])
        fields = {"label", "p_supported", "p_contradicted", "risk", "why", "quotes", "signals"}
        return cast("Record", json.loads(verdict.model_dump_json(include=fields)))

    try:
        with traced(configured):
            return await run_batch(
                pairs, out, judge, AT_ONCE, tells="label", retry_failed=retry_failed, everything=everything
            )
    finally:
        resources.close()


def bare(claim: str) -> str:
    """A claim without the number of its item and without what it cites, such as "[1]" or "(NHS, 2024)"."""
    said, _ = without_marks(_ITEM.sub("", claim))
    said = re.sub(r"\s+([.!?])", r"\1", _REFERENCE.sub("", said)).strip()
    return said or claim


def _pair(record: Record) -> tuple[str, list[str]]:
    claim = record.get("claim")
    if not isinstance(claim, str) or not claim.strip():
        raise InputError("the pair has no claim: give {id, claim, evidence: [text]}")
    try:
        return claim, _TEXTS.validate_python(record.get("evidence"))
    except ValidationError as error:
        raise InputError("the pair's evidence must be a list of texts") from error
