"""How the command line looks to a person, and to what it is piped into."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
from rich.console import Console

from app import render
from app.wrapping import show_text
from tests.app.conftest import Medattest

FEATURES = "What are the features of Marfan syndrome?"
LONG = "Zorblax fever is treated with glimepride tea for ten days at https://example.org/" + "x" * 60 + " and rest."


def printed(capsys: pytest.CaptureFixture[str], *, terminal: bool) -> list[str]:
    show_text(Console(force_terminal=terminal, color_system=None, width=40), LONG, first=2, rest=6)
    return capsys.readouterr().out.splitlines()


def test_long_lines_hang_on_a_terminal_and_are_whole_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    first, *rest = printed(capsys, terminal=True)
    assert first.startswith("  Zorblax")
    assert all(line.startswith("      ") and line[6] != " " for line in rest)
    assert len(rest) == 3
    assert all(len(line) <= 40 or line.strip().startswith("https://") for line in [first, *rest])
    assert " ".join(line.strip() for line in [first, *rest]) == LONG
    assert printed(capsys, terminal=False) == [f"  {LONG}"]


def test_markup_may_go_over_several_lines(capsys: pytest.CaptureFixture[str]) -> None:
    show_text(Console(force_terminal=False), "[dim]one\n\ntwo[/dim]", first=2)
    assert capsys.readouterr().out.splitlines() == ["  one", "  ", "  two"]


@pytest.fixture
def wordy(medattest: Medattest, tmp_path: Path) -> Iterator[Path]:
    """A document with a long name, a long title and long lines, indexed while the test runs."""
    file = tmp_path / f"{'leaflet-' * 12}.md"
    title = "# Glimepride tea, and other ways to treat zorblax fever in those who are bitten often, and in others"
    file.write_text(f"{title}\n\n{LONG}\n")
    medattest("index", file, "--collection", "wordy")
    yield file
    medattest("collections", "delete", "wordy", "--yes")


@pytest.mark.parametrize(
    "arguments",
    [
        ("ask", "How is zorblax fever treated in those who cannot drink tea?", "--sources", "repository"),
        ("search", "zorblax fever", "--collection", "wordy"),
        ("collections", "list"),
        ("collections", "show", "wordy"),
        ("knowledge", "lookup", "asthma"),
        ("knowledge", "path", "asthma", "eosinophilia"),
        ("exemplars", "list"),
        ("library",),
        ("link", "asthma and Marfan syndrome"),
        ("rank", "How is zorblax fever treated?", "--evidence"),
    ],
)
def test_what_is_piped_has_whole_lines_however_wide_a_terminal_would_be(
    medattest: Medattest, monkeypatch: pytest.MonkeyPatch, wordy: Path, arguments: tuple[str, ...]
) -> None:
    piped = []
    for columns in ("40", "4000"):
        monkeypatch.setenv("COLUMNS", columns)
        render.out.cache_clear()
        piped.append(medattest(*arguments, *([wordy] if arguments[0] == "rank" else [])).out)
        render.out.cache_clear()
    assert piped[0] == piped[1]
    assert max(map(len, piped[0].splitlines())) > 40


def test_a_search_hit_hangs_on_a_terminal(medattest: Medattest, monkeypatch: pytest.MonkeyPatch, wordy: Path) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr(render, "out", lambda: Console(force_terminal=True, color_system=None, highlight=False))
    monkeypatch.setattr("app.documents.out", render.out)
    first, *rest = medattest("search", "zorblax fever", "--collection", "wordy").out.splitlines()
    assert first.startswith("1.000  ") or first[1] == "."
    assert len(rest) > 3
    assert all(not line or line.startswith("       ") for line in rest)


def test_steps_are_shown_to_who_watches(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    step = {"node": "retrieve", "seconds": 0.1, "did": "8 passages"}
    render.show_step(step)
    assert capsys.readouterr().err == ""
    monkeypatch.setenv("FORCE_COLOR", "1")
    render.err.cache_clear()
    render.show_step(step)
    render.err.cache_clear()
    assert "retrieve" in capsys.readouterr().err


def test_a_quiet_program_tells_failures_alone(medattest: Medattest, tmp_path: Path) -> None:
    (tmp_path / "broken.jsonl").write_text("{\n")
    (tmp_path / "fine.txt").write_text("Zorblax fever is treated with tea.")
    try:
        assert "broken.jsonl:1" in medattest("index", tmp_path, "--collection", "quiet", "--quiet").err
        assert medattest("collections", "delete", "quiet", "--yes").err == ""
    finally:
        render.err().quiet = False


def test_the_version_is_told(medattest: Medattest) -> None:
    assert medattest("--version").out == f"medattest {version('medattest')}\n"


def test_a_shell_can_complete() -> None:
    program = str(Path(sys.executable).parent / "medattest")
    environment = {
        **os.environ,
        "_MEDATTEST_COMPLETE": "complete_bash",
        "COMP_WORDS": "medattest know",
        "COMP_CWORD": "1",
    }
    ran = subprocess.run([program], env=environment, capture_output=True, text=True, check=False)
    assert ran.stdout.split() == ["knowledge"]


def test_a_name_that_is_no_setting_is_told_with_the_nearest(
    medattest: Medattest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("MEDATTEST_ZZZ=1\n")
    monkeypatch.setenv("MEDATTEST_SOURCE", "pubmed")
    ran = medattest("collections", "list")
    assert ran.status == 0
    assert "MEDATTEST_SOURCE is no setting and is not read: did you mean MEDATTEST_SOURCES?" in ran.err
    assert "MEDATTEST_ZZZ is no setting" in ran.err


def test_a_line_that_is_no_setting_is_told_by_its_number_and_not_shown(
    medattest: Medattest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("# mine\nMEDATTEST_ROUNDS=1\n=sk-secret\nexport A=b\n")
    ran = medattest("collections", "list")
    assert ran.status == 0
    assert ran.err.count(f"line 3 of {tmp_path / '.env'} is no NAME=value and is not read") == 1
    assert "line 4" not in ran.err
    assert "secret" not in ran.err
    assert not caplog.records


@pytest.mark.parametrize("endpoint", ["ht!tp://%%%", "localhost:1984", "http://[::1"])
def test_traces_are_not_sent_to_what_is_no_address(
    medattest: Medattest, monkeypatch: pytest.MonkeyPatch, endpoint: str
) -> None:
    monkeypatch.setenv("MEDATTEST_TRACING", "true")
    monkeypatch.setenv("LANGSMITH_ENDPOINT", endpoint)
    ran = medattest("ask", "What is gout?")
    assert ran.status == 2
    assert ran.err.count("LANGSMITH_ENDPOINT is no http(s) address") == 1
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize("value", ["many", ""])
def test_the_doctor_runs_whatever_is_wrong(medattest: Medattest, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("MEDATTEST_ROUNDS", value)
    monkeypatch.setenv("MEDATTEST_HOME", "/dev/null/there")
    ran = medattest("doctor")
    assert ran.status == 1
    assert "Traceback" not in ran.err
    assert "langgraph" in ran.out
    assert ("MEDATTEST_ROUNDS" if value else "/dev/null") in ran.out


@pytest.mark.parametrize(
    ("name", "value", "part"),
    [
        ("MEDATTEST_RETRIEVERS", "ours=nowhere:Retriever", "sources"),
        ("MEDATTEST_CROSS_ENCODER", "x/y", "cross-encoder"),
    ],
)
def test_the_doctor_loads_what_is_named(
    medattest: Medattest, monkeypatch: pytest.MonkeyPatch, name: str, value: str, part: str
) -> None:
    monkeypatch.setenv(name, value)
    ran = medattest("doctor", "--json")
    looked = {check["name"]: check["works"] for check in json.loads(ran.out)}
    assert not looked.pop(part)
    assert all(looked.values())


def test_settings_stand_in_the_checkout_too_and_the_folder_rules(tmp_path: Path) -> None:
    checkout, here = tmp_path / "checkout", tmp_path / "here"
    here.mkdir()
    shutil.copytree(Path(render.__file__).parent.parent / "core", checkout / "core")
    (checkout / ".env").write_text("MEDATTEST_ROUNDS=7\nMEDATTEST_SELECT=7\n")
    (here / ".env").write_text("MEDATTEST_ROUNDS=5\n")
    code = "from core.settings import load_settings as l; s = l(); print(s.rounds, s.select)"
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, cwd=here, env=environment, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["5", "7"]


def test_a_look_up_suggests_and_shows_all_when_asked(medattest: Medattest) -> None:
    ran = medattest("knowledge", "lookup", "marfan")
    assert ran.status == 3
    assert "did you mean: Marfan" in ran.err
    some = medattest("knowledge", "lookup", "heart attack").out
    everything = medattest("knowledge", "lookup", "heart attack", "--all").out
    assert "more (--all)" in some
    assert "more (--all)" not in everything
    assert len(everything) > len(some)


def test_where_every_source_failed_nothing_is_withheld(medattest: Medattest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEDATTEST_ENTREZ_URL", "http://127.0.0.1:9/entrez")
    monkeypatch.setenv("MEDATTEST_SOURCE_DEADLINE", "1")
    ran = medattest("ask", FEATURES, "--sources", "pubmed", "--without", "loop")
    assert ran.status == 1
    assert "pubmed" in ran.out
