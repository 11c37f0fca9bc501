"""The table of answers that were read one by one."""

import json
from pathlib import Path

import pytest

from core.errors import InputError
from eval.by_eye import HEAD, drawn, main, renewed, table

LINES = [
    {"id": 1, "question": "Is gout painful?", "withheld": False, "said": "Gout | hurts.", "risk": 0.2, "sources": []},
    {"id": 2, "question": "Will it rain?", "withheld": True, "said": "no medical matter", "risk": 1.0, "sources": []},
    {"id": 3, "question": "What is flu?", "withheld": False, "said": "Gout hurts.", "risk": 0.3, "sources": []},
]
MARKS = {"1": {"mark": "useful"}, "2": {"mark": "withheld"}, "3": {"mark": "beside", "note": "another disease"}}


def test_the_worst_stand_first_and_nothing_breaks_the_table() -> None:
    rows = list(table(LINES, MARKS))
    assert rows[2] == "| 1 of 3 | 0 of 3 | 1 of 3 | 1 of 3 |"
    assert [row.split(" | ")[1] for row in rows[6:]] == ["What is flu?", "Will it rain?", "Is gout painful?"]
    assert rows[-1] == "| useful | Is gout painful? | Gout ¦ hurts. | 0.20 |  |"


def test_every_answer_has_to_be_read() -> None:
    with pytest.raises(InputError, match="2 answers have no mark, such as 1"):
        list(table(LINES, {"2": {"mark": "withheld"}}))


def test_the_draw_is_seeded_and_a_line_is_known_by_its_number(tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text("".join(json.dumps({"Question": f"q{n}"}) + "\n" for n in range(9)), encoding="utf-8")
    assert drawn(file, 3, 5) == drawn(file, 3, 5)
    assert all(line["Question"] == f"q{line['id']}" for line in drawn(file, 20, 5))


@pytest.fixture
def read_by_eye(tmp_path: Path) -> list[str]:
    """The arguments that name answers and marks."""
    out, marks = tmp_path / "out.jsonl", tmp_path / "marks.jsonl"
    out.write_text("".join(json.dumps(line) + "\n" for line in LINES), encoding="utf-8")
    marks.write_text("".join(json.dumps({"id": i, **mark}) + "\n" for i, mark in MARKS.items()), encoding="utf-8")
    return ["--out", str(out), "--marks", str(marks)]


def test_the_table_is_written(read_by_eye: list[str], tmp_path: Path) -> None:
    written = tmp_path / "table.md"
    main([*read_by_eye, "--table", str(written)])
    assert written.read_text(encoding="utf-8").splitlines() == list(table(LINES, MARKS))


def test_what_stands_before_the_table_stays_and_the_table_is_made_anew(read_by_eye: list[str], tmp_path: Path) -> None:
    written, preface = tmp_path / "table.md", "# Questions\n\nHow they were read.\n\n    a command\n"
    written.write_text(preface, encoding="utf-8")
    for _ in range(2):
        main([*read_by_eye, "--table", str(written)])
        assert written.read_text(encoding="utf-8") == preface + "\n" + "\n".join(table(LINES, MARKS)) + "\n"
    older = {**MARKS, "3": {"mark": "useful", "note": "read too kindly"}}
    written.write_text(renewed(preface, table(LINES, older)), encoding="utf-8")
    main([*read_by_eye, "--table", str(written)])
    assert "too kindly" not in written.read_text(encoding="utf-8")


def test_the_table_of_the_patients_questions_can_be_made_anew() -> None:
    text = (Path(__file__).parents[2] / "docs" / "kqa.md").read_text(encoding="utf-8")
    rows = text[text.index(HEAD) :].splitlines()
    assert text.startswith("# ")
    assert renewed(text, rows) == text
