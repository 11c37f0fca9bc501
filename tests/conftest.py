"""What tests share: a data directory of their own, and the embedder, loaded once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import hypothesis
import pytest

from core.embeddings import MiniLM
from core.settings import Settings
from tools.knowledge import KnowledgeStore

# A busy machine is slow, not wrong.
hypothesis.settings.register_profile("unhurried", deadline=None)
hypothesis.settings.load_profile("unhurried")
WORKER = os.environ.get("PYTEST_XDIST_WORKER")
THREADS = 1 if WORKER else 2
"""Beside another worker more threads would wait for each other."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that do without the vocabularies stand first, for these take long to build; then those of few tests.

    What has few tests runs whole programs: of what is left to the end, no file then takes long.
    """
    files = Counter(item.path for item in items)
    waiting = {item.path for item in items if _needs_vocabularies(item)}
    items.sort(key=lambda item: (item.path in waiting, files[item.path], item.path))


def _needs_vocabularies(item: pytest.Item) -> bool:
    return "model_home" in getattr(item, "fixturenames", ())


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test reads the developer's settings, writes to their data directory, or traces to anywhere."""
    for name in os.environ:
        if name.startswith(("MEDATTEST_", "LANGSMITH_", "LANGCHAIN_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("MEDATTEST_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("MEDATTEST_THREADS", str(THREADS))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An empty data directory."""
    return tmp_path / "home"


@pytest.fixture(scope="session", autouse=True)
def _vocabularies_built_meanwhile(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """The first of several workers has the vocabularies built while it runs what does without them."""
    wanted = any(map(_needs_vocabularies, request.session.items))
    if WORKER != "gw0" or not wanted or os.environ.get("TEST_HOME"):
        yield
        return
    build = "import sys, pathlib, tools.knowledge as k; k.KnowledgeStore.open(pathlib.Path(sys.argv[1]))"
    with subprocess.Popen([sys.executable, "-c", build, str(_vocabularies(tmp_path_factory))]):
        yield  # where it fails, whoever needs them builds them, and tells what is wrong


@pytest.fixture(scope="session")
def model_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory that keeps what is built once: the embedder's graph and the vocabularies.

    All workers wait for the same vocabularies to be built; what is written beside them is each one's own.
    ``TEST_HOME`` names a directory that is kept from run to run: building takes longer than most tests.
    """
    kept = os.environ.get("TEST_HOME")
    if kept:
        return Path(kept)
    home = tmp_path_factory.mktemp("shared-home")
    if WORKER:
        with closing(KnowledgeStore.open(_vocabularies(tmp_path_factory))) as built:
            (home / built.path.name).symlink_to(built.path)
    return home


def _vocabularies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where all workers find them."""
    return tmp_path_factory.getbasetemp().parent / "vocabularies"


@pytest.fixture(scope="session")
def embedder(model_home: Path) -> MiniLM:
    """The real embedder."""
    return MiniLM.load(model_home, threads=THREADS)


@pytest.fixture
def settings(model_home: Path) -> Settings:
    """The defaults, over a data directory that the session shares: what is built once is built once."""
    return Settings(home=model_home)
