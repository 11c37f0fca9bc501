"""The agent: a question in, an attested answer out."""

from __future__ import annotations

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from graphs.answering import AnsweringNodes
from graphs.asking import AskingNodes
from graphs.resources import Resources, shared_resources
from graphs.retrieval import build_graph as build_retrieval
from graphs.state import QuestionInput, QuestionOutput, QuestionState
from graphs.verification import build_graph as build_verification

Graph = CompiledStateGraph[QuestionState, None, QuestionInput, QuestionOutput]


def build_graph(resources: Resources, checkpointer: BaseCheckpointSaver[str] | None = None) -> Graph:
    """The agent over these resources; with a checkpointer its threads survive the process."""
    asking = AskingNodes(resources)
    answering = AnsweringNodes(resources, build_retrieval(resources), build_verification(resources))
    graph = StateGraph(QuestionState, input_schema=QuestionInput, output_schema=QuestionOutput)
    graph.add_node("begin", asking.begin)
    graph.add_node("watch", asking.watch)
    graph.add_node("resolve", asking.resolve)
    graph.add_node("screen", asking.screen)
    graph.add_node("link_concepts", asking.link_concepts)
    graph.add_node("understand", asking.understand)
    graph.add_node("widen", asking.widen)
    graph.add_node("relate", asking.relate)
    graph.add_node("exemplify", asking.exemplify)
    graph.add_node("expand", asking.expand)
    graph.add_node("retrieve", answering.retrieve)
    graph.add_node("answer", answering.answer)
    graph.add_node("quote", answering.quote)
    graph.add_node("verify", answering.verify)
    graph.add_node("refine", answering.refine)
    graph.add_node("revise", answering.revise)
    graph.add_node("finalize", answering.finalize)
    graph.add_node("abstain", answering.abstain)

    graph.add_edge(START, "begin")
    graph.add_edge("begin", "resolve")
    graph.add_edge("begin", "watch")
    graph.add_edge("resolve", "link_concepts")
    graph.add_edge("resolve", "screen")
    graph.add_edge(["watch", "link_concepts", "screen"], "understand")
    graph.add_conditional_edges("understand", asking.is_readable, ["expand", "relate", "abstain"])
    graph.add_conditional_edges("widen", asking.is_wider, ["expand", "relate", "abstain"])
    graph.add_edge("relate", "exemplify")
    graph.add_edge(["expand", "exemplify"], "retrieve")
    graph.add_edge("retrieve", "answer")
    graph.add_edge("answer", "verify")
    graph.add_edge("quote", "verify")
    graph.add_conditional_edges("verify", answering.is_attested)
    graph.add_conditional_edges("refine", answering.is_new)
    graph.add_conditional_edges("revise", answering.is_answer)
    graph.add_edge("finalize", END)
    graph.add_edge("abstain", END)
    return graph.compile(name="medical_qa", checkpointer=checkpointer)


def make_graph() -> Graph:
    """For langgraph.json: no checkpointer, LangGraph Server brings its own."""
    return build_graph(shared_resources())
