from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import tools.knowledge
from eval.synthetic.rrf import write_release
from tests.tools.knowledge.umls.conftest import Import
from tools.knowledge.database import FILE_NAME
from tools.knowledge.progress import silent
from tools.knowledge.umls import import_umls, stream, work
from tools.knowledge.vocabularies.hpo import HpoLoader

_KILLED = """
import os, signal, sys
from pathlib import Path
from tools.knowledge.umls import import_umls, stream, work
from tools.knowledge.vocabularies.hpo import HpoLoader
meta, home, folder, when, times = sys.argv[1:]
stream.Stream.blocks.__defaults__ = (0, 20_000)
work.batches.__defaults__ = (300,)
left = int(times)
def die(what, share):
    global left
    left -= what.startswith(when)
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
import_umls(Path(meta), Path(home), loaders=[HpoLoader(Path(folder))], progress=die)
"""
ROOT = Path(tools.knowledge.__file__).parents[2]


def kill_during(meta: Path, home: Path, loader: HpoLoader, when: str, times: int = 1) -> None:
    arguments = [str(meta), str(home), str(loader.files()[0].parent), when, str(times)]
    killed = subprocess.run([sys.executable, "-c", _KILLED, *arguments], cwd=ROOT, check=False)
    assert killed.returncode == -9


def content(home: Path) -> dict[str, list[Any]]:
    """All tables but the order of what is not ordered; meta without the count of pages."""
    with closing(sqlite3.connect(home / FILE_NAME)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        found = {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in tables}
    found["meta"] = [(key, value) for key, value in found["meta"] if key != "pages"]
    return found


@pytest.fixture(scope="module", autouse=True)
def small_batches() -> Iterator[None]:
    """The batches of the killed processes: in larger ones there would be nothing to interrupt."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream.Stream.blocks, "__defaults__", (0, 20_000))
        patch.setattr(work.batches, "__defaults__", (300,))
        yield


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_release(tmp_path_factory.mktemp("release"), names=1200, relations=2400)


@pytest.fixture(scope="module")
def uninterrupted(release: Path, loader: HpoLoader, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    home = tmp_path_factory.mktemp("home")
    import_umls(release, home, loaders=[loader], progress=silent)
    return content(home)


@pytest.mark.parametrize(
    ("when", "times"),
    [
        ("started", 1),
        ("importing MRCONSO", 2),
        ("importing MRSTY", 1),
        ("importing MRREL", 5),
        ("writing relations,", 2),
        ("writing concepts", 2),
        ("merging vocabularies", 2),
        ("sorting names", 2),
        ("indexing the knowledge store", 1),
        ("indexing the knowledge store", 2),
    ],
)
def test_a_killed_import_goes_on_and_ends_as_if_it_had_not_been_killed(
    release: Path, home: Path, loader: HpoLoader, uninterrupted: dict[str, list[Any]], when: str, times: int
) -> None:
    kill_during(release, home, loader, when, times)
    assert not home.joinpath(FILE_NAME).exists()
    report = import_umls(release, home, loaders=[loader], progress=silent)
    assert report.started == "went on with an interrupted import"
    assert content(home) == uninterrupted
    assert [path.name for path in home.iterdir() if "importing" in path.name] == [f"{FILE_NAME}.importing.lock"]


def test_an_import_may_be_killed_again_and_again(
    release: Path, home: Path, loader: HpoLoader, uninterrupted: dict[str, list[Any]]
) -> None:
    for when in ("importing MRCONSO", "importing MRREL", "importing MRREL", "writing concepts", "sorting names"):
        kill_during(release, home, loader, when, 2)
    import_umls(release, home, loaders=[loader], progress=silent)
    assert content(home) == uninterrupted


def interrupt(run: Import, meta: Path, **options: Any) -> None:
    def stop(text: str, _: float) -> None:
        if text.startswith("writing concepts"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(meta, progress=stop, **options)


def test_bad_rows_from_before_an_interruption_are_reported(run: Import, meta: Path) -> None:
    with meta.joinpath("MRSTY.RRF").open("a") as file:
        file.write("C1|\n")
    interrupt(run, meta)
    assert run(meta).bad["MRSTY.RRF"].samples == ("MRSTY.RRF:11: 1 columns instead of 6",)


@pytest.mark.parametrize("change", ["file", "options"])
def test_other_files_or_options_start_anew_and_it_is_said(run: Import, meta: Path, change: str) -> None:
    interrupt(run, meta)
    if change == "file":
        with meta.joinpath("MRSTY.RRF").open("a") as file:
            file.write("C0011849|T033|A1|Finding|AT1||\n")
    told: list[str] = []
    options = {"vocabularies": ["MSH"]} if change == "options" else {}
    report = run(meta, progress=lambda text, _: told.append(text), **options)
    assert report.started.startswith("started anew: the interrupted import was of another release")
    assert told[0].startswith("started anew")
    assert report.counts["types"] == (10 if change == "file" else 3)


def test_a_damaged_unfinished_store_is_begun_anew(run: Import, meta: Path, home: Path) -> None:
    interrupt(run, meta)
    home.joinpath(f"{FILE_NAME}.importing").write_bytes(b"rubbish" * 1000)
    assert run(meta).started.startswith("started anew")
