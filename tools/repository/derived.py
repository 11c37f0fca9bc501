"""What searching needs of one revision of a collection, derived from Chroma into files that are mapped, not read.

Rows are passages in order of document and number: ``vectors.f32`` (passages by dimensions), ``passages.jsonl`` with its
``offsets.npy``, and the lexical index. ``head.json`` comes last, so that a folder without it was never finished.
"""

from __future__ import annotations

import json
import mmap
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from heapq import merge
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from core.errors import StoreCorrupted, StoreError
from tools.repository.lexical import LexicalIndex
from tools.repository.store import PAGE, Store

FORMAT = 1
MEMO = 10_000

Floats = NDArray[np.float32]
Rows = NDArray[np.intp]
Record = Mapping[str, Any]


class DerivedIndex:
    """One revision, opened: ``matrix`` (passages by dimensions, rows of norm 1), ``lexical``, and passages by row."""

    def __init__(self, folder: Path) -> None:
        """Map the files.

        Raises:
            StoreCorrupted: they are damaged, incomplete or of another format; building them again mends it.
        """
        self._rows: dict[tuple[str, int], int] = {}
        try:
            head = json.loads((folder / "head.json").read_text(encoding="utf-8"))
            self.revision = str(head["revision"])
            self.size = int(head["passages"])
            self._offsets = np.asarray(np.load(folder / "offsets.npy", mmap_mode="r", allow_pickle=False))
            self._lines = _mapped(folder / "passages.jsonl")
            shape = (self.size, int(head["dimensions"]))
            self.matrix: Floats = np.zeros(shape, np.float32)
            if self.size:
                self.matrix = np.asarray(np.memmap(folder / "vectors.f32", np.float32, "r", shape=shape))
            whole = head["format"] == FORMAT and len(self._offsets) == self.size + 1
            if not whole or len(self._lines) != self._offsets[-1]:
                raise ValueError("its parts do not belong together")
        except (OSError, ValueError, KeyError, TypeError, EOFError) as error:
            raise StoreCorrupted(f"the search index in {folder} cannot be read ({error}); index again") from error
        self.lexical = LexicalIndex.load(folder / "lexical")

    def line(self, row: int) -> bytes:
        """The passage's line as it stands in the file."""
        return self._lines[self._offsets[row] : self._offsets[row + 1]]

    def record(self, row: int) -> Record:
        """The passage's metadata as Chroma has them."""
        found: Record = json.loads(self.line(row))
        if len(self._rows) >= MEMO:
            self._rows.clear()
        self._rows[found["doc"], found["n"]] = row
        return found

    def row(self, key: str, number: int) -> int | None:
        """The row of a passage of a document, by bisection unless it was just read; None where there is none."""
        known = self._rows.get((key, number))
        if known is not None:
            return known
        low, high = 0, self.size
        while low < high:
            middle = (low + high) // 2
            record = self.record(middle)
            if (record["doc"], record["n"]) < (key, number):
                low = middle + 1
            else:
                high = middle
        if low == self.size:
            return None
        record = self.record(low)
        return low if (record["doc"], record["n"]) == (key, number) else None

    def documents(self) -> Iterator[tuple[int, Record]]:
        """The first row of every document with its metadata."""
        row = 0
        while row < self.size:
            record = self.record(row)
            yield row, record
            row += int(record["passages"])


class _Group(NamedTuple):
    key: str
    lines: Sequence[bytes]
    vectors: Floats


def build(
    store: Store, name: str, revision: str, folder: Path, reuse: DerivedIndex | None = None, touched: Iterable[str] = ()
) -> DerivedIndex:
    """Derive the index of a collection into ``folder/revision``, which appears whole or not at all.

    ``reuse`` is an earlier revision of which all documents but the ``touched`` ones, given by key, are still right.

    Raises:
        StoreError: the data directory has no room or cannot be written.
    """
    target = folder / revision
    with _writing(folder) as work:
        ids = store.ids(name)
        groups = _groups(store, name, ids, reuse, frozenset(touched))
        size = _write_passages(work, groups)
        lines = _Lines(work)
        LexicalIndex.build(_Field(lines, "text"), _Field(lines, "title")).save(work / "lexical")
        head = {"format": FORMAT, "revision": revision, "passages": size[0], "dimensions": size[1]}
        (work / "head.json").write_text(json.dumps(head), encoding="utf-8")
        _publish(work, target)
    index = DerivedIndex(target)
    for old in folder.iterdir():
        if old != target:
            shutil.rmtree(old, ignore_errors=True)
    return index


