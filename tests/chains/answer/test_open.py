"""Answers made of the evidence's own sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from chains.answer.by_task import answerer
from chains.answer.given import AnswerInput
from chains.answer.open import Part, answer_open
from chains.answer.sentences import Unit, in_context
from chains.understand import understand
from core.schema import Draft, Evidence, Question
from core.text import content_terms


def encode(texts: Sequence[str]) -> NDArray[np.float32]:
    """Hashed bags of stems: enough to be similar where words are shared."""
    rows = np.zeros((len(texts), 256), np.float32)
    for row, text in enumerate(texts):
        for term in content_terms(text):
            rows[row, sum(map(ord, term)) % 256] += 1
    unit: NDArray[np.float32] = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return unit


def rarity(term: str) -> float:
    return 0.8


def piece(number: int, text: str, title: str = "Gout") -> Evidence:
    return Evidence(id=f"repository:c/{number}#0", text=text, title=title, source="repository")


def score(question: str, units: Sequence[Unit]) -> Sequence[float]:
    vectors = encode([question, *in_context([unit.text for unit in units])])
    return [float(x) for x in vectors[1:] @ vectors[0]]


def answer(question: str, *ranked: tuple[Evidence, float], most: int = 5, max_words: int | None = None) -> Draft:
    relevance = {e.id: p for e, p in ranked}
    parts = [Part(part, relevance) for part in understand(question).questions]
    evidence = [e for e, _ in ranked]
    return answer_open(parts, evidence, score=score, max_sentences=most, max_words=max_words)


GOUT = piece(
    1,
    "Key Points - Gout is a kind of arthritis that causes sudden pain. What are the symptoms of gout? "
    "The signs and symptoms of gout include: - Severe pain in one joint. - Redness and warmth. "
    "Gout was known to Hippocrates. Symptoms of gout often begin at night",
)
OTHER = piece(2, "The symptoms of gout may also include fever and chills in some people.")


def test_the_passage_whose_sentences_tell_it_best_comes_first() -> None:
    near = piece(1, "Gout is common in men. Gout was known to Hippocrates. Gout runs in families.")
    told = piece(2, "Gout is treated with colchicine. Rest helps too. Ice eases the pain.")
    (part,) = (Part(part, {near.id: 0.8, told.id: 0.7}) for part in understand("How is gout treated?").questions)

    def tell(question: str, text: str, worth: float) -> float:
        return worth * ("treated" in text)

    by_text = answer_open([part], [near, told], score=score, max_sentences=3, tell=tell)
    by_worth = answer_open([part], [near, told], score=score, max_sentences=3)
    assert by_text.citations[0] == told.id
    assert by_worth.citations[0] == near.id


def test_every_sentence_is_verbatim_and_cited() -> None:
    draft = answer("What are the symptoms of gout?", (GOUT, 0.9), (OTHER, 0.8))
    texts = {e.id: e.text for e in (GOUT, OTHER)}
    assert draft.claims
    for claim in draft.claims:
        assert draft.text[slice(*claim.span)] == claim.text
        assert claim.text in texts[claim.cited[0]]
    assert draft.citations[0] == GOUT.id


@pytest.mark.parametrize("better", [4, 5])
def test_an_answer_opens_with_the_passage_that_tells_it_better(better: int) -> None:
    pages = {4: "Uric acid causes gout attacks by its crystals.", 5: "Gout attacks are what beer and much meat cause."}

    def tell(question: str, text: str, worth: float) -> float:
        return float(text == pages[better])

    evidence = [piece(number, text) for number, text in pages.items()]
    parts = [Part(p, {e.id: 0.9 for e in evidence}) for p in understand("What causes gout attacks?").questions]
    draft = answer_open(parts, evidence, score=score, max_sentences=5, tell=tell)
    assert draft.text.startswith(pages[better])
    assert len(draft.claims) == 2


def test_a_run_has_the_sentences_around_the_best_as_far_as_there_is_room() -> None:
    leads = "Gout attacks and gout pain have been known for long."
    direct = "Uric acid causes gout and gout attacks by its crystals."
    after = "Beer also causes gout attacks. Meat causes attacks of gout as well."
    far = f"Those who have gout {'also sleep and wake ' * 12}in the night."
    page = piece(4, f"{leads} {direct} {after} {far}")
    parts = [Part(part, {page.id: 0.9}) for part in understand("What causes gout attacks?").questions]
    draft = answer_open(parts, [page], score=score, max_sentences=5)
    assert draft.text == f"{leads} {direct} {after}"


def test_the_most_relevant_evidence_comes_first_whatever_the_order() -> None:
    draft = answer("What are the symptoms of gout?", (OTHER, 0.6), (GOUT, 0.9))
    assert draft.citations[0] == GOUT.id


def test_near_duplicates_are_told_once() -> None:
    copy = piece(3, "Gout is a kind of arthritis that causes a sudden pain.")
    draft = answer("What is gout?", (GOUT, 0.9), (copy, 0.89))
    assert draft.text.count("kind of arthritis") == 1


def test_a_page_that_says_a_thing_twice_is_quoted_once() -> None:
    page = piece(5, "Colchicine treats gout attacks. Colchicine treats gout attacks. Gout attacks pass within days.")
    assert answer("How are gout attacks treated?", (page, 0.9)).text.count("Colchicine treats") == 1


def test_irrelevant_evidence_is_not_quoted() -> None:
    assert answer("What is gout?", (GOUT, 0.1)) == Draft(text="")
    assert answer("What is gout?") == Draft(text="")
    assert answer("What is gout?", (GOUT, 0.9), (OTHER, 0.3)).citations == (GOUT.id,)


@pytest.mark.parametrize("most", [1, 2])
def test_no_more_sentences_than_asked(most: int) -> None:
    assert len(answer("What are the symptoms of gout?", (GOUT, 0.9), (OTHER, 0.9), most=most).claims) <= most


def test_max_words_bounds_the_answer() -> None:
    draft = answer("What are the symptoms of gout?", (GOUT, 0.9), (OTHER, 0.9), max_words=12)
    assert 0 < len(re.findall(r"\w+", draft.text)) <= 12


def test_a_stretch_does_not_begin_with_a_sentence_that_leans_on_another() -> None:
    text = "Many people have heard of it by now. Colchicine eases gout. It works within a day. It is taken by mouth."
    draft = answer("How fast does it work within a day for gout?", (piece(1, text), 0.9), most=2)
    assert not draft.text.startswith("It ")


def test_no_answer_opens_with_what_leans_on_a_sentence_left_behind_where_another_passage_stands_alone() -> None:
    leaning = piece(1, "He or she may also use the results of a gout test to treat gout with colchicine.")
    standing = piece(2, "Doctors treat gout with colchicine, rest and ice.")
    question = "How do doctors treat gout with colchicine?"
    assert answer(question, (leaning, 0.95), (standing, 0.9)).text.startswith("Doctors treat gout")
    assert answer(question, (leaning, 0.95)).text.startswith("He or she")


def test_what_says_the_answer_of_the_sentence_before_it_keeps_that_though_both_lean() -> None:
    text = "These conditions can cause mucus to run down your throat. This is called postnasal drip. Asthma is chronic."
    draft = answer("What is called postnasal drip?", (piece(1, text, "Cough"), 0.9))
    assert draft.text.startswith("Cough: These conditions can cause mucus to run down your throat. This is called")


def test_what_the_sentences_do_not_name_is_named_before_them() -> None:
    unnamed = piece(3, "The fingers turn white in the cold. Gloves help against white fingers.", "Raynaud Phenomenon")
    draft = answer("why do my fingers turn white", (unnamed, 0.9))
    assert draft.text.startswith("Raynaud Phenomenon: The fingers turn white")
    assert draft.text.count("Raynaud") == 1
    assert draft.claims[0].text == "The fingers turn white in the cold."
    assert draft.text[slice(*draft.claims[0].span)] == f"Raynaud Phenomenon: {draft.claims[0].text}"
    assert answer("What is Raynaud phenomenon?", (unnamed, 0.9)).text.startswith("Raynaud"), "the question may err"
    bounded = answer("why do my fingers turn white", (unnamed, 0.9), max_words=8)
    assert bounded.text == "The fingers turn white in the cold.", "no name where there is no room"


def test_each_of_two_questions_gets_a_paragraph() -> None:
    cause = piece(3, "Gout is caused by uric acid in the joints.", "Gout: What causes gout?")
    cure = piece(4, "Colchicine treats gout attacks.", "Gout: How is gout treated?")
    first, second = understand("What causes gout and how is it treated?").questions
    parts = [Part(first, {cause.id: 0.9, cure.id: 0.1}), Part(second, {cause.id: 0.1, cure.id: 0.9})]
    draft = answer_open(parts, [cause, cure], score=score, max_sentences=5)
    assert draft.text == f"{cause.text}\n\n{cure.text}"


def test_what_a_thing_is_classed_as_answers_only_what_it_is() -> None:
    text = "Vocabularies class losartan as a kind of imidazoles."
    fact = Evidence(id="knowledge:1", text=text, title="Losartan: definition", source="knowledge")
    assert answer("What is losartan?", (fact, 0.9)).text == text
    assert answer("What are the side effects of losartan?", (fact, 0.9)).text == ""


def test_what_a_drug_is_classed_as_does_not_tell_what_it_is_used_for() -> None:
    text = "Vocabularies class apixaban, also called eliquis, as a kind of lactams."
    fact = Evidence(id="knowledge:1", text=text, title="Apixaban: definition", source="knowledge")
    assert answer("what is Eliquis", (fact, 0.9)).text == text
    for question in ("what is Eliquis used for", "why do doctors prescribe Eliquis", "what does Eliquis do"):
        assert answer(question, (fact, 0.9)).text == "", question


def test_the_diseases_that_have_a_sign_tell_nobody_what_to_do() -> None:
    text = "Flank pain is recorded as a feature of 12 diseases, among them nephrolithiasis."
    fact = Evidence(id="knowledge:1#diseases", text=text, title="Flank pain: diseases", source="knowledge")
    assert answer("Which diseases have flank pain?", (fact, 0.9)).text == text
    assert answer("What do I do for flank pain", (fact, 0.9)).text == ""
    assert answer("Any suggestions on how to relieve flank pain?", (fact, 0.9)).text == ""


@given(st.lists(st.text(max_size=120), max_size=4), st.integers(1, 6))
def test_any_text_gives_claims_that_stand_in_the_answer(texts: list[str], most: int) -> None:
    evidence = [piece(n, text) for n, text in enumerate(texts)]
    draft = answer("What is gout?", *((e, 0.9) for e in evidence), most=most)
    by_id = {e.id: e.text for e in evidence}
    assert all(draft.text[slice(*c.span)].endswith(c.text) and c.text in by_id[c.cited[0]] for c in draft.claims)
    assert len(draft.claims) <= most


def test_the_runnable_keeps_to_the_length_asked_for() -> None:
    question = Question(question="What are the symptoms of gout?", max_words=12)
    given_ = AnswerInput(question, understand(question.question), [GOUT], {GOUT.id: 0.9})
    draft = answerer(encode, rarity, 5, score).invoke(given_).value
    assert 0 < len(re.findall(r"\w+", draft.text)) <= 12


def test_of_a_comparison_both_sides_are_told_or_nothing_is() -> None:
    measles = piece(3, "Measles is a disease with a rash and a high fever.", "Measles")
    rubella = piece(4, "Rubella is a milder disease with a rash.", "Rubella")
    asked = understand("What is the difference between measles and rubella?")
    assert asked.compared
    whole, first, second = asked.questions
    both = [
        Part(whole, {measles.id: 0.6, rubella.id: 0.6}),
        Part(first, {measles.id: 0.9, rubella.id: 0.1}),
        Part(second, {measles.id: 0.1, rubella.id: 0.9}),
    ]
    one = [*both[:2], Part(second, {measles.id: 0.1, rubella.id: 0.2})]
    told = answer_open(both, [measles, rubella], score=score, max_sentences=5, compared=True)
    assert measles.text in told.text
    assert rubella.text in told.text
    assert answer_open(one, [measles, rubella], score=score, max_sentences=5, compared=True).text == ""


def test_of_two_medicines_that_may_be_the_same_both_are_told_though_nothing_tells_them_apart() -> None:
    pair = [
        Evidence(id=f"knowledge:{name}", title=f"{name}: medicine", text=text, source="knowledge")
        for name in ("Zorblaxin", "Quellamol")
        if (text := f"{name} is a medicine that acts against pain, according to ChEBI.")
    ]
    asked = understand("Is Zorblaxin the same as Quellamol?")
    assert asked.asks_same
    whole, first, second = asked.questions
    parts = [Part(whole, {}), Part(first, {pair[0].id: 0.9}), Part(second, {pair[1].id: 0.9})]
    told = answer_open(parts, pair, score=score, max_sentences=5, compared=True, same=True)
    assert all(piece.text in told.text for piece in pair)
    assert answer_open(parts, pair, score=score, max_sentences=5, compared=True).text == ""


def test_neighbouring_sentences_are_told_in_one_run() -> None:
    text = (
        "Gout has been known for long. Gout attacks are treated with colchicine. They are also treated with ibuprofen. "
        "Kings had the disease."
    )
    draft = answer("How are gout attacks treated?", (piece(1, text), 0.9))
    assert "treated with colchicine. They are also treated with ibuprofen." in draft.text


def test_sentences_answer_a_question_after_its_story() -> None:
    page = piece(1, "Norovirus makes the stomach sick. Norovirus illness ends within three days.", "Norovirus")
    text = "The whole house has norovirus since Sunday. When will it be over?"
    asked: list[str] = []

    def hearing(question: str, units: Sequence[Unit]) -> Sequence[float]:
        asked.append(question)
        return score(question, units)

    parts = [Part(part, {page.id: 0.9}) for part in understand(text).questions]
    answer_open(parts, [page], score=hearing, max_sentences=1)
    assert asked == [text]


def test_below_the_notice_of_an_emergency_nothing_reassures_unless_it_is_asked_for() -> None:
    page = piece(1, "Most cases of croup are mild. Croup can become serious and close the airway.", "Croup")

    def told(question: str, *, sober: bool) -> str:
        parts = [Part(part, {page.id: 0.9}) for part in understand(question).questions]
        return answer_open(parts, [page], score=lambda _, units: [0.9] * len(units), max_sentences=5, sober=sober).text

    asked = "How serious is croup?"
    assert told(asked, sober=False) == page.text
    assert told(asked, sober=True) == "Croup can become serious and close the airway."
    assert told("How long does croup last?", sober=True) == page.text


def test_what_stands_before_the_answer_is_told_only_where_it_answers_nearly_as_well() -> None:
    page = piece(1, "Gout was known early on. Gout is treated with colchicine. Rest helps it heal.")
    (part,) = (Part(part, {page.id: 0.9}) for part in understand("How is gout treated?").questions)

    def weighing(worths: Sequence[float]) -> Draft:
        return answer_open([part], [page], score=lambda _, __: worths, max_sentences=5)

    assert weighing([0.2, 0.8, 0.2]).text == "Gout is treated with colchicine. Rest helps it heal."
    assert weighing([0.6, 0.8, 0.2]).text == page.text


def test_a_passage_under_another_heading_yields_to_one_whose_heading_asks_the_same() -> None:
    asked = piece(1, "Gout attacks often come from beer.", "Gout: What causes gout?")
    other = piece(2, "Gout attacks are treated with colchicine.", "Gout: What are the treatments for gout?")
    parts = [Part(p, {asked.id: 0.8, other.id: 0.9}) for p in understand("What causes gout attacks?").questions]

    def alike(question: str, units: Sequence[Unit]) -> Sequence[float]:
        return [0.5] * len(units)

    assert answer_open(parts, [asked, other], score=alike, max_sentences=5).citations == (asked.id,)
    plain = piece(2, other.text, "Gout")
    assert len(answer_open(parts, [asked, plain], score=alike, max_sentences=5).citations) == 2


def test_what_is_said_already_in_other_words_is_not_said_again() -> None:
    first, again = "Colchicine treats attacks of gout.", "Gout attacks are eased where one treats them with tablets."
    pages = [piece(1, first), piece(2, again)]
    parts = [Part(p, {page.id: 0.9 for page in pages}) for p in understand("How is gout treated?").questions]

    def same(texts: Sequence[str]) -> NDArray[np.float32]:
        return np.ones((len(texts), 1), np.float32)

    assert answer_open(parts, pages, score=score, max_sentences=5).text == f"{first} {again}"
    assert answer_open(parts, pages, score=score, max_sentences=5, encode=same).text == first


def test_a_section_is_told_from_where_it_begins_and_leaves_room_to_go_on() -> None:
    title = "Gout: What are the treatments for gout?"
    begins = piece(1, " ".join(f"Gout is treated with medicine {name}." for name in "abcdefgh"), title)
    goes_on = begins.model_copy(update={"id": "repository:c/1#1", "text": "Gout is treated with rest and cold packs."})
    relevance = {begins.id: 0.9, goes_on.id: 0.9}
    parts = [Part(p, relevance) for p in understand("How is gout treated?").questions]

    def tell(question: str, text: str, worth: float) -> float:
        return worth + 0.1 * ("cold packs" in text)

    def alike(question: str, units: Sequence[Unit]) -> Sequence[float]:
        return [0.5] * len(units)

    draft = answer_open(parts, [begins, goes_on], score=alike, max_sentences=6, tell=tell)
    assert draft.text.startswith("Gout is treated with medicine a.")
    assert draft.text.endswith("cold packs.")
    assert draft.citations == (begins.id, goes_on.id)


def test_what_answers_as_well_further_down_is_told_too() -> None:
    page = piece(4, "Beer often causes gout. Gout was known to Hippocrates. Meat often causes gout.")
    parts = [Part(p, {page.id: 0.9}) for p in understand("What causes gout?").questions]

    told = "Beer often causes gout. Meat often causes gout."

    def score_of(question: str, units: Sequence[Unit]) -> Sequence[float]:
        return [0.9, 0.1, 0.85]

    assert answer_open(parts, [page], score=score_of, max_sentences=5).text == told


@pytest.mark.parametrize(
    ("question", "all_of_it"),
    [
        ("How is gout treated?", True),
        ("gout treatment", True),
        ("How is gout treated in somebody with bad kidneys who drinks beer?", False),
    ],
)
def test_one_source_is_told_fully_to_a_plain_question_alone(question: str, all_of_it: bool) -> None:
    told = [f"Gout is treated with the medicine {name} for some weeks or months or for life." for name in "abcdef"]
    page = piece(4, " ".join(told))
    parts = [Part(p, {page.id: 0.9}) for p in understand(question).questions]

    def alike(question: str, units: Sequence[Unit]) -> Sequence[float]:
        return [0.5] * len(units)

    draft = answer_open(parts, [page], score=alike, max_sentences=6)
    assert (len(draft.claims) == len(told)) is all_of_it
