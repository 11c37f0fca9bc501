"""Questions as people type them: how many are answered usefully, beside the point, or not at all.

A question's ``must`` is a list of groups of regular expressions: an answer is useful where each group has one that is
found in its text, whatever the case. A question without ``must`` is one that nobody should answer; where it is empty,
nobody has said what an answer must say, and what is told counts neither way.

    python -m eval.natural eval/data/sets/natural.late.jsonl eval/data/sets/unanswerable.late.jsonl --show 10
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from core.errors import InputError
from core.schema import VerifiedAnswer
from core.settings import load_settings
from graphs.medical_qa import Graph, build_graph
from graphs.resources import Resources

Mark = Literal["useful", "beside", "withheld", "answered", "unjudged"]
MARKS: tuple[Mark, ...] = ("useful", "beside", "withheld", "answered", "unjudged")
ANSWERABLE = "answerable"


class Natural(NamedTuple):
    """A question with what an answer must say; ``must`` is None where nobody should answer."""

    id: str
    question: str
    kind: str
    must: tuple[tuple[str, ...], ...] | None


class Asked(NamedTuple):
    """A question with its answer and what that is worth."""

    natural: Natural
    answer: VerifiedAnswer
    mark: Mark
    seconds: float


def read(path: Path) -> list[Natural]:
    """The questions of a file; InputError where a line is none."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            entry = json.loads(line)
            must = entry.get("must")
            groups = None if must is None else tuple(tuple(group) for group in must)
            found.append(Natural(str(entry["id"]), entry["question"], entry.get("kind", ""), groups))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(f"{path}:{number} is no question with id and question ({error})") from error
    return found


def mark(natural: Natural, answer: VerifiedAnswer) -> Mark:
    """What an answer is worth to the one who asked."""
    if answer.abstained:
        return "withheld"
    if natural.must is None:
        return "answered"
    if not natural.must:
        return "unjudged"
    told = all(any(re.search(way, answer.text, re.IGNORECASE) for way in group) for group in natural.must)
    return "useful" if told else "beside"


async def ask(graph: Graph, naturals: Sequence[Natural]) -> list[Asked]:
    """Ask one after the other, as somebody would."""
    asked = []
    for natural in naturals:
        started = time.perf_counter()
        answer = (await graph.ainvoke({"question": natural.question}))["answer"]
        asked.append(Asked(natural, answer, mark(natural, answer), time.perf_counter() - started))
    return asked


def table(asked: Iterable[Asked]) -> list[str]:
    """Counts a kind and in all, a line each."""
    groups: dict[str, Counter[Mark]] = {}
    for one in asked:
        whole = "unanswerable" if one.natural.must is None else ANSWERABLE
        for name in (one.natural.kind, whole):
            groups.setdefault(name, Counter())[one.mark] += 1
    lines = [f"{'kind':<20}" + "".join(f"{name:>10}" for name in MARKS)]
    for name in (*sorted(groups.keys() - {ANSWERABLE, "unanswerable"}), ANSWERABLE, "unanswerable"):
        if counts := groups.get(name):
            shares = "".join(f"{counts[m]:>10}" for m in MARKS)
            lines.append(f"{name:<20}{shares}")
    return lines


def figures(asked: Sequence[Asked]) -> dict[str, float]:
    """Shares of the questions, but of those whose answers nobody can judge, and milliseconds of one."""
    answerable = [one.mark for one in asked if one.natural.must]
    unanswerable = [one.mark for one in asked if one.natural.must is None]
    shares: dict[str, float] = {m: answerable.count(m) / len(answerable) for m in MARKS[:3] if answerable}
    if unanswerable:
        shares["unanswerable answered"] = unanswerable.count("answered") / len(unanswerable)
    spent = np.array([one.seconds for one in asked]) * 1000
    return {**shares, "median ms": float(np.median(spent)), "p95 ms": float(np.quantile(spent, 0.95))}


def shown(asked: Sequence[Asked], limit: int) -> list[str]:
    """The worst: what should not be answered, then what is beside the point, then what is withheld."""
    order = {"answered": 0, "beside": 1, "withheld": 2}
    worst = [o for o in asked if o.mark in order and not (o.mark == "withheld" and o.natural.must is None)]
    worst.sort(key=lambda o: (order[o.mark], o.answer.risk))
    return [
        f"{o.mark} [{o.natural.kind}] {o.natural.id} {o.natural.question}\n    risk {o.answer.risk:.2f}: "
        + (o.answer.reason or "" if o.answer.abstained else o.answer.text)
        for o in worst[:limit]
    ]


def main() -> None:
    """Ask at the settings' defaults, print the table and the figures."""
    parser = argparse.ArgumentParser(prog="python -m eval.natural", description=__doc__)
    parser.add_argument("files", type=Path, nargs="+", help="JSON lines: id, question, kind, must")
    parser.add_argument("--show", type=int, default=0, help="so many of the worst cases")
    parser.add_argument("--out", type=Path, help="write every question with its mark and answer there, JSON lines")
    given = parser.parse_args()
    naturals = [natural for path in given.files for natural in read(path)]
    resources = Resources(load_settings())
    try:
        asked = asyncio.run(ask(build_graph(resources), naturals))
    finally:
        resources.close()
    for line in (*shown(asked, given.show), *table(asked)):
        print(line)
    for name, value in figures(asked).items():
        print(f"{name:<24} {value:.3f}" if value <= 1 else f"{name:<24} {value:.0f}")
    if given.out:
        lines = (
            json.dumps(
                {
                    "id": o.natural.id,
                    "kind": o.natural.kind,
                    "question": o.natural.question,
                    "mark": o.mark,
                    "risk": o.answer.risk,
                    "answer": o.answer.text,
                    "reason": o.answer.reason,
                }
            )
            for o in asked
        )
        given.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
