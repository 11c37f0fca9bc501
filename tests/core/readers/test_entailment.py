"""What a passage says of a claim, as the reader that ships reads it."""

from pathlib import Path

import pytest

from core.errors import DataMissing
from core.readers.entailment import MOST_WINDOWS, EntailmentReader, windows

DEAD = "Aspirin relieves headache. The clinic opens at nine. Parking is free. Bring your card."


def test_windows_are_runs_of_sentences_and_the_whole() -> None:
    found = windows("Aspirin relieves headache", DEAD)
    assert found[0] == "Aspirin relieves headache."
    assert found[-1] == DEAD
    assert len(found) == 4 + 3 + 2 + 1


def test_of_a_long_passage_the_windows_near_the_claim_are_read() -> None:
    long = " ".join(["The clinic opens at nine."] * 400 + ["Aspirin relieves headache."])
    found = windows("Aspirin relieves headache", long)
    assert len(found) == MOST_WINDOWS
    assert any("Aspirin" in text for text in found)


def test_nothing_is_said_by_an_empty_passage() -> None:
    assert windows("Aspirin relieves headache", " ") == []


def test_a_missing_file_is_a_typed_error(tmp_path: Path) -> None:
    with pytest.raises(DataMissing, match="entailment"):
        EntailmentReader.load(1, tmp_path)
