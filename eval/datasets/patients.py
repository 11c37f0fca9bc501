"""Questions of patients and the public: MedQuAD, LiveQA, and the consultations of MedDialog, CDialog and MTS-Dialog."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from xml.etree import ElementTree

from core.errors import InputError
from core.schema import Turn
from eval.datasets.example import Example
from eval.datasets.files import rows
from tools.exemplars.formats import exemplars_of
from tools.exemplars.values import Refused


def medquad(path: Path) -> Iterator[Example]:
    """MedQuAD (Ben Abacha & Demner-Fushman 2019): NIH's questions and answers, JSON Lines or the XML of its release."""
    if path.suffix.lower() == ".xml":
        yield from _medquad_xml(path)
        return
    for row in rows(path):
        for pair in row["qa"]:
            yield _asked(f"{row['doc_id']}/{pair['qid']}", pair["question"], (pair["answer"],), pair["qtype"])


def liveqa(path: Path) -> Iterator[Example]:
    """LiveQA's medical task (Ben Abacha et al. 2017): consumers' letters with reference answers."""
    for question in _tree(path).iter("NLM-QUESTION"):
        letter = " ".join(_text(question, f".//{part}") for part in ("SUBJECT", "MESSAGE")).strip()
        references = tuple(filter(None, (_said(answer) for answer in question.iter("ANSWER"))))
        subject = question.find(".//TYPE")
        yield _asked(
            question.get("qid") or question.get("questionid") or "",
            letter or _text(question, "NIST-PARAPHRASE"),
            references,
            _said(subject) if subject is not None else "",
        )


def dialogues(path: Path) -> Iterator[Example]:
    """MedDialog (Zeng et al. 2020), MTS-Dialog (Ben Abacha et al. 2023): the doctor's last reply is the reference."""
    for number, exemplar in enumerate(exemplars_of(path)):
        if isinstance(exemplar, Refused):  # a dialogue in which no doctor replies
            continue
        turns = [Turn.model_validate(_spoken(line)) for line in exemplar.context.splitlines()]
        yield _consultation(f"{path.stem}-{number}", turns, exemplar.answer, exemplar.subject)


def cdialog(path: Path) -> Iterator[Example]:
    """CDialog (Varshney et al. 2023): a CSV, a turn a line."""
    for identifier, said in groupby(rows(path), lambda row: row["conv_id"]):
        turns = [
            Turn(role="doctor" if row["speaker"] == "Doctor" else "patient", text=row["utterance"].strip())
            for row in said
            if row["utterance"].strip()
        ]
        replies = [place for place, turn in enumerate(turns) if place and turn.role == "doctor"]
        if replies:
            yield _consultation(f"{path.stem}-{identifier}", turns[: replies[-1]], turns[replies[-1]].text, "")


def _consultation(identifier: str, turns: Sequence[Turn], reply: str, subject: str) -> Example:
    """What the patient said last is the question, what was said before it the history."""
    *before, last = turns
    return Example(
        id=identifier,
        task="dialogue",
        question=last.text,
        history=tuple(before),
        reference=(reply,),
        subject=subject,
    )


def _spoken(line: str) -> dict[str, str]:
    role, _, text = line.partition(": ")
    return {"role": role.lower(), "text": text}


def _medquad_xml(path: Path) -> Iterator[Example]:
    document = _tree(path)
    for pair in document.iter("QAPair"):
        question, answer = pair.find("Question"), pair.find("Answer")
        if question is not None and answer is not None and _said(answer):  # some answers are under copyright: left out
            yield _asked(question.get("qid") or "", _said(question), (_said(answer),), question.get("qtype") or "")


def _asked(identifier: str, question: str, reference: tuple[str, ...], subject: str) -> Example:
    return Example(id=identifier, task="open", question=question, reference=reference, subject=subject)


def _tree(path: Path) -> ElementTree.Element:
    try:
        return ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError) as error:
        raise InputError(f"{path} cannot be read as XML ({error}): give the set's file") from error


def _text(element: ElementTree.Element, place: str) -> str:
    found = element.find(place)
    return "" if found is None else _said(found)


def _said(element: ElementTree.Element) -> str:
    return " ".join("".join(element.itertext()).split())
