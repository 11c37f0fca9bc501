from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chains.answer.passages import is_classing
from chains.answer_risk import (
    Features,
    calibrated,
    missing_words,
    naming,
    told,
    told_of,
    worth,
)
from chains.relevance.subject import names_of
from chains.said import NOTHING_SAID, Said
from chains.scope import Scope
from chains.understand import understand
from core.schema import Concept, Evidence

P = st.floats(0, 1)
SEASICK = Evidence(id="given:1", text="Where you sit on a boat can help against seasickness.", source="given")


def rarity(stem: str) -> float:
    return 0.9


def weighed(question: str, outside: float) -> float:
    scope = Scope(outside=outside, kind="record")
    return calibrated(understand(question), [SEASICK], {SEASICK.id: 0.8}, scope, (), rarity)[SEASICK.id]


def features(p: float, outside: float = 0.1, unknown: float = 0.0) -> Features:
    return Features(p, outside, unknown, lacking=0.0)


def test_what_names_another_medicine_tells_nothing_of_the_one_that_was_asked_about() -> None:
    drug = Concept(id="MESH:D013974", name="Thyroxine", group="CHEM")
    asked = understand("What is levothyroxine used for?")
    asked = asked.model_copy(update={"subject": "levothyroxine", "subject_concepts": (drug,), "sure": True})
    texts = ("Levodopa is used for the rigidity of Parkinson disease.", "Levothyroxine is used for hypothyroidism.")
    other, own = (Evidence(id=f"given:{n}", text=text, source="given") for n, text in enumerate(texts))
    found = calibrated(asked, [other, own], {other.id: 0.8, own.id: 0.8}, Scope(), (), rarity)
    assert found[other.id] < 0.2 < 0.6 < found[own.id]
    of_nothing_known = asked.model_copy(update={"subject_concepts": ()})
    assert calibrated(of_nothing_known, [other], {other.id: 0.8}, Scope(), (), rarity)[other.id] > 0.2


def test_a_disease_is_named_in_one_place_or_the_piece_tells_of_another() -> None:
    disease = Concept(id="MONDO:0008722", name="short chain acyl-CoA dehydrogenase deficiency", group="DISO")
    asked = understand("What is short chain acyl-CoA dehydrogenase deficiency?")
    asked = asked.model_copy(update={"subject": disease.name, "subject_concepts": (disease,), "sure": True})
    texts = (
        "Very long-chain acyl-CoA dehydrogenase deficiency is a condition.",
        "Short-chain acyl-CoA dehydrogenase deficiency is a condition.",
    )
    other, own = (Evidence(id=f"given:{n}", text=text, source="given") for n, text in enumerate(texts))
    found = calibrated(asked, [other, own], {other.id: 0.8, own.id: 0.8}, Scope(), (), rarity)
    assert found[other.id] < 0.2 < 0.6 < found[own.id]
    nameless = own.model_copy(update={"text": "It is inherited from both parents."})
    elsewhere = nameless.model_copy(update={"id": "web:1", "source": "web"})
    given, found_elsewhere = calibrated(
        asked, [nameless, elsewhere], {nameless.id: 0.8, "web:1": 0.8}, Scope(), (), rarity
    ).values()
    assert found_elsewhere < 0.2 < given < found[own.id]


def test_what_the_library_was_asked_counts_for_its_own_pieces_alone() -> None:
    asked = understand("Does the seat help against seasickness?")
    pieces = [SEASICK.model_copy(update={"id": source, "source": source}) for source in ("library", "given")]
    p = {piece.id: 0.5 for piece in pieces}
    low, none, high = (calibrated(asked, pieces, p, Scope(), (), rarity, answered=by) for by in (-0.3, 0.0, 0.3))
    assert low["library"] < none["library"] < high["library"]
    assert low["given"] == none["given"] == high["given"]
    assert none["library"] < none["given"] < high["library"], (
        "a text from elsewhere counts as the mean of the library's"
    )


def test_what_a_vocabulary_classes_a_thing_as_is_worth_less_than_what_one_tells_of_it() -> None:
    texts = {
        "Losartan: definition": "Vocabularies class losartan as a kind of imidazoles.",
        "Losartan: has role": "Losartan has the role of antihypertensive agent.",
        "Gout: definition": "Gout: arthritis caused by crystals of uric acid.",
    }
    pieces = [Evidence(id=t, title=t, text=text, source="knowledge") for t, text in texts.items()]
    of_library = Evidence(id="library", title="Losartan: definition", text=pieces[0].text, source="library")
    assert [is_classing(piece) for piece in [*pieces, of_library]] == [True, True, False, False]
    p = dict.fromkeys((piece.id for piece in pieces), 0.8)
    classed, role, prose = calibrated(understand("What is it?"), pieces, p, Scope(), (), rarity).values()
    assert classed == role < prose


