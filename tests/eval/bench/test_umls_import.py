from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from eval.bench.umls_import import FULL_RELATIONS, Measured, extrapolated, main

SMALL = Measured(100, 500, 2.0, 2.0, 100, 50, 1000, 900, {})


def test_a_full_release_is_on_the_line_through_two_sizes() -> None:
    large = replace(SMALL, names=1000, relations=5000, seconds=11.0, disk=10_000)
    seconds, memory, disk = extrapolated(SMALL, large)
    assert seconds == pytest.approx(FULL_RELATIONS / 500 + 1)
    assert memory == 100
    assert disk == pytest.approx(FULL_RELATIONS * 2)


def test_it_measures_two_sizes_and_says_that_the_rest_is_extrapolated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["--names", "400", "--relations", "800", "--folder", str(tmp_path)])
    told = capsys.readouterr().out.splitlines()
    assert told[1].split()[:2] == ["40", "80"]
    assert told[2].split()[:2] == ["400", "800"]
    assert any(line.strip().startswith("importing MRREL") for line in told)
    assert "It is an extrapolation" in told[-1]
