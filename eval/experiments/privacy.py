"""Which identifiers of patients are removed from a text, which are missed, and what is removed wrongly?

The sentences are written for this purpose, in the manner of letters, notes and messages; no real person is in them.
Each says where its identifiers stand, without titles; half of them and more must come through unchanged or nearly so.
The split ``examples`` is what the rules were written for. ``held_out`` was written before any rule was, as other
people might write (other names, countries, word orders, eponyms). ``hard`` was written to find what the rules cannot
do: names without any cue, small letters, spelt-out dates, numbers of other countries, traps; the rules were mended
once after it. ``fresh`` was written after that, and no rule was changed for one of its sentences: its figures are the
ones to believe, with the reservation that one author wrote rules and sentences. Real letters will fare worse.

An identifier is caught when every letter and digit of it is removed, under whatever kind; a removal is wrong when it
touches no identifier.

    python -m eval.experiments.privacy [--split fresh] [--show]
    python -m eval.experiments.privacy --text FILE … [--show]     how much is removed from texts that hold no patient
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.privacy.identifier import KINDS, Removed
from core.privacy.redaction import redacted

SPLITS = ("examples", "held_out", "hard", "fresh")
DATA = Path(__file__).parents[1] / "data" / "privacy.jsonl"


@dataclass
class Tally:
    """Counts over sentences; ``faults`` are lines for a reader."""

    sentences: int = 0
    present: Counter[str] = field(default_factory=Counter)
    caught: Counter[str] = field(default_factory=Counter)
    removed: int = 0
    wrong: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def recall(self) -> float:
        """The share of identifiers that were caught."""
        return self.caught.total() / max(1, self.present.total())

    @property
    def precision(self) -> float:
        """The share of removals that touch an identifier."""
        return 1 - self.wrong / max(1, self.removed)


def read(path: Path = DATA) -> list[dict[str, Any]]:
    """The sentences: ``{split, text, identifiers: [{kind, start, end}]}``, offsets in code points."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def tally(rows: Sequence[dict[str, Any]]) -> Tally:
    """Redact every sentence and compare."""
    counts = Tally(sentences=len(rows))
    for row in rows:
        text, removed = row["text"], redacted(row["text"]).removed
        gone = {place for piece in removed for place in range(piece.start, piece.end)}
        identifiers = [Removed(i["kind"], i["start"], i["end"]) for i in row["identifiers"]]
        for identifier in identifiers:
            counts.present[identifier.kind] += 1
            places = range(identifier.start, identifier.end)
            if all(place in gone for place in places if text[place].isalnum()):
                counts.caught[identifier.kind] += 1
            else:
                counts.faults.append(
                    f"missed  {identifier.kind}: {text[identifier.start : identifier.end]!r} in {text}"
                )
        for piece in removed:
            counts.removed += 1
            if not any(piece.start < i.end and i.start < piece.end for i in identifiers):
                counts.wrong += 1
                counts.faults.append(f"wrongly {piece.kind}: {text[piece.start : piece.end]!r} in {text}")
    return counts


def count_removals(path: Path, show: bool) -> None:
    """Print what is removed from any text file, a line at a time."""
    kinds: Counter[str] = Counter()
    characters = 0
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            characters += len(line)
            for piece in redacted(line).removed:
                kinds[piece.kind] += 1
                if show:
                    print(f"    {piece.kind}: {line[max(0, piece.start - 30) : piece.end + 20]!r}")
    counted = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common()) or "nothing"
    print(f"{path.name}: {counted} removed from {characters:,} characters")


def main() -> None:
    """Print recall by kind, wrong removals and precision for each split; or what is removed from given texts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--split", choices=SPLITS, action="append")
    parser.add_argument("--text", type=Path, nargs="+", default=[], help="texts to redact instead, a line at a time")
    parser.add_argument("--show", action="store_true", help="list what was missed and what was removed wrongly")
    arguments = parser.parse_args()
    for path in arguments.text:
        count_removals(path, arguments.show)
    rows = [] if arguments.text else read()
    for split in () if arguments.text else arguments.split or SPLITS:
        counts = tally([row for row in rows if row["split"] == split])
        print(f"{split}: {counts.sentences} sentences, {counts.present.total()} identifiers")
        for kind in KINDS:
            if counts.present[kind]:
                print(f"  {kind:<17} caught {counts.caught[kind]:>3} of {counts.present[kind]:>3}")
        print(
            f"  recall {counts.recall:.3f}; {counts.wrong} of {counts.removed} removals wrong,"
            f" precision {counts.precision:.3f}"
        )
        if arguments.show:
            print("\n".join(f"    {fault}" for fault in counts.faults))


if __name__ == "__main__":
    main()
