"""What the whole program makes of short texts that somebody gives: answered from one that answers, another, or none.

Each question of ``eval/data/judged`` that short texts were written for, and from which no reader learns, is asked of
its texts alone, and again without those that answer: what is answered then is answered wrongly. ``chains/relevance`` is
fitted on the kept questions of ``short.jsonl``; on those of ``given.jsonl``, by another hand, nothing is.

    python -m eval.experiments.given [--n 100]
"""

from __future__ import annotations

import argparse
import asyncio
import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.schema import VerifiedAnswer
from core.settings import load_settings
from eval.metrics.classification import auc
from eval.training.judged import ANSWERS, PASSAGE, Pair, given_texts, short
from graphs.medical_qa import Graph, build_graph
from graphs.resources import Resources


class Told(NamedTuple):
    """What came of a question: the risk of the answer, and whether what it cites first answers; None where withheld."""

    risk: float
    right: bool | None


async def told(graph: Graph, pairs: Sequence[Pair]) -> Told:
    """A question asked of its texts."""
    texts = [pair.passage for pair in pairs]
    state = await graph.ainvoke({"question": pairs[0].question, "evidence": texts, "settings": {"sources": ["given"]}})
    answer: VerifiedAnswer = state["answer"]
    if answer.abstained or not answer.citations:
        return Told(answer.risk, None)
    cited = next(e.text for e in answer.evidence if e.id == answer.citations[0])
    return Told(answer.risk, any(answers(pair) for pair in pairs if pair.passage == cited))


def answers(pair: Pair) -> bool:
    """Whether a text answers, by who wrote it."""
    return pair.label >= PASSAGE[ANSWERS]


def figures(whole: Sequence[Told], without: Sequence[Told]) -> Mapping[str, float]:
    """Shares of what is answered rightly, wrongly and not at all, and the area under the ROC curve of the risk."""
    rows = [*whole, *without]
    return {
        "questions": len(whole),
        "right": _share([one.right is True for one in whole]),
        "wrong": _share([one.right is False for one in whole]),
        "withheld": _share([one.right is None for one in whole]),
        "answered without what answers": _share([one.right is not None for one in without]),
        "auc": round(auc([place < len(whole) for place in range(len(rows))], [-one.risk for one in rows]), 3),
    }


def _share(found: Sequence[bool]) -> float:
    return round(sum(found) / len(found), 3)


async def measured(lists: Sequence[Sequence[Pair]], resources: Resources) -> Mapping[str, float]:
    """The figures of questions with their texts."""
    graph = build_graph(resources)
    whole = [await told(graph, pairs) for pairs in lists]
    others = [[pair for pair in pairs if not answers(pair)] for pairs in lists]
    return figures(whole, [await told(graph, pairs) for pairs in others if pairs])


def main() -> None:
    """Print a line for each set."""
    parser = argparse.ArgumentParser(description="Ask questions of short texts that somebody gives.")
    parser.add_argument("--n", type=int, default=100, help="questions drawn of each set")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    resources = Resources(load_settings())
    for name, lists in (("another hand's", given_texts()), ("short texts", short(measuring=True))):
        drawn = random.Random(given.seed).sample(lists, min(given.n, len(lists)))
        print(f"{name}: {asyncio.run(measured(drawn, resources))}", flush=True)
    resources.close()


if __name__ == "__main__":
    main()
