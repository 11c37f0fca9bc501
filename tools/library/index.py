"""What searching needs of the shipped files, made of them at first use: texts in SQLite, vectors and BM25's postings.

A row is a passage, by corpus, document and number: ``texts.sqlite``, ``vectors.f32`` (rows by dimensions) and the
lexical index. ``questions.f32`` has the vectors of the questions that were written for the texts, in their order.
``head.json`` is written last: a folder without it was never finished.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from core.errors import InputError, StoreBusy, StoreCorrupted, StoreError
from core.lexical import LexicalIndex
from tools.library.shipped import (
    DATA,
    Corpus,
    Passage,
    Sheet,
    read_documents,
    read_question_vectors,
    read_questions,
    read_sheet,
    read_vectors,
)

FORMAT = 2
BUILD_SECONDS = 300.0
_TEXTS, _VECTORS, _QUESTIONS, _HEAD = "texts.sqlite", "vectors.f32", "questions.f32", "head.json"
_TABLES = """
CREATE TABLE documents(first INTEGER PRIMARY KEY, size INTEGER, corpus TEXT, id TEXT, url TEXT, owner TEXT);
CREATE TABLE passages(row INTEGER PRIMARY KEY, first INTEGER, title TEXT, text TEXT);
CREATE INDEX by_id ON documents(corpus, id);
CREATE TABLE questions(number INTEGER PRIMARY KEY, text TEXT);
CREATE TABLE answers(row INTEGER, question INTEGER, start INTEGER, grade INTEGER, PRIMARY KEY (row, question, start))
  WITHOUT ROWID;
