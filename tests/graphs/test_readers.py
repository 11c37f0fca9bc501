"""Readers that have learned, present or not."""

import shutil
from pathlib import Path

from core.readers.reader import FOLDER
from graphs.readers import Readers


def test_those_that_ship_are_loaded_and_nothing_is_to_be_told() -> None:
    readers = Readers(threads=1)
    assert readers.answers is not None
    assert readers.entails is not None
    assert readers.notices() == ()


def test_a_missing_one_is_absent_and_named(tmp_path: Path) -> None:
    for name in ("answering.onnx", "answering.json"):
        shutil.copy(FOLDER / name, tmp_path / name)
    readers = Readers(threads=1, folder=tmp_path)
    assert readers.answers is not None
    assert readers.entails is None
    assert "entailment.onnx" in readers.notices()[0]
