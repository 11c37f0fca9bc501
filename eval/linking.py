"""Concept linking on abstracts in PubTator form: span F1 of a semantic group's mentions, and how many ids are right.

A span is right where start and end are those of a marked one. Ids are compared by the mention's cross-references.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from chains.link import Link
from core.settings import load_settings
from tools.knowledge import KnowledgeStore, Linker


@dataclass(frozen=True)
class Marked:
    """A marked mention: ``ids`` are CURIEs, any of which is right; none where the annotators found no concept."""

    start: int
    end: int
    text: str
    kind: str
    ids: frozenset[str]


@dataclass(frozen=True)
class Abstract:
    """A title and an abstract as one text, and what is marked in it."""

    id: str
    text: str
    marked: tuple[Marked, ...]


@dataclass(frozen=True)
class Task:
    """A set, the kinds of its mentions that are asked for, and the semantic group that they are of."""

    name: str
    path: str
    group: str
    kinds: frozenset[str] | None


TASKS = (
    Task("BC5 disease", "bc5cdr/train.pubtator.txt", "DISO", frozenset({"Disease"})),
    Task("BC5 chemical", "bc5cdr/train.pubtator.txt", "CHEM", frozenset({"Chemical"})),
    Task("NCBI disease", "ncbi_disease/train.pubtator.txt", "DISO", None),
)


def read_pubtator(path: Path) -> list[Abstract]:
    """Read abstracts with their mentions; relations between mentions are passed over."""
    return [_abstract(block) for block in path.read_text("utf-8").split("\n\n") if block.strip()]


def _abstract(block: str) -> Abstract:
    lines = block.strip("\n").split("\n")
    identifier, _, title = lines[0].split("|", 2)
    body = lines[1].split("|", 2)[2]
    return Abstract(identifier, f"{title} {body}", tuple(_marked(lines[2:])))


def _marked(lines: Iterable[str]) -> Iterator[Marked]:
    for line in lines:
        fields = line.split("\t")
        if len(fields) >= 6 and fields[1].isdigit():
            yield Marked(int(fields[1]), int(fields[2]), fields[3], fields[4], frozenset(_curies(fields[5])))


def _curies(field: str) -> Iterator[str]:
    for part in field.replace("+", "|").split("|"):
        identifier = part.strip()
        if identifier and identifier != "-1":
            yield identifier if ":" in identifier else f"MESH:{identifier}"


def measure(task: Task, abstracts: Sequence[Abstract], link: Link) -> dict[str, float]:
    """Precision, recall and F1 of spans, and of those found rightly the share with a right id."""
    found = right = wanted = identified = known = 0
    for abstract in abstracts:
        gold = {(m.start, m.end): m for m in abstract.marked if task.kinds is None or m.kind in task.kinds}
        mentions = [m for m in link(abstract.text) if m.concept.group == task.group]
        wanted += len(gold)
        found += len(mentions)
        for mention in mentions:
            marked = gold.get((mention.start, mention.end))
            right += marked is not None
            if marked is not None and marked.ids:
                known += 1
                identified += not marked.ids.isdisjoint(mention.concept.xrefs)
    precision, recall = right / max(1, found), right / max(1, wanted)
    f1 = 2 * precision * recall / max(1e-9, precision + recall)
    return {"precision": precision, "recall": recall, "F1": f1, "id accuracy": identified / max(1, known)}


def main() -> None:
    """Print the figures of every task."""
    parser = argparse.ArgumentParser(prog="python -m eval.linking", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with bc5cdr and ncbi_disease")
    given = parser.parse_args()
    linker = Linker(KnowledgeStore.open(load_settings().home))
    for task in TASKS:
        abstracts = read_pubtator(given.data / task.path)
        start = time.perf_counter()
        figures = measure(task, abstracts, linker.link)
        rate = len(abstracts) / (time.perf_counter() - start)
        print(f"{task.name:13}", *(f"{name} {value:.3f}" for name, value in figures.items()), f"{rate:.0f} texts/s")


if __name__ == "__main__":
    main()
