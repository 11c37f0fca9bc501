"""How long should a passage be? Rankings of MedQuAD answers cut into passages of several lengths.

A question's relevant answers are those of its focus and question type (Ben Abacha & Demner-Fushman 2019). Passages are
cut at tokens, headed by the document's focus, and an answer scores as its best passage. One that is longer than the
embedder reads is embedded in windows, whose vectors are pooled.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from core.embeddings import Embedder, MiniLM
from core.errors import InputError
from core.settings import load_settings
from eval.retrieval import Benchmark, measure

OVERLAP = 1 / 8
"""Share of a passage that the next one repeats."""


def medquad(file: Path, documents: int, questions: int, seed: int) -> Benchmark:
    """A sample of the documents with all their answers, and a question drawn from each of some of them.

    Raises InputError where the file cannot be read or has fewer documents than questions are asked for.
    """
    try:
        records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise InputError(f"{file} cannot be read ({error}): --data names MedQuAD's JSONL") from error
    if not questions <= min(documents, len(records)):
        raise InputError(f"{questions} questions need as many documents: {file} has {len(records)}")
    random = np.random.default_rng(seed)
    drawn = [records[i] for i in random.permutation(len(records))[:documents]]
    asked = [(record, record["qa"][random.integers(len(record["qa"]))]) for record in drawn[:questions]]
    answers = [(record, pair) for record in drawn for pair in record["qa"]]
    places: dict[tuple[str, str], set[int]] = defaultdict(set)
    for place, (record, pair) in enumerate(answers):
        places[_kind(record, pair)].add(place)
    return Benchmark(
        "medquad",
        [record["focus"] for record, _ in answers],
        [pair["answer"] for _, pair in answers],
        [pair["question"] for _, pair in asked],
        [frozenset(places[_kind(record, pair)]) for record, pair in asked],
    )


def cut(embedder: Embedder, size: int, text: str) -> list[str]:
    """Passages of ``size`` tokens, each beginning with the last eighth of the one before; none for an empty text."""
    spans = embedder.token_spans(text)
    step = size - int(size * OVERLAP)
    starts = range(0, max(1, len(spans) - (size - step)), step) if spans else ()
    return [text[spans[start][0] : spans[min(start + size, len(spans)) - 1][1]] for start in starts]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print nDCG@10 by passage length: of the embedder alone, of BM25 alone, and of their sum."""
    parser = argparse.ArgumentParser(prog="python -m eval.experiments.chunking", description=main.__doc__)
    parser.add_argument("--data", type=Path, required=True, help="MedQuAD's JSONL")
    parser.add_argument("--documents", type=int, default=1500, help="documents drawn")
    parser.add_argument("--questions", type=int, default=300, help="questions drawn from them")
    parser.add_argument("--sizes", type=int, nargs="+", default=[512, 240, 128, 64], help="tokens of a passage")
    parser.add_argument("--seed", type=int, default=0, help="of both draws")
    parser.add_argument("--cache", type=Path, help="keep the vectors here")
    given = parser.parse_args(arguments)
    settings = load_settings()
    embedder = MiniLM.load(settings.home, settings.threads)
    benchmark = medquad(given.data, given.documents, given.questions, given.seed)
    print(f"{given.data.name}, seed {given.seed}: {given.documents} documents, {len(benchmark.texts)} answers,")
    print(f"{given.questions} questions; overlap {OVERLAP}; {embedder.name}\n")
    print("| tokens | passages | dense | BM25 | dense + BM25 | repository | seconds |\n|---|---|---|---|---|---|---|")
    for size in given.sizes:
        began = time.perf_counter()
        pieces: dict[str, list[str]] = {text: cut(embedder, size, text) for text in benchmark.texts}
        found = measure(benchmark, embedder, partial(_headed, pieces), given.cache)
        figures = " | ".join(f"{found[ranking]['ndcg@10']:.3f}" for ranking in ("dense", "bm25", "sum", "repository"))
        passages = sum(max(1, len(pieces[text])) for text in benchmark.texts)
        print(f"| {size} | {passages} | {figures} | {time.perf_counter() - began:.0f} |", flush=True)


def _headed(pieces: Mapping[str, Sequence[str]], text: str, title: str) -> list[tuple[str, str]]:
    """What `measure` asks for: a document's passages, each as it stands and as it is embedded."""
    return [(piece, f"{title}\n{piece}") for piece in pieces[text]]


def _kind(record: dict[str, Any], pair: dict[str, Any]) -> tuple[str, str]:
    return record["focus"].casefold(), pair["qtype"]


if __name__ == "__main__":
    main()
