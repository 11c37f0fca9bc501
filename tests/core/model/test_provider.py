from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import openai
import pytest

from core.errors import SettingsError
from core.model.provider import address, chat_model
from core.settings import Settings
from tests.emulators.http import Emulator, Reply
from tests.emulators.openai import completion, playing, refusal


def named(model: str | None, **limits: Any) -> Settings:
    return Settings(_env_file=None, model=model, **limits)


def ask(monkeypatch: pytest.MonkeyPatch, server: Emulator, model: str = "openai:emulated", **limits: Any) -> Any:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url + "/v1")
    chat = chat_model(named(model, **limits))
    assert chat is not None
    return chat.invoke("What is arachnodactyly?")


def test_without_a_name_there_is_no_model() -> None:
    assert chat_model(named(None)) is None


def test_naming_no_model_imports_no_langchain() -> None:
    code = (
        "import sys; from core.model.client import open_model; from core.settings import Settings;"
        "open_model(Settings(_env_file=None, model=None));"
        "sys.exit(any(name.partition('.')[0] in ('langchain', 'langchain_core', 'openai') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_model_is_asked_for_its_likeliest_answer_with_a_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    with playing(completion("Long, slender fingers.")) as server:
        answer = ask(monkeypatch, server)
    assert answer.content == "Long, slender fingers."
    assert answer.usage_metadata["input_tokens"] == 7
    assert answer.usage_metadata["output_tokens"] == 3
    (request,) = server.requests
    sent = json.loads(request.body)
    assert (request.path, request.headers["authorization"]) == ("/v1/chat/completions", "Bearer sk-test-secret")
    assert (sent["model"], sent["temperature"], sent["seed"]) == ("emulated", 0, 0)
    assert sent["messages"][-1]["content"] == "What is arachnodactyly?"


def test_sampling_and_length_are_settings_and_a_local_server_is_told_the_length_by_both_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with playing(completion("Long, slender fingers.")) as server:
        ask(monkeypatch, server, model_temperature=0.7, model_seed=11, model_output=99)
    sent = json.loads(server.requests[0].body)
    assert (sent["temperature"], sent["seed"]) == (0.7, 11)
    assert (sent["max_completion_tokens"], sent["max_tokens"]) == (99, 99)


def test_another_machine_is_told_the_length_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with playing(completion("Yes.")) as server:
        monkeypatch.setenv("HTTP_PROXY", server.url)  # stands for the way to every host
        monkeypatch.setenv("OPENAI_BASE_URL", "http://models.example/v1")
        chat = chat_model(named("openai:emulated", model_timeout=59.0))
        assert chat is not None  # LangChain keeps one client, with its proxies, for each timeout
        chat.invoke("Is it?")
    assert "max_tokens" not in json.loads(server.requests[0].body)


def test_an_address_is_told_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://me:secret@127.0.0.1:8080/v1/")
    chat = chat_model(named("openai:emulated"))
    assert chat is not None
    assert address(chat) == "http://127.0.0.1:8080/v1"


@pytest.mark.parametrize("name", ["openai:o3", "gpt-5-mini", "openai:gpt-6"])
def test_a_reasoning_model_is_sent_neither_temperature_nor_seed(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    with playing(completion("Long, slender fingers.")) as server:
        ask(monkeypatch, server, name)
    assert {"temperature", "seed"}.isdisjoint(json.loads(server.requests[0].body))


async def test_a_model_can_be_awaited(monkeypatch: pytest.MonkeyPatch) -> None:
    with playing(completion("Yes.")) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url + "/v1")
        chat = chat_model(named("openai:emulated"))
        assert chat is not None
        assert (await chat.ainvoke("Is it?")).content == "Yes."


@pytest.mark.parametrize("first", [refusal(429, retry_after="0"), refusal(500), refusal(503)])
def test_a_busy_server_is_asked_again(monkeypatch: pytest.MonkeyPatch, first: Reply) -> None:
    with playing(first, completion("Yes.")) as server:
        assert ask(monkeypatch, server).content == "Yes."
    assert len(server.requests) == 2


def test_a_refused_key_is_an_error_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with playing(refusal(401, "wrong key")) as server, pytest.raises(openai.AuthenticationError, match="wrong key"):
        ask(monkeypatch, server)
    assert len(server.requests) == 1


def test_a_silent_server_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    with playing(Reply(delay=20)) as server, pytest.raises(openai.APITimeoutError):
        ask(monkeypatch, server, model_timeout=0.2, model_retries=0)


@pytest.mark.parametrize("name", ["llama", "nosuch:model"])
def test_an_unknown_provider_is_named_with_the_way_out(name: str) -> None:
    with pytest.raises(SettingsError, match=rf"MEDATTEST_MODEL={name} cannot be used: .* write provider:model"):
        chat_model(named(name))


def test_a_provider_without_its_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(*_: object, **__: object) -> None:
        raise ImportError("Initializing ChatX requires the x package. Please install it with `pip install langchain-x`")

    monkeypatch.setattr("langchain.chat_models.init_chat_model", absent)
    with pytest.raises(SettingsError, match="the package langchain-x is not installed; install it"):
        chat_model(named("anthropic:claude"))


def test_a_missing_key_says_which_variable_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(SettingsError, match="OPENAI_API_KEY is not set; a local server"):
        chat_model(named("openai:gpt-4o-mini"))


def test_a_value_that_the_provider_refuses_is_named_and_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "sk-secret")
    monkeypatch.delenv("OPENAI_API_VERSION", raising=False)
    with pytest.raises(SettingsError, match="OPENAI_API_VERSION") as caught:
        chat_model(named("azure_openai:gpt"))
    assert "secret" not in str(caught.value)
