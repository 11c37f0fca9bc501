"""Rated sheets read back: mean, range, variance and agreement of each criterion, by who answered."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean, variance
from typing import Any

from core.errors import InputError
from eval.human.schemes import Criterion, scheme
from eval.human.sheets import KEY, TEXTS
from eval.metrics.statistics import fleiss_kappa
from eval.reports.grids import NOT_AVAILABLE, Grid

Ratings = dict[str, dict[str, str]]
"""Of one rater: item to criterion to value; what was left empty is not there."""


def ratings(files: Sequence[Path], key: Path | None = None) -> list[Grid]:
    """What the raters of these sheets say; the key stands beside the first sheet unless it is named."""
    if twice := [file for file, count in Counter(file.resolve() for file in files).items() if count > 1]:
        raise InputError(f"{twice[0]} is named twice: name each rater's sheet once")
    told = _key(key or files[0].with_name(KEY))
    criteria = scheme(told["scheme"])
    items: dict[str, str] = told["items"]
    read = [_read(file, criteria, items) for file in files]
    rows = [
        row
        for system in dict.fromkeys(items.values())
        for criterion in criteria
        for row in _row(system, criterion, read, {code for code, who in items.items() if who == system})
    ]
    agreed = [(criterion.name, *_kappa(criterion, read, items)) for criterion in criteria]
    return [
        Grid("Ratings", ("system", "criterion", "ratings", "mean or shares", "range", "variance"), rows),
        Grid("Agreement", ("criterion", "items rated by all", "Fleiss' kappa"), agreed),
    ]


def values(files: Sequence[Path]) -> dict[str, dict[str, str]]:
    """Of every system the mean, or the shares, of each criterion that was rated; nothing where there are no sheets."""
    found: dict[str, dict[str, str]] = {}
    for system, criterion, count, told, *_ in ratings(files)[0].rows if files else ():
        if count != "0":
            found.setdefault(system, {})[criterion] = told
    return found


def _row(system: str, criterion: Criterion, read: Sequence[Ratings], codes: set[str]) -> Iterator[tuple[str, ...]]:
    given = [
        own[criterion.name] for rater in read for code, own in rater.items() if code in codes and criterion.name in own
    ]
    if not given:
        yield system, criterion.name, "0", NOT_AVAILABLE, "–", "–"
    elif criterion.numeric:
        numbers = [int(value) for value in given]
        spread = f"{variance(numbers):.3f}" if len(numbers) > 1 else "–"
        span = f"{min(numbers)}–{max(numbers)}"
        yield system, criterion.name, str(len(given)), f"{mean(numbers):.3f}", span, spread
    else:
        counts = Counter(given)
        shares = ", ".join(f"{value} {counts[str(value)] / len(given):.1%}" for value in criterion.values)
        yield system, criterion.name, str(len(given)), shares, "–", "–"


def _kappa(criterion: Criterion, read: Sequence[Ratings], items: Mapping[str, str]) -> tuple[str, str]:
    """Of the items that every rater has rated by this criterion."""
    rated = [[own.get(code, {}).get(criterion.name) for own in read] for code in items]
    whole = [values for values in rated if None not in values]
    if len(read) < 2 or not whole:
        return str(len(whole)), NOT_AVAILABLE
    table = [[values.count(str(value)) for value in criterion.values] for values in whole]
    return str(len(whole)), f"{fleiss_kappa(table):.3f}"


def _key(path: Path) -> dict[str, Any]:
    try:
        held: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return {
            "scheme": str(held["scheme"]),
            "items": {code: str(item["system"]) for code, item in held["items"].items()},
        }
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise InputError(f"{path} is no key of rating sheets ({error}): name it with --key") from error


def _read(file: Path, criteria: Sequence[Criterion], items: Mapping[str, str]) -> Ratings:
    try:
        with file.open(encoding="utf-8-sig", newline="") as sheet:
            head = sheet.readline()
            sheet.seek(0)
            rows = list(csv.DictReader(sheet, delimiter=_delimiter(head)))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{file} cannot be read as a CSV in UTF-8 ({error})") from error
    found: Ratings = {}
    for row in rows:
        if not any((cell or "").strip() for cell in row.values() if isinstance(cell, str)):
            continue  # a spreadsheet leaves empty rows behind
        code = (row.get("item") or "").strip().lstrip("'").zfill(4)  # spreadsheets take leading zeros off
        if code not in items:
            raise InputError(f"{file}: there is no item {code!r} in the key: is it the key of these sheets?")
        if code in found:
            raise InputError(f"{file}: item {code!r} stands twice: leave one of the two")
        found[code] = dict(_rated(file, code, row, criteria))
    return found


def _delimiter(head: str) -> str:
    """What stands behind the first heading: spreadsheets write semicolons where commas are decimal."""
    return next((mark for mark in ";\t" if head.replace('"', "").startswith(f"{TEXTS[0]}{mark}")), ",")


def _rated(file: Path, code: str, row: Mapping[str, str], criteria: Sequence[Criterion]) -> Iterator[tuple[str, str]]:
    for criterion in criteria:
        value = criterion.given(row)
        if value and value not in map(str, criterion.values):
            allowed = ", ".join(map(str, criterion.values))
            raise InputError(f"{file}: item {code}: {criterion.name} is {value!r}, it may be {allowed}")
        if value:
            yield criterion.name, value
