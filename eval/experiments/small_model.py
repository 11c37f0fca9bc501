"""What a model does to the answers to patients' questions, what each of its steps adds, and what it all costs.

Questions of K-QA, drawn by a seed, are asked over a part of MedQuAD, or over sources by name: without a model, with the
one that the settings name, and some of them with one of its steps done without it: the queries, the hypothetical
document, the judge. Replies are not kept, so that every question pays for itself. A killed run goes on from what
``--out`` holds; answers to read by eye are there too. Whoever has read them lists those beside the point in a file, a
line ``way id`` each (``model 3``), and names it by ``--beside``.

    MEDATTEST_MODEL=… python -m eval.experiments.small_model --questions questions_unlabelled.jsonl \
        --medquad medquad_open.jsonl --out small-model.jsonl
    python -m eval.experiments.small_model --out small-model.jsonl --report     the table of what there is
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from core.errors import InputError, UnknownCollection
from core.schema import EVIDENCE_ONLY, Question, VerifiedAnswer
from core.settings import load_settings
from eval.by_eye import drawn
from graphs.medical_qa import build_graph
from graphs.model_engine import ModelSteps
from graphs.resources import Resources
from tools.repository.jsonl import JsonFields

if TYPE_CHECKING:
    from langchain_core.runnables import Runnable

    from chains.expand import ExpandInput
    from chains.plan import Verification
    from chains.verify import VerifyInput
    from core.model.client import Model
    from core.schema import Outcome, Verdict

RULES, MODEL = "rules", "model"
STEPS = ("queries", "document", "judge")
WAYS = {RULES: "without a model", MODEL: "with it", **{step: f"… its {step} left to the rules" for step in STEPS}}
COLUMNS = (
    "questions", "attested", "beside the point", "withheld", "error", "stood in",
    "calls", "tokens read", "written", "seconds",
)  # fmt: skip
Record = dict[str, Any]


class Lacking(ModelSteps):
    """The engine with a model, but one step is done without it."""

    def __init__(self, resources: Resources, model: Model, step: str) -> None:
        super().__init__(resources, model)
        self.step = step

    @cached_property
    def expander(self) -> Runnable[ExpandInput, Outcome[tuple[str, ...]]]:
        """The queries by rule, where these are what is lacking."""
        return self.resources.evidence_only.expander if self.step == "queries" else super().expander

    @cached_property
    def hypothesizer(self) -> Runnable[str, Outcome[str]]:
        """No document, where this is what is lacking."""
        return self.resources.evidence_only.hypothesizer if self.step == "document" else super().hypothesizer

    def verifier(self, verification: Verification) -> Runnable[VerifyInput, Outcome[tuple[Verdict, ...]]]:
        """The signals alone, where the judge is what is lacking."""
        return super().verifier("signals" if self.step == "judge" and verification == "full" else verification)


def resources_for(way: str) -> Resources:
    """The engine that answers in this way."""
    resources = Resources(load_settings(model_cache=False, **({"model": None} if way == RULES else {})))
    if way in STEPS:
        if resources.model is None:
            raise InputError("no model is set: name one by MEDATTEST_MODEL")
        resources.__dict__["steps"] = Lacking(resources, resources.model, way)
    return resources


def index(file: Path, documents: int, seed: int, collection: str) -> None:
    """Make the collection of a part of MedQuAD, unless it is there."""
    resources = resources_for(RULES)
    try:
        resources.repository.check(collection)
    except UnknownCollection:
        with tempfile.TemporaryDirectory() as folder:
            part = Path(folder) / "part.jsonl"
            rows = sorted(drawn(file, documents, seed), key=lambda row: int(row["id"]))
            part.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
            fields = JsonFields("doc_id,qa[].qid", "qa[].answer", "focus")
            resources.repository.index([part], collection, certified=True, fields=fields)
    finally:
        resources.close()


async def asked(way: str, questions: Sequence[Record], settings: Record) -> AsyncIterator[Record]:
    """A line for every question: how it ended, and what it took."""
    resources = resources_for(way)
    graph = build_graph(resources)
    try:
        await resources.warm()
        await resources.invoke(lambda steps: steps.concept_linker, Question(question="What is fever?"))
        for question in questions:
            began = time.perf_counter()
            try:
                result = await graph.ainvoke({"question": question["Question"], "settings": settings})
                told = _told(result["answer"])
            except Exception as error:  # noqa: BLE001 - that a question ends in an error is what is counted
                told = {"outcome": "error", "error": f"{type(error).__name__}: {error}"}
            line = {"way": way, "id": question["id"], "question": question["Question"], **told}
            yield {**line, "seconds": round(time.perf_counter() - began, 1)}
    finally:
        await resources.services.close()
        resources.close()


def _told(answer: VerifiedAnswer) -> Record:
    return {
        "outcome": "withheld" if answer.abstained else "attested",
        "stood_in": answer.engine == EVIDENCE_ONLY,
        "text": answer.text,
        "reason": answer.reason,
        "risk": round(answer.risk, 3),
        "rounds": answer.rounds,
        "failures": [f"{failure.source}: {failure.error}" for failure in answer.failures],
        "calls": answer.usage.model_calls,
        "read": answer.usage.input_tokens,
        "written": answer.usage.output_tokens,
    }


def report(lines: Sequence[Record], beside: frozenset[tuple[str, str]]) -> Iterator[str]:
    """Markdown: all questions without and with the model, then each step on the questions that all ways were asked."""
    ways = {way: {line["id"]: line for line in lines if line["way"] == way} for way in WAYS}
    yield from _table([(WAYS[way], list(ways[way].values())) for way in (RULES, MODEL) if ways[way]], beside)
    shared = set(ways[MODEL]).intersection(*(ways[step] for step in STEPS))
    if shared:
        yield f"\nThe same {len(shared)} questions:\n"
        rows = [(WAYS[way], [ways[way][key] for key in ways[way] if key in shared]) for way in WAYS]
        yield from _table([row for row in rows if row[1]], beside)


def _table(rows: Sequence[tuple[str, Sequence[Record]]], beside: frozenset[tuple[str, str]]) -> Iterator[str]:
    yield f"| | {' | '.join(COLUMNS)} |"
    yield "|---" * (len(COLUMNS) + 1) + "|"
    for name, lines in rows:
        ends = [line["outcome"] for line in lines]
        wrong = sum((line["way"], line["id"]) in beside for line in lines) if beside else "–"
        stood = sum(bool(line.get("stood_in")) for line in lines if line["way"] != RULES)
        cost = [
            f"{median(line.get(part, 0) for line in lines):,.0f}" for part in ("calls", "read", "written", "seconds")
        ]
        counts = [len(lines), ends.count("attested"), wrong, ends.count("withheld"), ends.count("error"), stood]
        yield "| " + " | ".join([name, *map(str, counts), *cost]) + " |"


def main(arguments: Sequence[str] | None = None) -> None:
    """Ask what was not asked yet, then print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=Path, help="questions_unlabelled.jsonl of K-QA")
    parser.add_argument("--medquad", type=Path, help="medquad_open.jsonl, a part of which is indexed")
    parser.add_argument("--documents", type=int, default=1500, help="of MedQuAD")
    parser.add_argument("--sources", help="ask these sources, such as library, and no MedQuAD")
    parser.add_argument("--n", type=int, default=20, help="questions with and without the model")
    parser.add_argument("--steps", type=int, default=12, help="of them with each step left out")
    parser.add_argument("--rounds", type=int, help="ways back to the search, where not those of the settings")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True, help="where lines are appended, and found again")
    parser.add_argument("--beside", type=Path, help="answers that were read and found beside the point: way id")
    parser.add_argument("--report", action="store_true", help="ask nothing, print the table")
    given = parser.parse_args(arguments)
    if not given.report:
        asyncio.run(ask_all(given))
    told = given.beside.read_text(encoding="utf-8").splitlines() if given.beside else []
    beside = frozenset((line.split()[0], line.split()[1]) for line in told if line.strip())
    print("Medians of calls, tokens and seconds a question.\n", *report(read(given.out), beside), sep="\n")


