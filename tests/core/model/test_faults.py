from __future__ import annotations

import pytest

from core.errors import ModelRefusal, ModelReplyError, ModelUnavailable
from tests.core.model.asking import PROMPT, QUERIES, Opened, Queries, asking
from tests.emulators.http import Reply, never_accepting
from tests.emulators.models import down, good, half_down, slow
from tests.emulators.openai import Said, completion, playing_model, refusal


def test_a_refusal_is_an_error_at_once(opened: Opened) -> None:
    with (
        asking(opened, lambda *_: Said(refusal="I cannot help.")) as (model, server),
        pytest.raises(ModelRefusal, match="I cannot help"),
    ):
        model.ask(Queries, PROMPT)
    assert len(server.requests) == 1


def test_a_filtered_reply_is_a_refusal(opened: Opened) -> None:
    with (
        asking(opened, lambda *_: Said("{", finish="content_filter")) as (model, _),
        pytest.raises(ModelRefusal, match="declined"),
    ):
        model.ask(Queries, PROMPT)


def test_a_reply_that_is_cut_short_names_the_setting(opened: Opened) -> None:
    with (
        asking(opened, lambda *_: Said('{"queries": ["arach', finish="length")) as (model, _),
        pytest.raises(ModelReplyError, match="MEDATTEST_MODEL_OUTPUT"),
    ):
        model.ask(Queries, PROMPT)


@pytest.mark.parametrize(
    "body",
    [
        b"<html>Log in</html>",
        b"",
        b"{}",
        b"[]",
        b"null",
        b'{"choices": null}',
        b'{"choices": []}',
        b'{"choices": [{"message": 7}]}',
        b'{"choices": [{"index": 0, "message": {"role": "assistant", "content": {"a": 1}}}], "usage": {"x": "y"}}',
        b'{"choices": [{"index": 0, "message": {"role": "assistant", "tool_calls": [{"function": 5}]}}]}',
    ],
)
def test_a_hostile_reply_is_an_error_of_ours(opened: Opened, body: bytes) -> None:
    reply = Reply(200, body, {"content-type": "application/json"})
    with asking(opened, lambda *_: reply) as (model, _), pytest.raises(ModelReplyError):
        model.ask(Queries, PROMPT)


@pytest.mark.parametrize(
    ("status", "way_out"),
    [
        (401, "check the provider's key, such as OPENAI_API_KEY"),
        (403, "check that the provider's key may use this model"),
        (429, "ask again later, or lower MEDATTEST_MODEL_CONCURRENCY"),
        (500, "ask again later"),
        (404, "there is no model of that name.*check MEDATTEST_MODEL and OPENAI_BASE_URL"),
    ],
)
def test_a_server_that_cannot_says_what_to_do_and_never_a_key(opened: Opened, status: int, way_out: str) -> None:
    reply = refusal(status, "there is no model of that name for sk-test-secret")
    with asking(opened, lambda *_: reply) as (model, _), pytest.raises(ModelUnavailable, match=way_out) as caught:
        model.ask(Queries, PROMPT)
    assert "sk-test-secret" not in str(caught.value)
    assert f"status {status}" in str(caught.value)


def test_a_connection_that_breaks_off_is_told_as_such(opened: Opened) -> None:
    cut = Reply(200, completion('{"queries": []}').body, {"content-type": "application/json"}, cut=40)
    with asking(opened, lambda *_: cut) as (model, _), pytest.raises(ModelUnavailable, match="check that it runs"):
        model.ask(Queries, PROMPT)


def test_a_prompt_that_is_too_long_names_the_window(opened: Opened) -> None:
    reply = refusal(400, "context_length_exceeded: this model reads 4096 tokens")
    with (
        asking(opened, lambda *_: reply) as (model, _),
        pytest.raises(ModelUnavailable, match="MEDATTEST_MODEL_WINDOW"),
    ):
        model.ask(Queries, PROMPT)


def test_a_slow_server_names_the_timeout(opened: Opened) -> None:
    with (
        asking(opened, slow(good, 5), model_timeout=0.3) as (model, _),
        pytest.raises(ModelUnavailable, match="MEDATTEST_MODEL_TIMEOUT"),
    ):
        model.ask(Queries, PROMPT)


def test_an_unreachable_server_is_named(opened: Opened) -> None:
    with playing_model(good) as server:
        url = server.url
    with pytest.raises(ModelUnavailable, match=rf"openai:emulated at {url}/v1 cannot be reached"):
        opened(url, model_retries=0).ask(Queries, PROMPT)


def test_a_server_that_accepts_nobody_times_out(opened: Opened) -> None:
    with never_accepting() as url, pytest.raises(ModelUnavailable):
        opened(url, model_retries=0, model_timeout=0.3).ask(Queries, PROMPT)


def test_a_busy_server_is_asked_again_as_often_as_the_settings_say(opened: Opened) -> None:
    with asking(opened, half_down(good), model_retries=1) as (model, server):
        for _ in range(3):
            assert model.ask(Queries, PROMPT).value.queries == QUERIES
        assert len(server.requests) == 5
    with asking(opened, down, model_retries=2) as (model, server):
        with pytest.raises(ModelUnavailable, match="ask again later"):
            model.ask(Queries, PROMPT)
        assert len(server.requests) == 3


def test_a_key_that_cannot_be_sent_is_named(opened: Opened) -> None:
    with asking(opened, good) as (model, server):
        model._chat.root_client.api_key = "ключ"  # type: ignore[attr-defined]
        with pytest.raises(ModelUnavailable, match="its key has characters"):
            model.ask(Queries, PROMPT)
    assert not server.requests
