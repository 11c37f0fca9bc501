"""Pairs as they are learnt: read from files, drawn for an epoch, and cut into batches of like lengths."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from core.readers.pairs import PairTokenizer, titled

TASKS = {"answering": "question", "entailment": "claim"}
ROOM = {"answering": 160, "entailment": 208}
"""Tokens of a pair: a whole paragraph decides what one of its sentences says of a claim."""
LABELS = ("supported", "contradicted", "neither")
POOL = 30
"""Batches that are sorted by length together: little padding, and an order that stays nearly the file's."""


class Example(NamedTuple):
    """A pair as tokens, how many are the first text's, and its label.

    That is its class or the chance of each, of one output how far it is true; ``list`` is the number of the list that
    it is of, None of none.
    """

    ids: list[int]
    first: int
    label: float | Sequence[float]
    list: int | None = None


def read_examples(path: Path, task: str, tokenizer: PairTokenizer) -> list[Example]:
    """The pairs of a file in its order."""
    field = TASKS[task]
    pairs = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    read = tokenizer.all_ids([(pair[field], titled(pair.get("title") or "", pair["passage"])) for pair in pairs])
    labels = [LABELS.index(pair["label"]) if pair["label"] in LABELS else pair["label"] for pair in pairs]
    return [Example(*ids, label, pair.get("list")) for pair, ids, label in zip(pairs, read, labels, strict=True)]


def read_files(paths: Sequence[Path], task: str, tokenizer: PairTokenizer) -> list[list[Example]]:
    """The pairs of each file; no list of one has the number of a list of another."""
    files: list[list[Example]] = []
    known = 0
    for path in paths:
        own = [e if e.list is None else e._replace(list=e.list + known) for e in read_examples(path, task, tokenizer)]
        known = max([known, *(1 + e.list for e in own if e.list is not None)])
        files.append(own)
    return files


def epoch(files: Sequence[Sequence[Example]], shares: Sequence[float], seed: int) -> list[Example]:
    """What is learnt once: all files in their order, or a share of each drawn anew and mixed, lists whole."""
    if not shares:
        return [example for own in files for example in own]
    rng = random.Random(seed)
    found: list[list[Example]] = []
    for own, share in zip(files, shares, strict=True):
        runs = runs_of(own)
        found += rng.sample(runs, round(len(runs) * share))
    rng.shuffle(found)
    return [example for run in found for example in run]


def runs_of(examples: Sequence[Example]) -> list[list[Example]]:
    """Lists, and single pairs, in their order."""
    runs: list[list[Example]] = []
    for example in examples:
        if not runs or example.list is None or example.list != runs[-1][-1].list:
            runs.append([])
        runs[-1].append(example)
    return runs


def batches(examples: Sequence[Example], size: int, seed: int) -> list[list[Example]]:
    """Batches of like lengths, lists whole; only neighbours in the file are sorted together."""
    rng, runs = random.Random(seed), runs_of(examples)
    found: list[list[Example]] = []
    for start in range(0, len(runs), size * POOL):
        pool = sorted(runs[start : start + size * POOL], key=lambda run: max(len(e.ids) for e in run))
        cut: list[list[Example]] = []
        for run in pool:
            if not cut or len(cut[-1]) + len(run) > size:
                cut.append([])
            cut[-1] += run
        rng.shuffle(cut)
        found += cut
    return found
