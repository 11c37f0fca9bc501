"""Documents out of files and folders, one at a time, with everything that could not be read named."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from core.errors import InputError
from tools.repository.content import Unreadable
from tools.repository.documents import MAX_ID_CHARS, Document, clean, provenance, split_text
from tools.repository.formats import JSONL, SUFFIXES, reader_of
from tools.repository.jsonl import BadLine, JsonFields, parse_line
from tools.repository.report import MAX_PROBLEMS, Problem

# A longer text becomes several documents, so that neither memory nor re-indexing a change grows with the file.
PART_CHARS = 1_000_000
MEGABYTE = 1_000_000
PART = "/part-"
LINK = "link out of the folder"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a file may have at most; larger ones are refused by name."""

    max_file_mb: int = 200
    max_pdf_pages: int = 2000


class Loaded(NamedTuple):
    """A document, the PATH argument it came by, and where in it."""

    document: Document
    origin: str
    place: str


Taken = Callable[[str, Path, Path], bool]
"""Whether a name, for a file that came by a PATH argument, is that of another document."""


class Loader:
    """Reads documents and keeps account of what it met.

    ``kept`` are keys of documents whose file could not be read this time (of the first part, where it has several),
    ``partial`` the origins of which it is not known what they hold: what was indexed of these before is not gone.
    """

    def __init__(self, limits: Limits, fields: JsonFields, most_problems: int | None = MAX_PROBLEMS) -> None:
        """Read within these limits; JSON Lines by these fields; name so many problems, all for None."""
        self.problems: list[Problem] = []
        self.problem_count = 0
        self.skipped: Counter[str] = Counter()
        self.empty = 0
        self.kept: set[str] = set()
        self.partial: set[str] = set()
        self._most_problems = most_problems
        self._limits = limits
        self._fields = fields
        self._bytes_read = 0
        self._bytes_total = 0

    @property
    def share(self) -> float:
        """How much of all files was read, in bytes, from 0 to 1."""
        return min(1.0, self._bytes_read / self._bytes_total) if self._bytes_total else 1.0

    def documents(self, paths: Sequence[Path], taken: Taken = lambda *_: False) -> Iterator[Loaded]:
        """Documents of the files and of all files in the folders, in order of their names; no file has a ``taken`` one.

        Raises:
            InputError: a path does not exist.
        """
        for path in paths:
            if not path.exists():
                raise InputError(f"{path} does not exist: give files or folders that do")
        met: dict[Path, tuple[Path, Path]] = {}
        for path in paths:
            for file in self._files(path):
                met.setdefault(file.absolute(), (path, file))
        files = list(met.values())
        sizes = [_size(file) for _, file in files]
        self._bytes_total = sum(sizes)
        done = 0
        for (path, file), name, size in zip(files, distinct_names(files, taken), sizes, strict=True):
            yield from self._file(path, file, name, size)
            done += size
            self._bytes_read = done

    def gone(self, key: str, origin: str) -> bool:
        """Whether a document that was indexed from this origin and not met again is known to be no longer there."""
        return origin not in self.partial and key.split(quote(PART, safe=""))[0] not in self.kept

    def problem(self, where: str, what: str) -> None:
        """Name something that went wrong; the first are kept, all are counted."""
        self.problem_count += 1
        if self._most_problems is None or len(self.problems) < self._most_problems:
            self.problems.append(Problem(where, what))

    def _files(self, path: Path) -> Iterator[Path]:
        if not path.is_dir():
            yield path
            return
        for folder, folders, names in os.walk(path, onerror=lambda error: self._unlisted(path, error)):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            self.skipped.update(LINK for name in folders if _leads_out(Path(folder, name), path))
            for name in sorted(names):
                file = Path(folder, name)
                if not name.startswith(".") and self._known(file, path):
                    yield file

    def _known(self, file: Path, path: Path) -> bool:
        known = file.suffix.lower() in SUFFIXES and file.is_file()
        if not known:
            self.skipped[file.suffix.lower() or "(no suffix)"] += 1
        elif _leads_out(file, path):
            self.skipped[LINK] += 1
            return False
        return known

    def _unlisted(self, path: Path, error: OSError) -> None:
        self.partial.add(origin_of(path))
        self.problem(str(error.filename), f"cannot be listed ({error.strerror}); nothing of {path} is removed")

    def _file(self, path: Path, file: Path, name: str, size: int) -> Iterator[Loaded]:
        origin, suffix = origin_of(path), file.suffix.lower()
        try:
            if suffix not in SUFFIXES:
                raise Unreadable(f"has no suffix that is read: use one of {', '.join(sorted(SUFFIXES))}")
            if not file.is_file():
                raise Unreadable("is no regular file")
            if size > self._limits.max_file_mb * MEGABYTE:
                raise Unreadable(
                    f"has {size / MEGABYTE:,.0f} MB, the limit is {self._limits.max_file_mb:,}: "
                    "raise MEDATTEST_MAX_FILE_MB or split it"
                )
            yield from self._lines(origin, file) if suffix in JSONL else self._whole(origin, file, name)
        except (Unreadable, OSError) as error:
            self._refused(origin, file, name, error)

    def _refused(self, origin: str, file: Path, name: str, error: Exception) -> None:
        what = f"cannot be read ({error.strerror})" if isinstance(error, OSError) else str(error)
        if file.suffix.lower() in JSONL:
            self.partial.add(origin)
        else:
            self.kept.add(Document(name, "").key)
        self.problem(str(file), what)

    def _lines(self, origin: str, file: Path) -> Iterator[Loaded]:
        with file.open("rb") as lines:
            for number, raw in enumerate(lines, 1):
                self._bytes_read += len(raw)
                if not raw.strip():
                    continue
                place = f"{file}:{number}"
                try:
                    documents, empty, faults = parse_line(raw, self._fields)
                except BadLine as error:
                    # Which document it was is not known, so it may be any that is not met again.
                    self.partial.add(origin)
                    self.problem(place, f"{error}; nothing of {origin} is removed")
                    continue
                self.empty += empty
                for fault in faults:
                    self.problem(place, fault)
                for document in documents:
                    yield Loaded(document, origin, place)

    def _whole(self, origin: str, file: Path, name: str) -> Iterator[Loaded]:
        if len(name) > MAX_ID_CHARS:
            raise Unreadable(f"has a path of {len(name)} characters, the limit is {MAX_ID_CHARS}")
        read = reader_of(file.suffix.lower(), self._limits.max_pdf_pages)
        content = read(file, lambda what: self.problem(str(file), what))
        known, faults = provenance(content.fields)
        for fault in faults:
            self.problem(str(file), fault)
        count = 0
        for text in split_text(content.blocks, PART_CHARS):
            count += 1
            self._bytes_read += len(text)
            part = name if count == 1 else f"{name}{PART}{count}"
            yield Loaded(Document(part, text, clean(content.title).strip(), **known), origin, str(file))
        self.empty += not count


