"""What a batch may write into, and what it leaves alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError, StoreError
from core.records import open_output, read_records

FOREIGN = [
    '{"id": "a", "v": 1}\n{"id": "a", "v": 2}\n',  # lines of one id would be settled into one
    '{"id": 1, "record": "x"}\n',
    '{"id": "a", "record": "x", "error": "boom"}\n',
]


@pytest.mark.parametrize(
    "text", ["my precious notes", '{"precious": [1, 2, 3]}', '{"id": "a"}\nnotes', '[1]\n{"id"', *FOREIGN]
)
def test_what_no_batch_has_written_is_left_as_it_is(tmp_path: Path, text: str) -> None:
    file = tmp_path / "notes.txt"
    file.write_text(text)
    with pytest.raises(InputError, match="other lines"), open_output(file):
        pass
    assert file.read_text() == text


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_line_that_was_cut_short_goes_and_the_others_stay(tmp_path: Path, end: str) -> None:
    file = tmp_path / "out.jsonl"
    whole = "".join(f'{{"id": "z{n}", "record": "é"}}{end}' for n in range(3)).encode()
    file.write_bytes(whole + b'{"id": "z3", "rec')
    with open_output(file) as output:
        assert list(output.lines) == ["z0", "z1", "z2"]
        output.write({"id": "z3"})
    assert file.read_bytes() == whole + b'{"id": "z3"}\n'


def test_a_whole_last_line_without_its_end_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    file.write_text('{"id": "a", "record": "x"}')
    with open_output(file) as output:
        output.write({"id": "b"})
    assert file.read_text() == '{"id": "a", "record": "x"}\n{"id": "b"}\n'


def test_lines_written_anew_keep_who_may_read_them(tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    file.write_text('{"id": "a", "record": "x"}\n')
    file.chmod(0o600)
    with open_output(file) as output:
        output.write({"id": "a", "again": True})
        output.settle()
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.read_text() == '{"id": "a", "again": true}\n'


def test_a_device_is_neither_output_nor_input() -> None:
    with pytest.raises(StoreError, match="regular file"), open_output(Path("/dev/full")):
        pass
    with pytest.raises(InputError, match="is a device"):
        read_records(Path("/dev/zero"))
