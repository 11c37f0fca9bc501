"""What searching needs of one revision of a collection, derived from Chroma into files that are mapped, not read.

Rows are passages by document and number: ``vectors.f32`` (passages by dimensions), ``passages.jsonl`` with its
``offsets.npy``, ``hashes.npy`` of their ids, sorted, with their ``rows.npy``, and the lexical index. ``head.json`` is
written last: a folder without it was never finished.
"""

from __future__ import annotations

import hashlib
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
from core.lexical import LexicalIndex
from tools.repository.store import PAGE, Store

FORMAT = 2

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
        try:
            head = json.loads((folder / "head.json").read_text(encoding="utf-8"))
            self.revision = str(head["revision"])
            self.size = int(head["passages"])
            self._offsets = _array(folder / "offsets.npy")
            self._hashes, self._hashed_rows = _array(folder / "hashes.npy"), _array(folder / "rows.npy")
            self._lines = _mapped(folder / "passages.jsonl")
            shape = (self.size, int(head["dimensions"]))
            self.matrix: Floats = np.zeros(shape, np.float32)
            if self.size:
                self.matrix = np.asarray(np.memmap(folder / "vectors.f32", np.float32, "r", shape=shape))
            lengths = (len(self._offsets) - 1, len(self._hashes), len(self._hashed_rows))
            whole = head["format"] == FORMAT and lengths == (self.size,) * 3
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
        return found

    def rows(self, ids: Sequence[str]) -> list[int | None]:
        """Rows of entries by their ids, ``<document, percent-encoded>#<number>``; None for one that is not there."""
        asked = np.array([_hash(entry) for entry in ids], np.uint64)
        places = np.minimum(np.searchsorted(self._hashes, asked), max(0, self.size - 1))
        return [
            int(self._hashed_rows[place]) if self.size and self._hashes[place] == wanted else None
            for place, wanted in zip(places, asked, strict=True)
        ]

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
    hashes: list[int] = []
    dimensions = 0
    with (work / "passages.jsonl").open("wb") as lines, (work / "vectors.f32").open("wb") as vectors:
        for group in groups:
            lines.writelines(group.lines)
            lengths.extend(len(line) for line in group.lines)
            hashes.extend(_hash(f"{group.key}#{number}") for number in range(len(group.lines)))
            vectors.write(np.ascontiguousarray(group.vectors, np.float32).data)
            dimensions = group.vectors.shape[1]
    np.save(work / "offsets.npy", np.cumsum(lengths, dtype=np.int64))
    unsorted = np.array(hashes, np.uint64)
    order = np.argsort(unsorted)
    np.save(work / "hashes.npy", unsorted[order])
    np.save(work / "rows.npy", order.astype(np.int32))
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


def _hash(entry: str) -> int:
    """Of 64 bits: among a million passages, two share one with a probability of 3 in 100 million."""
    return int.from_bytes(hashlib.blake2b(entry.encode(), digest_size=8).digest(), "big")


def _array(path: Path) -> NDArray[Any]:
    # A plain view: indexing numpy.memmap itself makes an object of its class each time.
    return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))


def _mapped(path: Path) -> bytes | mmap.mmap:
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if path.stat().st_size else b""
