"""Batches: a JSONL file in, a JSONL file out, a line as soon as it is done, none twice, and a summary at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from app.exits import Exit
from app.render import progress_bar, warn
from core.errors import InputError
from core.records import Given, Output, Record, attempted, foreign, open_output, read_records, write_all

Work = Callable[[Record], Awaitable[Record]]
NAMED = 10
"""Failures that the summary names unless all are wanted."""


async def run_batch(
    source: Path,
    out: Path,
    work: Work,
    at_once: int,
    *,
    tells: str,
    retry_failed: bool = False,
    everything: bool = False,
) -> Exit:
    """Do ``work`` for every record of ``source`` that ``out`` has no line for yet, some at once, in any order.

    A line of ``out`` has its record's ``id`` and, as ``record``, a digest of what the record said. A record that fails
    gets ``{id, record, error: {type, message}}`` and the rest goes on. With ``retry_failed`` lines that failed, and
    those whose record says something else by now, are done again. The status says whether any stands that failed; the
    summary names the first of these, all with ``everything``. ``tells`` is a field of each line that did not fail.

    Raises:
        InputError: ``source`` cannot be read, or ``out`` is something else than a batch's output.
        StoreBusy: another process writes ``out``.
        StoreError: ``out`` cannot be written.
    """
    records, repeated = read_records(source)
    with open_output(out, source) as output:
        if not all(tells in line or "error" in line for line in output.lines.values()):
            raise foreign(out)
        changed = [given.name for given in records if _has_changed(given, output.lines)]
        failed = [given.name for given in records if "error" in output.lines.get(given.name, {})]
        again = {*changed, *failed} if retry_failed else set()
        wanted = [given for given in records if given.name not in output.lines or given.name in again]
        try:
            await _do(wanted, output, work, at_once, f"{source.name}", len(records))
        finally:
            output.settle()
        stale = [] if retry_failed else changed
        return _summed_up(
            source, records, output.lines, Counter(done=len(wanted), repeated=repeated), stale, everything
        )


async def _do(wanted: list[Given], output: Output, work: Work, at_once: int, what: str, total: int) -> None:
    with progress_bar(what, total, completed=total - len(wanted)) as (advance, _):
        await write_all(output, wanted, lambda given: _line(given, work), at_once, advance)


async def _line(given: Given, work: Work) -> Record:
    return await attempted({"id": given.name, "record": given.digest}, _done(given, work))


async def _done(given: Given, work: Work) -> Record:
    if isinstance(given.record, InputError):
        raise given.record
    return await work(given.record)


def _has_changed(given: Given, lines: Mapping[str, Record]) -> bool:
    done: object = lines.get(given.name, {}).get("record", given.digest)
    return done != given.digest


def _summed_up(
    source: Path,
    records: list[Given],
    lines: Mapping[str, Record],
    counts: Counter[str],
    stale: list[str],
    everything: bool,
) -> Exit:
    failed = {given.name: lines[given.name]["error"] for given in records if "error" in lines[given.name]}
    parts = [f"{counts['done']:,} done now, {len(records) - counts['done']:,} before"]
    parts += [f"{counts['repeated']:,} lines repeat others"] if counts["repeated"] else []
    parts += [f"{len(failed):,} failed"] if failed else []
    parts += [f"{len(stale):,} have changed since they were done"] if stale else []
    advice = "; --retry-failed does these again" if failed or stale else ""
    parts = parts if records else ["there is nothing to do: give a JSON object a line"]
    warn(f"{source.name}: {len(records):,} records: {', '.join(parts)}{advice}")
    told = [f"{name}: {error['message']}" for name, error in failed.items()]
    told += [f"{name}: its record has changed, its line is of the old one" for name in stale]
    named = told if everything else told[:NAMED]
    for one in named:
        warn(f"  {one}")
    if len(told) > len(named):
        warn(f"  and {len(told) - len(named):,} more (--all)")
    return Exit.FAILURE if failed or stale else Exit.ANSWERED
