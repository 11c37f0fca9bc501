"""MRCONSO into staged rows: the names that are kept, put together by concept."""

from __future__ import annotations

import numpy as np

from tools.knowledge.umls.labels import ABSENT
from tools.knowledge.umls.rows import MRCONSO, Parsed
from tools.knowledge.umls.sources import name_kind
from tools.knowledge.umls.work import SOURCE, Work, by_bucket

RANK_BITS = 3
"""Of a staged name's source: how far it is from being its concept's preferred name (TS, STT and ISPREF), from 0."""


def stage_names(work: Work) -> None:
    """Read MRCONSO: English rows that are not suppressed, of the chosen vocabularies, without obsolete names."""
    sources, ranks = _Sources(work), _Ranks()

    def write(parsed: Parsed) -> None:
        _, language, ts, stt, ispref, vocabulary, term_type, code, text, suppress = parsed.columns
        rows = len(text)
        found = map(sources.__getitem__, zip(language, suppress, vocabulary, term_type, strict=True))
        source = np.fromiter(found, np.int64, rows)
        rank = np.fromiter(map(ranks.__getitem__, zip(ts, stt, ispref, strict=True)), np.int64, rows)
        kept = np.flatnonzero(source)
        cuis, marks = parsed.cuis[0][kept], (source << RANK_BITS | rank)[kept]
        if not ABSENT.isdisjoint(text):
            named = zip(kept.tolist(), cuis.tolist(), strict=True)
            work.state.absent += [cui for n, cui in named if text[n] in ABSENT and cui not in work.state.absent]
        for bucket, places in by_bucket(cuis):
            texts = b"\n".join([code[n] + b"|" + text[n] for n in kept[places].tolist()])
            values = (cuis[places].astype(np.uint32).tobytes(), marks[places].astype(np.uint32).tobytes(), texts)
            work.connection.execute("INSERT INTO staged_names VALUES (?, ?, ?, ?)", (bucket, *values))

    work.read(MRCONSO, write)


class _Sources(dict[tuple[bytes, ...], int]):
    """Number of a vocabulary and term type; 0 where names of these are left out."""

    def __init__(self, work: Work) -> None:
        super().__init__()
        self._work = work

    def __missing__(self, key: tuple[bytes, ...]) -> int:
        language, suppress, vocabulary, term_type = (value.decode() for value in key)
        wanted = language == "ENG" and suppress == "N" and self._work.takes(vocabulary)
        kept = wanted and name_kind(vocabulary, term_type) is not None
        self[key] = number = self._work.words.number(f"{SOURCE}|{vocabulary}|{term_type}") if kept else 0
        return number


class _Ranks(dict[tuple[bytes, ...], int]):
    """Distance from a preferred name by TS, STT and ISPREF."""

    def __missing__(self, key: tuple[bytes, ...]) -> int:
        ts, stt, ispref = key
        self[key] = rank = 4 * (ts != b"P") + 2 * (stt != b"PF") + (ispref != b"Y")
        return rank
