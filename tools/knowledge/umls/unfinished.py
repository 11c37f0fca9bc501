"""The store while it is filled: a file that says how far it is, so that a killed import goes on where it was.

Every batch is one transaction together with the offset behind it. ``staged_*`` tables hold what was read and is not yet
written in the store's form; they go when the last of it is written.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from core.errors import InputError
from tools.knowledge.database import SCHEMA_VERSION, TABLES
from tools.knowledge.umls.report import BadRows

FORM = "1"
"""Of the staged tables and of what is made of them: an unfinished store of another form is begun anew."""

STAGED = """
CREATE TABLE staged_words (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE);
CREATE TABLE staged_names (bucket INTEGER NOT NULL, cuis BLOB NOT NULL, sources BLOB NOT NULL, texts BLOB NOT NULL);
CREATE INDEX staged_names_by_bucket ON staged_names (bucket);
CREATE TABLE staged_relations (bucket INTEGER NOT NULL, pairs BLOB NOT NULL, labels BLOB NOT NULL);
CREATE INDEX staged_relations_by_bucket ON staged_relations (bucket);
CREATE TABLE staged_situations (concept INTEGER PRIMARY KEY);
"""
_KEY = "importing"
_MOST_WORDS = (1 << 16) - 1
_LEFT_OVER = ("schema", "fingerprint", "pages")


@dataclass
class State:
    """How far an import is: in a stage that reads a file, ``offset`` and ``line`` of what is not read yet."""

    inputs: str
    stage: int = 0
    offset: int = 0
    line: int = 1
    absent: list[int] = field(default_factory=list)
    """CUI numbers of the contexts that say that something is absent."""
    bad: dict[str, BadRows] = field(default_factory=dict)

    def next_stage(self) -> None:
        """Go to the begin of the next stage."""
        self.stage, self.offset, self.line = self.stage + 1, 0, 1

    def note(self, file: str, bad: Sequence[tuple[int, str]]) -> None:
        """Count bad rows of a file."""
        if bad:
            samples = [f"{file}:{line}: {why}" for line, why in bad]
            self.bad[file] = self.bad.get(file, BadRows()).with_more(len(bad), samples)


class Words:
    """Numbers texts that recur; numbers are the same after an interruption."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Read those that have numbers."""
        self._connection = connection
        self._number: dict[str, int] = {word: n for n, word in connection.execute("SELECT * FROM staged_words")}

    def number(self, word: str) -> int:
        """Return a text's number.

        Raises:
            InputError: there are more than any release has.
        """
        if word not in self._number:
            if len(self._number) >= _MOST_WORDS:
                raise InputError(
                    f"the tables have more than {_MOST_WORDS:,} labels and vocabularies: they are no UMLS release"
                )
            self._number[word] = number = len(self._number) + 1
            self._connection.execute("INSERT INTO staged_words VALUES (?, ?)", (number, word))
        return self._number[word]

    def by_number(self) -> dict[int, str]:
        """Return all texts by their numbers."""
        return {number: word for word, number in self._number.items()}


def open_unfinished(path: Path, inputs: str) -> tuple[sqlite3.Connection, State, str]:
    """Open the file of an interrupted import of the same inputs, or begin one; also say in words which.

    ``inputs`` tells files and options from others.
    """
    wanted = f"{FORM} {SCHEMA_VERSION} {inputs}"
    started = "started"
    if path.is_file():
        if opened := _opened(path, wanted):
            return *opened, "went on with an interrupted import"
        started = "started anew: the interrupted import was of another release, of changed files or with other options"
    remove_unfinished(path)
    connection = _connect(path)
    connection.executescript(TABLES + STAGED)
    state = State(wanted)
    save(connection, state)
    connection.commit()
    return connection, state, started


def remove_unfinished(path: Path) -> None:
    """Remove the file, and its journal after it: a file without its journal would be taken for a whole one."""
    for name in (path.name, f"{path.name}-journal"):
        path.with_name(name).unlink(missing_ok=True)


def save(connection: sqlite3.Connection, state: State) -> None:
    """Write down how far the import is; the caller commits."""
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_KEY, json.dumps(asdict(state))))


def unseal(connection: sqlite3.Connection) -> None:
    """Take back what an interrupted sealing has done."""
    indexes = "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
    for (name,) in connection.execute(indexes).fetchall():
        connection.execute(f"DROP INDEX {name}")
    connection.executemany("DELETE FROM meta WHERE key = ?", [(key,) for key in _LEFT_OVER])


def sealed(connection: sqlite3.Connection) -> None:
    """Drop what tells that the store is unfinished; its count of pages stays."""
    connection.execute("DELETE FROM meta WHERE key = ?", (_KEY,))
    connection.commit()


def _opened(path: Path, wanted: str) -> tuple[sqlite3.Connection, State] | None:
    try:
        connection = _connect(path)
        row = connection.execute("SELECT value FROM meta WHERE key = ?", (_KEY,)).fetchone()
    except sqlite3.DatabaseError:
        return None
    if row is not None:
        told = json.loads(row[0])
        told["bad"] = {name: BadRows(bad["count"], tuple(bad["samples"])) for name, bad in told["bad"].items()}
        state = State(**told)
        if state.inputs == wanted:
            return connection, state
    connection.close()
    return None


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path)
    # A killed process loses nothing that the system has taken; the file is synced once, before it takes its place.
    pragmas = {"synchronous": "OFF", "secure_delete": "OFF", "cache_size": "-16384"}
    for name, value in pragmas.items():
        connection.execute(f"PRAGMA {name} = {value}").fetchall()
    return connection
