from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.embeddings import MiniLM
from tests.app.conftest import Medattest


@pytest.fixture
def consultations(tmp_path: Path) -> Path:
    path = tmp_path / "mts.csv"
    path.write_text(
        "ID,section_header,section_text,dialogue\n"
        '0,CC,Asthma.,"Patient: My asthma is worse.\nDoctor: Since when?\nPatient: May.\nDoctor: Let me listen."\n'
        '1,CC,Cough.,"Doctor: Any cough?\nPatient: No."\n',
        encoding="utf-8",
    )
    return path


@pytest.fixture
def own_home(
    medattest: Medattest, model_home: Path, embedder: MiniLM, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A data directory whose bank is empty, with what is built once."""
    medattest("knowledge", "lookup", "asthma")
    home = tmp_path / "own"
    home.mkdir()
    for name in ("models", "knowledge.sqlite"):
        (home / name).symlink_to(model_home / name)
    monkeypatch.setenv("MEDATTEST_HOME", str(home))


@pytest.mark.usefixtures("own_home")
def test_an_import_counts_names_what_it_refuses_and_shows_in_the_list(
    medattest: Medattest, consultations: Path
) -> None:
    ran = medattest("exemplars", "import", consultations)
    assert ran.status == 1, "a record was refused"
    assert "1 exemplars new" in ran.out
    assert "1 records refused" in ran.out
    assert "line 6" in ran.err
    assert "My asthma is worse" in medattest("exemplars", "list").out
    again = json.loads(medattest("exemplars", "import", consultations, "--json").out)
    assert (again["new"], again["same"], again["refused_count"]) == (0, 1, 1)


@pytest.mark.usefixtures("own_home")
def test_imported_exemplars_get_knowledge_from_the_vocabularies(medattest: Medattest, consultations: Path) -> None:
    medattest("exemplars", "import", consultations)
    *_, imported = json.loads(medattest("exemplars", "list", "--json").out)
    assert imported["answer"] == "Let me listen."
    assert any("Asthma" in triple for triple in imported["knowledge"])


@pytest.mark.usefixtures("own_home")
def test_all_that_was_not_taken_is_shown_when_asked(
    medattest: Medattest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.documents.MAX_PROBLEMS", 2)
    monkeypatch.setattr("app.exemplars.REFUSED_SHOWN", 2)
    lines = tmp_path / "lines.jsonl"
    lines.write_text('{"id": 1, "text": "Zorblax fever is treated with tea."}\n' + "{\n" * 12)
    good = {"task": "open", "context": "What is zorblax fever?", "answer": "A fever.", "source": "own"}
    worked = tmp_path / "worked.jsonl"
    worked.write_text(json.dumps(good) + "\n" + "{}\n" * 12)
    commands = [
        ("index", lines, "--collection", "some"),
        ("exemplars", "import", worked),
        ("link", "--texts", lines, "--out", tmp_path / "out.jsonl"),
    ]
    for command in commands:
        some, everything = medattest(*command), medattest(*command, "--all")
        assert "more (--all)" in some.err, command
        assert "more (--all)" not in everything.err
        assert len(everything.err.splitlines()) >= 12


def test_the_list_says_that_nobody_has_reviewed_what_ships(medattest: Medattest) -> None:
    ran = medattest("exemplars", "list")
    assert ran.status == 0
    assert "written for Medattest, MIT" in ran.out
    assert "nobody" in ran.out


def test_a_wrong_file_says_what_is_accepted(medattest: Medattest, tmp_path: Path) -> None:
    (tmp_path / "notes.docx").write_text("words")
    ran = medattest("exemplars", "import", tmp_path / "notes.docx")
    assert ran.status == 2
    assert "MTS-Dialog" in ran.err
