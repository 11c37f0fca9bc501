"""Claims of a batch as they are verified."""

from __future__ import annotations

import pytest

from app.verify import bare


@pytest.mark.parametrize(
    ("given", "verified"),
    [
        ("Gout hurts.", "Gout hurts."),
        ("3. Gout hurts [1].", "Gout hurts."),
        ("- Gout hurts.[1][2]", "Gout hurts."),
        ("Gout hurts (NHS, 2024).", "Gout hurts."),
        ("Gout hurts (Smith et al., 2019)", "Gout hurts"),
        ("7.4 is the pH of blood (normal).", "7.4 is the pH of blood (normal)."),
        ("Survival rose (p=0.003).", "Survival rose (p=0.003)."),
        ("[1]", "[1]"),
    ],
)
def test_a_claim_is_verified_without_what_it_cites(given: str, verified: str) -> None:
    assert bare(given) == verified
