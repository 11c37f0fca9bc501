from __future__ import annotations

import typing

import pytest

from chains.plan import PLANS, plan_of
from core.schema import Method, Part, QuestionSettings


def test_every_method_has_its_plan() -> None:
    assert set(PLANS) == set(typing.get_args(Method))


@pytest.mark.parametrize("part", typing.get_args(Part))
def test_every_part_can_be_taken_from_the_full_system(part: Part) -> None:
    assert plan_of(QuestionSettings(without=(part,))) != plan_of(QuestionSettings())


def test_only_what_attests_withholds() -> None:
    assert {method for method, plan in PLANS.items() if plan.gate} == {"full", "graph", "graph-literal"}
    assert not plan_of(QuestionSettings(without=("verification",))).gate


def test_the_papers_forms() -> None:
    halo, certified = PLANS["halo"], PLANS["certified"]
    assert (halo.select, halo.knowledge) == ("mmr", False)
    assert (certified.hypothetical, certified.select, certified.certified) == (True, "documents", True)
    assert not PLANS["vanilla"].search
    assert PLANS["imkdg"].sources == ("knowledge",)


def test_a_consultation_is_asked_for_as_one() -> None:
    assert plan_of(QuestionSettings(), "dialogue").prompt == "dialogue"
    assert plan_of(QuestionSettings(method="vanilla"), "dialogue").prompt == "bare"
