from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.settings import Settings
from graphs.resources import Resources
from graphs.verification import build_graph


@pytest.fixture
def resources(model_home: Path) -> Resources:
    return Resources(Settings(home=model_home))


async def test_claims_of_a_text_are_judged_against_given_evidence(resources: Resources) -> None:
    result = await build_graph(resources).ainvoke(
        {
            "text": "Aspirin inhibits platelet aggregation. Aspirin does not inhibit cyclooxygenase.",
            "evidence": ["Aspirin inhibits platelet aggregation by acetylating and inhibiting cyclooxygenase."],
        }
    )
    labels = [v.label for v in result["verdicts"]]
    assert labels[0] == "supported"
    assert labels[1] != "supported"
    assert result["verdicts"][0].quotes[0].evidence_id == "given:1"


async def test_without_evidence_the_sources_are_asked(resources: Resources) -> None:
    text = "Ectopia lentis is a feature of Marfan syndrome."
    result = await build_graph(resources).ainvoke({"text": text})
    (verdict,) = result["verdicts"]
    assert verdict.label == "supported"
    assert {q.evidence_id for q in verdict.quotes} <= {e.id for e in result["evidence"]}
    assert {e.source for e in result["evidence"]} == {"knowledge", "library"}


async def test_an_empty_text_is_refused(resources: Resources) -> None:
    with pytest.raises(InputError, match="no text"):
        await build_graph(resources).ainvoke({"text": "  "})
