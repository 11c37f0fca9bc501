"""Questions over research articles: PubMedQA and BioASQ, with the texts that answer them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from eval.datasets.example import Example
from eval.datasets.files import Row, rows


def pubmedqa(path: Path) -> Iterator[Example]:
    """PubMedQA (Jin et al. 2019): yes, no or maybe, from an abstract without its conclusion, which is the reference."""
    for row in rows(path):
        if "QUESTION" in row:
            row = {
                "pmid": row["id"],
                "question": row["QUESTION"],
                "sections": [{"text": text} for text in row["CONTEXTS"]],
                "answer": row.get("final_decision"),
                "long_answer": row.get("LONG_ANSWER"),
            }
        yield Example(
            id=str(row["pmid"]),
            task="yesno",
            question=row["question"],
            context=(" ".join(section["text"] for section in row["sections"]),),
            gold=row.get("answer"),
            reference=(row["long_answer"],) if row.get("long_answer") else (),
        )


def bioasq(path: Path) -> Iterator[Example]:
    """BioASQ (Tsatsaronis et al. 2015), with its snippets, or the texts of ``corpus.jsonl`` beside the file."""
    corpus_file = path.with_name("corpus.jsonl")
    corpus = {row["pmid"]: row["text"] for row in rows(corpus_file)} if corpus_file.exists() else {}
    for row in rows(path):
        yesno = row["type"] == "yesno"
        ideal = row.get("ideal_answer") or ()
        yield Example(
            id=str(row["id"]),
            task="yesno" if yesno else "open",
            question=row.get("question") or row["body"],
            context=tuple(_snippets(row, corpus)),
            gold=str(row["exact_answer"]).lower() if yesno else None,
            reference=(ideal,) if isinstance(ideal, str) else tuple(ideal),
            subject=row["type"],
        )


def _snippets(row: Row, corpus: Mapping[str, str]) -> Iterator[str]:
    if row.get("snippets"):
        yield from dict.fromkeys(snippet["text"] for snippet in row["snippets"])
    yield from (corpus[pmid] for pmid in row.get("relevant_pmids", ()) if pmid in corpus)
