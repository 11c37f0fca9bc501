"""MedQuAD asked by a synonym of the disease's name: how much of what the name would find is found.

Each question has its focus replaced by another name of the same concept that shares no word of content with it. The
documents are the answers, indexed by ``medattest index`` as a collection; those of the same focus and question type are
right. Three ways are compared: BM25 alone and the repository's own search, both with the question as it stands, and the
search with the question's other phrasings, as ``medattest search`` and the agent ask it.

    medattest index medquad_open.jsonl --collection medquad \
        --id-field 'doc_id,qa[].qid' --text-field 'qa[].answer' --title-field focus
    python -m eval.synonyms --data medquad_open.jsonl --collection medquad --n 400
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path

from core.lexical import LexicalIndex, best
from core.schema import Concept
from core.settings import load_settings
from core.text import content_terms
from eval.experiments.answerability import Document, read_documents
from eval.metrics.ranking import ndcg_at, recall_at
from graphs.resources import Resources

K = 10
POOL = 60

Ranked = Callable[[str], list[str]]


@dataclass(frozen=True)
class Renamed:
    """A question, the same with a synonym in place of its focus, and the documents that are right."""

    question: str
    synonymous: str
    relevant: frozenset[str]


def renamed_questions(documents: Sequence[Document], resources: Resources, n: int, seed: int) -> list[Renamed]:
    """Draw questions whose focus the vocabularies call by a name that shares no word with it."""
    right: dict[tuple[str, str], set[str]] = defaultdict(set)
    for document in documents:
        right[document.focus.lower(), document.qtype].add(document.id)
    drawn = random.Random(seed).sample(range(len(documents)), len(documents))
    found: list[Renamed] = []
    seen: set[tuple[str, str]] = set()
    for place in drawn:
        document = documents[place]
        key = (document.focus.lower(), document.qtype)
        if key in seen or document.focus.lower() not in document.question.lower():
            continue
        seen.add(key)
        other = next(_other_names(document.focus, resources), None)
        if other:
            at = document.question.lower().index(document.focus.lower())
            asked = document.question[:at] + other + document.question[at + len(document.focus) :]
            found.append(Renamed(document.question, asked, frozenset(right[key])))
        if len(found) == n:
            break
    return found


def indexed_documents(path: Path) -> list[Document]:
    """The answers under the ids that ``medattest index`` gives them."""
    entries = (json.loads(line) for line in path.read_text("utf-8").splitlines())
    owners = [entry["doc_id"] for entry in entries for _ in entry["qa"]]
    read = read_documents(path)
    return [
        replace(document, id=f"{owner}.{document.id.rpartition('.')[0]}")
        for owner, document in zip(owners, read, strict=True)
    ]


def _other_names(focus: str, resources: Resources) -> Iterator[str]:
    concepts: Sequence[Concept] = resources.knowledge.lookup(focus)
    if len(concepts) != 1:
        return
    words = set(content_terms(focus))
    for name in resources.names(concepts[0]):
        other = set(content_terms(name))
        if other and len(name) > 4 and words.isdisjoint(other):
            yield name


def measure(questions: Sequence[Renamed], ways: dict[str, Ranked]) -> Iterator[tuple[str, str, float, float]]:
    """Yield way, what was asked, nDCG@10 and recall@5."""
    for name, ranked in ways.items():
        for asked, text_of in (("its name", attrgetter("question")), ("a synonym", attrgetter("synonymous"))):
            rankings = [(ranked(text_of(q)), q.relevant) for q in questions]
            ndcg = sum(ndcg_at(ranking, relevant, K) for ranking, relevant in rankings) / len(rankings)
            recall = sum(recall_at(ranking, relevant, 5) for ranking, relevant in rankings) / len(rankings)
            yield name, asked, ndcg, recall


def ways(resources: Resources, collection: str, documents: Sequence[Document]) -> dict[str, Ranked]:
    """Ways of ranking the documents for a question."""
    lexical = LexicalIndex.build([f"{d.focus}\n{d.answer}" for d in documents])

    def bm25(question: str) -> list[str]:
        return [documents[row].id for row in best(lexical.scores(question), K)]

    def search(queries: Sequence[str]) -> list[str]:
        hits = resources.repository.search(collection, list(queries), POOL)
        return list(dict.fromkeys(hit.id.rpartition("#")[0].partition("/")[2] for hit in hits))[:K]

    return {
        "BM25": bm25,
        "search": lambda question: search([question]),
        "search with other names": lambda question: search(resources.phrasings(question)),
    }


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m eval.synonyms", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="medquad_open.jsonl")
    parser.add_argument("--collection", default="medquad")
    parser.add_argument("--n", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    resources = Resources(load_settings())
    documents = indexed_documents(given.data)
    questions = renamed_questions(documents, resources, given.n, given.seed)
    print(f"{len(questions)} questions, seed {given.seed}")
    for name, asked, ndcg, recall in measure(questions, ways(resources, given.collection, documents)):
        print(f"{name:24} asked by {asked:10} nDCG@10 {ndcg:.3f}  recall@5 {recall:.3f}")
    resources.close()


if __name__ == "__main__":
    main()
