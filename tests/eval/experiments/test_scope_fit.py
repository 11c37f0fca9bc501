"""What the reader of scope learns from, and what only measures it."""

from __future__ import annotations

from chains.scope.learned import LEARNED
from eval.experiments.scope_fit import GENERAL, answered, written


def test_what_measures_is_not_learned_from() -> None:
    learned, measures = dict(written()), dict(written(unread=True))
    assert len(learned) > len(measures) > 0
    assert not learned.keys() & measures.keys()
    assert {GENERAL, *LEARNED} == {*learned.values()} >= {*measures.values()}


def test_a_question_that_a_passage_answers_but_is_of_another_kind_is_not_taught_as_general() -> None:
    assert not dict(written()).keys() & set(answered())
