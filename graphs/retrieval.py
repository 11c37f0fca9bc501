"""Retrieval: every source at once, each within its deadline; then weighing and selecting what was found."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Send

from chains.answer.naming import asks_of_names
from chains.answer.passages import is_recorded
from chains.answer_risk import calibrated, missing_words
from chains.guard.planted import quarantine
from chains.plan import plan_of
from chains.question import UnderstandInput
from chains.relevance.weigh import WeighInput
from chains.select.duplicates import distinct_evidence
from chains.select.evidence import SelectInput
from chains.understanding import Understanding
from core.errors import MedattestError, UsageError
from core.privacy.boundary import noting
from core.schema import Evidence, Failure, QuestionSettings
from core.source import SourceQuery, collecting_gaps
from graphs.resources import Resources, shared_resources
from graphs.state import RetrievalInput, RetrievalOutput, RetrievalState, SourceTask, question_of
from graphs.steps import Update, count, step

Graph = CompiledStateGraph[RetrievalState, None, RetrievalInput, RetrievalOutput]


class RetrievalNodes:
    """The nodes, over one set of resources."""

    def __init__(self, resources: Resources) -> None:
        self.resources = resources

    @step(lambda u: count(u.get("queries", ()), "query"))
    async def prepare(self, state: RetrievalState) -> Update:
        """Complete what the caller left out."""
        settings = QuestionSettings.model_validate(state.get("settings") or {})
        if "understanding" in state:
            return {"settings": settings, "queries": state["queries"], "hypothetical": state.get("hypothetical", "")}
        asked = question_of({"question": state.get("question", "")})
        linked = await self.resources.invoke(lambda s: s.concept_linker, asked)
        outcome = await self.resources.invoke(lambda s: s.understander, UnderstandInput(asked, linked.value))
        return {
            "settings": settings,
            "understanding": outcome.value,
            "queries": (asked.question,),
            "hypothetical": "",
        }

    def sources(self, state: RetrievalState) -> list[Send]:
        """One branch a source."""
        settings, plan = _settings(state), plan_of(_settings(state))
        preset = self.resources.settings_of(settings.method)
        if not plan.search:
            return [Send("weigh", state)]
        usual = ("repository",) if settings.collection else plan.sources
        names = settings.sources or usual or self.resources.sources.names(settings.collection)
        query = SourceQuery(
            queries=state["queries"],
            concepts=tuple(m.concept for m in state["understanding"].mentions),
            collection=settings.collection,
            live=preset.live_queries,
            limit=preset.retrieve,
            hypothetical=state["hypothetical"],
            dense=plan.certified,
            certified=plan.certified,
        )
        skipped = {"given", "knowledge"} if "knowledge" in settings.without else {"given"}
        tasks = [SourceTask(source=name, query=query, mode=settings.mode) for name in names if name not in skipped]
        return [Send("search_source", task) for task in tasks] or [Send("weigh", state)]

    @step(
        lambda u: count(u.get("found", ()), "passage") + "".join(f", failed: {f.error}" for f in u.get("failures", ()))
    )
    async def search_source(self, state: SourceTask) -> Update:
        """Ask one source; where it fails, say so and let the others go on."""
        name = state["source"]
        try:
            async with asyncio.timeout(self.resources.settings.source_deadline):
                source = await self.resources.source(name, state["mode"])
                with noting() as removed, collecting_gaps() as gaps:
                    found = tuple(await source.search(state["query"]))
                return {
                    "found": found,
                    "notices": (removed.notice,) if removed.notice else (),
                    "failures": tuple(Failure(source=name, error=f"in part: {gap}") for gap in gaps),
                }
        except UsageError:
            raise
        except TimeoutError:
            late = f"no reply within {self.resources.settings.source_deadline:g} s (MEDATTEST_SOURCE_DEADLINE)"
            return {"failures": (Failure(source=name, error=late),)}
        except (MedattestError, OSError) as error:
            return {"failures": (Failure(source=name, error=str(error)),)}

    @step(lambda u: f"{count(u['candidates'], 'candidate')}")
    async def weigh(self, state: RetrievalState) -> Update:
        """How likely each piece answers this question; what addresses the model, not the reader, is set aside."""
        found = (*state.get("given", ()), *state.get("found", ()))
        certified = plan_of(_settings(state)).certified
        clean, notices = await self.resources.compute(lambda: _fit_to_read(found, certified))
        understanding = state["understanding"]
        missing = missing_words([word for word in state.get("unknown", ()) if understanding.asks_of(word)], clean)
        weighed = tuple(
            [
                (await self.resources.invoke(lambda s: s.weigher, WeighInput(question, clean))).value
                for question in understanding.questions
            ]
        )
        if "scope" in state:
            weighed = await self.resources.compute(partial(self._calibrated, state, clean, weighed, missing))
        relevance = {e.id: max(of.get(e.id, 0.0) for of in weighed) for e in clean}
        return {"candidates": clean, "relevance": relevance, "weighed": weighed, "missing": missing, "notices": notices}

    def _calibrated(
        self,
        state: RetrievalState,
        clean: tuple[Evidence, ...],
        weighed: tuple[dict[str, float], ...],
        missing: tuple[str, ...],
    ) -> tuple[dict[str, float], ...]:
        asked, rarity = state["understanding"].questions, self.resources.rarity
        answered = self.resources.relevance.answered
        return tuple(
            calibrated(one, clean, of, state["scope"], missing, rarity, answered=answered(one.text, clean))
            for one, of in zip(asked, weighed, strict=True)
        )

    @step(lambda u: f"kept {count(u['selected'], 'passage')}")
    async def select(self, state: RetrievalState) -> Update:
        """The few that go on."""
        plan, queries = plan_of(_settings(state)), state["queries"]
        method = _settings(state).method
        own = self.resources.settings_of(method).mmr_question
        chosen = SelectInput(
            state["candidates"],
            state["relevance"],
            queries if own else queries[1:] or queries,
            plan.select,
            plan.weighed,
            plan.rerank,
            state["hypothetical"] or queries[0],
        )
        selected = (await self.resources.invoke(lambda s: s.selector(method), chosen)).value
        selected = _with_the_best(selected, state["candidates"], state["weighed"])
        selected = _with_what_is_recorded(selected, state["candidates"], state["understanding"])
        if _settings(state).verbatim:
            selected = await self.resources.whole_documents(selected)
        return {"selected": selected, "relevance": {e.id: state["relevance"][e.id] for e in selected}}


def build_graph(resources: Resources) -> Graph:
    """The retrieval graph over these resources."""
    nodes = RetrievalNodes(resources)
    graph = StateGraph(RetrievalState, input_schema=RetrievalInput, output_schema=RetrievalOutput)
    graph.add_node("prepare", nodes.prepare)
    graph.add_node("search_source", nodes.search_source, input_schema=SourceTask)
    graph.add_node("weigh", nodes.weigh)
    graph.add_node("select", nodes.select)
    graph.add_edge(START, "prepare")
    graph.add_conditional_edges("prepare", nodes.sources, ["search_source", "weigh"])
    graph.add_edge("search_source", "weigh")
    graph.add_edge("weigh", "select")
    graph.add_edge("select", END)
    return graph.compile(name="retrieval")


def make_graph() -> Graph:
    """For langgraph.json."""
    return build_graph(shared_resources())


def _fit_to_read(found: tuple[Evidence, ...], certified: bool) -> tuple[tuple[Evidence, ...], tuple[str, ...]]:
    """Each piece once, only certified ones where that is asked; those that address a model are left out, and named."""
    distinct = distinct_evidence(found)
    return quarantine([e for e in distinct if e.certified] if certified else distinct)


def _with_the_best(
    selected: tuple[Evidence, ...], candidates: Sequence[Evidence], weighed: Sequence[Mapping[str, float]]
) -> tuple[Evidence, ...]:
    """What was selected, and of several questions the best piece of each: what suits one may suit no other."""
    if len(weighed) < 2:
        return selected
    best = {max(of, key=lambda piece: of[piece]) for of in weighed if of} - {e.id for e in selected}
    return (*selected, *(e for e in candidates if e.id in best))


def _with_what_is_recorded(
    selected: tuple[Evidence, ...], candidates: Sequence[Evidence], asked: Understanding
) -> tuple[Evidence, ...]:
    """What was selected, and of an asked name or class what a vocabulary records: it reads like no prose."""
    if not asks_of_names(asked):
        return selected
    kept = {e.id for e in selected}
    return (*selected, *(e for e in candidates if e.id not in kept and is_recorded(asked, e)))


def _settings(state: RetrievalState) -> QuestionSettings:
    return QuestionSettings.model_validate(state.get("settings") or {})
