from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from core.errors import ModelError, ModelReplyError, ModelUnavailable
from core.model.client import Prompt, open_model
from core.privacy.boundary import noting
from core.schema import Outcome, Usage
from core.settings import Settings
from tests.core.model.asking import PROMPT, QUERIES, Opened, Queries, asking
from tests.emulators.models import down, fenced, good, mending, schema_breaking, slow
from tests.emulators.openai import Capabilities, ModelServer, Said, Spoken, playing_model, refusal


class Judgement(BaseModel):
    """What evidence says of a claim."""

    label: Literal["supported", "contradicted", "unverifiable"]
    support: float = Field(ge=0, le=1)
    contradiction: float = Field(ge=0, le=1)
    quote: str = ""
    rationale: str = ""


def forms(server: ModelServer) -> list[str]:
    """How each request asked."""
    kinds = []
    for body in server.bodies:
        kind = (body.get("response_format") or {}).get("type")
        kinds.append(kind or ("tools" if "tools" in body else "text"))
    return kinds


RUNGS = ["json_schema", "tools", "json_object", "text"]


def test_without_a_name_there_is_no_model() -> None:
    assert open_model(Settings(_env_file=None, model=None)) is None


def test_a_model_is_asked_by_a_strict_schema_and_its_value_comes_back(opened: Opened) -> None:
    with asking(opened, good) as (model, server):
        assert model.ask(Queries, PROMPT).value == Queries(queries=QUERIES)
    (body,) = server.bodies
    asked = body["response_format"]["json_schema"]
    assert (asked["name"], asked["strict"]) == ("Queries", True)
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert body["messages"][0]["content"] == PROMPT.system


@pytest.mark.parametrize(
    ("can", "tried"),
    [
        (Capabilities(json_schema="refuses"), ["json_schema", "tools"]),
        (Capabilities("refuses", "refuses"), ["json_schema", "tools", "json_object"]),
        (Capabilities("refuses", "refuses", "refuses"), ["json_schema", "tools", "json_object", "text"]),
        (Capabilities(json_schema="ignores"), ["json_schema", "json_schema", "tools"]),
        (Capabilities("ignores", "ignores"), ["json_schema", "json_schema", "tools", "tools", "json_object"]),
    ],
)
def test_the_rung_that_works_is_found_and_remembered_across_processes(
    opened: Opened, can: Capabilities, tried: list[str]
) -> None:
    with asking(opened, good, can) as (model, server):
        assert model.ask(Queries, PROMPT).value.queries == QUERIES
        assert forms(server) == tried
        another = opened(server.url, model_cache=False)
        assert another.ask(Queries, PROMPT).value.queries == QUERIES
        assert forms(server) == [*tried, tried[-1]]


def test_a_remembered_rung_that_stops_working_is_found_out_again(opened: Opened) -> None:
    with playing_model(good) as server:
        opened(server.url, model_cache=False).ask(Queries, PROMPT)
        server.capabilities = Capabilities(json_schema="refuses")
        model = opened(server.url, model_cache=False)
        assert model.ask(Queries, PROMPT).value.queries == QUERIES
        model.ask(Queries, PROMPT)
    assert forms(server) == ["json_schema", "json_schema", "tools", "tools"]


def test_json_in_a_fence_is_read(opened: Opened) -> None:
    can = Capabilities("refuses", "refuses", "refuses")
    with asking(opened, fenced(good), can) as (model, server):
        assert model.ask(Queries, PROMPT).value.queries == QUERIES
    assert forms(server) == RUNGS


def test_a_repair_shows_the_model_its_reply_and_what_is_wrong(opened: Opened) -> None:
    with asking(opened, mending(good)) as (model, server):
        assert model.ask(Queries, PROMPT).value.queries == QUERIES
    first, second = server.bodies
    shown, told = second["messages"][len(first["messages"]) :]
    assert shown["role"] == "assistant"
    assert json.loads(shown["content"]) == {"response": "I would be glad to help with that.", "ok": True}
    assert "queries: Field required" in told["content"]


