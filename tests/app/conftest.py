from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from app.cli import main


class Ran(NamedTuple):
    status: int
    out: str
    err: str


Medattest = Callable[..., Ran]


@pytest.fixture
def medattest(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], model_home: Path) -> Medattest:
    """The command line, in this process; the data directory has what is built once."""
    monkeypatch.setenv("MEDATTEST_HOME", str(model_home))
    monkeypatch.setenv("COLUMNS", "200")

    thresholds = gc.get_threshold()

    def run(*arguments: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["medattest", *map(str, arguments)])
        status = 0
        try:
            main()
        except SystemExit as ended:
            status = int(ended.code or 0)
        gc.set_threshold(*thresholds)  # ``main`` has garbage looked for seldom, and this process runs on
        out, err = capsys.readouterr()
        return Ran(status, out, err)

    return run
