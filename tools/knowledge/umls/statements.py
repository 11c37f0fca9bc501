"""MRREL into relations: rows are staged as numbers, put together by head, and written without repetition."""

from __future__ import annotations

import sqlite3

import numpy as np

from tools.knowledge.umls.labels import FINDING_CONTEXTS, OF_SITUATIONS, Sentence, inverses, sentence
from tools.knowledge.umls.rows import MRREL, Parsed
from tools.knowledge.umls.work import Work, batches, by_bucket

_STATED, _BY = "stated", "stated by"
_LABEL_BITS, _CHUNK = 16, 50_000
_SWAPPED, _SYMMETRIC, _CONTEXT = 1 << 32, 1 << 33, 1 << 34
_CONCEPT = (1 << 32) - 1
_INSERT = "INSERT INTO relations (head, relation, tail, vocabulary, negative) VALUES (?, ?, ?, ?, ?)"


def stage_relations(work: Work) -> None:
    """Read MRREL: rows that are not suppressed, of vocabularies and between concepts that names were kept of."""
    codes = _Codes(work)

    def write(parsed: Parsed) -> None:
        _, _, label, additional, vocabulary, suppress = parsed.columns
        found = map(codes.__getitem__, zip(label, additional, vocabulary, suppress, strict=True))
        code = np.fromiter(found, np.int64, len(label))
        first, second = parsed.cuis
        kept = (code != 0) & (first != second) & work.known[first] & work.known[second]
        code, first, second = code[kept], first[kept], second[kept]
        swapped = ((code & _SWAPPED) != 0) | (((code & _SYMMETRIC) != 0) & (first < second))
        head, tail = np.where(swapped, first, second), np.where(swapped, second, first)
        situations = tail[((code & _CONTEXT) != 0) & np.isin(head, work.state.absent)]
        work.insert("INSERT OR IGNORE INTO staged_situations VALUES (?)", [(n,) for n in situations.tolist()])
        pairs, labels = (head << 32 | tail).astype(np.uint64), (code & _CONCEPT).astype(np.uint32)
        for bucket, places in by_bucket(head):
            values = (bucket, pairs[places].tobytes(), labels[places].tobytes())
            work.connection.execute("INSERT INTO staged_relations VALUES (?, ?, ?)", values)

    work.read(MRREL, write)


def write_relations(work: Work) -> None:
    """Write the staged relations, each once a vocabulary, in the order of their heads, bucket by bucket."""
    connection = work.connection
    situations = np.array([n for (n,) in connection.execute("SELECT concept FROM staged_situations")], np.uint64)
    words = {n: word.split("|") for n, word in work.words.by_number().items()}
    of_situations = [n for n, (kind, *rest) in words.items() if kind == _STATED and rest[0] in OF_SITUATIONS]
    parts = batches(connection, "staged_relations", "labels")
    for done, buckets in enumerate(parts, 1):
        pairs, labels = _staged(connection, buckets)
        heads, tails = pairs >> np.uint64(32), pairs & np.uint64(_CONCEPT)
        stated, by = labels >> _LABEL_BITS, labels & (1 << _LABEL_BITS) - 1
        absent = np.isin(stated, of_situations) & np.isin(tails, situations)
        for start in range(0, len(pairs), _CHUNK):
            part = slice(start, start + _CHUNK)
            rows = zip(*(a[part].tolist() for a in (heads, stated, tails, by, absent)), strict=True)
            work.insert(
                _INSERT,
                [(h, words[s][1], t, words[v][1], int(is_not or words[s][2] == "not")) for h, s, t, v, is_not in rows],
            )
        connection.execute("DELETE FROM staged_relations WHERE bucket BETWEEN ? AND ?", buckets)
        work.commit()
        work.clock.tell(done / len(parts))


def _staged(
    connection: sqlite3.Connection, buckets: tuple[int, int]
) -> tuple[np.ndarray[tuple[int], np.dtype[np.uint64]], np.ndarray[tuple[int], np.dtype[np.uint32]]]:
    """Pairs (head above 32 bits, tail) and labels (stated above 16 bits, vocabulary) of buckets, sorted, each once."""
    sql = "SELECT pairs, labels FROM staged_relations WHERE bucket BETWEEN ? AND ?"
    found = list(connection.execute(sql, buckets))
    pairs = np.frombuffer(b"".join(row[0] for row in found), np.uint64)
    labels = np.frombuffer(b"".join(row[1] for row in found), np.uint32)
    order = np.lexsort((labels, pairs))
    pairs, labels = pairs[order], labels[order]
    again = (pairs[1:] == pairs[:-1]) & (labels[1:] == labels[:-1])
    first = np.concatenate([np.ones(min(1, len(pairs)), bool), ~again])
    return pairs[first], labels[first]


class _Codes(dict[tuple[bytes, ...], int]):
    """What a row says by REL, RELA, SAB and SUPPRESS: numbers of sentence and vocabulary, and flags; 0 for nothing."""

    def __init__(self, work: Work) -> None:
        super().__init__()
        self._work = work
        self._inverses = inverses(work.release)
        self._vocabularies = work.used_vocabularies()

    def __missing__(self, key: tuple[bytes, ...]) -> int:
        label, additional, vocabulary, suppress = (value.decode() for value in key)
        kept = suppress == "N" and vocabulary in self._vocabularies
        said = sentence(label, additional, self._inverses) if kept else None
        self[key] = code = self._code(said, vocabulary) if said else 0
        return code

    def _code(self, said: Sentence, vocabulary: str) -> int:
        words = self._work.words
        stated = words.number(f"{_STATED}|{said.words}|{'not' if said.negative else ''}")
        code = stated << _LABEL_BITS | words.number(f"{_BY}|{vocabulary}")
        code |= _SWAPPED * said.swapped | _SYMMETRIC * said.symmetric
        return code | _CONTEXT * (said.words in FINDING_CONTEXTS)
