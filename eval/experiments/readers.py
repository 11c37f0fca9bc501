"""What the entailment reader reaches: on SciFact's kept-out fold, on sets it never saw, and how much int8 costs it.

python -m eval.experiments.readers --data DATA [--seen pairs.jsonl]
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from chains.verify import verify
from core.embeddings import MiniLM
from core.language import sentences
from core.rarity import wordpiece_rarity
from core.readers.entailment import Entailed, EntailmentReader
from core.readers.reader import FOLDER
from core.schema import Claim, Evidence, Label
from core.settings import load_settings
from eval.experiments.verification_data import Pair, healthver, medhallu, scifact, scifact_sentences
from eval.metrics.classification import auc, f1_by_class, macro_f1
from eval.training.scifact import kept_out

VETOES = (0.1, 0.2, 0.3, 0.4, 0.5)
THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
LABELS: tuple[Label, ...] = ("supported", "contradicted", "unverifiable")


class Read(NamedTuple):
    """Pairs with what the reader says of each."""

    gold: list[Label]
    found: list[Entailed]


def read(reader: EntailmentReader, pairs: Sequence[Pair]) -> Read:
    """Read each pair's passage, with its title where it has one."""
    asked = [(pair.claim, pair.evidence.text, pair.evidence.title or "") for pair in pairs]
    return Read([pair.label for pair in pairs], reader.read(asked))


def decided(found: Sequence[Entailed], threshold: float) -> list[Label]:
    """The stronger of the two where it reaches the threshold."""
    return [
        "unverifiable" if max(e) < threshold else "supported" if e.supported >= e.contradicted else "contradicted"
        for e in found
    ]


def say(name: str, got: Read, threshold: float) -> None:
    """Print the macro-F1 at a threshold that other data chose."""
    told = decided(got.found, threshold)
    each = ", ".join(f"{label} {value:.3f}" for label, value in f1_by_class(got.gold, told).items())
    print(
        f"{name}: macro-F1 {macro_f1(got.gold, told):.3f} at {threshold} over {len(got.gold)} pairs ({each})",
        flush=True,
    )


def best_threshold(*parts: Read) -> float:
    """The threshold with the best mean macro-F1."""
    return max(THRESHOLDS, key=lambda t: sum(macro_f1(p.gold, decided(p.found, t)) for p in parts))


def say_medhallu(reader: EntailmentReader, file: Path, most: int) -> None:
    """AUC over answers: the claim is the answer's sentences, the passage is the knowledge given with it."""
    risks, lengths, false = [], [], []
    for answer, knowledge, hallucinated in medhallu(file)[:most]:
        passage = " ".join(part.text for part in knowledge)
        parts = [s.text for s in sentences(answer)] or [answer]
        found = reader.read([(part, passage, "") for part in parts])
        risks.append(float(np.mean([e.contradicted - e.supported for e in found])))
        lengths.append(len(answer))
        false.append(hallucinated)
    told = f"AUC {auc(false, risks):.3f}; by length alone {auc(false, lengths):.3f}"
    print(f"MedHallu, zero-shot, {len(false)} answers: {told}", flush=True)


