"""What the command line gives, as a question and its settings: wrong use is found before anything is loaded."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from core.errors import InputError, UsageError
from core.schema import Question, QuestionSettings, Turn
from graphs.state import said

MAX_TEXT_BYTES = 5_000_000


def settings_from(
    without: Sequence[str],
    sources: str | None,
    collection: str | None,
    rounds: int | None = None,
    *,
    method: str | None = None,
    verbatim: bool = False,
    offline: bool = False,
    refresh: bool = False,
) -> QuestionSettings:
    """The settings of one question from what the command line says; UsageError where they cannot be."""
    parts = [part.strip() for listed in without for part in listed.split(",") if part.strip()]
    named = None if sources is None else tuple(name.strip() for name in sources.split(",") if name.strip())
    if named == ():
        raise UsageError("--sources names none: name some with commas between, or leave it out")
    fields: dict[str, Any] = {"without": tuple(parts), "sources": named, "collection": collection, "rounds": rounds}
    fields |= {"verbatim": verbatim, "offline": offline, "refresh": refresh}
    if method is not None:
        fields["method"] = method
    try:
        return QuestionSettings.model_validate(fields)
    except ValidationError as error:
        raise UsageError(_faults(error, _option)) from error


def _option(field: str) -> str:
    """How the command line calls a field of a question."""
    return "--option" if field == "options" else f"--{field.replace('_', '-')}"


def _faults(error: ValidationError, called: Callable[[str], str]) -> str:
    """What does not fit, after the name of where it stands; a sentence of our own says that itself."""
    return "; ".join(
        said(e["msg"])
        if e["type"] == "value_error" or not e["loc"]
        else f"{'.'.join([called(str(e['loc'][0])), *map(str, e['loc'][1:])])}: {said(e['msg'])}"
        for e in error.errors()
    )


def options_from(pairs: Sequence[str]) -> dict[str, str]:
    """Options of a choice from LETTER=TEXT."""
    options: dict[str, str] = {}
    for pair in pairs:
        letter, equals, text = pair.partition("=")
        if not equals or letter.strip() in options:
            raise UsageError(f"--option {pair!r}: give each option once, as LETTER=TEXT")
        options[letter.strip()] = text.strip()
    return options


def history_of(path: Path) -> list[dict[str, str]]:
    """A consultation from a file: lines that begin with Patient: or Doctor:, or a JSON list of {role, text}."""
    text = text_of(path).strip()
    if text.startswith("["):
        try:
            turns = TypeAdapter(list[Turn]).validate_json(text)
        except ValidationError as error:
            raise InputError(f"{path} is no history: give a JSON list of {{role: patient|doctor, text}}") from error
        return [turn.model_dump() for turn in turns]
    turns_told: list[dict[str, str]] = []
    for number, line in enumerate(filter(str.strip, text.splitlines()), start=1):
        role, colon, said = line.partition(":")
        if colon and role.strip().lower() in ("patient", "doctor") and said.strip():
            turns_told.append({"role": role.strip().lower(), "text": said.strip()})
        elif turns_told:
            turns_told[-1]["text"] += f"\n{line.strip()}"
        else:
            told = "“Patient:” or “Doctor:” and what was said"
            raise InputError(f"{path}:{number} does not begin with {told}: begin each turn so")
    if not turns_told:
        raise InputError(f"{path} has no turn: write lines “Patient: …” and “Doctor: …”, or leave --history out")
    return turns_told


def evidence_of(paths: Sequence[Path]) -> list[str]:
    """The texts of files that take part as evidence; InputError where one has none."""
    texts = [text_of(path) for path in paths]
    for path, text in zip(paths, texts, strict=True):
        if not text.strip():
            raise InputError(f"--evidence {path} has no text: name a file with some, or leave it out")
    return texts


def text_of(path: Path) -> str:
    """The text of a file; InputError where it is too long, or cannot be read as UTF-8."""
    try:
        with path.open("rb") as file:
            return _text(file.read(MAX_TEXT_BYTES + 1), str(path))
    except OSError as error:
        raise InputError(f"{path} cannot be read as UTF-8 text: {error}") from error


def piped_text() -> str:
    """The text of standard input; InputError as for a file."""
    if sys.stdin is None:
        raise InputError("standard input is closed: name a file")
    return _text(sys.stdin.buffer.read(MAX_TEXT_BYTES + 1), "standard input")


def _text(read: bytes, name: str) -> str:
    if len(read) > MAX_TEXT_BYTES:
        raise InputError(f"{name} has more than {MAX_TEXT_BYTES:,} bytes: give it in parts, or index it")
    if b"\0" in read:
        raise InputError(f"{name} is no text: it has zero bytes")
    try:
        return read.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise InputError(f"{name} cannot be read as UTF-8 text: {error}") from error


def checked(fields: dict[str, Any], called: Callable[[str], str] = _option) -> Question:
    """The question of these fields; InputError for what does not fit, by the name that its giver ``called`` it."""
    try:
        return Question.model_validate(fields)
    except ValidationError as error:
        raise InputError(_faults(error, called)) from error
