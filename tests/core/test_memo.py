"""The memory of vectors: it gives back what it was given, and stays small."""

from __future__ import annotations

import numpy as np

from core.memo import VectorMemo


def test_it_forgets_what_was_used_longest_ago() -> None:
    memo = VectorMemo(capacity=2, max_chars=10)
    memo.keep(["fever", "rash"], np.eye(2, dtype=np.float32))
    assert memo.find(["fever"])["fever"].tolist() == [1, 0]
    memo.keep(["lens"], np.ones((1, 2), dtype=np.float32))
    assert set(memo.find(["fever", "rash", "lens"])) == {"fever", "lens"}


def test_it_does_not_keep_long_texts() -> None:
    memo = VectorMemo(capacity=2, max_chars=10)
    memo.keep(["a long passage"], np.ones((1, 2), dtype=np.float32))
    assert memo.find(["a long passage"]) == {}


def test_it_keeps_copies() -> None:
    memo, rows = VectorMemo(capacity=2, max_chars=10), np.ones((1, 2), dtype=np.float32)
    memo.keep(["fever"], rows)
    rows[:] = 0
    assert memo.find(["fever"])["fever"].tolist() == [1, 1]
