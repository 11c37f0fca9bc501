"""Tests over a data set, in the way of LangSmith's own: ``pytest -p eval.pytest_plugin``.

    @pytest.mark.medattest("questions.jsonl", method="full", limit=20)
    def test_every_answer_cites(answered):
        answered.log_feedback("citations", len(answered.case.line["citations"]))
        assert answered.case.line["citations"]

The test runs once an example. What is answered is kept in ``--medattest-out``, so a second run asks nothing twice; at
the end the figures are shown, and where the settings trace, LangSmith gets the experiment with its feedback.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from core.records import Output, Record, open_output
from core.settings import load_settings
from eval.datasets import Dataset, load
from eval.runs import manifest
from eval.runs.experiment import Case, read
from eval.runs.local import Targets
from eval.runs.run import EXAMPLES, RESULTS, Job, jobs, line, spent
from eval.runs.systems import System, systems

MARK = "medattest"
_LINE = "medattest(dataset, data, method, model, limit, seed, task): the test runs once an example of the set"


@dataclass
class Answered:
    """One example with its answer, and what the test says of it."""

    case: Case
    feedback: dict[str, float] = field(default_factory=dict)

    def log_feedback(self, name: str, score: float) -> None:
        """A figure of this answer, shown beside the others."""
        self.feedback[name] = float(score)


@dataclass
class _Asked:
    """A marked test's set and system, in a folder of its own."""

    folder: Path
    dataset: Dataset
    system: System
    seed: int
    given: list[Answered] = field(default_factory=list)

    def answer(self, job: Job, targets: Targets) -> Answered:
        with open_output(self.folder / RESULTS) as output:
            found = Answered(Case(job.example, self._line(job, targets, output)))
        self.given.append(found)
        return found

    @staticmethod
    def _line(job: Job, targets: Targets, output: Output) -> Record:
        stands = output.lines.get(job.name)
        if stands is None or stands["record"] != job.digest:

            async def run(job: Job) -> Record:
                return await target.run(job.example, job.system)

            target = targets.of(job.system)
            output.write(target.resources.wait(line(job, run)))
            output.settle()
        return output.lines[job.name]

    def finish(self) -> None:
        """Leave the folder as ``eval run`` leaves one, so that ``eval report`` reads it."""
        texts = (example.model_dump_json() for example in self.dataset.examples)
        (self.folder / EXAMPLES).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
        told = manifest.manifest(self.dataset, [self.system], load_settings(), self.seed)
        manifest.write(self.folder, told, spent(a.case.line for a in self.given), 0.0)


class Plugin:
    """What a session has asked so far."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.asked: dict[str, _Asked] = {}
        self._targets = Targets(lambda message: None)

    def prepare(self, metafunc: pytest.Metafunc, mark: pytest.Mark) -> None:
        """Once an example."""
        given = mark.kwargs
        seed = given.get("seed", 0)
        data = Path(given["data"]) if given.get("data") else None
        (system,) = systems([given.get("method", "full")], models=[given["model"]] if given.get("model") else [])
        dataset = load(mark.args[0], data, seed=seed).only(given.get("task")).sample(given.get("limit"), seed)
        system = system.resting(load_settings())
        folder = self.out / _UNSAFE.sub("-", metafunc.definition.nodeid)
        folder.mkdir(parents=True, exist_ok=True)
        asked = self.asked[folder.name] = _Asked(folder, dataset, system, seed)
        wanted = [(asked, job) for job in jobs(dataset, [system])]
        metafunc.parametrize("answered", wanted, indirect=True, ids=[job.example.id for _, job in wanted])

    @pytest.fixture
    def answered(self, request: pytest.FixtureRequest) -> Answered:
        """The example with its answer: asked now, unless it stands already."""
        asked, job = request.param
        found: Answered = asked.answer(job, self._targets)
        request.node.stash[_ANSWERED] = found
        return found

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
        """Whether the test passed is feedback too."""
        report = yield
        found = item.stash.get(_ANSWERED, None)
        if found is not None and call.when == "call":
            found.log_feedback("pass", float(call.excinfo is None))
        return report

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Marked tests run once an example."""
        mark = metafunc.definition.get_closest_marker(MARK)
        if mark is not None and "answered" in metafunc.fixturenames:
            self.prepare(metafunc, mark)

    def pytest_sessionfinish(self) -> None:
        """Leave the experiments behind, and send them where the settings trace."""
        for asked in self.asked.values():
            if asked.given:
                asked.finish()
                self._send(asked)
        asyncio.run(self._targets.close())

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """The mean of every figure, a line a test."""
        for name, asked in self.asked.items():
            keys = dict.fromkeys(key for given in asked.given for key in given.feedback)
            means = {key: [g.feedback[key] for g in asked.given if key in g.feedback] for key in keys}
            shown = ", ".join(f"{key} {sum(own) / len(own):.3f} ({len(own)})" for key, own in means.items())
            terminalreporter.write_line(f"{name}: {shown}; medattest eval report {asked.folder}")

    @staticmethod
    def _send(asked: _Asked) -> None:
        settings = load_settings()
        if settings.tracing:
            from eval.runs.tracked import track

            said = {given.case.example.id: given.feedback for given in asked.given}
            found = read(asked.folder)
            cases = {
                name: [replace(c, scores={**c.scores, **said[c.example.id]}) for c in own if c.example.id in said]
                for name, own in found.systems.items()
            }
            track(replace(found, systems=cases), settings)


_ANSWERED = pytest.StashKey[Answered]()
_UNSAFE = re.compile(r"[^\w.-]+")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Where answers are kept."""
    place = "where marked tests keep what was answered"
    parser.addoption("--medattest-out", default=".medattest-experiments", help=place)


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark known."""
    config.addinivalue_line("markers", _LINE)
    out = Path(config.getoption("--medattest-out"))
    worker = getattr(config, "workerinput", {}).get("workerid", "")  # of pytest-xdist: each has a part of the examples
    config.pluginmanager.register(Plugin(out / worker), "medattest-experiments")
