"""The texts that ``eval.training.masked`` learns from: MedQuAD, MedlinePlus, SciFact's abstracts, written passages.

Focuses that are held out, what the Human Phenotype Ontology lists, abstracts that SciFact's kept-out claims cite, and
texts that share thirteen words with MEDIQA's, stay out.

    python -m eval.training.texts --data DATA --topics medlineplus_topics.jsonl --out texts.txt
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from eval.data.held_out import held_out
from eval.training.scifact import SciFact, json_lines
from eval.training.sections import ONTOLOGY, measured_texts, shingles
from eval.training.written import written

LEAST = 60
"""Characters of a text that tells anything."""


def texts(data: Path, topics: Path) -> Iterator[str]:
    """All texts, one after the other."""
    measured = measured_texts(data / "mediqa_qa")
    for document in json_lines(data / "medquad" / "medquad_open.jsonl"):
        for pair in () if held_out(document["focus"]) else document["qa"]:
            answer = (pair["answer"] or "").split(ONTOLOGY)[0]
            if shingles(answer).isdisjoint(measured):
                yield f"{pair['question']} {answer}"
    for topic in json_lines(topics):
        if not held_out(topic["title"]) and shingles(topic["text"]).isdisjoint(measured):
            yield f"{topic['title']}. {topic['text']}"
    for section in SciFact(data / "scifact").sections():
        yield f"{section.title}. {' '.join(section.sentences)}"
    yield from dict.fromkeys(pair.passage for pair in written())


def main() -> None:
    """Write a text a line."""
    parser = argparse.ArgumentParser(description="Texts to learn a language from.")
    parser.add_argument("--data", type=Path, required=True, help="the folder of medquad, scifact and mediqa_qa")
    parser.add_argument("--topics", type=Path, required=True, help="MedlinePlus's topics, JSON lines")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    lines = [line for text in texts(given.data, given.topics) if len(line := " ".join(text.split())) > LEAST]
    given.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines):,} texts, {sum(len(line.split()) for line in lines):,} words")


if __name__ == "__main__":
    main()
