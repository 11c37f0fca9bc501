"""Does the evidence-only engine know when it does not know? MedQuAD's questions, with and without their answers.

Every answer of MedQuAD is a document. A question is asked twice: of all documents, and of those that remain when every
document of its focus is removed, also those whose focus contains it or is contained in it. Abstaining is right the
second time and wrong the first. Only focuses are asked about that nothing was fitted on. What decides here is
``understand``, ``relevance`` and 0.5; what the whole program withholds, by the risk of its answer, is ``withheld``'s.

    python -m eval.experiments.answerability --data medquad_open.jsonl --n 600 --title focus
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from chains.relevance import Relevance, relevance
from chains.understand import understand
from chains.understanding import Understanding
from core.embeddings import Embedder, MiniLM
from core.errors import InputError
from core.language import sentences
from core.lexical import LexicalIndex, best
from core.rarity import Rarity, wordpiece_rarity
from core.readers.reader import Reader
from core.schema import Evidence
from eval.data.held_out import held_out

Judge = Callable[[Understanding, Sequence[Evidence]], list[Relevance]]
TitleForm = Literal["focus", "question", "none"]
THRESHOLD = 0.5
CANDIDATES = 12
CHUNK_TOKENS, CHUNK_OVERLAP = 128, 16
PRICES = (0.10, 0.15)


@dataclass(frozen=True)
class Document:
    """One answer of MedQuAD."""

    id: str
    focus: str
    qtype: str
    question: str
    answer: str

    def title(self, form: TitleForm) -> str:
        """What the document is called in one of the forms a collection may have."""
        return {"focus": self.focus, "question": self.question, "none": ""}[form]


@dataclass(frozen=True)
class Piece:
    """A passage: the place of its document, its own place in that, and its text."""

    document: int
    place: int
    text: str


@dataclass(frozen=True)
class Asked:
    """A question put to a collection: whether its answers were in it, and what was found, best first."""

    document: int
    present: bool
    found: tuple[int, ...]


class Collection:
    """MedQuAD's passages in one form, and what a question finds among them."""

    def __init__(self, documents: Sequence[Document], pieces: Sequence[Piece], form: TitleForm) -> None:
        """Index the pieces; this takes some seconds."""
        self.documents = documents
        self.pieces = pieces
        self.form = form
        titles = [documents[p.document].title(form) for p in pieces]
        self._index = LexicalIndex.build([p.text for p in pieces], titles)

    @cached_property
    def _foci(self) -> NDArray[np.str_]:
        return np.array([d.focus.lower() for d in self.documents])

    @cached_property
    def _document_of(self) -> NDArray[np.int64]:
        return np.array([p.document for p in self.pieces])

    def evidence(self, place: int) -> Evidence:
        """A passage as the repository would return it."""
        piece = self.pieces[place]
        document = self.documents[piece.document]
        return Evidence(
            id=f"repository:medquad/{document.id}#{piece.place}",
            text=piece.text,
            title=document.title(self.form),
            source="repository",
        )

    def ask(self, document: int, candidates: int = CANDIDATES) -> Iterator[Asked]:
        """The question of a document, with its focus in the collection and with it removed."""
        scores = self._index.scores(self.documents[document].question)
        yield Asked(document, True, _found(scores, candidates))
        focus = self.documents[document].focus.lower()
        same = np.array([focus in other or other in focus for other in self._foci])
        yield Asked(document, False, _found(np.where(same[self._document_of], 0.0, scores), candidates))


def read_documents(path: Path) -> list[Document]:
    """The answers of a MedQuAD file; raise InputError, naming the line, where it is no such file."""
    documents: list[Document] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            entry = json.loads(line)
            documents += [
                Document(f"{qa['qid']}.{len(documents)}", entry["focus"], qa["qtype"], qa["question"], qa["answer"])
                for qa in entry["qa"]
            ]
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"{path}, line {number}: no MedQuAD document ({error!r}); give medquad_open.jsonl"
            ) from error
    return documents


def cut_documents(documents: Sequence[Document], embedder: Embedder) -> list[Piece]:
    """Passages of whole sentences, of the product's default length and overlap."""
    return [
        Piece(number, place, text)
        for number, document in enumerate(documents)
        for place, text in enumerate(_cut(document.answer, embedder.token_spans))
    ]


def _cut(text: str, spans: Callable[[str], list[tuple[int, int]]]) -> Iterator[str]:
    starts = np.array([start for start, _ in spans(text)])
    if len(starts) <= CHUNK_TOKENS:
        yield text
        return
    units: list[tuple[int, int, int]] = []
    for sentence in sentences(text):
        first, last = (int(i) for i in np.searchsorted(starts, [sentence.start, sentence.end]))
        for at in range(first, last, CHUNK_TOKENS):
            after = at + CHUNK_TOKENS
            units.append((int(starts[at]), int(starts[after]) if after < last else sentence.end, min(after, last) - at))
    begin = 0
    while begin < len(units):
        end = _filled(units, begin)
        yield text[units[begin][0] : units[end - 1][1]].strip()
        begin = _overlapping(units, begin, end) if end < len(units) else end


def _filled(units: Sequence[tuple[int, int, int]], begin: int) -> int:
    end, tokens = begin, 0
    while end < len(units) and tokens + units[end][2] <= CHUNK_TOKENS:
        tokens, end = tokens + units[end][2], end + 1
    return end


