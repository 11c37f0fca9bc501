from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.knowledge.linker import Linker, same_word


def found(linker: Linker, text: str) -> list[tuple[str, str]]:
    return [(mention.text, mention.concept.name) for mention in linker.link(text)]


def test_the_longest_name_wins_in_any_number_and_case(linker: Linker) -> None:
    text = "Do LONG fingers or spider fingers belong to Marlow's syndrome?"
    assert found(linker, text) == [
        ("LONG fingers", "Long finger"),
        ("spider fingers", "Long finger"),
        ("Marlow's syndrome", "Marlow syndrome"),
    ]


def test_inverted_names_are_read_forwards(linker: Linker) -> None:
    assert found(linker, "dilated cardiomyopathy 1H") == [("dilated cardiomyopathy 1H", "Cardiomyopathy, dilated, 1H")]


def test_abbreviations_mean_themselves_only_as_written(linker: Linker) -> None:
    assert found(linker, "LFG is seen; lfg is not.") == [("LFG", "Long finger")]


@pytest.mark.parametrize(
    "text", ["All of it", "a mild case", "corn", "the sinus", "thin hand", "long. Finger", "", "?!"]
)
def test_common_words_loose_synonyms_and_other_sentences_do_not_match(linker: Linker, text: str) -> None:
    assert found(linker, text) == []


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("She has sinusitis.", False),
        ("There is no sinusitis.", True),
        ("He denies fever or sinusitis.", True),
        ("Without any sign of sinusitis.", True),
        ("No fever, but sinusitis was found.", False),
        ("It isn't sinusitis.", True),
        ("Not only sinusitis was seen.", False),
        ("No fever was seen. Sinusitis was.", False),
        ("free of sinusitis", True),
        ("absence of sinusitis", True),
    ],
)
def test_negation_is_read_from_cues_to_the_left(linker: Linker, text: str, negated: bool) -> None:
    assert [mention.negated for mention in linker.link(text)] == [negated]


def test_a_name_as_written_scores_more_than_its_forms(linker: Linker) -> None:
    exact, plural = linker.link("A long finger, two long fingers.")
    assert exact.score == 1.0
    assert plural.score < exact.score


@given(st.text(max_size=30), st.sampled_from(["spider fingers", "Marlow syndrome", "LFG"]), st.text(max_size=30))
def test_spans_are_code_points_of_the_text_and_never_overlap(
    linker: Linker, before: str, name: str, after: str
) -> None:
    text = f"{before} {name} {after}"
    end = 0
    for mention in linker.link(text):
        assert mention.start >= end
        assert text[mention.start : mention.end] == mention.text
        end = mention.end


def test_the_span_counts_characters_beyond_the_basic_plane_once(linker: Linker) -> None:
    (mention,) = linker.link("🖐🏽 İç — spider fingers")
    assert mention.start == len("🖐🏽 İç — ")


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("finger", "fingers", True),
        ("allergy", "allergies", True),
        ("sinusitis", "sinus", False),
        ("into", "intoed", False),
    ],
)
def test_one_word_is_matched_in_its_number_only(a: str, b: str, same: bool) -> None:
    assert same_word(a, b) is same
    assert same_word(b, a) is same
