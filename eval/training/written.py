"""Pairs that were written by hand, as the entailment reader learns them.

A line of ``eval/data/written/*.jsonl`` is a passage ``t`` with claims that it supports ``s``, contradicts ``c`` or says
nothing decisive of ``n``, and with yes/no questions that it answers with yes ``y``, with no ``f``, or not ``u``. In
``cited/abstracts.jsonl`` the passage is named: sentences ``first`` to before ``last`` of an abstract of SciFact's
corpus, which is not part of this repository.

    python -m eval.training.written --corpus scifact/corpus.jsonl --learnt learnt.jsonl --held held.jsonl --most 2500
"""

from __future__ import annotations

import argparse
import json
import random
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from eval.training.scifact import json_lines

FOLDER = Path(__file__).parents[1] / "data" / "written"
CITED = FOLDER / "cited" / "abstracts.jsonl"
LABELS = MappingProxyType(
    {
        "s": "supported",
        "y": "supported",
        "c": "contradicted",
        "f": "contradicted",
        "n": "neither",
        "u": "neither",
    }
)
QUESTIONS = frozenset("yfu")
PARTS = 6
"""One of so many passages is kept from learning."""


class Written(NamedTuple):
    """A claim, or a yes/no question, beside a passage; ``group`` is the passage's, which no division may split."""

    claim: str
    passage: str
    label: str
    asked: bool
    group: str


def written(folder: Path = FOLDER) -> list[Written]:
    """All pairs, in the order of their files."""
    return [pair for path in sorted(folder.glob("*.jsonl")) for pair in _pairs(path)]


def divided(pairs: Sequence[Written]) -> tuple[list[Written], list[Written]]:
    """The pairs to learn from, and those of a share of the passages, which are kept for other fits."""
    apart = [zlib.crc32(pair.passage.encode()) % PARTS == 0 for pair in pairs]
    return [p for p, a in zip(pairs, apart, strict=True) if not a], [p for p, a in zip(pairs, apart, strict=True) if a]


def of_abstracts(corpus: Path, file: Path = CITED) -> list[Written]:
    """Pairs beside abstracts: ``corpus`` is SciFact's file of them."""
    abstracts = {entry["doc_id"]: entry["abstract"] for entry in json_lines(corpus)}
    found: list[Written] = []
    for number, record in enumerate(json_lines(file), start=1):
        told = abstracts[record["doc"]][record["first"] : record["last"]]
        passage = " ".join(" ".join(told).split())
        found += _pairs_of({**record, "t": passage}, f"{file.parent.name}:{number}")
    return found


def all_written(corpus: Path | None) -> list[Written]:
    """All pairs, those beside abstracts too where ``corpus`` names them."""
    return written() + (of_abstracts(corpus) if corpus else [])


def _pairs(path: Path) -> Iterator[Written]:
    for number, record in enumerate(json_lines(path), start=1):
        yield from _pairs_of(record, f"{path.stem}:{number}")


def _pairs_of(record: Mapping[str, Any], group: str) -> Iterator[Written]:
    for key, label in LABELS.items():
        for claim in record.get(key, ()):
            yield Written(claim, record["t"], label, key in QUESTIONS, group)


def write(path: Path, pairs: Iterable[Written]) -> None:
    """Write pairs as ``eval.training.train`` reads them."""
    with path.open("w", encoding="utf-8") as out:
        for pair in pairs:
            line = {"claim": pair.claim, "passage": pair.passage, "label": pair.label}
            out.write(json.dumps(line, ensure_ascii=False) + "\n")


def main() -> None:
    """Write the pairs to learn from, and so many of those kept from learning, as ``eval.training.train`` reads them."""
    parser = argparse.ArgumentParser(description="Pairs written by hand, to learn from and to measure on.")
    parser.add_argument("--corpus", type=Path, help="SciFact's corpus.jsonl, for the pairs beside its abstracts")
    parser.add_argument("--learnt", type=Path, required=True)
    parser.add_argument("--held", type=Path, required=True)
    parser.add_argument("--most", type=int, default=2500, help="of those kept from learning")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    learnt, held = divided(all_written(given.corpus))
    random.Random(given.seed).shuffle(held)
    write(given.learnt, learnt)
    write(given.held, held[: given.most])
    print(f"{len(learnt):,} pairs to learn from, {len(held[: given.most]):,} of {len(held):,} kept")


if __name__ == "__main__":
    main()
