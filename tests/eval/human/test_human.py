"""Sheets hide who answered; what raters fill in is read back by system."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError, StoreError, UsageError
from eval.human.ratings import ratings
from eval.human.sheets import write
from eval.runs.experiment import Experiment
from tests.eval.experiments_made import choice, experiment, line


@pytest.fixture
def run(tmp_path: Path) -> Experiment:
    examples = [choice(n) for n in range(8)]
    told = {
        "halo": [line("A", 0.1, text="=1+1 is halo’s") for _ in examples],
        "rag": [line("B", 0.2) for _ in examples],
    }
    return experiment(tmp_path / "one", examples, told)


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8-sig", newline="") as sheet:
        return list(csv.DictReader(sheet))


def rate(file: Path, key: Path, **marks: dict[str, str]) -> None:
    """Fill in a sheet: of each criterion the value for each system."""
    items = json.loads(key.read_text(encoding="utf-8"))["items"]
    filled = rows(file)
    for row in filled:
        for heading in row:
            name = heading.partition(" ")[0]
            if name in marks:
                row[heading] = marks[name][items[row["item"]]["system"]]
    with file.open("w", encoding="utf-8", newline="") as sheet:
        writer = csv.DictWriter(sheet, list(filled[0]))
        writer.writeheader()
        writer.writerows(filled)


def test_a_sheet_shows_answers_of_the_same_examples_and_not_who_gave_them(run: Experiment, tmp_path: Path) -> None:
    first, second = write(run, tmp_path / "sheets", "imkdg", examples=3, raters=2, seed=1)
    assert [row["item"] for row in rows(first)] != [row["item"] for row in rows(second)]
    assert len(rows(first)) == 6
    assert "halo" not in first.read_text(encoding="utf-8").replace("halo’s", "")
    assert {row["answer"] for row in rows(first)} == {"A: =1+1 is halo’s", "B: It is <gout>."}
    assert rows(first)[0]["reference"] == "A"
    before = first.read_bytes()
    write(run, tmp_path / "sheets", "imkdg", examples=3, raters=2, seed=1)
    assert first.read_bytes() == before


def test_ratings_come_back_by_system_with_agreement(run: Experiment, tmp_path: Path) -> None:
    files = write(run, tmp_path / "sheets", "imkdg", examples=4, raters=2, seed=1)
    key = tmp_path / "sheets" / "key.json"
    rate(files[0], key, fluency={"halo": "5", "rag": "2"}, faithfulness={"halo": "faithful", "rag": "both"})
    rate(files[1], key, fluency={"halo": "4", "rag": "2"}, faithfulness={"halo": "faithful", "rag": "both"})
    shown, agreement = ratings(files)
    said = {(row[0], row[1]): row[2:] for row in shown.rows}
    assert said["halo", "fluency"] == ("8", "4.500", "4–5", "0.286")
    assert said["rag", "faithfulness"][1] == "faithful 0.0%, intrinsic 0.0%, extrinsic 0.0%, both 100.0%"
    assert said["rag", "safety"][:2] == ("0", "not available")
    kappas = {row[0]: row[1:] for row in agreement.rows}
    assert kappas["faithfulness"] == ("8", "1.000")
    assert kappas["safety"] == ("0", "not available")
    assert float(kappas["fluency"][1]) < 1


def test_a_sheet_that_a_spreadsheet_saved_with_semicolons_is_read(run: Experiment, tmp_path: Path) -> None:
    (file,) = write(run, tmp_path / "sheets", "imkdg", examples=1, raters=1, seed=1)
    rate(file, tmp_path / "sheets" / "key.json", fluency={"halo": "4", "rag": "2"})
    filled = rows(file)
    with file.open("w", encoding="utf-8-sig", newline="") as sheet:
        writer = csv.DictWriter(sheet, list(filled[0]), delimiter=";")
        writer.writeheader()
        writer.writerows({**row, "context": "x" * 200_000} for row in filled)
    assert {row[3] for row in ratings([file])[0].rows if row[1] == "fluency"} == {"4.000", "2.000"}


def test_a_value_that_may_not_be_is_named_with_its_place(run: Experiment, tmp_path: Path) -> None:
    (file,) = write(run, tmp_path / "sheets", "certified", examples=1, raters=1, seed=1)
    rate(file, tmp_path / "sheets" / "key.json", M3={"halo": "6", "rag": "1"})
    with pytest.raises(InputError, match="M3 is '6', it may be 1, 2, 3, 4, 5"):
        ratings([file])


def test_wrong_use_says_what_to_do(run: Experiment, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="imkdg, certified"):
        write(run, tmp_path, "stars", 1, 1, 0)
    (file,) = write(run, tmp_path / "sheets", "imkdg", examples=1, raters=1, seed=1)
    with pytest.raises(InputError, match="named twice"):
        ratings([file, file])
    with pytest.raises(StoreError, match="cannot be a folder"):
        write(run, file, "imkdg", 1, 1, 0)
    with pytest.raises(InputError, match="--key"):
        ratings([tmp_path / "none" / "rater-1.csv"])


def test_sheets_that_are_filled_in_are_not_written_over(run: Experiment, tmp_path: Path) -> None:
    first, _ = write(run, tmp_path / "sheets", "imkdg", examples=2, raters=2, seed=1)
    rate(first, tmp_path / "sheets" / "key.json", fluency={"halo": "4.0", "rag": "2"})
    filled = first.read_bytes()
    with pytest.raises(UsageError, match=r"rater-1\.csv among them: name another folder"):
        write(run, tmp_path / "sheets", "imkdg", examples=2, raters=2, seed=1)
    assert first.read_bytes() == filled
    first.write_bytes(filled + b"\r\n,,,,,,,,,,,\r\n")
    assert {row[3] for row in ratings([first])[0].rows if row[1] == "fluency"} == {"4.000", "2.000"}


@pytest.mark.parametrize("held", ["[]", '{"items": {}}', '{"scheme": "imkdg", "items": [1]}', "{"])
def test_what_is_no_key_is_told(run: Experiment, tmp_path: Path, held: str) -> None:
    (first,) = write(run, tmp_path / "sheets", "imkdg", examples=1, raters=1, seed=1)
    (tmp_path / "other.json").write_text(held)
    with pytest.raises(InputError, match="no key of rating sheets"):
        ratings([first], tmp_path / "other.json")


def test_an_item_that_stands_twice_is_told(run: Experiment, tmp_path: Path) -> None:
    (first,) = write(run, tmp_path / "sheets", "imkdg", examples=1, raters=1, seed=1)
    first.write_bytes(first.read_bytes() + first.read_bytes().partition(b"\n")[2])
    with pytest.raises(InputError, match="stands twice"):
        ratings([first])


@pytest.mark.parametrize("asked", [{"seed": 2}, {"asked": "certified"}])
def test_no_key_is_written_over_by_another(run: Experiment, tmp_path: Path, asked: dict[str, Any]) -> None:
    usual: dict[str, Any] = {"asked": "imkdg", "examples": 2, "raters": 1, "seed": 1}
    (first,) = write(run, tmp_path / "sheets", **usual)
    key = (tmp_path / "sheets" / "key.json").read_bytes()
    first.write_bytes(first.read_bytes().decode("utf-8-sig").replace(",", ";").encode("utf-16"))
    with pytest.raises(UsageError, match="name another folder"):
        write(run, tmp_path / "sheets", **(usual | asked))
    assert (tmp_path / "sheets" / "key.json").read_bytes() == key


def test_raters_read_what_is_asked_and_no_context_tells_the_method(tmp_path: Path) -> None:
    bare = [line("A", 0.1, evidence=[]) for _ in range(3)]
    told = [line("B", 0.2, evidence=[{"id": "knowledge:1", "text": "Gout hurts."}, {"id": "e", "text": "It is."}])] * 3
    made = experiment(tmp_path / "one", [choice(n) for n in range(3)], {"vanilla": bare, "rag": told})
    (sheet,) = write(made, tmp_path / "sheets", "imkdg", examples=3, raters=1, seed=1)
    assert {(row["context"], row["knowledge"]) for row in rows(sheet)} == {("It is.", "Gout hurts.")}
    assert "fluency (1/2/3/4/5): Is the reply well formed? 1 not at all, 5 wholly" in rows(sheet)[0]
