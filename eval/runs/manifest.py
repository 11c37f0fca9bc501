"""What another needs to repeat an experiment: commit, settings, versions, data, seed; and what it cost."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.schema import Usage
from core.settings import Settings
from eval.datasets import Dataset
from eval.runs.systems import System

MANIFEST = "manifest.json"
NO_COMMIT = "not known: git names no commit of the code that ran"
_VERSIONS = (
    "medattest",
    "langgraph",
    "langchain-core",
    "spacy",
    "onnxruntime",
    "numpy",
    "sacrebleu",
    "rouge-score",
    "nltk",
)
_CHECKOUT = Path(__file__).resolve().parent.parent.parent


def manifest(dataset: Dataset, systems: Sequence[System], settings: Settings, seed: int, **more: Any) -> dict[str, Any]:
    """Everything but what only the end knows."""
    return {
        "dataset": {
            "name": dataset.name,
            "licence": dataset.licence,
            "files_sha256": dataset.digest,
            "examples": len(dataset.examples),
            "notices": list(dataset.notices),
        },
        "systems": [system.model_dump(mode="json") for system in systems],
        "settings": _told(settings),
        "seed": seed,
        "commit": commit(),
        "python": platform.python_version(),
        "versions": {name: _version(name) for name in _VERSIONS},
        "command": sys.argv[1:],
        **more,
    }


def write(folder: Path, told: dict[str, Any], usage: Usage, seconds: float) -> dict[str, Any]:
    """Write the manifest; what earlier sessions of the same experiment took is added up."""
    before = read(folder) if (folder / MANIFEST).exists() else {}
    earlier = before.get("sessions", [])
    session = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": told["commit"],
        "seconds": round(seconds, 1),
    }
    whole = {**told, "usage": usage.model_dump(), "sessions": [*earlier, session]}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MANIFEST).write_text(json.dumps(whole, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return whole


def read(folder: Path) -> dict[str, Any]:
    """The manifest of an experiment; InputError where there is none, or something else."""
    try:
        held: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        names = [system["name"] for system in held["systems"]]
        whole = isinstance(held, dict) and isinstance(held["seed"], int) and all(isinstance(n, str) for n in names)
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"{folder} holds no experiment ({error}): name a folder that eval run has written") from error
    if not whole:
        raise InputError(
            f"{folder / MANIFEST} is no manifest of an experiment: name a folder that eval run has written"
        )
    return held


def commit() -> str:
    """The commit of the checkout, marked where files differ from it; ``NO_COMMIT`` outside one."""
    try:
        # An installed package may stand in the checkout of another project, whose commit is not its own.
        _git("ls-files", "--error-unmatch", str(Path(__file__).resolve()))
        head, changed = _git("rev-parse", "HEAD"), _git("status", "--porcelain", "-uno")
    except (OSError, subprocess.CalledProcessError):
        return NO_COMMIT
    return f"{head} and changes" if changed else head


def _git(*asked: str) -> str:
    return subprocess.run(
        ["git", "-C", str(_CHECKOUT), *asked], capture_output=True, text=True, check=True
    ).stdout.strip()


def _told(settings: Settings) -> dict[str, Any]:
    """The settings without their secrets and without the data directory, which is this machine's alone."""
    return settings.model_dump(mode="json", exclude={"home", "entrez_key", "umls_key"})


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "absent"
