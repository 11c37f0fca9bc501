"""One way to load a set: by its name and where it lies, or by the path of a plain JSON Lines file."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from core.errors import InputError, UsageError
from eval.datasets.example import Example
from eval.datasets.registry import PLAIN, SOURCES, Source
from eval.datasets.splits import divided, leaking

Leaks = Literal["divide", "refuse"]
TRAINING_SHARE = 0.7
_SPLITS = {"train": r"train", "dev": r"dev|val", "test": r"test"}
_NOT_RECORDS = ("corpus", "recorded")


@dataclass(frozen=True)
class Dataset:
    """The examples of a set, or of a part of it, and what whoever measures with them should know."""

    name: str
    examples: Sequence[Example]
    licence: str
    digest: str
    """Of the files that were read."""
    notices: tuple[str, ...] = ()

    def only(self, task: str | None = None, language: str | None = None) -> Dataset:
        """The examples of this task and this language."""
        kept = [e for e in self.examples if task in (None, e.task) and language in (None, e.language)]
        return replace(self, examples=kept)

    def sample(self, limit: int | None, seed: int) -> Dataset:
        """So many of the examples, drawn by the seed, in their order."""
        if limit is None or limit >= len(self.examples):
            return self
        drawn = sorted(random.Random(seed).sample(range(len(self.examples)), limit))
        return replace(self, examples=[self.examples[place] for place in drawn])


def load(name: str, path: Path | None = None, split: str = "", leaks: Leaks = "divide", seed: int = 0) -> Dataset:
    """The examples of a set.

    ``split`` names the part wanted where the files are parts (train, dev, test): everything but the training part
    otherwise. Where the part wanted shares questions, claims or texts with the training part, all parts are divided
    anew by the seed, with a notice, or refused.

    Raises:
        UsageError: there is no set of this name, or its parts leak and that is refused.
        InputError: its files are not there, or cannot be read.
    """
    source, where = _source(name, path)
    files = _files(source, name, where)
    parts = {file: _split_of(file) for file in files}
    examples = [e.model_copy(update={"split": parts[file]}) for file in files for e in _read(source, file)]
    if not examples:
        raise InputError(f"{where} holds no example of {source.title}")
    examples = _named_once(examples)
    wanted, notices = _part(examples, split, leaks, seed, name)
    return Dataset(Path(name).stem if source is PLAIN else name, wanted, source.licence, _digest(files), notices)


def _read(source: Source, file: Path) -> list[Example]:
    try:
        return list(source.read(file))
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        what = f"a record has no field {error}" if isinstance(error, KeyError) else str(error)
        raise InputError(f"{file} is no file of {source.title}: {what}") from error


def _source(name: str, path: Path | None) -> tuple[Source, Path]:
    if name in SOURCES:
        if path is None:
            raise InputError(f"{name} is not on this machine: name its file or folder with --data, or --download it")
        return SOURCES[name], path
    if Path(name).suffix and Path(name).exists():
        return PLAIN, Path(name)
    raise UsageError(f"there is no set {name!r}: use a JSONL file, or one of {', '.join(SOURCES)}")


def _files(source: Source, name: str, path: Path) -> list[Path]:
    """The set's files, in a folder of its own or in its place among the folders of several sets."""
    if not path.is_dir():
        return [path]
    folder = next((path / own for own in (name, *source.folders) if (path / own).is_dir()), path)
    found = {file for pattern in source.files for file in folder.glob(pattern)}
    files = sorted(file for file in found if not file.name.startswith(_NOT_RECORDS))
    if not files:
        raise InputError(f"{folder} has none of {', '.join(source.files)}: --data names the folder of {source.title}")
    return files


def _split_of(file: Path) -> str:
    return next((split for split, sign in _SPLITS.items() if re.search(sign, file.stem, re.IGNORECASE)), "")


def _part(
    examples: list[Example], split: str, leaks: Leaks, seed: int, name: str
) -> tuple[list[Example], tuple[str, ...]]:
    train = [e for e in examples if e.split == "train"]
    rest = [e for e in examples if e.split != "train"]
    wanted = [e for e in examples if e.split == split] if split else rest or train
    if not wanted:
        raise InputError(f"{name} has no part {split!r} here: it has {', '.join(sorted({e.split for e in examples}))}")
    shared = leaking(train, wanted) if wanted[0].split != "train" else []
    if not shared:
        return wanted, ()
    told = (
        f"{len(shared):,} of {len(wanted):,} examples of {name} share a question, claim or text with its training part"
    )
    if leaks == "refuse":
        raise UsageError(f"{told}: leave out --leaks refuse to have it divided anew")
    _, clean = divided(examples, TRAINING_SHARE, seed)
    return clean, (f"{told}: divided anew by seed {seed}, so figures are not those of the published split",)


def _named_once(examples: list[Example]) -> list[Example]:
    """Ids are unique within a run: a number tells apart those that two files have, or one has twice."""
    seen: dict[str, int] = {}
    named = []
    for example in examples:
        times = seen[example.id] = seen.get(example.id, 0) + 1
        named.append(example if times == 1 else example.model_copy(update={"id": f"{example.id}~{times}"}))
    return named


def _digest(files: Sequence[Path]) -> str:
    whole = hashlib.sha256()
    for file in files:
        whole.update(file.name.encode() + hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()