"""

Floats = NDArray[np.float32]
Progress = Callable[[str], None]


class Row(NamedTuple):
    """A passage with what is known of its document."""

    corpus: str
    document: str
    number: int
    title: str
    text: str
    url: str
    owner: str

    @property
    def embedded(self) -> str:
        """What its vector is made of."""
        return Passage(self.title, self.text).embedded

    @property
    def id(self) -> str:
        """The id of its evidence."""
        return f"library:{self.corpus}/{quote(self.document, safe='')}#{self.number}"


class LibraryIndex:
    """An index, opened; safe to use from several threads.

    ``matrix`` has the passages' vectors, ``questions`` those of the questions, rows of norm 1. ``answered`` has a row
    of a passage in its first column and the number of a question that it answers in its second, by rising rows;
    ``answers_question`` says of each question whether any passage answers it.
    """

    def __init__(self, folder: Path, sheet: Sheet) -> None:
        """Map the files; raise StoreCorrupted where they are damaged or incomplete: building again mends that."""
        self.sheet = sheet
        self.size = sum(corpus.passages for corpus in sheet.corpora)
        try:
            head = json.loads((folder / _HEAD).read_text(encoding="utf-8"))
            if any((folder / name).stat().st_size != size for name, size in head.items()):
                raise ValueError("a file has another size than it had")
            self.matrix = _mapped(folder / _VECTORS, self.size, sheet.dimensions)
            self.questions = _mapped(folder / _QUESTIONS, sum(c.questions for c in sheet.corpora), sheet.dimensions)
            self._texts = sqlite3.connect(
                f"{(folder / _TEXTS).as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
            )
            pairs = self._texts.execute("SELECT DISTINCT row, question FROM answers ORDER BY row, question").fetchall()
            self.answered = np.array(pairs, np.intp).reshape(-1, 2)
            self.answers_question = np.isin(np.arange(len(self.questions)), self.answered[:, 1])
        except (OSError, ValueError, AttributeError, sqlite3.Error) as error:
            raise StoreCorrupted(_unreadable(folder, error)) from error
        self.lexical = LexicalIndex.load(folder / "lexical")
        self._folder = folder
        self._lock = threading.Lock()
        # Corpora stand one after the other.
        self._ends = np.cumsum([corpus.passages for corpus in sheet.corpora])

    def corpus_of(self, rows: NDArray[np.intp]) -> NDArray[np.intp]:
        """The place in the sheet of each row's corpus."""
        return np.searchsorted(self._ends, rows, side="right")

    def read(self, rows: Sequence[int]) -> list[Row]:
        """The passages of these rows, in their order."""
        sql = (
            "SELECT row, corpus, id, row - first, title, text, url, owner FROM passages JOIN documents USING (first) "
            f"WHERE row IN ({','.join('?' * len(rows))})"
        )
        found = {row: Row(*fields) for row, *fields in self._select(sql, rows)}
        return [found[row] for row in rows]

    def row(self, evidence_id: str) -> int:
        """The row of a passage by the id of its evidence; InputError where there is none."""
        corpus, _, place = evidence_id.removeprefix("library:").partition("/")
        document, _, number = place.rpartition("#")
        sql = "SELECT first, size FROM documents WHERE corpus = ? AND id = ?"
        for first, size in self._select(sql, (corpus, unquote(document))):
            if number.isdecimal() and int(number) < size:
                return int(first) + int(number)
        raise InputError(f"{evidence_id} is not in the library: search again")

    def grades(self, row: int, question: int) -> Mapping[int, int]:
        """How far the sentences of a passage answer a question, by where they begin: 2 answers, 1 belongs to it."""
        return dict(self._select("SELECT start, grade FROM answers WHERE row = ? AND question = ?", (row, question)))

    def begins(self, row: int) -> bool:
        """Whether a passage is the first of its document under its title."""
        sql = (
            "SELECT 1 FROM passages own JOIN passages before USING (first, title) WHERE own.row = ? AND before.row = ?"
        )
        return not self._select(sql, (row, row - 1))

    def _select(self, sql: str, values: Sequence[int | str]) -> list[Any]:
        try:
            with self._lock:
                return self._texts.execute(sql, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise StoreCorrupted(_unreadable(self._folder, error)) from error

    def close(self) -> None:
        """Close the file of texts."""
        with self._lock:
            self._texts.close()


def open_index(home: Path, progress: Progress, data: Path = DATA) -> LibraryIndex:
    """Open the index of the shipped files; make it first where it is missing, damaged or of other files (seconds).

    Raises:
        DataMissing: a shipped file is missing, damaged or empty.
        StoreError: the data directory cannot be written; StoreBusy where another process builds for too long.
    """
    sheet = read_sheet(data)
    folder = home / "library" / f"{sheet.version}-{FORMAT}"
    try:
        return LibraryIndex(folder, sheet)
    except StoreCorrupted:
        pass
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(folder.parent / "lock", timeout=BUILD_SECONDS):
            try:
                return LibraryIndex(folder, sheet)  # another process has built it meanwhile
            except StoreCorrupted:
                _build(folder, sheet, data, progress)
        return LibraryIndex(folder, sheet)
    except Timeout:
        raise StoreBusy(f"another process has been building {folder} for {BUILD_SECONDS:.0f} s: wait for it") from None
    except (OSError, sqlite3.Error) as error:
        raise StoreError(
            f"the library's index cannot be built in {folder.parent} ({error}): "
            "make it writable, free some space, or set MEDATTEST_HOME to another directory"
        ) from error


def _build(folder: Path, sheet: Sheet, data: Path, progress: Progress) -> None:
    """Make the index beside its place, move it there when it is whole, and remove those of other files."""
    progress("building the library's index")
    work = Path(tempfile.mkdtemp(prefix="building-", dir=folder.parent))
    try:
        titles, texts = _write_texts(work / _TEXTS, sheet, data)
        with (work / _VECTORS).open("wb") as file:
            for corpus in sheet.corpora:
                file.write(read_vectors(corpus, sheet.dimensions, data).data)
        with (work / _QUESTIONS).open("wb") as file:
            for corpus in sheet.corpora:
                file.write(read_question_vectors(corpus, sheet.dimensions, data).data)
        LexicalIndex.build(texts, titles).save(work / "lexical")
        sizes = {name: (work / name).stat().st_size for name in (_TEXTS, _VECTORS, _QUESTIONS)}
        (work / _HEAD).write_text(json.dumps(sizes), encoding="utf-8")
        for other in folder.parent.iterdir():
            if other.is_dir() and other != work:
                shutil.rmtree(other, ignore_errors=True)
        work.rename(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _write_texts(path: Path, sheet: Sheet, data: Path) -> tuple[list[str], list[str]]:
    """Write all texts; return the titles and the texts of all passages."""
    titles: list[str] = []
    texts: list[str] = []
    with closing(sqlite3.connect(path)) as connection:
        # Nobody reads this file before it is whole, so a journal would only cost time.
        connection.executescript(f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; {_TABLES}")
        for corpus in sheet.corpora:
            places: dict[str, int] = {}
            for document in read_documents(corpus, data):
                first = places[document.id] = len(texts)
                facts = (first, len(document.passages), corpus.name, document.id, document.url)
                connection.execute("INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?)", (*facts, document.owner))
                connection.executemany("INSERT INTO passages VALUES (?, ?, ?, ?)", _numbered(first, document.passages))
                titles += (passage.title for passage in document.passages)
                texts += (passage.text for passage in document.passages)
            _write_questions(connection, corpus, places, data)
        connection.commit()
    return titles, texts


def _write_questions(connection: sqlite3.Connection, corpus: Corpus, places: Mapping[str, int], data: Path) -> None:
    """Write a corpus's questions after those before it; ``places`` are the rows with which its documents begin."""
    (first,) = connection.execute("SELECT count(*) FROM questions").fetchone()
    for number, question in enumerate(read_questions(corpus, data), start=first):
        connection.execute("INSERT INTO questions VALUES (?, ?)", (number, question.text))
        rows = (
            (places[question.document] + passage, number, start, grade)
            for passage, grades in question.answers.items()
            for start, grade in grades.items()
        )
        connection.executemany("INSERT INTO answers VALUES (?, ?, ?, ?)", rows)


def _mapped(path: Path, rows: int, dimensions: int) -> Floats:
    """The vectors of a file, which stay on disk until they are read."""
    if not rows:  # nothing of nothing can be mapped
        return np.zeros((0, dimensions), np.float32)
    return np.asarray(np.memmap(path, np.float32, "r", shape=(rows, dimensions)))


def _numbered(first: int, passages: Sequence[tuple[str, str]]) -> Iterator[tuple[int, int, str, str]]:
    return ((first + number, first, title, text) for number, (title, text) in enumerate(passages))


def _unreadable(folder: Path, error: Exception) -> str:
    return f"the library's index in {folder} cannot be read ({error}): delete that folder, and it is built again"
