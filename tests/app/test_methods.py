"""Methods, consultations and models, through the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.presets import presets
from tests.app.conftest import Medattest
from tests.emulators.models import down, good
from tests.emulators.openai import playing_model

TREATED = "How is zorblax fever treated?"
LEAFLET = "Zorblax fever is treated with glimepride tea."


@pytest.fixture
def leaflet(tmp_path: Path) -> Path:
    file = tmp_path / "leaflet.txt"
    file.write_text(LEAFLET, encoding="utf-8")
    return file


def test_a_system_answers_by_its_name_and_says_that_it_drops_nothing(medattest: Medattest, leaflet: Path) -> None:
    ran = medattest("ask", TREATED, "--method", "rag", "--sources", "given", "--evidence", leaflet, "--json")
    answer = json.loads(ran.out)
    assert (answer["method"], answer["text"]) == ("rag", LEAFLET)
    assert "not attested are shown" in answer["notices"][0]


def test_parts_are_left_out_one_by_one_or_with_commas(medattest: Medattest, leaflet: Path) -> None:
    ran = medattest("ask", TREATED, "--without", "expansion,mmr", "--without", "loop", "--evidence", leaflet, "--json")
    assert len(json.loads(ran.out)["queries"]) == 1


def test_the_doctor_tells_what_a_method_was_published_with(
    medattest: Medattest, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = medattest("doctor", "--method", "halo").out
    fixed = ",".join(presets()["halo"]["fixed_exemplars"])
    for line in (
        "MEDATTEST_QUERIES=3",
        "MEDATTEST_LIVE_QUERIES=20",
        "MEDATTEST_MMR_LAMBDA=0.5",
        "MEDATTEST_MMR_QUESTION=false",
        "MEDATTEST_EXEMPLARS=5",
        f"MEDATTEST_FIXED_EXEMPLARS={fixed}",
    ):
        assert line in told.splitlines()
    assert "MEDATTEST_EMBEDDER=hkunlp/instructor-xl" in told
    shown = json.loads(medattest("doctor", "--method", "halo", "--json").out)
    assert shown["published"] == presets()["halo"]
    monkeypatch.setenv("MEDATTEST_LIVE_QUERIES", "3")
    assert "MEDATTEST_LIVE_QUERIES=20  (here 3)" in medattest("doctor", "--method", "halo").out.splitlines()


@pytest.mark.parametrize(
    "written",
    [
        "Patient: I have Marfan syndrome.\nDoctor: Since when?\nPatient: Since birth,\nthey told me.",
        json.dumps([{"role": "patient", "text": "I have Marfan syndrome."}]),
    ],
)
def test_a_consultation_comes_from_a_file(medattest: Medattest, tmp_path: Path, written: str) -> None:
    history = tmp_path / "history.txt"
    history.write_text(written, encoding="utf-8")
    ran = medattest("ask", "Which features may I have?", "--history", history, "--json")
    answer = json.loads(ran.out)
    assert not answer["abstained"], answer["reason"]
    assert "Marfan syndrome" in answer["text"]


def test_a_danger_is_told_before_the_answer(medattest: Medattest) -> None:
    ran = medattest("ask", "I have crushing chest pain right now and cannot breathe, what is it?")
    assert ran.out.lower().index("emergency") < ran.out.index("Risk")
    assert ran.status in (0, 3)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--method", "magic"), "--method"),
        (("--method", "vanilla"), "MEDATTEST_MODEL"),
        (("--verbatim",), "certified"),
        (("--history", "none.txt"), "none.txt"),
        (("--task", "choice"), "--option"),
    ],
)
def test_wrong_use_says_what_to_do(medattest: Medattest, arguments: tuple[str, ...], says: str) -> None:
    ran = medattest("ask", TREATED, *arguments)
    assert ran.status == 2, ran.err
    assert says in ran.err
    assert ran.out == ""


def test_a_history_without_roles_names_its_line(medattest: Medattest, tmp_path: Path) -> None:
    history = tmp_path / "history.txt"
    history.write_text("I have asthma.", encoding="utf-8")
    ran = medattest("ask", TREATED, "--history", history)
    assert ran.status == 2
    assert f"{history}:1" in ran.err


def test_a_model_named_in_the_environment_answers_and_is_counted(
    medattest: Medattest, monkeypatch: pytest.MonkeyPatch, leaflet: Path, tmp_path: Path
) -> None:
    monkeypatch.setenv("MEDATTEST_MODEL", "openai:emulated")
    monkeypatch.setenv("MEDATTEST_MODEL_CACHE", "false")
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    with playing_model(good) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        ran = medattest("ask", TREATED, "--sources", "given", "--evidence", leaflet)
    assert ran.status == 0, ran.err
    assert "✓ Zorblax fever is treated with glimepride tea" in ran.out
    assert "openai:emulated engine" in ran.out
    assert "tokens" in ran.out


def test_where_a_model_is_down_the_evidence_answers_and_the_failure_is_told(
    medattest: Medattest, monkeypatch: pytest.MonkeyPatch, leaflet: Path
) -> None:
    monkeypatch.setenv("MEDATTEST_MODEL", "openai:emulated")
    monkeypatch.setenv("MEDATTEST_MODEL_RETRIES", "0")
    monkeypatch.setenv("MEDATTEST_MODEL_CACHE", "false")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    with playing_model(down) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        ran = medattest("ask", TREATED, "--sources", "given", "--evidence", leaflet, "--json")
    answer = json.loads(ran.out)
    assert ran.status == 0, answer["reason"]
    assert (answer["engine"], answer["text"]) == ("evidence-only", LEAFLET)
    assert "model, answer" in {failure["source"] for failure in answer["failures"]}
    assert "sk-secret" not in ran.out + ran.err