async def ask_all(given: argparse.Namespace) -> None:
    """Append a line for every question and way that the output has none for."""
    if given.questions is None or (given.medquad is None and given.sources is None):
        raise SystemExit("name --questions, and --medquad or --sources")
    questions = drawn(given.questions, given.n, given.seed)
    settings: Record = {"sources": given.sources.split(",")} if given.sources else {}
    if not given.sources:
        settings = {"collection": f"medquad-{given.documents}-{given.seed}"}
        index(given.medquad, given.documents, given.seed, settings["collection"])
    if given.rounds is not None:
        settings["rounds"] = given.rounds
    done = {(line["way"], line["id"]) for line in read(given.out)}
    for way in WAYS:
        wanted = questions if way in (RULES, MODEL) else questions[: given.steps]
        left = [question for question in wanted if (way, question["id"]) not in done]
        if left:
            async for line in asked(way, left, settings):
                with given.out.open("a", encoding="utf-8") as sink:
                    sink.write(json.dumps(line, ensure_ascii=False) + "\n")
                sys.stderr.write(f"{way} {line['id']}: {line['outcome']}, {line['seconds']} s\n")


def read(path: Path) -> list[Record]:
    """The lines of an output; none of one that is not there."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [json.loads(line) for line in lines if line.strip()]


if __name__ == "__main__":
    main()
