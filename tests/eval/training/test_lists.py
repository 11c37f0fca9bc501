from __future__ import annotations

import random

from chains.relevance.subject import divided
from core.settings import load_settings
from eval.training.judged import PASSAGE, SENTENCE, Sentences, kept
from eval.training.lists import (
    BESIDE,
    OTHER,
    RUNS,
    SENTENCES,
    answers_of,
    passage_lists,
    said_beside,
    sentence_lists,
    sentences_of,
    subject_lists,
)
from graphs.resources import Resources

SAID = Sentences(
    "how is gout treated",
    "Gout: What are the treatments for gout?",
    ["It is a kind of arthritis.", "Colchicine helps.", "So do NSAIDs.", "Ask your doctor."],
    [0, 2, 1, 0],
)


def test_the_sentences_that_answer_are_all_in_a_list_and_the_padding_fills_it() -> None:
    long = SAID._replace(sentences=[*SAID.sentences, *map(str, range(20))], grades=[*SAID.grades, *[0] * 20])
    made = sentences_of(long, random.Random(1))
    assert len(made) == SENTENCES
    assert sorted(pair.label for pair in made)[-2:] == [SENTENCE[1], SENTENCE[2]]


def test_a_run_answers_as_far_as_the_best_of_its_sentences() -> None:
    made = answers_of(SAID, random.Random(1))
    assert len(made) == sum(len(SAID.sentences) - length + 1 for length in RUNS)
    assert all(pair.label == (SENTENCE[2] if "Colchicine" in pair.passage else SENTENCE[1]) for pair in made)
    assert {pair.passage.startswith("Gout: ") for pair in made} == {True, False}


def test_what_other_topics_have_stands_beside_the_passages_of_a_topic() -> None:
    resources = Resources(load_settings())
    made = list(passage_lists(resources, random.Random(1), topics=3, stories=2))
    resources.close()
    assert all(len({pair.question for pair in one}) == 1 and not kept(one[0].question) for one in made)
    others = [sum(pair.label == OTHER for pair in one) for one in made]
    assert max(others) == BESIDE
    assert {pair.label for one in made for pair in one} <= {*PASSAGE, *SENTENCE, OTHER}


def test_what_is_said_of_other_diseases_is_told_of_these_by_name_and_answers_seldom() -> None:
    resources = Resources(load_settings())
    acute = next(e.id for e in resources.library.search(["acute bronchitis"], 5) if e.title == "Acute Bronchitis")
    said = SAID._replace(question="how is bronchitis treated", passage=acute)
    made = list(said_beside(said, resources, random.Random(1)))
    lists = list(sentence_lists(resources, random.Random(1), count=1, stories=0, searched=2))
    resources.close()
    assert 0 < len(made) <= BESIDE
    assert {pair.label for pair in made} == {OTHER}
    assert all(pair.passage.partition(": ")[0] and not pair.passage.startswith("Acute Bronchitis:") for pair in made)
    assert len(lists) >= 2 * (2 + 1)
    assert all(len({pair.question for pair in one}) == 1 for one in lists)


def test_what_stands_under_the_same_heading_in_other_topics_does_not_answer() -> None:
    resources = Resources(load_settings())
    made = list(subject_lists(resources, random.Random(1), count=5))
    resources.close()
    assert len(made) == 5
    for right, whole, *runs in made:
        (own, asks), (other, also_asks) = divided(right.title), divided(whole.title)
        assert (right.label, whole.label) == (PASSAGE[-1], PASSAGE[0])
        assert own != other
        assert asks.lower().replace(own.lower(), "") == also_asks.lower().replace(other.lower(), "")
        assert all(run.passage.startswith(f"{own}: ") == bool(run.label) for run in runs)
