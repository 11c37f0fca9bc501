"""Claims with evidence that supports or contradicts them, or does not decide: SciFact and HealthVer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from core.errors import InputError
from eval.datasets.example import Example
from eval.datasets.files import rows

_SCIFACT = {"SUPPORT": "supported", "CONTRADICT": "contradicted"}
_HEALTHVER = {"Supports": "supported", "Refutes": "contradicted", "Neutral": "unverifiable"}


def scifact(path: Path) -> Iterator[Example]:
    """SciFact (Wadden et al. 2020): each claim with each abstract that it cites, from ``corpus.jsonl`` beside it."""
    corpus = {str(row["doc_id"]): row for row in rows(path.with_name("corpus.jsonl"))}
    for row in rows(path):
        for document in map(str, row["cited_doc_ids"]):
            if document not in corpus:
                raise InputError(f"{path}: claim {row['id']} cites {document}, which corpus.jsonl has not")
            found = row["evidence"].get(document)
            abstract = corpus[document]
            yield Example(
                id=f"{row['id']}/{document}",
                task="claim",
                claim=row["claim"],
                context=(f"{abstract['title']} {' '.join(s.strip() for s in abstract['abstract'])}",),
                gold=_SCIFACT[found[0]["label"]] if found else "unverifiable",
            )


def healthver(path: Path) -> Iterator[Example]:
    """HealthVer (Sarrouti et al. 2021): claims about COVID-19 with single sentences."""
    for row in rows(path):
        yield Example(
            id=str(row["id"]),
            task="claim",
            claim=row["claim"],
            context=(row["evidence"],),
            gold=_HEALTHVER[row["label"]],
            group=(f"asked: {row['question']}",) if row.get("question") else (),
        )
