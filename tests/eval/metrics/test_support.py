"""Support by a verifier whose judgement is plain: a text supports a claim that stands in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from core.settings import Settings
from eval.metrics import Cited, Scored, Scorers, score
from eval.metrics.ready import scorers
from graphs.resources import Resources


def claims(text: str) -> list[str]:
    return [part.strip() for part in text.split(".") if part.strip()]


def supports(pairs: Sequence[tuple[str, str]]) -> list[bool]:
    return [all(part in evidence for part in claims(statement)) for evidence, statement in pairs]


BY = Scorers(claims=claims, supports=supports)


def one(name: str, record: Scored) -> float | None:
    return score([record], [name], BY)[name][0]


def record(**fields: Any) -> Scored:
    return Scored("1", "", "A. B. C.", "A. D. E. B.", "A. D.")._replace(**fields)


def test_shares_of_claims_by_hand() -> None:
    assert one("claim_support_rate", record()) == pytest.approx(1 / 3)
    assert one("claim_support_rate", record(knowledge="B is so")) == pytest.approx(2 / 3)
    assert one("context_recall", record()) == 2 / 4
    assert one("context_recall", record(reference=("E", "A. D"))) == 1.0


def test_context_precision_is_higher_where_useful_passages_stand_first() -> None:
    assert one("context_precision", record(passages=("A", "x", "D"))) == pytest.approx((1 + 2 / 3) / 2)
    assert one("context_precision", record(passages=("x", "A"))) == 0.5
    assert one("context_precision", record(passages=("x",))) == 0.0


def test_citations_by_hand() -> None:
    """The first is borne out by both alone, the second by two together only, the third not, the fourth cites nothing.

    Recall: 2 of 4. Needed: both of the first, two of the second's three, none of the third's one: 4 of 6.
    """
    statements = (
        Cited("A", ("A", "A B")),
        Cited("A. B", ("A", "B", "x")),
        Cited("C", ("A",)),
        Cited("D"),
    )
    assert one("citation_recall", record(statements=statements)) == 0.5
    assert one("citation_precision", record(statements=statements)) == pytest.approx(4 / 6)


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("claim_support_rate", {"answer": ""}),
        ("claim_support_rate", {"language": "it"}),
        ("context_recall", {"context": None}),
        ("context_recall", {"reference": None}),
        ("context_precision", {"context": None}),
        ("citation_recall", {}),
        ("citation_precision", {"statements": (Cited("A"),)}),
    ],
)
def test_what_cannot_be_told_is_no_number(name: str, fields: dict[str, Any]) -> None:
    assert one(name, record(**fields)) is None


def test_the_projects_own_verifier_tells_support_from_none(settings: Settings) -> None:
    resources = Resources(settings)
    context = "Metformin is the first-line treatment of type 2 diabetes. Nausea is a common side effect of metformin."
    records = [
        Scored("1", "", "Nausea is a common side effect of metformin.", None, context),
        Scored("2", "", "Metformin cures asthma.", None, context),
    ]
    found = score(records, ["claim_support_rate"], scorers(["claim_support_rate"], resources))
    resources.close()
    assert found["claim_support_rate"] == [1.0, 0.0]
