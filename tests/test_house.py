"""What holds of the project as a whole."""

from __future__ import annotations

import importlib.util
import json
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", ["app", "chains", "core", "eval", "graphs", "prompts", "tools"])
def test_top_level_packages_resolve_inside_the_checkout(name: str) -> None:
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    assert Path(spec.origin).is_relative_to(ROOT)


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_has_exact_versions_and_no_addresses(lock: str) -> None:
    for line in (ROOT / lock).read_text().splitlines():
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", line), line


def test_what_develops_has_the_versions_that_answer() -> None:
    answers, develops = (
        (ROOT / name).read_text().splitlines() for name in ("requirements.lock", "requirements-dev.lock")
    )
    assert set(answers) < set(develops)


def test_data_wheels_are_pinned_by_hash() -> None:
    lines = [s for s in (ROOT / "requirements-data.txt").read_text().splitlines() if s and not s.startswith("#")]
    assert lines
    assert all(re.fullmatch(r"\S+==\S+ --hash=sha256:[0-9a-f]{64}", line) for line in lines)


def test_a_wheel_takes_along_what_modules_read_beside_them() -> None:
    packaged = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    taken = set(packaged["package-data"]["*"])
    folders = [ROOT / pattern.rstrip("*") for pattern in packaged["packages"]["find"]["include"]]
    beside = {f"*{file.suffix}" for folder in folders for file in folder.rglob("*") if file.is_file() and file.suffix}
    assert beside - {"*.py", "*.pyc", "*.md"} == taken


def test_every_graph_of_langgraph_json_exists() -> None:
    graphs = json.loads((ROOT / "langgraph.json").read_text())["graphs"]
    for name, address in graphs.items():
        path, function = address.split(":")
        assert f"def {function}(" in (ROOT / path).read_text(), name
