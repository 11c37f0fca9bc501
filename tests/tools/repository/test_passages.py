from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from tools.repository.passages import Chunking, cut


def spans(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in re.finditer(r"\w{1,6}|[^\w\s]", text)]


TEXTS = st.lists(
    st.sampled_from(["Aspirin", "helps", "the", "heart.", "Why?", "\n\n", "immunohistochemistry", "- item\n", "é𝛼"])
)


@given(TEXTS.map(" ".join), st.integers(8, 40), st.integers(0, 4))
def test_passages_keep_every_word_within_the_limit(text: str, tokens: int, overlap: int) -> None:
    passages = cut(text, "", spans, Chunking(tokens, overlap))
    covered = {i for p in passages for i in range(p.start, p.end)}
    assert all(i in covered for i, c in enumerate(text) if not c.isspace())
    assert all(len(spans(text[p.start : p.end])) <= tokens for p in passages)
    assert [p.start for p in passages] == sorted({p.start for p in passages})


def test_passages_end_with_sentences() -> None:
    text = "Warfarin thins the blood. It needs monitoring often. Bleeding is the main risk of it."
    passages = cut(text, "", spans, Chunking(12, 0))
    assert all(text[p.start : p.end].endswith(".") for p in passages)


def test_neighbours_share_whole_sentences_up_to_the_overlap() -> None:
    text = "One two three four five six. Ab cd. Seven eight nine ten eleven twelve."
    first, second = cut(text, "", spans, Chunking(11, 4))
    assert text[first.start : first.end].endswith("Ab cd.")
    assert text[second.start : second.end].startswith("Ab cd.")


def test_title_is_embedded_but_takes_a_quarter_at_most() -> None:
    text = "Aspirin helps the heart. " * 10
    passages = cut(text, "Acetylsalicylic acid in cardiology", spans, Chunking(16, 0))
    assert all(p.embedded.startswith("Acetylsalicyl") and p.embedded.endswith(text[p.start : p.end]) for p in passages)
    assert all(len(spans(p.embedded)) <= 16 for p in passages)


def test_base64_does_not_become_one_endless_passage() -> None:
    passages = cut("A" * 100_000, "", lambda text: [(0, len(text))], Chunking(32, 0))
    assert max(p.end - p.start for p in passages) <= 32 * 16


def test_blank_text_has_no_passages() -> None:
    assert cut(" \n\n ", "Title", spans, Chunking(16, 0)) == []
