"""What it costs and brings to search again for weak claims: the same questions with and without further rounds.

Each question is asked without them first, which reads and keeps what both need; where the default went another round,
it is asked without them once more, for its seconds.

    python -m eval.loop eval/data/sets/natural.late.jsonl
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from core.schema import VerifiedAnswer
from core.settings import load_settings
from eval.natural import Asked, Natural, mark, read
from graphs.medical_qa import Graph, build_graph
from graphs.resources import Resources


class Both(NamedTuple):
    """One question without further rounds, and with them."""

    once: Asked
    again: Asked

    @property
    def went_on(self) -> bool:
        """Whether another round was gone."""
        return self.again.answer.rounds > 0


async def compare(graph: Graph, naturals: Sequence[Natural]) -> list[Both]:
    """Ask every question both ways."""
    return [await _both(graph, natural) for natural in naturals]


async def _both(graph: Graph, natural: Natural) -> Both:
    once = await _asked(graph, natural, rounds=0)
    again = await _asked(graph, natural, rounds=None)
    if again.answer.rounds:
        once = await _asked(graph, natural, rounds=0)
    return Both(once, again)


async def _asked(graph: Graph, natural: Natural, rounds: int | None) -> Asked:
    started = time.perf_counter()
    state = await graph.ainvoke({"question": natural.question, "settings": {"rounds": rounds}})
    answer: VerifiedAnswer = state["answer"]
    return Asked(natural, answer, mark(natural, answer), time.perf_counter() - started)


def lines(asked: Sequence[Both]) -> list[str]:
    """Costs a question that went on, and what became of the answers."""
    gone = [both for both in asked if both.went_on]
    told = [f"{len(gone)} of {len(asked)} questions went another round"]
    if not gone:
        return told
    rounds, queries, seconds, on = (
        sum(values) / len(gone)
        for values in (
            [both.again.answer.rounds for both in gone],
            [len(both.again.answer.queries) - len(both.once.answer.queries) for both in gone],
            [both.again.seconds - both.once.seconds for both in gone],
            [both.once.seconds for both in gone],
        )
    )
    told.append(f"each of these: {rounds:.1f} rounds, {queries:.1f} more queries, {seconds:+.2f} s on {on:.2f} s")
    changed = sum(_told(both.once) != _told(both.again) for both in gone)
    became = Counter((both.once.mark, both.again.mark) for both in gone if both.once.mark != both.again.mark)
    gained = sum(count for (_, after), count in became.items() if after == "useful")
    lost = sum(count for (before, _), count in became.items() if before == "useful")
    told.append(f"answers changed: {changed}; useful since: {gained}, no longer: {lost}")
    return told + [f"  {before} → {after}: {count}" for (before, after), count in became.most_common()]


def _told(asked: Asked) -> str | None:
    return None if asked.answer.abstained else asked.answer.text


def main(arguments: Sequence[str] | None = None) -> None:
    """Ask every question of the files both ways, and print the difference."""
    parser = argparse.ArgumentParser(prog="python -m eval.loop", description=main.__doc__)
    parser.add_argument("files", type=Path, nargs="+", help="JSON lines: id, question, kind, must")
    parser.add_argument("--n", type=int, help="so many questions of each file, the first ones")
    given = parser.parse_args(arguments)
    naturals = [natural for path in given.files for natural in read(path)[: given.n]]
    resources = Resources(load_settings())
    try:
        asked = asyncio.run(compare(build_graph(resources), naturals))
    finally:
        resources.close()
    for line in lines(asked):
        print(line)


if __name__ == "__main__":
    main()
