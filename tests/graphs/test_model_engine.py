"""The whole agent with a model: one that answers well, and those that a model must be caught at."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk

from core.errors import UsageError
from core.schema import EVIDENCE_ONLY, VerifiedAnswer
from graphs.medical_qa import build_graph
from tests.emulators.models import INVENTED, INVENTED_ID, down, good, half_down, inventing, schema_breaking
from tests.emulators.openai import Capabilities, Play, Spoken, busy
from tests.graphs.conftest import LEAFLET, Playing

TREATED = "How is zorblax fever treated?"


def assert_attested(answer: VerifiedAnswer) -> None:
    evidence = {e.id: e.text for e in answer.evidence}
    assert answer.verdicts
    assert set(answer.citations) <= evidence.keys()
    for verdict in answer.verdicts:
        assert verdict.label == "supported"
        assert all(quote.text in evidence[quote.evidence_id] for quote in verdict.quotes)


async def test_a_good_model_answers_with_every_claim_attested(playing: Playing) -> None:
    async with playing(good, model_price_input=1.0, model_price_output=2.0) as agent:
        answer = await agent.ask(TREATED)
    assert not answer.abstained, answer.reason
    assert "glimepride tea" in answer.text
    assert "[" not in answer.text
    assert answer.citations == ("given:1",)
    assert_attested(answer)
    assert answer.engine == "openai:emulated"
    assert answer.usage.model_calls >= 4
    assert answer.usage.input_tokens > 0
    assert answer.usage.cost > 0
    assert len(answer.queries) > 1


async def test_an_invented_claim_is_flagged_searched_for_again_and_gone(playing: Playing) -> None:
    async with playing(inventing) as agent:
        answer = await agent.ask(TREATED)
    assert answer.rounds == agent.resources.settings.rounds
    assert "glimepride tea" in answer.text
    assert "cinnamon" not in answer.text
    assert INVENTED_ID not in answer.citations
    assert any(INVENTED_ID in failure.error for failure in answer.failures)
    assert_attested(answer)


async def test_without_the_gate_an_invented_claim_is_shown_as_what_it_is(playing: Playing) -> None:
    async with playing(inventing) as agent:
        answer = await agent.ask(TREATED, settings={"sources": ["given"], "method": "rag"})
    (invented,) = [v for v in answer.verdicts if INVENTED in v.claim.text]
    assert invented.label == "unverifiable"
    assert invented.risk == 1.0
    assert answer.risk == 1.0
    assert "not attested are shown" in answer.notices[0]
    assert INVENTED_ID not in answer.citations


@pytest.mark.parametrize("bad", [down, schema_breaking])
async def test_where_a_model_cannot_answer_the_evidence_does_and_says_so(playing: Playing, bad: Play) -> None:
    async with playing(bad) as agent:
        answer = await agent.ask(TREATED)
        asked = [body for body in (agent.server.bodies if agent.server else []) if "DraftAnswer" in json.dumps(body)]
    assert not answer.abstained, answer.reason
    assert answer.engine == EVIDENCE_ONLY
    assert "glimepride tea" in answer.text
    assert any(f.source == "model, answer" and "done without it" in f.error for f in answer.failures)
    assert len(asked) <= 8, "it is asked for an answer in the first round alone, each way twice at most"
    assert_attested(answer)


async def test_what_neither_a_broken_model_nor_the_evidence_can_answer_is_withheld(playing: Playing) -> None:
    async with playing(down) as agent:
        answer = await agent.ask("What is the capital of Peru?")
        other = await agent.ask("Wie wird die Zorblax-Krankheit bei Kindern behandelt?")
        alone = await agent.ask(TREATED, settings={"method": "vanilla"})
    assert answer.abstained
    assert other.abstained
    assert "reads English" in (other.reason or "")
    assert alone.abstained


async def test_a_later_round_that_fails_leaves_the_earlier_answer_standing(playing: Playing) -> None:
    drafts = count()

    def play(schema: str, system: str, user: str) -> Spoken:
        late = schema == "DraftAnswer" and next(drafts) > 0
        return busy() if late else inventing(schema, system, user)

    async with playing(play) as agent:
        answer = await agent.ask(TREATED)
    assert answer.rounds > 0
    assert "glimepride tea" in answer.text
    assert answer.engine == "openai:emulated"
    assert any("the answer of the round before stands" in failure.error for failure in answer.failures)
    assert_attested(answer)


async def test_where_nothing_that_a_model_wrote_is_attested_the_evidence_answers(playing: Playing) -> None:
    def play(schema: str, system: str, user: str) -> Spoken:
        false = {"reasoning": [], "answer": f"{INVENTED}.", "choice": None, "citations": ["given:1"]}
        return false if schema == "DraftAnswer" else inventing(schema, system, user)

    async with playing(play) as agent:
        answer = await agent.ask(TREATED)
        other = await agent.ask("What is the capital of Peru?")
        judged = [body for body in (agent.server.bodies if agent.server else []) if "Judgement" in json.dumps(body)]
    assert not answer.abstained, answer.reason
    assert "glimepride tea" in answer.text
    assert "cinnamon" not in answer.text
    assert answer.engine == EVIDENCE_ONLY
    assert any(f.source == "model, answer" and "nothing that it wrote is attested" in f.error for f in answer.failures)
    assert_attested(answer)
    assert other.abstained
    assert all("cinnamon" in json.dumps(body) for body in judged), "no model judges what is quoted"


async def test_what_is_left_of_a_models_answer_must_still_answer(playing: Playing) -> None:
    """What treats it is invented, what causes it is true: the true half alone is beside the point."""

    def play(schema: str, system: str, user: str) -> Spoken:
        half = {
            "reasoning": [],
            "answer": f"Zorblax fever is treated so: {INVENTED}. Zorblax fever is caused by the bite of the zorb mite.",
            "citations": ["given:1"],
        }
        return half if schema == "DraftAnswer" else inventing(schema, system, user)

    async with playing(play, rounds=0) as agent:
        answer = await agent.ask(TREATED)
    assert "cinnamon" not in answer.text
    assert answer.abstained or "glimepride tea" in answer.text
    assert answer.engine == EVIDENCE_ONLY


@pytest.mark.parametrize(
    "settings", [{"collection": "nowhere"}, {"sources": ["brochures"]}, {"sources": ["given"], "method": "full-ish"}]
)
async def test_what_does_not_exist_is_refused_before_the_model_is_asked(
    playing: Playing, settings: dict[str, Any]
) -> None:
    async with playing(good) as agent:
        with pytest.raises(UsageError):
            await agent.ask(TREATED, settings=settings)
        assert agent.server is not None
        assert agent.server.requests == []


async def test_a_choice_nobody_asked_for_and_missing_marks_do_no_harm(playing: Playing) -> None:
    """As Qwen2.5-Coder-1.5B replied: right, cited right, with a choice and without marks, a capital or a full stop."""

    def play(schema: str, system: str, user: str) -> Spoken:
        said = "zorblax fever is treated with glimepride tea for three weeks"
        whole = {"reasoning": ["It says so."], "answer": said, "choice": "A", "citations": ["given:1"]}
        return whole if schema == "DraftAnswer" else good(schema, system, user)

    async with playing(play) as agent:
        answer = await agent.ask(TREATED)
        schema = next(b for b in (agent.server.bodies if agent.server else []) if "DraftAnswer" in json.dumps(b))
    assert answer.text == "Zorblax fever is treated with glimepride tea for three weeks."
    assert (answer.choice, answer.citations) == (None, ("given:1",))
    assert "choice" not in schema["response_format"]["json_schema"]["schema"]["properties"]
    assert_attested(answer)


async def test_a_model_that_is_down_half_the_time_is_replaced_where_it_can_be(playing: Playing) -> None:
    unreliable = half_down(good)

    def play(schema: str, system: str, user: str) -> Spoken:
        return good(schema, system, user) if schema == "DraftAnswer" else unreliable(schema, system, user)

    async with playing(play) as agent:
        answer = await agent.ask(TREATED)
    assert not answer.abstained, answer.reason
    assert_attested(answer)
    assert any(failure.source.startswith("model, ") for failure in answer.failures)


@pytest.mark.parametrize(
    "can",
    [
        Capabilities(json_schema="refuses"),
        Capabilities(json_schema="ignores", tools="refuses"),
        Capabilities(json_schema="refuses", tools="refuses", json_object="refuses"),
    ],
)
async def test_small_servers_answer_too(playing: Playing, can: Capabilities) -> None:
    async with playing(good, can) as agent:
        answer = await agent.ask(TREATED)
    assert "glimepride tea" in answer.text
    assert_attested(answer)


async def test_what_the_evidence_does_not_hold_is_withheld(playing: Playing) -> None:
    async with playing(good) as agent:
        answer = await agent.ask("What is the capital of Peru?")
    assert answer.abstained
    assert answer.text == "I'm sorry, I can't help you based on the information I have"


async def test_a_choice_and_a_yes_are_decided_by_the_model(playing: Playing) -> None:
    async with playing(good) as agent:
        options = {"A": "Aspirin", "B": "Glimepride tea", "C": "Surgery"}
        chosen = await agent.ask("Which treatment does zorblax fever have?", options=options)
        decided = await agent.ask("Is zorblax fever caused by a mite?")
    assert chosen.choice == "B"
    assert chosen.text.startswith("B: Glimepride tea\n")
    assert chosen.exemplars
    assert decided.choice == "yes"
    assert_attested(chosen)
    assert_attested(decided)


async def test_long_evidence_is_fitted_by_rank_and_what_is_left_out_is_counted(playing: Playing) -> None:
    texts = [LONG.format(n=n) for n in range(8)]
    async with playing(good, model_window=2500, model_output=256) as agent:
        answer = await agent.ask(TREATED, evidence=texts, settings={"sources": ["given"], "method": "rag"})
    assert answer.omitted > 0
    assert any(f"{answer.omitted} pieces" in notice for notice in answer.notices)
    assert agent.shown().count('<evidence id="given') == 8 - answer.omitted


LONG = "Zorblax fever is treated with tea number {n}. " + "The fever has been described in many places at length. " * 30


async def test_a_draft_streams_while_it_is_written_and_only_the_attested_text_is_the_answer(playing: Playing) -> None:
    async with playing(inventing) as agent:
        graph: Any = build_graph(agent.resources)
        given = {"question": TREATED, "evidence": [LEAFLET], "settings": {"sources": ["given"]}}
        chunks = [c async for c, _ in graph.astream(given, stream_mode="messages")]
        pieces = [chunk for chunk in chunks if isinstance(chunk, AIMessageChunk)]
        final = [chunk for chunk in chunks if isinstance(chunk, AIMessage) and not isinstance(chunk, AIMessageChunk)]
    assert len(pieces) > 20
    assert INVENTED.split()[1] in "".join(piece.text for piece in pieces)
    assert "cinnamon" not in final[-1].text


async def test_kept_replies_cost_nothing_and_answer_offline(playing: Playing, tmp_path: Path) -> None:
    async with playing(good, model_cache=True, home=tmp_path) as agent:
        first = await agent.ask(TREATED)
        second = await agent.ask(TREATED)
        asked = len(agent.server.bodies) if agent.server else 0
    assert (second.text, second.usage.model_calls) == (first.text, 0)
    assert second.usage.cached_calls == first.usage.model_calls == asked
