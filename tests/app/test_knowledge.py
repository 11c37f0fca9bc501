from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from eval.synthetic.rrf import write_release
from tests.app.conftest import Medattest


def test_lookup_shows_names_types_ids_and_relations(medattest: Medattest) -> None:
    ran = medattest("knowledge", "lookup", "heart attack")
    assert ran.status == 0
    for part in ("Myocardial infarction", "C0027051", "derived", "MESH:D009203", "is a"):
        assert part in ran.out


def test_lookup_as_json_takes_ids_too(medattest: Medattest) -> None:
    (metformin,) = json.loads(medattest("knowledge", "lookup", "MESH:D008687", "--json").out)
    assert metformin["name"] == "Metformin"
    assert metformin["group"] == "CHEM"
    assert "CHEBI:6801" in metformin["xrefs"]
    assert any("has role, hypoglycemic agent" in relation.lower() for relation in metformin["relations"])


def test_what_nobody_knows_has_its_own_status(medattest: Medattest) -> None:
    ran = medattest("knowledge", "lookup", "zorblax fever")
    assert ran.status == 3
    assert "no concept is called" in ran.err


def test_a_text_is_linked_with_the_fields_of_the_format(medattest: Medattest) -> None:
    ran = medattest(
        "link", "No fever, but her mother had diabetes mellitus (DM); DM was treated with metformin.", "--json"
    )
    mentions = {m["text"]: m for m in json.loads(ran.out)["mentions"]}
    fields = {"start", "end", "text", "concept", "name", "types", "group", "xrefs", "negated", "score"}
    assert all(fields <= mention.keys() for mention in mentions.values())
    assert mentions["fever"]["negated"]
    assert mentions["diabetes mellitus"]["family"]
    assert mentions["DM"]["concept"] == mentions["diabetes mellitus"]["concept"]
    assert mentions["metformin"]["group"] == "CHEM"


def test_a_batch_of_texts_names_lines_without_text(medattest: Medattest, tmp_path: Path) -> None:
    texts, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    texts.write_text('{"id": "1", "text": "İ asthma"}\n{"id": "2"}\n', encoding="utf-8")
    assert medattest("link", "--texts", texts, "--out", out).status == 1
    lines = {line["id"]: line for line in map(json.loads, out.read_text(encoding="utf-8").splitlines())}
    (mention,) = lines["1"]["mentions"]
    assert (mention["start"], mention["end"], mention["text"]) == (2, 8, "asthma")
    assert lines["2"]["error"]["type"] == "InputError"


def test_paths_are_shown_with_their_numbers_and_drawn(medattest: Medattest, tmp_path: Path) -> None:
    drawing = tmp_path / "paths.svg"
    ran = medattest("knowledge", "path", "Marfan syndrome", "aortic aneurysm", "--svg", drawing)
    assert ran.status == 0
    assert "P_net" in ran.out
    assert ElementTree.parse(drawing).getroot().tag.endswith("svg")
    found = json.loads(medattest("knowledge", "path", "Marfan syndrome", "aortic aneurysm", "--json").out)
    best = found["evidence"]["max"]
    assert best["risk"] == pytest.approx(1 - best["support"] / (best["support"] + best["contradiction"]), abs=1e-6)
    assert len(found["evidence"]["support"]) <= 64


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("knowledge", "path", "Marfan syndrome", "zorblax fever"), "zorblax"),
        (("knowledge", "path", "asthma", "asthma"), "asthma"),
        (("link",), "TEXT"),
        (("link", "--texts", "in.jsonl"), "--out"),
        (("ask", "What is asthma?", "--sources", "umls"), "MEDATTEST_UMLS_KEY"),
    ],
)
def test_wrong_use_says_what_to_do(medattest: Medattest, arguments: tuple[str, ...], says: str) -> None:
    ran = medattest(*arguments)
    assert ran.status == 2, ran.err
    assert says in ran.err


def test_search_finds_a_document_by_another_name_of_its_subject(medattest: Medattest, tmp_path: Path) -> None:
    (tmp_path / "heart.md").write_text("# Myocardial infarction\n\nIt is treated by opening the artery.\n")
    (tmp_path / "lung.md").write_text("# Attacks\n\nAttacks of the heart of the matter are debates.\n")
    medattest("index", tmp_path, "--collection", "names")
    try:
        found = json.loads(medattest("search", "cardiac infarct", "--collection", "names", "-k", 1, "--json").out)
        assert "heart.md" in found["hits"][0]["id"]
    finally:
        medattest("collections", "delete", "names", "--yes")


def test_a_umls_release_is_imported_beside_the_vocabularies(
    medattest: Medattest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tools.knowledge.umls.importer.default_loaders", tuple)
    monkeypatch.setenv("MEDATTEST_HOME", str(tmp_path / "own"))
    meta = write_release(tmp_path, 400, 800, seed=0)
    ran = medattest("knowledge", "import-umls", meta)
    assert ran.status == 0, ran.err
    assert "UMLS" in ran.out
    assert medattest("knowledge", "import-umls", tmp_path).status == 0, "the folder above META serves too"
    assert medattest("knowledge", "import-umls", tmp_path / "nowhere").status == 2
