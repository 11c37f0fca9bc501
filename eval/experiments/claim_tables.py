"""Pairs of claim and evidence as numbers, as verification measures them; what was measured is kept as JSON lines.

Measuring takes an hour, and fits and pictures need it again and again: a line is ``{set, group, label, signals}``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chains.claims import triple
from chains.verify import entailment
from chains.verify.comparing import examine
from core.errors import InputError
from core.schema import Claim, Label
from eval.experiments.reading import Collaborators
from eval.experiments.verification_data import Pair

FEATURES = (
    "containment_titled",
    "containment_passage",
    "containment_reverse",
    "missing_rare",
    "similarity",
    "counter_margin",
    "opposition",
    "opposed_similarity",
    "agreement",
    "claim_negated",
    "hedging",
    "evidence_length",
    "similarity_by_length",
    "missing_rare_by_length",
    "containment_passage_by_length",
    "number_conflict",
    "stated_support",
    "stated_contradiction",
    "relation_match",
    "frame_conflict",
    "scope_conflict",
    "joined",
    "reversed_roles",
    "leans",
    "framed",
    "limited",
    "doubted",
    "read_support",
    "read_contradiction",
    "read_support_by_length",
    "read_contradiction_by_length",
)
LABELS: tuple[Label, ...] = ("supported", "contradicted", "unverifiable")

Signals = Mapping[str, float | None]
Matrix = NDArray[np.float64]


class Table(NamedTuple):
    """Pairs as measured: their signals, the places of their labels in ``LABELS``, and their groups."""

    signals: list[Signals]
    labels: NDArray[np.int64]
    groups: list[str]

    def where(self, chosen: NDArray[np.bool_]) -> Table:
        """The chosen rows."""
        places = np.flatnonzero(chosen)
        return Table([self.signals[i] for i in places], self.labels[chosen], [self.groups[i] for i in places])


def table(pairs: Sequence[Pair], by: Collaborators) -> Table:
    """The signals of each pair, as verification computes them."""
    measured: list[Signals] = []
    for pair in pairs:
        subject, predicate, object_ = triple(pair.claim)
        claim = Claim(text=pair.claim, span=(0, len(pair.claim)), subject=subject, predicate=predicate, object=object_)
        measured.append(examine([claim], [pair.evidence], *by)[0][0].signals)
    return Table(measured, np.array([LABELS.index(pair.label) for pair in pairs]), [pair.group for pair in pairs])


def joined(tables: Iterable[Table]) -> Table:
    """Tables, one under the other."""
    parts = list(tables)
    return Table(
        [signals for part in parts for signals in part.signals],
        np.array([label for part in parts for label in part.labels]),
        [group for part in parts for group in part.groups],
    )


def features(signals: Sequence[Signals]) -> tuple[tuple[str, ...], Matrix]:
    """The features that some row has, by name, and their values: rows × features, NaN where not available."""
    rows = [entailment.features(row) for row in signals]
    names = tuple(name for name in FEATURES if any(row.get(name) is not None for row in rows))
    values = [[np.nan if (value := row.get(name)) is None else value for name in names] for row in rows]
    return names, np.array(values)


def keep(tables: Mapping[str, Table], path: Path) -> None:
    """Write tables by their names."""
    with path.open("w", encoding="utf-8") as file:
        for name, data in tables.items():
            for signals, label, group in zip(data.signals, data.labels, data.groups, strict=True):
                line = {"set": name, "group": group, "label": LABELS[label], "signals": dict(signals)}
                file.write(json.dumps(line) + "\n")


def kept(path: Path) -> dict[str, Table]:
    """The tables of a file; InputError where it holds none."""
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return {
            name: Table(
                [row["signals"] for row in rows],
                np.array([LABELS.index(row["label"]) for row in rows]),
                [row["group"] for row in rows],
            )
            for name, own in groupby(lines, lambda row: row["set"])
            for rows in (list(own),)
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{path} holds no tables ({error}): eval.experiments.entailment --tables writes them"
        ) from error
