"""Timing: the best of several repeats for work that is the same each time, the median for what a user waits for."""

from __future__ import annotations

import time
import timeit
from collections.abc import Awaitable, Callable
from statistics import median


def best_seconds(work: Callable[[], object], number: int, repeats: int = 5) -> float:
    """Seconds that one call takes at its best: the least disturbed repeat."""
    return min(timeit.repeat(work, number=number, repeat=repeats)) / number


async def median_seconds(work: Callable[[int], Awaitable[object]], calls: int) -> float:
    """The median of seconds that a call takes; ``work`` gets the number of the call."""
    return median([await _seconds(work, n) for n in range(calls)])


async def _seconds(work: Callable[[int], Awaitable[object]], number: int) -> float:
    started = time.perf_counter()
    await work(number)
    return time.perf_counter() - started
