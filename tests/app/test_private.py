"""What a trace of a patient's letter holds, at every door: the medicine, and no identifier of the patient."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from langgraph_sdk import get_client
from langserve import RemoteRunnable

from core.settings import Settings
from tests.app.conftest import Medattest
from tests.emulators.doors import serving_langgraph, serving_langserve
from tests.emulators.langsmith import Receiver, receiving_traces
from tests.emulators.models import good
from tests.emulators.openai import Spoken, playing_model

LETTER = """Dear Dr. Margaret Holloway,
Re: Theodore Blankenship, DOB 14/03/1961, MRN 4471829, SSN 123-45-6789
27 Cedar Avenue, Portsmouth, PO4 8QT. Tel 07700 900481, theo.blankenship@example.org
His daughter, Rosalind Blankenship, asks: what are the features of Marfan syndrome? Signed, Delphine Okonjo"""
IDENTIFIERS = (
    "holloway blankenship theodore rosalind delphine okonjo 14/03/1961 4471829 123-45-6789 900481 example.org"
).split()
IDENTIFIERS += ["cedar avenue", "po4 8qt", "portsmouth"]
ASKED: dict[str, Any] = {"question": LETTER, "evidence": ["Marfan syndrome has arachnodactyly as a feature."]}


def echoing(schema: str, system: str, user: str) -> Spoken:
    """A model that answers well, and repeats the letter's names in other forms wherever it may write freely."""
    said = good(schema, system, user)
    if isinstance(said, dict) and "queries" in said:
        return {**said, "queries": ["marfan syndrome theodore blankenship", "features of marfan in mr blankenship"]}
    return said


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving_traces() as receiver:
        yield receiver


@pytest.fixture(params=["without a model", "with a model"])
def environment(
    request: pytest.FixtureRequest, receiver: Receiver, model_home: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[dict[str, str]]:
    """The environment of a program that traces, set in this process too."""
    with ExitStack() as stack:
        values = {"MEDATTEST_HOME": str(model_home), "MEDATTEST_TRACING": "true", **receiver.environment}
        if request.param == "with a model":
            model = stack.enter_context(playing_model(echoing))
            values |= {"MEDATTEST_MODEL": "openai:emulated", "MEDATTEST_MODEL_CACHE": "false"}
            values |= {"OPENAI_BASE_URL": f"{model.url}/v1", "OPENAI_API_KEY": "test"}
        for name, value in values.items():
            monkeypatch.setenv(name, value)
        yield values


def assert_private(traces: str) -> None:
    assert "arachnodactyly" in traces
    lowered = traces.lower()
    assert [identifier for identifier in IDENTIFIERS if identifier in lowered] == []


def test_ask_traces_no_identifier(environment: dict[str, str], receiver: Receiver, medattest: Medattest) -> None:
    ran = medattest("ask", LETTER, "--json")
    assert ran.status in (0, 3), ran.err
    assert_private(receiver.runs)


def test_the_name_of_a_thread_is_not_traced(
    receiver: Receiver, medattest: Medattest, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"MEDATTEST_TRACING": "true", **receiver.environment}.items():
        monkeypatch.setenv(name, value)
    ran = medattest("ask", "What is asthma?", "--thread", "theodore.blankenship.1961-03-14", "--sources", "knowledge")
    assert ran.status in (0, 3), ran.err
    assert "thread_id" in receiver.runs
    assert [part for part in ("theodore", "blankenship", "1961-03") if part in receiver.runs.lower()] == []


def test_serve_traces_no_identifier(environment: dict[str, str], receiver: Receiver) -> None:
    config: Any = {"tags": ["theodore blankenship"], "metadata": {"patient": "Theodore Blankenship"}}
    with serving_langserve(Settings()) as url:
        door: RemoteRunnable[Any, Any] = RemoteRunnable(f"{url}/medical_qa")
        door.invoke(ASKED, config)
        assert list(door.stream(ASKED))
    assert_private(receiver.runs)


async def test_langgraph_dev_traces_no_identifier(
    environment: dict[str, str], receiver: Receiver, tmp_path: Path
) -> None:
    with serving_langgraph(environment, tmp_path / "log") as url:
        async with get_client(url=url) as client:
            config: Any = {"tags": ["Theodore Blankenship"], "run_name": "Theodore Blankenship's question"}
            metadata = {"patient": "Theodore Blankenship", "phone": "07700 900481"}
            await client.runs.wait(None, "medical_qa", input=ASKED, config=config, metadata=metadata)
            plain: Any = {"question": "What is arachnodactyly?"}
            numbers = {"mrn": 5583920, "phone": 7700955512, "dob": "1958-11-23", "case": "6640271"}
            await client.runs.wait(None, "medical_qa", input=plain, metadata=numbers)
            nothing: Any = {"text": "", "question": "Theodore Blankenship asks"}
            await client.runs.wait(None, "verification", input=nothing, raise_error=False)
        traces = receiver.wait_for("no text to verify")
        assert_private(traces)
        assert [number for number in map(str, numbers.values()) if number in traces] == []


@pytest.mark.parametrize("variable", ["LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2"])
def test_langsmiths_own_variable_alone_traces_nothing(
    receiver: Receiver, medattest: Medattest, model_home: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    for name, value in {**receiver.environment, variable: "true"}.items():
        monkeypatch.setenv(name, value)
    assert medattest("ask", "What is Marfan syndrome?").status == 0
    with serving_langserve(Settings(home=model_home)) as url:
        RemoteRunnable[Any, Any](f"{url}/medical_qa").invoke({"question": "What is Marfan syndrome?"})
    assert receiver.runs == ""


async def test_langgraph_dev_traces_nothing_by_langsmiths_own_variable(
    receiver: Receiver, model_home: Path, tmp_path: Path
) -> None:
    environment = {**receiver.environment, "LANGSMITH_TRACING": "true", "MEDATTEST_HOME": str(model_home)}
    with serving_langgraph(environment, tmp_path / "log") as url:
        async with get_client(url=url) as client:
            assert await client.runs.wait(None, "medical_qa", input=ASKED)
    assert "arachnodactyly" not in receiver.runs
    assert "blankenship" not in receiver.runs.lower()
