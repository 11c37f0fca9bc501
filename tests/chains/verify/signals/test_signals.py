from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chains.verify.comparison import Comparison
from chains.verify.passage import read_passage
from chains.verify.signals import measure
from chains.verify.signals.antonyms import antonym_agreement, antonym_conflict, opposed
from chains.verify.signals.containment import containment, share
from chains.verify.signals.negation import hedging, negation_conflict
from chains.verify.signals.quantities import Quantity, number_conflict, numbers_found, quantities
from chains.verify.signals.similarity import counter_claim, counter_margin
from chains.verify.statements.near import near_runs, read, words_in, words_of
from chains.verify.wording import wording
from core.text import stem


def compare(claim: str, text: str, title: str = "") -> Comparison:
    passage = read_passage(text, title)
    window = passage.windows[-1]
    words = words_of(window, near_runs(passage, [window], title))
    return Comparison(
        wording(claim), window, passage, lambda _: 1.0, claim_words=words_in(read(claim)), window_words=words
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("increased", "reduction"),
        ("tachycardia", "bradycardia"),
        ("hyperglycemia", "hypoglycemia"),
        ("leukocytosis", "leukopenia"),
        ("symptomatic", "asymptomatic"),
        ("causes", "prevents"),
        ("inhibits", "activation"),
        ("beneficial", "harmful"),
        ("worsen", "improve"),
        ("malignant", "benign"),
        ("chronic", "acute"),
    ],
)
def test_opposites(one: str, other: str) -> None:
    assert opposed(stem(one), stem(other))
    assert opposed(stem(other), stem(one))


@pytest.mark.parametrize(("one", "other"), [("patient", "inpatient"), ("heart", "lung"), ("increase", "increased")])
def test_no_opposites(one: str, other: str) -> None:
    assert not opposed(stem(one), stem(other))


def test_an_opposite_counts_where_its_surroundings_are_shared() -> None:
    claim = "Aspirin increases bleeding risk."
    assert antonym_conflict(compare(claim, "Aspirin reduces bleeding risk.")) == pytest.approx(1.0)
    assert antonym_conflict(compare(claim, "Losartan reduces cough.")) < 0.2
    assert antonym_conflict(compare(claim, "Aspirin raises bleeding risk.")) == 0.0
    assert antonym_agreement(compare(claim, "Aspirin raises bleeding risk.")) == pytest.approx(1.0)


def test_negation_conflict_is_about_what_both_say() -> None:
    claim = "Aspirin reduces risk."
    assert negation_conflict(compare(claim, "Aspirin does not reduce risk.")) == 1.0
    assert negation_conflict(compare(claim, "Aspirin reduces risk, not mortality.")) == 0.0
    assert negation_conflict(compare("Aspirin does not reduce risk.", "Aspirin does not reduce risk.")) == 0.0
    assert hedging(compare(claim, "Aspirin may reduce risk.")) == 1.0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5 mg", [Quantity(0.005, 0.005, "gram")]),
        ("20-30% of 5,000 mice", [Quantity(20, 30, "percent"), Quantity(5000, 5000, "")]),
        ("1 in 200", [Quantity(0.5, 0.5, "percent")]),
        ("two weeks", [Quantity(14, 14, "day")]),
        ("IL-10 and CD4", []),
    ],
)
def test_quantities_are_read_in_base_units(text: str, expected: list[Quantity]) -> None:
    assert list(quantities(text)) == expected


def test_numbers_conflict_only_in_one_unit() -> None:
    assert number_conflict(compare("The dose was 100 mg.", "The dose was 50 mg.")) == 1.0
    assert number_conflict(compare("The dose was 0.1 g.", "The dose was 100 mg.")) == 0.0
    assert number_conflict(compare("It lasts 7 mg.", "It lasts 5 to 10 mg.")) == 0.0
    assert number_conflict(compare("The dose was 100 mg.", "It lasted 5 weeks.")) == 0.0
    assert number_conflict(compare("It is rare.", "It lasted 5 weeks.")) is None
    assert numbers_found(compare("In 12 of 30.", "There were 12 patients.")) == 0.5


def test_the_title_counts_beside_the_window() -> None:
    comparison = compare("Marfan syndrome affects eyes.", "It affects eyes.", title="Marfan syndrome")
    signals = measure(comparison)
    assert (signals["containment"], signals["containment_titled"]) == (0.5, 1.0)
    assert signals["similarity"] is None


@given(st.lists(st.sampled_from("abcd"), min_size=1), st.sets(st.sampled_from("abcd")))
def test_share_is_a_weighted_mean(stems: list[str], held: set[str]) -> None:
    weights = {"a": 0.1, "b": 0.5, "c": 1.0, "d": 0.7}
    expected = sum(weights[s] for s in stems if s in held) / sum(weights[s] for s in stems)
    assert share(stems, weights.__getitem__, lambda s: float(s in held)) == pytest.approx(expected)


def test_a_claim_without_content_has_no_containment() -> None:
    assert containment(compare("It is so.", "Aspirin helps.")) is None


@pytest.mark.parametrize(
    ("claim", "counter"),
    [
        ("Aspirin increases risk.", "Aspirin decreases risk."),
        ("It is not mild.", "It is mild."),
        ("It is a gene.", "It is not a gene."),
        ("Aspirin helps.", "It is not true that Aspirin helps."),
    ],
)
def test_the_counter_claim_says_the_opposite(claim: str, counter: str) -> None:
    assert counter_claim(claim) == counter


def test_the_margin_needs_both_similarities() -> None:
    comparison = compare("A is b.", "A is b.")
    assert counter_margin(comparison) is None