def say_seen(reader: EntailmentReader, file: Path) -> None:
    """Of hand-written pairs by kind: unsupported called supported, and supported found, at each threshold."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    found = reader.read([(row["claim"], " ".join(row["evidence"]), "") for row in rows])
    gold: list[Label] = ["unverifiable" if row["label"] == "neither" else row["label"] for row in rows]
    for threshold in THRESHOLDS:
        say_support(f"seen pairs at {threshold}", gold, decided(found, threshold))
    kinds: dict[str, list[tuple[Label, Label]]] = defaultdict(list)
    for row, g, t in zip(rows, gold, decided(found, 0.5), strict=True):
        kinds[row["kind"]].append((g, t))
    for kind, pairs in sorted(kinds.items()):
        wrong = sum(t == "supported" for g, t in pairs if g != "supported")
        hits = sum(t == "supported" for g, t in pairs if g == "supported")
        of = sum(g == "supported" for g, _ in pairs)
        exact = sum(g == t for g, t in pairs)
        print(
            f"  {kind}: {exact} of {len(pairs)} right; {wrong} of {len(pairs) - of} falsely supported; "
            f"{hits} of {of} found"
        )


class Ways:
    """Verdicts by the rules alone, by the reader alone, and by both: support that the reader may veto."""

    def __init__(self, reader: EntailmentReader) -> None:
        """Take the reader, and build what the rules need from the settings."""
        settings = load_settings()
        self.reader, self.embedder = reader, MiniLM.load(settings.home, settings.threads)
        self.rarity = wordpiece_rarity(self.embedder.vocabulary())

    def say(self, name: str, pairs: Sequence[Pair], threshold: float) -> None:
        """Print what each way reaches on pairs, both together at each least probability of a veto."""
        gold = [pair.label for pair in pairs]
        say_support(f"{name}, reader", gold, decided(read(self.reader, pairs).found, threshold))
        rules = [self._verdict(pair) for pair in pairs]
        say_support(f"{name}, rules", gold, [label for label, _ in rules])
        for least in VETOES:
            both = [_vetoed(label, learned, least) for label, learned in rules]
            say_support(f"{name}, both, veto under {least}", gold, both)

    def _verdict(self, pair: Pair) -> tuple[Label, float | None]:
        """The verdict of the rules, and what the reader is asked about its support; None where it is not asked."""
        told: list[float] = []

        def learned(asked: Sequence[tuple[str, str, str]]) -> list[tuple[float, float]]:
            found = self.reader.read(asked)
            told.extend(e.supported for e in found)
            return [(1.0, 0.0) for _ in found]

        claim = Claim(text=pair.claim, span=(0, len(pair.claim)))
        encode, rarity = self.embedder.encode, self.rarity
        verdict = verify([claim], [pair.evidence], encode=encode, rarity=rarity, learned=learned)[0]
        return verdict.label, max(told, default=None)


def _vetoed(label: Label, learned: float | None, least: float) -> Label:
    return "unverifiable" if label == "supported" and learned is not None and learned < least else label


def say_support(name: str, gold: Sequence[Label], told: Sequence[Label]) -> None:
    """Print macro-F1, unsupported called supported, and supported found."""
    false = [t == "supported" for t, g in zip(told, gold, strict=True) if g != "supported"]
    right = [t == "supported" for t, g in zip(told, gold, strict=True) if g == "supported"]
    print(
        f"{name}: macro-F1 {macro_f1(gold, told):.3f}, unsupported called supported "
        f"{np.mean(false):.3f} of {len(false)}, supported found {np.mean(right):.3f} of {len(right)}",
        flush=True,
    )


def seen_pairs(file: Path) -> list[Pair]:
    """Hand-written pairs; several pieces of evidence are one text."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [
        Pair(
            row["claim"],
            Evidence(id="given:1", text=" ".join(row["evidence"]), source="given"),
            "unverifiable" if row["label"] == "neither" else row["label"],
            row["id"],
        )
        for row in rows
    ]


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description="What the entailment reader reaches.")
    parser.add_argument("--data", type=Path, required=True, help="the folder of scifact, healthver and medhallu")
    parser.add_argument("--seen", type=Path, help="hand-written pairs, JSON lines")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="of the reader's files")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--most", type=int, default=1500, help="pairs of each set at most")
    parser.add_argument("--without-medhallu", action="store_true")
    parser.add_argument("--with-rules", action="store_true", help="also the rules alone, and both together")
    given = parser.parse_args()
    reader = EntailmentReader.load(given.threads, given.folder)
    began = time.perf_counter()
    whole = [p for p in scifact(given.data / "scifact") if kept_out(int(p.group))]
    single = [p for p in scifact_sentences(given.data / "scifact") if kept_out(int(p.group))]
    abstracts, lines = read(reader, whole), read(reader, single)
    cost = 1000 * (time.perf_counter() - began) / (len(whole) + len(single))
    for name, own, other in (("abstracts", abstracts, lines), ("sentences", lines, abstracts)):
        say(f"SciFact, kept-out fold, {name}", own, 0.5)
        say(f"SciFact, kept-out fold, {name}, threshold of the other shape", own, best_threshold(other))
    print(f"{cost:.0f} ms a pair")
    if given.seen:
        say_seen(reader, given.seen)
    if given.with_rules:
        ways = Ways(reader)
        ways.say("SciFact, kept-out fold, abstracts", whole, 0.5)
        ways.say("SciFact, kept-out fold, sentences", single, 0.5)
        if given.seen:
            ways.say("seen pairs", seen_pairs(given.seen), 0.5)
    health = healthver(given.data / "healthver" / "healthver_dev.csv")
    transferred = read(reader, random.Random(0).sample(health, min(given.most, len(health))))
    for threshold in dict.fromkeys((0.5, best_threshold(abstracts, lines))):
        say("HealthVer", transferred, threshold)
    if not given.without_medhallu:
        say_medhallu(reader, given.data / "medhallu" / "dev.jsonl", given.most)


if __name__ == "__main__":
    main()
