"""What went wrong once at the command line: each ends in one clear sentence, and nothing is lost."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from core.embeddings import MiniLM
from tests.app.conftest import Medattest, Ran
from tools.knowledge import KnowledgeStore

FEATURES = "What are the features of Marfan syndrome?"
ZORBLAX = "Zorblax fever is treated with glimepride tea for ten days."


def is_one_sentence(ran: Ran) -> bool:
    return ran.status in (1, 2) and "defect" not in ran.err and "Traceback" not in ran.err and "medattest: " in ran.err


@pytest.fixture
def own_home(
    monkeypatch: pytest.MonkeyPatch, model_home: Path, home: Path, medattest: Medattest, embedder: MiniLM
) -> Path:
    """A data directory of this test's own; what takes long to build is linked into it."""
    KnowledgeStore.open(model_home).close()
    home.mkdir()
    for name in ("knowledge.sqlite", "models"):
        (home / name).symlink_to(model_home / name)
    monkeypatch.setenv("MEDATTEST_HOME", str(home))
    monkeypatch.setenv("MEDATTEST_LIBRARY", "false")
    return home


@pytest.fixture
def leaflet(tmp_path: Path) -> Path:
    file = tmp_path / "leaflet.txt"
    file.write_text(ZORBLAX)
    return file


def test_verified_claims_are_shown_as_json(medattest: Medattest, leaflet: Path) -> None:
    ran = medattest("verify", leaflet, "--evidence", leaflet, "--json")
    assert ran.status == 0, ran.err
    shown = json.loads(ran.out)
    assert [verdict["label"] for verdict in shown["verdicts"]] == ["supported"]
    assert shown["evidence"][0]["id"] == "given:1"


class Endless(io.RawIOBase):
    """A pipe that never ends."""

    taken = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self.taken += len(buffer)
        return len(buffer)


def piped(monkeypatch: pytest.MonkeyPatch, raw: io.RawIOBase) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(raw)))


@pytest.mark.parametrize(("sent", "says"), [(b"Aspirin \xff thins blood.", "UTF-8"), (b"Aspirin\0", "is no text")])
def test_a_pipe_is_read_as_a_file_is(
    medattest: Medattest, monkeypatch: pytest.MonkeyPatch, sent: bytes, says: str
) -> None:
    piped(monkeypatch, io.BytesIO(sent))  # type: ignore[arg-type]  # it is raw enough
    ran = medattest("verify", "-")
    assert (ran.status, is_one_sentence(ran)) == (2, True)
    assert "standard input" in ran.err
    assert says in ran.err


def test_of_a_pipe_no_more_is_read_than_may_come(medattest: Medattest, monkeypatch: pytest.MonkeyPatch) -> None:
    endless = Endless()
    piped(monkeypatch, endless)
    ran = medattest("verify", "-")
    assert (ran.status, is_one_sentence(ran)) == (2, True)
    assert "standard input has more than 5,000,000 bytes" in ran.err
    assert endless.taken < 6_000_000


@pytest.mark.parametrize("name", ["", " "])
def test_a_thread_needs_a_name(medattest: Medattest, name: str) -> None:
    ran = medattest("ask", FEATURES, "--thread", name)
    assert ran.status == 2
    assert "--thread: the name is empty" in ran.err


def test_an_emptied_collection_breaks_no_question(medattest: Medattest, own_home: Path, leaflet: Path) -> None:
    (leaflet.parent / "gone.txt").write_text("Quuxitis is caused by quux.")
    medattest("index", leaflet, "--collection", "kept")
    medattest("index", leaflet.parent / "gone.txt", "--collection", "emptied")
    (leaflet.parent / "gone.txt").write_text("")
    assert medattest("index", leaflet.parent / "gone.txt", "--collection", "emptied").status == 0
    assert json.loads(medattest("search", "quux", "--collection", "emptied", "--json").out) == {"hits": []}
    assert json.loads(medattest("search", "zorblax fever", "--json").out)["hits"]
    ran = medattest("ask", "How is zorblax fever treated?", "--sources", "repository")
    assert ran.status in (0, 3), ran.err
    assert "failed" not in ran.out


@pytest.mark.parametrize("damage", ["garbage", "cut", "no tables", "a hole"])
def test_a_damaged_store_is_told(medattest: Medattest, own_home: Path, leaflet: Path, damage: str) -> None:
    medattest("index", leaflet, "--collection", "ward")
    file = own_home / "chroma" / "chroma.sqlite3"
    whole = file.read_bytes()
    hole = whole[:4096] + b"\xff" * 40_000 + whole[44_096:]
    file.write_bytes({"garbage": b"garbage" * 9_999, "cut": whole[:5_000], "no tables": b"", "a hole": hole}[damage])
    asked = ("ask", FEATURES, "--collection", "ward")
    for arguments in (("search", "tea"), ("collections", "list"), ("index", leaflet, "--collection", "ward"), asked):
        ran = medattest(*arguments)
        told = (is_one_sentence(ran) or arguments is asked) and str(own_home) in "".join((ran.err + ran.out).split())
        still_serves = damage in ("a hole", "no tables") and "Traceback" not in ran.err and "defect" not in ran.err
        assert told or still_serves, (arguments, ran)


