"""Windows, pairs and batches of token ids, whatever special tokens a model has and however it counts spaces."""

from __future__ import annotations

from tokenizers import Tokenizer, pre_tokenizers

from core.hf.tokens import BATCH_TOKENS, Tokens, Window, batches


def test_special_tokens_stand_where_the_model_has_them(
    wordpiece: Tokenizer, bytelevel: Tokenizer, sentencepiece: Tokenizer
) -> None:
    for tokenizer in (wordpiece, bytelevel, sentencepiece):
        [window] = Tokens(tokenizer, 64).windows(0, "fever rash")
        assert window.ids == tokenizer.encode("fever rash").ids
        [pair] = Tokens(tokenizer, 64).pairs(0, "fever", "rash ?")
        assert pair.ids == tokenizer.encode("fever", "rash ?").ids
        assert pair.types == tokenizer.encode("fever", "rash ?").type_ids


def test_a_text_without_a_token_has_a_window(wordpiece: Tokenizer, sentencepiece: Tokenizer) -> None:
    assert [window.ids for window in Tokens(wordpiece, 16).windows(0, "")] == [[2, 3]]
    assert [window.ids for window in Tokens(sentencepiece, 16).windows(0, "")] == [[1]]


def test_windows_are_of_about_equal_length_and_lose_nothing(wordpiece: Tokenizer) -> None:
    tokens = Tokens(wordpiece, 16)
    text = "fever rash lens heart bone " * 7
    windows = list(tokens.windows(3, text))
    assert [len(window.ids) for window in windows] == [13, 14, 14]
    assert [token for window in windows for token in window.ids[1:-1]] == tokens.ids(text)
    assert {window.text for window in windows} == {3}


def test_every_window_begins_with_the_instruction(wordpiece: Tokenizer) -> None:
    tokens = Tokens(wordpiece, 16)
    windows = list(tokens.windows(0, "fever rash lens " * 8, "what is : "))
    assert len(windows) == 3
    assert all(window.ids[:4] == [2, *tokens.ids("what is :")] for window in windows)
    assert all(window.instruction == 4 for window in windows)
    assert all(len(window.ids) <= 16 for window in windows)


def test_the_space_at_an_instructions_end_takes_no_token_from_the_text(sentencepiece: Tokenizer) -> None:
    spaced = Tokenizer.from_str(sentencepiece.to_str())
    spaced.pre_tokenizer = pre_tokenizers.Metaspace()  # which makes a token of the space where it ends a text
    tokens = Tokens(spaced, 64)
    assert len(tokens.ids("what is : ")) == len(tokens.ids("what is :")) + 1
    [window] = tokens.windows(0, "fever", "what is : ")
    assert window.ids[window.instruction :] == [*tokens.ids("fever"), 1]


def test_spans_have_no_space(sentencepiece: Tokenizer) -> None:
    spaced = Tokenizer.from_str(sentencepiece.to_str())
    spaced.pre_tokenizer = pre_tokenizers.Metaspace()
    assert Tokens(spaced, 64).spans("the fever  ? ") == [(0, 3), (4, 9), (11, 12)]


def test_a_tokenizer_that_cuts_and_pads_is_taken_as_a_copy_that_does_not(wordpiece: Tokenizer) -> None:
    cutting = Tokenizer.from_str(wordpiece.to_str())
    cutting.enable_truncation(4)
    cutting.enable_padding(length=4)
    assert len(Tokens(cutting, 16).ids("fever " * 9)) == 9
    assert len(cutting.encode("fever " * 9).ids) == 4


def test_of_a_pair_the_text_is_read_whole_and_the_query_to_half(wordpiece: Tokenizer) -> None:
    tokens = Tokens(wordpiece, 15)
    pairs = list(tokens.pairs(0, "fever " * 50, "rash lens heart bone " * 3))
    assert all(pair.ids[:8] == [2, *[4] * 6, 3] for pair in pairs)
    assert [token for pair in pairs for token in pair.ids[8:-1]] == tokens.ids("rash lens heart bone " * 3)


def test_batches_hold_every_window_once_within_their_budget() -> None:
    windows = [Window(n, [1] * (1 + n % 300), [0] * (1 + n % 300), n % 2) for n in range(700)]
    found = list(batches(windows))
    assert sorted(window.text for batch in found for window in batch) == list(range(700))
    assert all(len(batch) * max(len(window.ids) for window in batch) <= BATCH_TOKENS for batch in found)
    assert all(len({window.instruction for window in batch}) == 1 for batch in found)
