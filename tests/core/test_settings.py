from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from core.errors import SettingsError, UsageError
from core.settings import Settings, load_settings

EXAMPLE = Path(__file__).parents[2] / ".env.example"


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"MEDATTEST_{name.upper()}", raising=False)
    monkeypatch.chdir(tmp_path)


def test_the_example_lists_every_setting_with_its_description() -> None:
    listed = dict(re.findall(r"^# (\S.*)\n# MEDATTEST_(\w+)=", EXAMPLE.read_text(), flags=re.MULTILINE))
    described = {field.description: name.upper() for name, field in Settings.model_fields.items()}
    assert listed == described


def test_the_example_sets_nothing_as_it_stands() -> None:
    assert not [line for line in EXAMPLE.read_text().splitlines() if line and not line.startswith("#")]


def test_the_example_shows_the_defaults(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(re.sub(r"^# (?=MEDATTEST_)", "", EXAMPLE.read_text(), flags=re.MULTILINE))
    assert load_settings() == Settings(_env_file=None)
    given = {name for name, field in Settings.model_fields.items() if field.default not in (None, "", ())}
    assert load_settings().model_fields_set == given


def test_with_nothing_set_nothing_leaves_the_machine() -> None:
    settings = load_settings()
    assert (settings.model, settings.chroma_url, settings.tracing) == (None, None, False)
    assert set(settings.sources) <= {"library", "knowledge", "repository", "given"}


def test_an_argument_beats_the_environment_beats_the_file_beats_the_default(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert load_settings().rounds == 1
    (tmp_path / ".env").write_text("MEDATTEST_ROUNDS=3\nMEDATTEST_SELECT=4\nOTHER_PROGRAM=1\n")
    assert load_settings().rounds == 3
    monkeypatch.setenv("MEDATTEST_ROUNDS", "5")
    assert (load_settings().rounds, load_settings().select) == (5, 4)
    assert load_settings(rounds=7).rounds == 7


def test_an_empty_variable_is_as_if_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEDATTEST_MODEL", "")
    monkeypatch.setenv("MEDATTEST_ROUNDS", "")
    assert (load_settings().model, load_settings().rounds) == (None, 1)


def test_sources_are_a_list_with_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEDATTEST_SOURCES", "repository, given")
    assert load_settings().sources == ("repository", "given")


def test_the_data_directory_is_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert load_settings(home="data").home == tmp_path / "data"
    monkeypatch.setenv("HOME", "/home/someone")
    assert load_settings().home == Path("/home/someone/.medattest")


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("MEDATTEST_ROUNDS", "two"),
        ("MEDATTEST_ROUNDS", "-1"),
        ("MEDATTEST_ROUNDS", "11"),
        ("MEDATTEST_MMR_LAMBDA", "1.01"),
        ("MEDATTEST_ACCEPT_RISK", "nan"),
        ("MEDATTEST_SOURCE_DEADLINE", "0"),
        ("MEDATTEST_SOURCE_DEADLINE", "inf"),
        ("MEDATTEST_SELECT", "0"),
        ("MEDATTEST_THREADS", "0"),
        ("MEDATTEST_CHUNK_TOKENS", "8"),
        ("MEDATTEST_MODEL_TEMPERATURE", "3"),
        ("MEDATTEST_TRACING", "perhaps"),
        ("MEDATTEST_SOURCES", '["the web"]'),
    ],
)
def test_a_value_that_cannot_work_is_refused_by_name(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError, match=rf"\b{variable}: .*mend the environment or \.env") as caught:
        load_settings()
    assert isinstance(caught.value, UsageError)


@pytest.mark.parametrize(
    ("variable", "value"), [("MEDATTEST_SOURCES", "knowledge,google"), ("MEDATTEST_HOME", "~nobody-here/data")]
)
def test_a_value_that_cannot_be_read_is_refused_by_name(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError, match=variable.removeprefix("MEDATTEST_")):
        load_settings()


def test_passages_cannot_overlap_by_all_they_hold() -> None:
    with pytest.raises(SettingsError, match=r"(?i)chunk_overlap"):
        load_settings(chunk_tokens=64, chunk_overlap=64)


def test_all_faults_are_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEDATTEST_ROUNDS", "two")
    monkeypatch.setenv("MEDATTEST_SELECT", "0")
    with pytest.raises(SettingsError, match=r"(?=.*MEDATTEST_ROUNDS).*MEDATTEST_SELECT"):
        load_settings()


def test_settings_do_not_change_once_read() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        load_settings().rounds = 9  # type: ignore[misc]  # that it is refused is the point


def test_a_setting_that_there_is_not_is_no_silent_default() -> None:
    with pytest.raises(SettingsError, match="tempo: there is no such setting"):
        load_settings(tempo=0)
