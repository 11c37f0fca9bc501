"""Does the whole program withhold what a collection of one's own does not have? MedQuAD, asked at the defaults.

The questions and what is found for them are those of ``answerability``: with the documents of the asked focus, and
without. Here each goes the whole way, with what is found in place of the repository: what is withheld is what the risk
of the answer withholds. Without its documents a question may still be answered rightly, by another name of the focus or
by a page that tells of it in passing: what ``--out`` keeps can be read.

    python -m eval.experiments.withheld --data medquad_open.jsonl --n 80 --out asked.jsonl
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, get_args

import numpy as np

from core.cache import Mode
from core.schema import Evidence, VerifiedAnswer
from core.settings import load_settings
from core.source import Source, SourceQuery
from eval.experiments.answerability import Collection, TitleForm, auc, cut, drawn
from graphs.medical_qa import build_graph
from graphs.resources import Resources
from graphs.state import QuestionInput


class Told(NamedTuple):
    """A question, whether its documents were there, what was told, and whether the first source is of its focus."""

    question: str
    present: bool
    answer: VerifiedAnswer
    of_focus: bool


class Found:
    """A repository in which the same is found, whatever is searched for."""

    name = "repository"

    def __init__(self, found: Sequence[Evidence]) -> None:
        self._found = list(found)

    async def search(self, query: SourceQuery) -> list[Evidence]:
        """What was found."""
        return self._found


class WithFound(Resources):
    """The program's resources, with what was found in place of every source."""

    found: Sequence[Evidence] = ()

    async def source(self, name: str, mode: Mode = "normal") -> Source:
        """What was found, whatever the name."""
        return Found(self.found)


async def asked(collection: Collection, sample: Sequence[int], resources: WithFound) -> list[Told]:
    """Each document's question, asked with its focus and without."""
    graph = build_graph(resources)
    told = []
    for number in sample:
        document = collection.documents[number]
        for one in collection.ask(number):
            resources.found = [collection.evidence(place) for place in one.found]
            given: QuestionInput = {"question": document.question, "settings": {"sources": ["repository"]}}
            answer: VerifiedAnswer = (await graph.ainvoke(given))["answer"]
            first = next((e.title for e in resources.found if e.id in answer.citations[:1]), "")
            told.append(Told(document.question, one.present, answer, first.lower() == document.focus.lower()))
    return told


def summary(told: Sequence[Told]) -> Mapping[str, float]:
    """Shares withheld with the focus and without, the area under the curve of the risk, and right first citations."""
    present, removed = ([one for one in told if one.present is there] for there in (True, False))
    shown = [one for one in present if not one.answer.abstained]
    return {
        "questions": float(len(present)),
        "withheld_removed": float(np.mean([one.answer.abstained for one in removed])),
        "withheld_present": float(np.mean([one.answer.abstained for one in present])),
        "auc": auc((1 - one.answer.risk for one in present), (1 - one.answer.risk for one in removed)),
        "first_focus": float(np.mean([one.of_focus for one in shown])) if shown else 0.0,
    }


def withheld(
    path: Path,
    home: Path,
    *,
    n: int,
    seed: int = 0,
    form: TitleForm = "focus",
    out: Path | None = None,
    threads: int = 2,
) -> Mapping[str, float]:
    """The figures of questions on focuses that nothing was fitted on."""
    documents, pieces = cut(path, home, threads)
    resources = WithFound(load_settings(home=home, threads=threads))
    try:
        told = asyncio.run(asked(Collection(documents, pieces, form), drawn(documents, n, seed), resources))
    finally:
        resources.close()
    if out:
        lines = (
            {"question": t.question, "present": t.present, "risk": t.answer.risk, "answer": t.answer.text} for t in told
        )
        out.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return summary(told)


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m eval.experiments.withheld", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="medquad_open.jsonl")
    parser.add_argument("--home", type=Path, default=Path("~/.medattest").expanduser(), help="the data directory")
    parser.add_argument("--n", type=int, default=80, help="questions, each asked twice")
    parser.add_argument("--seed", type=int, default=0, help="of the sample of questions")
    parser.add_argument("--title", choices=get_args(TitleForm), default="focus", help="what documents are called")
    parser.add_argument("--out", type=Path, help="keep there what was told, JSON lines")
    given = parser.parse_args()
    figures = withheld(given.data, given.home, n=given.n, seed=given.seed, form=given.title, out=given.out)
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
