"""A vocabulary drawn from the default store's names, and abstracts with names of it planted at known places.

Every name is looked for by every linker, so a drawn name is one that the store looks for in text, has at most six
words, and is written like no other. Where the store has too few, words of its names make up the rest.

Names are planted in sentences of their own, between those of an abstract: as they are written; misspelt, with a letter
of their longest word dropped, doubled, changed or swapped with the next, so that no name has that word; and reordered,
with the last word first. A misspelt word has six letters or more, a reordered name only words of three letters or more.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import NamedTuple

from core.language import sentences
from core.text import STOPWORDS
from tools.knowledge.database import FILE_NAME
from tools.knowledge.progress import Progress
from tools.knowledge.values import Vocabulary
from tools.knowledge.vocabularies.records import Loaded, Record

WRITTEN, MISSPELT, REORDERED = WAYS = ("as written", "misspelt", "reordered")
LONGEST_NAME = 6
TYPE = "T121"
"""The one semantic type of all: QuickUMLS looks for it by default, and no name is derived from its names."""

_PART = re.compile(r"[^\W_]+")
_CARRIERS = (
    "There was also {} in this group.",
    "One of them was later treated again because of {} elsewhere.",
    "We then looked at {} with the same methods.",
    "This series was followed for {} as well.",
)
_MISSPELT_LETTERS, _REORDERED_LETTERS = 6, 3
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Name(NamedTuple):
    """A name, the number of its concept in the drawn vocabulary, and whether it is an abbreviation."""

    concept: int
    text: str
    abbreviation: bool = False


class Drawn(NamedTuple):
    """Names in the order of their concepts, the preferred one first; so many of them are made up."""

    names: list[Name]
    generated: int


class Planted(NamedTuple):
    """Where a name stands in a text, whose it is, and how it is written there."""

    start: int
    end: int
    concept: str
    way: str


class Text(NamedTuple):
    """An abstract and what was planted in it."""

    text: str
    planted: tuple[Planted, ...]


def cui(concept: int) -> str:
    """Return the id of a concept of the drawn vocabulary."""
    return f"C{concept:07}"


def draw(home: Path, count: int, seed: int) -> Drawn:
    """Draw names from the store that is built in a data directory."""
    with closing(sqlite3.connect(f"file:{home / FILE_NAME}?mode=ro", uri=True)) as connection:
        rows = connection.execute("SELECT concept, name, kind = 'abbreviation' FROM names WHERE link ORDER BY rowid")
        names = distinct(Name(concept, text, bool(abbreviation)) for concept, text, abbreviation in rows)
    random = Random(seed)
    chosen = sorted(random.sample(range(len(names)), min(count, len(names))))
    numbers: dict[int, int] = {}
    drawn = [names[n]._replace(concept=numbers.setdefault(names[n].concept, len(numbers) + 1)) for n in chosen]
    drawn.sort(key=lambda name: name.concept)
    made_up = generated(names, count - len(drawn), len(numbers) + 1, random)
    return Drawn([*drawn, *made_up], len(made_up))


def distinct(names: Iterator[Name]) -> list[Name]:
    """Keep names of one line and at most six words, the first of those that differ in case alone."""
    found: dict[str, Name] = {}
    for name in names:
        if name.text.count(" ") < LONGEST_NAME and name.text.isprintable() and "|" not in name.text:
            found.setdefault(name.text.lower(), name)
    return list(found.values())


def generated(names: Sequence[Name], count: int, first: int, random: Random) -> list[Name]:
    """Make up names of two to four words that names have, each of a concept of its own, numbered from ``first``."""
    taken = {name.text.lower() for name in names}
    words = sorted({word for name in names for word in name.text.split() if _is_plain(word)}) if count > 0 else []
    made: list[Name] = []
    while len(made) < count:
        text = " ".join(random.choices(words, k=random.randint(2, 4)))
        if text.lower() not in taken:
            taken.add(text.lower())
            made.append(Name(first + len(made), text))
    return made


def write_names(file: Path, names: Sequence[Name]) -> None:
    """Write names, one a line: what every linker's index is built from."""
    lines = (f"{cui(name.concept)}\t{int(name.abbreviation)}\t{name.text}\n" for name in names)
    file.write_text("".join(lines), encoding="utf-8")


