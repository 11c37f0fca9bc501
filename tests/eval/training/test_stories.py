"""Questions told again as messages."""

from __future__ import annotations

import random
from collections.abc import Sequence

from core.schema import Concept, Mention
from eval.training.stories import storied


def link(text: str) -> Sequence[Mention]:
    start = text.find("shingles")
    concept = Concept(id="X:1", name="shingles", group="DISO")
    return [Mention(concept=concept, start=start, end=start + 8, text="shingles")] if start >= 0 else []


def test_a_story_names_what_the_question_is_about_and_sometimes_alone() -> None:
    told = [storied("how long does shingles last in adults", link, random.Random(seed)) for seed in range(40)]
    assert all("shingles" in one for one in told)
    ends = {one.endswith("how long does it last in adults") for one in told}
    assert ends == {True, False}


def test_a_few_words_and_a_question_about_no_disease_stay_whole() -> None:
    for question in ("shingles vaccine", "how much sleep do babies need"):
        told = [storied(question, link, random.Random(seed)) for seed in range(20)]
        assert all(one.endswith(question) and len(one) > len(question) for one in told)
