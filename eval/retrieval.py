"""How well the repository's ranking finds the right documents: SciFact and BioASQ, against what it is made of.

SciFact (Wadden et al. 2020): a claim's relevant abstracts are those that it cites, whether or not they hold evidence,
as in BEIR. BioASQ in MIRAGE's form (Xiong et al. 2024): a question's relevant snippets are those of its PubMed ids.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from core.embeddings import Embedder, MiniLM
from core.errors import InputError
from core.fusion import fuse
from core.lexical import LexicalIndex, best
from core.settings import Settings, load_settings
from core.text import terms
from eval.metrics.ranking import ndcg_at, recall_at
from tools.repository.passages import Chunking, cut

Floats = NDArray[np.float32]
Figures = dict[str, float]
Cut = Callable[[str, str], Sequence[tuple[str, str]]]
"""From a document's text and title to its passages, each as it stands and as it is embedded."""

RANKINGS = ("bm25", "dense", "sum", "lexical", "repository")
DEPTH = 10
BATCH = 64


@dataclass(frozen=True)
class Benchmark:
    """Documents, queries, and which documents are relevant to which query, by their places."""

    name: str
    titles: Sequence[str]
    texts: Sequence[str]
    queries: Sequence[str]
    relevant: Sequence[frozenset[int]]

    def sample(self, size: int, seed: int) -> Benchmark:
        """The same documents with ``size`` of the queries, drawn without replacement."""
        drawn = np.random.default_rng(seed).permutation(len(self.queries))[:size]
        return Benchmark(
            self.name, self.titles, self.texts, [self.queries[i] for i in drawn], [self.relevant[i] for i in drawn]
        )

    def part(self, documents: int, queries: int, seed: int) -> Benchmark:
        """A smaller benchmark: so many queries, the documents relevant to them, and others to fill up, all drawn."""
        random = np.random.default_rng(seed)
        asked = random.permutation(len(self.queries))[:queries]
        wanted = sorted({place for i in asked for place in self.relevant[i]})
        others = random.permutation(sorted(set(range(len(self.texts))) - set(wanted)))
        kept = [*wanted, *(int(i) for i in others[: max(0, documents - len(wanted))])]
        place = {old: new for new, old in enumerate(kept)}
        return Benchmark(
            self.name,
            [self.titles[i] for i in kept],
            [self.texts[i] for i in kept],
            [self.queries[i] for i in asked],
            [frozenset(place[old] for old in self.relevant[i]) for i in asked],
        )


def scifact(folder: Path) -> Benchmark:
    """Read ``corpus.jsonl`` and ``claims_train.jsonl``; raise InputError where they cannot be read."""
    corpus, claims = _lines(folder / "corpus.jsonl"), _lines(folder / "claims_train.jsonl")
    place = {document["doc_id"]: i for i, document in enumerate(corpus)}
    return Benchmark(
        "scifact",
        [document["title"] for document in corpus],
        [" ".join(document["abstract"]) for document in corpus],
        [claim["claim"] for claim in claims],
        [frozenset(place[cited] for cited in claim["cited_doc_ids"]) for claim in claims],
    )


def bioasq(folder: Path) -> Benchmark:
    """Read ``corpus.jsonl`` and ``questions_7B-9B.jsonl``; raise InputError where they cannot be read."""
    corpus, questions = _lines(folder / "corpus.jsonl"), _lines(folder / "questions_7B-9B.jsonl")
    place = {document["pmid"]: i for i, document in enumerate(corpus)}
    return Benchmark(
        "bioasq",
        [""] * len(corpus),
        [document["text"] for document in corpus],
        [question["question"] for question in questions],
        [frozenset(place[pmid] for pmid in question["relevant_pmids"]) for question in questions],
    )


def measure(benchmark: Benchmark, embedder: Embedder, passages: Cut, cache: Path | None = None) -> dict[str, Figures]:
    """nDCG@10 and recall@5 of plain BM25, of the embedder, of their plain sum, and of the repository's two rankings.

    Documents are cut into passages; a document's score is that of its best passage. ``cache`` keeps the vectors.
    """
    owners, texts, embedded = [], [], []
    for place, (text, title) in enumerate(zip(benchmark.texts, benchmark.titles, strict=True)):
        for piece, with_title in passages(text, title) or [("", title)]:
            owners.append(place)
            texts.append(piece)
            embedded.append(with_title)
    titles = [benchmark.titles[place] for place in owners]
    matrix, vectors = _encode(embedder, embedded, cache), _encode(embedder, benchmark.queries, cache)
    index, plain = (
        LexicalIndex.build(texts, titles),
        PlainBM25([f"{title} {text}" for title, text in zip(titles, texts, strict=True)]),
    )
    rankings: dict[str, list[list[int]]] = {name: [] for name in RANKINGS}
    for start in range(0, len(vectors), BATCH):
        queries = benchmark.queries[start : start + BATCH]
        bm25, lexical = plain.scores(queries), np.stack([index.scores(query) for query in queries])
        dense = np.asarray(vectors[start : start + BATCH] @ matrix.T, dtype=np.float32)
        rows = (bm25, dense, _scaled(dense) + _scaled(bm25), lexical, fuse(dense, lexical))
        for ranking, scores in zip(rankings.values(), rows, strict=True):
            ranking.extend(documents_by_best_passage(row, np.array(owners), DEPTH) for row in scores)
    return {name: _figures(ranking, benchmark.relevant) for name, ranking in rankings.items()}


