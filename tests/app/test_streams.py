"""The standard streams as shells leave them: closed, full, of another encoding, of no width."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = f"{sys.executable} -c 'from app.cli import main; main()'"


def run(command: str, home: Path, **variables: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "MEDATTEST_HOME": str(home), **variables}
    return subprocess.run(["bash", "-c", f"{COMMAND} {command}"], capture_output=True, check=False, env=environment)


@pytest.mark.parametrize(
    ("command", "status", "told"),
    [
        ("link gout >/dev/full", 1, "no space left"),
        ("doctor --json >/dev/full", 1, "no space left"),
        ("link gout >&-", 2, "standard output is closed"),
        ("verify - <&-", 2, "standard input is closed"),
        ("knowledge lookup $'gout\\xff'", 2, "no text in UTF-8"),
        ("ask 'What is gout?' --thread $'t\\xff'", 2, "no text in UTF-8"),
    ],
)
def test_what_cannot_be_told_or_read_is_one_sentence(model_home: Path, command: str, status: int, told: str) -> None:
    ended = run(command, model_home)
    error = ended.stderr.decode()
    assert ended.returncode == status
    assert "Traceback" not in error
    assert told in error.splitlines()[-1]


def test_nobody_has_to_watch_the_errors(model_home: Path) -> None:
    ended = run("link gout 2>&-", model_home)
    assert ended.returncode == 0
    assert b"Gout" in ended.stdout


def test_a_terminal_of_no_width_shows_all(model_home: Path) -> None:
    assert b"Gout" in run("knowledge lookup gout", model_home, COLUMNS="0").stdout


def test_what_an_encoding_lacks_is_escaped_and_json_stays_json(model_home: Path) -> None:
    ended = run("link 'Sjögren syndrome' --json", model_home, PYTHONIOENCODING="ascii")
    assert ended.stdout.isascii()
    assert json.loads(ended.stdout)["mentions"][0]["text"] == "Sjögren syndrome"
