from __future__ import annotations

import gzip
import shutil
import sqlite3
from collections import namedtuple
from pathlib import Path

import pytest

from core.errors import DataMissing, InputError, StoreBusy, StoreError
from tests.tools.knowledge.umls.conftest import Import, Rows
from tests.tools.knowledge.umls.meta import NAMES, write_meta
from tools.knowledge.database import FILE_NAME, locked
from tools.knowledge.progress import silent

_Usage = namedtuple("_Usage", "total used free")


def test_bad_rows_are_counted_and_named_and_the_others_are_read(run: Import, tmp_path: Path, rows: Rows) -> None:
    meta = write_meta(tmp_path, [NAMES[0], NAMES[0].replace("C0011849", "C001184X"), *NAMES])
    with meta.joinpath("MRCONSO.RRF").open("ab") as file:
        file.write(NAMES[1].encode().replace(b"diabetes", b"di\xffbetes") + b"\n\nC0000001|ENG|P|\nC0000002|ENG|P|L00")
    with meta.joinpath("MRREL.RRF").open("a") as file:
        file.write(f"C1{'|' * 16}\n" * 6)
    report = run(meta)
    last = len(NAMES) + 2
    assert (report.bad["MRCONSO.RRF"].count, report.bad["MRREL.RRF"].count) == (4, 6)
    assert report.bad["MRCONSO.RRF"].samples == (
        "MRCONSO.RRF:2: 'C001184X' is no CUI",
        f"MRCONSO.RRF:{last + 1}: not UTF-8",
        f"MRCONSO.RRF:{last + 3}: 3 columns instead of 18",
        f"MRCONSO.RRF:{last + 4}: 3 columns instead of 18",
    )
    assert len(report.bad["MRREL.RRF"].samples) == 5
    assert rows("SELECT COUNT(*) FROM concepts") == [(8,)]


def test_a_folder_that_is_no_meta_is_refused_with_what_to_do(run: Import, tmp_path: Path, meta: Path) -> None:
    with pytest.raises(InputError, match=r"no folder: give the META folder"):
        run(tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"has no MRCONSO\.RRF: give the META folder"):
        run(tmp_path)
    meta.joinpath("MRSTY.RRF").unlink()
    with pytest.raises(InputError, match=r"has no MRSTY\.RRF"):
        run(meta)


def test_the_folder_above_meta_will_do(run: Import, meta: Path) -> None:
    assert run(meta.parent).counts["concepts"] == 8


@pytest.mark.parametrize("name", ["MRCONSO.RRF", "MRSTY.RRF", "MRREL.RRF", "MRDEF.RRF"])
def test_a_file_that_is_something_else_is_refused_before_anything_is_done(
    run: Import, meta: Path, home: Path, name: str
) -> None:
    other = "MRSTY.RRF" if name != "MRSTY.RRF" else "MRDEF.RRF"
    meta.joinpath(name).write_bytes(meta.joinpath(other).read_bytes() * 200)
    with pytest.raises(InputError, match=rf"{name} is no {name[:-4]} table: .* columns instead of"):
        run(meta)
    assert not home.exists()


def test_a_tenth_of_the_first_thousand_rows_may_be_bad(run: Import, tmp_path: Path) -> None:
    good = NAMES[0]
    assert run(write_meta(tmp_path, [good] * 900 + ["bad|"] * 100 + ["bad|"] * 500)).bad["MRCONSO.RRF"].count == 600
    with pytest.raises(InputError, match="101 of its first 1000 rows are wrong"):
        run(write_meta(tmp_path, [good] * 899 + ["bad|"] * 101))


def test_an_empty_table_is_refused(run: Import, meta: Path) -> None:
    meta.joinpath("MRCONSO.RRF").write_bytes(b"")
    with pytest.raises(InputError, match=r"MRCONSO\.RRF is empty"):
        run(meta)


def test_too_little_room_is_said_before_starting(
    run: Import, meta: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: _Usage(10**12, 10**12, 1_000_000))
    with pytest.raises(StoreError, match=r"too little room: the import may need 0\.2 GB and 0\.0 GB are free"):
        run(meta)
    assert not list(home.glob("*.importing"))


def test_a_full_disk_leaves_the_old_store_and_says_what_is_needed(run: Import, meta: Path, home: Path) -> None:
    home.mkdir()
    home.joinpath(FILE_NAME).write_text("the old one")

    def full(text: str, _: float) -> None:
        if text.startswith("writing concepts"):
            raise sqlite3.OperationalError("database or disk is full")

    with pytest.raises(StoreError, match=r"disk is full\); what is done is kept.* may need 0\.2 GB"):
        run(meta, progress=full)
    assert home.joinpath(FILE_NAME).read_text("utf-8") == "the old one"
    assert run(meta).started == "went on with an interrupted import"


def test_a_home_that_cannot_be_written_is_an_error(run: Import, meta: Path, home: Path) -> None:
    home.write_text("in the way")
    with pytest.raises(StoreError, match="MEDATTEST_HOME"):
        run(meta)


def test_one_imports_at_a_time(run: Import, meta: Path, home: Path) -> None:
    home.mkdir()
    with (
        locked(home / f"{FILE_NAME}.importing.lock", 0, silent),
        pytest.raises(StoreBusy, match="another process is importing into"),
    ):
        run(meta)


def test_a_missing_data_wheel_is_said_first(run: Import, meta: Path, home: Path) -> None:
    class Missing:
        def fingerprint(self) -> str:
            raise DataMissing("the data wheel is not installed: run `make setup`")

    with pytest.raises(DataMissing, match="make setup"):
        run(meta, loaders=[Missing()])
    assert not home.exists()


def test_a_damaged_compressed_part_is_refused(run: Import, meta: Path) -> None:
    plain = meta / "MRCONSO.RRF"
    packed = gzip.compress(plain.read_bytes())
    meta.joinpath("MRCONSO.RRF.aa.gz").write_bytes(packed[: len(packed) // 2])
    plain.unlink()
    with pytest.raises(InputError, match=r"MRCONSO\.RRF\.aa\.gz is damaged"):
        run(meta)
