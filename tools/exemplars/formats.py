"""From the records of a file to exemplars: our own form, MTS-Dialog's (Ben Abacha 2023), MedDialog's (Zeng 2020)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from core.schema import MAX_QUESTION_CHARS, Exemplar, Turn
from tools.exemplars.reading import ACCEPTED, Record, records
from tools.exemplars.values import Refused

__all__ = ["ACCEPTED", "exemplars_of"]

SUBJECT_CHARS = 200
_STRUCTURED = ("options", "reasoning", "knowledge")
_SPEAKER = re.compile(r"\s*([^\W\d][\w ]{0,24}?)\s*:\s*")
_DOCTORS = re.compile(r"(?:guest[ _])?(?:doc|physician|clini)\w*")
_PATIENTS = re.compile(r"patient|(?:gu?est[ _])?family[ _]?\d?")
"""As in MTS-Dialog, slips of its writers included."""


def exemplars_of(path: Path) -> Iterator[Exemplar | Refused]:
    """What a file holds, read as it is asked for; their ids are for the bank to give.

    Raises:
        InputError: the file cannot be read, or is of no form that is known.
    """
    for record in records(path):
        if isinstance(record, Refused):
            yield record
            continue
        try:
            exemplar = _exemplar(record, path.name)
            _check(exemplar)
            yield exemplar
        except ValidationError as error:
            yield Refused(record.line, "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()))
        except ValueError as error:
            yield Refused(record.line, str(error))


def _exemplar(record: Record, file: str) -> Exemplar:
    fields = record.fields
    if "utterances" in fields:
        return _of_dialogue(_utterances(fields["utterances"]), fields.get("description"), f"{file} (MedDialog's form)")
    if "dialogue" in fields:
        turns = str(fields["dialogue"] or "").splitlines()
        return _of_dialogue(turns, fields.get("section_header"), f"{file} (MTS-Dialog's form)")
    return _own(fields, file)


def _own(fields: Mapping[str, object], file: str) -> Exemplar:
    """An exemplar with the fields of ``core.schema.Exemplar``; in a CSV, cells of several values are JSON."""
    values = {name: value for name, value in fields.items() if value not in (None, "")}
    for name in _STRUCTURED:
        cell = values.get(name)
        if isinstance(cell, str):
            try:
                values[name] = json.loads(cell)
            except ValueError as error:
                raise ValueError(f"{name}: no JSON ({error})") from error
    return Exemplar.model_validate({"source": file, **values, "id": "given"})


def _of_dialogue(lines: Sequence[str], about: object, source: str) -> Exemplar:
    """The consultation up to the doctor's last reply: what stands before it is the context, it is the answer."""
    turns = _turns(lines)
    replies = [place for place, turn in enumerate(turns) if place and turn.role == "doctor"]
    if not replies:
        raise ValueError("the dialogue has no doctor's reply: no turn of a doctor follows another turn")
    context = "\n".join(map(str, turns[: replies[-1]]))
    subject = " ".join(str(about or "").split())[:SUBJECT_CHARS]
    reply = turns[replies[-1]].text
    return Exemplar(id="given", task="dialogue", context=context, answer=reply, subject=subject, source=source)


def _utterances(value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(line, str) for line in value):
        raise ValueError("utterances: a list of texts is wanted, such as patient: …, doctor: …")
    return [" ".join(line.split()) for line in value]


def _turns(lines: Sequence[str]) -> list[Turn]:
    """Turns of patient and doctor; who comes with a patient speaks for them, and a line of no speaker goes on."""
    said: list[tuple[str, str]] = []
    for line in lines:
        match = _SPEAKER.match(line)
        role = _role(match.group(1).lower()) if match else None
        text = " ".join((line[match.end() :] if match and role else line).split())
        if role:
            said.append((role, text))
        elif text and said:
            said[-1] = (said[-1][0], f"{said[-1][1]} {text}".strip())
        elif text:
            raise ValueError("the dialogue does not begin with a speaker: begin each turn with Patient: or Doctor:")
    return [Turn.model_validate({"role": role, "text": text}) for role, text in said if text]


def _role(speaker: str) -> str | None:
    if _DOCTORS.fullmatch(speaker):
        return "doctor"
    return "patient" if _PATIENTS.fullmatch(speaker) else None


def _check(exemplar: Exemplar) -> None:
    """Raise ValueError where a prompt could not show the exemplar."""
    if not exemplar.context.strip() or not exemplar.answer.strip():
        raise ValueError("context or answer is empty: an exemplar needs both")
    if len(exemplar.context) > MAX_QUESTION_CHARS:
        raise ValueError(f"its context has {len(exemplar.context):,} characters, the limit is {MAX_QUESTION_CHARS:,}")
    if exemplar.task == "choice" and (len(exemplar.options) < 2 or exemplar.choice not in exemplar.options):
        raise ValueError("a choice needs at least two options, and a choice that is the letter of one of them")
    if exemplar.task == "yesno" and exemplar.choice not in ("yes", "no", "maybe"):
        raise ValueError("yesno needs a choice: yes, no or maybe")
    if "\ufffd" in exemplar.model_dump_json():
        raise ValueError("it has characters that cannot be read: save the file as UTF-8")
