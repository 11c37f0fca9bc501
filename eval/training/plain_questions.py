"""Plain questions of a library's documents, in fixed wordings, with the sentences that several hands found to answer.

A hand's line is ``{"id": document, "a": {aspect: [direct, also]}}``: the numbers of the sentences that answer what is
plainly asked of the aspect, and of those that belong to a good answer, counted through the document from 1; a document
that is of no condition has no ``a``. An aspect that nothing answers gives questions without an answer, unless another
corpus has a document of that name with a heading of the aspect: then nobody knows.

    python -m eval.training.plain_questions hand1.jsonl hand2.jsonl --out questions.jsonl
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from chains.relevance.subject import aspect_of
from core.errors import InputError
from core.language import sentences
from eval.training.library_questions import ALSO, DIRECT, write_by_document
from tools.library.shipped import AnsweredQuestion, Document, read_documents, read_questions, read_sheet


class Aspect(NamedTuple):
    """How an aspect is asked for, and the aspects of headings under which others tell of it."""

    wordings: tuple[str, ...]
    headings: frozenset[str] = frozenset()


ASPECTS: Mapping[str, Aspect] = {
    "what": Aspect(("what is {}",), frozenset({"definition"})),
    "symptoms": Aspect(("what are the symptoms of {}", "how do i know if i have {}"), frozenset({"symptoms"})),
    "causes": Aspect(("what causes {}", "how do you get {}"), frozenset({"causes"})),
    "spread": Aspect(("is {} contagious", "how do you catch {}")),
    "who": Aspect(
        ("who gets {}", "what are the risk factors for {}", "who is at risk for {}"), frozenset({"risk factors"})
    ),
    "genes": Aspect(("is {} hereditary",), frozenset({"inheritance", "genetic changes"})),
    "tests": Aspect(("how is {} diagnosed", "what tests are done for {}"), frozenset({"diagnosis"})),
    "treatment": Aspect(("how is {} treated", "what is the best treatment for {}"), frozenset({"treatment"})),
    "helps": Aspect(("what can i do at home for {}", "what helps {}"), frozenset({"care", "treatment"})),
    "cure": Aspect(("can {} be cured", "does {} go away on its own"), frozenset({"treatment", "outlook"})),
    "prevent": Aspect(("how can i prevent {}",), frozenset({"prevention"})),
    "serious": Aspect(("how serious is {}", "can you die from {}", "is {} deadly"), frozenset({"outlook"})),
    "complications": Aspect(
        ("what are the complications of {}", "what happens if {} is not treated"), frozenset({"complications"})
    ),
    "common": Aspect(("how common is {}",), frozenset({"frequency"})),
    "long": Aspect(("how long does {} last",)),
    "doctor": Aspect(("when should i see a doctor for {}",)),
    "kinds": Aspect(("what are the types of {}",), frozenset({"stages"})),
    "eat": Aspect(("what should i eat with {}",), frozenset({"care"})),
}  # fmt: skip

_BRACKETS = re.compile(r"\s*\([^)]*\)")
_TYPE = re.compile(r"^(.+) (type \d)$")


def name_of(title: str) -> str:
    """A document's title as people type it: "Diabetes Type 2" is "type 2 diabetes"."""
    return _TYPE.sub(r"\2 \1", _BRACKETS.sub("", title).lower().strip())


def headed(documents: Iterable[Document]) -> dict[str, set[str]]:
    """The aspects of the headings of documents, by name without its plural."""
    found: dict[str, set[str]] = defaultdict(set)
    for document in documents:
        aspects = {aspect_of(passage.title) for passage in document.passages} - {""}
        if aspects:
            found[name_of(document.title).rstrip("s")] |= aspects
    return found


def questions_of(
    line: str, documents: Mapping[str, Document], others: Mapping[str, set[str]]
) -> Iterator[AnsweredQuestion]:
    """The questions of one line of a hand; InputError where it names what is not there."""
    try:
        told = json.loads(line)
        document = documents[told["id"]]
        places = [(n, span.start) for n, one in enumerate(document.passages) for span in sentences(one.text)]
        name = name_of(document.title)
        for aspect, (direct, also) in told.get("a", {}).items():
            answers = _answers(places, direct, also)
            if answers or not ASPECTS[aspect].headings & others.get(name.rstrip("s"), set()):
                for wording in ASPECTS[aspect].wordings:
                    yield AnsweredQuestion(document.id, wording.format(name), answers)
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise InputError(f"{line[:80]!r} names what is not there: {error!r}") from error


def _answers(
    places: Sequence[tuple[int, int]], direct: Sequence[int], also: Sequence[int]
) -> dict[int, dict[int, int]]:
    """The grades of sentences by where they begin, by passage; of passages in which none answers, nothing."""
    if min([1, *direct, *also]) < 1:
        raise ValueError("sentences are counted from 1")
    grades: dict[int, dict[int, int]] = defaultdict(dict)
    for grade, numbers in ((ALSO, also), (DIRECT, direct)):
        for number in numbers:
            passage, start = places[number - 1]
            grades[passage][start] = grade
    return {passage: dict(sorted(of.items())) for passage, of in sorted(grades.items()) if DIRECT in of.values()}


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error}): name a file of a hand") from error


def main() -> None:
    """Write the questions that ship with those of all hands, by document; each question of a document once."""
    parser = argparse.ArgumentParser(prog="python -m eval.training.plain_questions", description=main.__doc__)
    parser.add_argument("hands", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    corpus, *older = read_sheet().corpora
    documents = {document.id: document for document in read_documents(corpus)}
    others = headed(document for one in older for document in read_documents(one))
    found = {(one.document, one.text.lower()): one for one in read_questions(corpus)}
    before = len(found)
    for path in given.hands:
        for line in _lines(path):
            for question in questions_of(line, documents, others):
                found.setdefault((question.document, question.text.lower()), question)
    ordered = write_by_document(found.values(), documents, given.out)
    sys.stderr.write(f"{len(ordered) - before:,} questions more than {before:,}\n")


if __name__ == "__main__":
    main()
