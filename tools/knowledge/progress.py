"""How long work in this package tells how far it is."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, float], None]
"""Told what is being done and the share of it that is done, in [0, 1]."""


def silent(_: str, __: float) -> None:
    """Tell nobody."""
