from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from core.schema import Concept
from tools.pubmed.filters import Filters
from tools.pubmed.headings import Headings
from tools.pubmed.query import MAX_STEPS, ladder

METFORMIN = Concept(id="C0025598", name="metformin", xrefs=("CHEBI:6801", "MESH:D008687"))
PCOS = Concept(id="MESH:D011085", name="polycystic ovary syndrome")
RARE = Concept(id="MONDO:1", name="no-heading disease (type 2)")
QUESTION = "Does metformin improve ovulation in patients with polycystic ovary syndrome?"


def test_headings_or_words_and_what_is_asked(headings: Headings) -> None:
    first, *_ = ladder(QUESTION, [METFORMIN, PCOS], headings)
    assert first == (
        '("Metformin"[MeSH Terms] OR metformin[Title/Abstract]) AND ("Polycystic Ovary Syndrome"[MeSH Terms] OR '
        '"polycystic ovary syndrome"[Title/Abstract]) AND ovulation[Title/Abstract]'
    )


def test_every_further_step_asks_less(headings: Headings) -> None:
    steps = ladder(QUESTION, [METFORMIN, PCOS], headings)
    assert len(steps) == len(set(steps)) == 4
    assert "ovulation" not in steps[1]
    assert steps[1].count(" AND ") == 1
    assert "ovulation" in steps[2]
    assert steps[-1] == "metformin ovulation polycystic ovary syndrome"


def test_what_is_asked_of_it_is_a_subheading_or_words(headings: Headings) -> None:
    marfan = Concept(id="MESH:D008382", name="Marfan syndrome")
    first, second, _ = ladder("How is Marfan syndrome treated?", [marfan], headings)
    assert '"therapy"[Subheading] OR' in first
    assert second == '("Marfan Syndrome"[MeSH Terms] OR "Marfan syndrome"[Title/Abstract])'


def test_a_concept_without_a_heading_is_its_name(headings: Headings) -> None:
    first, *_ = ladder("no-heading disease (type 2)?", [RARE], headings)
    assert first == '"no-heading disease type 2"[Title/Abstract]'


def test_an_inverted_heading_is_not_looked_for_in_texts(headings: Headings) -> None:
    diabetes = Concept(id="C1", name="type 2 diabetes", xrefs=("MESH:D003924",))
    first, *_ = ladder("type 2 diabetes", [diabetes], headings)
    assert '"Diabetes Mellitus, Type 2"[MeSH Terms]' in first
    assert '"Diabetes Mellitus, Type 2"[Title/Abstract]' not in first
    assert '"type 2 diabetes"[Title/Abstract]' in first


def test_general_concepts_are_passed_over(headings: Headings) -> None:
    general = [Concept(id=f"X:{n}", name=name) for n, name in enumerate(("Patients", "Disease", "Therapeutics"))]
    assert "metformin" in ladder("Which patients need metformin?", [*general, METFORMIN], headings)[0].lower()
    assert "Patients" not in "".join(ladder("Which patients need metformin?", [*general, METFORMIN], headings))


def test_words_alone_become_fewer_then_alternatives() -> None:
    steps = ladder("Is erythromelalgia linked to thrombocytosis, mexiletine or aspirin in adults?")
    assert [step.count(" AND ") for step in steps] == [3, 1, 0, 0]
    assert steps[2].count(" OR ") > 1


def test_what_says_nothing_is_no_query() -> None:
    assert ladder("is it?") == ladder("") == ladder("??? [] ()") == ()


@given(st.text(max_size=200), st.text(max_size=40))
def test_no_text_breaks_out_of_its_query(text: str, name: str) -> None:
    for step in ladder(text, [Concept(id="X:1", name=name)], lambda curie: name):
        assert step.count('"') % 2 == 0
        assert step.count("(") == step.count(")")
        outside = re.sub(r'"[^"]*"', "", step)
        assert set(re.findall(r"\[([^\]]*)\]", outside)) <= {"Title/Abstract", "Subheading", "MeSH Terms"}
    assert len(ladder(text)) <= MAX_STEPS


def test_operators_in_a_question_are_words() -> None:
    for step in ladder('aspirin AND heparin NOT warfarin OR [All Fields] "x"[au]'):
        assert "[au]" not in step
        assert not re.search(r"AND AND|AND NOT|AND OR", step)


def test_filters_are_conditions_of_every_query() -> None:
    filters = Filters(
        from_year=2015, types=("Randomized Controlled Trial", "Meta-Analysis"), language="English", humans=True
    )
    assert filters.applied("a OR b") == (
        "(a OR b) AND hasabstract AND 2015:3000[Date - Publication] AND "
        '("Randomized Controlled Trial"[Publication Type] OR "Meta-Analysis"[Publication Type]) AND english[Language] '
        'NOT ("animals"[MeSH Terms] NOT "humans"[MeSH Terms])'
    )
    assert Filters().applied("a") == "(a) AND hasabstract"
    assert Filters(abstracts=False).applied("a") == "a"


@pytest.mark.parametrize(
    "bad",
    [{"from_year": 2020, "to_year": 2010}, {"types": ['x"[au] OR "y']}, {"language": "a] OR b[c"}, {"to_year": 1}],
)
def test_filters_that_cannot_be_are_refused(bad: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Filters.model_validate(bad)


def test_headings_of_the_data_wheel_and_without_it(tmp_path: Path) -> None:
    assert Headings()("MESH:D008687") == "Metformin"
    assert Headings()("MESH:C000001") is None
    assert Headings()("CHEBI:6801") is None
    assert Headings(tmp_path / "missing")("MESH:D008687") is None
