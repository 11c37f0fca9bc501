"""The reader of answers as it ships: it reads pairs, says what is wrong with its file, and cuts what is too long."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tokenizers import Tokenizer

from core.errors import DataMissing
from core.minilm_onnx import model_folder
from core.readers.pairs import MOST_OF_FIRST, PairTokenizer, padded, titled
from core.readers.reader import FOLDER, Reader

TREATED = "Gout is treated with medicines that lower uric acid and with colchicine for attacks."
ASKED = "how do u treat gout"
ROOM = 160


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.load("answering", 1)


@pytest.fixture(scope="module")
def tokenizer() -> PairTokenizer:
    return PairTokenizer(Tokenizer.from_file(str(model_folder() / "tokenizer.json")), ROOM)


@pytest.mark.parametrize(
    "other",
    [
        "Other names of gout are gouty arthritis and podagra.",
        "Bronchitis is treated with rest, fluids and humid air.",
        "The capital of France is Paris.",
    ],
)
def test_what_answers_is_read_as_more_of_an_answer_than_what_does_not(reader: Reader, other: str) -> None:
    right, wrong = reader.outputs([(ASKED, TREATED), (ASKED, other)])[:, 0]
    assert right > wrong + 1


def test_a_pair_is_read_alike_whatever_is_read_beside_it(reader: Reader) -> None:
    alone = reader.outputs([(ASKED, TREATED)])
    beside = Reader.load("answering", 1).outputs([("what is gout", "word " * 400), (ASKED, TREATED), ("", "")])
    assert beside.shape == (3, 1)
    assert np.isfinite(beside).all()
    assert abs(alone[0, 0] - beside[1, 0]) < 0.5


def test_a_pair_is_read_once(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    first = reader.outputs([(ASKED, TREATED)])
    read: list[int] = []
    run = reader._run

    def counted(pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        read.append(len(pairs))
        return run(pairs)

    monkeypatch.setattr(reader, "_run", counted)
    again = reader.outputs([(ASKED, TREATED), ("what is gout", TREATED), (ASKED, TREATED)])
    assert read == [1]
    assert again[0] == again[2] == first[0]


def test_no_pairs_give_no_outputs(reader: Reader) -> None:
    assert reader.outputs([]).shape == (0, 1)


def test_a_missing_file_is_a_typed_error(tmp_path: Path) -> None:
    with pytest.raises(DataMissing, match="cannot be read"):
        Reader.load("answering", 1, tmp_path)


@pytest.mark.parametrize("harm", ["cut", "older"])
def test_a_damaged_or_older_file_is_a_typed_error(tmp_path: Path, harm: str) -> None:
    for suffix in ("onnx", "json"):
        shutil.copy(FOLDER / f"answering.{suffix}", tmp_path)
    file, sheet = tmp_path / "answering.onnx", tmp_path / "answering.json"
    if harm == "cut":
        file.write_bytes(file.read_bytes()[:-1000])
    else:
        sheet.write_text(json.dumps({**json.loads(sheet.read_text()), "embedder": "another"}))
    with pytest.raises(DataMissing, match="damaged or of another version"):
        Reader.load("answering", 1, tmp_path)


def test_the_question_is_kept_whole_and_the_passage_is_cut(tokenizer: PairTokenizer) -> None:
    asked, _ = tokenizer.ids("why " * 30, "")
    ids, first = tokenizer.ids("why " * 30, "because " * 500)
    assert len(ids) == ROOM
    assert first == 32
    assert ids[:32] == asked[:32]


def test_of_a_long_letter_the_end_is_kept(tokenizer: PairTokenizer) -> None:
    ids, first = tokenizer.ids("story " * 300 + "is it contagious", "No.")
    question, _ = tokenizer.ids("is it contagious", "")
    assert first == MOST_OF_FIRST + 2
    asked = question[1:-2]
    assert ids[first - 1 - len(asked) : first - 1] == asked


def test_padding_is_masked(tokenizer: PairTokenizer) -> None:
    ids, segments, mask = padded([tokenizer.ids("a b", "c"), tokenizer.ids("a", "")])
    assert ids.shape == segments.shape == mask.shape == (2, 6)
    assert mask.sum(axis=1).tolist() == [6, 4]
    assert segments[0].tolist() == [0, 0, 0, 0, 1, 1]


def test_a_title_stands_in_front() -> None:
    assert titled("Gout", "It hurts.") == "Gout. It hurts."
    assert titled("", "It hurts.") == "It hurts."
