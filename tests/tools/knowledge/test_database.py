from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

import tools.knowledge
from core.errors import DataMissing, StoreBusy, StoreCorrupted, StoreError
from tools.knowledge.concepts import open_vocabularies
from tools.knowledge.database import FILE_NAME, build_database
from tools.knowledge.progress import Progress
from tools.knowledge.store import KnowledgeStore
from tools.knowledge.vocabularies.hpo import HpoLoader
from tools.knowledge.vocabularies.records import Loaded


class Counting:
    """A loader that counts how often it is asked to load, and may have another fingerprint."""

    def __init__(self, inner: HpoLoader, release: str = "1") -> None:
        self.inner, self.release, self.loads = inner, release, 0

    def fingerprint(self) -> str:
        return self.release

    def read(self, progress: Progress) -> Loaded:
        self.loads += 1
        return self.inner.read(progress)


class Missing:
    def fingerprint(self) -> str:
        raise DataMissing("the data wheel is not installed: run `make setup`")

    def read(self, progress: Progress) -> Loaded:
        raise AssertionError


def files(home: Path) -> set[str]:
    return {path.name for path in home.iterdir()} - {f"{FILE_NAME}.lock"}


def test_it_is_built_once_and_tells_its_progress(home: Path, loader: HpoLoader) -> None:
    counting, told = Counting(loader), list[tuple[str, float]]()
    KnowledgeStore.open(home, lambda what, share: told.append((what, share)), [counting]).close()
    KnowledgeStore.open(home, None, [counting]).close()
    assert counting.loads == 1
    assert told[-1] == ("indexing the knowledge store", 1.0)
    assert all(0 <= share <= 1 for _, share in told)


def test_another_release_is_built_anew(home: Path, loader: HpoLoader) -> None:
    KnowledgeStore.open(home, None, [Counting(loader)]).close()
    newer = Counting(loader, release="2")
    KnowledgeStore.open(home, None, [newer]).close()
    assert newer.loads == 1


@pytest.mark.parametrize("damage", ["truncated", "rubbish", "empty"])
def test_a_damaged_store_is_built_anew(home: Path, loader: HpoLoader, damage: str) -> None:
    KnowledgeStore.open(home, None, [loader]).close()
    path = home / FILE_NAME
    whole = path.read_bytes()
    path.write_bytes({"truncated": whole[: len(whole) // 2], "rubbish": b"x" * 9000, "empty": b""}[damage])
    assert KnowledgeStore.open(home, None, [loader]).concept("OMIM:1") is not None


def test_damage_that_shows_only_on_reading_says_what_to_do(home: Path, loader: HpoLoader) -> None:
    KnowledgeStore.open(home, None, [loader]).close()
    path = home / FILE_NAME
    content = bytearray(path.read_bytes())
    content[4096 * 3 :] = b"\xff" * (len(content) - 4096 * 3)
    path.write_bytes(content)
    with pytest.raises(StoreCorrupted, match="delete it, and it is built again"):
        KnowledgeStore.open(home, None, [loader]).features("OMIM:1")


def test_a_whole_store_serves_without_its_wheel(home: Path, loader: HpoLoader) -> None:
    with pytest.raises(DataMissing, match="make setup"):
        KnowledgeStore.open(home, None, [Missing()])
    KnowledgeStore.open(home, None, [loader]).close()
    assert KnowledgeStore.open(home, None, [Missing()]).concept("OMIM:1") is not None


def test_a_failing_build_leaves_nothing_behind(home: Path, loader: HpoLoader) -> None:
    class Failing(Counting):
        def read(self, progress: Progress) -> Loaded:
            super().read(progress)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        KnowledgeStore.open(home, None, [Failing(loader)])
    assert files(home) == set()


_KILLED = """
import os, signal, sys
from pathlib import Path
from tools.knowledge.vocabularies.hpo import HpoLoader
from tools.knowledge.store import KnowledgeStore
def die(what, share):
    if what.startswith("indexing"):
        os.kill(os.getpid(), signal.SIGKILL)
KnowledgeStore.open(Path(sys.argv[1]), die, [HpoLoader(Path(sys.argv[2]))])
"""


def test_a_killed_build_neither_leaves_a_store_nor_blocks_the_next(home: Path, loader: HpoLoader) -> None:
    root = Path(tools.knowledge.__file__).parents[2]
    folder = loader.files()[0].parent
    killed = subprocess.run([sys.executable, "-c", _KILLED, str(home), str(folder)], cwd=root, check=False)
    assert killed.returncode == -9
    assert FILE_NAME not in files(home)
    KnowledgeStore.open(home, None, [loader]).close()
    assert files(home) == {FILE_NAME}


def test_two_that_start_at_once_build_once(home: Path, loader: HpoLoader) -> None:
    counting, found = Counting(loader), []
    threads = [
        threading.Thread(target=lambda: found.append(KnowledgeStore.open(home, None, [counting]).concept("OMIM:1")))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counting.loads == 1
    assert len({concept.id for concept in found if concept}) == 1
    assert len(found) == 4


def test_waiting_too_long_for_another_build_is_said(home: Path, loader: HpoLoader) -> None:
    class Waiting(Counting):
        def read(self, progress: Progress) -> Loaded:
            with pytest.raises(StoreBusy, match="another process has been building"):
                build_database(home / FILE_NAME, open_vocabularies([loader], home), "2", progress, wait=0.1)
            return super().read(progress)

    KnowledgeStore.open(home, None, [Waiting(loader)]).close()


def test_a_data_directory_that_cannot_be_written_is_named(tmp_path: Path, loader: HpoLoader) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with pytest.raises(StoreError, match="set MEDATTEST_HOME"):
        KnowledgeStore.open(blocked, None, [loader])


def test_any_thread_may_read(store: KnowledgeStore) -> None:
    seen: list[int] = []
    threads = [
        threading.Thread(target=lambda: seen.extend(len(store.features("OMIM:1")) for _ in range(50))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [3] * 200
