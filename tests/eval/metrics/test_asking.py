"""FEQA, QuestEval and perplexity with a model behind a real socket."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from core.errors import ModelUnavailable
from core.model.client import open_model
from core.model.provider import chat_model
from core.settings import Settings
from eval.metrics import Scored, Scorers, score
from eval.metrics.perplexity import LogProbabilities, perplexity
from tests.emulators.http import Emulator, Reply, Request, serving
from tests.emulators.openai import Spoken, playing_model, refusal

CONTEXT = "Metformin is taken with food. Nausea is common."
_TEXT = re.compile(r"<text>\n(.*?)\n?</text>", re.DOTALL)
_QUESTION = re.compile(r"^Question: (.*)$", re.MULTILINE)


def reading(schema: str, system: str, user: str) -> Spoken:
    """It asks for the last word of each sentence, and finds it where the rest of the sentence stands."""
    found = _TEXT.search(user)
    stated = [sentence.strip().rpartition(" ") for sentence in (found.group(1) if found else "").split(".")]
    if schema == "SpanQuestions":
        return {"questions": [{"question": f"{start} what?", "answer": end} for start, _, end in stated if start]}
    asked = _QUESTION.search(user)
    start = asked.group(1).removesuffix(" what?") if asked else ""
    return {"answer": next((end for begun, _, end in stated if begun == start), "")}


def asked(records: list[Scored], name: str, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> list[float | None]:
    with playing_model(reading) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "any")
        model = open_model(settings)
        return score(records, [name], Scorers(model=model))[name]


@pytest.fixture
def with_model(home: Path) -> Settings:
    return Settings(home=home, model="openai:emulated", model_retries=0)


RECORDS = [
    Scored("faithful", "", "Metformin is taken with food.", None, CONTEXT),
    Scored("half", "", "Metformin is taken with food. Nausea is rare.", None, CONTEXT),
    Scored("unfaithful", "", "Metformin is taken with milk.", None, CONTEXT),
    Scored("asks nothing", "", "Yes.", None, CONTEXT),
    Scored("no source", "", "Metformin is taken with food.", None, None),
]


def test_feqa_is_higher_for_a_faithful_answer(with_model: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    assert asked(RECORDS, "feqa", with_model, monkeypatch) == [1.0, 0.5, 0.0, None, None]


def test_questeval_also_asks_what_the_source_says(with_model: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The source asks two questions; the first answer can answer one of them: 2 · 1 · ½ / 1½."""
    found = asked(RECORDS, "questeval", with_model, monkeypatch)
    assert found == [pytest.approx(2 / 3), pytest.approx(2 / 3), 0.0, None, None]


def test_a_model_that_fails_gives_no_number(with_model: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(refusal(401)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "any")
        assert score(RECORDS[:1], ["feqa"], Scorers(model=open_model(with_model)))["feqa"] == [None]


def echoing(body: dict[str, Any]) -> dict[str, Any] | None:
    """As vLLM: every character of the prompt is a token of log-probability −1, the first one of none."""
    if not body.get("echo"):
        return None
    count = len(body["prompt"])
    return {"text_offset": list(range(count)), "token_logprobs": [None] + [-1.0] * (count - 1)}


def forced(body: dict[str, Any]) -> dict[str, Any] | None:
    """As llama.cpp: it writes what the grammar says, word by word, and the end of the text."""
    if "grammar" not in body:
        return {"content": []}
    words = re.findall(r"\s*\S+", json.loads(body["grammar"].removeprefix("root ::= ")))
    return {"content": [{"token": word, "logprob": -2.0} for word in words] + [{"token": "", "logprob": -9.0}]}


@contextmanager
def completing(told: Any, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[LogProbabilities]:
    def respond(request: Request) -> Reply:
        found = told(json.loads(request.body))
        if isinstance(found, Reply):
            return found
        choice = {"index": 0, "text": "", "finish_reason": "stop", "logprobs": found}
        body = {"id": "1", "object": "text_completion", "created": 1, "model": "m", "choices": [choice]}
        return Reply(200, json.dumps(body).encode(), {"content-type": "application/json"})

    server = Emulator(respond)
    try:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "any")
        chat = chat_model(settings)
        assert chat is not None
        yield LogProbabilities(chat)
    finally:
        server.close()


@pytest.mark.parametrize(("told", "expected"), [(echoing, [-1.0] * 13), (forced, [-2.0] * 2), (lambda _: None, None)])
def test_log_probabilities_of_the_answer_alone(
    told: Any, expected: list[float] | None, with_model: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with completing(told, with_model, monkeypatch) as ask:
        assert ask("What helps?", 'Metformin "X"'[:13]) == expected


@pytest.mark.parametrize("status", [400, 404, 422])
def test_a_server_that_cannot_be_asked_so_tells_nothing(
    status: int, with_model: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with completing(lambda _: refusal(status), with_model, monkeypatch) as ask:
        assert ask("What helps?", "Metformin") is None


@pytest.mark.parametrize(
    ("status", "says"), [(401, "check the provider's key"), (429, "too busy"), (500, "ask again later")]
)
def test_a_server_that_fails_is_not_one_that_cannot_tell(
    status: int, says: str, with_model: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        completing(lambda _: refusal(status), with_model, monkeypatch) as ask,
        pytest.raises(ModelUnavailable, match=says),
    ):
        ask("What helps?", "Metformin")


def test_perplexity_is_the_inverse_of_the_mean_probability() -> None:
    by = Scorers(log_probabilities=lambda question, answer: [-1.0, -3.0] if answer == "told" else None)
    records = [Scored("1", "", answer, None, None) for answer in ("told", "untold", None)]
    assert score(records, ["perplexity"], by)["perplexity"] == [pytest.approx(7.38905609893065), None, None]
    assert perplexity([]) is None
