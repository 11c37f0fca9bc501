"""Pairs that nobody judged: what a search finds for learnt questions."""

from __future__ import annotations

import random
from collections.abc import Sequence

from core.schema import Evidence
from eval.training.judged import kept
from eval.training.unjudged import UNKNOWN, Wanted, unjudged_pairs, wanted_of

FOUND = [Evidence(id=f"library:a#{n}", title="Gout", text=f"Text {n}.", source="library") for n in range(9)]


def search(queries: Sequence[str], limit: int) -> Sequence[Evidence]:
    return FOUND[:limit] if queries == ["does gout hurt"] else []


def test_what_is_found_and_was_not_judged_is_drawn() -> None:
    wanted = [Wanted("does gout hurt", {"library:a#0"}, 2, 4), Wanted("what is it", set(), 2, 4)]
    made = [pair for (pair,) in unjudged_pairs(wanted, search, random.Random(1))]
    assert len(made) == 2
    assert {pair.passage for pair in made} < {"Text 1.", "Text 2.", "Text 3."}
    assert all((pair.question, pair.title, pair.label) == ("does gout hurt", "Gout", UNKNOWN) for pair in made)


def test_no_question_is_wanted_that_is_kept_from_learning() -> None:
    wanted = list(wanted_of(random.Random(1), topics=50))
    assert len(wanted) > 5000
    assert not any(kept(one.question) for one in wanted)
