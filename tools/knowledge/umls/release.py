"""A UMLS release on disk: which tables are there, which release it is, and whether they are what they must be."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError
from core.wheel import fingerprint
from tools.knowledge.umls.rows import LAYOUTS, MRCONSO, MRDEF, MRDOC, MRREL, MRSAB, MRSTY, Layout, Parsed, parse
from tools.knowledge.umls.stream import Stream, first_lines, found, text_of

_RELEASE = re.compile(r"\d{4}A[A-C]")
_REQUIRED, _OPTIONAL = (MRCONSO, MRSTY), (MRREL, MRDEF, MRDOC, MRSAB)
_NETWORK = ("SRDEF", "SRSTR", "SRSTRE1", "SRSTRE2")
_CHECKED_ROWS, _BAD_ROWS = 1_000, 100


@dataclass(frozen=True)
class Release:
    """A release's name, such as 2024AA, its tables by name, and the optional files that are missing."""

    name: str
    tables: Mapping[str, Stream]
    missing: tuple[str, ...]

    def small(self, layout: Layout) -> Iterator[Parsed]:
        """Read a small table, where it is there, in blocks."""
        line = 1
        for data in text_of(self.tables[layout.name]) if layout.name in self.tables else ():
            parsed = parse(layout, data, line)
            line += parsed.lines
            yield parsed

    def fingerprint(self) -> str:
        """Tell these very files from others."""
        digest = hashlib.sha256(self.name.encode())
        for name, stream in sorted(self.tables.items()):
            digest.update(f"{name} {[part.stat().st_mtime_ns for part in stream.parts]}".encode())
            digest.update(fingerprint(stream.parts).encode())
        return digest.hexdigest()


def find_release(meta: Path, network: Path | None = None) -> Release:
    """Find the tables of a META folder, and those of the Semantic Network in it, beside it, or in ``network``.

    Raises:
        InputError: it is no META folder, a required table is missing, or a table holds something else.
    """
    folder = meta / "META" if found(meta / "META", "MRCONSO.RRF") else meta
    if not folder.is_dir():
        raise InputError(f"{meta} is no folder: give the META folder of a UMLS release, the one with MRCONSO.RRF")
    tables: dict[str, Stream] = {}
    missing: list[str] = []
    for layout in (*_REQUIRED, *_OPTIONAL):
        if stream := found(folder, f"{layout.name}.RRF"):
            tables[layout.name] = stream
        elif layout in _REQUIRED:
            raise InputError(
                f"{folder} has no {layout.name}.RRF: give the META folder of a UMLS release; "
                "MetamorphoSys writes it when it installs a release or a subset of one in Rich Release Format"
            )
        else:
            missing.append(f"{layout.name}.RRF")
    for name in _NETWORK:
        places = (network,) if network else (folder, folder.parent / "NET")
        if stream := next((s for place in places for end in ("", ".RRF") if (s := found(place, name + end))), None):
            tables[name] = stream
    if "SRSTRE2" not in tables and not {"SRDEF", "SRSTRE1"} <= tables.keys():
        missing += [name for name in _NETWORK if name not in tables]
    for layout in LAYOUTS:
        if layout.name in tables:
            _check(layout, tables[layout.name], layout in _REQUIRED)
    return Release(_name(folder), tables, tuple(missing))


def _check(layout: Layout, stream: Stream, required: bool) -> None:
    lines = first_lines(stream, _CHECKED_ROWS)
    parsed = parse(layout, b"\n".join(lines))
    allowed = _BAD_ROWS if parsed.lines >= _CHECKED_ROWS else parsed.lines // 2
    if len(parsed.bad) > allowed:
        line, why = parsed.bad[0]
        raise InputError(
            f"{stream.parts[0]} is no {layout.name} table: {len(parsed.bad)} of its first {parsed.lines} rows are "
            f"wrong (line {line}: {why}); copy it again from the release"
        )
    if required and not parsed.lines:
        raise InputError(f"{stream.parts[0]} is empty: copy it again from the release")


def _name(folder: Path) -> str:
    """The release that ``release.dat`` names, or else the path."""
    dat = folder / "release.dat"
    told = dat.read_text("utf-8", "replace") if dat.is_file() else ""
    for text in (told, *reversed(folder.resolve().parts)):
        if match := _RELEASE.search(text):
            return match.group()
    return "unknown"
