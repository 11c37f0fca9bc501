from __future__ import annotations

import json
from pathlib import Path

from tests.app.conftest import Medattest

TREATED = "Gout is treated with medicines that lower uric acid. Colchicine and rest help during an attack of gout."
ELSEWHERE = "Paris is the capital of France. It lies on the river Seine."


def test_files_are_ranked_by_how_well_they_answer(medattest: Medattest, tmp_path: Path) -> None:
    right, wrong = tmp_path / "gout.txt", tmp_path / "paris.txt"
    right.write_text(TREATED)
    wrong.write_text(ELSEWHERE)
    ran = medattest("rank", "how is gout treated?", "--evidence", wrong, "--evidence", right, "--json")
    assert ran.status == 0, ran.err
    first, second = json.loads(ran.out)["ranked"]
    assert (first["file"], second["file"]) == (str(right), str(wrong))
    assert first["p_answers"] > second["p_answers"]


def test_a_batch_resumes_and_a_bad_line_does_not_stop_it(medattest: Medattest, tmp_path: Path) -> None:
    pairs, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    lines = [
        {
            "id": "a",
            "question": "how is gout treated?",
            "passages": [{"text": TREATED, "title": "Gout"}, {"text": ELSEWHERE}],
        },
        {"id": "b", "question": "how is gout treated?", "passages": []},
        {"id": "c", "passages": [{"text": TREATED}]},
        {"id": "d", "question": " ", "passages": [{"text": TREATED}]},
        {"id": "e", "question": "why?", "passages": [{"text": ""}]},
    ]
    pairs.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert medattest("rank", "--pairs", pairs, "--out", out).status == 1
    found = {line["id"]: line for line in map(json.loads, out.read_text().splitlines())}
    right, wrong = found["a"]["p_answers"]
    assert 0 <= wrong < right <= 1
    assert found["b"]["p_answers"] == []
    assert {found[i]["error"]["type"] for i in "cde"} == {"InputError"}
    before = out.read_text()
    medattest("rank", "--pairs", pairs, "--out", out)
    assert out.read_text() == before


def test_wrong_use_says_what_to_do(medattest: Medattest, tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text(" ")
    for arguments, says in (
        (("rank", "what is gout?"), "--evidence"),
        (("rank", "what is gout?", "--evidence", empty), "empty"),
        (("rank", "--pairs", "x.jsonl"), "--out"),
    ):
        ran = medattest(*arguments)
        assert ran.status == 2
        assert says in ran.err
