"""What can keep a statement from attesting a claim."""

from __future__ import annotations

from typing import Literal

Obstacle = Literal["frame", "doubt", "scope", "often", "quantity", "lacks", "language"]
"""What keeps a statement with the claim's relation from attesting it."""
