"""What a passage says of a claim, as the reader that ships reads it."""

import json
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from core.errors import DataMissing
from core.minilm_onnx import model_folder
from core.readers.entailment import MOST_WINDOWS, WHOLE_WORDS, EntailmentReader, windows
from core.readers.pairs import PairTokenizer, titled
from core.readers.reader import FOLDER

SHORT = "Aspirin relieves headache. The clinic opens at nine. Parking is free. Bring your card."
OPENS = "The clinic opens at nine."
DENSE = "Allopurinol inhibits xanthine oxidase and lowers urate; hypersensitivity is rare but threatens the kidneys."


def test_a_short_passage_is_read_whole() -> None:
    assert windows("Aspirin relieves headache", SHORT) == [SHORT]


def test_a_paragraph_is_read_whole_to_its_last_word() -> None:
    paragraph = " ".join([DENSE] * 6)
    assert len(titled("Gout", paragraph).split()) <= WHOLE_WORDS
    assert windows("Allopurinol prevents gout", paragraph, "Gout") == [paragraph]
    assert len(windows("Allopurinol prevents gout", paragraph, "Gout in adults " * 12)) == MOST_WINDOWS
    room = json.loads((FOLDER / "entailment.json").read_text(encoding="utf-8"))["tokens"]
    tokenizer = PairTokenizer(Tokenizer.from_file(str(model_folder() / "tokenizer.json")), room)
    ids, _ = tokenizer.ids("Allopurinol prevents attacks of gout in adults", titled("Gout", paragraph))
    last, _ = tokenizer.ids("", "kidneys.")
    assert 160 < len(ids) <= room
    assert ids[-3:] == last[-3:]


def test_of_a_long_passage_the_sentences_near_the_claim_are_read() -> None:
    long = " ".join([OPENS] * 400 + ["Aspirin relieves headache."])
    found = windows("Aspirin relieves headache", long)
    assert len(found) == MOST_WINDOWS
    assert f"{OPENS} {OPENS} Aspirin relieves headache." in found


def test_one_long_sentence_is_read() -> None:
    assert len(windows("Aspirin relieves headache", "aspirin " * 300)) == 1


def test_nothing_is_said_by_an_empty_passage() -> None:
    assert windows("Aspirin relieves headache", " ") == []


@pytest.mark.parametrize(
    ("claim", "passage", "says"),
    [
        ("Scurvy is caused by a lack of vitamin C.", "Vitamin C deficiency causes scurvy.", "supported"),
        ("Is scurvy due to a lack of vitamin C?", "Vitamin C deficiency causes scurvy.", "supported"),
        ("Echinacea prevents colds.", "In this trial echinacea did not prevent colds.", "contradicted"),
        ("Green tea prevents stroke.", "Whether green tea prevents stroke is not known.", "neither"),
    ],
)
def test_the_one_that_ships_reads(claim: str, passage: str, says: str) -> None:
    supported, contradicted = EntailmentReader.load(1)(claim, passage)
    chances = {"supported": supported, "contradicted": contradicted, "neither": 1.0 - supported - contradicted}
    assert max(chances, key=lambda label: chances[label]) == says


def test_a_missing_file_is_a_typed_error(tmp_path: Path) -> None:
    with pytest.raises(DataMissing, match="entailment"):
        EntailmentReader.load(1, tmp_path)
