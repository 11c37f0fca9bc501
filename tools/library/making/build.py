"""Make the library's files: ``python -m tools.library.making.build TOPICS.jsonl MEDQUAD.jsonl``.

``TOPICS`` are MedlinePlus's health topics (``id, title, url, description, text``), ``MEDQUAD`` is MedQuAD
(``doc_id, source, url, focus, qa[{question, answer}]``). What was embedded for the files that ship is kept. Questions
are put in after it, by ``tools.library.making.questions``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import DataMissing
from core.minilm import MiniLM
from core.settings import load_settings
from tools.library.making import medlineplus, medquad
from tools.library.making.newer import without_older
from tools.library.shipped import (
    DATA,
    SHEET,
    Corpus,
    Document,
    Floats,
    Sheet,
    checksum,
    read_documents,
    read_sheet,
    read_vectors,
    write_lines,
    write_vectors,
)

BATCH = 64

MEDLINEPLUS = {
    "name": "medlineplus",
    "title": "MedlinePlus health topics",
    "owner": "MedlinePlus, National Library of Medicine",
    "published": "2024-06",
    "licence": "public domain",
    "acknowledgement": "Source: MedlinePlus, National Library of Medicine",
    "address": "https://medlineplus.gov",
}
MEDQUAD = {
    "name": "medquad",
    "title": "MedQuAD, answers of NIH's web pages",
    "owner": "National Institutes of Health",
    "published": "2019",
    "licence": "CC BY 4.0",
    "acknowledgement": "A. Ben Abacha and D. Demner-Fushman: A question-entailment approach to question answering, "
    "BMC Bioinformatics 2019; cut into passages, without tables and navigation",
    "address": "https://github.com/abachaa/MedQuAD",
}


def main(topics: Path, pairs: Path, folder: Path = DATA) -> None:
    """Write texts, vectors and the sheet into a folder."""
    settings = load_settings()
    embedder = MiniLM.load(settings.home, settings.threads)

    def count(text: str) -> int:
        return len(embedder.token_spans(text))

    newer = list(medlineplus.documents(_lines(topics), count))
    older = without_older(medquad.documents(_lines(pairs), count), newer)
    folder.mkdir(parents=True, exist_ok=True)
    kept = _kept(folder)
    corpora = [
        _written(facts, documents, _vectors(documents, kept, embedder), folder)
        for facts, documents in ((MEDLINEPLUS, newer), (MEDQUAD, older))
    ]
    sheet = Sheet(
        made_by="python -m tools.library.making.build",
        embedder=embedder.name,
        dimensions=embedder.dimensions,
        corpora=tuple(corpora),
    )
    (folder / SHEET).write_text(sheet.model_dump_json(indent=2) + "\n", encoding="utf-8")


def _kept(folder: Path) -> dict[str, Floats]:
    """The vectors that ship, by what was embedded; none where the files do not belong together."""
    try:
        sheet = read_sheet(folder)
        return {
            text: vector
            for corpus in sheet.corpora
            for text, vector in zip(
                _embedded(read_documents(corpus, folder)), read_vectors(corpus, sheet.dimensions, folder), strict=False
            )
        }
    except DataMissing:
        return {}


def _vectors(documents: list[Document], kept: dict[str, Floats], embedder: MiniLM) -> Floats:
    """The vectors of all passages."""
    texts = list(_embedded(documents))
    fresh = [place for place, text in enumerate(texts) if text not in kept]
    for start in range(0, len(fresh), BATCH):
        batch = [texts[place] for place in fresh[start : start + BATCH]]
        kept.update(zip(batch, embedder.encode(batch), strict=True))
        sys.stderr.write(f"\r{start + len(batch):,} of {len(fresh):,} passages")
    return np.array([kept[text] for text in texts], np.float32).reshape(len(texts), embedder.dimensions)


def _embedded(documents: Iterable[Document]) -> Iterator[str]:
    return (passage.embedded for document in documents for passage in document.passages)


def _written(facts: dict[str, str], documents: list[Document], vectors: Floats, folder: Path) -> Corpus:
    """Write one corpus; say what it has."""
    paths = folder / f"{facts['name']}.jsonl.xz", folder / f"{facts['name']}.vectors.xz"
    write_lines(documents, paths[0])
    write_vectors(vectors, paths[1])
    return Corpus(
        **facts,
        documents=len(documents),
        passages=sum(len(document.passages) for document in documents),
        files={path.name: checksum(path) for path in paths},
    )


def _lines(path: Path) -> Iterator[Any]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