def test_a_repair_of_a_tools_arguments_shows_them_too(opened: Opened) -> None:
    with asking(opened, mending(good), Capabilities(json_schema="refuses")) as (model, server):
        assert model.ask(Queries, PROMPT).value.queries == QUERIES
    assert forms(server) == ["json_schema", "tools", "tools"]
    assert '"ok": true' in server.bodies[-1]["messages"][-2]["content"]


def test_a_model_that_never_keeps_a_schema_is_an_error(opened: Opened) -> None:
    with asking(opened, schema_breaking) as (model, server):
        with pytest.raises(ModelReplyError, match=r"does not reply with a Queries.*queries: Field required.*set a"):
            model.ask(Queries, PROMPT)
        assert forms(server) == [form for form in RUNGS for _ in range(2)]


LOOP = '{"queries": ["fever", "fever", ' + '"fever", ' * 50
CUT = '{"queries": ['


@pytest.mark.parametrize(
    "can", [Capabilities(), Capabilities(json_schema="refuses"), Capabilities("refuses", "refuses")]
)
def test_of_a_reply_that_was_cut_short_what_is_whole_is_used(opened: Opened, can: Capabilities) -> None:
    with asking(opened, lambda *_: Said(f'{LOOP}"fev', finish="length"), can) as (model, server):
        found = model.ask(Queries, PROMPT)
    assert found.value.queries == ["fever"] * 52
    assert len(forms(server)) == len(set(forms(server))), "no way of asking is tried twice for it"


def test_of_which_nothing_is_whole_a_shorter_one_is_asked_for_once(opened: Opened) -> None:
    plays: Iterator[Spoken] = iter([Said(CUT, finish="length"), {"queries": ["fever"]}])
    with asking(opened, lambda *_: next(plays)) as (model, server):
        found = model.ask(Queries, PROMPT)
    assert found.value.queries == ["fever"]
    assert found.usage.model_calls == 2
    first, second = (body["messages"] for body in server.bodies)
    assert [message["role"] for message in second] == ["system", "user"]
    assert second[-1]["content"].startswith(first[-1]["content"])
    assert "cut short" in second[-1]["content"]


def test_cut_short_twice_it_is_an_error_at_once(opened: Opened) -> None:
    with asking(opened, lambda *_: Said(CUT, finish="length")) as (model, server):
        with pytest.raises(ModelReplyError, match="raise MEDATTEST_MODEL_OUTPUT") as caught:
            model.ask(Queries, PROMPT)
        assert forms(server) == ["json_schema"] * 2
    assert caught.value.usage is not None
    assert caught.value.usage.model_calls == 2


def test_a_known_rung_is_the_only_one_tried_for_a_bad_reply(opened: Opened) -> None:
    plays = iter([good, schema_breaking, schema_breaking])
    with asking(opened, lambda *asked: next(plays)(*asked)) as (model, server):
        model.ask(Queries, PROMPT)
        with pytest.raises(ModelReplyError):
            model.ask(Queries, PROMPT)
    assert forms(server) == ["json_schema"] * 3


def prompts(count: int) -> list[Prompt]:
    return [Prompt("You write.", f"Question: fever number{n}") for n in range(count)]


def test_many_are_asked_side_by_side_within_the_limit_and_answered_in_order(opened: Opened) -> None:
    with asking(opened, slow(good, 0.1), model_concurrency=3) as (model, server):
        found = model.ask_all(Queries, prompts(9))
    assert server.most_at_once == 3
    assert [each.value.queries[0] for each in found if isinstance(each, Outcome)] == [
        f"number{n} fever" for n in range(9)
    ]


def test_the_limit_holds_for_the_process(opened: Opened) -> None:
    with playing_model(slow(good, 0.1)) as server, ThreadPoolExecutor(2) as pool:
        models = [opened(server.url, model_cache=False, model_concurrency=2) for _ in range(2)]
        list(pool.map(lambda model: model.ask_all(Queries, prompts(4)), models))
    assert len(server.requests) == 8
    assert server.most_at_once == 2


