from __future__ import annotations

import asyncio
import logging
import os
import resource
import sqlite3
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from core.cache import JSON, DiskCache, Mode, cached
from core.cachefile import CacheFile
from core.errors import SourceError

DAY = 86_400.0
VALUE: JSON = {"name": "Größe \ud800", "rows": [1, 2.5, None, True, []]}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "replies.sqlite"


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time of day, to be moved by tests."""
    clock = [1_000_000.0]
    monkeypatch.setattr(time, "time", lambda: clock[0])
    return clock


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


def test_a_value_comes_back_as_it_was_to_another_instance_too(path: Path) -> None:
    cache = DiskCache(path, DAY)
    assert cache.get("question") is None
    cache.put("question", VALUE)
    assert cache.get("question") == VALUE
    assert DiskCache(path, DAY).get("question") == VALUE
    cache.put("question", ["newer"])
    assert cache.get("question") == ["newer"]
    assert cache.get("another question") is None


def test_a_closed_cache_opens_again(path: Path) -> None:
    cache = DiskCache(path, DAY)
    cache.put("a", 1)
    cache.close()
    assert cache.get("a") == 1
    cache.close()


def test_keys_are_not_readable_in_the_file_and_the_file_is_its_owners(path: Path) -> None:
    cache = DiskCache(path, DAY)
    cache.put("jane doe has syphilis", 1)
    cache.close()
    assert path.stat().st_mode & 0o077 == 0
    assert b"syphilis" not in b"".join(file.read_bytes() for file in path.parent.iterdir())


def test_a_value_past_its_age_is_a_miss_until_it_is_put_again(path: Path, now: list[float]) -> None:
    cache = DiskCache(path, 60)
    cache.put("a", 1)
    now[0] += 60
    assert cache.get("a") == 1
    now[0] += 1
    assert cache.get("a") is None
    assert cache.get("a", any_age=True) == 1
    cache.put("a", 2)
    assert cache.get("a") == 2


def test_the_oldest_entries_give_way_and_the_file_stays_bounded(path: Path, now: list[float]) -> None:
    limit = 400_000
    cache = DiskCache(path, DAY, max_bytes=limit)
    for n in range(200):
        now[0] += 1
        cache.put(f"key {n}", "x" * 10_000)
    cache.close()
    kept = [n for n in range(200) if cache.get(f"key {n}") is not None]
    assert kept == list(range(kept[0], 200)), "what is kept is the newest"
    assert len(kept) > 10
    cache.close()
    assert path.stat().st_size < limit * 1.2


def test_a_value_too_big_for_the_cache_is_not_kept_and_drives_nothing_out(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cache = DiskCache(path, DAY, max_bytes=100_000)
    cache.put("small", 1)
    for _ in range(2):
        cache.put("big", "x" * 30_000)
    assert cache.get("big") is None
    assert cache.get("small") == 1
    assert len(warnings(caplog)) == 1


def _garbled(path: Path) -> None:
    path.write_bytes(b"this is no database at all" * 400)


def _cut(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))


def _another_programs(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.executescript("CREATE TABLE entries(a); PRAGMA user_version = 7;")
    connection.close()


@pytest.mark.parametrize("damage", [_garbled, _cut, _another_programs])
@pytest.mark.parametrize("first", ["get", "put"])
def test_a_damaged_file_is_set_aside_and_a_new_one_begun(
    path: Path, caplog: pytest.LogCaptureFixture, damage: object, first: str
) -> None:
    assert callable(damage)
    cache = DiskCache(path, DAY)
    for n in range(50):
        cache.put(f"key {n}", "x" * 1000)
    cache.close()
    damage(path)
    if first == "get":
        assert all(cache.get(f"key {n}") in (None, "x" * 1000) for n in range(50))
    for n in range(50):
        cache.put(f"key {n}", n)
    assert [cache.get(f"key {n}") for n in range(50)] == list(range(50))
    assert path.with_name(f"{path.name}.damaged").exists()
    (warning,) = warnings(caplog)
    assert "was damaged" in warning


def test_a_file_that_another_process_set_aside_is_left_for_the_new_one(path: Path) -> None:
    ours, theirs = DiskCache(path, DAY), DiskCache(path, DAY)
    ours.put("a", 1)
    assert ours.get("a") == 1
    path.rename(path.with_name("aside"))
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink()
    theirs.put("a", 2)
    assert ours.get("a") == 2
    ours.put("a", 3)
    assert theirs.get("a") == 3


def test_a_sound_file_is_not_set_aside_for_one_bad_read(path: Path) -> None:
    cache, errors = DiskCache(path, DAY), [sqlite3.DatabaseError("as if another process had mended it since")]
    cache.put("a", 1)

    def work(_: sqlite3.Connection) -> str:
        if errors:
            raise errors.pop()
        return "done"

    assert CacheFile(path).run(work, lambda error: None) == "done"
    assert cache.get("a") == 1
    assert not path.with_name(f"{path.name}.damaged").exists()


def test_a_removed_file_is_begun_again(path: Path) -> None:
    cache = DiskCache(path, DAY)
    cache.put("a", 1)
    for file in path.parent.iterdir():
        file.unlink()
    assert cache.get("a") is None
    cache.put("a", 2)
    assert cache.get("a") == 2


def test_a_folder_that_cannot_be_made_costs_no_answer_and_is_told_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = DiskCache(tmp_path / "file" / "replies.sqlite", DAY)
    for _ in range(3):
        cache.put("a", 1)
        assert cache.get("a") is None
    written, read = warnings(caplog)
    assert "cannot be written" in written
    assert "cannot be read" in read


def test_a_full_disk_costs_no_answer_and_is_told_once(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    cache = DiskCache(path, DAY)
    cache.put("a", 1)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        for n in range(3):
            cache.put(f"big {n}", "x" * 200_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert cache.get("a") == 1
    (warning,) = warnings(caplog)
    assert "cannot be written" in warning
    cache.put("later", 1)
    assert cache.get("later") == 1, "space was freed: it goes on"


def test_a_text_that_is_no_json_is_a_miss(path: Path) -> None:
    cache = DiskCache(path, DAY)
    cache.put("a", 1)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE entries SET value = '{'")
    connection.close()
    assert cache.get("a") is None


def test_threads_share_a_cache(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    cache = DiskCache(path, DAY)
    wrong: list[str] = []

    def work(name: int) -> None:
        for n in range(40):
            cache.put(f"{name} {n}", [name, n])
            if cache.get(f"{name} {n}") != [name, n]:
                wrong.append(f"{name} {n}")

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert warnings(caplog) == []


def test_processes_share_a_cache_from_its_beginning(path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from core.cache import DiskCache\n"
        "cache = DiskCache(Path(sys.argv[1]), 60.0)\n"
        "for n in range(60): cache.put(f'{sys.argv[2]} {n}', n); assert cache.get(f'{sys.argv[2]} {n}') == n\n"
    )
    root = Path(__file__).parents[2]
    running = [
        subprocess.Popen([sys.executable, "-c", script, path, str(name)], cwd=root, stderr=subprocess.PIPE)
        for name in range(3)
    ]
    said = [process.communicate(timeout=60)[1].decode() for process in running]
    assert [process.returncode for process in running] == [0, 0, 0], said
    assert said == ["", "", ""], "nobody was locked out"
    cache = DiskCache(path, DAY)
    assert all(cache.get(f"{name} {n}") == n for name in range(3) for n in range(60))


def test_a_get_is_fast_in_a_full_cache(path: Path) -> None:
    cache = DiskCache(path, DAY)
    for n in range(2000):
        cache.put(f"key {n}", {"rows": ["x" * 100] * 50})
    took = []
    for n in range(0, 2000, 20):
        began = time.perf_counter()
        assert cache.get(f"key {n}")
        took.append(time.perf_counter() - began)
    assert statistics.median(took) < 0.005


async def test_the_modes_of_asking(path: Path, now: list[float]) -> None:
    cache, asked = DiskCache(path, 60), list[int]()

    async def ask() -> JSON:
        await asyncio.sleep(0)
        asked.append(len(asked))
        return {"answer": len(asked)}

    async def answer(mode: Mode) -> JSON:
        return await cached(cache, mode, "question", ask, "the service")

    with pytest.raises(SourceError, match=r"^offline: the service was not asked"):
        await answer("offline")
    assert await answer("normal") == await answer("normal") == {"answer": 1}
    assert await answer("refresh") == {"answer": 2}
    assert await answer("normal") == {"answer": 2}
    now[0] += 61
    assert await answer("offline") == {"answer": 2}, "nothing newer can be had offline"
    assert await answer("normal") == {"answer": 3}
    assert len(asked) == 3


async def test_an_answer_that_failed_is_asked_again(path: Path) -> None:
    cache, failing = DiskCache(path, 60), [True]

    async def ask() -> JSON:
        if failing.pop():
            raise SourceError("busy")
        return 1

    failing[:] = [False, True]
    with pytest.raises(SourceError, match="busy"):
        await cached(cache, "normal", "question", ask, "the service")
    assert await cached(cache, "normal", "question", ask, "the service") == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_cache_that_may_not_be_written_costs_no_answer(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    DiskCache(path, DAY).put("a", 1)
    path.chmod(0o400)
    path.parent.chmod(0o500)
    try:
        cache = DiskCache(path, DAY)
        cache.put("b", 1)
        assert cache.get("b") is None
    finally:
        path.parent.chmod(0o700)
    assert "cannot be written" in warnings(caplog)[0]
