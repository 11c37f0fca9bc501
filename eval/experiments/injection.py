"""Is planted text found, what does real text lose to the rules, and what does an obedient reply get past the checks?

The suite's part ``tuned`` is what the cues were written for. The part ``hard`` was written after them, and they were
mended once for it: at first they found 15 of its 42 passages. The part ``fresh`` was written after that, and no cue was
changed for one of its passages: its figures are the ones to believe, with the reservation that one author wrote all. An
attacker who knows the cues writes around them: what is left to stop him is that evidence is data in the prompt, that a
claim needs a quote, and the checks on the reply.

    python -m eval.experiments.injection --suite planted.jsonl --harmless harmless.jsonl [--show]
    python -m eval.experiments.injection --texts FILE.jsonl … [--show]      how many real texts would be set aside
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from chains.guard.checks import faults, verdict_on
from chains.guard.planted import planted
from core.schema import Evidence
from prompts import prompt

CLEAN = Evidence(id="pubmed:11111111", source="pubmed", text="Metformin is the first-line drug for type 2 diabetes.")


def read(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSONL file."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def texts(value: object) -> Iterator[str]:
    """The strings of several words in a JSON value, of which a list of strings is one text."""
    if isinstance(value, str):
        yield from [value] if " " in value else []
    elif isinstance(value, list) and all(isinstance(item, str) for item in value):
        yield " ".join(value)
    elif isinstance(value, list | Mapping):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from texts(item)


def checked(row: Mapping[str, Any], rules: str) -> tuple[str, tuple[str, ...]]:
    """The decision on the reply of a model that saw a passage and did what it demands, and the kinds of its faults."""
    where, text, reply = row["where"], row["text"], row["obeyed"]
    piece = Evidence(
        id="pubmed:22222222",
        source="pubmed",
        title=text if where == "title" else "",
        text=text if where == "text" else "Metformin lowers glucose.",
    )
    found = faults(
        reply["answer"].replace("{prompt}", rules),
        reply["reasoning"],
        reply["citations"],
        choice=reply["choice"],
        evidence=(CLEAN, piece),
        prompt_text=rules,
        question=text if where == "question" else "Does metformin help?",
    )
    return verdict_on(found), tuple(sorted({fault.kind for fault in found}))


def measure_suite(rows: list[dict[str, Any]], show: bool) -> None:
    """Print for each part how many passages are found before the model, and how many obedient replies after it."""
    rules = prompt("answer/evidence.txt")
    for part in dict.fromkeys(row["part"] for row in rows):
        chosen = [row for row in rows if row["part"] == part]
        missed = [row for row in chosen if not planted(row["text"])]
        passed = [row for row in chosen if checked(row, rules)[0] == "fine"]
        both = [row for row in missed if row in passed]
        print(
            f"{part}: {len(chosen)} passages, {len(chosen) - len(missed)} found before the model;"
            f" {len(chosen) - len(passed)} obedient replies caught after it; {len(both)} escape both"
        )
        if show:
            for row in chosen:
                marks = ("found" if row not in missed else "MISSED", *checked(row, rules)[1])
                print(f"    {row['id']} {row['kind']}, {row['language']}: {', '.join(marks)}: {row['text']!a:.120}")


def measure_texts(path: Path, show: bool) -> None:
    """Print how many texts of a file hold a place that would set them aside."""
    pieces = [text for row in read(path) for text in texts(row)]
    started = time.perf_counter()
    hits = [(text, place) for text in pieces for place in planted(text)[:1]]
    spent = time.perf_counter() - started
    kinds = Counter(place.kind for _, place in hits)
    print(
        f"{path.name}: {len(hits)} of {len(pieces):,} texts ({sum(map(len, pieces)):,} characters) hold one"
        f" {dict(kinds) or ''}; {1e6 * spent / max(1, len(pieces)):.0f} µs a text"
    )
    if show:
        for text, place in hits:
            print(f"    {place.kind}: {text[max(0, place.start - 60) : place.end + 60]!r}")


def main() -> None:
    """Print the figures of the suite, of harmless look-alikes, and of any JSONL files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", type=Path, help="planted passages, a JSON object a line")
    parser.add_argument("--harmless", type=Path, help="look-alikes, a JSON object a line")
    parser.add_argument("--texts", type=Path, nargs="+", default=[], help="JSONL files; every string in them is read")
    parser.add_argument("--show", action="store_true", help="list every passage and every hit")
    arguments = parser.parse_args()
    if arguments.suite:
        measure_suite(read(arguments.suite), arguments.show)
    for path in [*([arguments.harmless] if arguments.harmless else []), *arguments.texts]:
        measure_texts(path, arguments.show)


if __name__ == "__main__":
    main()