def test_what_a_vocabulary_records_of_the_very_aspect_is_worth_more_than_it_reads_like() -> None:
    feature = Concept(id="HP:0001166", name="Arachnodactyly", group="DISO", xrefs=("C0003706",))
    asked = understand("Which diseases show arachnodactyly?")
    asked = asked.model_copy(update={"subject_concepts": (feature,), "sure": True})
    text = "Arachnodactyly is a feature of Marfan syndrome."
    own = Evidence(id="own", title="Arachnodactyly: diseases", text=text, source="knowledge", about=("C0003706",))
    others = [
        own.model_copy(update={"id": "1", "about": ("HP:1",)}),
        own.model_copy(update={"id": "2", "title": "Arachnodactyly: features"}),
        own.model_copy(update={"id": "3", "source": "given"}),
    ]
    p = dict.fromkeys((piece.id for piece in (own, *others)), 0.3)
    best, *less = calibrated(asked, [own, *others], p, Scope(), (), rarity).values()
    assert all(one < best for one in less)


@given(P, P, P)
def test_worth_rises_with_what_answers_and_falls_with_what_is_outside(p: float, outside: float, more: float) -> None:
    low, high = sorted((p, more))
    assert worth(features(low, outside)) <= worth(features(high, outside))
    assert worth(features(outside, low)) >= worth(features(outside, high))
    assert worth(features(p, outside, unknown=1.0)) < worth(features(p, outside))


@given(P, P, st.floats(-8, 8), st.floats(0, 1))
def test_what_is_told_keeps_the_order_and_never_promises_more_than_was_found(
    one: float, other: float, reads: float, near: float
) -> None:
    low, high = sorted((one, other))
    said = Said(reads, near)
    assert told(low, said) <= told(high, said) <= told(1.0, Said(20.0, 1.0)) < 0.97
    assert told(one, NOTHING_SAID) < told(one, said)
    assert told(one, said) <= told(one, Said(reads + 1, near))
    assert told(one, said._replace(unnamed=1.0)) < told(one, said)


def test_an_answer_is_told_by_the_question_that_it_answers_least() -> None:
    weighed = [{"a": 0.9, "b": 0.2}, {"a": 0.3, "b": 0.8}]
    well, badly = Said(3.0, 0.8), Said(-3.0, 0.2)
    both = told_of(weighed, [well, well], ["a", "b"])
    assert both["b"] == told(0.8, well) < told(0.9, well)
    half = told_of(weighed, [well, badly], ["a", "b"])
    assert max(half.values()) == told(0.8, badly) < both["b"]
    sides = told_of(weighed, [well._replace(side=1.0)] * 2, ["a", "b"])
    assert told_of([{}, *weighed], [badly, well, well], ["a", "b"], compared=True) == sides
    assert sides["b"] < both["b"]
    assert told_of([{}], [well], []) == {}


def test_what_is_not_quoted_tells_no_more_than_it_reads() -> None:
    written = told_of([{"a": 0.9}], [Said(-2.0, 0.8)], ["a"], quoted=False)
    assert written == {"a": pytest.approx(1 / (1 + math.exp(2)))}
    sure = Said(6.0, 0.8)
    assert told_of([{"a": 0.9}], [sure], ["a"], quoted=False) == told_of([{"a": 0.9}], [sure], ["a"])
    assert told_of([], [], [], quoted=False) == {}


def test_a_question_outside_of_what_texts_answer_leaves_evidence_less_likely() -> None:
    inside, outside = (weighed("Does the seat help against seasickness?", o) for o in (0.02, 0.95))
    assert inside > outside


def test_evidence_that_lacks_what_is_asked_about_answers_less() -> None:
    about, beside = (weighed(f"What are the side effects of {name}?", 0.1) for name in ("seasickness", "metformin"))
    assert about > beside
    assert naming(names_of(understand("What is seasickness?"), rarity), SEASICK) == (1.0, 1.0)


def test_a_word_is_missing_that_neither_anybody_nor_the_evidence_has() -> None:
    assert missing_words(("seasick",), [SEASICK]) == ()
    assert missing_words(("gallomancy",), [SEASICK]) == ("gallomancy",)
    assert missing_words(("gallomancy",), []) == ("gallomancy",)
