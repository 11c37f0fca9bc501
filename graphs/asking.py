"""The nodes up to the search: what is asked, in which words, about what, and what is searched for."""

from __future__ import annotations

from typing import Literal

from langchain_core.messages import HumanMessage

from chains.answer.prompting import dialogue
from chains.expand import ExpandInput, searched
from chains.followup import FollowUp
from chains.question import UnderstandInput, patient_words
from chains.scope import Scope
from chains.select.exemplars import ExemplarInput, without_knowledge
from chains.understanding import names_nothing
from chains.widen import WidenInput
from core.schema import Draft, Question, Usage
from graphs.resources import Resources
from graphs.state import QuestionState, plan_in, question_of
from graphs.steps import Update, count, spent, step

HOPELESS = 0.97
"""A question that is so likely outside of what texts answer is not searched for."""

NAMELESS = Scope(outside=1.0, kind="vague")
"""A question about "it" where nothing says what that is."""

_EMPTY_INPUT: Update = {
    "id": None,
    "question": "",
    "options": {},
    "task": None,
    "evidence": [],
    "history": [],
    "max_words": None,
    "settings": {},
}


_NOTHING_FOUND: Update = {
    "triples": (),
    "evidence_found": (),
    "relevance": {},
    "weighed": (),
    "missing": (),
    "unfounded": (),
    "draft": Draft(text=""),
    "verdicts": (),
    "rounds": 0,
}


