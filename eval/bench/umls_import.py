"""The import of a UMLS release: rows a second, peak memory and room on disk, at a tenth of a size and at that size.

Each runs in a process of its own over a made-up release (``eval.synthetic.rrf``). A full release has 21 million rows of
MRCONSO and 105 million of MRREL; what is told of one is a straight line through the two sizes. Real names have more
different words than made-up ones, and sorting grows a little faster than its rows: take it for an order of magnitude.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.synthetic.rrf import write_release
from tools.knowledge.umls import import_umls

FULL_NAMES, FULL_RELATIONS = 21_000_000, 105_000_000
_KB = 1024


@dataclass(frozen=True)
class Measured:
    """One import: rows of MRCONSO and MRREL, seconds of the clock and of the processor, and bytes.

    ``memory`` is the process's peak, ``before`` what it held before the import began; ``disk`` is the most that stood
    in the data directory, ``tables`` the size of the release.
    """

    names: int
    relations: int
    seconds: float
    processor: float
    memory: int
    before: int
    disk: int
    tables: int
    stages: dict[str, float]


def measure(names: int, relations: int, seed: int, folder: Path) -> Measured:
    """Write a release of this size below ``folder`` and import it in another process."""
    meta = write_release(folder / "release", names, relations, seed)
    command = [sys.executable, "-m", "eval.bench.umls_import", "--one", str(meta), str(folder / "home")]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    tables = sum(path.stat().st_size for path in meta.iterdir())
    return Measured(names, relations, tables=tables, **json.loads(done.stdout.splitlines()[-1]))


def import_one(meta: Path, home: Path) -> dict[str, object]:
    """Import in this process; return what it took."""
    most, stages = 0, dict[str, float]()
    last = begun = time.perf_counter()

    def progress(text: str, _: float) -> None:
        nonlocal most, last
        now = time.perf_counter()
        stage = text.split(",")[0]
        stages[stage] = stages.get(stage, 0.0) + now - last
        last = now
        most = max(most, sum(path.stat().st_size for path in home.rglob("*") if path.is_file()))

    before = _peak()
    import_umls(meta, home, loaders=[], progress=progress)
    seconds, used = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF)
    return {
        "seconds": seconds,
        "processor": used.ru_utime + used.ru_stime,
        "memory": _peak(),
        "before": before,
        "disk": most,
        "stages": stages,
    }


def extrapolated(small: Measured, large: Measured) -> tuple[float, float, float]:
    """Return seconds, and bytes of memory and of disk, for a full release: a straight line through two sizes."""
    share = (FULL_RELATIONS - small.relations) / (large.relations - small.relations)

    def line(a: float, b: float) -> float:
        return a + (b - a) * share

    return (
        line(small.seconds, large.seconds),
        line(small.memory, large.memory),
        line(small.disk, large.disk),
    )


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _KB


def _show(found: Measured) -> None:
    rows = found.names + found.relations
    print(
        f"{found.names:>11,} {found.relations:>12,} {found.seconds:>8.1f} s {found.processor:>8.1f} s "
        f"{rows / found.seconds:>11,.0f}/s {found.memory / 1e6:>7,.0f} MB {found.disk / 1e6:>9,.0f} MB "
        f"{found.disk / found.tables:>5.2f}"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each of two sizes, the stages of the larger, and what a full release would take."""
    parser = argparse.ArgumentParser(prog="python -m eval.bench.umls_import", description=__doc__)
    parser.add_argument("--names", type=int, default=100_000, help="rows of MRCONSO (the goal: 2000000)")
    parser.add_argument("--relations", type=int, default=500_000, help="rows of MRREL (the goal: 10000000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, help="where there is room for it; the system's temporary one otherwise")
    parser.add_argument("--one", type=Path, nargs=2, metavar=("META", "HOME"), help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.one:
        print(json.dumps(import_one(*given.one)))
        return
    print(
        f"{'MRCONSO':>11} {'MRREL':>12} {'time':>10} {'processor':>10} {'rows':>13} {'memory':>10} {'disk':>12} ratio"
    )
    found: list[Measured] = []
    for part in (10, 1):
        with tempfile.TemporaryDirectory(dir=given.folder) as folder:
            found.append(measure(given.names // part, given.relations // part, given.seed, Path(folder)))
        _show(found[-1])
    for stage, seconds in found[-1].stages.items():
        print(f"  {stage:<40} {seconds:>8.1f} s")
    seconds, memory, disk = extrapolated(*found)
    print(
        f"A full release ({FULL_NAMES:,} and {FULL_RELATIONS:,} rows), by a straight line through these two: "
        f"{seconds / 60:.0f} minutes, {memory / 1e6:,.0f} MB of memory, {disk / 1e9:.0f} GB of disk. "
        "It is an extrapolation: real names have more different words."
    )


if __name__ == "__main__":
    main()
