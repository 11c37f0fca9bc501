"""How often the library finds the right MedlinePlus topic for a question as people type it.

``python -m eval.library QUESTIONS.jsonl``: lines of ``{question, topic}``; ``topic`` is a title or several, each of
which will do. Topics are ranked by their best passage: by words, by meaning, by both, and by the whole search, in
which the pages of MedQuAD compete.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.embeddings import encode_queries
from core.errors import InputError
from core.fusion import fuse
from core.lexical import best
from core.settings import load_settings
from graphs.resources import Resources
from tools.library.library import DENSE_WEIGHT, Library

DEPTHS = (1, 5, 10)
WEIGHTS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
PASSAGES = 30

Asked = tuple[str, Collection[str]]
Ranking = Callable[[str], Sequence[str]]
"""From a question to titles of documents, best first."""


def measure(asked: Sequence[Asked], ranking: Ranking) -> list[float]:
    """The share of questions with a right topic among the first 1, 5 and 10 documents."""
    ranked = [(ranking(question), topics) for question, topics in asked]
    return [float(np.mean([bool(set(titles[:depth]) & set(topics)) for titles, topics in ranked])) for depth in DEPTHS]


def rankings(resources: Resources) -> Iterator[tuple[str, Ranking]]:
    """The ways of ranking, by name."""
    library, index = resources.library, resources.library.open()
    topics = index.sheet.corpora[0].passages
    titles = [row.title.split(": ")[0] for row in index.read(range(topics))]

    def dense(question: str) -> NDArray[np.float32]:
        return np.asarray(index.matrix[:topics] @ encode_queries(resources.minilm, [question])[0], np.float32)

    def lexical(question: str) -> NDArray[np.float32]:
        return index.lexical.scores(question)[:topics]

    def by(scores: Callable[[str], NDArray[np.float32]]) -> Ranking:
        return lambda question: list(dict.fromkeys(titles[place] for place in best(scores(question), topics)))

    yield "words", by(lexical)
    yield "meaning", by(dense)
    for weight in sorted({*WEIGHTS, DENSE_WEIGHT}):
        yield f"both, cosine {weight:g}", by(lambda q, weight=weight: fuse(dense(q), lexical(q), weight))  # type: ignore[misc]
    yield "search", lambda question: searched(library, [question])
    yield "search, with synonyms", lambda question: searched(library, resources.phrasings(question))


def searched(library: Library, queries: Sequence[str]) -> list[str]:
    """Titles of the documents that the search finds."""
    return list(dict.fromkeys(e.title.split(": ")[0] for e in library.search(queries, PASSAGES)))


def read(path: Path) -> list[Asked]:
    """Questions with the titles of their topics."""
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        return [(line["question"], [t] if isinstance(t := line["topic"], str) else t) for line in lines]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} cannot be read ({error}): give lines of {{question, topic}}") from error


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table of recall, and how long a search takes."""
    parser = argparse.ArgumentParser(prog="python -m eval.library", description=main.__doc__)
    parser.add_argument("questions", type=Path)
    given = parser.parse_args(arguments)
    asked = read(given.questions)
    resources = Resources(load_settings())
    print(f"| ranking | {' | '.join(f'R@{depth}' for depth in DEPTHS)} |\n|---|{'---|' * len(DEPTHS)}")
    for name, ranking in rankings(resources):
        print(f"| {name} | {' | '.join(f'{figure:.3f}' for figure in measure(asked, ranking))} |")
    taken = []
    for question, _ in asked:
        start = time.perf_counter()
        resources.library.search([question], PASSAGES)
        taken.append(1000 * (time.perf_counter() - start))
    print(f"{len(asked)} questions; a search takes {np.median(taken):.0f} ms, {np.percentile(taken, 95):.0f} ms at p95")
    resources.close()


if __name__ == "__main__":
    main()