def distinct_names(files: Sequence[tuple[Path, Path]], taken: Taken) -> list[str]:
    """A name for each file, given with its PATH argument: its place below that, or its own name.

    Where several would have one name, or one is taken, they take as many of the folders above as tell them apart.
    """
    parts = [file.absolute().parts for _, file in files]
    depth = [len(file.relative_to(path).parts) or 1 for path, file in files]
    while True:
        names = ["/".join(steps[-deep:]) for steps, deep in zip(parts, depth, strict=True)]
        times = Counter(names)
        deeper = [n for n in range(len(names)) if depth[n] < len(parts[n])]
        alike = [n for n in deeper if times[names[n]] > 1 or taken(names[n], *files[n])]
        if not alike:
            return names
        for n in alike:
            depth[n] += 1


def read_from(name: str, origin: str) -> Path | None:
    """The file that a document of this name came from, if it is still there."""
    place = Path(origin)
    if place.is_file():
        return place
    files = (folder / name for folder in (place, *place.parents))
    return next((file for file in files if file.is_relative_to(place) and file.is_file()), None)


def _leads_out(file: Path, folder: Path) -> bool:
    return file.is_symlink() and not file.resolve().is_relative_to(folder.resolve())


def origin_of(path: Path) -> str:
    """A PATH argument as collections record it: absolute, and storable whatever bytes it has."""
    return os.fspath(path.absolute()).encode("utf-8", "backslashreplace").decode()


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0
