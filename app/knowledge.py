"""``medattest knowledge`` and ``medattest link``: the vocabularies, and the concepts that texts mention."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.markup import escape

from app.batch import run_batch
from app.exits import Exit
from app.options import MAX_LINKED_CHARS, MAX_QUERY_CHARS, bounded
from app.pictures import write_svg
from app.render import out, progress_bar, show_progress, show_table, warn
from app.wrapping import show_text
from core.errors import InputError
from core.records import Record
from core.schema import Concept, Mention
from core.settings import load_settings
from graphs.resources import Resources
from tools.knowledge import KnowledgeStore, umls
from tools.knowledge.around import Connection, connection
from tools.knowledge.graph import PathEvidence, to_svg

SHOWN = 12
SUGGESTED = 5
PATHS_SHOWN = 5
MOST = 100_000


def build(as_json: bool) -> Exit:
    """Build the store of the open vocabularies anew, a UMLS import in it gone, and show what is in it."""
    with progress_bar("building the knowledge store", 100) as (_, set_to):
        store = KnowledgeStore.build(load_settings().home, lambda what, share: set_to(int(100 * share), what))
    rows = [(v.id, v.version, v.licence) for v in store.vocabularies()]
    if as_json:
        _print([dict(zip(("id", "version", "licence"), row, strict=True)) for row in rows])
    else:
        show_table(("vocabulary", "version", "licence"), rows)
    return Exit.ANSWERED


def import_umls(meta: Path, vocabularies: str | None, as_json: bool) -> Exit:
    """Import a UMLS release into the store, and say what was read, left out and missing."""
    chosen = [name.strip() for name in vocabularies.split(",") if name.strip()] if vocabularies else None
    with progress_bar("importing UMLS", 100) as (_, set_to):
        report = umls.import_umls(
            meta,
            load_settings().home,
            vocabularies=chosen,
            progress=lambda what, share: set_to(int(100 * share), what),
        )
    if as_json:
        _print(asdict(report))
        return Exit.ANSWERED
    counted = ", ".join(f"{count:,} {table}" for table, count in report.counts.items())
    out().print(f"UMLS {report.release}, {report.started}: {counted} in {report.seconds:.0f} s", soft_wrap=True)
    for name, bad in report.bad.items():
        show_progress(f"{name}: {bad.count:,} rows were left out, such as {'; '.join(bad.samples)}")
    if report.missing:
        show_progress(f"not there, and so not imported: {', '.join(report.missing)}")
    return Exit.ANSWERED


def lookup(term: str, everything: bool, as_json: bool) -> Exit:
    """Show the concepts that a term names, with their names, types, broader terms and relations."""
    bounded(term, "the term", MAX_QUERY_CHARS)
    store = _resources().knowledge
    found = store.lookup(term)
    shown = None if everything else SHOWN
    if as_json:
        _print([_entry(store, concept, shown or MOST) for concept in found])
    for concept in found if not as_json else ():
        _show(store, concept, shown)
    if not found:
        near = "; ".join(f"{concept.name} ({concept.id})" for concept in store.suggest(term, SUGGESTED))
        other = f"did you mean: {near}" if near else "try another name, a CUI or a CURIE such as MESH:D008687"
        warn(f"no concept is called {term!r}: {other}")
    return Exit.ANSWERED if found else Exit.ABSTAINED


def path(source: str, target: str, svg: Path | None, everything: bool, as_json: bool) -> Exit:
    """Show the paths between two concepts in the fuzzy graph around them, with their numbers; draw them."""
    resources = _resources()
    store = resources.knowledge
    start, end = _named(store, source), _named(store, target)
    if start.id == end.id:
        raise InputError(f"{source!r} and {target!r} are one concept, {start.name} ({start.id}): name two")
    shape = resources.graph_shape("graph")
    found = connection(store, resources.embedder.encode, start, end, shape=shape)
    if found.evidence is not None and svg is not None:
        names = {identifier: concept.name for identifier, concept in found.concepts.items()}
        write_svg(svg, to_svg(found.evidence, names), "--svg")
        show_progress(f"drawn in {svg}")
    if as_json:
        _print(_numbers(found))
    else:
        _show_paths(found, None if everything else PATHS_SHOWN)
    return Exit.ANSWERED if found.evidence is not None else Exit.ABSTAINED


def link_one(text: str, as_json: bool) -> Exit:
    """Show the concepts that a text mentions."""
    mentions = _resources().linker.link(bounded(text, "the text", MAX_LINKED_CHARS))
    if as_json:
        _print({"mentions": [_mention(mention) for mention in mentions]})
    else:
        rows = [
            (
                f"{m.start}-{m.end}",
                m.text,
                m.concept.id,
                m.concept.name,
                m.concept.group or "",
                f"{m.score:.2f}",
                _said(m),
            )
            for m in mentions
        ]
        show_table(("place", "text", "concept", "name", "group", "score", ""), rows)
    return Exit.ANSWERED


def link_batch(texts: Path, output: Path, retry_failed: bool, everything: bool) -> Exit:
    """Link every text of a file that the output has no line for yet."""
    linker = _resources().linker

    async def linked(record: Record) -> Record:
        text = record.get("text")
        if not isinstance(text, str):
            raise InputError("the line has no text: give {id, text}")
        bounded(text, "the text", MAX_LINKED_CHARS)
        return {"mentions": [_mention(mention) for mention in await asyncio.to_thread(linker.link, text)]}

    return asyncio.run(
        run_batch(texts, output, linked, at_once=1, tells="mentions", retry_failed=retry_failed, everything=everything)
    )


def _resources() -> Resources:
    return Resources(load_settings(), show_progress)


def _named(store: KnowledgeStore, term: str) -> Concept:
    found = store.lookup(bounded(term, "the term", MAX_QUERY_CHARS))
    if not found:
        near = "; ".join(concept.name for concept in store.suggest(term, SUGGESTED))
        raise InputError(f"no concept is called {term!r}: {f'did you mean {near}' if near else 'try another name'}")
    if len(found) > 1:
        show_progress(f"{term!r} names {len(found)} concepts; {found[0].name} ({found[0].id}) is taken")
    return found[0]


def _mention(mention: Mention) -> dict[str, Any]:
    concept = mention.concept
    return {
        "start": mention.start,
        "end": mention.end,
        "text": mention.text,
        "concept": concept.id,
        "name": concept.name,
        "types": list(concept.types),
        "derived": concept.derived,
        "group": concept.group,
        "xrefs": list(concept.xrefs),
        "negated": mention.negated,
        "family": mention.family,
        "score": mention.score,
    }


def _said(mention: Mention) -> str:
    return ", ".join(word for word, holds in (("negated", mention.negated), ("a relative's", mention.family)) if holds)


def _entry(store: KnowledgeStore, concept: Concept, relations: int) -> dict[str, Any]:
    return {
        **concept.model_dump(),
        "names": [{"text": n.text, "kind": n.kind, "vocabulary": n.vocabulary} for n in store.names(concept)],
        "definition": store.definition(concept),
        "broader": [{"id": parent.id, "name": parent.name} for parent in store.parents(concept)],
        "relations": [str(triple) for triple in store.relations(concept, relations)],
    }


def _show(store: KnowledgeStore, concept: Concept, shown: int | None) -> None:
    console = out()
    types = ", ".join(concept.types) + (" (derived)" if concept.derived else "")
    show_text(console, f"[bold]{escape(concept.name)}  {escape(concept.id)}[/bold]")
    parts = {
        "type": f"{types}, {concept.group}" if concept.group else "",
        "names": _some([name.text for name in store.names(concept)], "; ", shown),
        "ids": _some(concept.xrefs, ", ", shown),
        "definition": store.definition(concept) or "",
        "broader": "; ".join(parent.name for parent in store.parents(concept)),
        "relations": _some([str(triple) for triple in store.relations(concept, MOST)], " ", shown),
    }
    for label, text in parts.items():
        if text:
            show_text(console, escape(f"{label}: {text}"), first=2, rest=4)


def _some(texts: Sequence[str], between: str, shown: int | None) -> str:
    more = f" and {len(texts) - shown:,} more (--all)" if shown is not None and len(texts) > shown else ""
    return between.join(texts[:shown]) + more


def _numbers(found: Connection) -> dict[str, Any]:
    ends = {"source": found.source.model_dump(), "target": found.target.model_dump()}
    if found.evidence is None:
        return {**ends, "concepts": len(found.concepts), "evidence": None}
    return {**ends, "concepts": len(found.concepts), "evidence": _plain(found.evidence)}


def _plain(evidence: PathEvidence) -> dict[str, Any]:
    balances = {"max": evidence.best, "sum": evidence.total, "noisy_or": evidence.noisy_or}
    return {
        "support": [path._asdict() for path in evidence.support],
        "contradiction": [path._asdict() for path in evidence.contradiction],
        "denied": evidence.denied,
        **{name: balance._asdict() for name, balance in balances.items()},
    }


def _show_paths(found: Connection, shown: int | None) -> None:
    console = out()
    between = f"{found.source.name} and {found.target.name}, among {len(found.concepts)} concepts"
    if found.evidence is None:
        show_text(console, escape(f"no path between {between}: nothing follows from that"))
        return
    show_text(console, f"[bold]between {escape(between)}[/bold]")
    for title, paths in (("support", found.evidence.support), ("contradiction", found.evidence.contradiction)):
        console.print(f"{title}: {len(paths)} paths", markup=False)
        for one in paths[:shown]:
            steps = found.concepts[one.ids[0]].name
            for identifier, weight in zip(one.ids[1:], one.weights, strict=True):
                steps += f" —{weight:.2f}→ {found.concepts[identifier].name}"
            show_text(console, escape(f"{one.probability:.4f}  {steps}"), first=2, rest=10)
        if shown is not None and len(paths) > shown:
            console.print(f"  and {len(paths) - shown:,} more (--all)", markup=False)
    rows = [
        (name, f"{b.support:.4f}", f"{b.contradiction:.4f}", f"{b.p_net:.4f}", f"{b.risk:.4f}")
        for name, b in (
            ("max", found.evidence.best),
            ("sum", found.evidence.total),
            ("noisy-or", found.evidence.noisy_or),
        )
    ]
    show_table(("over paths", "support", "contradiction", "P_net", "HRS"), rows)


def _print(value: object) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
