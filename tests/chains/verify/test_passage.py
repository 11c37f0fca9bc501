from __future__ import annotations

from chains.verify.passage import abbreviations, read_passage


def test_windows_are_slices_of_one_and_two_sentences() -> None:
    text = "One is here.  Two is there. Three is gone."
    windows = read_passage(text).windows
    assert [window.sentences for window in windows] == [1, 1, 1, 2, 2]
    assert all(text[window.start : window.end] == window.text for window in windows)


def test_an_abbreviation_stands_for_its_long_form_and_back() -> None:
    text = "Systemic lupus erythematosus (SLE) is rare. SLE is treated."
    assert abbreviations(text) == {"sle": frozenset({"system", "lupus", "erythematosus"})}
    second = read_passage(text).windows[1]
    assert second.holds("lupus") == 1.0


def test_a_word_of_the_same_family_is_held_in_part() -> None:
    window = read_passage("Methylated genes were seen.").windows[0]
    assert 0 < window.holds("methyl") <= 1
    assert window.holds("methan") == 0
