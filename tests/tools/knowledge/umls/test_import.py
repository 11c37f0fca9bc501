from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import InputError
from tests.tools.knowledge.umls.conftest import Import, Rows
from tests.tools.knowledge.umls.meta import (
    DIABETES,
    METFORMIN,
    NAMES,
    PREFERRED,
    TYPE_2,
    conso,
    sty,
    write_meta,
)
from tools.knowledge.database import FILE_NAME
from tools.knowledge.linking.linker import Linker
from tools.knowledge.store import KnowledgeStore

Open = Callable[[], KnowledgeStore]


def test_a_concept_has_its_preferred_name_types_codes_and_definition(run: Import, meta: Path, opened: Open) -> None:
    run(meta)
    store = opened()
    concept = store.concept(DIABETES)
    assert concept is not None
    assert (concept.id, concept.name, concept.group, concept.derived) == (DIABETES, "Diabetes Mellitus", "DISO", False)
    assert concept.types == ("Disease or Syndrome",)
    assert concept.xrefs == ("MESH:D003920", "SNOMEDCT_US:73211009")
    assert store.definition(DIABETES) == "A group of disorders with high blood sugar & more."
    assert store.concept("MESH:D003920") == concept


def test_only_english_names_that_are_not_suppressed_or_obsolete_are_kept(run: Import, meta: Path, opened: Open) -> None:
    run(meta)
    names = [(name.text, name.kind, name.vocabulary) for name in opened().names(DIABETES)]
    assert names == [
        ("Diabetes Mellitus", "preferred", "MSH"),
        ("Diabetes mellitus (disorder)", "exact", "SNOMEDCT_US"),
        ("Sugar sickness", "layperson", "CHV"),
    ]


def test_a_name_that_a_vocabulary_prefers_is_a_heading_and_an_abbreviation_is_one(
    run: Import, meta: Path, opened: Open
) -> None:
    run(meta)
    kinds = {name.text: name.kind for name in opened().names(TYPE_2)}
    assert kinds["Diabetes Mellitus, Non-Insulin-Dependent"] == "preferred"
    assert kinds["Diabetes Mellitus, Type 2"] == "heading"
    assert kinds["NIDDM"] == "abbreviation"


def test_a_code_is_an_identity_where_its_main_name_is_the_concepts(run: Import, meta: Path, rows: Rows) -> None:
    run(meta)
    found = dict(rows("SELECT curie, kind FROM xrefs JOIN concepts ON key = concept WHERE id = 'C0011860'"))
    assert found == {"MESH:D003924": "identity", "MESH:D003920": "mapping", "NCIT:C26747": "mapping"}


def test_the_linker_finds_its_names(run: Import, meta: Path, opened: Open) -> None:
    run(meta)
    linker = Linker(opened())
    mentions = linker.link("Metformin for adult-onset diabetes, or NIDDM, whatever is known absent.")
    assert [(m.text, m.concept.id) for m in mentions] == [
        ("Metformin", METFORMIN),
        ("adult-onset diabetes", TYPE_2),
        ("NIDDM", TYPE_2),
    ]


def test_chosen_vocabularies_alone_are_read(run: Import, meta: Path, rows: Rows) -> None:
    report = run(meta, vocabularies=["NCI", "RXNORM"])
    assert rows("SELECT id, name FROM concepts") == [(TYPE_2, "NIDDM"), (METFORMIN, "metformin")]
    assert report.counts["names"] == 2
    assert rows("SELECT relation, vocabulary FROM relations") == [("may treat", "NCI")]


def test_vocabularies_that_are_not_there_are_an_error(run: Import, meta: Path, home: Path) -> None:
    with pytest.raises(InputError, match="no English name of the vocabularies NONE"):
        run(meta, vocabularies=["NONE"])
    assert not list(home.glob("*.importing"))


