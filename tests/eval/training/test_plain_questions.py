"""Plain questions of documents, from what hands found to answer them."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from core.errors import InputError
from eval.training.plain_questions import headed, name_of, questions_of
from tools.library.shipped import Document, Passage

GOUT = Document(
    "1",
    "Gout (Podagra)",
    "",
    "",
    (
        Passage("Gout", "Gout is a kind of arthritis. Uric acid causes it."),
        Passage("Gout", "Rest helps. Ice helps too."),
    ),
)
ELSEWHERE = Document("9", "Gout", "", "", (Passage("Gout: How to prevent Gout?", "Drink water."),))


def told(
    aspects: dict[str, list[list[int]]], others: dict[str, set[str]] | None = None
) -> dict[str, Mapping[int, Mapping[int, int]]]:
    line = json.dumps({"id": "1", "a": aspects})
    return {one.text: one.answers for one in questions_of(line, {"1": GOUT}, others or {})}


def test_sentences_are_counted_through_the_document() -> None:
    found = told({"causes": [[2], [1]], "helps": [[3], [4]]})
    assert found["what causes gout"] == found["how do you get gout"] == {0: {0: 1, 29: 2}}
    assert found["what helps gout"] == {1: {0: 2, 12: 1}}


def test_a_passage_in_which_none_answers_is_left_out() -> None:
    assert told({"causes": [[2], [3]]})["what causes gout"] == {0: {29: 2}}


def test_what_nothing_answers_is_asked_without_an_answer_unless_another_corpus_tells_it() -> None:
    assert told({"prevent": [[], []]}) == {"how can i prevent gout": {}}
    assert headed([ELSEWHERE]) == {"gout": {"prevention"}}
    assert told({"prevent": [[], []]}, headed([ELSEWHERE])) == {}
    assert told({"prevent": [[4], []]}, headed([ELSEWHERE])) != {}


def test_titles_are_typed_as_people_type() -> None:
    assert name_of("Diabetes Type 2") == "type 2 diabetes"
    assert name_of("Enlarged Prostate (BPH)") == "enlarged prostate"


@pytest.mark.parametrize("aspects", [{"causes": [[9], []]}, {"causes": [[0], []]}, {"colour": [[1], []]}, {"what": 3}])
def test_a_line_that_names_what_is_not_there_is_refused(aspects: dict[str, list[list[int]]]) -> None:
    with pytest.raises(InputError, match="names what is not there"):
        told(aspects)
