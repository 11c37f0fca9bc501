"""The agent: a question in, an attested answer out."""

from __future__ import annotations

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from graphs.nodes import QuestionNodes
from graphs.resources import Resources, shared_resources
from graphs.retrieval import build_graph as build_retrieval
from graphs.state import QuestionInput, QuestionOutput, QuestionState
from graphs.verification import build_graph as build_verification

Graph = CompiledStateGraph[QuestionState, None, QuestionInput, QuestionOutput]


def build_graph(resources: Resources, checkpointer: BaseCheckpointSaver[str] | None = None) -> Graph:
    """The agent over these resources; with a checkpointer its threads survive the process."""
    nodes = QuestionNodes(resources, build_retrieval(resources), build_verification(resources))
    graph = StateGraph(QuestionState, input_schema=QuestionInput, output_schema=QuestionOutput)
    graph.add_node("begin", nodes.begin)
    graph.add_node("link_concepts", nodes.link_concepts)
    graph.add_node("understand", nodes.understand)
    graph.add_node("relate", nodes.relate)
    graph.add_node("expand", nodes.expand)
    graph.add_node("retrieve", nodes.retrieve)
    graph.add_node("answer", nodes.answer)
    graph.add_node("verify", nodes.verify)
    graph.add_node("refine", nodes.refine)
    graph.add_node("revise", nodes.revise)
    graph.add_node("finalize", nodes.finalize)
    graph.add_node("abstain", nodes.abstain)

    graph.add_edge(START, "begin")
    graph.add_edge("begin", "link_concepts")
    graph.add_edge("link_concepts", "understand")
    graph.add_conditional_edges("understand", nodes.is_readable, ["expand", "relate", "abstain"])
    graph.add_edge(["expand", "relate"], "retrieve")
    graph.add_edge("retrieve", "answer")
    graph.add_edge("answer", "verify")
    graph.add_conditional_edges("verify", nodes.is_attested)
    graph.add_conditional_edges("refine", nodes.is_new)
    graph.add_edge("revise", "finalize")
    graph.add_edge("finalize", END)
    graph.add_edge("abstain", END)
    return graph.compile(name="medical_qa", checkpointer=checkpointer)


def make_graph() -> Graph:
    """For langgraph.json: no checkpointer, LangGraph Server brings its own."""
    return build_graph(shared_resources())
