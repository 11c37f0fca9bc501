"""Multiple choice: MedMCQA, MedQA, MMLU's medical subjects, MIRAGE, CasiMedicos; as released, and in MIRAGE's form."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from core.errors import InputError
from eval.datasets.example import Example
from eval.datasets.files import Row, cells, rows

LETTERS = "ABCDE"
_YES_NO = {"yes", "no", "maybe"}


def medmcqa(path: Path) -> Iterator[Example]:
    """MedMCQA (Pal et al. 2022). Its release numbers the right option from 1, its mirror on the hub from 0."""
    found = list(rows(path))
    numbers = {str(row["cop"]) for row in found if row.get("cop") not in (None, "")}
    if numbers and numbers.isdisjoint({"0", "-1", "4"}):
        raise InputError(f"{path}: no record tells whether cop counts from 0 or from 1: give more of MedMCQA's records")
    first = 1 if "4" in numbers else 0
    for row in found:
        if "options" in row:
            yield _mirage(row, "medmcqa")
            continue
        options = {letter: str(row[f"op{letter.lower()}"]) for letter in LETTERS[:4]}
        right = None if row.get("cop") in (None, "", -1, "-1") else LETTERS[int(row["cop"]) - first]
        yield _choice(row, options, right, str(row.get("subject_name") or ""), _texts(row.get("exp")))


def medqa(path: Path) -> Iterator[Example]:
    """MedQA (Jin et al. 2020)."""
    for number, row in enumerate(rows(path), start=1):
        if "answer_idx" in row:
            yield _choice({"id": number, **row}, row["options"], row["answer_idx"], str(row.get("meta_info") or ""))
        else:
            yield _mirage(row, "medqa")


def mmlu(path: Path) -> Iterator[Example]:
    """MMLU (Hendrycks et al. 2021): a CSV a subject, without a header: question, four options, letter."""
    if path.suffix.lower() != ".csv":
        yield from (_mirage(row, str(row.get("id", "")).rpartition("-")[0]) for row in rows(path))
        return
    subject = path.stem.removesuffix("_test").removesuffix("_val").removesuffix("_dev")
    for number, (question, *options, right) in enumerate(cells(path)):
        row = {"id": f"{subject}-{number:03}", "question": question}
        yield _choice(row, dict(zip(LETTERS, options, strict=False)), right.strip(), subject)


def mirage(path: Path) -> Iterator[Example]:
    """MIRAGE (Xiong et al. 2024): its five sets in one ``benchmark.json``, or a file of one of them."""
    if path.suffix.lower() != ".json":
        yield from (_mirage(row, path.stem.partition("_")[0], named=True) for row in rows(path))
        return
    for held in rows(path):
        for identifier, row in held.items():
            if identifier != "id":
                yield _mirage({"id": identifier, **row}, held["id"], named=True)


def casimedicos(path: Path) -> Iterator[Example]:
    """CasiMedicos (Goenaga et al. 2023): clinical cases in four languages with physicians' explanations."""
    language = path.stem[:2].lower() if path.stem[2:3] in ("_", ".") else path.parent.name[:2].lower()
    for row in rows(path):
        options = row["options"] if isinstance(row["options"], dict) else json.loads(row["options"])
        options = {letter: text for letter, text in options.items() if text}
        right = str(row.get("answer") or row.get("correct_option"))
        asked = {"id": row["id"], "question": row.get("question") or row.get("full_question")}
        told = _texts(row.get("explanation") or row.get("full_answer"))
        yield _choice(asked, options, right, str(row.get("type") or ""), told, language)


def _mirage(row: Row, source: str, *, named: bool = False) -> Example:
    """A question in MIRAGE's form; one with the options yes, no and maybe is no choice of letters."""
    row = {**row, "id": f"{source}/{row['id']}"} if named else row
    options = row["options"]
    if {text.lower() for text in options.values()} <= _YES_NO:
        gold = options[row["answer"]].lower()
        return Example(id=str(row["id"]), task="yesno", question=row["question"], gold=gold, subject=source)
    return _choice(row, options, row["answer"], str(row.get("subject") or source))


def _choice(
    row: Row,
    options: dict[str, str],
    right: str | None,
    subject: str,
    reference: tuple[str, ...] = (),
    language: str = "en",
) -> Example:
    if right is not None and right not in options:
        raise InputError(f"question {row['id']!r}: its right answer {right!r} is none of {', '.join(options)}")
    return Example(
        id=str(row["id"]),
        task="choice",
        question=row["question"],
        options=options,
        gold=right,
        subject=subject,
        reference=reference,
        language=language,
    )


def _texts(text: object) -> tuple[str, ...]:
    return (str(text),) if text else ()