def test_settings_that_are_no_text_are_told(
    medattest: Medattest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_bytes("MEDATTEST_CONTACT=Jürgen".encode("latin-1"))
    ran = medattest("ask", FEATURES)
    assert is_one_sentence(ran)
    assert f"{tmp_path}/.env cannot be read as UTF-8" in ran.err


def test_json_of_any_depth_is_told(medattest: Medattest, tmp_path: Path) -> None:
    deep = tmp_path / "deep.jsonl"
    deep.write_text("[" * 100_000 + "\n")
    assert is_one_sentence(medattest("ask", FEATURES, "--history", deep))
    ran = medattest("index", deep, "--collection", "deep")
    assert (ran.status, "Traceback" in ran.err) == (1, False)
    assert f"{deep}:1: no JSON" in ran.err
    out = tmp_path / "out.jsonl"
    assert medattest("link", "--texts", deep, "--out", out).status == 1
    assert "nested too deeply" in out.read_text()
    assert is_one_sentence(medattest("exemplars", "import", deep))
    assert is_one_sentence(medattest("link", "--texts", tmp_path / "texts.jsonl", "--out", deep))


def test_two_first_questions_on_one_thread_are_asked_one_after_the_other(own_home: Path, leaflet: Path) -> None:
    program = str(Path(sys.executable).parent / "medattest")
    results: list[subprocess.CompletedProcess[str]] = []

    def ask(question: str) -> None:
        command = [program, "ask", question, "--thread", "t", "--sources", "knowledge", "--json"]
        results.append(subprocess.run(command, capture_output=True, text=True, check=False))

    questions = (FEATURES, "What is arachnodactyly?")
    threads = [threading.Thread(target=ask, args=(question,)) for question in questions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [r.returncode for r in results] == [0, 0], [r.stderr for r in results]
    assert {json.loads(r.stdout)["question"] for r in results} == set(questions)


def test_settings_that_are_null_kill_no_batch(medattest: Medattest, tmp_path: Path, leaflet: Path) -> None:
    asked = {"question": "How is zorblax fever treated?", "evidence": [ZORBLAX]}
    lines = [{"id": 1, **asked, "settings": None}, {"id": 3, **asked}]
    wrong: list[Any] = [7, 0, False, "", []]
    lines += [{"id": f"wrong {settings!r}", **asked, "settings": settings} for settings in wrong]
    questions, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    questions.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert medattest("ask", "--questions", questions, "--out", out, "--sources", "given").status == 1
    answers = {line["id"]: line for line in map(json.loads, out.read_text().splitlines())}
    assert "glimepride" in answers["1"]["text"]
    assert "glimepride" in answers["3"]["text"]
    refused = [answers[key]["error"]["message"] for key in answers if key.startswith("wrong")]
    assert len(refused) == 5
    assert all("settings: " in message for message in refused)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("ask", FEATURES, "--sources", ","), "--sources names none"),
        (("ask", FEATURES, "--evidence", "zeros.txt"), "is no text"),
        (("link", " "), "TEXT"),
        (("verify", ""), "name a FILE"),
        (("ask", FEATURES, "--history", "quiet.txt"), "what was said"),
        (("knowledge", "path", "asthma", "eosinophilia", "--svg", "/nowhere/x.svg"), "--svg /nowhere/x.svg"),
    ],
)
def test_other_wrong_use_is_told(
    medattest: Medattest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "zeros.txt").write_bytes(b"\0" * 9)
    (tmp_path / "quiet.txt").write_text("Patient: \n")
    ran = medattest(*arguments)
    assert (ran.status, is_one_sentence(ran)) == (2, True)
    assert says in ran.err


