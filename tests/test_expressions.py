"""Every regular expression that reads outside text takes a time that grows with the text, not with its square."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from chains.guard.checks import faults
from chains.guard.planted import planted
from chains.guard.shown import visible
from chains.safety.reading import read
from chains.verify.dose import doses
from core.privacy.redaction import redacted
from tools.wikipedia.sections import sections

CHARACTERS = 20_000
SECONDS = 4.0
"""Of the processor, for what takes a fraction of one; what grows with the square takes minutes."""


def check_reply(text: str) -> object:
    return faults(text, evidence=(), prompt_text="", question="")


def read_sections(text: str) -> object:
    return list(sections(text))


CASES: list[tuple[Callable[[str], object], str]] = [
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
