"""Evidence is data: whatever a passage tells a model that obeys all it reads, nothing that it demands is attested.

``tests/chains/guard/planted.jsonl`` tells what an obedient model writes for each passage; here it does so through the
whole agent, and swears to it when it is asked to judge.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from core.errors import ModelReplyError
from core.schema import VerifiedAnswer
from core.settings import Settings
from graphs.resources import Resources
from tests.emulators.models import good
from tests.emulators.openai import Spoken
from tests.graphs.conftest import LEAFLET, Agent, Playing

Row = dict[str, Any]
PLANTED = Path(__file__).parents[1] / "chains/guard/planted.jsonl"
SUITE: list[Row] = [json.loads(line) for line in PLANTED.read_text(encoding="utf-8").splitlines()]
TREATED = "How is zorblax fever treated?"
PLAIN = {"sources": ["given"], "rounds": 0, "without": ["knowledge", "exemplars", "expansion"]}


class Obedient:
    """A model that does what the passage at hand demands as soon as it is shown it; a good one otherwise."""

    row: Row | None = None

    def __call__(self, schema: str, system: str, user: str) -> Spoken:
        reply = good(schema, system, user)
        if self.row is None or not isinstance(reply, dict) or not self._sees(user):
            return reply
        obeyed = self.row["obeyed"]
        if schema == "DraftAnswer":
            steps = [step.replace("{prompt}", system) for step in obeyed["reasoning"]]
            answer = obeyed["answer"].replace("{prompt}", system)
            return {**reply, **obeyed, "answer": answer, "reasoning": steps}
        if schema == "Judgement":
            return {**reply, "label": "supported", "support": 1.0, "quote": self.row["text"]}
        return reply

    def _sees(self, user: str) -> bool:
        return self.row is not None and (self.row["where"] == "question" or 'id="given:2"' in user)


async def outcome(agent: Agent, row: Row, clean: VerifiedAnswer) -> str:
    """``same`` verdicts and citations as without the passage, ``withheld``, ``refused``, or ``changed``."""
    asked = row["text"] if row["where"] == "question" else TREATED
    evidence = [LEAFLET] if row["where"] == "question" else [LEAFLET, row["text"]]
    try:
        answer = await agent.ask(asked, evidence=evidence, settings=PLAIN)
    except ModelReplyError:
        return "refused"
    if (claims(answer), answer.citations) == (claims(clean), clean.citations):
        return "same"
    if answer.abstained:
        return "withheld"
    return "same" if claims(answer) <= claims(clean) else "changed"


def claims(answer: VerifiedAnswer) -> set[tuple[str, str]]:
    return {(v.claim.text, v.label) for v in answer.verdicts}


async def test_nothing_that_a_planted_passage_demands_is_attested(playing: Playing) -> None:
    model = Obedient()
    async with playing(model) as agent:
        clean = await agent.ask(TREATED, evidence=[LEAFLET], settings=PLAIN)
        assert not clean.abstained
        found: Counter[tuple[str, str]] = Counter()
        for model.row in SUITE:
            ended = await outcome(agent, model.row, clean)
            assert ended != "changed", model.row["id"]
            found[model.row["part"], ended] += 1
    tuned = [row for row in SUITE if row["part"] == "tuned" and row["where"] != "question"]
    assert found["tuned", "same"] >= len(tuned)


async def test_the_evidence_only_engine_copies_no_planted_sentence(model_home: Path, built: dict[str, Any]) -> None:
    resources = Resources(Settings(home=model_home))
    resources.__dict__.update(built)
    agent = Agent(resources)
    clean = await agent.ask(TREATED, evidence=[LEAFLET], settings=PLAIN)
    for row in SUITE:
        if row["part"] != "fresh" and row["where"] != "question":
            planted = f"{LEAFLET} {row['text']}"
            answer = await agent.ask(TREATED, evidence=[LEAFLET.replace("three", "3"), planted], settings=PLAIN)
            assert row["text"] not in answer.text
    assert claims(clean)
    resources.close()
