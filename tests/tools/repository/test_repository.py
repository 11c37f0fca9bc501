from __future__ import annotations

import asyncio
import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.errors import EmbedderMismatch, InputError, StoreBusy, StoreCorrupted, StoreError, UnknownCollection
from core.source import SourceQuery, collecting_gaps
from tools.repository import IndexProgress, Repository
from tools.repository.source import RepositorySource

Make = Callable[..., Repository]


def test_indexed_documents_are_found(repository: Repository, docs: Path) -> None:
    report = repository.index([docs], "notes", certified=True)
    assert (report.documents, report.added, report.problem_count) == (3, 3, 0)
    first = repository.search("notes", ["Which drug treats an attack of gout?"], 2)[0]
    assert first.id == "repository:notes/gout.txt#0"
    assert first.text == "Allopurinol lowers urate. Colchicine treats an attack of gout."
    assert (first.certified, first.source, first.query) == (True, "repository", "Which drug treats an attack of gout?")
    assert 0 < first.score <= 1


def test_each_hit_names_the_query_that_found_it(repository: Repository, docs: Path) -> None:
    repository.index([docs], "notes")
    hits = repository.search("notes", ["warfarin stroke", "lens dislocation", "warfarin stroke", " "], 2)
    assert {(h.id, h.query) for h in hits} == {
        ("repository:notes/heart%2Fafib.md#0", "warfarin stroke"),
        ("repository:notes/marfan.html#0", "lens dislocation"),
    }
    assert [h.score for h in hits] == sorted((h.score for h in hits), reverse=True)


def test_only_what_changed_is_indexed_again(make_repository: Make, hashing, docs: Path) -> None:  # type: ignore[no-untyped-def]  # the fixture's class is not importable
    make_repository().index([docs], "notes")
    before = hashing.encoded
    again = make_repository().index([docs], "notes")
    assert (again.unchanged, again.written, hashing.encoded) == (3, 0, before)
    (docs / "gout.txt").write_text("Febuxostat lowers urate.")
    (docs / "marfan.html").unlink()
    (docs / "new.txt").write_text("Metformin lowers glucose.")
    report = make_repository().index([docs], "notes")
    assert (report.added, report.changed, report.unchanged, report.removed, report.written) == (1, 1, 1, 1, 2)
    texts = {e.text for e in make_repository().search("notes", ["lowers"], 10)}
    assert "Febuxostat lowers urate." in texts
    assert "Metformin lowers glucose." in texts
    assert not any("Marfan" in t or "Colchicine" in t for t in texts)


