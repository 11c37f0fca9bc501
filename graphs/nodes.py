"""The nodes of the agent: each calls one chain or subgraph and returns what changed."""

from __future__ import annotations

from datetime import date
from typing import Literal

from langchain_core.messages import AIMessage, HumanMessage
from pydantic import ValidationError

from chains.answer.by_task import AnswerInput
from chains.expand import ExpandInput
from chains.finalize import Finding, answered, withheld
from chains.question import UnderstandInput
from chains.refine import RefineInput
from chains.revise import ReviseInput, is_attested
from core.errors import InputError
from core.schema import Draft, Evidence, Question, Usage, Verdict
from graphs.resources import Resources
from graphs.retrieval import Graph as RetrievalGraph
from graphs.state import QuestionState
from graphs.steps import Update, count, step
from graphs.verification import Graph as VerificationGraph

_EMPTY_INPUT: Update = {
    "id": None,
    "question": "",
    "options": {},
    "task": None,
    "evidence": [],
    "max_words": None,
    "settings": {},
}


class QuestionNodes:
    """The nodes and routes, over one set of resources and the two subgraphs."""

    def __init__(self, resources: Resources, retrieval: RetrievalGraph, verification: VerificationGraph) -> None:
        self.resources = resources
        self.retrieval = retrieval
        self.verification = verification

    @step(lambda u: f"“{u['asked'].question[:80]}”")
    async def begin(self, state: QuestionState) -> Update:
        """Read the question off the input, and forget all that belongs to the one before."""
        asked = _asked(state)
        spoken = state.get("messages") or []
        said = spoken and spoken[-1].type == "human" and spoken[-1].text == asked.question
        return {
            **_EMPTY_INPUT,
            "asked": asked,
            "messages": [] if said else [HumanMessage(asked.question)],
            "mentions": (),
            "triples": (),
            "queries": (asked.question,),
            "pending": (asked.question,),
            "evidence_found": (),
            "relevance": {},
            "draft": Draft(text=""),
            "verdicts": (),
            "rounds": 0,
            "failures": (),
            "notices": (),
            "usage": Usage(),
            "answer": None,
        }

    @step(lambda u: count(u["mentions"], "concept"))
    async def link_concepts(self, state: QuestionState) -> Update:
        """Find the concepts that the question mentions."""
        outcome = await self.resources.invoke(lambda r: r.concept_linker, state["asked"])
        return {"mentions": outcome.value}

    @step(lambda u: f"{u['understanding'].aspect or 'anything'} of {u['understanding'].subject or 'no clear subject'}")
    async def understand(self, state: QuestionState) -> Update:
        """Find the question's subject and what is asked of it."""
        given = UnderstandInput(state["asked"], state["mentions"])
        outcome = await self.resources.invoke(lambda r: r.understander, given)
        return {"understanding": outcome.value}

    def is_readable(self, state: QuestionState) -> list[Literal["expand", "relate"]] | Literal["abstain"]:
        """The evidence-only engine reads English."""
        return ["expand", "relate"] if state["understanding"].language == "en" else "abstain"

    @step(lambda u: count(u["triples"], "relation"))
    async def relate(self, state: QuestionState) -> Update:
        """Look up what the vocabularies state of the question's concepts."""
        outcome = await self.resources.invoke(lambda r: r.relater, state["understanding"])
        return {"triples": outcome.value}

    @step(lambda u: count(u["pending"], "query"))
    async def expand(self, state: QuestionState) -> Update:
        """Other phrasings of the question."""
        if "expansion" in state["asked"].settings.without:
            return {"pending": state["pending"]}
        options = tuple(state["asked"].options.values())
        outcome = await self.resources.invoke(lambda r: r.expander, ExpandInput(state["understanding"], options))
        queries = (*state["queries"], *outcome.value)
        return {"queries": queries, "pending": queries, "usage": state["usage"] + outcome.usage}

    @step(lambda u: count(u["evidence_found"], "passage"))
    async def retrieve(self, state: QuestionState) -> Update:
        """Ask the sources; what earlier rounds found takes part."""
        result = await self.retrieval.ainvoke(
            {
                "understanding": state["understanding"],
                "queries": state["pending"],
                "given": (*state["evidence_found"], *_given(state["asked"])),
                "settings": state["asked"].settings,
            }
        )
        new = tuple(f for f in result["failures"] if f not in state["failures"])
        return {
            "evidence_found": result["selected"],
            "relevance": result["relevance"],
            "failures": (*state["failures"], *new),
            "notices": tuple(dict.fromkeys((*state["notices"], *result["notices"]))),
            "pending": (),
        }

    @step(lambda u: count(u["draft"].claims, "sentence") if u["draft"].text else "nothing to say")
    async def answer(self, state: QuestionState) -> Update:
        """Write an answer from the evidence."""
        given = AnswerInput(state["asked"], state["understanding"], state["evidence_found"], state["relevance"])
        outcome = await self.resources.invoke(lambda r: r.answerer, given)
        return {"draft": outcome.value, "usage": state["usage"] + outcome.usage}

    @step(lambda u: count([v for v in u["verdicts"] if v.label == "supported"], "claim") + " supported")
    async def verify(self, state: QuestionState) -> Update:
        """Check every claim of the draft against the evidence."""
        draft = state["draft"]
        if not draft.claims or "verification" in state["asked"].settings.without:
            unchecked = (_unchecked(c) for c in draft.claims)
            return {"verdicts": tuple(Verdict(**fields) for fields in unchecked)}
        result = await self.verification.ainvoke(
            {
                "text": draft.text,
                "claims": draft.claims,
                "evidence": state["evidence_found"],
                "relevance": state["relevance"],
                "settings": state["asked"].settings,
            }
        )
        return {"verdicts": result["verdicts"]}

    def is_attested(self, state: QuestionState) -> Literal["finalize", "refine", "revise", "abstain"]:
        """All attested: give it. Budget left: search again. Otherwise keep what is attested, if anything is."""
        without = state["asked"].settings.without
        attested = [is_attested(v, self.resources.settings.accept_risk) for v in state["verdicts"]]
        if attested and (all(attested) or "verification" in without):
            return "finalize"
        budget = state["asked"].settings.rounds
        if "loop" not in without and state["rounds"] < (self.resources.settings.rounds if budget is None else budget):
            return "refine"
        return "revise" if any(attested) else "abstain"

    @step(lambda u: count(u["pending"], "new query"))
    async def refine(self, state: QuestionState) -> Update:
        """New queries for what could not be attested."""
        weak = tuple(v for v in state["verdicts"] if not is_attested(v, self.resources.settings.accept_risk))
        given = RefineInput(state["understanding"], weak, state["queries"])
        outcome = await self.resources.invoke(lambda r: r.refiner, given)
        return {
            "pending": outcome.value,
            "queries": (*state["queries"], *outcome.value),
            "rounds": state["rounds"] + 1,
            "usage": state["usage"] + outcome.usage,
        }

    def is_new(self, state: QuestionState) -> Literal["retrieve", "revise", "abstain"]:
        """Search again where there is something new to ask."""
        if state["pending"]:
            return "retrieve"
        attested = any(is_attested(v, self.resources.settings.accept_risk) for v in state["verdicts"])
        return "revise" if attested else "abstain"

    @step(lambda u: f"kept {count(u['verdicts'], 'claim')}")
    async def revise(self, state: QuestionState) -> Update:
        """Drop what is not attested."""
        given = ReviseInput(state["draft"], state["verdicts"], self.resources.settings.accept_risk)
        revision = (await self.resources.invoke(lambda r: r.reviser, given)).value
        return {"draft": revision.draft, "verdicts": revision.verdicts}

    @step(lambda u: f"risk {u['answer'].risk:.2f}")
    async def finalize(self, state: QuestionState) -> Update:
        """The attested answer."""
        answer = answered(self._finding(state))
        return {"answer": answer, "messages": [AIMessage(answer.text)]}

    @step(lambda u: u["answer"].reason)
    async def abstain(self, state: QuestionState) -> Update:
        """The fixed sentence and the reason."""
        answer = withheld(self._finding(state))
        return {"answer": answer, "messages": [AIMessage(answer.text)]}

    def _finding(self, state: QuestionState) -> Finding:
        return Finding(
            question=state["asked"],
            understanding=state["understanding"],
            draft=state["draft"],
            verdicts=state["verdicts"],
            evidence=state["evidence_found"],
            relevance=state["relevance"],
            queries=state["queries"],
            failures=state["failures"],
            usage=state["usage"],
            rounds=state["rounds"],
            engine=self.resources.engine,
            notices=state["notices"],
            verified="verification" not in state["asked"].settings.without,
            today=date.today(),
        )


def _asked(state: QuestionState) -> Question:
    """The question in the input fields, or else in the last message that a person wrote."""
    fields = {name: state.get(name) for name in _EMPTY_INPUT if state.get(name)}
    if "question" not in fields:
        spoken = [message for message in state.get("messages") or [] if message.type == "human"]
        fields["question"] = spoken[-1].text if spoken else ""
    try:
        return Question.model_validate(fields)
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'question'}: {e['msg']}" for e in error.errors())
        raise InputError(f"the question cannot be asked ({faults})") from error


def _given(asked: Question) -> tuple[Evidence, ...]:
    return tuple(Evidence(id=f"given:{n}", text=t, source="given") for n, t in enumerate(asked.evidence, start=1) if t)


def _unchecked(claim: object) -> Update:
    why = "verification was switched off"
    return {"claim": claim, "label": "unverifiable", "p_supported": 0.0, "p_contradicted": 0.0, "risk": 1.0, "why": why}
