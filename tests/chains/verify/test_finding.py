"""What makes a piece of evidence support a claim that it says in other words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import pytest

from chains.verify.entailment import Probabilities
from chains.verify.finding import READ_THERE, READ_WHATEVER_LACKS, Finding
from chains.verify.passage import read_passage
from chains.verify.report import WHOLE
from chains.verify.statements.stand import FOREIGN_TEXT, NOTHING_SAID, Stand
from core.readers.entailment import WHOLE_WORDS, read_at_once
from core.schema import Evidence

PAGE = "Scabies is an itchy rash caused by mites. " * 6
DOUBTED = Stand(False, False, 1.0, "doubt", "it says that this may be so")
BELIEVED = Stand(False, False, 1.0, "frame", "it reports this as a belief")
DENIED = Stand(False, True, 1.0, None, "it says the opposite")
LACKING = Stand(False, False, 0.8, "lacks", "it does not speak of “pets”")


def finding(
    read: float | None,
    text: str = PAGE,
    stand: Stand = NOTHING_SAID,
    signals: Mapping[str, float] = MappingProxyType({}),
) -> Finding:
    evidence = Evidence(id="given:1", text=text, source="given")
    known = {"read_support": read, "read_contradiction": None if read is None else 0.02, **signals}
    likely = Probabilities(0.6 if read is None else read, 0.05)
    window = read_passage(text, "").windows[0]
    return Finding(evidence, window, known, likely, stand, long=True, report=WHOLE, spoken=False)


def test_what_a_text_is_read_at_once_for_is_supported_from_where_the_reader_is_sure() -> None:
    assert finding(READ_THERE).supports
    assert not finding(READ_THERE - 0.01).supports


@pytest.mark.parametrize("lacking", [{"numbers_found": 0.5}, {"unmeasured": 1.0}, {"chance": 1.0}, {"counted": 0.0}])
def test_where_something_of_the_claim_was_not_found_the_reader_must_be_surer(lacking: dict[str, float]) -> None:
    assert finding(READ_WHATEVER_LACKS, signals=lacking).supports
    assert not finding(READ_WHATEVER_LACKS - 0.01, signals=lacking).supports


@pytest.mark.parametrize("stand", [DOUBTED, BELIEVED, DENIED, FOREIGN_TEXT])
def test_however_sure_the_reader_is_a_belief_a_doubt_a_denial_or_another_language_supports_nothing(
    stand: Stand,
) -> None:
    assert not finding(0.99, stand=stand).supports


def test_what_the_statements_lack_the_reader_may_have_read() -> None:
    assert finding(READ_THERE, stand=LACKING).supports


def test_a_support_that_all_signals_together_think_unlikely_is_none() -> None:
    unlikely = replace(finding(0.9), probabilities=Probabilities(0.45, 0.2))
    assert not unlikely.supports


def test_of_a_longer_text_all_signals_together_decide_and_nothing_may_lack() -> None:
    longer = PAGE * 3
    assert read_at_once(PAGE)
    assert not read_at_once(longer)
    assert finding(0.7, longer).supports
    assert not finding(0.99, longer, signals={"numbers_found": 0.5}).supports


def test_without_the_reader_the_signals_decide_of_any_text() -> None:
    assert not finding(None).supports
    sure = replace(finding(None), probabilities=Probabilities(0.7, 0.05))
    assert sure.supports


def test_a_title_counts_to_what_is_read_at_once() -> None:
    text = "word " * (WHOLE_WORDS - 1)
    assert read_at_once(text)
    assert not read_at_once(text, "A title of words")