def test_shorter_text_leaves_no_old_passages(repository: Repository, tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("Old sentence about obsolete bloodletting therapy. " * 20)
    repository.index([note], "notes")
    note.write_text("New text.")
    assert repository.index([note], "notes").passages == 1
    assert [e.text for e in repository.search("notes", ["bloodletting"], 10)] == ["New text."]


def test_other_paths_add(repository: Repository, docs: Path, tmp_path: Path) -> None:
    repository.index([docs], "notes")
    other = tmp_path / "other.txt"
    other.write_text("Insulin lowers glucose.")
    assert repository.index([other], "notes").documents == 4


@pytest.fixture
def leaflets(tmp_path: Path) -> tuple[Path, Path]:
    """Two files of one name in two folders."""
    for folder, text in (("one", "Insulin lowers glucose."), ("two", "Heparin thins blood.")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.txt").write_text(text)
    return tmp_path / "one" / "a.txt", tmp_path / "two" / "a.txt"


def held(repository: Repository) -> dict[str, str]:
    return {document.id: document.origin for document in repository.show("notes").documents}


@pytest.mark.parametrize("folders", [False, True])
def test_files_of_one_name_are_kept_in_two_runs_too(
    repository: Repository, leaflets: tuple[Path, Path], folders: bool
) -> None:
    one, two = (file.parent if folders else file for file in leaflets)
    repository.index([one], "notes")
    assert repository.index([two], "notes").problems == ()
    assert held(repository) == {"a.txt": str(one), "two/a.txt": str(two)}
    for path in (one, two):
        assert (repository.index([path], "notes").unchanged, len(held(repository))) == (1, 2)
    leaflets[1].write_text("Heparin thins blood at once.")
    report = repository.index([two], "notes")
    assert (report.changed, report.documents, report.problems) == (1, 2, ())


def test_a_file_that_is_named_by_another_path_is_the_same_document(
    repository: Repository, leaflets: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = leaflets
    repository.index([one.parent], "notes")
    monkeypatch.chdir(two.parent)
    for path in (one, Path("..") / "one" / "a.txt", one.parent):
        assert (repository.index([path], "notes").unchanged, set(held(repository))) == (1, {"a.txt"})
    repository.index([one.parent.parent / "two"], "notes")
    repository.index([two], "notes")
    assert set(held(repository)) == {"a.txt", "two/a.txt"}


def test_where_the_other_file_is_gone_its_name_is_free(repository: Repository, leaflets: tuple[Path, Path]) -> None:
    one, two = leaflets
    repository.index([one], "notes")
    one.unlink()
    (problem,) = repository.index([two], "notes").problems
    assert "replaces the document 'a.txt'" in problem.what
    assert held(repository) == {"a.txt": str(two)}


def test_moved_folder_is_not_embedded_again_and_can_lose_documents(repository: Repository, docs: Path, hashing) -> None:  # type: ignore[no-untyped-def]  # as above
    repository.index([docs], "notes")
    before = hashing.encoded
    moved = docs.rename(docs.with_name("moved"))
    assert repository.index([moved], "notes").unchanged == 3
    (moved / "gout.txt").unlink()
    assert repository.index([moved], "notes").removed == 1
    assert hashing.encoded == before


def test_certification_and_dates_travel_to_the_evidence(repository: Repository, tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text(
        "---\nowner: Pharmacy\nversion: 3\nreviewed: 2020-02-01\nexpires: 2021-02-01\nurl: http://x\n---\nHeparin.\n"
    )
    repository.index([note], "notes")
    assert not repository.search("notes", ["heparin"], 1)[0].certified
    assert repository.index([note], "notes", certified=True).changed == 1
    (found,) = repository.search("notes", ["heparin"], 1)
    assert (found.certified, found.owner, found.version) == (True, "Pharmacy", "3")
    assert (found.reviewed, found.expires, found.url) == ("2020-02-01", "2021-02-01", "http://x")
    assert repository.collections()[0].certified


def test_unreadable_file_keeps_what_was_read_before(make_repository: Make, docs: Path) -> None:
    make_repository().index([docs], "notes")
    (docs / "gout.txt").write_bytes(b"x" * 2_000_000)
    report = make_repository(max_file_mb=1).index([docs], "notes")
    assert (report.removed, report.problem_count, report.documents) == (0, 1, 3)


def test_same_id_twice_is_named(repository: Repository, tmp_path: Path) -> None:
    lines = tmp_path / "in.jsonl"
    lines.write_text(
        '{"id": "a", "text": "First."}\n{"id": "a", "text": "Second."}\nnot json\n{"id": "b", "text": "Third."}\n'
    )
    report = repository.index([lines], "notes")
    assert report.documents == 2
    assert [p.where for p in report.problems] == [f"{lines}:2", f"{lines}:3"]


def test_nothing_to_index_makes_no_collection(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "blank.txt").write_text(" \n")
    report = repository.index([tmp_path / "blank.txt"], "notes")
    assert (report.documents, report.empty) == (0, 1)
    assert repository.collections() == []


def test_vectors_are_those_that_were_embedded(repository: Repository, docs: Path, hashing) -> None:  # type: ignore[no-untyped-def]  # as above
    repository.index([docs], "notes")
    found = repository.search("notes", ["urate", "warfarin"], 3)
    embedded = hashing.encode([f"{e.title}\n{e.text}" for e in found])
    np.testing.assert_allclose(repository.vectors([e.id for e in found]), embedded, atol=1e-6)
    with pytest.raises(InputError, match="search again"):
        repository.vectors(["repository:notes/gone#0"])
    with pytest.raises(InputError, match="is no repository:"):
        repository.vectors(["pubmed:1"])


def test_collections_are_listed_shown_and_deleted(repository: Repository, docs: Path) -> None:
    repository.index([docs], "notes")
    (info,) = repository.collections()
    assert (info.name, info.documents, info.embedder, info.chunk_tokens) == ("notes", 3, "hashing", 32)
    assert [d.id for d in repository.show("notes").documents] == ["gout.txt", "heart/afib.md", "marfan.html"]
    repository.delete("notes")
    assert repository.collections() == []
    with pytest.raises(UnknownCollection, match="there are none yet"):
        repository.search("notes", ["x"], 1)


def test_unknown_collection_names_the_others(repository: Repository, docs: Path) -> None:
    repository.index([docs], "notes")
    for call in (repository.show, repository.delete, lambda name: repository.search(name, ["x"], 1)):
        with pytest.raises(UnknownCollection, match="no collection 'note': there are notes"):
            call("note")


@pytest.mark.parametrize("name", ["", "ab", "a b c", "../../etc", "x" * 200, "naïve", "a..b", "-abc", "abc/def"])
def test_collection_names_are_checked(repository: Repository, docs: Path, name: str) -> None:
    with pytest.raises(InputError, match="cannot name a collection"):
        repository.index([docs], name)


def test_other_embedder_or_chunking_is_refused_with_the_way_out(make_repository: Make, hashing, docs: Path) -> None:  # type: ignore[no-untyped-def]  # as above
    make_repository().index([docs], "notes")
    other = make_repository(type(hashing)("other"))
    with pytest.raises(EmbedderMismatch, match="was made with the embedder hashing, this is other"):
        other.index([docs], "notes")
    with pytest.raises(EmbedderMismatch, match="collections delete notes"):
        other.search("notes", ["x"], 1)
    with pytest.raises(EmbedderMismatch, match="MEDATTEST_CHUNK_TOKENS=32"):
        make_repository(chunk_tokens=64).index([docs], "notes")
    assert make_repository(chunk_tokens=64).search("notes", ["urate"], 1)


class Stop(Exception):
    pass


def stop_after(passages: int) -> Callable[[IndexProgress], None]:
    def progress(seen: IndexProgress) -> None:
        if seen.passages >= passages:
            raise Stop

    return progress


def many(folder: Path, count: int) -> Path:
    path = folder / "many.jsonl"
    path.write_text(
        "".join(json.dumps({"id": f"d{n}", "text": f"Disease {n} has sign {n}. " * 6}) + "\n" for n in range(count))
    )
    return path


def test_interrupted_run_leaves_whole_documents_and_goes_on(make_repository: Make, hashing, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]  # as above
    path = many(tmp_path, 1000)
    with pytest.raises(Stop):
        make_repository().index([path], "notes", progress=stop_after(1))
    (info,) = make_repository().collections()
    assert 0 < info.documents < 1000
    shown = make_repository().show("notes").documents
    assert len(shown) == info.documents
    report = make_repository().index([path], "notes")
    assert (report.documents, report.unchanged) == (1000, info.documents)


KILLED = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from conftest import HashingEmbedder
from tools.repository import Repository
def progress(seen):
    if seen.passages:
        os.kill(os.getpid(), signal.SIGKILL)
repository = Repository(Path(sys.argv[2]), HashingEmbedder, chunk_tokens=32, chunk_overlap=8)
repository.index([Path(sys.argv[3])], "notes", progress=progress)
"""


def test_killed_run_shows_nothing_torn_and_goes_on(make_repository: Make, tmp_path: Path) -> None:
    path = many(tmp_path, 1500)
    ran = subprocess.run(
        [sys.executable, "-c", KILLED, str(Path(__file__).parent), str(tmp_path / "home"), str(path)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}, check=False,
    )  # fmt: skip
    assert ran.returncode == -signal.SIGKILL
    torn = make_repository()
    held = torn.show("notes").documents
    assert 0 < len(held) < 1500
    assert not torn.collections()[0].finished
    with collecting_gaps() as gaps:
        assert asyncio.run(RepositorySource(torn).search(SourceQuery(queries=("disease sign",), limit=3)))
    assert ["the collection notes is being written" in gap for gap in gaps] == [True]
    assert all(e.text.startswith("Disease") for e in torn.search("notes", ["disease sign"], 20))
    report = make_repository().index([path], "notes")
    assert (report.documents, report.unchanged) == (1500, len(held))
    assert make_repository().collections()[0].finished
    assert report.passages == sum(d.passages for d in make_repository().show("notes").documents)


def test_two_runs_at_once_are_refused(make_repository: Make, docs: Path) -> None:
    def progress(_: IndexProgress) -> None:
        with pytest.raises(StoreBusy, match="another process is writing the collection notes"):
            make_repository().index([docs], "notes")

    make_repository().index([docs], "notes", progress=progress)
    assert make_repository().index([docs], "notes").unchanged == 3


WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from conftest import HashingEmbedder
from tools.repository import Repository
Repository(Path(sys.argv[2]), HashingEmbedder, chunk_tokens=32, chunk_overlap=8).index([Path(sys.argv[3])], "notes")
"""


def test_what_another_process_indexed_is_found(repository: Repository, docs: Path, tmp_path: Path) -> None:
    repository.index([docs], "notes")
    repository.search("notes", ["urate"], 1)
    (docs / "gout.txt").write_text("Febuxostat lowers urate.")
    subprocess.run(
        [sys.executable, "-c", WRITER, str(Path(__file__).parent), str(tmp_path / "home"), str(docs)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}, check=True,
    )  # fmt: skip
    assert repository.search("notes", ["urate"], 1)[0].text == "Febuxostat lowers urate."
    (docs / "gout.txt").write_text("Probenecid lowers urate.")
    repository.index([docs], "notes")
    assert repository.search("notes", ["urate"], 1)[0].text == "Probenecid lowers urate."


def test_search_works_without_opening_chroma(make_repository: Make, docs: Path, tmp_path: Path) -> None:
    make_repository().index([docs], "notes")
    asked = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[1]); from conftest import HashingEmbedder\n"
        "from tools.repository import Repository\n"
        "r = Repository(Path(sys.argv[2]), HashingEmbedder, chunk_tokens=32, chunk_overlap=8)\n"
        "assert r.search('notes', ['urate'], 1)[0].id == 'repository:notes/gout.txt#0'\n"
        "assert 'chromadb' not in sys.modules and 'langchain_core' not in sys.modules"
    )
    run = [sys.executable, "-c", asked, str(Path(__file__).parent), str(tmp_path / "home")]
    subprocess.run(run, env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}, check=True)


@pytest.mark.parametrize("file", ["head.json", "vectors.f32", "passages.jsonl", "offsets.npy", "lexical/index.json"])
def test_damaged_derived_index_is_built_again(make_repository: Make, docs: Path, tmp_path: Path, file: str) -> None:
    make_repository().index([docs], "notes")
    (damaged,) = (tmp_path / "home" / "derived" / "notes").glob(f"*/{file}")
    damaged.write_bytes(b"garbage")
    assert make_repository().search("notes", ["urate"], 1)[0].id == "repository:notes/gout.txt#0"


def test_corrupted_store_says_what_to_do_and_deletes_nothing(make_repository: Make, docs: Path, tmp_path: Path) -> None:
    first = make_repository()
    first.index([docs], "notes")
    first.close()
    database = tmp_path / "home" / "chroma" / "chroma.sqlite3"
    database.write_bytes(b"garbage" * 1000)
    with pytest.raises(StoreCorrupted, match="restore it from a backup, or move the folder away"):
        make_repository().collections()
    assert database.read_bytes() == b"garbage" * 1000


def test_home_that_cannot_be_written_is_named_and_can_be_searched(
    make_repository: Make, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_repository().index([docs], "notes")

    def refused(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("filelock.FileLock.acquire", refused)
    with pytest.raises(StoreError, match="locks cannot be written"):
        make_repository().index([docs], "notes")
    assert make_repository().search("notes", ["urate"], 1)


def test_home_that_is_no_folder_is_named(make_repository: Make, docs: Path, tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    with pytest.raises(StoreError, match="home"):
        make_repository().index([docs], "notes")


def test_file_names_that_are_no_text_are_indexed(repository: Repository, tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    folder.mkdir()
    (folder / os.fsdecode(b"caf\xe9 #1.txt")).write_text("Caffeine.")
    repository.index([folder], "notes")
    assert repository.search("notes", ["caffeine"], 1)[0].id == "repository:notes/caf%E9%20%231.txt#0"
    assert repository.index([folder], "notes").unchanged == 1


def test_ctrl_c_leaves_a_collection_that_can_be_asked(make_repository: Make, tmp_path: Path) -> None:
    def progress(seen: IndexProgress) -> None:
        if seen.passages:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_repository().index([many(tmp_path, 1000)], "notes", progress=progress)
    assert make_repository().search("notes", ["disease sign"], 5)
    assert make_repository().index([tmp_path / "many.jsonl"], "notes").documents == 1000


def test_large_collections_are_searched_through_chroma(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.index([many(tmp_path, 300)], "notes")
    exact = repository.search("notes", ["disease 7 has sign 7", "sign 12"], 5)
    monkeypatch.setattr("tools.repository.search.EXACT_PASSAGES", 0)
    near = repository.search("notes", ["disease 7 has sign 7", "sign 12"], 5)
    assert [(e.id, e.query) for e in near] == [(e.id, e.query) for e in exact]


def test_all_collections_at_once_share_one_scale(repository: Repository, docs: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("Football is played by two teams.")
    repository.index([docs], "notes")
    repository.index([other], "other")
    found = repository.search(None, ["What lowers urate?"], 4)
    assert found[0].id == "repository:notes/gout.txt#0"
    assert found[0].score > 2 * next(e.score for e in found if "Football" in e.text)
    assert Repository(tmp_path / "none", repository._embedder).search(None, ["x"], 3) == []


FULL = """
import resource, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from conftest import HashingEmbedder
from core.errors import StoreError
from tools.repository import Repository
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
def progress(seen):
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
try:
    repository = Repository(Path(sys.argv[2]), HashingEmbedder, chunk_tokens=32, chunk_overlap=8)
    repository.index([Path(sys.argv[3])], "notes", progress=progress)
except StoreError as error:
    print(error)
"""


def test_full_disk_is_an_error_that_the_next_run_mends(make_repository: Make, tmp_path: Path) -> None:
    path = many(tmp_path, 1500)
    ran = subprocess.run(
        [sys.executable, "-c", FULL, str(Path(__file__).parent), str(tmp_path / "home"), str(path)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}, check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert "see that the disk has room" in ran.stdout
    assert make_repository().index([path], "notes").documents == 1500


def test_a_line_that_broke_removes_nothing(repository: Repository, tmp_path: Path) -> None:
    file = tmp_path / "docs.jsonl"
    first, second = '{"id": "1", "text": "Aspirin thins blood."}\n', '{"id": "2", "text": "Gout is painful."}\n'
    file.write_text(first + second)
    repository.index([file], "lines")
    file.write_text(first[:20] + "\n" + second)
    report = repository.index([file], "lines")
    assert (report.removed, report.documents, report.problem_count) == (0, 2, 1)
    assert "is removed" in report.problems[0].what
    assert repository.search("lines", ["aspirin"], 1)[0].text == "Aspirin thins blood."
    file.write_text(second)
    assert repository.index([file], "lines").removed == 1


def test_an_emptied_collection_finds_nothing_and_hides_nothing(
    repository: Repository, docs: Path, tmp_path: Path
) -> None:
    file = tmp_path / "gone.txt"
    file.write_text("Quuxitis.")
    repository.index([file], "empty")
    repository.index([docs], "kept")
    file.write_text("")
    repository.index([file], "empty")
    assert repository.search("empty", ["quux"], 3) == []
    assert "Warfarin" in repository.search(None, ["warfarin"], 1)[0].text
