"""``medattest index``, ``search`` and ``collections``: the user's own documents."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import typer
from rich.markup import escape

from app.batch import run_batch
from app.exits import Exit
from app.options import MAX_QUERY_CHARS, bounded
from app.render import out, progress_bar, show_progress, show_table, warn
from app.wrapping import show_text
from core.errors import InputError, UnknownCollection, UsageError
from core.records import Record
from core.schema import Evidence
from core.settings import load_settings
from graphs.resources import Resources
from tools.repository import MAX_PROBLEMS, CollectionInfo, IndexProgress, IndexReport, JsonFields, Repository

HANGING = 7
"""Blanks before what a hit says, so that its score stands out."""
QUERY_FIELDS = ("query", "question", "text", "claim")


def index(
    paths: list[Path],
    collection: str,
    certified: bool,
    fields: tuple[str | None, str | None, str | None],
    everything: bool,
    as_json: bool,
) -> Exit:
    """Index files and folders; every document that could not be read is named, the others are indexed."""
    id_field, text_field, title_field = fields
    json_fields = JsonFields(id_field=id_field, text_field=text_field, title_field=title_field)
    with progress_bar(f"indexing {collection}", None) as (_, set_to):

        def watch(progress: IndexProgress) -> None:
            seen = f"{progress.passages:,} passages, {progress.rate:.0f} a second, {progress.share:.0%}"
            set_to(progress.documents, f"indexing {collection}: {seen}, documents")

        report = _repository().index(
            paths,
            collection,
            certified=certified,
            fields=json_fields,
            progress=watch,
            most_problems=None if everything else MAX_PROBLEMS,
        )
    for problem in report.problems:
        warn(f"not indexed as it should be: {problem}")
    if report.problem_count > len(report.problems):
        warn(f"and {report.problem_count - len(report.problems):,} more (--all)")
    if as_json:
        sys.stdout.write(json.dumps(asdict(report)) + "\n")
    else:
        out().print(_summary(report), soft_wrap=True)
    return Exit.FAILURE if report.problem_count else Exit.ANSWERED


def search_one(query: str, collection: str | None, k: int, literal: bool, as_json: bool) -> Exit:
    """Show the passages that fit a query best, under the other names of its concepts too unless ``literal``."""
    hits = _search(_resources(), query, collection, k, literal)
    if as_json:
        sys.stdout.write(json.dumps({"hits": [_hit(hit) for hit in hits]}, ensure_ascii=False) + "\n")
    else:
        for hit in hits:
            show_text(out(), f"[bold]{hit.score:.3f}  {escape(hit.title or hit.id)}[/bold]", rest=HANGING)
            show_text(out(), escape(f"{hit.id}\n{hit.text}"), HANGING, HANGING)
            out().print()
    return Exit.ANSWERED


def search_batch(
    queries: Path, output: Path, collection: str | None, k: int, literal: bool, retry_failed: bool, everything: bool
) -> Exit:
    """Search for every query of a file that the output has no line for yet."""
    resources = _resources()

    async def look_up(record: Record) -> Record:
        query = next((record[name] for name in QUERY_FIELDS if isinstance(record.get(name), str)), "")
        if not query.strip():
            raise InputError("the line has no query: give {id, query}")
        hits = await asyncio.to_thread(_search, resources, query, collection, k, literal)
        return {"hits": [{"id": hit.id, "score": hit.score} for hit in hits]}

    return asyncio.run(
        run_batch(queries, output, look_up, at_once=2, tells="hits", retry_failed=retry_failed, everything=everything)
    )


def list_collections(as_json: bool) -> Exit:
    """Every collection with its size."""
    infos = _repository().collections()
    if as_json:
        sys.stdout.write(json.dumps([asdict(info) for info in infos]) + "\n")
    elif not infos:
        out().print("No collections yet: medattest index PATH… --collection NAME")
    else:
        columns = ("name", "documents", "passages", "certified", "embedder", "chunk tokens", "finished")
        show_table(columns, [_row(info) for info in infos])
    return Exit.ANSWERED


def show_collection(name: str, as_json: bool) -> Exit:
    """One collection in full."""
    detail = _repository().show(name)
    if as_json:
        sys.stdout.write(json.dumps(asdict(detail)) + "\n")
    else:
        show_table(("", name), [(field, str(value)) for field, value in asdict(detail.info).items()])
        documents = [(d.id, d.title, str(d.passages), d.expires or "") for d in detail.documents]
        show_table(("document", "title", "passages", "expires"), documents)
    return Exit.ANSWERED


def delete_collection(name: str, sure: bool) -> Exit:
    """Delete a collection and what is derived from it, once a person or ``sure`` has confirmed it."""
    repository = _repository()
    repository.check(name)
    if not sure:
        if not sys.stdin.isatty():
            raise UsageError(f"deleting {name} cannot be undone, and nobody can be asked: give --yes")
        documents = next(info.documents for info in repository.collections() if info.name == name)
        if not typer.confirm(f"Delete the collection {name} with {documents:,} documents?", err=True):
            return Exit.WRONG_USE
    repository.delete(name)
    show_progress(f"deleted collection {name}")
    return Exit.ANSWERED


def _summary(report: IndexReport) -> str:
    parts = (
        f"{report.added:,} documents added, {report.changed:,} changed, {report.removed:,} removed, "
        f"{report.unchanged:,} unchanged",
        f"{report.empty:,} without text" if report.empty else "",
        "skipped " + ", ".join(f"{n} × {suffix}" for suffix, n in report.skipped.items()) if report.skipped else "",
        f"{report.problem_count:,} problems" if report.problem_count else "",
        f"collection {report.collection}: {report.documents:,} documents, {report.passages:,} passages",
        f"{report.written:,} passages embedded in {report.seconds:.1f} s" if report.written else "",
    )
    return "; ".join(part for part in parts if part)


def _resources() -> Resources:
    return Resources(load_settings(), show_progress)


def _repository() -> Repository:
    return _resources().repository


def _search(resources: Resources, query: str, collection: str | None, k: int, literal: bool) -> list[Evidence]:
    bounded(query, "the query", MAX_QUERY_CHARS)
    if collection is None and not resources.repository.collections():
        raise UnknownCollection("nothing is indexed yet: medattest index PATH… --collection NAME")
    return resources.repository.search(collection, [query] if literal else resources.phrasings(query), k)


def _hit(hit: Evidence) -> dict[str, Any]:
    return hit.model_dump(exclude={"query"}, exclude_none=True)


def _row(info: CollectionInfo) -> tuple[str, ...]:
    certified = "yes" if info.certified else "no"
    sizes = (f"{info.documents:,}", f"{info.passages:,}")
    finished = "yes" if info.finished else "no: index it again"
    return (info.name, *sizes, certified, info.embedder, str(info.chunk_tokens), finished)
