from __future__ import annotations

from typing import Any

from langchain_core.runnables import Runnable, RunnableLambda

from chains.answer.given import AnswerInput
from chains.answer.verbatim import or_verbatim, verbatim
from core.schema import Draft, Evidence, Outcome
from tests.chains.answer.asked import asked

LEAFLET = Evidence(
    id="repository:leaflets/tea#0",
    text="  Glimepride tea\n\n- treats  fever [1]\n- is bitter\n\nIt is drunk hot. ",
    source="repository",
)
OTHER: Runnable[AnswerInput, Outcome[Draft]] = RunnableLambda(lambda _: Outcome(value=Draft(text="Written.")))
VERBATIM: dict[str, Any] = {"settings": {"method": "certified", "verbatim": True}}


def test_the_certified_text_is_the_answer_to_the_byte() -> None:
    gone = LEAFLET.model_copy(update={"id": "repository:leaflets/old#0", "retracted": True})
    draft = or_verbatim(OTHER).invoke(asked(evidence=(gone, LEAFLET), max_words=2, **VERBATIM)).value
    assert draft == verbatim(LEAFLET)
    assert draft.text == LEAFLET.text
    assert draft.citations == (LEAFLET.id,)
    assert all(claim.cited == (LEAFLET.id,) for claim in draft.claims)
    said = [draft.text[slice(*claim.span)] for claim in draft.claims]
    assert said == ["treats  fever [1]", "is bitter", "It is drunk hot."]


def test_without_a_document_there_is_no_answer() -> None:
    assert or_verbatim(OTHER).invoke(asked(evidence=(), **VERBATIM)).value == Draft(text="")


def test_other_questions_are_answered_as_ever() -> None:
    assert or_verbatim(OTHER).invoke(asked(evidence=(LEAFLET,))).value.text == "Written."
