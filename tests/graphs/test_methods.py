"""Each published system by itself, as its paper has it, with its ablations."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from core.errors import UsageError
from core.schema import Method
from core.settings import Settings
from graphs.medical_qa import build_graph
from graphs.resources import Resources
from graphs.threads import open_threads
from tests.emulators.entrez import parameters, serving_entrez
from tests.emulators.mediawiki import serving_wikipedia
from tests.emulators.models import good
from tests.emulators.openai import Spoken
from tests.graphs.conftest import LEAFLET, Agent, Playing

TREATED = "How is zorblax fever treated?"
HISTORY = [
    {"role": "patient", "text": "I have had asthma for years."},
    {"role": "doctor", "text": "How often do you use your inhaler?"},
]
CERTIFIED = {
    "tea": "Zorblax fever is treated with glimepride tea.\nIt is drunk  hot, three weeks long.\n\n"
    + "\n \n".join(f"On day {day} the tea is drunk  before noon, and the fever is written down." for day in range(21)),
    "mite": "Zorblax fever is caused by the zorb mite, which lives in old tea.",
    "water": "People with zorblax fever should drink water.",
    "aspirin": "Aspirin relieves pain.",
}


async def ask(agent: Agent, method: Method, **fields: Any) -> Any:
    settings = {"sources": ["given"], "method": method, **fields.pop("settings", {})}
    return await agent.ask(fields.pop("question", TREATED), settings=settings, **fields)


@pytest.fixture
async def evidence_only(model_home: Path, built: dict[str, Any]) -> AsyncIterator[Agent]:
    resources = Resources(Settings(home=model_home))
    resources.__dict__.update(built)
    yield Agent(resources)
    resources.close()


async def test_vanilla_asks_the_model_alone_and_stays_unverified(playing: Playing) -> None:
    def knowing(schema: str, system: str, user: str) -> Spoken:
        reply = good(schema, system, user)
        return {**reply, "answer": "It is treated with tea.", "citations": []} if isinstance(reply, dict) else reply

    async with playing(knowing) as agent:
        answer = await ask(agent, "vanilla", evidence=[])
    assert answer.text == "It is treated with tea."
    assert answer.risk == 1.0
    assert {v.label for v in answer.verdicts} == {"unverifiable"}
    assert '<evidence id="given' not in agent.shown()


async def test_vanilla_without_a_model_is_wrong_use(evidence_only: Agent) -> None:
    with pytest.raises(UsageError, match="MEDATTEST_MODEL"):
        await ask(evidence_only, "vanilla")


async def test_halo_asks_in_steps_with_examples_and_generated_queries(playing: Playing) -> None:
    options = {"A": "Glimepride tea", "B": "Surgery"}
    async with playing(good) as agent:
        answer = await ask(agent, "halo", options=options)
        shown = agent.shown()
        without = await ask(agent, "halo", options=options, settings={"without": ["exemplars", "expansion"]})
    assert answer.choice == "A"
    assert len(answer.queries) > 1
    assert len(answer.exemplars) == 5  # the fixed ones
    assert any("instructor-xl" in notice for notice in answer.notices)
    assert "Weigh every option" in shown
    assert "We know that:" in shown  # in the examples; the question's own knowledge is IMKDG's
    assert shown.rindex("We know that:") < shown.index('<evidence id="given:1"')
    assert without.exemplars == ()
    assert len(without.queries) == 1


async def test_halo_puts_every_generated_query_to_pubmed_and_to_wikipedia(playing: Playing) -> None:
    queries = ["propranolol aortic dilatation", "losartan dosage children", "marfanoid habitus surgery"]

    def expanding(schema: str, system: str, user: str) -> Spoken:
        return {"queries": queries} if schema == "Queries" else good(schema, system, user)

    live = {"sources": ["pubmed", "wikipedia"], "refresh": True}
    with serving_entrez() as (entrez, entrez_url), serving_wikipedia() as (wiki, _, wiki_url):
        async with playing(expanding, entrez_url=entrez_url, wikipedia_url=wiki_url) as agent:
            answer = await ask(agent, "halo", question="How is Marfan syndrome treated?", settings=live, evidence=[])
            await agent.resources.services.close()
        terms = [parameters(request)["term"] for request in entrez.requests if "esearch" in request.path]
        searches = [request.query["gsrsearch"][0] for request in wiki.requests if "gsrsearch" in request.query]
    assert set(queries) < set(answer.queries)
    assert answer.failures == ()
    for query in queries:
        assert any(all(word in term for word in query.split()) for term in terms), (query, terms)
        assert query in searches


async def test_imkdg_replies_in_a_dialogue_and_its_ablations_leave_no_trace(playing: Playing) -> None:
    asked = {"question": "My chest is tight at night. Is that my asthma?", "history": HISTORY, "evidence": []}
    async with playing(good) as agent:
        answer = await ask(agent, "imkdg", **asked)
        prompt = agent.asked_for("DraftAnswer")
        bare = await ask(agent, "imkdg", **asked, settings={"without": ["knowledge", "exemplars"]})
        plain = agent.asked_for("DraftAnswer")
    target = (
        "Dialogue Context:\nPatient: I have had asthma for years.\nDoctor: How often do you use your inhaler?\n"
        "Patient: My chest is tight at night. Is that my asthma?\nWe know that: ["
    )
    assert target in prompt
    assert prompt.endswith("Doctor Response:")
    assert prompt.count("Doctor Response:") == 1 + len(answer.exemplars) == 4
    assert "<evidence id=" not in prompt + plain
    assert bare.exemplars == ()
    assert bare.evidence == ()
    assert "We know that:" not in plain
    assert plain.count("Doctor Response:") == 1


async def test_imkdg_answers_a_question_alone_as_a_dialogue_of_one_turn(playing: Playing) -> None:
    async with playing(good) as agent:
        answer = await ask(agent, "imkdg", question="I have asthma. What helps at night?", evidence=[])
        prompt = agent.asked_for("DraftAnswer")
        ablated = await ask(
            agent,
            "imkdg",
            question="I have asthma. What helps at night?",
            evidence=[],
            settings={"without": ["knowledge"]},
        )
        plain = agent.asked_for("DraftAnswer")
    assert len(answer.exemplars) == len(ablated.exemplars) == 3
    assert "Dialogue Context:\nPatient: I have asthma. What helps at night?\nWe know that: [" in prompt
    assert "We know that: [" not in plain
    assert any("roberta" in notice for notice in answer.notices)


async def test_imkdg_links_what_the_doctor_says_too(playing: Playing) -> None:
    history = [
        {"role": "patient", "text": "I cough at night."},
        {"role": "doctor", "text": "Did anybody ever tell you that you have Marfan syndrome?"},
    ]
    async with playing(good) as agent:
        await ask(agent, "imkdg", question="Maybe, what would that mean?", history=history, evidence=[])
        assert "Marfan syndrome," in agent.asked_for("DraftAnswer").rpartition("We know that:")[2]


@pytest.fixture
def library(model_home: Path, tmp_path: Path, built: dict[str, Any]) -> Iterator[str]:
    """A collection of certified texts; its name."""
    folder = tmp_path / "leaflets"
    folder.mkdir()
    for name, text in CERTIFIED.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    resources = Resources(Settings(home=model_home))
    resources.__dict__["minilm"] = built["minilm"]
    resources.repository.index([folder], "leaflets", certified=True)
    yield "leaflets"
    resources.repository.delete("leaflets")
    resources.close()


def certified(library: str, **settings: Any) -> dict[str, Any]:
    return {"settings": {"sources": ["repository"], "collection": library, **settings}, "evidence": []}


async def test_certified_grounds_the_answer_in_three_documents_and_points_to_them(
    playing: Playing, library: str
) -> None:
    async with playing(good) as agent:
        answer = await ask(agent, "certified", **certified(library))
    assert "glimepride tea" in answer.text
    assert len(answer.pointers) == 3
    assert len({pointer.partition("#")[0] for pointer in answer.pointers}) == 3
    assert set(answer.citations) <= set(answer.pointers)
    assert all(e.certified for e in answer.evidence)
    assert any("ms-marco" in notice for notice in answer.notices)
    assert TREATED in agent.asked_for("HypotheticalDocument")


async def test_a_certified_text_is_given_to_the_byte(evidence_only: Agent, library: str) -> None:
    fields = certified(library, verbatim=True)
    answer = await ask(evidence_only, "certified", **fields, max_words=2)
    assert answer.text == CERTIFIED["tea"]
    assert len(answer.text) > 1_000
    assert answer.pointers[0] == answer.citations[0]


async def test_an_answer_is_held_to_its_length_at_the_end_of_a_sentence(playing: Playing, library: str) -> None:
    async with playing(good) as agent:
        answer = await ask(agent, "certified", **certified(library), max_words=9)
    assert answer.text == "Zorblax fever is treated with glimepride tea."
    assert answer.citations


async def test_what_is_not_certified_is_no_ground(evidence_only: Agent) -> None:
    answer = await ask(evidence_only, "certified")
    assert answer.abstained
    assert "--certified" in (answer.reason or "")


async def test_context_only_falls_back_to_its_sentence(playing: Playing) -> None:
    def silent(schema: str, system: str, user: str) -> Spoken:
        sentence = system.partition("nothing else: ")[2].splitlines()[0]
        return {"reasoning": [], "answer": sentence, "choice": None, "citations": []}

    async with playing(good) as agent:
        told = await ask(agent, "context-only")
    async with playing(silent) as agent:
        withheld = await ask(agent, "context-only", question="Come si cura la febbre di zorblax nei bambini piccoli?")
    assert "glimepride tea" in told.text
    assert withheld.abstained
    assert withheld.text == "Mi dispiace, non posso aiutarti in base alle informazioni di cui dispongo"


async def test_the_graph_alone_verifies(playing: Playing) -> None:
    text = "Asthma is treated with salbutamol. Arachnodactyly belongs to Marfan syndrome."
    async with playing(good) as agent:
        answer = await ask(agent, "graph", question="How is asthma treated?", evidence=[text])
    assert answer.verdicts
    assert all("p_net" in v.signals and "containment" not in v.signals for v in answer.verdicts)
    assert all(v.risk == pytest.approx(1.0 - v.p_supported) for v in answer.verdicts)


@pytest.mark.parametrize("method", ["rag", "halo", "imkdg", "context-only", "graph", "graph-literal", "full"])
async def test_every_method_but_vanilla_works_without_a_model(evidence_only: Agent, method: Method) -> None:
    answer = await ask(evidence_only, method)
    assert answer.method == method
    assert answer.engine == "evidence-only"
    assert answer.abstained or "glimepride tea" in answer.text
    if method in ("rag", "full", "context-only"):
        assert "glimepride tea" in answer.text


async def test_a_follow_up_is_asked_as_what_it_became(evidence_only: Agent, home: Path) -> None:
    async with open_threads(home) as checkpointer:
        graph: Any = build_graph(evidence_only.resources, checkpointer)
        thread = {"configurable": {"thread_id": "t"}}
        await graph.ainvoke({"question": "What are the features of Marfan syndrome?"}, thread)
        second = (await graph.ainvoke({"question": "And in children?"}, thread))["answer"]
        third = (await graph.ainvoke({"question": "What is arachnodactyly?"}, thread))["answer"]
    assert second.question == "And in children?"
    assert "Marfan syndrome" in (second.resolved or "")
    assert "children" in (second.resolved or "")
    assert third.resolved is None


async def test_signs_of_danger_come_before_the_answer(evidence_only: Agent) -> None:
    answer = await ask(evidence_only, "full", question="I have crushing chest pain right now, is it my heart?")
    assert answer.urgent
    assert "emergency" in answer.urgent[0].lower()
    assert (await ask(evidence_only, "full")).urgent == ()


async def test_a_dose_for_a_person_is_answered_by_quotes_alone(playing: Playing) -> None:
    text = "Children of three years get 100 mg of ibuprofen at a time."
    async with playing(good) as agent:
        question = "How much ibuprofen should I give my 3 year old?"
        answer = await ask(agent, "full", question=question, evidence=[text])
    assert agent.asked_for("DraftAnswer") == ""
    assert answer.urgent
    assert answer.abstained or answer.text == text


async def test_another_language_is_answered_by_a_model(playing: Playing) -> None:
    async with playing(good) as agent:
        answer = await ask(
            agent, "rag", question="Come si cura la zorblax fever, e con quale glimepride tea si tratta?"
        )
    assert not answer.abstained, answer.reason
    assert LEAFLET.startswith(answer.text[:20])
