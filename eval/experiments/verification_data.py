"""Claims with the evidence that they are held against, as three development sets have them."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from core.errors import InputError
from core.schema import Evidence, Label
from eval.training.written import divided, written


class Pair(NamedTuple):
    """One claim and one piece of evidence; ``group`` is what a fold may not divide."""

    claim: str
    evidence: Evidence
    label: Label
    group: str


_READ: dict[str, Label] = {"supported": "supported", "contradicted": "contradicted"}
_SCIFACT: dict[str, Label] = {"SUPPORT": "supported", "CONTRADICT": "contradicted"}
_HEALTHVER: dict[str, Label] = {"Supports": "supported", "Refutes": "contradicted", "Neutral": "unverifiable"}


def scifact(folder: Path) -> list[Pair]:
    """Each claim of SciFact's training set with each abstract that it cites (Wadden et al., 2020)."""
    corpus = {record["doc_id"]: record for record in _lines(folder / "corpus.jsonl")}
    return [
        Pair(claim["claim"], _abstract(corpus[doc]), _scifact_label(claim, doc), str(claim["id"]))
        for claim in _lines(folder / "claims_train.jsonl")
        for doc in claim["cited_doc_ids"]
    ]


def scifact_listed(folder: Path, pairs: Sequence[Pair]) -> list[tuple[str, ...]]:
    """Of each of these pairs of ``scifact`` the abstract's sentences, in order."""
    corpus = {f"given:{record['doc_id']}": record["abstract"] for record in _lines(folder / "corpus.jsonl")}
    return [tuple(sentence.strip() for sentence in corpus[pair.evidence.id]) for pair in pairs]


def scifact_sentences(folder: Path) -> list[Pair]:
    """The same claims with single sentences: the rationales, and where there is none the first two of the abstract.

    Passages of this length, without a title, are what a repository's search returns.
    """
    corpus = {record["doc_id"]: record for record in _lines(folder / "corpus.jsonl")}
    pairs: list[Pair] = []
    for claim in _lines(folder / "claims_train.jsonl"):
        for doc in claim["cited_doc_ids"]:
            abstract = corpus[doc]["abstract"]
            chosen = [s for found in claim["evidence"].get(str(doc), ()) for s in found["sentences"]]
            places = chosen[:1] or [0, len(abstract) - 1][: len(abstract)]
            label = _scifact_label(claim, doc)
            for place in places:
                text = Evidence(id=f"given:{doc}#{place}", text=abstract[place].strip(), source="given")
                pairs.append(Pair(claim["claim"], text, label, str(claim["id"])))
    return pairs


def written_pairs() -> list[Pair]:
    """The pairs written for this project whose passages the reader that has learned did not see."""
    return [
        Pair(
            pair.claim,
            Evidence(id="given:1", text=pair.passage, source="given"),
            "unverifiable" if pair.label == "neither" else _READ[pair.label],
            pair.group,
        )
        for pair in divided(written())[1]
    ]


def healthver(file: Path) -> list[Pair]:
    """HealthVer (Sarrouti et al., 2021): claims and single sentences. Its licence lets it measure, not fit."""
    try:
        with file.open(encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream))
    except OSError as error:
        raise InputError(f"{file} cannot be read ({error}): --data names the folder of the data sets") from error
    return [
        Pair(
            row["claim"],
            Evidence(id=f"given:{row['id']}", text=row["evidence"], source="given"),
            _HEALTHVER[row["label"]],
            row["claim"],
        )
        for row in rows
    ]


def medhallu(file: Path) -> list[tuple[str, tuple[Evidence, ...], bool]]:
    """MedHallu (Pandit et al., 2025): answers, the knowledge they are held against, whether they are hallucinated."""
    records: list[tuple[str, tuple[Evidence, ...], bool]] = []
    for record in _lines(file):
        knowledge = tuple(
            Evidence(id=f"given:{n}", text=text, source="given") for n, text in enumerate(record["Knowledge"], start=1)
        )
        records.append((record["Ground Truth"], knowledge, False))
        records.append((record["Hallucinated Answer"], knowledge, True))
    return records


def _abstract(record: dict[str, Any]) -> Evidence:
    text = " ".join(sentence.strip() for sentence in record["abstract"])
    return Evidence(id=f"given:{record['doc_id']}", text=text, title=record["title"], source="given")


def _scifact_label(claim: dict[str, Any], doc: int) -> Label:
    found = claim["evidence"].get(str(doc))
    return _SCIFACT[found[0]["label"]] if found else "unverifiable"


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{file} cannot be read ({error}): --data names the folder of the data sets") from error
    return (json.loads(line) for line in text.split("\n") if line.strip())
