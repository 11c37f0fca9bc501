from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph

from chains.understand import understand
from core.errors import InputError, SourceError, UnknownCollection
from core.schema import (
    EVIDENCE_ONLY,
    Claim,
    Draft,
    Evidence,
    Question,
    QuestionSettings,
    Verdict,
    VerifiedAnswer,
)
from core.settings import Settings
from core.source import SourceQuery
from graphs.answering import AnsweringNodes
from graphs.medical_qa import build_graph
from graphs.resources import Resources
from graphs.retrieval import build_graph as build_retrieval
from graphs.threads import open_threads
from graphs.verification import build_graph as build_verification

AnyGraph = CompiledStateGraph[Any, Any, Any, Any]
THREAD: RunnableConfig = {"configurable": {"thread_id": "t"}}
ONLY_FACTS = {"sources": ["knowledge"]}
MARFAN = "What are the features of Marfan syndrome?"


@pytest.fixture(scope="module")
def resources(model_home: Path) -> Iterator[Resources]:
    resources = Resources(Settings(home=model_home))
    yield resources
    resources.close()


EARLY_FEEDING = (
    "Early feeding after bowel surgery is thought to be unsafe. We randomised 180 patients to early or usual feeding. "
    "The groups were alike in age and disease. Median stay was 5.1 days with early feeding and 8.4 days without "
    "(p<0.001). Early feeding also significantly reduced infections (6% v 15%). Leaks were as frequent in both groups."
)


async def ask(resources: Resources, question: str, **fields: Any) -> VerifiedAnswer:
    graph: AnyGraph = build_graph(resources)
    answer: VerifiedAnswer = (await graph.ainvoke({"question": question, **fields}))["answer"]
    return answer


def assert_attested(answer: VerifiedAnswer) -> None:
    evidence = {e.id: e.text for e in answer.evidence}
    assert answer.citations
    assert set(answer.citations) <= evidence.keys()
    for verdict in answer.verdicts:
        start, end = verdict.claim.span
        assert verdict.claim.text in answer.text[start:end]
        assert verdict.label == "supported"
        assert verdict.quotes
        assert all(quote.text in evidence[quote.evidence_id] for quote in verdict.quotes)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (MARFAN, "ectopia lentis"),
        ("Which diseases show arachnodactyly?", "Marfan"),
        ("What is arachnodactyly?", "long and slender fingers"),
        ("What does ectopia lentis mean?", "lens"),
    ],
)
async def test_the_embedded_knowledge_answers_with_every_claim_attested(
    resources: Resources, question: str, said: str
) -> None:
    answer = await ask(resources, question, settings=ONLY_FACTS)
    assert not answer.abstained, answer.reason
    assert said.lower() in answer.text.lower()
    assert answer.risk <= 0.4
    assert_attested(answer)


async def test_a_question_for_a_yes_is_answered_with_yes_and_its_evidence(resources: Resources) -> None:
    answer = await ask(resources, "Does ectopia lentis belong to Marfan syndrome?")
    assert answer.choice == "yes", answer.reason
    assert_attested(answer)


async def test_what_is_not_known_is_withheld_with_the_fixed_sentence(resources: Resources) -> None:
    answer = await ask(resources, "What is the treatment of zorblax fever?")
    assert answer.abstained
    assert answer.text == "I'm sorry, I can't help you based on the information I have"
    assert answer.risk > 0.5
    assert answer.reason
    assert answer.verdicts == () or all(v.risk > 0.5 for v in answer.verdicts)


async def test_the_loop_ends_with_its_budget(resources: Resources) -> None:
    unknown = "What is the treatment of Marfan-like zorblax fever?"
    assert (await ask(resources, unknown, settings={"rounds": 0})).rounds == 0
    assert (await ask(resources, unknown, settings={"rounds": 1})).rounds <= 1
    assert (await ask(resources, unknown, settings={"without": ["loop"]})).rounds == 0


async def test_another_language_is_recognised_and_said(resources: Resources) -> None:
    answer = await ask(resources, "Quali sono i sintomi della sindrome di Marfan e come si cura questa malattia?")
    assert answer.abstained
    assert "reads English" in (answer.reason or "")


async def test_a_question_about_nothing_that_is_named_is_withheld_with_what_to_do(resources: Resources) -> None:
    answer = await ask(resources, "Is it contagious?")
    assert answer.abstained
    assert "it is not said what this is about" in (answer.reason or "")


async def test_a_question_on_a_picture_is_told_that_nothing_sees_here(resources: Resources) -> None:
    answer = await ask(resources, "I've attached a photo of the spot on my shoulder. Is it melanoma?")
    assert answer.abstained
    assert "picture" in (answer.reason or "")
    assert answer.evidence == ()


async def test_a_yes_or_no_on_a_report_that_was_given_carries_its_own_risk(resources: Resources) -> None:
    question, settings = "Does early feeding reduce infections after bowel surgery?", {"sources": ["given"]}
    answer = await ask(resources, question, evidence=[EARLY_FEEDING], settings=settings)
    assert answer.choice == "yes", answer.reason
    assert 0 < answer.risk <= resources.settings.decide_risk
    assert answer.text.startswith("Yes. ")


