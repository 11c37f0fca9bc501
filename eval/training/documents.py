"""Lists of what a search finds in documents of others: MedQuAD's answers, titled by focus, by question or not at all.

A question stands beside passages of its own answer, of other answers on its focus, and of those on focuses that the
search takes for it. Focuses that are held out, what the Human Phenotype Ontology lists, and passages that share
thirteen words with MEDIQA's, stay out.

    python -m eval.training.documents --medquad medquad_open.jsonl --measured mediqa_qa --out made.jsonl
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import get_args

from eval.data.held_out import held_out, normal_name
from eval.experiments.answerability import Collection, Document, Piece, TitleForm, cut
from eval.training.judged import Pair
from eval.training.lists import write_lists
from eval.training.questions import Asker, same_focus
from eval.training.sections import ONTOLOGY, measured_texts, shingles

FIRST, LATER, KIN = 1.0, 0.7, 0.1
"""How far the first passage of an answer answers, its later ones, and answers of another type on the same focus."""
OWN, SAME, OTHER = 2, 2, 4
"""Passages of the answer itself, of others on its focus, and of other focuses, at most a list."""
GENERAL = "information"
"""The type of question whose answer tells something of everything."""
TYPED = 0.5
"""How often a question is typed as people do."""
PHENOTYPES = (ONTOLOGY.removeprefix("The "), "Approximate number of patients")
"""What stands in passages that list what the Human Phenotype Ontology has."""


class Lists:
    """Makes lists; every choice comes from one seed."""

    def __init__(self, documents: Sequence[Document], pieces: Sequence[Piece], rng: random.Random) -> None:
        """Take the documents that may be learnt from, and index them."""
        self.rng, self.documents, self.pieces = rng, documents, pieces
        self.asker = Asker(rng)
        self.collection = Collection(documents, pieces, "focus")
        self.of_document: Mapping[int, list[int]] = defaultdict(list)
        for place, piece in enumerate(pieces):
            self.of_document[piece.document].append(place)

    def of(self, number: int) -> list[Pair]:
        """The list of one document's question."""
        document, form = self.documents[number], self.rng.choice(get_args(TitleForm))
        found = [place for one in self.collection.ask(number) for place in one.found]
        own = self.of_document[number][: 2 * OWN]
        drawn = [own[0], *self.rng.sample(own[1:], min(len(own) - 1, OWN - 1))]
        told = [(place, LATER if place != own[0] else FIRST) for place in drawn]
        others = [place for place in dict.fromkeys(found) if self.pieces[place].document != number]
        same = [place for place in others if same_focus(self._focus(place), normal_name(document.focus))]
        beside = [place for place in others if self._apart(place, document)]
        told += [(place, KIN) for place in same if self._of_another_type(place, document)][:SAME]
        told += [(place, 0.0) for place in beside[:OTHER]]
        question = self.asker.typed(document.question) if self.rng.random() < TYPED else document.question
        return [self._pair(question, place, form, label) for place, label in told]

    def _pair(self, question: str, place: int, form: TitleForm, label: float) -> Pair:
        piece = self.pieces[place]
        return Pair(question, self.documents[piece.document].title(form), piece.text, label)

    def _focus(self, place: int) -> str:
        return normal_name(self.documents[self.pieces[place].document].focus)

    def _apart(self, place: int, document: Document) -> bool:
        """Whether a passage is on a focus that is neither the document's nor a part of it, nor the reverse."""
        other, own = self._focus(place), normal_name(document.focus)
        return not (same_focus(other, own) or other in own or own in other)

    def _of_another_type(self, place: int, document: Document) -> bool:
        types = {self.documents[self.pieces[place].document].qtype, document.qtype}
        return len(types) > 1 and GENERAL not in types


def lists(medquad: Path, home: Path, measured: Path, count: int, rng: random.Random) -> Iterator[list[Pair]]:
    """So many lists, each of another question."""
    shared = measured_texts(measured)
    documents, pieces = cut(medquad, home)
    kept = [n for n, document in enumerate(documents) if not held_out(document.focus)]
    renamed = {old: new for new, old in enumerate(kept)}
    usable = [
        Piece(renamed[p.document], p.place, p.text)
        for p in pieces
        if p.document in renamed and not any(mark in p.text for mark in PHENOTYPES) and not shingles(p.text) & shared
    ]
    maker = Lists([documents[n] for n in kept], usable, rng)
    asked = sorted(maker.of_document)
    for number in rng.sample(asked, min(count, len(asked))):
        yield maker.of(number)


def main() -> None:
    """Write the lists and print how many there are."""
    parser = argparse.ArgumentParser(description="Make lists of questions and passages of documents.")
    parser.add_argument("--medquad", type=Path, required=True)
    parser.add_argument("--measured", type=Path, required=True, help="the folder mediqa_qa, to keep its texts out")
    parser.add_argument("--home", type=Path, default=Path("~/.medattest").expanduser(), help="the data directory")
    parser.add_argument("--questions", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    made = lists(given.medquad, given.home, given.measured, given.questions, random.Random(given.seed))
    count = write_lists(made, frozenset(), given.out)  # what measures is out already
    print(f"{count:,} pairs")


if __name__ == "__main__":
    main()
