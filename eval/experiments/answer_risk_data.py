"""Questions with what the risk of their answer is computed from, and whether the answer was useful.

Each is asked with every risk accepted, so that also what would be withheld is marked. The features are those of the
first piece of evidence that the answer cites, or of the likeliest one where nothing is said. A natural question's
answer is useful where it says what it must, a judged question's where that piece was found to answer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from chains.answer_risk import Features, features_of, missing_words
from chains.relevance.subject import names_of
from chains.scope import Scope
from core.errors import InputError
from core.schema import VerifiedAnswer
from eval.natural import Natural, mark
from eval.training.judged import ANSWERS, Judged
from graphs.medical_qa import Graph, build_graph
from graphs.resources import Resources
from graphs.retrieval import Graph as RetrievalGraph
from graphs.retrieval import build_graph as build_retrieval


class Asked(NamedTuple):
    """A question, and whether an answer from a piece of evidence is useful; None where nobody has judged that."""

    question: str
    useful: Callable[[VerifiedAnswer, str], bool | None]


class Marked(NamedTuple):
    """A question with its features, and whether its answer was useful."""

    question: str
    features: Features
    several: bool
    useful: bool | None


def natural(question: Natural) -> Asked:
    """A question that an answer has to say something to."""
    return Asked(question.question, lambda answer, _: mark(question, answer) == "useful")


def judged(question: Judged) -> Asked:
    """A question whose passages were judged by hand."""
    return Asked(
        question.question,
        lambda _, piece: question.grades[piece] >= ANSWERS if piece in question.grades else None,
    )


async def collect(resources: Resources, questions: Sequence[Asked], file: Path | None = None) -> list[Marked]:
    """Ask every question that the file does not have, add it there, and give all whose answer could be marked."""
    graph, retrieval = build_graph(resources), build_retrieval(resources)
    before = {one.question: one for one in _before(file)}
    found = []
    for asked in questions:
        one = before.get(asked.question)
        if one is None:
            one = await _marked(resources, graph, retrieval, asked)
            if file:
                with file.open("a", encoding="utf-8") as lines:
                    line = {"question": one.question, **one.features._asdict()}
                    line |= {"several": one.several, "useful": one.useful}
                    lines.write(json.dumps(line) + "\n")
        found.append(one)
    return [one for one in found if one.useful is not None]


def collected(path: Path) -> list[Marked]:
    """The marked questions of a file that ``collect`` has written; InputError where it is none."""
    return [one for one in _kept(path) if one.useful is not None]


def _before(file: Path | None) -> list[Marked]:
    return _kept(file) if file and file.exists() else []


def _kept(path: Path) -> list[Marked]:
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return [
            Marked(r["question"], Features(*(float(r[n]) for n in Features._fields)), bool(r["several"]), r["useful"])
            for r in rows
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} holds no questions as answer_risk_fit collects them ({error})") from error


async def _marked(resources: Resources, graph: Graph, retrieval: RetrievalGraph, one: Asked) -> Marked:
    state = await graph.ainvoke({"question": one.question}, output_keys=["answer", "understanding", "scope", "unknown"])
    answer: VerifiedAnswer = state["answer"]
    scope = state.get("scope") or Scope()
    asked = state["understanding"]
    weighed = await retrieval.ainvoke(
        {
            "understanding": asked,
            "queries": answer.queries,
            "hypothetical": "",
            "given": answer.evidence,
            "settings": {"sources": ["given"]},
        }
    )
    evidence = list(answer.evidence)
    cited = [e for e in evidence if e.id in answer.citations] or evidence
    first = max(cited, key=lambda e: weighed["relevance"].get(e.id, 0.0), default=None)
    missing = missing_words(state.get("unknown") or (), evidence)
    several = len(asked.questions) > 1
    if first is None:
        return Marked(one.question, Features(0.0, scope.outside, float(bool(missing)), 1.0), several, False)
    p = weighed["relevance"].get(first.id, 0.0)
    features = features_of(names_of(asked, resources.rarity), first, p, scope, missing, resources.rarity)
    return Marked(one.question, features, several, one.useful(answer, first.id))
