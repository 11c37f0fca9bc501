from __future__ import annotations

import multiprocessing
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.embeddings import MiniLM
from core.errors import InputError, StoreCorrupted, StoreError
from tests.tools.exemplars.conftest import Letters, Write
from tools.exemplars import ExemplarBank, embedded_text


def question(n: int, **more: Any) -> dict[str, Any]:
    return {"task": "open", "context": f"What is {chr(97 + n) * 5}?", "answer": f"A thing, the {n}.", **more}


def test_the_starter_set_is_there_without_any_file(bank: ExemplarBank, home: Path) -> None:
    assert len(bank.exemplars()) >= 40
    assert not home.exists()


def test_what_is_imported_stands_beside_it_and_the_same_file_changes_nothing(bank: ExemplarBank, write: Write) -> None:
    before = len(bank.exemplars())
    path = write("own.jsonl", [question(n) for n in range(3)])
    report = bank.import_file(path)
    assert (report.new, report.changed, report.same, report.refused) == (3, 0, 0, ())
    again = bank.import_file(path)
    assert (again.new, again.changed, again.same) == (0, 0, 3)
    assert [e.context for e in bank.exemplars()[before:]] == [question(n)["context"] for n in range(3)]


def test_a_review_reaches_an_exemplar_that_is_known(bank: ExemplarBank, write: Write) -> None:
    bank.import_file(write("own.jsonl", [question(0)]))
    report = bank.import_file(write("own.jsonl", [question(0, reviewed="Dr Who", knowledge=["[a, is a, b]"])]))
    assert (report.new, report.changed) == (0, 1)
    (id_,) = bank.instances("open").ids
    (found,) = bank.get([id_])
    assert (found.reviewed, found.knowledge) == ("Dr Who", ("[a, is a, b]",))


def test_shipped_exemplars_are_not_imported_again(bank: ExemplarBank, write: Write) -> None:
    ours = bank.exemplars()
    report = bank.import_file(write("copy.jsonl", [e.model_dump(mode="json") for e in ours]))
    assert (report.new, report.same) == (0, len(ours))
    assert bank.exemplars() == ours


def test_only_the_asked_task_with_context_and_knowledge_embedded(
    bank: ExemplarBank, letters: Letters, write: Write
) -> None:
    bank.import_file(write("own.jsonl", [question(0, knowledge=["[x, y, z]"]), question(1)]))
    instances = bank.instances("open")
    assert [e.task for e in bank.get(instances.ids)] == ["open", "open"]
    np.testing.assert_array_equal(
        instances.vectors,
        Letters().encode([embedded_text("What is aaaaa?", ["[x, y, z]"]), embedded_text("What is bbbbb?", [])]),
    )
    assert list(instances.asking("what  is BBBBB?")) == [1]
    assert list(instances.asking("What is it?")) == []


def test_vectors_are_made_once_an_embedder_and_kept(home: Path, letters: Letters, write: Write) -> None:
    ExemplarBank(home, lambda: letters).import_file(write("own.jsonl", [question(0), question(1)]))
    first = ExemplarBank(home, lambda: letters).instances("open")
    assert len(letters.read) == 2
    again = ExemplarBank(home, lambda: letters).instances("open")
    assert len(letters.read) == 2, "they come from the disk"
    np.testing.assert_array_equal(first.vectors, again.vectors)
    other = Letters("others")
    ExemplarBank(home, lambda: other).instances("open")
    assert len(other.read) == 2, "another embedder makes its own"


def test_an_import_by_another_process_is_noticed(bank: ExemplarBank, home: Path, write: Write) -> None:
    assert len(bank.instances("open").ids) == 0
    path = write("own.jsonl", [question(0)])
    worker = multiprocessing.get_context("spawn").Process(target=import_there, args=(home, path))
    worker.start()
    worker.join()
    assert worker.exitcode == 0
    assert len(bank.instances("open").ids) == 1


def test_processes_import_at_the_same_time(bank: ExemplarBank, home: Path, write: Write) -> None:
    spawn = multiprocessing.get_context("spawn")
    paths = [write(f"{n}.jsonl", [question(i) for i in range(n, n + 4)]) for n in (0, 2, 4)]
    workers = [spawn.Process(target=import_there, args=(home, path)) for path in paths]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    assert len(bank.instances("open").ids) == 8


def import_there(home: Path, path: Path) -> None:
    ExemplarBank(home, Letters).import_file(path)


def test_knowledge_is_looked_up_for_those_without_any(bank: ExemplarBank, write: Write) -> None:
    path = write("own.jsonl", [question(0), question(1, knowledge=["[own, is, kept]"])])
    bank.import_file(path, lambda context: [f"[{context}, asks, something]"])
    found = bank.get(bank.instances("open").ids)
    assert [e.knowledge for e in found] == [("[What is aaaaa?, asks, something]",), ("[own, is, kept]",)]


def test_embedding_tells_how_far_it_is(bank: ExemplarBank) -> None:
    told: list[tuple[int, int]] = []
    bank.prepare(lambda done, total: told.append((done, total)))
    assert told
    assert all(done <= total for done, total in told)
    bank.prepare(lambda done, total: pytest.fail("all are embedded"))


def test_the_file_is_for_its_owner_alone(bank: ExemplarBank, home: Path, write: Write) -> None:
    bank.import_file(write("own.jsonl", [question(0)]))
    assert (home / "exemplars.sqlite").stat().st_mode & 0o077 == 0


def test_a_damaged_file_is_named(bank: ExemplarBank, home: Path) -> None:
    home.mkdir()
    (home / "exemplars.sqlite").write_bytes(b"no database, whatever its name" * 200)
    with pytest.raises(StoreCorrupted, match="import again"):
        bank.exemplars()


def test_a_file_of_another_version_is_refused(bank: ExemplarBank, home: Path) -> None:
    home.mkdir()
    connection = sqlite3.connect(home / "exemplars.sqlite")
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="another version"):
        bank.exemplars()


def test_a_home_that_cannot_be_written_is_named(home: Path, letters: Letters, write: Write) -> None:
    home.write_text("a file where a folder should be")
    with pytest.raises(StoreError, match="MEDATTEST_HOME"):
        ExemplarBank(home / "inside", lambda: letters).import_file(write("own.jsonl", [question(0)]))


def test_nothing_usable_is_an_error_that_says_what_is_accepted(bank: ExemplarBank, write: Write) -> None:
    for path in (
        write("none.jsonl", ""),
        write("other.jsonl", [{"colour": "blue"}]),
        write("other.csv", "colour,size\nblue,3\n"),
        write("text.docx", "words"),
        write("words.txt", "Nothing of a consultation.\n"),
        Path("nowhere.jsonl"),
    ):
        with pytest.raises(InputError, match=r"Accepted|give the path"):
            bank.import_file(path)


def test_the_real_embedder_finds_what_is_alike(home: Path, embedder: MiniLM) -> None:
    bank = ExemplarBank(home, lambda: embedder)
    instances = bank.instances("choice")
    (query,) = embedder.encode(["A bone of the thigh broke when an old man slipped on the ice."])
    nearest = instances.ids[int(np.argmax(instances.vectors @ query))]
    assert bank.get([nearest])[0].subject == "orthopaedics"
