"""Sets from their official homes: kept in the data directory, with the checksums of their first download."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path

from core.errors import InputError, StoreCorrupted, UsageError
from core.http import HttpClient, Limits
from eval.datasets.registry import SOURCES

CHECKSUMS = "SHA256.json"
_LIMITS = Limits(read=60.0, deadline=900.0, max_bytes=2**30)


def downloaded(name: str, home: Path, *, fetch: bool, tell: Callable[[str], None]) -> Path | None:
    """The folder of a set in the data directory, None where it is not there; ``fetch`` gets what is missing.

    Raises:
        UsageError: it is to be fetched, but its owner does not hand it out by plain addresses.
        StoreCorrupted: a file is not what it was when it was first downloaded.
        SourceError: it cannot be fetched.
    """
    folder = home / "datasets" / name
    source = SOURCES.get(name)
    if fetch and source is not None:
        if not source.downloads:
            raise UsageError(
                f"{source.title} is not handed out by plain addresses: get it from {source.home}, then --data"
            )
        tell(f"{source.title}: licence: {source.licence}; its home: {source.home}")
        get(source.downloads, folder)
    if not folder.is_dir():
        return None
    _check(folder)
    return folder


def get(addresses: Mapping[str, str], folder: Path) -> None:
    """Fetch the files that the folder has not yet, and keep their checksums."""
    missing = {name: address for name, address in addresses.items() if not (folder / name).exists()}
    if not missing:
        return
    folder.mkdir(parents=True, exist_ok=True)
    kept = _kept(folder)
    for name, body in asyncio.run(_fetch(missing)).items():
        found = hashlib.sha256(body).hexdigest()
        if kept.setdefault(name, found) != found:
            raise InputError(
                f"{missing[name]} is not what it was when it was first downloaded: compare, then delete {folder}"
            )
        (folder / name).write_bytes(body)
    (folder / CHECKSUMS).write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")


async def _fetch(addresses: Mapping[str, str]) -> dict[str, bytes]:
    client = HttpClient(_LIMITS)
    try:
        return {name: (await client.get(address)).body for name, address in addresses.items()}
    finally:
        await client.close()


def _check(folder: Path) -> None:
    for name, kept in _kept(folder).items():
        file = folder / name
        if file.exists() and hashlib.sha256(file.read_bytes()).hexdigest() != kept:
            raise StoreCorrupted(f"{file} is not what was downloaded: delete it and --download it again")


def _kept(folder: Path) -> dict[str, str]:
    file = folder / CHECKSUMS
    held: dict[str, str] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return held
