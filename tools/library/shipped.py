"""The files that ship, in xz: texts, questions that they answer, vectors of both, and a sheet that describes them."""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, ValidationError

from core.errors import DataMissing
from core.schema import Value

DATA = Path(__file__).with_name("data")
SHEET = "sheet.json"
LEVELS = 7
"""A component of a vector is kept as one of 15 shares of the row's largest: four bits."""

Floats = NDArray[np.float32]


class Passage(NamedTuple):
    """A piece of a document, under the question that it answers or the topic's name."""

    title: str
    text: str

    @property
    def embedded(self) -> str:
        """What its vector is made of."""
        return f"{self.title}\n{self.text}"


class Document(NamedTuple):
    """A page; ``owner`` where it is not the corpus's."""

    id: str
    title: str
    url: str
    owner: str
    passages: tuple[Passage, ...]


class AnsweredQuestion(NamedTuple):
    """A question written for a document, and where that answers it.

    ``answers`` has, by the number of a passage and the place in its text where a sentence begins, 2 for one that
    answers and 1 for one that belongs to a good answer; it is empty where the document does not answer.
    """

    document: str
    text: str
    answers: Mapping[int, Mapping[int, int]]


class Corpus(Value):
    """One collection of texts as the sheet describes it."""

    name: str = Field(description="what ids of its passages begin with")
    title: str
    owner: str
    published: str = Field(description="ISO date, as exact as it is known")
    licence: str
    acknowledgement: str
    address: str
    documents: int
    passages: int
    questions: int = Field(default=0, description="written for its texts; 0 where it has none")
    files: Mapping[str, str] = Field(description="sha256 by file name: texts and questions, vectors of both")


class Sheet(Value):
    """What ships."""

    made_by: str
    embedder: str
    dimensions: int
    corpora: tuple[Corpus, ...]

    @property
    def version(self) -> str:
        """Tells these files from others."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:16]


def read_sheet(folder: Path = DATA) -> Sheet:
    """The sheet; DataMissing where it is not there or cannot be read."""
    try:
        return Sheet.model_validate_json((folder / SHEET).read_bytes())
    except (OSError, ValidationError) as error:
        raise DataMissing(_damaged(folder / SHEET)) from error


def read_documents(corpus: Corpus, folder: Path = DATA) -> Iterator[Document]:
    """The documents of a corpus; DataMissing where their file is missing, damaged or empty."""
    for line in _content(corpus, "jsonl.xz", folder).splitlines():
        key, title, url, owner, passages = json.loads(line)
        yield Document(key, title, url, owner, tuple(Passage(*passage) for passage in passages))


def read_questions(corpus: Corpus, folder: Path = DATA) -> Iterator[AnsweredQuestion]:
    """The questions written for a corpus, none where it has none; errors as for the texts."""
    if corpus.questions:
        for line in _content(corpus, "questions.jsonl.xz", folder).splitlines():
            document, text, answers = json.loads(line)
            yield AnsweredQuestion(
                document,
                text,
                {int(number): {int(start): grade for start, grade in of.items()} for number, of in answers.items()},
            )


def read_vectors(corpus: Corpus, dimensions: int, folder: Path = DATA) -> Floats:
    """The vectors of all passages in their order (passages by dimensions), rows of norm 1; errors as for the texts."""
    return _vectors(corpus, "vectors.xz", corpus.passages, dimensions, folder)


def read_question_vectors(corpus: Corpus, dimensions: int, folder: Path = DATA) -> Floats:
    """The same of its questions."""
    if not corpus.questions:
        return np.zeros((0, dimensions), np.float32)
    return _vectors(corpus, "questions.vectors.xz", corpus.questions, dimensions, folder)


def _vectors(corpus: Corpus, kind: str, count: int, dimensions: int, folder: Path) -> Floats:
    rows = unpacked(_content(corpus, kind, folder), dimensions)
    if len(rows) != count:
        raise DataMissing(_damaged(folder / f"{corpus.name}.{kind}"))
    return rows


def write_lines(rows: Sequence[Document] | Sequence[AnsweredQuestion], path: Path) -> None:
    """Write documents or questions, one a line."""
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_bytes(lzma.compress(lines.encode(), preset=9 | lzma.PRESET_EXTREME))


def write_vectors(vectors: Floats, path: Path) -> None:
    """Write the vectors of passages, packed."""
    path.write_bytes(lzma.compress(packed(vectors), preset=9 | lzma.PRESET_EXTREME))


def packed(vectors: Floats) -> bytes:
    """Rows of an even number of components, two of them a byte."""
    shares = np.rint(vectors / np.abs(vectors).max(axis=1, keepdims=True) * LEVELS).astype(np.int8) + LEVELS
    return np.asarray(shares[:, 0::2] << 4 | shares[:, 1::2]).astype(np.uint8).tobytes()


def unpacked(content: bytes, dimensions: int) -> Floats:
    """The rows that ``packed`` made bytes of, with norm 1."""
    pairs = np.frombuffer(content, np.uint8).reshape(-1, dimensions // 2)
    rows = np.empty((len(pairs), dimensions), np.float32)
    rows[:, 0::2], rows[:, 1::2] = pairs >> 4, pairs & 15
    rows -= LEVELS
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def checksum(path: Path) -> str:
    """SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _content(corpus: Corpus, kind: str, folder: Path) -> bytes:
    path = folder / f"{corpus.name}.{kind}"
    try:
        content = path.read_bytes()
        if hashlib.sha256(content).hexdigest() != corpus.files[path.name]:
            raise ValueError("its checksum is not the sheet's")
        return lzma.decompress(content)
    except (OSError, ValueError, KeyError, lzma.LZMAError) as error:
        raise DataMissing(_damaged(path)) from error


def _damaged(path: Path) -> str:
    return f"the library's file {path} is missing or damaged: fetch it again, as with git checkout -- {path.name}"
