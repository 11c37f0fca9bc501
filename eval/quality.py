"""What no change may lower unseen: figures on the development data against committed thresholds.

It takes a part of each set, so that it can run at every change: its figures are not those of the whole sets, which
``eval.retrieval``, ``eval.experiments.answerability`` and ``eval.experiments.verdicts`` print.

``thresholds.toml`` gives for each figure the least (or the most) that passes; every figure is printed beside it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import closing
from hashlib import sha256
from multiprocessing import active_children, get_context
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from chains.safety import alarm_raiser
from chains.scope.learned import learned_reader
from core.embeddings import MiniLM
from core.errors import InputError
from core.settings import Settings, load_settings
from eval import linking, natural, retrieval
from eval.experiments import answerability, mediqa, privacy, reading, safety, scope_fit, verdicts, withheld
from eval.metrics.classification import macro_f1
from graphs.medical_qa import build_graph
from graphs.resources import Resources
from tools.knowledge import KnowledgeStore, Linker

THRESHOLDS = Path(__file__).with_name("thresholds.toml")
DOCUMENTS = 600
QUERIES = 150
QUESTIONS = 80
PAIRS = 120
ABSTRACTS = 200
ASKED = 30
JUDGED = 50
MISLEADING = 400
NATURAL = 60
SETS_FOLDER = Path(__file__).with_name("data") / "sets"
WORKERS = 2
SEED = 0
"""Of every sample that is drawn: a figure is the same at every run."""

Figures = dict[str, float]
Drawn = TypeVar("Drawn")


def measure(data: Path, settings: Settings) -> Iterator[tuple[str, Figures]]:
    """Every experiment's figures as it ends; two are measured at a time, each on its share of the threads."""
    KnowledgeStore.open(settings.home).close()  # built here, not by several at once
    own = settings.model_copy(update={"threads": max(1, settings.threads // WORKERS)})
    with ProcessPoolExecutor(WORKERS, mp_context=get_context("spawn")) as workers:
        running = {workers.submit(experiment, data, own): experiment.__name__ for experiment in EXPERIMENTS}
        try:
            for ended in as_completed(running):
                yield from _figures_of(ended, running[ended]).items()
        except BaseException:
            workers.shutdown(wait=False, cancel_futures=True)
            for process in active_children():
                process.terminate()
            raise


def _figures_of(ended: Future[dict[str, Figures]], name: str) -> dict[str, Figures]:
    try:
        return ended.result()
    except Exception as error:
        error.add_note(f"while eval.quality measured “{name}”")
        raise


def found_answers(data: Path, settings: Settings) -> dict[str, Figures]:
    """Whether a search finds what answers, on MedQuAD, with the question's subject as title and without."""
    figures = answerability.answerability(
        data / "medquad" / "medquad_open.jsonl",
        settings.home,
        n=QUESTIONS,
        seed=SEED,
        forms=("focus", "none"),
        threads=settings.threads,
    )
    return {f"answerability, title: {form}": _but_the_count(of_form) for form, of_form in figures.items()}


def searched(data: Path, settings: Settings) -> dict[str, Figures]:
    """How well the repository's search ranks."""
    embedder = MiniLM.load(settings.home, settings.threads)
    passages = retrieval.repository_passages(embedder, settings)
    figures: dict[str, Figures] = {}
    for benchmark in (retrieval.scifact(data / "scifact"), retrieval.bioasq(data / "bioasq")):
        ranked = retrieval.measure(benchmark.part(DOCUMENTS, QUERIES, SEED), embedder, passages)
        figures[benchmark.name] = {f"{name} {figure}": v for name, fs in ranked.items() for figure, v in fs.items()}
    return figures


def asked_whole(data: Path, settings: Settings) -> dict[str, Figures]:
    """What the whole program withholds of MedQuAD, with its documents and without."""
    medquad = data / "medquad" / "medquad_open.jsonl"
    whole = withheld.withheld(medquad, settings.home, n=ASKED, seed=SEED, threads=settings.threads)
    return {"MedQuAD, asked whole": _but_the_count(whole)}


def verified(data: Path, settings: Settings) -> dict[str, Figures]:
    """Verdicts on claims, and yes, no or maybe on questions."""
    by = reading.collaborators(settings.home, settings.threads)
    return {"entailment": entailed(data, by), "reading": read(by)}


def questioned(data: Path, settings: Settings) -> dict[str, Figures]:
    """What the whole program makes of questions, and its parts that read them."""
    with closing(Resources(settings)) as resources:
        judged = mediqa.read(data / "mediqa_qa" / "alexa.jsonl")
        return {
            "MEDIQA, Alexa": dict(mediqa.mediqa(_drawn(judged, JUDGED), resources)["combination"]),
            "natural questions": asyncio.run(asked_naturally(resources)),
            "alarms": alarmed(resources),
            "what no text answers": scope_fit.unread_figures(learned_reader(), resources),
            "identifiers removed": removed(),
        }


def linked(data: Path, settings: Settings) -> dict[str, Figures]:
    """How the linker finds concepts in abstracts."""
    linker = Linker(KnowledgeStore.open(settings.home))
    return {
        f"linking, {task.name}": linking.measure(task, linking.read_pubtator(data / task.path)[:ABSTRACTS], linker.link)
        for task in linking.TASKS
    }


EXPERIMENTS: tuple[Callable[[Path, Settings], dict[str, Figures]], ...] = (
    found_answers,
    verified,
    questioned,
    searched,
    asked_whole,
    linked,
)
"""The longest stand first, so that both processes end at about the same time."""


def _but_the_count(figures: Mapping[str, float]) -> Figures:
    return {name: value for name, value in figures.items() if name != "questions"}


def entailed(data: Path, by: reading.Collaborators) -> Figures:
    """Macro-F1 of the verdicts on claims of SciFact that the reader did not see, in both shapes, and on HealthVer."""
    drawn = {name: _drawn(cases, PAIRS) for name, cases in verdicts.held(data).items()}
    return {
        f"{name}, macro-F1": macro_f1([case.label for case in cases], verdicts.verdicts(cases, by))
        for name, cases in drawn.items()
    }


def read(by: reading.Collaborators) -> Figures:
    """What is called supported, and how yes/no questions are decided, on pairs and questions written to mislead."""
    every = {name: [r for path in _sets(name) for r in _records(path)] for name in ("pairs", "yesno")}
    pairs = _chosen(every["pairs"], MISLEADING, itemgetter("claim"))
    questions = _chosen(every["yesno"], MISLEADING // 2, itemgetter("question"))
    return {
        **reading.pair_figures(list(reading.pairs(pairs, by))),
        **{f"yes/no {n}": v for n, v in reading.question_figures(list(reading.questions(questions, by))).items()},
    }


async def asked_naturally(resources: Resources) -> Figures:
    """How questions as people type them are answered, and how many are that nobody should answer."""
    sets = {name: [one for path in _sets(name) for one in natural.read(path)] for name in ("natural", "unanswerable")}
    answerable = _chosen([one for one in sets["natural"] if one.must], NATURAL, attrgetter("question"))
    drawn = answerable + _chosen(sets["unanswerable"], NATURAL // 2, attrgetter("question"))
    asked = await natural.ask(build_graph(resources), drawn)
    return {name: value for name, value in natural.figures(asked).items() if not name.endswith("ms")}


def _sets(name: str) -> list[Path]:
    """The sets of one sort, whoever wrote them and however long they have been read."""
    return sorted(SETS_FOLDER.glob(f"{name}.*.jsonl"))


def alarmed(resources: Resources) -> Figures:
    """Which dangers are missed, and what harmless texts raise an alarm, of texts that nothing was fitted on."""
    raiser = alarm_raiser(resources.minilm.encode)
    texts = [text for text in safety.read() if text.part in safety.UNREAD]
    of_any = safety.tally(texts, lambda text: raiser.invoke(text).value)[-1]
    return {"missed": len(of_any.missed) / of_any.wanted, "false": len(of_any.false) / of_any.unwanted}


def removed() -> Figures:
    """How many identifiers of patients are removed, and how many removals touch one."""
    counts = privacy.tally(privacy.read())
    return {"recall": counts.recall, "precision": counts.precision}


def _records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _chosen(records: Sequence[Drawn], number: int, text_of: Callable[[Drawn], str]) -> list[Drawn]:
    """Some of all sets by a hash of what they ask, so that a new set changes few of them."""
    return sorted(records, key=lambda one: sha256(text_of(one).encode()).digest())[:number]


def _drawn(records: Sequence[Drawn], number: int) -> list[Drawn]:
    return [records[i] for i in np.random.default_rng(SEED).permutation(len(records))[:number]]


def faults(figures: Mapping[str, Figures], thresholds: Mapping[str, Mapping[str, Mapping[str, float]]]) -> list[str]:
    """What falls short, in words; a threshold without its figure does too."""
    found = []
    for experiment, limits in thresholds.items():
        for name, limit in limits.items():
            value = figures.get(experiment, {}).get(name)
            if value is None:
                found.append(f"{experiment}: {name} was not measured")
            elif value < limit.get("least", value) or value > limit.get("most", value):
                found.append(f"{experiment}: {name} is {value:.4f}, the threshold is {dict(limit)}")
    return found


def main() -> None:
    """Measure, print, and end with status 1 where a threshold is missed."""
    parser = argparse.ArgumentParser(prog="python -m eval.quality", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with scifact, bioasq, medquad …")
    data = parser.parse_args().data
    if not data.is_dir():
        raise InputError(f"{data} is not there: name the folder of the development data, make quality DATA=…")
    thresholds = tomllib.loads(THRESHOLDS.read_text(encoding="utf-8"))
    figures: dict[str, Figures] = {}
    began = time.monotonic()
    for experiment, measured in measure(data, load_settings()):
        figures[experiment] = measured
        for name, value in measured.items():
            limit = thresholds.get(experiment, {}).get(name)
            print(f"{experiment:<34}  {name:<32} {value:.4f}  {dict(limit) if limit else ''}", flush=True)
        print(f"{experiment:<34}  after {time.monotonic() - began:.0f} s", flush=True)
    missed = faults(figures, thresholds)
    for fault in missed:
        print(f"MISSED  {fault}", file=sys.stderr)
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
