"""A warm question over all MedQuAD answers: same process, not its first."""

from __future__ import annotations

import argparse
import asyncio
import json
import random
from pathlib import Path
from statistics import quantiles

from core.settings import load_settings
from eval.bench.clock import median_seconds
from graphs.medical_qa import build_graph
from graphs.resources import Resources
from graphs.state import QuestionInput
from tools.repository import JsonFields

COLLECTION = "medquad"
CALLS = 60
FIELDS = JsonFields(id_field="doc_id,qa[].qid", text_field="qa[].answer", title_field="focus")


async def measure(data: Path, seed: int) -> dict[str, float]:
    """Print the median over questions drawn from the data; the collection is indexed where it is not there yet."""
    resources = Resources(load_settings())
    file = data / "medquad" / "medquad_open.jsonl"
    resources.repository.index([file], COLLECTION, certified=True, fields=FIELDS)
    info = resources.repository.show(COLLECTION).info
    documents = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    questions = [qa["question"] for document in documents for qa in document["qa"]]
    drawn = random.Random(seed).sample(questions, CALLS + 5)
    graph = build_graph(resources)
    seconds: list[float] = []

    async def ask(number: int) -> None:
        asked: QuestionInput = {"question": drawn[number], "settings": {"collection": COLLECTION}}
        seconds.append(await median_seconds(lambda _: graph.ainvoke(asked), 1))

    for n in range(CALLS, CALLS + 5):
        await ask(n)
    seconds.clear()
    for n in range(CALLS):
        await ask(n)
    resources.close()
    cuts = quantiles(seconds, n=20)
    print(
        f"Warm question over {info.documents:,} MedQuAD answers ({info.passages:,} passages), {CALLS} questions, "
        f"seed {seed}: median {cuts[9] * 1e3:.0f} ms, 95th percentile {cuts[18] * 1e3:.0f} ms"
    )
    return {"median_ms": cuts[9] * 1e3, "p95_ms": cuts[18] * 1e3}


def main(data: Path, seed: int = 0) -> dict[str, float]:
    """Measure."""
    return asyncio.run(measure(data, seed))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    main(parser.parse_args().data)