def test_rows_may_come_in_any_order(run: Import, meta: Path, rows: Rows, tmp_path: Path) -> None:
    tables = ("concepts", "types", "xrefs")
    run(meta)
    sorted_rows = [rows(f"SELECT * FROM {table} ORDER BY 1, 2, 3") for table in tables]
    names = set(rows("SELECT concept, name, kind, link FROM names"))
    run(write_meta(tmp_path / "again", names=NAMES[::-1]))
    assert [rows(f"SELECT * FROM {table} ORDER BY 1, 2, 3") for table in tables] == sorted_rows
    assert {name.lower() for _, name, *_ in rows("SELECT * FROM names")} == {name.lower() for _, name, *_ in names}


def test_the_report_says_what_was_read_and_what_was_missing(run: Import, meta: Path) -> None:
    report = run(meta)
    assert (report.release, report.started, dict(report.bad)) == ("2024AB", "started", {})
    assert (report.counts["concepts"], report.counts["types"], report.counts["definitions"]) == (8, 9, 1)
    assert report.missing == ("MRDOC.RRF", "MRSAB.RRF", "SRDEF", "SRSTR", "SRSTRE1", "SRSTRE2")
    assert report.seconds > 0


def test_relations_and_definitions_may_be_missing(run: Import, meta: Path, rows: Rows) -> None:
    for name in ("MRREL.RRF", "MRDEF.RRF"):
        meta.joinpath(name).unlink()
    report = run(meta)
    assert report.missing[:2] == ("MRREL.RRF", "MRDEF.RRF")
    assert rows("SELECT COUNT(*) FROM relations") == [(0,)]


def test_the_release_is_a_vocabulary_with_its_licence(run: Import, meta: Path, opened: Open) -> None:
    mrsab = (
        "C1|C2|MSH2024|MSH|Medical Subject Headings|MSH|2024_02|||||NLM|NLM|0|1|1||MH||ENG|UTF-8|Y|Y|MeSH|A citation|"
    )
    meta.joinpath("MRSAB.RRF").write_text(mrsab + "\n", encoding="utf-8")
    run(meta)
    found = {vocabulary.id: vocabulary for vocabulary in opened().vocabularies()}
    assert found["UMLS"].version == "2024AB"
    assert (found["MSH"].name, found["MSH"].version) == ("Medical Subject Headings", "2024_02")
    assert found["NCI"].version == "as in UMLS 2024AB"
    assert "MSHSPA" not in found


def test_progress_says_what_is_done_and_what_is_left(run: Import, meta: Path) -> None:
    told: list[tuple[str, float]] = []
    run(meta, progress=lambda text, share: told.append((text, share)))
    assert ("importing MRCONSO, less than a minute left", 1.0) in told
    assert ("importing MRREL, less than a minute left", 1.0) in told
    assert all(0 <= share <= 1 for _, share in told)


def test_single_words_of_general_concepts_are_not_looked_for(run: Import, tmp_path: Path, opened: Open) -> None:
    names = [
        conso("C0000100", "Pertaining", status=PREFERRED),
        conso("C0000101", "Wardrobe", status=PREFERRED),
        conso("C0000102", "Zebritis", status=PREFERRED),
    ]
    types = [sty("C0000100", "T080"), sty("C0000101", "T073"), sty("C0000102", "T047")]
    run(write_meta(tmp_path, names, types=types, relations=[], definitions=[]))
    assert [m.text for m in Linker(opened()).link("Zebritis pertaining to a wardrobe")] == ["Zebritis"]


def test_the_store_replaces_the_old_one_only_when_it_is_whole(run: Import, meta: Path, home: Path) -> None:
    home.mkdir()
    home.joinpath(FILE_NAME).write_text("the old one")

    def progress(text: str, _: float) -> None:
        assert home.joinpath(FILE_NAME).read_text("utf-8") == "the old one", text

    run(meta, progress=progress)
    left = {path.name for path in home.iterdir()}
    assert left == {FILE_NAME, f"{FILE_NAME}.lock", f"{FILE_NAME}.importing.lock"}