def _overlapping(units: Sequence[tuple[int, int, int]], begin: int, end: int) -> int:
    start, tokens = end, 0
    while start - 1 > begin and tokens + units[start - 1][2] <= CHUNK_OVERLAP:
        start -= 1
        tokens += units[start][2]
    return start


def _found(scores: NDArray[np.float32], k: int) -> tuple[int, ...]:
    return tuple(int(i) for i in best(scores, k) if scores[i] > 0)


def judge_of(embedder: MiniLM, threads: int) -> Judge:
    """What the product judges relevance by; vectors of passages are made once, as an index keeps them."""
    rarity, kept = rarity_of(embedder), dict[str, NDArray[np.float32]]()
    read = Reader.load("answering", threads).outputs

    def vectors(evidence: Sequence[Evidence]) -> NDArray[np.float32]:
        fresh = list(dict.fromkeys(e.text for e in evidence if e.text not in kept))
        kept.update(zip(fresh, embedder.encode(fresh), strict=True))
        return np.array([kept[e.text] for e in evidence])

    return lambda understanding, evidence: relevance(
        understanding, evidence, rarity, encode=embedder.encode, vectors=vectors, read=read
    )


def measure(collection: Collection, judge: Judge, sample: Sequence[int]) -> dict[str, float]:
    """Abstentions, AUC and the first citation's rightness over the questions of a sample of documents."""
    present: list[float] = []
    removed: list[float] = []
    right: list[tuple[bool, bool]] = []
    for number in sample:
        document = collection.documents[number]
        understanding = understand(document.question)
        for asked in collection.ask(number):
            weighed = judge(understanding, [collection.evidence(p) for p in asked.found])
            top = max(range(len(weighed)), key=lambda i: weighed[i].p_answers, default=None)
            probability = 0.0 if top is None else weighed[top].p_answers
            (present if asked.present else removed).append(probability)
            if asked.present and top is not None and probability >= THRESHOLD:
                cited = collection.documents[collection.pieces[asked.found[top]].document]
                same = cited.focus.lower() == document.focus.lower()
                right.append((same, same and cited.qtype == document.qtype))
    return summary(present, removed, right)


def summary(present: Sequence[float], removed: Sequence[float], right: Sequence[tuple[bool, bool]]) -> dict[str, float]:
    """Figures of probabilities with and without the answers, and of (focus, focus and type) of first citations."""
    with_answer, without = np.sort(np.array(present)), np.array(removed)
    figures = {
        "questions": float(len(present)),
        "abstains_removed": float((without < THRESHOLD).mean()),
        "abstains_present": float((with_answer < THRESHOLD).mean()),
        "auc": auc(with_answer, without),
        "first_focus": float(np.mean([r[0] for r in right])) if right else 0.0,
        "first_focus_and_type": float(np.mean([r[1] for r in right])) if right else 0.0,
    }
    for price in PRICES:
        cut = with_answer[int(len(with_answer) * price)]
        figures[f"abstains_removed_at_{price:.2f}"] = float((without < cut).mean())
    return figures


def auc(higher: Iterable[float], lower: Iterable[float]) -> float:
    """Probability that one of the first exceeds one of the second, ties counting half."""
    base = np.sort(np.array(list(lower)))
    values = np.array(list(higher))
    below = np.searchsorted(base, values, "left") + np.searchsorted(base, values, "right")
    return float(below.mean() / 2 / len(base))


def rarity_of(embedder: MiniLM) -> Rarity:
    """The weight of words that the product uses."""
    return wordpiece_rarity(embedder.vocabulary())


@lru_cache(maxsize=1)
def cut(path: Path, home: Path, threads: int = 2) -> tuple[list[Document], list[Piece]]:
    """The documents of a MedQuAD file and their passages."""
    documents = read_documents(path)
    return documents, cut_documents(documents, MiniLM.load(home, threads))


def drawn(documents: Sequence[Document], n: int, seed: int) -> list[int]:
    """The places of documents, on focuses that nothing was fitted on, whose questions are asked."""
    unfitted = [number for number, document in enumerate(documents) if held_out(document.focus)]
    return random.Random(seed).sample(unfitted, min(n, len(unfitted)))


def answerability(
    path: Path,
    home: Path,
    *,
    n: int = 600,
    seed: int = 0,
    forms: Sequence[TitleForm] = get_args(TitleForm),
    threads: int = 2,
) -> Mapping[str, Mapping[str, float]]:
    """The figures of each form of titles."""
    documents, pieces = cut(path, home, threads)
    sample, judge = drawn(documents, n, seed), judge_of(MiniLM.load(home, threads), threads)
    return {form: measure(Collection(documents, pieces, form), judge, sample) for form in forms}


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description="Abstention on MedQuAD with and without the answers.")
    parser.add_argument("--data", type=Path, required=True, help="medquad_open.jsonl")
    parser.add_argument("--home", type=Path, default=Path("~/.medattest").expanduser(), help="the data directory")
    parser.add_argument("--n", type=int, default=600, help="questions")
    parser.add_argument("--seed", type=int, default=0, help="of the sample of questions")
    parser.add_argument("--title", choices=get_args(TitleForm), action="append", help="what documents are called; all")
    given = parser.parse_args()
    forms = given.title or get_args(TitleForm)
    print(json.dumps(answerability(given.data, given.home, n=given.n, seed=given.seed, forms=forms), indent=1))


if __name__ == "__main__":
    main()
