"""The questions that several hands wrote for the library's texts, as ``tools.library.making.questions`` takes them.

A hand's line is ``document TAB where TAB question``. ``where`` is ``passage:direct;also``: the number of a passage,
those of its sentences that answer, and those that belong to a good answer; several passages are joined by ``|``, and
``-`` means that the document does not answer. Sentences are numbered as answers take them.

    python -m eval.training.library_questions hand1.tsv hand2.tsv --out questions.jsonl
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from chains.answer.sentences import units_of
from core.errors import InputError
from core.schema import Evidence
from tools.library.shipped import AnsweredQuestion, Document, read_documents, read_sheet

NOWHERE = "-"
DIRECT, ALSO = 2, 1


def read_hand(lines: Sequence[str], documents: Mapping[str, Document]) -> Iterator[AnsweredQuestion]:
    """The questions of one hand; InputError for a line that names what is not there."""
    for number, line in enumerate(lines, start=1):
        try:
            key, where, question = line.split("\t")
            document = documents[key.strip()]
            places = [] if where.strip() == NOWHERE else where.strip().strip("|").split("|")
            answers = dict(_graded(place, document) for place in places)
            if not question.strip():
                raise ValueError("no question")
        except (ValueError, KeyError, IndexError) as error:
            raise InputError(f"line {number}, {line!r}: {error!r}") from error
        yield AnsweredQuestion(document.id, " ".join(question.split()), answers)


def _graded(place: str, document: Document) -> tuple[int, dict[int, int]]:
    """The passage of ``passage:direct;also``, and the grades of its sentences by where they begin."""
    number, _, graded = place.partition(":")
    passage = document.passages[int(number)]
    piece = Evidence(
        id=f"library:x/{document.id}#{int(number)}", text=passage.text, title=passage.title, source="library"
    )
    starts = [unit.start for unit in units_of(piece)]
    direct, _, also = graded.partition(";")
    grades = {starts[int(n)]: ALSO for n in also.split(",") if n.strip()}
    grades |= {starts[int(n)]: DIRECT for n in direct.split(",") if n.strip()}
    if DIRECT not in grades.values():
        raise ValueError(f"passage {number} has no sentence that answers")
    return int(number), grades


def write_by_document(
    questions: Iterable[AnsweredQuestion], documents: Mapping[str, Document], path: Path
) -> list[AnsweredQuestion]:
    """Write questions, a line each, those of a document together, documents as the corpus has them."""
    places = {key: place for place, key in enumerate(documents)}
    ordered = sorted(questions, key=lambda question: places[question.document])
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in ordered), encoding="utf-8")
    return ordered


def main() -> None:
    """Write the questions of all hands, each once, by document; lines that cannot be read are named and left out."""
    parser = argparse.ArgumentParser(prog="python -m eval.training.library_questions", description=__doc__)
    parser.add_argument("hands", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--corpus", default="medlineplus")
    given = parser.parse_args()
    corpus = next(one for one in read_sheet().corpora if one.name == given.corpus)
    documents = {document.id: document for document in read_documents(corpus)}
    found: dict[tuple[str, str], AnsweredQuestion] = {}
    for path in given.hands:
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                for question in read_hand([line], documents):
                    found.setdefault((question.document, question.text.lower()), question)
            except InputError as error:
                sys.stderr.write(f"{path}: {error}\n")
    ordered = write_by_document(found.values(), documents, given.out)
    sys.stderr.write(f"{len(ordered):,} questions, {sum(not one.answers for one in ordered):,} not answered there\n")


if __name__ == "__main__":
    main()
