"""Which signs of danger are missed, and what harmless texts raise an alarm?

The texts are written for this purpose, half of them harmless look-alikes. The part ``tuned`` stood beside the rules
while they were written; half of it was a first fresh part, of which the rules of that day missed 30 of 56, so that they
were written anew; the learned reader is fitted on it too. The part ``fresh`` was written when the rules were final, no
rule was changed for one of its texts, and whoever wrote the texts that teach the learned reader had not read it. So is
``unread``, which is later, of another hand and of more kinds of danger, and ``later``, whose authors ask something mild
of a danger that they do not know: their figures are the ones to believe, with the reservation that authors of one kind
wrote all. Real people will be missed more often.

    python -m eval.experiments.safety [--part fresh] [--show]
    python -m eval.experiments.safety --questions FILE … [--show]     what real questions raise, in lines of JSON
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from chains.safety import Alarm, Kind, alarm_raiser, alarms
from core.embeddings import MiniLM
from core.errors import InputError

UNREAD = ("fresh", "unread", "later")
"""The parts that nothing was fitted on."""
PARTS = ("tuned", *UNREAD)
DATA = Path(__file__).parents[1] / "data" / "safety.jsonl"
TRAINING = DATA.with_name("safety_training.jsonl")

Raise = Callable[[str], Sequence[Alarm]]


@dataclass(frozen=True)
class Text:
    """A text with the kinds of alarms that it should raise; none where it is harmless."""

    part: str
    text: str
    kinds: frozenset[str]


@dataclass(frozen=True)
class Tally:
    """Texts of one kind: how many should raise it and did not, how many did and should not."""

    kind: str
    wanted: int
    missed: tuple[str, ...]
    unwanted: int
    false: tuple[str, ...]


def read(path: Path = DATA) -> list[Text]:
    """The texts; InputError, naming the line, where one is not ``{part, text, alarms}``."""
    return [
        Text(line["part"], line["text"], frozenset(line["alarms"])) for line in _lines(path, ("part", "text", "alarms"))
    ]


def both_readers(home: Path) -> Raise:
    """Rules and learned reader, with the embedder of this data directory."""
    raiser = alarm_raiser(MiniLM.load(home, 2).encode)
    return lambda text: raiser.invoke(text).value


def tally(texts: Sequence[Text], raises: Raise = alarms) -> list[Tally]:
    """Misses and false alarms of every kind, then of any kind at all."""
    raised = [frozenset(alarm.kind for alarm in raises(text.text)) for text in texts]
    tallies = []
    for kind in get_args(Kind):
        tallies.append(_tally(kind, [(t.text, kind in t.kinds, kind in r) for t, r in zip(texts, raised, strict=True)]))
    return [*tallies, _tally("any", [(t.text, bool(t.kinds), bool(r)) for t, r in zip(texts, raised, strict=True)])]


def _tally(kind: str, seen: Sequence[tuple[str, bool, bool]]) -> Tally:
    return Tally(
        kind,
        sum(wanted for _, wanted, _ in seen),
        tuple(text for text, wanted, raised in seen if wanted and not raised),
        sum(not wanted for _, wanted, _ in seen),
        tuple(text for text, wanted, raised in seen if raised and not wanted),
    )


def questions(path: Path) -> list[str]:
    """The questions of a file of JSON lines: each line's ``question``, or that of each of its ``qa``."""
    found: list[str] = []
    for line in _lines(path, ()):
        entries: list[Mapping[str, Any]] = line.get("qa", [line])
        found += [str(entry.get("question") or entry.get("Question") or "") for entry in entries]
    return [question for question in found if question]


def _lines(path: Path, fields: Sequence[str]) -> Iterator[dict[str, Any]]:
    # A text may hold line separators that are none of the file's.
    for number, line in enumerate(path.read_text(encoding="utf-8").removesuffix("\n").split("\n"), 1):
        try:
            entry = json.loads(line)
            missing = [field for field in fields if field not in entry]
        except ValueError as error:
            raise InputError(f"{path}, line {number}: no JSON ({error}); give one object a line") from error
        if missing:
            raise InputError(f"{path}, line {number}: {', '.join(missing)} missing; give one object a line")
        yield entry


def _print_parts(parts: Sequence[str], readers: Mapping[str, Raise], show: bool) -> None:
    texts = read()
    for part in parts:
        chosen = [text for text in texts if text.part == part]
        print(f"{part}: {len(chosen)} texts, {sum(not text.kinds for text in chosen)} of them harmless")
        for name, raises in readers.items():
            print(f" {name}")
            for found in tally(chosen, raises):
                _print_tally(found, show and found.kind != "any")


def _print_tally(t: Tally, show: bool) -> None:
    print(f"  {t.kind:<14} missed {len(t.missed):>2} of {t.wanted:>3}, false {len(t.false):>2} of {t.unwanted:>3}")
    if show:
        print("".join(f"    missed: {text}\n" for text in t.missed), end="")
        print("".join(f"    false: {text}\n" for text in t.false), end="")


def _print_questions(path: Path, name: str, raises: Raise, show: bool) -> None:
    asked = questions(path)
    kinds: Counter[str] = Counter()
    began = time.perf_counter()
    raised = [(question, raises(question)) for question in asked]
    seconds = time.perf_counter() - began
    for question, found in raised:
        kinds.update(alarm.kind for alarm in found)
        if show and found:
            print(f"    {', '.join(f'{a.kind} ({a.words})' for a in found)}: {' '.join(question.split())[:200]}")
    some = sum(bool(found) for _, found in raised)
    counted = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common()) or "nothing"
    each = 1e6 * seconds / max(1, len(asked))
    print(
        f"{path.name}, {name}: {some} of {len(asked):,} questions raise something: {counted}; {each:.0f} µs a question"
    )


def main() -> None:
    """Print misses and false alarms by kind and part; or what the questions of given files raise."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=PARTS, action="append")
    parser.add_argument("--questions", type=Path, nargs="+", default=[], help="real questions instead, lines of JSON")
    parser.add_argument("--show", action="store_true", help="list what was missed, and what was raised")
    parser.add_argument("--home", type=Path, default=Path("~/.medattest").expanduser(), help="the data directory")
    given = parser.parse_args()
    readers: dict[str, Raise] = {"rules alone": alarms, "rules and learned reader": both_readers(given.home)}
    for path in given.questions:
        for name, raises in readers.items():
            _print_questions(path, name, raises, given.show)
    if not given.questions:
        _print_parts(given.part or PARTS, readers, given.show)


if __name__ == "__main__":
    main()