def _groups(
    store: Store, name: str, ids: Sequence[str], reuse: DerivedIndex | None, touched: frozenset[str]
) -> Iterator[_Group]:
    """Whole documents, in order of their keys."""
    spans = {str(r["doc"]): (row, int(r["passages"])) for row, r in reuse.documents()} if reuse else {}
    places = sorted((key, int(number)) for key, _, number in (entry.rpartition("#") for entry in ids))
    there = {key for key, _ in places}
    kept = [(key, span) for key, span in spans.items() if key in there and key not in touched]
    same = {key for key, _ in kept}
    missing = [f"{key}#{number}" for key, number in places if key not in same]
    return merge(_reused(reuse, kept), _fetched(store, name, missing), key=attrgetter("key"))


def _reused(index: DerivedIndex | None, kept: Iterable[tuple[str, tuple[int, int]]]) -> Iterator[_Group]:
    for key, (first, count) in kept if index else ():
        assert index is not None
        yield _Group(key, [index.line(first + n) for n in range(count)], index.matrix[first : first + count])


def _fetched(store: Store, name: str, ids: Sequence[str]) -> Iterator[_Group]:
    entries = (
        (metadata, vector)
        for start in range(0, len(ids), PAGE)
        for page in [store.fetch(name, ids[start : start + PAGE])]
        for metadata, vector in zip(page.metadata, page.vectors, strict=True)
    )
    for key, group in groupby(entries, key=lambda entry: str(entry[0]["doc"])):
        members = list(group)
        whole = whole_document([metadata for metadata, _ in members])
        if whole:
            lines = [json.dumps(members[i][0], ensure_ascii=False).encode() + b"\n" for i in whole]
            yield _Group(key, lines, np.stack([members[i][1] for i in whole]))


def whole_document(records: Sequence[Record]) -> list[int]:
    """Which of a document's entries, sorted by number, make up a version of which nothing is missing, if any do."""
    versions: dict[str, list[int]] = {}
    for place, record in enumerate(records):
        versions.setdefault(str(record["hash"]), []).append(place)
    return next((v for v in versions.values() if len(v) == records[v[0]]["passages"]), [])


def _write_passages(work: Path, groups: Iterable[_Group]) -> tuple[int, int]:
    """Write lines and vectors; return how many passages of how many dimensions there are."""
    lengths: list[int] = [0]
    dimensions = 0
    with (work / "passages.jsonl").open("wb") as lines, (work / "vectors.f32").open("wb") as vectors:
        for group in groups:
            lines.writelines(group.lines)
            lengths.extend(len(line) for line in group.lines)
            vectors.write(np.ascontiguousarray(group.vectors, np.float32).data)
            dimensions = group.vectors.shape[1]
    np.save(work / "offsets.npy", np.cumsum(lengths, dtype=np.int64))
    return len(lengths) - 1, dimensions


class _Lines:
    def __init__(self, folder: Path) -> None:
        self.offsets = np.load(folder / "offsets.npy", mmap_mode="r", allow_pickle=False)
        self._lines = _mapped(folder / "passages.jsonl")

    def record(self, row: int) -> Record:
        found: Record = json.loads(self._lines[self.offsets[row] : self.offsets[row + 1]])
        return found


class _Field(Sequence[str]):
    """One field of all passages, read as it is asked for: the texts of a large collection do not fit into memory."""

    def __init__(self, lines: _Lines, name: str) -> None:
        self._lines = lines
        self._name = name

    def __len__(self) -> int:
        return len(self._lines.offsets) - 1

    @overload
    def __getitem__(self, row: int) -> str: ...
    @overload
    def __getitem__(self, row: slice) -> list[str]: ...
    def __getitem__(self, row: int | slice) -> str | list[str]:
        if isinstance(row, slice):
            return [self[i] for i in range(*row.indices(len(self)))]
        if not 0 <= row < len(self):
            raise IndexError(row)
        return str(self._lines.record(row).get(self._name, ""))


@contextmanager
def _writing(folder: Path) -> Iterator[Path]:
    """A folder to work in, gone afterwards unless it was published."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix="building-", dir=folder))
    except OSError as error:
        raise _full(folder, error) from error
    try:
        yield work
    except OSError as error:
        raise _full(folder, error) from error
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _full(folder: Path, error: OSError) -> StoreError:
    return StoreError(f"{folder} cannot be written ({error.strerror}): see that the disk has room and is writable")


def _publish(work: Path, target: Path) -> None:
    """Rename, over what may be left there of a damaged one."""
    if target.exists():
        target.rename(work.with_name(work.name + "-damaged"))
    work.rename(target)


def _mapped(path: Path) -> bytes | mmap.mmap:
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if path.stat().st_size else b""