class PlainBM25:
    """BM25 as it is found everywhere, which the repository's must beat: k1 = 1.2, b = 0.75, all words, stemmed."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Index the texts."""
        self._vocabulary: dict[str, int] = {}
        counts = self._counts([terms(text) for text in texts], self._vocabulary)
        length = np.asarray(counts.sum(axis=1)).ravel()
        found = np.bincount(counts.indices, minlength=counts.shape[1])
        idf = np.log1p((len(texts) - found + 0.5) / (found + 0.5))
        norm = np.repeat(1.2 * (0.25 + 0.75 * length / max(length.mean(), 1)), np.diff(counts.indptr))
        counts.data = (idf[counts.indices] * counts.data / (counts.data + norm)).astype(np.float32)
        self._weights = counts.T.tocsr()

    def scores(self, queries: Sequence[str]) -> Floats:
        """BM25 of every text for every query, shape (queries, texts)."""
        known = [[term for term in terms(query) if term in self._vocabulary] for query in queries]
        return np.asarray((self._counts(known, self._vocabulary) @ self._weights).toarray(), dtype=np.float32)

    @staticmethod
    def _counts(bags: Sequence[Sequence[str]], vocabulary: dict[str, int]) -> csr_matrix:
        columns = [vocabulary.setdefault(term, len(vocabulary)) for bag in bags for term in bag]
        rows = np.repeat(np.arange(len(bags)), [len(bag) for bag in bags])
        ones = np.ones(len(columns), dtype=np.float32)
        return csr_matrix((ones, (rows, columns)), shape=(len(bags), len(vocabulary)))


def documents_by_best_passage(scores: Floats, owners: NDArray[np.intp], k: int) -> list[int]:
    """The k documents with the best passages, best first, where passage i belongs to document ``owners[i]``."""
    depth = k
    while True:
        documents = list(dict.fromkeys(int(owners[place]) for place in best(scores, depth)))
        if len(documents) >= k or depth >= len(scores):
            return documents[:k]
        depth *= 4


def _scaled(scores: Floats) -> Floats:
    """Min-max scaling of each query's scores."""
    low, high = scores.min(axis=1, keepdims=True), scores.max(axis=1, keepdims=True)
    return np.asarray((scores - low) / np.maximum(high - low, 1e-9), dtype=np.float32)


def _figures(rankings: Sequence[Sequence[int]], relevant: Sequence[frozenset[int]]) -> Figures:
    pairs = list(zip(rankings, relevant, strict=True))
    return {
        "ndcg@10": float(np.mean([ndcg_at(ranking, wanted, 10) for ranking, wanted in pairs])),
        "recall@5": float(np.mean([recall_at(ranking, wanted, 5) for ranking, wanted in pairs])),
    }


def _encode(embedder: Embedder, texts: Sequence[str], cache: Path | None) -> Floats:
    """Vectors of the texts, from the cache where it has those of the very same texts and embedder."""
    if cache is None:
        return embedder.encode(texts)
    key = hashlib.sha256(json.dumps([embedder.name, list(texts)]).encode()).hexdigest()[:24]
    file = cache / f"{key}.npy"
    if not file.exists():
        cache.mkdir(parents=True, exist_ok=True)
        np.save(file, embedder.encode(texts))
    return np.asarray(np.load(file), dtype=np.float32)


def _lines(file: Path) -> list[dict[str, Any]]:
    try:
        return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise InputError(f"{file} cannot be read ({error}); --data names the folder of scifact/ and bioasq/") from error


def table(figures: Mapping[str, Mapping[str, Figures]]) -> Iterator[str]:
    """Lines of a Markdown table, a line for each data set and ranking."""
    yield "| data | ranking | nDCG@10 | R@5 |"
    yield "|---|---|---|---|"
    for name, rankings in figures.items():
        for ranking, figure in rankings.items():
            yield f"| {name} | {ranking} | {figure['ndcg@10']:.4f} | {figure['recall@5']:.4f} |"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table, or JSON, for the data sets in a folder."""
    parser = argparse.ArgumentParser(prog="python -m eval.retrieval", description=main.__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of scifact/ and bioasq/")
    parser.add_argument("--cache", type=Path, help="keep the vectors here")
    parser.add_argument("--queries", type=int, help="only so many queries of each set")
    parser.add_argument("--seed", type=int, default=0, help="which of them")
    parser.add_argument("--whole", action="store_true", help="a document is one passage")
    parser.add_argument("--json", action="store_true", help="print one object")
    given = parser.parse_args(arguments)
    settings = load_settings()
    embedder = MiniLM.load(settings.home, settings.threads)
    passages = _whole if given.whole else repository_passages(embedder, settings)
    figures = {}
    for benchmark in (scifact(given.data / "scifact"), bioasq(given.data / "bioasq")):
        chosen = benchmark.sample(given.queries, given.seed) if given.queries else benchmark
        figures[benchmark.name] = measure(chosen, embedder, passages, given.cache)
    sys.stdout.write(json.dumps(figures) + "\n" if given.json else "\n".join(table(figures)) + "\n")


def repository_passages(embedder: Embedder, settings: Settings) -> Cut:
    """Passages as the repository cuts them."""
    chunking = Chunking(settings.chunk_tokens, settings.chunk_overlap)

    def passages(text: str, title: str) -> list[tuple[str, str]]:
        found = cut(text, title, embedder.token_spans, chunking)
        return [(text[passage.start : passage.end], passage.embedded) for passage in found]

    return passages


def _whole(text: str, title: str) -> list[tuple[str, str]]:
    return [(text, f"{title}\n{text}".strip())]


if __name__ == "__main__":
    main()
