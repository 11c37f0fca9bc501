from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from chains.select.exemplars import ExemplarInput, exemplar_selector, no_exemplars
from chains.select.h2es import h2es
from core.embeddings import MiniLM
from core.schema import Concept, Exemplar, Task, Triple
from tools.exemplars import ExemplarBank, embedded_text

QUESTION = "A child has a barking cough and a hoarse voice at night. Which virus is the usual cause?"
CROUP = Triple(
    head=Concept(id="C1", name="croup"),
    relation="has symptom",
    tail=Concept(id="C2", name="barking cough"),
    vocabulary="",
)


@pytest.fixture
def bank(model_home: Path, embedder: MiniLM) -> ExemplarBank:
    return ExemplarBank(model_home, lambda: embedder)


def choose(
    bank: ExemplarBank,
    embedder: MiniLM,
    context: str,
    task: Task = "choice",
    knowledge: Sequence[Triple] = (),
    count: int = 3,
    lambda_: float = 0.2,
) -> list[Exemplar]:
    selector = exemplar_selector(bank, embedder.encode, count, 10, lambda_, True)
    outcome = selector.invoke(ExemplarInput(task, context, tuple(knowledge)))
    assert not outcome.failures
    return list(outcome.value)


def test_they_come_in_h2es_order(bank: ExemplarBank, embedder: MiniLM) -> None:
    instances = bank.instances("choice")
    (query,) = embedder.encode([embedded_text(QUESTION, [str(CROUP)])])
    expected = [instances.ids[place] for place, _ in h2es(query, instances.vectors, 10, 3)]
    assert [e.id for e in choose(bank, embedder, QUESTION, knowledge=[CROUP])] == expected


def test_the_most_similar_is_among_them_and_of_the_asked_task(bank: ExemplarBank, embedder: MiniLM) -> None:
    for task in ("choice", "dialogue"):
        found = choose(bank, embedder, QUESTION, task)
        assert [e.task for e in found] == [task] * 3
    assert any("barking cough" in e.context for e in choose(bank, embedder, QUESTION))
    assert choose(bank, embedder, QUESTION, "open") == []


def test_knowledge_takes_part_in_the_choice(bank: ExemplarBank, embedder: MiniLM) -> None:
    (without,) = choose(bank, embedder, "What should be done next?", count=1, lambda_=1.0)
    (found,) = choose(bank, embedder, "What should be done next?", knowledge=[CROUP], count=1, lambda_=1.0)
    assert "barking cough" in found.context
    assert found != without


def test_the_question_itself_is_left_out(bank: ExemplarBank, embedder: MiniLM) -> None:
    (itself,) = (e for e in bank.exemplars() if "barking cough" in e.context)
    found = choose(bank, embedder, itself.context.upper(), count=20)
    assert itself not in found
    assert len(found) == 10, "the pool is filled by others"


def test_none_are_chosen_where_none_are_wanted(bank: ExemplarBank, embedder: MiniLM) -> None:
    assert choose(bank, embedder, QUESTION, count=0) == []
    assert no_exemplars().invoke(ExemplarInput("choice", QUESTION)).value == ()


def test_an_empty_bank_gives_none(home: Path, embedder: MiniLM) -> None:
    instances = ExemplarBank(home, lambda: embedder).instances("yesno")
    assert instances.vectors.shape == (0, 384)
    assert instances.vectors.dtype == np.float32
