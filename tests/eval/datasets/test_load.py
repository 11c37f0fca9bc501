"""Every set is read from the form in which its owner hands it out, and from the development halves' form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError, StoreCorrupted, UsageError
from eval.datasets import Example, load
from eval.datasets.download import downloaded, get
from eval.datasets.registry import SOURCES
from tests.emulators.http import Reply, serving

OPTIONS = {"A": "gout", "B": "lupus"}
LETTER = "I have had a rash on both cheeks for a month. What is it?"


def write(path: Path, *rows: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def read(name: str, path: Path, text: str) -> list[Example]:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return list(load(name, path).examples)


SCIFACT = {"id": 1, "claim": "Tea cures gout.", "cited_doc_ids": [7], "evidence": {"7": [{"label": "CONTRADICT"}]}}
PUBMEDQA = {
    "7": {"QUESTION": "Does tea help?", "CONTEXTS": ["It did."], "final_decision": "yes", "LONG_ANSWER": "Yes."}
}
BIOASQ = {"id": "b", "body": "Is it?", "type": "yesno", "exact_answer": "no", "snippets": [{"text": "It is not."}]}
MEDHALLU = {"pmid": "3", "Question": "Why?", "Knowledge": ["k"], "Ground Truth": "So.", "Hallucinated Answer": "No."}
CASIMEDICOS = {"id": "t", "type": "SKIN", "full_question": "Caso", "correct_option": 2, "options": {"1": "a", "2": "b"}}
LETTERED = {"A": "a", "B": "b", "C": "c", "D": "d"}
FOUR = {"opa": "a", "opb": "b", "opc": "c", "opd": "d"}
MEDMCQA = {"id": "m", "question": "Which?", **FOUR, "cop": 4, "subject_name": "Skin"}
MEDQA = {"question": "Which?", "options": OPTIONS, "answer_idx": "B", "answer": "lupus"}
MIRAGE = {"bioasq": {"1": {"question": "Is it?", "options": {"A": "yes", "B": "no"}, "answer": "B"}}}
HALUEVAL = {"id": 4, "user_query": "Q?", "chatgpt_fact": ["a", "b"], "human_judge": ["unknown", "false"]}
MEDDIALOG = [{"description": "d", "utterances": ["patient: I itch.", "doctor: Wash."]}]
CDIALOG = "conv_id,speaker,utterance\n1,Patient,Hello.\n1,Doctor,Fever?\n1,Patient,No.\n1,Doctor,Rest.\n"
MTS = 'ID,section_header,dialogue\n0,CC,"Patient: I itch.\nDoctor: Where?"\n'
HEALTHVER = "id,evidence,claim,label,question\n1,Masks help.,Masks work.,Supports,do they\n"
MEDEC = "Text ID,Text,Error Flag,Error Type\nms-1,It is gout.,1,diagnosis\n"
MEDQUAD = '<D><QAPair><Question qid="1" qtype="treatment">How?</Question><Answer>So.</Answer></QAPair></D>'
LIVEQA = f"""<S><NLM-QUESTION qid="T1"><Original-Question><SUBJECT>Rash</SUBJECT><MESSAGE>{LETTER}</MESSAGE>
</Original-Question><RefAnswer><ANSWER> Lupus. </ANSWER></RefAnswer></NLM-QUESTION></S>"""


@pytest.mark.parametrize(
    ("name", "file", "text", "expected"),
    [
        ("medmcqa", "train.json", MEDMCQA, {"gold": "D", "subject": "Skin", "options": LETTERED}),
        ("medqa", "test.jsonl", MEDQA, {"task": "choice", "gold": "B"}),
        ("mmlu-med", "anatomy_test.csv", '"Which?, eh",a,b,c,d,C\n', {"gold": "C", "id": "anatomy-000"}),
        ("mirage", "benchmark.json", MIRAGE, {"id": "bioasq/1", "task": "yesno", "gold": "no"}),
        ("casimedicos", "IT_dev.jsonl", CASIMEDICOS, {"gold": "2", "language": "it", "subject": "SKIN"}),
        ("pubmedqa", "ori_pqal.json", PUBMEDQA, {"gold": "yes", "context": ("It did.",), "reference": ("Yes.",)}),
        ("bioasq", "7B1_golden.json", {"questions": [BIOASQ]}, {"gold": "no", "context": ("It is not.",)}),
        ("healthver", "healthver_dev.csv", HEALTHVER, {"gold": "supported", "claim": "Masks work."}),
        ("liveqa", "t.xml", LIVEQA, {"question": f"Rash {LETTER}", "reference": ("Lupus.",)}),
        ("medquad", "1.xml", MEDQUAD, {"question": "How?", "reference": ("So.",), "subject": "treatment"}),
        ("meddialog", "m.json", MEDDIALOG, {"task": "dialogue", "question": "I itch.", "reference": ("Wash.",)}),
        ("cdialog", "c.csv", CDIALOG, {"question": "No.", "reference": ("Rest.",)}),
        ("mts-dialog", "MTS-Dialog-x.csv", MTS, {"question": "I itch.", "subject": "CC"}),
        ("halueval2", "b.jsonl", HALUEVAL, {"id": "4#1", "claim": "b", "hallucinated": True}),
        ("medhallu", "m.jsonl", MEDHALLU, {"id": "3/true", "claim": "So.", "hallucinated": False}),
        ("medec", "m.csv", MEDEC, {"claim": "It is gout.", "hallucinated": True, "subject": "diagnosis"}),
    ],
)
def test_each_set_is_read_as_its_owner_hands_it_out(
    tmp_path: Path, name: str, file: str, text: object, expected: dict[str, Any]
) -> None:
    first = read(name, tmp_path / file, text if isinstance(text, str) else json.dumps(text))[0]
    assert {field: getattr(first, field) for field in expected} == expected


def test_scifact_holds_each_claim_against_each_abstract_that_it_cites(tmp_path: Path) -> None:
    write(tmp_path / "corpus.jsonl", {"doc_id": 7, "title": "Tea", "abstract": ["It does not."]})
    write(tmp_path / "claims_dev.jsonl", SCIFACT)
    (example,) = load("scifact", tmp_path).examples
    assert (example.gold, example.context) == ("contradicted", ("Tea It does not.",))


def test_a_set_is_found_among_the_folders_of_several(tmp_path: Path) -> None:
    write(tmp_path / "mirage" / "medqa_dev.jsonl", {"id": "1", "question": "?", "options": OPTIONS, "answer": "A"})
    assert [e.gold for e in load("medqa", tmp_path).examples] == ["A"]


def test_a_file_of_ones_own_is_asked_as_its_fields_say(tmp_path: Path) -> None:
    file = write(
        tmp_path / "mine.jsonl",
        {"question": "What is gout?", "reference": "A disease.", "context": ["Gout is a disease."]},
        {"id": "c", "question": "Which?", "options": OPTIONS, "gold": "A"},
        {
            "id": "h",
            "question": "Why?",
            "answer": "Tea.",
            "context": "Uric acid.",
            "hallucinated": True,
            "level": "low",
        },
    )
    own, choice, stored = load(str(file)).examples
    assert (own.id, own.task, own.reference) == ("1", "open", ("A disease.",))
    assert (choice.task, choice.gold) == ("choice", "A")
    assert (stored.task, stored.claim, stored.hallucinated, stored.level) == ("claim", "Tea.", True, "low")


def test_parts_that_share_a_text_are_divided_anew_or_refused(tmp_path: Path) -> None:
    header = "id,evidence,claim,label\n"
    (tmp_path / "healthver_train.csv").write_text(
        header
        + "".join(f"{n},The evidence number {n} says so.,A claim of number {n} is made.,Supports\n" for n in range(9))
    )
    (tmp_path / "healthver_test.csv").write_text(
        header + "20,The evidence number 1 says so.,Another claim is made here.,Refutes\n"
    )
    found = load("healthver", tmp_path, "test")
    assert "1 of 1 examples" in found.notices[0]
    assert 1 <= len(found.examples) < 10
    with pytest.raises(UsageError, match="divided anew"):
        load("healthver", tmp_path, "test", "refuse")


@pytest.mark.parametrize(
    ("name", "path", "says"),
    [("nothing", None, "there is no set"), ("pubmedqa", None, "--download"), ("pubmedqa", "none", "cannot be read")],
)
def test_what_is_not_there_says_what_to_give(tmp_path: Path, name: str, path: str | None, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        load(name, tmp_path / path if path else None)


def test_a_sample_is_the_same_for_the_same_seed(tmp_path: Path) -> None:
    file = write(tmp_path / "mine.jsonl", *({"question": f"What is {n}?"} for n in range(50)))
    drawn = [e.id for e in load(str(file)).sample(5, seed=3).examples]
    assert drawn == [e.id for e in load(str(file)).sample(5, seed=3).examples]
    assert len(drawn) == 5


def test_a_download_keeps_its_checksum_and_a_changed_file_is_refused(tmp_path: Path) -> None:
    told: list[str] = []
    folder = tmp_path / "datasets" / "pubmedqa"
    with serving(Reply(200, json.dumps(PUBMEDQA).encode())) as server:
        get({"ori_pqal.json": f"{server.url}/ori_pqal.json"}, folder)
        get({"ori_pqal.json": f"{server.url}/ori_pqal.json"}, folder)
        assert len(server.requests) == 1
    found = downloaded("pubmedqa", tmp_path, fetch=False, tell=told.append)
    assert found is not None
    assert load("pubmedqa", found).examples[0].gold == "yes"
    (folder / "ori_pqal.json").write_text("{}")
    with pytest.raises(StoreCorrupted, match="not what was downloaded"):
        downloaded("pubmedqa", tmp_path, fetch=False, tell=told.append)
    (folder / "ori_pqal.json").unlink()
    with serving(Reply(200, b"{}")) as server, pytest.raises(InputError, match="first downloaded"):
        get({"ori_pqal.json": f"{server.url}/x"}, folder)


def test_what_has_no_plain_address_says_where_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=SOURCES["bioasq"].home):
        downloaded("bioasq", tmp_path, fetch=True, tell=print)


def test_a_record_without_a_field_is_named_with_its_file(tmp_path: Path) -> None:
    file = tmp_path / "medmcqa_dev.jsonl"
    file.write_text(json.dumps({"id": "1", "question": "Which?", "opa": "gout", "cop": 4}) + "\n")
    with pytest.raises(InputError, match=r"medmcqa_dev\.jsonl is no file of .*: a record has no field 'opb'"):
        load("medmcqa", file)


@pytest.mark.parametrize(("numbers", "right"), [((0, 2), "C"), ((4, 2), "B")])
def test_medmcqa_counts_from_where_its_records_tell(tmp_path: Path, numbers: tuple[int, int], right: str) -> None:
    options = {f"op{letter}": letter for letter in "abcd"}
    file = tmp_path / "medmcqa_dev.jsonl"
    made = [{"id": str(n), "question": f"Which {n}?", **options, "cop": n} for n in numbers]
    file.write_text("".join(json.dumps(row) + "\n" for row in made))
    assert load("medmcqa", file).examples[1].gold == right
    file.write_text(json.dumps(made[1]) + "\n")
    with pytest.raises(InputError, match="from 0 or from 1"):
        load("medmcqa", file)


@pytest.mark.parametrize("reference", [5, {"a": 1}, True])
def test_a_reference_that_is_no_text_is_told_as_such(tmp_path: Path, reference: object) -> None:
    path = write(tmp_path / "own.jsonl", {"question": "What is gout?", "reference": reference})
    with pytest.raises(InputError, match=r"own.jsonl:1: reference: give a text or a list of texts$"):
        list(load(str(path), path).examples)
