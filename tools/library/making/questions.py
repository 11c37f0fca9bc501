"""Put the questions that were written for a corpus's texts into the library: ``… .questions CORPUS QUESTIONS.jsonl``.

A line is ``[id of a document, question, {passage: {where a sentence begins: 2 or 1}}]``, as it ships; a question that
is not answered there has no passage.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from core.errors import InputError
from core.minilm import MiniLM
from core.settings import load_settings
from tools.library.shipped import (
    DATA,
    SHEET,
    AnsweredQuestion,
    Document,
    checksum,
    read_documents,
    read_sheet,
    write_lines,
    write_vectors,
)

ANSWERS = 2
GRADES = frozenset({1, ANSWERS})


def main(name: str, path: Path, folder: Path = DATA) -> None:
    """Write questions and vectors of one corpus, and name them in the sheet."""
    settings = load_settings()
    embedder = MiniLM.load(settings.home, settings.threads)
    sheet = read_sheet(folder)
    corpus = next((one for one in sheet.corpora if one.name == name), None)
    if corpus is None:
        raise InputError(f"there is no corpus {name}: {', '.join(one.name for one in sheet.corpora)}")
    documents = {document.id: document for document in read_documents(corpus, folder)}
    lines = path.read_text(encoding="utf-8").splitlines()
    questions = [checked(AnsweredQuestion(*json.loads(line)), documents) for line in lines]
    paths = folder / f"{name}.questions.jsonl.xz", folder / f"{name}.questions.vectors.xz"
    write_lines(questions, paths[0])
    write_vectors(embedder.encode([question.text for question in questions]), paths[1])
    files = {**corpus.files, **{path.name: checksum(path) for path in paths}}
    written = corpus.model_copy(update={"questions": len(questions), "files": files})
    corpora = tuple(written if one is corpus else one for one in sheet.corpora)
    made = sheet.model_copy(update={"corpora": corpora})
    (folder / SHEET).write_text(made.model_dump_json(indent=2) + "\n", encoding="utf-8")


def checked(question: AnsweredQuestion, documents: dict[str, Document]) -> AnsweredQuestion:
    """A question whose document has the passages, and the places in them, that it names; InputError otherwise."""
    document = documents.get(question.document)
    for number, grades in question.answers.items():
        held = document is not None and 0 <= int(number) < len(document.passages)
        length = len(document.passages[int(number)].text) if document and held else 0
        known = all(0 <= int(start) < length and grade in GRADES for start, grade in grades.items())
        if not known or ANSWERS not in grades.values():
            raise InputError(f"{question.text!r}: passage {number} of {question.document} has no such sentences")
    if document is None:
        raise InputError(f"{question.text!r}: there is no document {question.document}")
    return question


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
