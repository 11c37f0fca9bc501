"""A table's file, or its parts one after the other, compressed or not, in blocks of whole lines from any offset."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NamedTuple

from core.errors import InputError

BLOCK_BYTES = 1 << 22
_LONGEST_LINE = 1 << 24


class Block(NamedTuple):
    """Whole lines; ``end`` is the offset behind them in the unpacked table, ``read`` the bytes read from disk."""

    data: bytes
    end: int
    read: int


@dataclass(frozen=True)
class Stream:
    """One table on disk; ``parts`` follow each other and may cut lines."""

    parts: tuple[Path, ...]

    @property
    def name(self) -> str:
        """How messages name it."""
        return self.parts[0].name

    @property
    def packed(self) -> bool:
        """Whether a part is compressed."""
        return any(part.suffix == ".gz" for part in self.parts)

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(part.stat().st_size for part in self.parts)

    def blocks(self, offset: int = 0, size: int = BLOCK_BYTES) -> Iterator[Block]:
        """Yield the lines behind an offset in blocks of about ``size`` bytes.

        Raises:
            InputError: a compressed part is damaged, or the file has no lines.
        """
        rest, position, before, skip = b"", offset, 0, offset
        for part in self.parts:
            with part.open("rb") as raw:
                skip, chunks = _behind(part, raw, skip, size)
                for chunk in chunks:
                    data = rest + chunk
                    cut = data.rfind(b"\n") + 1
                    rest = data[cut:]
                    if len(rest) > _LONGEST_LINE:
                        raise InputError(f"{part} is no RRF table: it has a line of more than {len(rest):,} bytes")
                    if cut:
                        position += cut
                        yield Block(data[:cut], position, before + raw.tell())
            before += part.stat().st_size
        if rest:
            yield Block(rest, position + len(rest), before)


def _behind(part: Path, raw: IO[bytes], skip: int, size: int) -> tuple[int, Iterator[bytes]]:
    """What is left to skip behind this part, and its content behind what is skipped in it."""
    if part.suffix != ".gz":
        length = part.stat().st_size
        raw.seek(min(skip, length))
        return max(0, skip - length), iter(lambda: raw.read(size), b"")
    chunks = _unpacked(part, raw, size)
    while skip and (chunk := next(chunks, b"")):
        if len(chunk) > skip:
            return 0, _first_then(chunk[skip:], chunks)
        skip -= len(chunk)
    return skip, chunks


def _first_then(first: bytes, others: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from others


def _unpacked(part: Path, raw: IO[bytes], size: int) -> Iterator[bytes]:
    try:
        with gzip.GzipFile(fileobj=raw, mode="rb") as file:
            while chunk := file.read(size):
                yield chunk
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"{part} is damaged ({error}): copy it again from the release") from error


def found(folder: Path, name: str) -> Stream | None:
    """Find a table in a folder: the file itself, compressed, or in numbered or lettered parts; None where it is not."""
    for pattern in (name, f"{name}.gz", f"{name}.[a-z][a-z].gz", f"{name}.[a-z][a-z]", f"{name}.[0-9]*.gz"):
        if parts := tuple(sorted(path for path in folder.glob(pattern) if path.is_file())):
            return Stream(parts)
    return None


def text_of(stream: Stream) -> Iterator[bytes]:
    """Yield the blocks of a small table."""
    return (block.data for block in stream.blocks())


def first_lines(stream: Stream, count: int) -> Sequence[bytes]:
    """Return its first lines, without their ends."""
    block = next(stream.blocks(), None)
    return block.data.split(b"\n")[:count] if block else []