class AskingNodes:
    """The nodes and the route, over one set of resources."""

    def __init__(self, resources: Resources) -> None:
        self.resources = resources

    @step(lambda u: f"“{u['asked'].question[:80]}”")
    async def begin(self, state: QuestionState) -> Update:
        """Read the question off the input, and forget all that belongs to the one before."""
        asked = _asked(state)
        spoken = state.get("messages") or []
        said = spoken and spoken[-1].type == "human" and spoken[-1].text == asked.question
        return {
            **_EMPTY_INPUT,
            "asked": asked,
            "resolved": asked.question,
            "alarms": (),
            "messages": [] if said else [HumanMessage(asked.question)],
            "unknown": (),
            "scope": Scope(),
            "mentions": (),
            "widened": None,
            "exemplars": (),
            "hypothetical": "",
            "queries": (),
            "pending": (),
            **_NOTHING_FOUND,
            "failures": (),
            "notices": await self.resources.ready_for(asked.settings),
            "usage": Usage(),
            "answer": None,
        }

    @step(lambda u: "signs of " + (", ".join(a.kind for a in u["alarms"]) or "no danger"))
    async def watch(self, state: QuestionState) -> Update:
        """Look for signs of danger in what the patient says."""
        said = patient_words(state["asked"])
        return {"alarms": (await self.resources.invoke(lambda s: s.alarm_raiser, said)).value}

    @step(lambda u: f"“{u['resolved'][:80]}”")
    async def resolve(self, state: QuestionState) -> Update:
        """A follow-up becomes a question that stands alone; a consultation is read with what the patient has said."""
        asked = state["asked"]
        if asked.history:
            return {"resolved": patient_words(asked)}
        if asked.options:
            return {"resolved": asked.question}
        typed = (await self.resources.invoke(lambda s: s.typist, asked.question)).value
        earlier = tuple(m.text for m in state["messages"] if m.type == "human")[:-1]
        resolved = (await self.resources.invoke(lambda s: s.follow_up, FollowUp(typed.text, earlier))).value
        return {"resolved": resolved, "unknown": typed.unknown}

    @step(lambda u: u["scope"].likely or "within what texts answer")
    async def screen(self, state: QuestionState) -> Update:
        """See whether general texts can answer the question; a choice and a consultation bring their own."""
        if not _stands_for_itself(state["asked"]):
            return {"scope": Scope()}
        return {"scope": (await self.resources.invoke(lambda s: s.screener, state["resolved"])).value}

    @step(lambda u: count(u["mentions"], "concept"))
    async def link_concepts(self, state: QuestionState) -> Update:
        """Find the concepts that the question mentions."""
        outcome = await self.resources.invoke(lambda s: s.concept_linker, _standing_alone(state))
        return {"mentions": outcome.value}

    @step(lambda u: f"{u['understanding'].aspect or 'anything'} of {u['understanding'].subject or 'no clear subject'}")
    async def understand(self, state: QuestionState) -> Update:
        """Find the question's subject and what is asked of it."""
        given = UnderstandInput(_standing_alone(state), state["mentions"])
        outcome = await self.resources.invoke(lambda s: s.understander, given)
        queries = (state["asked"].question,) if state["asked"].history else searched(outcome.value)
        scope = NAMELESS if _stands_for_itself(state["asked"]) and names_nothing(outcome.value) else state["scope"]
        return {"understanding": outcome.value, "queries": queries, "pending": queries, "scope": scope}

    def is_readable(self, state: QuestionState) -> list[Literal["expand", "relate"]] | Literal["abstain"]:
        """The evidence-only engine reads English; what no text can answer is not searched for."""
        reads = self.resources.steps.reads(state["understanding"].language)
        return ["expand", "relate"] if reads and state["scope"].outside < HOPELESS else "abstain"

    @step(lambda u: u["widened"].question if u["widened"] else "nothing wider to ask")
    async def widen(self, state: QuestionState) -> Update:
        """Ask of all medicines of a kind, or of all symptoms of a disease, what nothing answers of the one named."""
        asked = state["understanding"]
        given = WidenInput(state["resolved"], state["mentions"], asked.aspect, asked.object)
        if (wider := (await self.resources.invoke(lambda s: s.widener, given)).value) is None:
            return {"widened": None}
        anew = state["asked"].model_copy(update={"question": wider.question})
        mentions = (await self.resources.invoke(lambda s: s.concept_linker, anew)).value
        outcome = await self.resources.invoke(lambda s: s.understander, UnderstandInput(anew, mentions))
        queries = searched(outcome.value)
        return {
            **_NOTHING_FOUND,
            "widened": wider,
            "resolved": wider.question,
            "mentions": mentions,
            "understanding": outcome.value,
            "queries": queries,
            "pending": queries,
        }

    def is_wider(self, state: QuestionState) -> list[Literal["expand", "relate"]] | Literal["abstain"]:
        """Search again where the question could be asked of more."""
        return ["expand", "relate"] if state["widened"] else "abstain"

    @step(lambda u: count(u["triples"], "relation"))
    async def relate(self, state: QuestionState) -> Update:
        """Look up what the vocabularies state of the question's concepts."""
        if not plan_in(state).knowledge:
            return {"triples": ()}
        outcome = await self.resources.invoke(lambda s: s.relater, state["understanding"])
        return {"triples": outcome.value}

    @step(lambda u: count(u["exemplars"], "example"))
    async def exemplify(self, state: QuestionState) -> Update:
        """Choose worked examples like this question and its knowledge."""
        if not plan_in(state).exemplars:
            return {"exemplars": ()}
        asked, task = state["asked"], state["understanding"].task
        spoken = asked if asked.history else _standing_alone(state)
        context = dialogue(spoken) if task == "dialogue" else state["resolved"]
        given = ExemplarInput(task, context, state["triples"])
        outcome = await self.resources.invoke(lambda s: s.exemplifier(asked.settings.method), given)
        ablated = "knowledge" in asked.settings.without
        return {"exemplars": tuple(map(without_knowledge, outcome.value)) if ablated else outcome.value}

    @step(lambda u: count(u["pending"], "query"))
    async def expand(self, state: QuestionState) -> Update:
        """Other phrasings of the question, and a document that would answer it."""
        plan, options = plan_in(state), tuple(state["asked"].options.values())
        wanted = ExpandInput(state["understanding"], options, plan.expansion, plan.hypothetical)
        outcome = await self.resources.consult(lambda s: s.query_writer, wanted, state["asked"].settings)
        queries = (*state["queries"], *outcome.value.phrasings)
        imagined = outcome.value.hypothetical if plan.hypothetical else ""
        return {
            "queries": queries,
            "pending": queries,
            "hypothetical": "" if imagined == state["resolved"] else imagined,
            **spent(state, outcome),
        }


def _stands_for_itself(asked: Question) -> bool:
    """Whether the question brings neither options nor a dialogue nor evidence."""
    return not (asked.options or asked.history or asked.evidence)


def _standing_alone(state: QuestionState) -> Question:
    """The question, in the words that stand alone."""
    return state["asked"].model_copy(update={"question": state["resolved"]})


def _asked(state: QuestionState) -> Question:
    """The question in the input fields, or else in the last message that a person wrote."""
    fields = {name: state.get(name) for name in _EMPTY_INPUT if state.get(name)}
    if "question" not in fields:
        spoken = [message for message in state.get("messages") or [] if message.type == "human"]
        fields["question"] = spoken[-1].text if spoken else ""
    return question_of(fields)