def test_a_collection_is_deleted_only_when_somebody_is_sure(
    medattest: Medattest, own_home: Path, leaflet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    medattest("index", leaflet, "--collection", "ward")
    ran = medattest("collections", "delete", "ward")
    assert (ran.status, "--yes" in ran.err) == (2, True)
    assert "ward" in medattest("collections", "list").out
    assert medattest("collections", "delete", "ward", "--yes").status == 0
    assert "ward" not in medattest("collections", "list").out
    shutil.rmtree(own_home / "chroma")


@pytest.fixture
def failing_model(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEDATTEST_MODEL", "openai:gone")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "test")


@pytest.mark.usefixtures("failing_model")
@pytest.mark.parametrize("method", ["full", "vanilla"])
def test_where_a_model_failed_and_nothing_was_found_the_answer_is_withheld(
    medattest: Medattest, tmp_path: Path, method: str
) -> None:
    asked = {"id": "1", "question": "How is zorblax fever treated?"}
    ran = medattest("ask", asked["question"], "--sources", "repository", "--method", method, "--json")
    told = json.loads(ran.out)
    assert (ran.status, told["abstained"]) == (3, True), ran.err
    assert "this failed" not in told["reason"]
    assert any(failure["source"].startswith("model, ") for failure in told["failures"])
    (tmp_path / "in.jsonl").write_text(json.dumps(asked))
    out = tmp_path / "out.jsonl"
    ran = medattest(
        "ask", "--questions", tmp_path / "in.jsonl", "--out", out, "--sources", "repository", "--method", method
    )
    assert ran.status == 0, ran.err
    assert json.loads(out.read_text())["reason"] == told["reason"]


@pytest.mark.usefixtures("failing_model")
def test_where_a_model_failed_a_text_without_evidence_is_verified_all_the_same(
    medattest: Medattest, tmp_path: Path
) -> None:
    (tmp_path / "letter.txt").write_text("Zorblax fever is treated with glimepride tea.")
    ran = medattest("verify", tmp_path / "letter.txt", "--sources", "repository")
    assert ran.status == 0, ran.err
    assert "model, claims failed" in ran.err
    assert "source model" not in ran.err


def test_a_name_that_is_too_long_is_told(medattest: Medattest, tmp_path: Path) -> None:
    (tmp_path / "texts.jsonl").write_text('{"text": "gout"}\n')
    for arguments in (
        ("index", tmp_path / ("x" * 300), "--collection", "long"),
        ("link", "--texts", tmp_path / "texts.jsonl", "--out", tmp_path / ("x" * 300)),
    ):
        ran = medattest(*arguments)
        assert is_one_sentence(ran), ran
        assert "too long" in ran.err


def test_no_width_of_a_terminal_breaks_anything(medattest: Medattest, monkeypatch: pytest.MonkeyPatch) -> None:
    for width in ("9" * 5000, "0", "-3", "x", "²"):
        monkeypatch.setenv("COLUMNS", width)
        assert medattest("collections", "list").status == 0


def test_what_another_command_wrote_is_not_taken_for_done(medattest: Medattest, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"id": "a", "text": "gout", "question": "What is gout?"}\n')
    out = tmp_path / "out.jsonl"
    assert medattest("link", "--texts", tmp_path / "in.jsonl", "--out", out).status == 0
    written = out.read_text()
    ran = medattest("ask", "--questions", tmp_path / "in.jsonl", "--out", out)
    assert is_one_sentence(ran)
    assert "name another --out" in ran.err
    assert out.read_text() == written


def test_a_faulty_line_hides_no_record_that_is_called_like_it(medattest: Medattest, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"id": "line 2", "text": "gout"}\n{\n')
    out = tmp_path / "out.jsonl"
    assert medattest("link", "--texts", tmp_path / "in.jsonl", "--out", out).status == 1
    lines = {line["id"]: line for line in map(json.loads, out.read_text().splitlines())}
    assert lines["line 2"]["mentions"]
    assert "no JSON" in lines["in.jsonl:2"]["error"]["message"]


def test_a_file_that_only_begins_like_a_line_is_kept(medattest: Medattest, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"id": "a", "text": "gout"}\n')
    out = tmp_path / "letter.rtf"
    out.write_text("{\\rtf1 Dear Sir}")
    ran = medattest("link", "--texts", tmp_path / "in.jsonl", "--out", out)
    assert is_one_sentence(ran)
    assert out.read_text() == "{\\rtf1 Dear Sir}"


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("ask", "--history", "{empty}", FEATURES), "has no turn"),
        (("ask", "--evidence", "{empty}", FEATURES), "has no text"),
        (("verify", "{full}", "--evidence", "{empty}"), "has no text"),
        (("ask", "--collection", "papers", "--sources", "knowledge", FEATURES), "add it to the sources"),
        (("eval", "metrics", "{full}", "--out", "{out}", "--metrics", ","), "--metrics names none"),
    ],
)
def test_what_names_nothing_is_told_before_anything_is_done(
    medattest: Medattest, leaflet: Path, tmp_path: Path, command: tuple[str, ...], says: str
) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text(" \n")
    ran = medattest(*(part.format(empty=empty, full=leaflet, out=tmp_path / "out.jsonl") for part in command))
    assert (ran.status, says in ran.err, is_one_sentence(ran)) == (ran.status or 1, True, True)


def test_a_picture_replaces_a_picture_alone(medattest: Medattest, own_home: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("what I wrote")
    ran = medattest("knowledge", "path", "metformin", "hypoglycemia", "--svg", notes)
    assert is_one_sentence(ran)
    assert notes.read_text() == "what I wrote"
    picture = tmp_path / "path.svg"
    for _ in range(2):
        assert medattest("knowledge", "path", "metformin", "hypoglycemia", "--svg", picture).status == 0
    assert picture.read_text().startswith("<svg")
