from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tools.exemplars import ExemplarBank


class Letters:
    """An embedder by letters: texts of like spelling are alike."""

    dimensions = 26
    max_tokens = 256

    def __init__(self, name: str = "letters") -> None:
        self.name = name
        self.read: list[str] = []

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.read.extend(texts)
        counts = [[text.lower().count(chr(97 + i)) + 0.01 for i in range(26)] for text in texts]
        rows = np.array(counts, dtype=np.float32).reshape(len(texts), 26)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        return []


@pytest.fixture
def letters() -> Letters:
    return Letters()


@pytest.fixture
def bank(home: Path, letters: Letters) -> ExemplarBank:
    """A bank over an empty data directory."""
    return ExemplarBank(home, lambda: letters)


Write = Callable[[str, str | Iterable[object]], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file of that name: a text as it is, other things as JSON, a line each."""

    def written(name: str, content: str | Iterable[object]) -> Path:
        text = content if isinstance(content, str) else "".join(json.dumps(line) + "\n" for line in content)
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return written