async def test_below_the_notice_of_an_emergency_nothing_reassures(model_home: Path) -> None:
    serious = "Chest pain can be a sign of a heart attack, which is serious."
    fields: dict[str, Any] = {
        "evidence": [f"Chest pain is often harmless. {serious}"],
        "settings": {"sources": ["given"]},
    }
    with closing(Resources(Settings(home=model_home, accept_risk=1))) as resources:
        calm = await ask(resources, "How serious is chest pain?", **fields)
        alarmed = await ask(resources, "I have crushing chest pain right now. How serious is chest pain?", **fields)
    assert "harmless" in calm.text
    assert alarmed.urgent
    assert "heart attack" in alarmed.text
    assert "harmless" not in alarmed.text


async def test_in_an_examination_a_single_short_text_is_decided_too(model_home: Path) -> None:
    question, text = (
        "Are zorblax fever and gout different diseases?",
        "Gout is a painful disease that comes in attacks.",
    )
    fields: dict[str, Any] = {"task": "yesno", "evidence": [text], "settings": {"sources": ["given"]}}
    with closing(Resources(Settings(home=model_home))) as usual:
        assert (await ask(usual, question, **fields)).choice is None
    with closing(Resources(Settings(home=model_home, decide_risk=1, accept_risk=1))) as examined:
        answer = await ask(examined, question, **fields)
    assert answer.choice in ("yes", "no")
    assert answer.risk > 0.4


async def test_given_evidence_answers_and_is_cited(resources: Resources) -> None:
    text = "Zorblax fever is treated with glimepride tea. It is caused by the zorb mite."
    answer = await ask(resources, "How is zorblax fever treated?", evidence=[text], settings={"sources": ["given"]})
    assert answer.citations == ("given:1",), answer.reason
    assert "glimepride tea" in answer.text


async def test_each_of_several_questions_keeps_its_best_passage(model_home: Path) -> None:
    resources = Resources(Settings(home=model_home, select=1))
    gout = "Gout is treated with colchicine, rest and medicines that lower uric acid."
    asthma = "Asthma is caused by inflamed airways that narrow in reaction to pollen or cold air."
    answer = await ask(
        resources,
        "How is gout treated? What causes asthma?",
        evidence=[gout, asthma, "Scurvy is caused by a lack of vitamin C."],
        settings={"sources": ["given"]},
    )
    assert {e.text for e in answer.evidence} == {gout, asthma}
    resources.close()


async def test_of_a_comparison_one_side_alone_is_no_answer(resources: Resources) -> None:
    flu = "The flu is a respiratory infection caused by influenza viruses. It comes on suddenly with a high fever."
    cold = "A cold is a mild infection of the nose and throat caused by rhinoviruses. It comes on slowly."
    question, settings = "What is the difference between a cold and the flu?", {"sources": ["given"]}
    one = await ask(resources, question, evidence=[flu], settings=settings)
    both = await ask(resources, question, evidence=[flu, cold], settings=settings)
    assert one.abstained
    assert both.abstained or ("rhinoviruses" in both.text and "influenza" in both.text)


async def test_without_verification_everything_stays_visibly_unverified(resources: Resources) -> None:
    answer = await ask(resources, MARFAN, settings={"without": ["verification"]})
    assert answer.risk == 1.0
    assert {v.label for v in answer.verdicts} == {"unverifiable"}
    assert "switched off" in answer.notices[0]


class Broken:
    name = "repository"

    def __init__(self, error: Exception) -> None:
        self.error = error

    async def search(self, query: SourceQuery) -> list[Evidence]:
        raise self.error


async def test_a_failing_source_is_recorded_and_the_rest_goes_on(model_home: Path) -> None:
    resources = Resources(Settings(home=model_home))
    resources.__dict__["repository_source"] = Broken(SourceError("the disk is gone"))
    answer = await ask(resources, MARFAN)
    assert [(f.source, f.error) for f in answer.failures] == [("repository", "the disk is gone")]
    assert not answer.abstained
    only = await ask(resources, MARFAN, settings={"sources": ["repository"]})
    assert only.abstained
    assert "the disk is gone" in (only.reason or "")


class Slow(Broken):
    async def search(self, query: SourceQuery) -> list[Evidence]:
        await asyncio.sleep(30)
        raise self.error


async def test_a_slow_source_is_cut_at_its_deadline(model_home: Path) -> None:
    resources = Resources(Settings(home=model_home, source_deadline=0.05))
    resources.__dict__["repository_source"] = Slow(SourceError("never"))
    answer = await ask(resources, MARFAN, settings={"sources": ["repository"]})
    assert "no reply within 0.05 s" in answer.failures[0].error


async def test_wrong_use_is_an_error_not_an_answer(resources: Resources) -> None:
    with pytest.raises(UnknownCollection, match="nowhere"):
        await ask(resources, MARFAN, settings={"collection": "nowhere"})
    with pytest.raises(InputError, match="empty"):
        await ask(resources, "  \x00 ")
    with pytest.raises(InputError, match=r"settings\.home: there is no such field"):
        await ask(resources, MARFAN, settings={"home": "/etc"})


