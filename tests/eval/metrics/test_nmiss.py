"""NMISS by hand: every figure of the worked examples was computed on paper from the definition."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.metrics import METRICS, Scored, Scorers, score
from eval.metrics.nmiss import Parts, combined, outperformance, parts
from eval.metrics.scorers import TokenVectors

BASES = [name for name in METRICS if f"nmiss_{name}" in METRICS and METRICS[name].need is None]
TEXTS = st.lists(st.sampled_from("a b c d e f g".split()), max_size=15).map(" ".join)


def one(answer: str, reference: str | tuple[str, ...], context: str, *names: str) -> list[float | None]:
    record = Scored("1", "", answer, reference, context)
    return [column[0] for column in score([record], names, Scorers()).values()]


def test_a_worked_example() -> None:
    """s = a b c d e, r = a b x, c = c d y z: P = a b, N = c d e, A = c d.

    ROUGE-1: precision 2/5 of s in r, 2/3 of N in c; recall 2/3, 2/4. Weights 2 and 2.
    """
    p, r = one("a b c d e", "a b x", "c d y z", "nmiss_rouge1_p", "nmiss_rouge1_r")
    assert p == pytest.approx((2 * 0.4 + 2 * 2 / 3) / 4, abs=1e-9)
    assert r == pytest.approx(max(2 / 3, (2 * 2 / 3 + 2 * 0.5) / 4), abs=1e-9)


def test_a_worked_example_of_bigrams_and_the_subsequence() -> None:
    """As above. Bigrams: 1/4 of s in r; of N (c d, d e) 1/2 in c (c d, d y, y z): 1/2. LCS: 2/5; 2/3."""
    two, longest = one("a b c d e", "a b x", "c d y z", "nmiss_rouge2_p", "nmiss_rougeL_p")
    assert two == pytest.approx((2 * 0.25 + 2 * 0.5) / 4, abs=1e-9)
    assert longest == pytest.approx((2 * 0.4 + 2 * 2 / 3) / 4, abs=1e-9)


def test_a_worked_example_of_bleu() -> None:
    """s = a b c d e f g h, r = a b c d, c = e f g h i: X(s, r): 4/8 3/7 2/6 1/5; X(N, c): all right, 4 words of 5."""
    f_ref = (4 / 8 * 3 / 7 * 2 / 6 * 1 / 5) ** 0.25
    f_cxt = math.exp(1 - 5 / 4)
    (found,) = one("a b c d e f g h", "a b c d", "e f g h i", "nmiss_bleu4")
    assert found == pytest.approx((4 * f_ref + 4 * f_cxt) / 8, abs=1e-9)


def test_a_worked_example_of_meteor() -> None:
    """s = b c, r = b, c = c: X = 10PR/(R + 9P) · (1 − 0.5 · 1³), P = 1/2 and R = 1 for s, 1 and 1 for N."""
    f_ref = 10 * 0.5 / (1 + 9 * 0.5) * 0.5
    (found,) = one("b c", "b", "c", "nmiss_meteor")
    assert found == pytest.approx((f_ref + 0.5) / 2, abs=1e-9)


def test_matches_are_clipped_by_count_and_taken_from_the_left() -> None:
    assert parts("the liver and the kidney", "the heart", "Liver: the kidney") == Parts(1, "liver and the kidney", 3)
    assert parts("A a a", "a", "b") == Parts(1, "a a", 0)


def test_without_a_match_anywhere_the_base_stands() -> None:
    assert combined(0.0, 0.7, Parts(0, "x", 0)) == 0.0
    assert one("a", "b", "c", "rouge1_f1", "nmiss_rouge1_f1") == [0.0, 0.0]


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=2).map(tuple), TEXTS)
def test_it_is_never_below_its_base(answer: str, references: tuple[str, ...], context: str) -> None:
    raised = [f"nmiss_{name}" for name in BASES]
    base, found = one(answer, references, context, *BASES), one(answer, references, context, *raised)
    assert len(BASES) == 11
    assert all(b is not None and f is not None and f >= b for b, f in zip(base, found, strict=True))


def test_outperformance_counts_what_could_be_raised_and_means_over_levels() -> None:
    base = [0.5, 0.5, 0.5, 0.0, 0.99, None, 0.4]
    raised = [0.6, 0.5, 0.9, 0.3, 1.0, None, 0.9]
    wrong = [False, False, False, False, False, False, True]
    levels = ["low", "low", "high", "high", "high", "high", "middle"]
    found = outperformance(base, raised, wrong, levels)
    assert found is not None
    assert found.by_level == {"low": 0.5, "high": 1.0}
    assert found.overall == 0.75
    assert outperformance([0.0], [0.5], [False], ["low"]) is None


def test_every_reference_is_held_against_with_its_own_parts() -> None:
    """s = a b c d e, c = a b c. r1 = a b c: 3/5; N = d e, none in c. r2 = d e x y z: 2/5; N = a b c, all in c: 1.

    Of r2 alone (2 · 2/5 + 3 · 1) / 5 = 0.76; mixed with r1's 3/5 it would be 0.84.
    """
    (found,) = one("a b c d e", ("a b c", "d e x y z"), "a b c", "nmiss_rouge1_p")
    assert found == pytest.approx(0.76, abs=1e-9)


def test_the_whole_answer_may_be_held_against_the_context() -> None:
    """s = a b c d e, r = a b x, c = c d y z: X(s, c) has 2 of 5 words, not 2 of N's 3; P and A stay."""
    record = Scored("1", "", "a b c d e", "a b x", "c d y z")
    found = score([record], ["nmiss_rouge1_p"], Scorers(whole=True))["nmiss_rouge1_p"][0]
    assert found == pytest.approx((2 * 0.4 + 2 * 0.4) / 4, abs=1e-9)


def test_nmiss_over_bertscore_is_its_own_formula() -> None:
    """Every word is a vector of its own, so recall is ROUGE-1's: X(s, r) is 2/3, X(N, c) 2/4 of the context's words."""

    class Letters:
        name = "letters"

        def tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
            letters = [[ord(word) - 97 for word in text.split()] for text in texts]
            return [TokenVectors(np.eye(26, dtype=np.float32)[own], np.arange(len(own))) for own in letters]

    record = Scored("1", "", "a b c d e", "a b x", "c d y z")
    by = Scorers(encoder=Letters())
    found = {name: column[0] for name, column in score([record], ["bertscore_r", "nmiss_bertscore_r"], by).items()}
    assert found["bertscore_r"] == pytest.approx(2 / 3)
    assert found["nmiss_bertscore_r"] == pytest.approx(max(2 / 3, (2 * 2 / 3 + 2 * 0.5) / 4))
    record = Scored("1", "", "a b c d e", "a x y z w", "c d e")
    found = {name: column[0] for name, column in score([record], ["bertscore_r", "nmiss_bertscore_r"], by).items()}
    assert found["nmiss_bertscore_r"] == pytest.approx((1 * 0.2 + 3 * 1.0) / 4)
