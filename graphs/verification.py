"""Verification: a text in, scored claims out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from chains.attest import attested_verdicts
from chains.claims import ClaimInput
from chains.plan import plan_of
from chains.verify import LONGEST, VerifyInput
from core.errors import InputError
from core.schema import MAX_CLAIMS, MAX_TEXT_CHARS, Claim, Evidence, QuestionSettings, Usage
from graphs.resources import Resources, shared_resources
from graphs.retrieval import Graph as RetrievalGraph
from graphs.retrieval import build_graph as build_retrieval
from graphs.state import VerificationInput, VerificationOutput, VerificationState
from graphs.steps import Update, count, spent, step

Graph = CompiledStateGraph[VerificationState, None, VerificationInput, VerificationOutput]
MAX_SEARCHED_CLAIMS = 50
"""Without evidence, so many claims of a text are searched for."""
_SHORTER = "verify it in parts"


class VerificationNodes:
    """The nodes, over one set of resources and the retrieval graph."""

    def __init__(self, resources: Resources, retrieval: RetrievalGraph) -> None:
        self.resources = resources
        self.retrieval = retrieval

    @step(lambda u: count(u["claims"], "claim"))
    async def split(self, state: VerificationState) -> Update:
        """The statements of the text."""
        evidence = as_evidence(state.get("evidence", ()))
        settings = QuestionSettings.model_validate(state.get("settings") or {})
        update: Update = {"evidence": evidence, "settings": settings, "failures": (), "usage": Usage()}
        if "claims" in state:
            return {**update, "claims": _bounded(state["claims"])}
        text = state.get("text", "")
        if not text.strip():
            raise InputError("there is no text to verify: give one")
        if len(text) > MAX_TEXT_CHARS:
            raise InputError(f"the text has {len(text):,} characters, the limit is {MAX_TEXT_CHARS:,}: {_SHORTER}")
        claims = await self.resources.consult(lambda s: s.claim_splitter, ClaimInput(text), settings)
        return {**update, "claims": _bounded(claims.value), "failures": claims.failures, "usage": claims.usage}

    def needs_search(self, state: VerificationState) -> Literal["search", "check"]:
        """Where the caller gave no evidence, the sources are asked."""
        return "check" if state["evidence"] or not state["claims"] else "search"

    @step(lambda u: count(u["evidence"], "passage"))
    async def search(self, state: VerificationState) -> Update:
        """Evidence for every claim that can be checked."""
        checked = [claim for claim in state["claims"] if len(claim.text) <= LONGEST]
        asked = {claim.text: None for claim in checked[:MAX_SEARCHED_CLAIMS]}
        settings = state["settings"]
        found = [await self.retrieval.ainvoke({"question": text, "settings": settings}) for text in asked]
        evidence = {e.id: e for result in found for e in result["selected"]}
        failures = {f: None for result in found for f in result["failures"]}
        return {"evidence": tuple(evidence.values()), "failures": (*state["failures"], *failures)}

    @step(lambda u: ", ".join(f"{n} {label}" for label, n in _tally(u).items()) or "no claims")
    async def check(self, state: VerificationState) -> Update:
        """A verdict a claim; what is cited or quoted must exist."""
        evidence = tuple(e for e in state["evidence"] if isinstance(e, Evidence))
        asked, quoted = state.get("question", ""), state.get("quoted", False)
        options = state.get("options", ())
        given = VerifyInput(state["claims"], evidence, state.get("relevance"), asked, quoted, options)
        settings = QuestionSettings.model_validate(state["settings"])
        by = plan_of(settings).verification
        found = await self.resources.consult(lambda s: s.verifier(by), given, settings)
        verdicts = await self.resources.compute(lambda: attested_verdicts(found.value, evidence))
        return {"verdicts": verdicts, **spent(state, found)}


def build_graph(resources: Resources) -> Graph:
    """The verification graph over these resources."""
    nodes = VerificationNodes(resources, build_retrieval(resources))
    graph = StateGraph(VerificationState, input_schema=VerificationInput, output_schema=VerificationOutput)
    graph.add_node("split", nodes.split)
    graph.add_node("search", nodes.search)
    graph.add_node("check", nodes.check)
    graph.add_edge(START, "split")
    graph.add_conditional_edges("split", nodes.needs_search)
    graph.add_edge("search", "check")
    graph.add_edge("check", END)
    return graph.compile(name="verification")


def make_graph() -> Graph:
    """For langgraph.json."""
    return build_graph(shared_resources())


def _bounded(claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
    if len(claims) > MAX_CLAIMS:
        raise InputError(f"there are {len(claims):,} claims to verify, the limit is {MAX_CLAIMS:,}: {_SHORTER}")
    return claims


def as_evidence(given: Sequence[Evidence | str]) -> tuple[Evidence, ...]:
    """The pieces; a plain text is ``given:`` and its place, from 1."""
    return tuple(
        piece if isinstance(piece, Evidence) else Evidence(id=f"given:{place}", text=piece, source="given")
        for place, piece in enumerate(given, start=1)
    )


def _tally(update: Mapping[str, Any]) -> dict[str, int]:
    labels = [verdict.label for verdict in update["verdicts"]]
    return {label: labels.count(label) for label in dict.fromkeys(labels)}
