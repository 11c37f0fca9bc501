"""What a question takes for granted is held against the evidence."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from chains.premise import PremiseInput, premise_of, premiser
from chains.understand import understand
from chains.verify.statements.vocabulary import PLAIN
from core.embeddings import MiniLM
from core.readers.entailment import Entailed
from core.schema import Evidence

PAGE = Evidence(
    id="given:1",
    source="given",
    title="Scurvy",
    text="Scurvy is caused by a lack of vitamin C. Some people believe that vaccines cause diabetes. They do not.",
)


@pytest.mark.parametrize(
    ("question", "premise"),
    [
        ("why do vaccines cause diabetes", "do vaccines cause diabetes?"),
        ("Why is gout contagious?", "is gout contagious?"),
        ("hi, how does vitamin C cure the flu?", "does vitamin C cure the flu?"),
        ("why does my knee click", ""),
        ("how is gout treated", ""),
        ("how do vaccines work", ""),
        ("how do people get hepatitis C", ""),
        ("what causes gout", ""),
        ("since gout goes away by itself, when is it gone?", "is it true that gout goes away by itself?"),
        ("Since lupus is contagious how do i keep my kids from catching it", "is it true that lupus is contagious?"),
        ("it hurts since my fall, what can I do?", ""),
        ("since last week my knee hurts, what is it", ""),
        ("what has changed since vaccines came", ""),
        ("how can seniors avoid falls at home", ""),
        ("Why do older adults lose their hearing, and what helps?", ""),
        ("why do people who get vaccines get autism", "do people who get vaccines get autism?"),
        ("why do women's vaccines cause autism", "do women's vaccines cause autism?"),
    ],
)
def test_a_reason_is_asked_of_something(question: str, premise: str) -> None:
    assert premise_of(question) == premise


def unfounded(question: str, embedder: MiniLM, support: float) -> tuple[str, ...]:
    def learned(pairs: Sequence[tuple[str, str, str]]) -> list[Entailed]:
        return [Entailed(support, 0.0) for _ in pairs]

    given = PremiseInput(understand(question), [PAGE], {PAGE.id: 0.9})
    return premiser(embedder.encode, lambda term: 0.8, PLAIN, learned).invoke(given).value


def test_what_no_evidence_says_is_told(embedder: MiniLM) -> None:
    assert unfounded("why do vaccines cause diabetes", embedder, 0.01) == ("do vaccines cause diabetes?",)
    assert unfounded("why does a lack of vitamin C cause scurvy", embedder, 0.97) == ()
    assert unfounded("what causes scurvy", embedder, 0.01) == ()


def test_without_a_reader_nothing_is_told(embedder: MiniLM) -> None:
    given = PremiseInput(understand("why do vaccines cause diabetes"), [PAGE], {PAGE.id: 0.9})
    assert premiser(embedder.encode, lambda term: 0.8, PLAIN, None).invoke(given).value == ()


def test_what_the_reader_does_not_see_is_not_told_however_near_the_words(embedder: MiniLM) -> None:
    question = "why does a lack of vitamin C cause scurvy"
    assert unfounded(question, embedder, 0.5) == ("does a lack of vitamin C cause scurvy?",)
