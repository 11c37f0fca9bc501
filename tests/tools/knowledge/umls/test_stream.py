from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from core.errors import InputError
from tests.tools.knowledge.umls.conftest import Import, Rows
from tools.knowledge.umls.stream import Stream, found

LINES = b"".join(f"line {n}\n".encode() for n in range(200))


def parts(folder: Path, packed: bool) -> Stream:
    """The lines in three parts that cut lines."""
    for n, name in enumerate(("aa", "ab", "ac")):
        part = LINES[n * 500 : (n + 1) * 500 if n < 2 else None]
        path = folder / f"T.RRF.{name}{'.gz' if packed else ''}"
        path.write_bytes(gzip.compress(part) if packed else part)
    stream = found(folder, "T.RRF")
    assert stream is not None
    return stream


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("size", [7, 64, 10_000])
def test_blocks_are_whole_lines_and_any_end_is_a_begin(tmp_path: Path, packed: bool, size: int) -> None:
    stream = parts(tmp_path, packed)
    blocks = list(stream.blocks(size=size))
    assert b"".join(block.data for block in blocks) == LINES
    assert all(block.data.endswith(b"\n") for block in blocks)
    assert blocks[-1].read == stream.size
    for block in blocks:
        assert b"".join(rest.data for rest in stream.blocks(block.end, size)) == LINES[block.end :]


def test_a_last_line_without_its_end_is_a_line(tmp_path: Path) -> None:
    path = tmp_path / "T.RRF"
    path.write_bytes(b"one\ntwo")
    assert [block.data for block in Stream((path,)).blocks()] == [b"one\n", b"two"]


def test_a_file_without_lines_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "T.RRF"
    path.write_bytes(b"\0" * (1 << 25))
    with pytest.raises(InputError, match="no RRF table"):
        list(Stream((path,)).blocks())


def test_a_release_in_compressed_parts_gives_the_same_store(run: Import, meta: Path, rows: Rows) -> None:
    run(meta)
    whole = rows("SELECT * FROM names"), rows("SELECT * FROM relations")
    for name in ("MRCONSO.RRF", "MRREL.RRF"):
        content = meta.joinpath(name).read_bytes()
        for n, letter in enumerate("ab"):
            half = content[n * 333 : 333 if not n else None]
            meta.joinpath(f"{name}.a{letter}.gz").write_bytes(gzip.compress(half))
        meta.joinpath(name).unlink()
    run(meta)
    assert (rows("SELECT * FROM names"), rows("SELECT * FROM relations")) == whole
