"""Where a data wheel keeps its files, found without importing the wheel."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from core.errors import DataMissing

_SAMPLE_BYTES = 65_536


def data_file(wheel: str, *parts: str) -> Path:
    """Return the path of a file inside an installed wheel; raise DataMissing where either is not there."""
    spec = find_spec(wheel)
    if spec is None or not spec.submodule_search_locations:
        raise DataMissing(f"the data wheel {wheel} is not installed: run `make setup`")
    path = Path(next(iter(spec.submodule_search_locations)), *parts)
    if not path.is_file():
        raise DataMissing(f"the data wheel {wheel} has no file {'/'.join(parts)}: run `make setup` to install it again")
    return path


def fingerprint(paths: Sequence[Path]) -> str:
    """Tell these files from other releases of them: name, size and both ends, so that it costs no full read."""
    digest = hashlib.sha256()
    for path in paths:
        size = path.stat().st_size
        digest.update(f"{path.name} {size}\n".encode())
        with path.open("rb") as file:
            digest.update(file.read(_SAMPLE_BYTES))
            file.seek(max(0, size - _SAMPLE_BYTES))
            digest.update(file.read(_SAMPLE_BYTES))
    return digest.hexdigest()


def wheel_version(wheel: str) -> str:
    """Return the version of an installed wheel; "unknown" where its metadata is not there."""
    try:
        return version(wheel)
    except PackageNotFoundError:
        return "unknown"
