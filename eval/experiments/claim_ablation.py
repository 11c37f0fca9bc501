"""What each group of signals is worth, and what it costs: the function fitted without it, and a profile of the pairs.

A group is the signals of one file of ``chains/verify/signals``: ``stated`` is what the rules say, ``learned`` what the
reader that has learned says.
"""

from __future__ import annotations

import cProfile
import pstats
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from chains.verify.entailment import Probabilities
from chains.verify.signals import SIGNALS
from chains.verify.statements.passage import stand_of
from core import language
from eval.experiments.claim_fit import decide, each_crossed, fit, learnt, told
from eval.experiments.claim_tables import LABELS, Table, table
from eval.experiments.reading import Collaborators
from eval.experiments.verification_data import Pair
from eval.metrics.classification import macro_f1

READING = "reading"
"""The parse of claim and sentences, which the groups share."""


def groups() -> dict[str, tuple[str, ...]]:
    """The signals of each file."""
    found: dict[str, tuple[str, ...]] = {}
    for name, signal in SIGNALS.items():
        group = signal.__module__.rpartition(".")[2]
        found[group] = (*found.get(group, ()), name)
    return found


def without(data: Table, names: Sequence[str]) -> Table:
    """The table as if these signals were never available."""
    lacking = dict.fromkeys(names)
    return data._replace(signals=[{**signals, **lacking} for signals in data.signals])


def scores(tables: Mapping[str, Table], transfer: Table, seed: int) -> list[float]:
    """Macro-F1 of each table out of fold, and of the one that only measures."""
    fitted = fit(learnt(tables))
    found = [_score(data, p) for _, data, p in each_crossed(tables, seed)]
    return [*found, _score(transfer, told(transfer, fitted))]


def costs(pairs: Sequence[Pair], by: Collaborators) -> dict[str, float]:
    """Milliseconds of the processor a pair, by groups, with what only that group needs, such as embeddings.

    They are taken by Python's profiler, which makes small functions look slower than they are, and of texts that this
    process has not read yet; the first pair only loads what is loaded once.
    """

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:  # what the rules embed is theirs
        return by.encode(texts)

    watched = by._replace(encode=encode)
    table(pairs[:1], watched)
    profile = cProfile.Profile(time.process_time)
    profile.runcall(table, pairs[1:], watched)
    spent = pstats.Stats(profile)
    working: dict[str, list[Callable[..., Any]]] = {
        group: [SIGNALS[name] for name in names] for group, names in groups().items()
    }
    working["similarity"].append(encode)
    working["stated"].append(stand_of)
    working["learned"] += [by.learned] if by.learned else []
    working[READING] = [language.read]
    return {group: sum(_seconds(spent, f) for f in own) * 1000 / (len(pairs) - 1) for group, own in working.items()}


def lines(tables: Mapping[str, Table], transfer: Table, cost: Mapping[str, float], seed: int) -> list[str]:
    """A line a group: macro-F1 of every table without it, beside those with all, and its cost."""
    rows = {"all": (scores(tables, transfer, seed), sum(cost.values()))}
    for group, names in groups().items():
        less = {name: without(data, names) for name, data in tables.items()}
        rows[f"without {group}"] = scores(less, without(transfer, names), seed), cost[group]
    heads = [f"{name:>20}" for name in (*tables, "transferred", "ms a pair")]
    return [
        f"{'macro-F1':<22}" + "".join(heads),
        *(
            f"{name:<22}" + "".join(f"{score:>20.3f}" for score in found) + f"{spent:>20.2f}"
            for name, (found, spent) in rows.items()
        ),
        f"{'shared: ' + READING:<22}" + f"{cost[READING]:>{20 * len(heads)}.2f}",
    ]


def _score(data: Table, found: Sequence[Probabilities]) -> float:
    return macro_f1([LABELS[i] for i in data.labels], decide(found))


def _seconds(spent: pstats.Stats, function: Callable[..., Any]) -> float:
    """All the time within a function, in its calls by others."""
    code = cast("Any", function).__code__
    found = cast("Any", spent).stats.get((code.co_filename, code.co_firstlineno, code.co_name))
    return float(found[3]) if found else 0.0
