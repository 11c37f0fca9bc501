from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from eval.synthetic.rrf import main, write_release
from tools.knowledge.progress import silent
from tools.knowledge.umls import import_umls
from tools.knowledge.umls.release import find_release
from tools.knowledge.umls.rows import LAYOUTS


def test_the_same_seed_gives_the_same_release(tmp_path: Path) -> None:
    one, two, other = (write_release(tmp_path / name, 400, 800, seed) for name, seed in (("a", 1), ("b", 1), ("c", 2)))
    for path in one.iterdir():
        assert path.read_bytes() == two.joinpath(path.name).read_bytes()
    assert one.joinpath("MRCONSO.RRF").read_bytes() != other.joinpath("MRCONSO.RRF").read_bytes()


def test_tables_have_the_columns_and_rows_asked_for(tmp_path: Path) -> None:
    release = find_release(write_release(tmp_path, 400, 800))
    assert release.name == "2024AA"
    assert release.missing == ()
    for layout in LAYOUTS:
        if layout.name in release.tables:
            assert not any(parsed.bad for parsed in release.small(layout)), layout.name
    for name, rows in (("MRCONSO", 400), ("MRREL", 800)):
        assert release.tables[name].parts[0].read_bytes().count(b"\n") == rows


def test_there_is_something_of_everything(tmp_path: Path) -> None:
    meta = write_release(tmp_path, 400, 2000)
    rows = [line.split("|") for line in meta.joinpath("MRCONSO.RRF").read_text("utf-8").splitlines()]
    assert set(Counter(row[1] for row in rows)) == {"ENG", "SPA"}
    assert set(Counter(row[16] for row in rows)) == {"N", "O", "Y"}
    related = {line.split("|")[7] for line in meta.joinpath("MRREL.RRF").read_text("utf-8").splitlines()}
    assert related >= {"", "isa", "inverse_isa", "may_treat", "disease_excludes_finding", "is_not_finding_of_disease"}


def test_each_statement_is_there_from_both_ends(tmp_path: Path) -> None:
    meta = write_release(tmp_path / "made", 400, 2000)
    lines = (line.split("|") for line in meta.joinpath("MRREL.RRF").read_text("utf-8").splitlines())
    pairs = Counter((row[0], row[4]) for row in lines)
    assert all(pairs[b, a] == count for (a, b), count in pairs.items())
    report = import_umls(meta, tmp_path / "home", loaders=[], progress=silent)
    assert 700 < report.counts["relations"] < 1000


def test_it_is_a_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([str(tmp_path), "--names", "40", "--relations", "80"])
    assert capsys.readouterr().out == f"{tmp_path / 'META'}\n"
