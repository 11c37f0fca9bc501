from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.knowledge.linking.linker import Linker


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


def test_words_in_another_order_score_less(linker: Linker) -> None:
    (mention,) = linker.link("Syndrome of Marlow was suspected.")
    assert (mention.text, mention.concept.name) == ("Syndrome of Marlow", "Marlow syndrome")
    assert mention.score < 0.95
    assert linker.link("a syndrome, Marlow said") == ()


def test_a_text_says_what_its_abbreviations_mean(linker: Linker) -> None:
    text = "Spider fingers (SF) are rare; SF run in families. Large floppy gait (LFG) is none: LFG."
    assert found(linker, text) == [("Spider fingers", "Long finger"), ("SF", "Long finger"), ("SF", "Long finger")]


@pytest.mark.parametrize("text", ["Marrlow syndrome", "Marlaw syndrome", "Marolw syndrome", "Merlow syndrome"])
def test_a_word_that_no_name_has_is_corrected_by_a_letter(linker: Linker, text: str) -> None:
    (mention,) = linker.link(text)
    assert mention.concept.name == "Marlow syndrome"
    assert mention.score < 0.9
    assert Linker(linker._store, approximate=False).link(text) == ()


def test_the_correction_of_a_word_can_be_asked_for(linker: Linker) -> None:
    assert linker.correction("marolw") == "marlow"
    assert linker.correction("zorblax") is None
    assert Linker(linker._store, approximate=False).correction("marolw") is None


@pytest.mark.parametrize(
    ("text", "family"),
    [
        ("Her mother had sinusitis.", True),
        ("A family history of sinusitis.", True),
        ("She is a mother. Sinusitis was seen.", False),
        ("He has sinusitis.", False),
    ],
)
def test_what_a_relative_has_is_said(linker: Linker, text: str, family: bool) -> None:
    assert [mention.family for mention in linker.link(text)] == [family]


def test_groups_choose(linker: Linker) -> None:
    assert linker.link("sinusitis", groups=("CHEM",)) == ()
    assert len(linker.link("sinusitis", groups=("DISO",))) == 1


def test_a_long_text_is_read_in_bounded_time(linker: Linker) -> None:
    text = "Long fingers and no sinusitis in anyone. " * 25_000
    assert len(text) > 1_000_000
    assert len(linker.link(text)) == 50_000
