"""The nodes from the search on: evidence, an answer, its verification, and the way back to search."""

from __future__ import annotations

from datetime import date
from typing import Literal

from langchain_core.messages import AIMessage

from chains.answer.given import AnswerInput
from chains.attest import citing_what_attests
from chains.finalize import Ending, answered, withheld
from chains.premise import PremiseInput
from chains.refine import RefineInput
from chains.revise import ReviseInput, is_attested
from chains.safety import DANGERS
from chains.telling import TellingInput
from chains.verify.judged import no_surer
from chains.widen import TOLD, on_kind
from core.schema import EVIDENCE_ONLY, Claim, Evidence, Failure, Question, Verdict
from core.text import content_terms
from graphs.resources import Resources
from graphs.retrieval import Graph as RetrievalGraph
from graphs.state import QuestionState, plan_in
from graphs.steps import Update, count, spent, step
from graphs.verification import Graph as VerificationGraph

_NOTHING_ATTESTED = Failure(
    source="model, answer",
    error="nothing that it wrote is attested and answers; sentences of the evidence stand in its place",
)


class AnsweringNodes:
    """The nodes and routes, over one set of resources and the two subgraphs."""

    def __init__(self, resources: Resources, retrieval: RetrievalGraph, verification: VerificationGraph) -> None:
        self.resources = resources
        self.retrieval = retrieval
        self.verification = verification

    @step(lambda u: count(u["evidence_found"], "passage"))
    async def retrieve(self, state: QuestionState) -> Update:
        """Ask the sources; what earlier rounds found takes part."""
        result = await self.retrieval.ainvoke(
            {
                "understanding": state["understanding"],
                "queries": state["pending"],
                "hypothetical": state["hypothetical"],
                "scope": state["scope"],
                "unknown": state["unknown"],
                "given": (*state["evidence_found"], *_given(state["asked"])),
                "settings": state["asked"].settings,
            }
        )
        wider, selected = state["widened"], result["selected"]
        if wider:
            selected = on_kind(selected, wider.kind)
        return {
            "evidence_found": selected,
            "relevance": {e.id: result["relevance"][e.id] for e in selected},
            "weighed": result["weighed"],
            "missing": result["missing"],
            "failures": tuple(dict.fromkeys((*state["failures"], *result["failures"]))),
            "notices": tuple(dict.fromkeys((*state["notices"], *result["notices"]))),
            "pending": (),
        }

    @step(lambda u: count(u["draft"].claims, "sentence") if u["draft"].text else "nothing to say")
    async def answer(self, state: QuestionState) -> Update:
        """Write an answer from the evidence; on a dose for a person, nothing but its own sentences."""
        if any(alarm.kind == "personal_dose" for alarm in state["alarms"]):
            return await self._quoted(state)
        outcome = await self.resources.consult(lambda s: s.answerer, self._answer_input(state), state["asked"].settings)
        return {"draft": outcome.value, **spent(state, outcome)}

    @step(lambda u: count(u["draft"].claims, "sentence") if u["draft"].text else "nothing to say")
    async def quote(self, state: QuestionState) -> Update:
        """Sentences of the evidence in place of a model's answer of which nothing is attested."""
        update = await self._quoted(state)
        return {**update, "failures": tuple(dict.fromkeys((*update["failures"], _NOTHING_ATTESTED)))}

    async def _quoted(self, state: QuestionState) -> Update:
        outcome = await self.resources.invoke(lambda s: s.quoting_answerer, self._answer_input(state))
        return {"draft": outcome.value.model_copy(update={"engine": EVIDENCE_ONLY}), **spent(state, outcome)}

    @step(lambda u: count([v for v in u["verdicts"] if v.label == "supported"], "claim") + " supported")
    async def verify(self, state: QuestionState) -> Update:
        """Check every claim of the draft against the evidence."""
        draft = state["draft"]
        if not draft.claims or plan_in(state).verification == "none":
            return {"verdicts": tuple(_unchecked(claim) for claim in draft.claims)}
        evidence = state["evidence_found"]
        told = await self._told(state)
        result = await self.verification.ainvoke(
            {
                "text": draft.text,
                "question": state["resolved"],
                "options": tuple(state["asked"].options.values()),
                "claims": draft.claims,
                "evidence": evidence,
                "relevance": told,
                "settings": state["asked"].settings,
                "quoted": self._quotes(state),
            }
        )
        return {
            **citing_what_attests(draft, result["verdicts"]),
            "unfounded": await self._unfounded(state),
            "failures": tuple(dict.fromkeys((*state["failures"], *result["failures"]))),
            "usage": state["usage"] + result["usage"],
        }

    async def _told(self, state: QuestionState) -> dict[str, float]:
        """How likely the draft, by each piece of evidence, answers: a yes or no that was weighed, by its own chance."""
        if (chance := state["draft"].chance) is not None:
            return dict.fromkeys(state["relevance"], chance)
        narrower = state["widened"].named if state["widened"] and state["widened"].kind else ""
        given = TellingInput(state["draft"], state["understanding"], state["weighed"], self._quotes(state), narrower)
        told = (await self.resources.invoke(lambda s: s.teller, given)).value
        most = TOLD if state["widened"] else 1.0
        return {piece: min(told.get(piece, 0.0), most) for piece in state["relevance"]}

    def _answer_input(self, state: QuestionState) -> AnswerInput:
        plan = plan_in(state)
        return AnswerInput(
            asked=state["asked"],
            understanding=state["understanding"],
            evidence=state["evidence_found"],
            relevance=state["relevance"],
            triples=state["triples"],
            exemplars=state["exemplars"],
            style=plan.prompt,
            verification=plan.verification,
            passages=plan.passages,
            earlier=state["draft"] if state["rounds"] else None,
            weighed=state["weighed"],
            examined=self._examined(state),
            alarmed=any(alarm.kind in DANGERS for alarm in state["alarms"]),
        )

    def _examined(self, state: QuestionState) -> bool:
        """Whether a yes or no on texts that the asker gave is to be told whatever its risk, as in an examination."""
        evidence, asked = state["evidence_found"], state["understanding"]
        given = bool(evidence) and all(piece.source == "given" for piece in evidence)
        return given and asked.task == "yesno" and self.resources.settings.decide_risk >= 1

    def _accepted(self, state: QuestionState) -> float:
        """Up to which risk something is told: more of a decision on texts that the asker can look into."""
        settings = self.resources.settings
        return settings.accept_risk if state["draft"].chance is None else settings.decide_risk

    async def _unfounded(self, state: QuestionState) -> tuple[str, ...]:
        """What the question takes for granted and no evidence says, where that keeps an answer back."""
        if not plan_in(state).gate:
            return ()
        given = PremiseInput(state["understanding"], state["evidence_found"], state["relevance"])
        return (await self.resources.invoke(lambda s: s.premiser, given)).value

    def is_attested(self, state: QuestionState) -> Literal["finalize", "refine", "revise", "quote", "widen", "abstain"]:
        """All attested: give it. Budget left: search again. Otherwise keep what is attested, if anything is."""
        plan, settings = plan_in(state), state["asked"].settings
        if plan.gate and (state["missing"] or state["unfounded"]) and not self._examined(state):
            return "abstain"
        attested = [is_attested(v, self._accepted(state)) for v in state["verdicts"]]
        if state["draft"].text and (not plan.gate or (attested and all(attested))):
            return "finalize"
        budget = self.resources.settings.rounds if settings.rounds is None else settings.rounds
        if plan.loop and state["rounds"] < budget:
            return "refine"
        return self._without_weak(state)

    def _without_weak(self, state: QuestionState) -> Literal["revise", "quote", "widen", "abstain"]:
        """Keep what is attested, if that answers; else quote, where a model has tried and the question can be read."""
        if self._is_enough(state):
            return "revise"
        if self._may_quote(state):
            return "quote"
        return "widen" if self._may_widen(state) else "abstain"

    def _may_widen(self, state: QuestionState) -> bool:
        """Whether the library may be asked of more than the medicine in question: once, and of a question alone."""
        asked, plan = state["asked"], plan_in(state)
        alone = not (asked.options or asked.history or asked.evidence or asked.settings.collection)
        return alone and plan.gate and plan.passages and plan.search and not state["widened"]

    def _may_quote(self, state: QuestionState) -> bool:
        """Whether a model has tried to answer, and sentences of the evidence may stand in its place."""
        plan, language = plan_in(state), state["understanding"].language
        tried = state["draft"].text and plan.gate and plan.passages and not self._quotes(state)
        return bool(tried) and self.resources.evidence_only.reads(language)

    def _is_enough(self, state: QuestionState) -> bool:
        """Whether what is attested answers: of a comparison something of both sides.

        Quoted sentences open with the direct answer: without it, the others are beside the point.
        """
        kept = [v for v in state["verdicts"] if is_attested(v, self._accepted(state))]
        if not kept or (self._quotes(state) and kept[0] is not state["verdicts"][0]):
            return False
        said = set(content_terms(" ".join(verdict.claim.text for verdict in kept)))
        asked = state["understanding"]
        sides = asked.questions[-2:] if asked.compared else ()
        return not any(said.isdisjoint(content_terms(side.subject)) for side in sides)

    def _quotes(self, state: QuestionState) -> bool:
        """Whether the draft is made of sentences of the evidence."""
        return (state["draft"].engine or self.resources.engine) == EVIDENCE_ONLY

    @step(lambda u: count(u["pending"], "new query"))
    async def refine(self, state: QuestionState) -> Update:
        """New queries for what could not be attested."""
        weak = tuple(v for v in state["verdicts"] if not is_attested(v, self._accepted(state)))
        given = RefineInput(state["understanding"], weak, state["queries"])
        outcome = await self.resources.invoke(lambda s: s.refiner, given)
        return {
            "pending": outcome.value,
            "queries": (*state["queries"], *outcome.value),
            "rounds": state["rounds"] + 1,
            "usage": state["usage"] + outcome.usage,
        }

    def is_new(self, state: QuestionState) -> Literal["retrieve", "revise", "quote", "widen", "abstain"]:
        """Search again where there is something new to ask."""
        if state["pending"]:
            return "retrieve"
        return self._without_weak(state)

    @step(lambda u: f"kept {count(u['verdicts'], 'claim')}")
    async def revise(self, state: QuestionState) -> Update:
        """Drop what is not attested."""
        given = ReviseInput(state["draft"], state["verdicts"], self._accepted(state), state["resolved"])
        outcome = await self.resources.consult(lambda s: s.reviser, given, state["asked"].settings)
        draft, verdicts = outcome.value
        if self._may_quote(state) and not state["asked"].options:
            told = await self._told({**state, "draft": draft})
            verdicts = tuple(no_surer(verdict, max(told.values(), default=0.0)) for verdict in verdicts)
        return {"draft": draft, "verdicts": verdicts, **spent(state, outcome)}

    def is_answer(self, state: QuestionState) -> Literal["finalize", "quote"]:
        """What is left of a model's answer may no longer answer: then the evidence is quoted."""
        left = all(is_attested(v, self._accepted(state)) for v in state["verdicts"])
        return "finalize" if left or not self._may_quote(state) else "quote"

    @step(lambda u: f"risk {u['answer'].risk:.2f}")
    async def finalize(self, state: QuestionState) -> Update:
        """The attested answer."""
        answer = answered(self._ending(state))
        return {"answer": answer, "messages": [AIMessage(answer.text)]}

    @step(lambda u: u["answer"].reason)
    async def abstain(self, state: QuestionState) -> Update:
        """The fixed sentence and the reason."""
        answer = withheld(self._ending(state))
        return {"answer": answer, "messages": [AIMessage(answer.text)]}

    def _ending(self, state: QuestionState) -> Ending:
        return Ending(
            question=state["asked"],
            resolved=state["resolved"],
            understanding=state["understanding"],
            draft=state["draft"],
            verdicts=state["verdicts"],
            evidence=state["evidence_found"],
            relevance=state["relevance"],
            queries=state["queries"],
            exemplars=tuple(exemplar.id for exemplar in state["exemplars"]),
            failures=state["failures"],
            usage=state["usage"],
            rounds=state["rounds"],
            engine=state["draft"].engine or self.resources.engine,
            notices=state["notices"],
            alarms=state["alarms"],
            scope=state["scope"],
            missing=state["missing"],
            unfounded=state["unfounded"],
            widened=state["widened"],
            plan=plan_in(state),
            today=date.today(),
        )


def _given(asked: Question) -> tuple[Evidence, ...]:
    return tuple(Evidence(id=f"given:{n}", text=t, source="given") for n, t in enumerate(asked.evidence, start=1) if t)


def _unchecked(claim: Claim) -> Verdict:
    why = "verification was switched off"
    return Verdict(claim=claim, label="unverifiable", p_supported=0.0, p_contradicted=0.0, risk=1.0, why=why)