def test_one_failure_among_many_is_that_one_alone(opened: Opened) -> None:
    def play(schema: str, system: str, user: str) -> Spoken:
        return refusal(500) if "number1" in user else good(schema, system, user)

    with asking(opened, play) as (model, _):
        found = model.ask_all(Queries, prompts(3))
    assert [isinstance(each, ModelError) for each in found] == [False, True, False]
    assert model.ask_all(Queries, []) == []


def test_a_reply_is_kept_for_other_processes_and_costs_nothing_again(opened: Opened) -> None:
    with playing_model(good) as server:
        first = opened(server.url).ask(Queries, PROMPT)
        second = opened(server.url).ask(Queries, PROMPT)
    assert second.value == first.value
    assert (first.usage.model_calls, first.usage.cached_calls) == (1, 0)
    assert second.usage == Usage(cached_calls=1)
    assert len(server.requests) == 1


@pytest.mark.parametrize("change", [{"model_temperature": 0.5}, {"model_seed": 1}, {"model_output": 77}])
def test_a_reply_is_kept_for_what_was_asked_alone(opened: Opened, change: dict[str, Any]) -> None:
    with playing_model(good) as server:
        opened(server.url).ask(Queries, PROMPT)
        opened(server.url, **change).ask(Queries, PROMPT)
        opened(server.url).ask(Queries, PROMPT._replace(system="Otherwise."))
    assert len(server.requests) == 3


def test_what_failed_is_not_kept(opened: Opened) -> None:
    plays = iter([down, good])
    with playing_model(lambda *asked: next(plays)(*asked)) as server:
        model = opened(server.url, model_retries=0)
        with pytest.raises(ModelUnavailable):
            model.ask(Queries, PROMPT)
        assert model.ask(Queries, PROMPT).value.queries == QUERIES


def test_usage_counts_repairs_and_failed_rungs_at_the_settings_prices(opened: Opened) -> None:
    prices = {"model_price_input": 1000.0, "model_price_output": 2000.0}
    with asking(opened, mending(good), Capabilities(json_schema="refuses"), **prices) as (model, server):
        usage = model.ask(Queries, PROMPT).usage
    assert usage.model_calls == len(server.requests) == 3
    asked = [words(body) for body in server.bodies[1:]]
    assert usage.input_tokens == sum(asked)
    assert usage.output_tokens > 0
    assert usage.cost == pytest.approx((usage.input_tokens * 1000 + usage.output_tokens * 2000) / 1e6)


def words(body: dict[str, Any]) -> int:
    return sum(len(each["content"].split()) for each in body["messages"] if each["role"] != "assistant")


def test_the_window_is_the_settings_or_what_is_known_or_small(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    assert opened("http://127.0.0.1:9").window == 8192
    assert opened("http://127.0.0.1:9", model_window=4096).window == 4096
    known = open_model(Settings(_env_file=None, model="openai:gpt-4o-mini"))
    assert known is not None
    assert known.window == 128_000
    assert known.name == "openai:gpt-4o-mini"


def test_another_machine_is_shown_no_identifier(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    prompt = Prompt("You judge.", "Claim: Mr Ito, MRN 1234567, may take amlodipine.")
    with playing_model(good) as server, noting() as noted:
        monkeypatch.setenv("HTTP_PROXY", server.url)  # stands for the way to every host
        monkeypatch.setenv("OPENAI_BASE_URL", "http://judge.example/v1")
        model = open_model(Settings(_env_file=None, home=home, model="openai:emulated", model_timeout=58.0))
        assert model is not None  # LangChain keeps one client, with its proxies, for each timeout
        (found,) = model.ask_all(Judgement, [prompt])
    assert isinstance(found, Outcome)
    assert noted.kinds == ("name", "record number")
    assert "Ito" not in server.requests[0].body.decode()
    assert "1234567" not in server.requests[0].body.decode()
