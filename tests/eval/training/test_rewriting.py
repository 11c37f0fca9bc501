"""What a parsed sentence is rewritten into."""

import random

import pytest

from core.language.parser import parser
from eval.training.clauses import Noun
from eval.training.real_sentences import Real, SentenceReader
from eval.training.statements import Term

GROUPS = ("disease", "drug", "germ", "symptom", "level", "protein", "process", "cell", "event")
TERMS: dict[str, tuple[Term, ...]] = {group: (Term((Noun(f"no {group}", False),), group),) for group in GROUPS}
TERMS["disease"] = tuple(Term((Noun(name, False),), "disease") for name in ("scurvy", "asthma"))


@pytest.fixture(scope="module")
def reader() -> SentenceReader:
    return SentenceReader(parser(), TERMS, random.Random(2))


def read(reader: SentenceReader, text: str) -> Real:
    return next(real for _, real in reader.read([text]))


def test_a_sentence_is_shortened_denied_and_asked(reader: SentenceReader) -> None:
    real = read(reader, "Scurvy, which is rare today, causes bleeding gums and pain in the legs.")
    assert "scurvy causes bleeding gums and pain in the legs" in real.follows
    assert "does not cause bleeding gums" in real.denials[0]
    assert real.asked == "does scurvy, which is rare today, cause bleeding gums and pain in the legs?"
    assert real.turned
    assert any("asthma" in text or "bleeding gums causes" in text or "gums cause" in text for text in real.beside)


def test_the_denial_of_a_denial_asserts(reader: SentenceReader) -> None:
    assert read(reader, "Aspirin does not cure the common cold.").denials == ("aspirin cures the common cold",)


@pytest.mark.parametrize("text", ["It causes bleeding gums.", "Bleeding gums and pain.", "We suggest that gums bleed."])
def test_what_needs_its_context_or_asserts_nothing_is_left_out(reader: SentenceReader, text: str) -> None:
    assert list(reader.read([text])) == []
