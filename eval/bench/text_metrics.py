"""Scoring texts against sacrebleu, rouge-score and nltk called a record at a time: the same values, in less time.

A triple is made of one MedQuAD answer: the context is its first words, the reference some of those, the answer others
that overlap. NMISS has no peer; what it costs is told by itself.
"""

from __future__ import annotations

import argparse
import json
import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
from nltk.tokenize import wordpunct_tokenize
from nltk.translate.meteor_score import meteor_score
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu import sentence_bleu

from core.errors import InputError
from eval.metrics import METRICS, Scored, Scorers, score

KINDS = ("rouge1", "rouge2", "rougeL")
FIGURES = {"p": "precision", "r": "recall", "f1": "fmeasure"}
BASE = ("bleu4", "meteor", *(f"{kind}_{figure}" for kind in KINDS for figure in FIGURES))
CONTEXT, ANSWER, REFERENCE = slice(300), slice(10, 70), slice(40, 90)
"""Words of the MedQuAD answer."""
TOLERANCE = 1e-6
T = TypeVar("T")


class _NoWordNet:
    """nltk's own matching without synonyms, as ours without WordNet."""

    def synsets(self, word: str) -> list[object]:
        return []


def triples(file: Path, count: int, seed: int) -> list[Scored]:
    """So many triples, their answers in an order drawn by the seed, from the start again where there are too few.

    Raises InputError where the file cannot be read.
    """
    try:
        records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
        answers = list(dict.fromkeys(pair["answer"] for record in records for pair in record["qa"]))
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{file} cannot be read as MedQuAD's JSONL ({error!r}): name it with --data") from error
    long = [words for words in map(str.split, answers) if len(words) > ANSWER.stop]
    order = np.random.default_rng(seed).permutation(len(long))
    return [_triple(n, long[order[n % len(long)]], again=n // len(long)) for n in range(count)]


def _triple(number: int, words: Sequence[str], again: int) -> Scored:
    """A triple; one that is made again begins elsewhere, so that nothing is scored twice."""
    words = [*words[again:], *words[:again]]
    answer, reference, context = (" ".join(words[part]) for part in (ANSWER, REFERENCE, CONTEXT))
    return Scored(str(number), "", answer, reference, context)


def theirs(records: Sequence[Scored]) -> dict[str, list[float]]:
    """The libraries' values, a record at a time."""
    columns: dict[str, list[float]] = {name: [] for name in BASE}
    rouge, without = RougeScorer(KINDS), _NoWordNet()
    for record in records:
        answer, reference = record.answer or "", record.references[0]
        found = sentence_bleu(answer, [reference], smooth_method="none", use_effective_order=False)
        columns["bleu4"].append(found.score / 100)
        told, said = wordpunct_tokenize(reference), wordpunct_tokenize(answer)
        columns["meteor"].append(meteor_score([told], said, wordnet=without))
        overlaps = rouge.score(reference, answer)
        for kind in KINDS:
            for ours, their in FIGURES.items():
                columns[f"{kind}_{ours}"].append(getattr(overlaps[kind], their))
    return columns


def main(arguments: Sequence[str] | None = None) -> dict[str, float]:
    """Print processor seconds of both, and of all metrics without encoder or model; values must be equal."""
    parser = argparse.ArgumentParser(prog="python -m eval.bench.text_metrics", description=main.__doc__)
    parser.add_argument("--data", type=Path, required=True, help="MedQuAD's JSONL")
    parser.add_argument("--triples", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0, help="which answers")
    given = parser.parse_args(arguments)
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)  # it warns at every sentence without smoothing
    records = triples(given.data, given.triples, given.seed)
    every = [name for name, metric in METRICS.items() if metric.need is None]
    own, base = _timed(lambda: score(records, BASE, Scorers()))
    peers, expected = _timed(lambda: theirs(records))
    whole, _ = _timed(lambda: score(records, every, Scorers()))
    for name, column in expected.items():
        if not np.allclose(np.array(base[name], dtype=float), column, rtol=0, atol=TOLERANCE):
            raise AssertionError(f"{name} differs from the library's: the speeds cannot be compared")
    print(
        f"{len(records)} triples of {CONTEXT.stop} words of context, seed {given.seed}: BLEU-4, METEOR and ROUGE "
        f"{own:.1f} s, sacrebleu, nltk and rouge-score {peers:.1f} s: {peers / own:.1f}×; "
        f"all {len(every)} metrics without encoder or model {whole:.1f} s"
    )
    return {"ours": own, "theirs": peers, "all": whole}


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    began = time.process_time()
    found = work()
    return time.process_time() - began, found


if __name__ == "__main__":
    main()
