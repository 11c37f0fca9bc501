from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.schema import Exemplar
from tests.tools.exemplars.conftest import Write
from tools.exemplars.formats import exemplars_of
from tools.exemplars.values import Refused

MTS = """ID,section_header,section_text,dialogue
0,ALLERGY,"No known allergies.","Doctor: Any allergies?
Patient: None, that is,
at least no drugs.
Guest_family: She sneezes near cats.
Guest_clinician: I see, I will note the cats.
Patient: Thanks."
1,CC,"Cough.","Doctor: What is wrong?
Patient: I cough."
2,ROS,"Fine.","Patient: My knee hurts.
Doctor: Since when?"
"""

MEDDIALOG = """id=1
https://example.org/qa/1
Description
Q. My knee aches after running.
What can I do?

Dialogue
Patient:
Hello doctor, my knee aches.
It is the right one.
Doctor:
Hello. Rest it for a while.

id=2
https://example.org/qa/2
Description
Q. Is this normal?

Dialogue
Patient:
Is this normal?
"""


def read(path: Path) -> tuple[list[Exemplar], list[Refused]]:
    found = list(exemplars_of(path))
    return [f for f in found if isinstance(f, Exemplar)], [f for f in found if isinstance(f, Refused)]


def test_mts_dialog_up_to_the_doctors_last_reply(write: Write) -> None:
    exemplars, refused = read(write("mts.csv", MTS))
    assert [e.subject for e in exemplars] == ["ALLERGY", "ROS"]
    assert exemplars[0].context == (
        "Doctor: Any allergies?\nPatient: None, that is, at least no drugs.\nPatient: She sneezes near cats."
    )
    assert exemplars[0].answer == "I see, I will note the cats."
    assert exemplars[0].task == "dialogue"
    assert "No known allergies" not in exemplars[0].context, "the note is not what was said"
    assert [(r.line, "no doctor's reply" in r.reason) for r in refused] == [(8, True)]


def test_mts_dialog_as_json_lines(write: Write) -> None:
    line = {"ID": 1, "section_header": "CC", "section_text": "", "dialogue": "Patient: I cough.\nDoctor: Since when?"}
    exemplars, refused = read(write("mts.jsonl", [line]))
    assert [(e.context, e.answer, e.subject) for e in exemplars] == [("Patient: I cough.", "Since when?", "CC")]
    assert not refused


def test_meddialog_as_it_was_released(write: Write) -> None:
    exemplars, refused = read(write("icliniq_dialogue.txt", MEDDIALOG))
    (exemplar,) = exemplars
    assert exemplar.context == "Patient: Hello doctor, my knee aches. It is the right one."
    assert exemplar.answer == "Hello. Rest it for a while."
    assert exemplar.subject == "My knee aches after running. What can I do?"
    assert [r.line for r in refused] == [14]


def test_meddialog_without_numbers(write: Write) -> None:
    blocks = (
        "Description\nOne\n\nDialogue\nPatient: a\nDoctor: b\n\nDescription\nTwo\nDialogue\nPatient: c\nDoctor: d\n"
    )
    exemplars, _ = read(write("health.txt", blocks))
    assert [(e.subject, e.context, e.answer) for e in exemplars] == [
        ("One", "Patient: a", "b"),
        ("Two", "Patient: c", "d"),
    ]


@pytest.mark.parametrize("indent", [None, 2])
def test_meddialog_as_one_json_list(write: Write, indent: int | None) -> None:
    records = [
        {"description": f"knee {n}", "utterances": [f"patient: {'my knee hurts ' * 400}{n}", f"doctor: rest {n}"]}
        for n in range(30)
    ]
    path = write("english-train.json", json.dumps([*records, "stray", {"utterances": "none"}], indent=indent))
    exemplars, refused = read(path)
    assert [e.answer for e in exemplars] == [f"rest {n}" for n in range(30)]
    assert ["JSON object" in refused[0].reason, "list of texts" in refused[1].reason] == [True, True]
    if indent:
        assert refused[0].line == path.read_text().splitlines().index('  "stray",') + 1


def test_a_list_that_breaks_off_keeps_what_came_before(write: Write) -> None:
    record = json.dumps({"description": "", "utterances": ["patient: a", "doctor: b"]})
    exemplars, refused = read(write("cut.json", f"[{record},\n{record[:30]}"))
    assert len(exemplars) == 1
    assert [(r.line, "not read" in r.reason) for r in refused] == [(2, True)]


def test_own_lines_bad_ones_are_named_and_the_rest_kept(write: Write) -> None:
    good = {"task": "choice", "context": "Which?", "answer": "b", "options": {"A": "a", "B": "b"}, "choice": "B"}
    lines = [
        good,
        {**good, "choice": "C"},
        {**good, "options": {}},
        {**good, "task": "song"},
        {**good, "colour": 1},
        [1],
    ]
    path = write("own.jsonl", lines)
    with path.open("a", encoding="utf-8") as file:
        file.write('{"task": "open"\n\n{"task": "open", "context": " ", "answer": "a"}\n')
        file.write('{"task": "open", "context": "half \\ud800", "answer": "a"}\n')
        file.write('{"task": "yesno", "context": "So?", "answer": "Yes."}\n')
    exemplars, refused = read(path)
    assert [e.choice for e in exemplars] == ["B"]
    assert [r.line for r in refused] == [2, 3, 4, 5, 6, 7, 9, 10, 11]
    reasons = "\n".join(map(str, refused))
    for said in ("line 2: a choice needs", "line 4: task", "line 5: colour", "line 7: no JSON", "line 9: context or"):
        assert said in reasons


def test_own_columns_hold_json_where_there_are_several_values(write: Write) -> None:
    rows = 'task,context,options,choice,answer\nchoice,Which?,"{""A"": ""a"", ""B"": ""b""}",B,b\nchoice,Which?,A,B,b\n'
    exemplars, refused = read(write("own.csv", rows))
    assert [dict(e.options) for e in exemplars] == [{"A": "a", "B": "b"}]
    assert [(r.line, "no JSON" in r.reason) for r in refused] == [(3, True)]


def test_a_row_of_too_few_or_too_many_fields_is_named(write: Write) -> None:
    rows = "task,context,answer\nopen,What?\nopen,What?,That.,more\nopen,What?,That.\n"
    exemplars, refused = read(write("own.csv", rows))
    assert len(exemplars) == 1
    assert [r.line for r in refused] == [2, 3]


def test_an_open_quote_is_not_silent(write: Write) -> None:
    exemplars, refused = read(write("own.csv", 'task,context,answer\nopen,What?,That.\nopen,"What?,That.\n'))
    assert len(exemplars) == 1
    assert "not read" in refused[0].reason


def test_bytes_that_are_no_utf_8_cost_their_record_alone(tmp_path: Path) -> None:
    path = tmp_path / "latin.jsonl"
    path.write_bytes(
        b'{"task": "open", "context": "Caf\xe9?", "answer": "a"}\n{"task": "open", "context": "Tea?", "answer": "a"}\n'
    )
    exemplars, refused = read(path)
    assert [e.context for e in exemplars] == ["Tea?"]
    assert "UTF-8" in refused[0].reason


def test_a_dialogue_needs_speakers(write: Write) -> None:
    lines = [
        {"dialogue": "I cough.\nDoctor: Since when?"},
        {"dialogue": "Patient: Note: I cough.\nDoctor: Since when?"},
    ]
    exemplars, refused = read(write("mts.jsonl", lines))
    assert [e.context for e in exemplars] == ["Patient: Note: I cough."]
    assert "begin each turn" in refused[0].reason
