"""Questions with what the risk of their answer is computed from, and whether the answer was useful.

Each is asked with every risk accepted, so that also what would be withheld is marked. For each of its questions the
features are those of the piece of evidence that suits it best among those that the answer cites, and what the answer's
text says to it. How useful an answer is a reader has judged (``eval/data/judged/answers.jsonl``), where it is still the
same; else a natural question's is useful where it says what it must, a judged question's where the piece that it cites
first was found to answer. A question to which nothing is said has nothing to be told of: it is left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from chains.answer_risk import Features, features_of, missing_words, unread
from chains.relevance.subject import names_of
from chains.said import Said, said_to
from chains.scope import Scope
from core.errors import InputError
from core.schema import VerifiedAnswer
from eval.natural import Natural, mark
from eval.training.judged import ANSWERS, Judged, judged_answers
from graphs.medical_qa import Graph, build_graph
from graphs.resources import Resources
from graphs.retrieval import Graph as RetrievalGraph
from graphs.retrieval import build_graph as build_retrieval


class Asked(NamedTuple):
    """A question, and whether an answer from a piece of evidence is useful; None where nobody has judged that."""

    question: str
    useful: Callable[[VerifiedAnswer, str], bool | None]


class Part(NamedTuple):
    """One of the questions that a text asks: the features of its best evidence, and what the answer says to it."""

    features: Features
    said: Said


class Marked(NamedTuple):
    """A question with its parts, and how useful its answer was, in [0, 1]; None where nobody has judged that."""

    question: str
    parts: tuple[Part, ...]
    useful: float | None
    answer: str = ""


def natural(question: Natural) -> Asked:
    """A question that an answer has to say something to."""
    worth = {"useful": True, "unjudged": None}
    return Asked(question.question, lambda answer, _: worth.get(mark(question, answer), False))


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
                    parts = [{**part.features._asdict(), **part.said._asdict()} for part in one.parts]
                    line = {"question": one.question, "parts": parts, "useful": one.useful, "answer": one.answer}
                    lines.write(json.dumps(line) + "\n")
        found.append(one)
    return _usable(found)


def collected(path: Path) -> list[Marked]:
    """The marked questions of a file that ``collect`` has written; InputError where it is none."""
    return _usable(_kept(path))


def _usable(marked: Sequence[Marked]) -> list[Marked]:
    """Those that are marked, by whoever has read the answer as it is now before all else."""
    read = judged_answers()
    told = [one._replace(useful=read.get((one.question, one.answer), one.useful)) for one in marked]
    return [one for one in told if one.useful is not None and one.parts]


def _before(file: Path | None) -> list[Marked]:
    return _kept(file) if file and file.exists() else []


def _kept(path: Path) -> list[Marked]:
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return [Marked(row["question"], tuple(map(_part, row["parts"])), row["useful"], row["answer"]) for row in rows]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} holds no questions as answer_risk_fit collects them ({error})") from error


async def _marked(resources: Resources, graph: Graph, retrieval: RetrievalGraph, one: Asked) -> Marked:
    kept = ["answer", "understanding", "scope", "unknown"]
    state = await graph.ainvoke({"question": one.question}, output_keys=kept)
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
    if answer.abstained or not answer.citations:
        return Marked(one.question, (), False)
    missing = missing_words([word for word in state.get("unknown") or () if asked.asks_of(word)], answer.evidence)
    evidence = {e.id: e for e in answer.evidence}
    texts = [question.told for question in asked.questions]
    said = said_to(texts, answer.text, resources.minilm.encode, resources.readers.answers, unread())
    parts = []
    for question, of, one_said in zip(asked.questions, weighed["weighed"], said, strict=True):
        best = max(answer.citations, key=lambda piece: of.get(piece, 0.0))
        names, p = names_of(question, resources.rarity), of.get(best, 0.0)
        piece = evidence[best]
        answered = resources.relevance.answered(question.text, [piece])
        known = features_of(question, names, piece, p, scope, missing, answered=answered)
        parts.append(Part(known, one_said))
    if asked.compared:
        parts = [part._replace(said=part.said._replace(side=1.0)) for part in parts[-2:]]
    return Marked(one.question, tuple(parts), one.useful(answer, answer.citations[0]), answer.text)


def _part(row: dict[str, float]) -> Part:
    features = Features(*(float(row[name]) for name in Features._fields))
    return Part(features, Said(*(float(row[name]) for name in Said._fields)))
