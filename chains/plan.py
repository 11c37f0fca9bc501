"""What each system does, as data: the steps of its paper, and what ``--without`` takes away from them."""

from __future__ import annotations

from types import MappingProxyType
from typing import Literal, NamedTuple

from core.schema import Method, QuestionSettings, Task

Selection = Literal["mmr", "best", "documents"]
"""How evidence is chosen: by multi-query MMR, by relevance alone, or the first different documents after re-ranking."""
Style = Literal["bare", "context", "steps", "dialogue", "certified", "fallback"]
"""How a model is asked to answer: ``prompts/answer/<style>.txt``."""
Verification = Literal["none", "signals", "graph", "graph-literal", "full"]
"""Who judges claims: nobody, the signals, the concept graph alone, with our settings or the paper's, or the signals
with the model."""


class Plan(NamedTuple):
    """The steps of one system."""

    prompt: Style
    search: bool = True
    passages: bool = True
    """A model is shown what was found; otherwise that only checks what it says."""
    sources: tuple[str, ...] | None = None
    """Where it searches if the question does not say; None: where the settings say."""
    knowledge: bool = False
    """Concepts are linked, and their triples shown to the model."""
    expansion: bool = False
    hypothetical: bool = False
    select: Selection = "best"
    weighed: bool = False
    """Evidence is ordered by how likely it answers as well as by its sources' own ranking, and by its strength."""
    rerank: bool = False
    exemplars: bool = False
    verification: Verification = "signals"
    gate: bool = False
    """What is not attested is dropped, or the answer withheld; otherwise it is shown as what it is."""
    loop: bool = False
    """Weak claims send the agent back to search."""
    certified: bool = False
    """Certified documents alone ground the answer, and the reader is pointed to them."""


FULL = Plan(
    prompt="steps",
    knowledge=True,
    expansion=True,
    hypothetical=True,
    select="mmr",
    weighed=True,
    rerank=True,
    exemplars=True,
    verification="full",
    gate=True,
    loop=True,
)
PLANS: MappingProxyType[Method, Plan] = MappingProxyType(
    {
        "vanilla": Plan(prompt="bare", search=False, passages=False),
        "rag": Plan(prompt="context"),
        "halo": Plan(prompt="steps", expansion=True, select="mmr", exemplars=True),
        "imkdg": Plan(prompt="dialogue", sources=("knowledge",), passages=False, knowledge=True, exemplars=True),
        "certified": Plan(
            prompt="certified",
            sources=("repository",),
            hypothetical=True,
            select="documents",
            rerank=True,
            certified=True,
        ),
        "context-only": Plan(prompt="fallback"),
        "graph": Plan(prompt="context", verification="graph", gate=True),
        "graph-literal": Plan(prompt="context", verification="graph-literal", gate=True),
        "full": FULL,
    }
)
"""The systems, each as its paper has it."""


def plan_of(settings: QuestionSettings, task: Task | None = None) -> Plan:
    """The steps that answer a question with these settings; a dialogue is always asked for as one."""
    plan, without = PLANS[settings.method], frozenset(settings.without)
    if task == "dialogue" and plan.prompt in ("steps", "context"):
        plan = plan._replace(prompt="dialogue")
    if "knowledge" in without:
        plan = plan._replace(knowledge=False, search=plan.search and plan.sources != ("knowledge",))
    if "exemplars" in without:
        plan = plan._replace(exemplars=False)
    if "expansion" in without:
        plan = plan._replace(expansion=False, hypothetical=False)
    if "mmr" in without and plan.select == "mmr":
        plan = plan._replace(select="best")
    if "rerank" in without:
        plan = plan._replace(rerank=False)
    if "verification" in without:
        plan = plan._replace(verification="none", gate=False, loop=False)
    if "loop" in without:
        plan = plan._replace(loop=False)
    return plan
