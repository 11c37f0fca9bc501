"""Pictures that commands draw into files that their reader names."""

from __future__ import annotations

from pathlib import Path

from core.errors import InputError


def write_svg(file: Path, picture: str, option: str) -> None:
    """Write a picture; InputError, after the option that named the file, where it cannot be, or holds anything else."""
    try:
        if file.is_file() and file.stat().st_size and not _is_svg(file):
            raise InputError(f"{option}: {file} exists and is no SVG: name another file, nothing was written")
        file.write_text(picture, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{option} {file} cannot be written ({error.strerror}): name a file that can") from error


def _is_svg(file: Path) -> bool:
    with file.open("rb") as kept:
        return kept.read(200).lstrip().startswith((b"<svg", b"<?xml"))