class DrawnLoader:
    """The written names as a vocabulary."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def fingerprint(self) -> str:
        """Tell it from others by its size."""
        return f"{self._file.stat().st_size} bytes of drawn names"

    def read(self, progress: Progress) -> Loaded:
        """Read it whole."""
        names: dict[str, list[tuple[str, str]]] = {}
        with self._file.open(encoding="utf-8") as lines:
            for line in lines:
                concept, abbreviation, text = line.rstrip("\n").split("\t")
                of_concept = names.setdefault(concept, [])
                kind = "abbreviation" if abbreviation == "1" else "exact" if of_concept else "preferred"
                of_concept.append((text, kind))
        records = [
            Record((f"MESH:{concept}",), of_concept, of_concept[0][0], same=(f"UMLS:{concept}",), types=(TYPE,))
            for concept, of_concept in names.items()
        ]
        about = Vocabulary("DRAWN", "names drawn for a benchmark", "1", None, "", "", "")
        return Loaded(about, records, ())


class Planter:
    """Plants names of a vocabulary in texts: those that are of the store, and the words of no other name."""

    def __init__(self, drawn: Drawn, seed: int) -> None:
        self._random = Random(seed)
        names = drawn.names
        self._words = {word.lower() for name in names for word in _PART.findall(name.text)}
        owners: dict[tuple[str, ...], set[int]] = {}
        for name in names:
            owners.setdefault(_any_order(name.text), set()).add(name.concept)
        of_store = names[: len(names) - drawn.generated]
        self._names = [name for name in of_store if len(owners[_any_order(name.text)]) == 1]

    def plant(self, text: str, each: int) -> Text:
        """Plant so many names of each way between the sentences of a text, in an order drawn by the seed."""
        ways: dict[str, Callable[[str], str | None]] = {
            WRITTEN: lambda name: name,
            MISSPELT: self.misspelt,
            REORDERED: reordered,
        }
        chosen = [(way, *self._draw(write)) for way, write in ways.items() for _ in range(each)]
        self._random.shuffle(chosen)
        ends = [span.end for span in sentences(text)]
        places = sorted(self._random.choices(ends, k=len(chosen)))
        pieces: list[str] = []
        planted: list[Planted] = []
        at = length = 0
        for place, (way, concept, written) in zip(places, chosen, strict=True):
            before, after = self._random.choice(_CARRIERS).split("{}")
            pieces += [text[at:place], f" {before}", written, after]
            start = length + len(pieces[-4]) + len(pieces[-3])
            planted.append(Planted(start, start + len(written), cui(concept), way))
            length, at = start + len(written) + len(after), place
        return Text("".join([*pieces, text[at:]]), tuple(planted))

    def misspelt(self, name: str) -> str | None:
        """Change one letter of a name's longest word; None where it is short, or every change drawn is a word."""
        longest = max(_PART.finditer(name), key=lambda part: len(part.group()), default=None)
        if longest is None or len(word := longest.group()) < _MISSPELT_LETTERS or not _is_plain(word):
            return None
        for _ in range(8):
            at = self._random.randrange(1, len(word) - 1)
            wrong = self._random.choice(
                (
                    word[:at] + word[at + 1 :],
                    word[:at] + word[at] + word[at:],
                    word[:at] + self._random.choice(_LETTERS) + word[at + 1 :],
                    word[:at] + word[at + 1] + word[at] + word[at + 2 :],
                )
            )
            if wrong.lower() != word.lower() and wrong.lower() not in self._words:
                return name[: longest.start()] + wrong + name[longest.end() :]
        return None

    def _draw(self, write: Callable[[str], str | None]) -> tuple[int, str]:
        while True:
            name = self._random.choice(self._names)
            if (written := write(name.text)) is not None:
                return name.concept, written


def reordered(name: str) -> str | None:
    """Put a name's last word first; None where it has but one, or words that are not plain."""
    words = name.split(" ")
    plain = all(_is_plain(w) and len(w) >= _REORDERED_LETTERS and w.lower() not in STOPWORDS for w in words)
    return " ".join([words[-1], *words[:-1]]) if plain and len(set(map(str.lower, words))) > 1 else None


def _is_plain(word: str) -> bool:
    return word.isascii() and word.isalpha()


def _any_order(name: str) -> tuple[str, ...]:
    return tuple(sorted(part.lower() for part in _PART.findall(name)))
