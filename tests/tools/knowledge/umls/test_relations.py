from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.knowledge.umls.conftest import Import, Rows
from tests.tools.knowledge.umls.meta import (
    ABSENT,
    COUGH,
    DIABETES,
    LUNG,
    METFORMIN,
    NO_COUGH,
    TYPE_2,
    rel,
    write_meta,
)
from tools.knowledge.umls.labels import Sentence, sentence

_RELATIONS = (
    "SELECT h.id, relation, t.id, vocabulary, negative FROM relations "
    "JOIN concepts h ON h.key = head JOIN concepts t ON t.key = tail"
)


def read(run: Import, rows: Rows, folder: Path, *relations: str) -> set[tuple[str, str, str, str, int]]:
    run(write_meta(folder, relations=relations))
    found = rows(_RELATIONS)
    assert len(set(found)) == len(found)
    return set(found)


def test_the_second_concept_is_the_head_and_each_statement_is_there_once(
    run: Import, rows: Rows, tmp_path: Path
) -> None:
    run(write_meta(tmp_path))
    assert rows(_RELATIONS + " ORDER BY relation") == [
        (TYPE_2, "is a", DIABETES, "SNOMEDCT_US", 0),
        (METFORMIN, "may treat", TYPE_2, "NCI", 0),
        (TYPE_2, "narrower than", DIABETES, "MSH", 0),
    ]


def test_one_end_of_a_statement_is_enough(run: Import, rows: Rows, tmp_path: Path) -> None:
    found = read(run, rows, tmp_path, rel(LUNG, "RO", COUGH, "has_finding_site"))
    assert found == {(LUNG, "finding site of", COUGH, "SNOMEDCT_US", 0)}


def test_the_inverses_that_mrdoc_lists_are_used(run: Import, rows: Rows, tmp_path: Path) -> None:
    meta = write_meta(tmp_path, relations=[rel(COUGH, "RO", LUNG, "soothes"), rel(LUNG, "RO", COUGH, "hushed_at")])
    meta.joinpath("MRDOC.RRF").write_text(
        "RELA|hushed_at|rela_inverse|soothes|\nRELA|soothes|rela_inverse|hushed_at|\n"
    )
    run(meta)
    assert rows(_RELATIONS) == [(COUGH, "hushed at", LUNG, "SNOMEDCT_US", 0)]


def test_what_states_nothing_is_left_out(run: Import, rows: Rows, tmp_path: Path) -> None:
    found = read(
        run,
        rows,
        tmp_path,
        rel(LUNG, "SIB", COUGH),
        rel(LUNG, "RO", LUNG, "part_of"),
        rel(LUNG, "RO", COUGH, "mapped_to"),
        rel(LUNG, "AQ", COUGH),
        rel(LUNG, "RO", COUGH, "finding_site_of", suppress="O"),
        rel(LUNG, "RO", "C7777777", "part_of"),
        rel(LUNG, "RO", COUGH, "lugar_de", sab="SCTSPA"),
    )
    assert found == set()


def test_a_symmetric_relation_is_there_once(run: Import, rows: Rows, tmp_path: Path) -> None:
    found = read(run, rows, tmp_path, rel(LUNG, "RO", COUGH), rel(COUGH, "RO", LUNG))
    assert {relation for _, relation, *_ in found} == {"related to"}
    assert len(found) == 1


def test_excluded_findings_are_the_negative_of_the_positive_relation(run: Import, rows: Rows, tmp_path: Path) -> None:
    found = read(
        run,
        rows,
        tmp_path,
        rel(COUGH, "RO", DIABETES, "disease_excludes_finding", "NCI"),
        rel(DIABETES, "RO", COUGH, "is_not_finding_of_disease", "NCI"),
        rel(COUGH, "RO", TYPE_2, "disease_has_finding", "NCI"),
    )
    assert found == {
        (DIABETES, "disease has finding", COUGH, "NCI", 1),
        (TYPE_2, "disease has finding", COUGH, "NCI", 0),
    }


def test_what_snomed_calls_known_absent_is_negative(run: Import, rows: Rows, tmp_path: Path) -> None:
    found = read(
        run,
        rows,
        tmp_path,
        rel(COUGH, "RO", NO_COUGH, "has_associated_finding"),
        rel(ABSENT, "RO", NO_COUGH, "has_finding_context"),
        rel(COUGH, "RO", DIABETES, "has_associated_finding"),
    )
    assert found == {
        (COUGH, "associated finding of", NO_COUGH, "SNOMEDCT_US", 1),
        (ABSENT, "finding context of", NO_COUGH, "SNOMEDCT_US", 0),
        (COUGH, "associated finding of", DIABETES, "SNOMEDCT_US", 0),
    }


@pytest.mark.parametrize(
    ("label", "said", "expected"),
    [
        ("RO", "has_causative_agent", Sentence("causative agent of", swapped=True)),
        ("RO", "causative_agent_of", Sentence("causative agent of")),
        ("PAR", "inverse_isa", Sentence("is a", swapped=True)),
        ("PAR", "", Sentence("narrower than", swapped=True)),
        ("RB", "", Sentence("narrower than", swapped=True)),
        ("RN", "tradename_of", Sentence("tradename of")),
        ("RO", "is_excluded_from", Sentence("is included in", negative=True)),
        ("RO", "has_absence_of", Sentence("has presence of", negative=True)),
        ("RO", "negatively_regulates", Sentence("negatively regulates")),
        ("RO", "contraindicated_with_disease", Sentence("contraindicated with disease")),
        ("RO", "has_contraindicated_drug", Sentence("contraindicated with disease", swapped=True)),
        ("SIB", "sib_in_isa", None),
        ("XR", "", None),
    ],
)
def test_what_a_row_says(label: str, said: str, expected: Sentence | None) -> None:
    assert sentence(label, said, {}) == expected


def test_relations_of_semantic_types_are_those_inherited(run: Import, meta: Path, rows: Rows) -> None:
    net = meta.parent / "NET"
    net.mkdir()
    net.joinpath("SRDEF").write_text(
        "STY|T121|Pharmacologic Substance|A1|||||||\nSTY|T047|Disease or Syndrome|B2|||||||\nRL|T154|treats|R3|||||||\n"
        "STY|T184|Sign or Symptom|A2|||||||\nRL|T186|isa|H|||||||\n"
    )
    net.joinpath("SRSTR").write_text(
        "Pharmacologic Substance|treats|Disease or Syndrome|D|\nSign or Symptom|treats|Disease or Syndrome|B|\n"
    )
    run(meta)
    assert rows("SELECT * FROM type_relations") == [("T121", "treats", "T047")]
    net.joinpath("SRSTRE1").write_text("T121|T154|T047|\nT047|T186|T184|\n")
    run(meta)
    assert rows("SELECT * FROM type_relations") == [("T121", "treats", "T047"), ("T047", "is a", "T184")]


def test_the_semantic_network_may_be_elsewhere(run: Import, meta: Path, rows: Rows, tmp_path: Path) -> None:
    tmp_path.joinpath("SRSTRE2").write_text("Pharmacologic Substance|treats|Disease or Syndrome|\n")
    run(meta, semantic_network=tmp_path)
    assert rows("SELECT * FROM type_relations") == [("T121", "treats", "T047")]
