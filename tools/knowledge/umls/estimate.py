"""How long an import will take, and how much room it needs."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from core.errors import StoreError
from tools.knowledge.progress import Progress
from tools.knowledge.umls.release import Release
from tools.knowledge.umls.stream import Stream

_UNPACKED = 6
"""Bytes of a table for each that it has compressed."""
_NEEDED = {"MRCONSO": 2.5, "MRSTY": 0.6, "MRDEF": 1.2, "MRREL": 0.8}
"""Bytes of an unfinished store, with its temporary files, for each of a table: somewhat more than was measured."""
_SPARE = 200_000_000
_SETTLED_SECONDS = 3.0


class Clock:
    """Tells progress with the time that is left, from how fast the work went so far."""

    def __init__(
        self,
        progress: Progress,
        stages: Sequence[tuple[str, float]],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Expect these stages: what is told of each, and its share of the work, in seconds on some machine."""
        self._progress, self._stages, self._now = progress, stages, now
        self._stage = 0
        self._begun: tuple[float, float] | None = None

    def begin(self, stage: int) -> None:
        """Say that this stage begins or goes on."""
        self._stage = stage

    def tell(self, share: float) -> None:
        """Say that this share of the stage is done."""
        text, cost = self._stages[self._stage]
        done = sum(cost for _, cost in self._stages[: self._stage]) + share * cost
        left = sum(cost for _, cost in self._stages) - done
        now = self._now()
        if self._begun is None:
            self._begun = now, done
        seconds, worked = now - self._begun[0], done - self._begun[1]
        speed = seconds / worked if worked > 0 and seconds > _SETTLED_SECONDS else 1.0
        self._progress(f"{text}, {spoken(left * speed)} left", min(1.0, share))


def spoken(seconds: float) -> str:
    """Return a duration as one says it: "about 12 minutes"."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return "less than a minute"
    if minutes < 90:
        return f"about {minutes} minute{'s' if minutes > 1 else ''}"
    return f"about {seconds / 3600:.1f} hours"


def sizes(release: Release) -> Mapping[str, int]:
    """Return the bytes of each table, unpacked as far as can be told without unpacking it."""
    return {name: _size(stream) for name, stream in release.tables.items()}


def needed_bytes(release: Release) -> int:
    """Return the room that the store and all that is temporary may need, in bytes."""
    found = sizes(release)
    return _SPARE + int(sum(factor * found.get(name, 0) for name, factor in _NEEDED.items()))


def check_room(home: Path, release: Release, there: int) -> None:
    """Refuse what will not fit; ``there`` are bytes that an interrupted import has written already.

    Raises:
        StoreError: there is too little room.
    """
    needed, free = needed_bytes(release), shutil.disk_usage(home).free + there
    if free < needed:
        raise StoreError(f"{home} has too little room: {room(needed, free)}")


def room(needed: int, free: int) -> str:
    """Return what is needed and what is there, with what to do about it."""
    return (
        f"the import may need {needed / 1e9:.1f} GB and {free / 1e9:.1f} GB are free; free some space, set "
        "MEDATTEST_HOME to a larger disk, or choose fewer source vocabularies in MetamorphoSys"
    )


def _size(stream: Stream) -> int:
    return stream.size * (_UNPACKED if stream.packed else 1)
