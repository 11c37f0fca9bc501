"""What the exit status says."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """Statuses of the command line."""

    ANSWERED = 0
    FAILURE = 1
    WRONG_USE = 2
    ABSTAINED = 3
    INTERRUPTED = 130
