"""How often each method puts the right evidence before the model, at the same number of passages.

A question counts where a passage of a document that is right for it is among the passages selected. The documents are
indexed as a certified collection, and every method searches it through the agent's own retrieval graph, without a
model. A method whose queries or hypothetical document a model writes is not measured: what stands in for them is, under
its own name. ``BM25`` is the baseline: whole documents by their words alone.

    python -m eval.context_recall --data DIR --documents 1000 --questions 200
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.lexical import best
from core.schema import QuestionSettings
from core.settings import load_settings
from eval.experiments.answerability import read_documents
from eval.retrieval import Benchmark, PlainBM25, bioasq
from graphs.resources import Resources
from graphs.retrieval import build_graph
from tools.repository.documents import PassageId
from tools.repository.jsonl import JsonFields

COUNTS = (3, 8)
"""Passages in the prompt: what certified HyDE shows, and what the other methods show by default."""
NEEDS_MODEL = ("halo", "certified", "full")
"""Their queries or their hypothetical document come from a model."""
READS_NONE = ("vanilla", "imkdg")
"""They show the model no passages."""
MEASURED: Mapping[str, dict[str, Any]] = {
    "rag, context-only, graph": {"method": "rag"},
    "certified, the question as document": {"method": "certified"},
    "certified, without rerank": {"method": "certified", "without": ("rerank",)},
    "full, queries by rule": {"method": "full"},
    "full, without expansion": {"method": "full", "without": ("expansion",)},
    "full, without mmr": {"method": "full", "without": ("mmr",)},
}


def pubmedqa(folder: Path) -> Benchmark:
    """The abstracts of ``corpus1000.jsonl``; a question's right one is its own."""
    corpus = [json.loads(line) for line in (folder / "corpus1000.jsonl").open(encoding="utf-8")]
    asked = [json.loads(line) for line in (folder / "dev500.jsonl").open(encoding="utf-8")]
    place = {document["pmid"]: i for i, document in enumerate(corpus)}
    return Benchmark(
        "pubmedqa",
        [""] * len(corpus),
        [document["text"] for document in corpus],
        [question["question"] for question in asked],
        [frozenset([place[question["pmid"]]]) for question in asked],
    )


def medquad(file: Path) -> Benchmark:
    """The answers; right ones are those on the question's focus and of its type."""
    documents = read_documents(file)
    same: dict[tuple[str, str], list[int]] = {}
    for i, document in enumerate(documents):
        same.setdefault((document.focus.lower(), document.qtype), []).append(i)
    return Benchmark(
        "medquad",
        [document.focus for document in documents],
        [document.answer for document in documents],
        [document.question for document in documents],
        [frozenset(same[document.focus.lower(), document.qtype]) for document in documents],
    )


async def measure(benchmark: Benchmark, resources: Resources) -> Iterator[tuple[str, Sequence[float | None]]]:
    """Each method with the share of questions whose right evidence is among its first 3 and 8 passages."""
    collection = f"recall-{benchmark.name}"
    _index(benchmark, collection, resources)
    graph = build_graph(resources)
    rows: list[tuple[str, Sequence[float | None]]] = [("BM25", _bm25(benchmark))]
    for name, fields in MEASURED.items():
        settings = QuestionSettings(collection=collection, **fields)
        found: list[list[int]] = []
        for question in benchmark.queries:
            result = await graph.ainvoke({"question": question, "settings": settings})
            found.append([int(PassageId.parse(e.id).key) for e in result["selected"]])
        most = max(map(len, found))
        rows.append((name, [_share(benchmark, found, k) if most >= k else None for k in COUNTS]))
    resources.repository.delete(collection)
    rows += [(f"{name}, with its model", [None] * len(COUNTS)) for name in NEEDS_MODEL]
    rows += [(f"{name} (shows no passages)", [None] * len(COUNTS)) for name in READS_NONE]
    return iter(rows)


def _share(benchmark: Benchmark, found: Sequence[Sequence[int]], k: int) -> float:
    hits = sum(bool(right & set(places[:k])) for right, places in zip(benchmark.relevant, found, strict=True))
    return hits / len(benchmark.queries)


def _bm25(benchmark: Benchmark) -> list[float | None]:
    index = PlainBM25([f"{t} {x}" for t, x in zip(benchmark.titles, benchmark.texts, strict=True)])
    found = [[int(i) for i in best(scores, max(COUNTS))] for scores in index.scores(benchmark.queries)]
    return [_share(benchmark, found, k) for k in COUNTS]


def _index(benchmark: Benchmark, collection: str, resources: Resources) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "documents.jsonl"
        with file.open("w", encoding="utf-8") as lines:
            for place, (title, text) in enumerate(zip(benchmark.titles, benchmark.texts, strict=True)):
                lines.write(json.dumps({"id": str(place), "title": title, "text": text}) + "\n")
        fields = JsonFields("id", "text", "title")
        resources.repository.index([file], collection, certified=True, fields=fields)


def main() -> None:
    """Print a table a data set."""
    parser = argparse.ArgumentParser(prog="python -m eval.context_recall", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with bioasq, pubmedqa and medquad")
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    sets = (
        bioasq(given.data / "bioasq"),
        pubmedqa(given.data / "pubmedqa"),
        medquad(given.data / "medquad" / "medquad_open.jsonl"),
    )
    resources = Resources(load_settings())
    for whole in sets:
        part = whole.part(given.documents, given.questions, given.seed)
        print(f"\n{whole.name}: {len(part.queries)} questions, {len(part.texts)} documents, seed {given.seed}")
        print(f"{'method':<42}" + "".join(f"  at {k}" for k in COUNTS))
        for name, shares in asyncio.run(measure(part, resources)):
            print(f"{name:<42}" + "".join(f" {'n/a' if s is None else f'{s:.3f}':>5}" for s in shares), flush=True)
    resources.close()


if __name__ == "__main__":
    main()
