"""Every regular expression that reads outside text takes a time that grows with the text, not with its square."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from chains.claims import _blocks, split_claims
from chains.guard.checks import faults
from chains.guard.planted import planted
from chains.guard.shown import visible
from chains.parts import asking
from chains.safety.reading import read
from chains.understand import understand
from chains.verify.dose import doses
from core.language.split import sentences
from core.privacy.redaction import redacted
from core.privacy.trace import anonymous
from tools.repository.html import parsed
from tools.repository.plain import read_markdown
from tools.wikipedia.sections import sections

CHARACTERS = 20_000
SECONDS = 4.0
"""Of the processor, for what takes a fraction of one; what grows with the square takes minutes."""


def check_reply(text: str) -> object:
    return faults(text, evidence=(), prompt_text="", question="")


def read_sections(text: str) -> object:
    return list(sections(text))


CASES: list[tuple[Callable[[str], object], str]] = [
    (asking, "or "),
    (asking, "gout is "),
    (asking, "it is so, "),
    (understand, "is "),
    (understand, "how "),
    (doses, "1, "),
    (doses, "100,"),
    (doses, "1 to "),
    (doses, "2 times "),
    (doses, "every 3 or "),
    (doses, "1 " + " " * 50),
    (planted, "<p style='color:white'"),
    (planted, "ignore "),
    (planted, "<a " + "x" * 290),
    (planted, "a" * 39 + "="),
    (visible, "<!-"),
    (visible, "<script "),
    (visible, "<b hidden>"),
    (check_reply, "<a "),
    (check_reply, "["),
    (check_reply, "[a]("),
    (check_reply, "option "),
    (read, "a-"),
    (read, "a year "),
    (read, "1-"),
    (read, "my chest "),
    (redacted, "("),
    (redacted, "Jones "),
    (redacted, "a.a@"),
    (redacted, "tel "),
    (redacted, "0 1"),
    (redacted, "+1 "),
    (redacted, "born on "),
    (redacted, "12 Main "),
    (redacted, "lives "),
    (redacted, "MRN: "),
    (redacted, "Dr. "),
    (redacted, "http://a/"),
    (redacted, "Aa-"),
    (read_sections, "== a"),
    (read_sections, "=="),
]


@pytest.mark.parametrize(("reads", "unit"), CASES, ids=lambda value: getattr(value, "__name__", repr(value)))
def test_the_worst_text_is_read_in_its_length(reads: Callable[[str], object], unit: str) -> None:
    text = (unit * CHARACTERS)[:CHARACTERS] + "!"
    started = time.process_time()
    reads(text)
    assert time.process_time() - started < SECONDS


LONG = 200_000
LONG_CASES: list[tuple[Callable[[str], object], str, str]] = [
    (split_claims, "Aspirin", " "),
    (split_claims, "Aspirin thins blood [", "a:1-"),
    (split_claims, "Aspirin thins blood [", "1, "),
    (split_claims, "Aspirin: ", " -"),
    (sentences, "Aspirin", "!"),
    (sentences, "Aspirin", ".)"),
    (anonymous, "Aspirin", "\\"),
]


@pytest.mark.parametrize(("reads", "head", "unit"), LONG_CASES)
def test_a_long_text_is_read_in_its_length(reads: Callable[[str], object], head: str, unit: str) -> None:
    text = head + (unit * LONG)[:LONG] + "a"
    started = time.process_time()
    reads(text)
    assert time.process_time() - started < SECONDS


def test_a_long_paragraph_is_not_read_anew_at_every_line() -> None:
    prose = "aspirin: - thins blood, lowers fever and eases pain in most people who take it,\n" * 4_000
    started = time.process_time()
    _blocks(prose)
    assert time.process_time() - started < SECONDS


@pytest.mark.parametrize("unit", ["<td></td>", "<p> </p>", " "])
def test_a_long_page_is_read_in_its_length(unit: str) -> None:
    started = time.process_time()
    parsed(("<table>" + unit * (LONG // len(unit)) + "</table>").encode()).text()
    assert time.process_time() - started < SECONDS


def test_a_long_heading_is_read_in_its_length(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text("# a" + "#" * LONG + "b")
    started = time.process_time()
    read_markdown(file, lambda note: None)
    assert time.process_time() - started < SECONDS