async def test_messages_of_a_chat_are_a_question_too(resources: Resources) -> None:
    result = await build_graph(resources).ainvoke({"messages": [HumanMessage("What is Marfan syndrome?")]})
    assert [message.type for message in result["messages"]] == ["human", "ai"]
    assert "connective tissue" in result["messages"][-1].text


async def test_the_second_question_of_a_thread_starts_clean(resources: Resources, home: Path) -> None:
    async with open_threads(home) as checkpointer:
        graph: AnyGraph = build_graph(resources, checkpointer)
        options = {"A": "Arachnodactyly", "B": "Short fingers"}
        await graph.ainvoke({"question": "Which belongs to Marfan syndrome?", "options": options}, THREAD)
        alone = {"sources": ["knowledge"]}  # the library's vectors may grow between two questions
        second = (await graph.ainvoke({"question": "What is ectopia lentis?", "settings": alone}, THREAD))["answer"]
        fresh = await ask(resources, "What is ectopia lentis?", settings=alone)
        assert second == fresh
        state = (await graph.aget_state(THREAD)).values
    assert state["options"] == {}
    assert state["rounds"] == 0
    assert len(state["messages"]) == 4


async def test_a_killed_run_goes_on_where_it_stopped_from_what_sqlite_holds(resources: Resources, home: Path) -> None:
    async with open_threads(home) as checkpointer:
        graph: AnyGraph = build_graph(resources, checkpointer)
        await graph.ainvoke({"question": MARFAN, "settings": ONLY_FACTS}, THREAD, interrupt_after=["retrieve"])
    async with open_threads(home) as checkpointer:
        graph = build_graph(resources, checkpointer)
        assert (await graph.aget_state(THREAD)).next == ("answer",)
        steps = [s async for s in graph.astream(None, THREAD, stream_mode="updates")]
        continued = (await graph.aget_state(THREAD)).values["answer"]
    assert "retrieve" not in {node for s in steps for node in s}
    assert isinstance(continued, VerifiedAnswer)
    assert continued == await ask(resources, MARFAN, settings=ONLY_FACTS)


async def test_a_typed_question_is_searched_and_answered_in_the_words_that_texts_have(resources: Resources) -> None:
    answer = await ask(resources, "how do u treat a migrane")
    assert answer.resolved == "how do you treat a migraine"
    assert "migraine" in answer.queries[0]
    assert not answer.abstained, answer.reason


async def test_what_nothing_answers_of_one_medicine_is_asked_of_its_kind_and_that_is_said(resources: Resources) -> None:
    answer = await ask(resources, "How long till Lexapro kicks in?")
    assert not answer.abstained, answer.reason
    assert "weeks" in answer.text
    assert any("antidepressants" in notice and "of Lexapro alone" in notice for notice in answer.notices)
    assert_attested(answer)


async def test_what_only_the_clinic_knows_is_withheld_at_once(resources: Resources) -> None:
    answer = await ask(resources, "how much does my MRI cost")
    assert answer.abstained
    assert "ask them" in (answer.reason or "")


@pytest.mark.parametrize(
    ("risks", "engine", "then"),
    [
        ((0.1, 0.2), EVIDENCE_ONLY, "finalize"),
        ((0.1, 0.9), EVIDENCE_ONLY, "revise"),
        ((0.9, 0.1), EVIDENCE_ONLY, "widen"),  # what follows the direct answer says nothing without it
        ((0.9, 0.1), "openai:emulated", "revise"),
        ((0.9, 0.9), EVIDENCE_ONLY, "widen"),
    ],
)
def test_quoted_sentences_are_given_with_their_direct_answer_or_not_at_all(
    resources: Resources, risks: tuple[float, ...], engine: str, then: str
) -> None:
    question = Question(question="What helps with gout?", settings=QuestionSettings(rounds=0))
    claims = [Claim(text=f"Sentence {n}.", span=(0, 11)) for n in range(len(risks))]
    verdicts = tuple(
        Verdict(claim=c, label="supported", p_supported=1 - r, p_contradicted=0.0, risk=r, why="")
        for c, r in zip(claims, risks, strict=True)
    )
    state: Any = {
        "asked": question,
        "understanding": understand(question.question),
        "missing": (),
        "unfounded": (),
        "rounds": 0,
        "widened": None,
        "draft": Draft(text="Sentence 0. Sentence 1.", claims=tuple(claims), engine=engine),
        "verdicts": verdicts,
    }
    nodes = AnsweringNodes(resources, build_retrieval(resources), build_verification(resources))
    assert nodes.is_attested(state) == then


async def test_what_the_question_takes_for_granted_must_be_said(resources: Resources) -> None:
    page = "Diabetes is a disease in which blood sugar is too high. Causes of diabetes are genes and obesity."
    answer = await ask(resources, "Why do vaccines cause diabetes?", evidence=[page])
    assert answer.abstained
    assert "ask first “do vaccines cause diabetes?”" in (answer.reason or "")
