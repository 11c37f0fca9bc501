"""Stored texts that people have judged true or false: HaluEval-2, MedHallu, MEDEC."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from eval.datasets.example import Example
from eval.datasets.files import rows


def halueval2(path: Path) -> Iterator[Example]:
    """HaluEval 2.0 (Li et al. 2024), its biomedical part: the facts of a model's reply that were judged."""
    for row in rows(path):
        for number, (fact, judged) in enumerate(zip(row["chatgpt_fact"], row["human_judge"], strict=False)):
            if judged in ("true", "false"):
                yield Example(
                    id=f"{row['id']}#{number}",
                    task="claim",
                    question=row["user_query"],
                    claim=fact,
                    hallucinated=judged == "false",
                )


def medhallu(path: Path) -> Iterator[Example]:
    """MedHallu (Pandit et al. 2025): of each question the true answer and a hallucinated one, with the knowledge."""
    for number, row in enumerate(rows(path)):
        given = row["Knowledge"]
        # In its CSV a list is written as Python has it, without commas.
        knowledge = _listed(given) if isinstance(given, str) else given
        for kind, field in (("true", "Ground Truth"), ("hallucinated", "Hallucinated Answer")):
            yield Example(
                id=f"{row.get('pmid', number)}/{kind}",
                task="claim",
                question=row["Question"],
                claim=row[field],
                context=tuple(knowledge),
                hallucinated=kind == "hallucinated",
                level=row.get("Difficulty Level", ""),
                subject=row.get("Category of Hallucination", "") if kind == "hallucinated" else "",
            )


def medec(path: Path) -> Iterator[Example]:
    """MEDEC (Ben Abacha et al. 2025): clinical notes, in some of which one statement is wrong."""
    for row in rows(path):
        flag = str(row.get("Error Flag", row.get("error_flag", "")))
        yield Example(
            id=str(row["Text ID"]),
            task="claim",
            claim=row["Text"].strip(),
            hallucinated={"0": False, "1": True}.get(flag),
            subject=str(row.get("Error Type") or "") if flag == "1" else "",
        )


def _listed(text: str) -> list[str]:
    try:
        held: Any = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        held = text
    return [str(piece) for piece in held] if isinstance(held, list) else [text]
