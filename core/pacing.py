"""When to ask a host again: a pace between starts, a cool-down that all share, and pauses between attempts."""

from __future__ import annotations

import asyncio
import random
import time
from email.utils import parsedate_to_datetime

MAX_BACKOFF = 8.0
"""Seconds between two attempts at most, where the host asks for no longer pause."""
MAX_COOL_DOWN = 3600.0
"""Seconds that a host may silence this process for, so that one absurd header does not do it for good."""


class Pacer:
    """Spaces the starts of requests to one host, first come first served, and keeps everyone off during a cool-down."""

    def __init__(self, interval: float = 0.0) -> None:
        """Make a pacer that keeps so many seconds between two starts."""
        self.interval = interval
        self._turns = asyncio.Lock()
        self._next = 0.0
        self._resume = 0.0

    @property
    def cooling(self) -> float:
        """Seconds until the cool-down ends; 0 without one."""
        return max(0.0, self._resume - time.monotonic())

    def cool_down(self, seconds: float) -> None:
        """Let nobody start for so long; a cool-down under way is lengthened, never shortened."""
        self._resume = max(self._resume, time.monotonic() + min(seconds, MAX_COOL_DOWN))

    async def turn(self) -> None:
        """Wait until this caller may start."""
        async with self._turns:
            while (pause := max(self._next, self._resume) - time.monotonic()) > 0:  # noqa: ASYNC110 - when is known
                await asyncio.sleep(pause)
            self._next = time.monotonic() + self.interval


def backoff(attempt: int, first: float, jitter: random.Random) -> float:
    """Seconds to wait after the given attempt, counted from 1: ``first`` doubled each time, up to half less."""
    return min(MAX_BACKOFF, first * 2.0 ** (attempt - 1)) * jitter.uniform(0.5, 1.0)


def retry_after(value: str | None) -> float | None:
    """Seconds that a Retry-After header asks for, given as seconds or as a date; None where it says neither."""
    if value is None:
        return None
    if value.strip().isdecimal():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None
