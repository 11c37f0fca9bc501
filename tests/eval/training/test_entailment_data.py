"""The pairs that the entailment reader learns from."""

import random
from collections import Counter, defaultdict

import pytest

from eval.training.clauses import Noun, clause, drawn, question, wording_of
from eval.training.passages import Pair, Passages
from eval.training.scifact import kept_out
from eval.training.statements import RELATIONS, Fact, Term
from eval.training.valued import Valued, valued

DRUGS = tuple(
    Term((Noun(name, False),), "drug") for name in ("aspirin", "metformin", "colchicine", "lithium", "heparin")
)
DISEASES = tuple(Term((Noun(name, False),), "disease") for name in ("gout", "asthma", "scurvy", "migraine", "sepsis"))
TERMS = {"drug": DRUGS, "disease": DISEASES}
TREATS = Fact(TERMS, "treat", DRUGS[0], DISEASES[0])
NEIGHBOURS = [("The clinic opens at nine.", "Parking is free.")]


@pytest.mark.parametrize(
    ("line", "denied", "modal", "told"),
    [
        ("so cause {o}", False, "", "aspirin causes gout"),
        ("so cause {o}", True, "", "aspirin does not cause gout"),
        ("os be caused by {s}", True, "", "aspirin is not caused by gout"),
        ("so prevent {o}", True, "can", "aspirin cannot prevent gout"),
        ("so negatively_regulate {o}", False, "", "aspirin negatively regulates gout"),
    ],
)
def test_clause(line: str, denied: bool, modal: str, told: str) -> None:
    assert clause(wording_of(line), Noun("aspirin", False), "gout", denied, modal) == told


def test_question_takes_the_plural() -> None:
    assert question(wording_of("so cause {o}"), Noun("statins", True), "pain") == "do statins cause pain?"


def test_choices_nest_and_may_be_left_out() -> None:
    told = {drawn(random.Random(n), "(a|b(c|d))?(x)") for n in range(60)}
    assert told == {"x", "ax", "bcx", "bdx"}


def made(seed: int, count: int) -> list[Pair]:
    passages = Passages(random.Random(seed), NEIGHBOURS)
    other = Fact(TERMS, "prevent", DRUGS[1], DISEASES[1])
    return [passages.pair(TREATS, other) for _ in range(count)]


def test_same_seed_same_pairs() -> None:
    assert made(4, 50) == made(4, 50)


def test_what_is_told_supports_and_what_is_refuted_contradicts() -> None:
    for pair in made(1, 400):
        denied = any(
            word in f" {pair.claim} "
            for word in (" not ", " no ", " fails ", " ineffective ", " useless ", " nothing ")
        )
        if pair.kind == "told":
            assert pair.label == ("contradicted" if denied else "supported"), pair
        if pair.kind == "refuted":
            assert pair.label == ("supported" if denied else "contradicted"), pair


def test_beliefs_questions_hypotheses_and_lack_of_evidence_say_nothing() -> None:
    assert {p.label for p in made(2, 400) if p.kind in ("believed", "asked", "supposed", "unproven")} == {"neither"}


def test_no_label_is_told_by_the_claim_alone() -> None:
    labels: dict[str, Counter[str]] = defaultdict(Counter)
    for pair in made(3, 3000):
        labels[pair.claim][pair.label] += 1
    often = [counted for counted in labels.values() if sum(counted.values()) > 40]
    assert often
    assert all(max(counted.values()) < 0.75 * sum(counted.values()) for counted in often)


def test_another_value_speaks_against_and_another_term_says_nothing() -> None:
    rng = random.Random(1)
    dose = valued(rng, TERMS, "dose")
    other = dose.opposed(rng)
    assert isinstance(other, Valued)
    assert (other.term, other.value != dose.value) == (dose.term, True)


def test_opposites_name_relations() -> None:
    for name, told in RELATIONS.items():
        assert {*told.opposite, *told.unrelated} <= set(RELATIONS), name


def test_a_fifth_of_the_claims_is_kept_out() -> None:
    assert 0.15 < sum(kept_out(n) for n in range(1000)) / 1000 < 0.25
