from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.schema import Claim
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


async def test_a_text_that_is_too_long_or_claims_too_much_is_refused(resources: Resources) -> None:
    graph = build_graph(resources)
    with pytest.raises(
        InputError, match="the text has 1,200,000 characters, the limit is 1,000,000: verify it in parts"
    ):
        await graph.ainvoke({"text": "aspirin " * 150_000})
    with pytest.raises(InputError, match="there are 1,001 claims to verify, the limit is 1,000: verify it in parts"):
        await graph.ainvoke({"text": "Aspirin thins blood.\n\n" * 1_001})
    claim = Claim(text="Aspirin thins blood.", span=(0, 20))
    with pytest.raises(InputError, match="1,001 claims"):
        await graph.ainvoke({"claims": (claim,) * 1_001})
