"""A repository over a small embedder that is made of word hashes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tools.repository import Repository


class HashingEmbedder:
    """Sums a fixed random vector for each word: texts that share words are near each other."""

    dimensions = 32
    max_tokens = 64

    def __init__(self, name: str = "hashing") -> None:
        self.name = name
        self.encoded = 0

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.encoded += len(texts)
        vectors = np.stack(
            [sum(map(word_vector, re.findall(r"\w+", text.lower())), np.full(32, 1e-3)) for text in texts]
        )
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        return [match.span() for match in re.finditer(r"\w{1,6}|[^\w\s]", text)]


@cache
def word_vector(word: str) -> NDArray[np.float64]:
    seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=4).digest())
    return np.random.default_rng(seed).normal(size=32)


MakeRepository = Callable[..., Repository]


@pytest.fixture
def hashing() -> HashingEmbedder:
    return HashingEmbedder()


@pytest.fixture
def make_repository(tmp_path: Path, hashing: HashingEmbedder) -> Iterator[MakeRepository]:
    """A function that opens the repository of this test anew, as another process would."""
    opened: list[Repository] = []

    def make(embedder: HashingEmbedder = hashing, home: Path = tmp_path / "home", **settings: object) -> Repository:
        opened.append(Repository(home, lambda: embedder, **{"chunk_tokens": 32, "chunk_overlap": 8, **settings}))  # type: ignore[arg-type]  # settings by name
        return opened[-1]

    yield make
    for repository in opened:
        repository.close()


@pytest.fixture
def repository(make_repository: MakeRepository) -> Repository:
    return make_repository()


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """Three documents of different subjects."""
    folder = tmp_path / "docs"
    (folder / "heart").mkdir(parents=True)
    (folder / "heart" / "afib.md").write_text("# Atrial fibrillation\n\nWarfarin lowers the risk of stroke.\n")
    (folder / "gout.txt").write_text("Allopurinol lowers urate. Colchicine treats an attack of gout.\n")
    (folder / "marfan.html").write_text(
        "<html><head><title>Marfan syndrome</title><script>var hidden = 1</script></head><body><nav>Menu</nav><p>"
        "Marfan syndrome affects connective tissue.</p><ul><li>tall stature</li><li>lens dislocation</li></ul></body>"
    )
    return folder
