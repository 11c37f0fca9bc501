"""Which names get which recipe."""

from __future__ import annotations

import pytest

from core.hf.recipes import ModelName, recipe_for


@pytest.mark.parametrize(
    ("name", "pooling"),
    [
        ("hkunlp/instructor-xl", "own"),
        ("dmis-lab/biobert-base-cased-v1.1", "cls"),
        ("/models/biobert-base-cased-v1.1", "cls"),
        ("roberta-base", "mean"),
        ("FacebookAI/xlm-roberta-large", "mean"),
        ("paraphrase-multilingual-mpnet-base-v2", "own"),
        ("sentence-transformers/all-roberta-large-v1", "own"),
        ("dmis-lab/biobert-base-cased-v1.1#mean", "mean"),
        ("roberta-base#cls@0123abcd", "cls"),
    ],
)
def test_pooling_by_name(name: str, pooling: str) -> None:
    assert recipe_for(ModelName.parse(name)).pooling == pooling


def test_instructor_alone_has_instructions_that_are_not_pooled() -> None:
    recipe = recipe_for(ModelName.parse("hkunlp/instructor-large"))
    assert recipe.query
    assert recipe.passage
    assert recipe.query != recipe.passage
    assert not recipe.instruction_pooled
    assert recipe_for(ModelName.parse("sentence-transformers/all-mpnet-base-v2")).query is None


@pytest.mark.parametrize("name", ["a/b", "/folder/with#sign", "folder#max", "folder#cls@xyz"])
def test_what_is_no_pooling_is_part_of_the_name(name: str) -> None:
    assert ModelName.parse(name) == (name, None)


def test_what_a_collection_records_can_be_asked_for() -> None:
    assert ModelName.parse("hkunlp/instructor-xl#own@0a1b2c3d") == ("hkunlp/instructor-xl", "own")
