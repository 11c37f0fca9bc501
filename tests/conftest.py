"""What tests share: a data directory of their own, and the embedder, loaded once."""

from __future__ import annotations

import os
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


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test reads the developer's settings, writes to their data directory, or traces to anywhere."""
    for name in os.environ:
        if name.startswith(("MEDATTEST_", "LANGSMITH_", "LANGCHAIN_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("MEDATTEST_HOME", str(tmp_path / "home"))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An empty data directory."""
    return tmp_path / "home"


@pytest.fixture(scope="session")
def model_home(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory that keeps what is built once: the embedder's graph and the vocabularies.

    Of several workers one builds the vocabularies, before the first test that needs this directory, and the others wait
    for it; what is written beside them is each one's own. ``TEST_HOME`` names a directory that is kept from run to run:
    building takes longer than most tests.
    """
    kept = os.environ.get("TEST_HOME")
    if kept:
        return Path(kept)
    home = tmp_path_factory.mktemp("shared-home")
    if hasattr(request.config, "workerinput"):
        with closing(KnowledgeStore.open(tmp_path_factory.getbasetemp().parent / "vocabularies")) as built:
            (home / built.path.name).symlink_to(built.path)
    return home


@pytest.fixture(scope="session")
def embedder(model_home: Path) -> MiniLM:
    """The real embedder."""
    return MiniLM.load(model_home, threads=2)


@pytest.fixture
def settings(model_home: Path) -> Settings:
    """The defaults, over a data directory that the session shares: what is built once is built once."""
    return Settings(home=model_home)
