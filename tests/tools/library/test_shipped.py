"""What ships is what the sheet says."""

from __future__ import annotations

import hashlib

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tools.library.shipped import DATA, packed, read_documents, read_sheet, read_vectors, unpacked


@given(arrays(np.float32, (3, 8), elements=st.floats(-1, 1, width=32)).filter(lambda a: (np.abs(a) > 0.1).any(1).all()))
def test_four_bits_keep_the_direction(vectors: np.ndarray) -> None:
    rows = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    kept = unpacked(packed(rows), 8)
    assert (np.sum(rows * kept, axis=1) > 0.97).all()
    assert packed(kept) == packed(rows)


def test_the_sheet_describes_the_files() -> None:
    sheet = read_sheet()
    assert [corpus.name for corpus in sheet.corpora] == ["medlineplus", "medquad"]
    for corpus in sheet.corpora:
        for name, digest in corpus.files.items():
            assert hashlib.sha256((DATA / name).read_bytes()).hexdigest() == digest
        documents = list(read_documents(corpus))
        assert len(documents) == corpus.documents
        assert sum(len(document.passages) for document in documents) == corpus.passages
        assert len(read_vectors(corpus, sheet.dimensions)) == corpus.passages
        assert len({document.id for document in documents}) == corpus.documents


def test_lists_stand_whole_and_no_author_is_a_statement() -> None:
    topics = {document.title: document for document in read_documents(read_sheet().corpora[0])}
    (caused,) = [p.text for p in topics["Diarrhea"].passages if "most common causes of diarrhea include" in p.text]
    assert caused.startswith(
        "The most common causes of diarrhea include:\n- Bacteria from contaminated food or water\n-"
    )
    assert caused.endswith("- Problems with how the colon functions, such as irritable bowel syndrome")
    assert not [t for t, d in topics.items() for p in d.passages if p.text.splitlines()[-1].startswith("NIH: ")]
