"""SciFact's claims with windows of the abstracts that they cite, a fifth of the claims kept out.

Claims are under CC BY 4.0, abstracts under ODC-By 1.0.
"""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from eval.training.clauses import sentence
from eval.training.passages import Label, Pair
from eval.training.real_sentences import SentenceReader

FOLDS = 5
WINDOW_WORDS = 95
_LABELS: dict[str, Label] = {"SUPPORT": "supported", "CONTRADICT": "contradicted"}


class Section(NamedTuple):
    """A title with its sentences."""

    title: str
    sentences: tuple[str, ...]


def kept_out(claim: int) -> bool:
    """Whether a claim of SciFact belongs to the fifth that only measures."""
    return zlib.crc32(f"entailment/{claim}".encode()) % FOLDS == 0


def json_lines(path: Path) -> list[dict[str, Any]]:
    """The records of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


class SciFact:
    """SciFact's claims and corpus, the kept-out fold set apart."""

    def __init__(self, folder: Path) -> None:
        """Read all."""
        self.corpus = {entry["doc_id"]: entry for entry in json_lines(folder / "corpus.jsonl")}
        self.claims = json_lines(folder / "claims_train.jsonl")
        self.held_documents = {doc for c in self.claims if kept_out(c["id"]) for doc in c["cited_doc_ids"]}

    def sections(self) -> list[Section]:
        """The abstracts that no held-out claim cites."""
        kept = (entry for doc, entry in sorted(self.corpus.items()) if doc not in self.held_documents)
        return [Section(e["title"].strip().rstrip("."), tuple(s.strip() for s in e["abstract"])) for e in kept]

    def pairs(self, held: bool, rng: random.Random, reader: SentenceReader | None = None) -> Iterator[Pair]:
        """Each claim with windows of each abstract it cites; with a reader also the claim denied."""
        for claim in self.claims:
            documents = [d for d in claim["cited_doc_ids"] if held or d not in self.held_documents]
            if kept_out(claim["id"]) != held or not documents:
                continue
            texts = [(claim["claim"], False)]
            denials = [real.denials[0] for _, real in reader.read([claim["claim"]])] if reader else []
            texts += [(sentence(denial), True) for denial in denials]
            for doc in documents:
                found = claim["evidence"].get(str(doc), [])
                label = _LABELS[found[0]["label"]] if found else "neither"
                telling = {place for entry in found for place in entry["sentences"]}
                for text, turned in texts:
                    yield from self._windows(text, doc, _turned(label) if turned else label, telling, rng)

    def _windows(self, claim: str, doc: int, label: Label, telling: set[int], rng: random.Random) -> Iterator[Pair]:
        entry = self.corpus[doc]
        told = [s.strip() for s in entry["abstract"]]
        title = entry["title"].strip().rstrip(".") if rng.random() < 0.5 else ""
        drawn = rng.sample(sorted(telling), min(2, len(telling)))
        places: list[int | None] = [*drawn] or [None]
        for place in places:
            first, last = window_of(told, place, rng)
            yield Pair(claim, title, " ".join(told[first:last]), label, "scifact")
        silent = [i for i in range(len(told)) if i not in telling]
        if telling and silent and rng.random() < 0.35:
            place = rng.choice(silent)
            run = [i for i in (place, place + 1) if i in silent]
            yield Pair(claim, "", " ".join(told[i] for i in run), "neither", "scifact")


def _turned(label: Label) -> Label:
    turns: dict[Label, Label] = {"supported": "contradicted", "contradicted": "supported", "neither": "neither"}
    return turns[label]


def window_of(told: Sequence[str], place: int | None, rng: random.Random) -> tuple[int, int]:
    """A run of sentences around one, as long as the room and a drawn size allow."""
    first = rng.randrange(len(told)) if place is None else place
    last, wanted = first + 1, rng.choice((1, 1, 2, 3, 5))
    while last - first < wanted and sum(len(s.split()) for s in told[first:last]) < WINDOW_WORDS:
        if last < len(told) and (rng.random() < 0.5 or first == 0):
            last += 1
        elif first > 0:
            first -= 1
        else:
            break
    return first, last
