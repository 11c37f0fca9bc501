"""A library of two small corpora, over an embedder that is made of word hashes."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tools.library import Library
from tools.library.shipped import (
    SHEET,
    AnsweredQuestion,
    Corpus,
    Document,
    Passage,
    Sheet,
    checksum,
    write_lines,
    write_vectors,
)

NEWER = [
    Document("1", "Gout", "https://medlineplus.gov/gout.html", "", (
        Passage("Gout: What causes gout?", "Gout happens when too much uric acid builds up in your body."),
        Passage("Gout: What are the treatments for gout?", "Gout is treated with medicines such as colchicine."),
    )),
    Document("2", "Flu", "https://medlineplus.gov/flu.html", "", (
        Passage("Flu: What is the flu?", "Flu is a respiratory infection caused by viruses."),
    )),
]  # fmt: skip
OLDER = [
    Document("5-1/a", "Gout", "http://niddk.nih.gov/gout", "NIDDK", (
        Passage("Gout: What is Gout?", "Gout is a form of arthritis that uric acid causes."),
        Passage("Gout: Is Gout inherited?", "This condition is inherited."),
    )),
    Document("3-2", "Zorblax", "http://ghr.nlm.nih.gov/zorblax", "GHR", (
        Passage("Zorblax: Is Zorblax inherited?", "This condition is inherited."),
    )),
]  # fmt: skip


QUESTIONS = [
    AnsweredQuestion("1", "is podagra a crystal thing", {0: {0: 2}}),
    AnsweredQuestion("1", "which pill for podagra", {1: {0: 2}}),
    AnsweredQuestion("1", "is podagra catching", {}),
]


class HashingEmbedder:
    """Sums a fixed random vector for each word: texts that share words are near each other."""

    name = "hashing"
    dimensions = 32
    max_tokens = 64

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.encoded += texts
        words = [[zlib.crc32(word.encode()) for word in re.findall(r"\w+", text.lower())] for text in texts]
        vectors = np.stack([sum(np.random.default_rng(w).normal(size=32) for w in own) for own in words])
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        return [match.span() for match in re.finditer(r"\w+", text)]


def write_library(
    folder: Path,
    corpora: Mapping[str, Sequence[Document]],
    questions: Mapping[str, Sequence[AnsweredQuestion]],
    embedder: HashingEmbedder,
) -> None:
    """Write the files that ship."""
    folder.mkdir()
    written = []
    for name, documents in corpora.items():
        passages = [passage.embedded for document in documents for passage in document.passages]
        asked = questions.get(name, ())
        kinds = ("jsonl.xz", "vectors.xz", "questions.jsonl.xz", "questions.vectors.xz")[: 4 if asked else 2]
        paths = [folder / f"{name}.{kind}" for kind in kinds]
        write_lines(documents, paths[0])
        write_vectors(embedder.encode(passages), paths[1])
        if asked:
            write_lines(asked, paths[2])
            write_vectors(embedder.encode([question.text for question in asked]), paths[3])
        written.append(
            Corpus(
                name=name, title=name, owner="NLM", published="2024-06", licence="public domain", acknowledgement="",
                address="https://example.org", documents=len(documents), passages=len(passages), questions=len(asked),
                files={path.name: checksum(path) for path in paths},
            )
        )  # fmt: skip
    sheet = Sheet(made_by="a test", embedder="hashing", dimensions=32, corpora=tuple(written))
    (folder / SHEET).write_text(sheet.model_dump_json())


MakeLibrary = Callable[..., Library]


@pytest.fixture
def hashing() -> HashingEmbedder:
    return HashingEmbedder()


@pytest.fixture
def data(tmp_path: Path, hashing: HashingEmbedder) -> Path:
    """The files that ship."""
    write_library(tmp_path / "data", {"newer": NEWER, "older": OLDER}, {"newer": QUESTIONS}, hashing)
    hashing.encoded.clear()
    return tmp_path / "data"


@pytest.fixture
def make_library(tmp_path: Path, data: Path, hashing: HashingEmbedder) -> MakeLibrary:
    """A function that opens the library of this test anew, as another process would."""
    usual: dict[str, Any] = {"home": tmp_path / "home", "embedder": lambda: hashing, "data": data}
    return lambda **settings: Library(**usual | settings)
