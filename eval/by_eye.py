"""Real questions asked at the defaults, to be read one by one; then the table of what a reader made of each answer.

    python -m eval.by_eye --questions questions_unlabelled.jsonl --n 100 --seed 7 --out kqa.jsonl
    python -m eval.by_eye --out kqa.jsonl --marks marks.jsonl --table docs/kqa.md

The first draws questions by a seed and asks those that ``--out`` has no line for yet. Whoever has read them writes a
line ``{"id", "mark", "note"}`` each. The mark is useful; beside; withheld, for what no general text answers; or missed,
for what is withheld though an ordinary patient page or drug leaflet would answer it, in the library or not. The second
prints the shares and writes question and answer, worst first. It replaces the table of the file that ``--table`` names,
and keeps what stands before it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.schema import VerifiedAnswer
from core.settings import load_settings
from graphs.medical_qa import build_graph
from graphs.resources import Resources

WORST_FIRST = ("beside", "missed", "withheld", "useful")
HEAD = "| " + " | ".join(WORST_FIRST) + " |"
"""The line with which the table begins."""
Line = dict[str, Any]


def read(path: Path) -> list[Line]:
    """The lines of a file; none of one that is not there."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def drawn(file: Path, count: int, seed: int) -> list[Line]:
    """So many lines of a file, drawn by a seed, each with its number as id."""
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    places = random.Random(seed).sample(range(len(lines)), min(count, len(lines)))
    return [{**lines[place], "id": str(place)} for place in places]


def asked_of(question: Line) -> str:
    """The question itself, whatever the file calls it."""
    return str(question.get("question") or question["Question"])


def line_of(question: Line, answer: VerifiedAnswer) -> Line:
    """What is kept of an answer."""
    said = answer.reason if answer.abstained else answer.text
    return {"id": question["id"], "question": asked_of(question), "withheld": answer.abstained, "said": said} | {
        "risk": round(answer.risk, 3),
        "sources": [e.title for e in answer.evidence if e.id in answer.citations],
    }


async def ask(questions: Sequence[Line], out: Path) -> None:
    """Ask what the output has no line for, and append."""
    done = {line["id"] for line in read(out)}
    resources = Resources(load_settings())
    graph = build_graph(resources)
    try:
        with out.open("a", encoding="utf-8") as sink:
            for question in questions:
                if question["id"] not in done:
                    answer = (await graph.ainvoke({"question": asked_of(question)}))["answer"]
                    sink.write(json.dumps(line_of(question, answer), ensure_ascii=False) + "\n")
                    sink.flush()
    finally:
        resources.close()


def table(lines: Sequence[Line], marks: Mapping[str, Line]) -> Iterator[str]:
    """The shares of each mark, then question and answer in Markdown, worst first; InputError for an answer unread."""
    unread = [str(line["id"]) for line in lines if str(line["id"]) not in marks]
    if unread:
        raise InputError(f"{len(unread)} answers have no mark, such as {unread[0]}: read them")
    counts = Counter(mark["mark"] for mark in marks.values())
    yield HEAD
    yield "|" + "---|" * len(WORST_FIRST)
    yield "| " + " | ".join(f"{counts[mark]} of {len(lines)}" for mark in WORST_FIRST) + " |"
    yield ""
    yield "| mark | question | answer, or why it is withheld | risk | what the reader says |"
    yield "|---|---|---|---|---|"
    order = {mark: place for place, mark in enumerate(WORST_FIRST)}
    for line in sorted(lines, key=lambda line: (order[marks[str(line["id"])]["mark"]], line["risk"])):
        mark = marks[str(line["id"])]
        said = f"*{line['said']}*" if line["withheld"] else line["said"]
        cells = (mark["mark"], line["question"], said, f"{line['risk']:.2f}", mark.get("note", ""))
        yield "| " + " | ".join(" ".join(str(cell).replace("|", "¦").split()) for cell in cells) + " |"


def renewed(text: str, rows: Iterable[str]) -> str:
    """A text with these rows in the place of its table, which goes on to its end; they follow a text that has none."""
    before = "\n".join(takewhile(lambda line: line.strip() != HEAD, text.splitlines())).rstrip()
    return "\n".join([before, "", *rows] if before else rows) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Ask, or write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=Path, help="JSON lines: question, or Question")
    parser.add_argument("--n", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True, help="where answers are kept, and found again")
    parser.add_argument("--marks", type=Path, help="JSON lines: id, mark, note")
    parser.add_argument("--table", type=Path, help="the Markdown to write; what stands before its table stays")
    given = parser.parse_args(arguments)
    if given.questions is not None:
        asyncio.run(ask(drawn(given.questions, given.n, given.seed), given.out))
    if given.marks is not None:
        rows = list(table(read(given.out), {str(mark["id"]): mark for mark in read(given.marks)}))
        print("\n".join(rows[:3]))
        if given.table is not None:
            text = given.table.read_text(encoding="utf-8") if given.table.exists() else ""
            given.table.write_text(renewed(text, rows), encoding="utf-8")


if __name__ == "__main__":
    main()
