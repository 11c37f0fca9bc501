from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tools.knowledge.graph import ConceptGraph, PathEvidence, literal_graph, to_svg

IDS = ["HP:0001083", "MESH:D008382", "C0003504"]
SVG = "{http://www.w3.org/2000/svg}"


def evidence() -> PathEvidence:
    found = literal_graph(IDS, np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), tau=0.2).evidence(IDS[0], IDS[1])
    assert found is not None
    return found


def words(svg: str) -> str:
    return "\n".join(ElementTree.fromstring(svg).itertext())


def test_the_picture_has_the_names_and_the_numbers() -> None:
    said = words(to_svg(evidence(), {IDS[0]: "Ectopia lentis", IDS[1]: "Marfan syndrome"}))
    for expected in ("Ectopia lentis", "Marfan syndrome", IDS[2], "0.670", "P = 0.4500", "risk 0.550"):
        assert expected in said


def test_it_can_be_read_aloud() -> None:
    root = ElementTree.fromstring(to_svg(evidence()))
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == f"Paths between {IDS[0]} and {IDS[1]}"
    assert "2 supporting paths, 2 counter-paths" in (root.findtext(f"{SVG}desc") or "")


def test_markup_in_a_name_is_text() -> None:
    name = """<script>alert("x")</script> & 'more'"""
    svg = to_svg(evidence(), {IDS[0]: name})
    assert "<script" not in svg
    assert name in words(svg)


@given(st.text(st.characters()))
def test_any_name_gives_well_formed_xml(name: str) -> None:
    svg = to_svg(evidence(), {IDS[1]: name})
    ElementTree.fromstring(svg.encode("utf-8"))


def test_no_more_rows_than_asked_for() -> None:
    svg = to_svg(evidence(), rows=1)
    assert svg.count("P = 0.") == 2
    assert len(to_svg(evidence())) > len(svg)


def test_a_denied_pair_without_paths_says_so() -> None:
    graph = ConceptGraph.build(IDS[:2], np.eye(2), negative=[(IDS[0], IDS[1])])
    found = graph.evidence(IDS[0], IDS[1])
    assert found is not None
    said = words(to_svg(found))
    assert "no path" in said
    assert "do not go together" in said
