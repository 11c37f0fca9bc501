from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from core.errors import StoreCorrupted, StoreError
from tools.knowledge.graph import ConceptGraph, files

IDS = [f"MESH:D{n:06}" for n in range(30)]


def made(seed: int) -> ConceptGraph:
    vectors = np.random.default_rng(seed).normal(size=(30, 3))
    return ConceptGraph.build(IDS, vectors, neighbours=4, negative=[(IDS[0], IDS[1])])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made(0).save(tmp_path / "graphs" / "hpo")
    return tmp_path / "graphs" / "hpo"


def test_a_saved_graph_opens_as_it_was(folder: Path) -> None:
    graph, opened = made(0), ConceptGraph.open(folder)
    assert (len(opened), opened.edges, opened.about) == (30, graph.edges, graph.about)
    assert opened.about["neighbours"] == 4
    for other in IDS[1:]:
        assert opened.evidence(IDS[0], other) == graph.evidence(IDS[0], other)
    assert opened.denies(IDS[1], IDS[0])


def test_what_is_mapped_cannot_be_changed(folder: Path) -> None:
    opened = ConceptGraph.open(folder)
    assert not opened._adjacency.weights.flags.writeable


def test_a_graph_of_nothing_is_a_graph(tmp_path: Path) -> None:
    ConceptGraph.build([], np.zeros((0, 3))).save(tmp_path)
    opened = ConceptGraph.open(tmp_path)
    assert (len(opened), opened.edges) == (0, 0)


def test_saving_replaces_the_graph_and_leaves_an_open_one_readable(folder: Path) -> None:
    before = ConceptGraph.open(folder)
    made(1).save(folder)
    assert before.neighbours(IDS[2]) == made(0).neighbours(IDS[2])
    assert ConceptGraph.open(folder).neighbours(IDS[2]) == made(1).neighbours(IDS[2])
    assert len(list(folder.iterdir())) == 2


def test_a_graph_that_is_replaced_while_it_is_opened_is_opened_anew(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(parts: Path, name: str, checksum: int) -> NDArray[Any]:
        monkeypatch.undo()
        made(1).save(folder)
        return files._array(parts, name, checksum)

    monkeypatch.setattr(files, "_array", slow)
    assert ConceptGraph.open(folder).neighbours(IDS[2]) == made(1).neighbours(IDS[2])


def test_a_write_that_fails_leaves_what_was_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(np, "save", full)
        with pytest.raises(StoreError, match="room"):
            made(1).save(folder)
    assert ConceptGraph.open(folder).neighbours(IDS[2]) == made(0).neighbours(IDS[2])
    assert len(list(folder.iterdir())) == 2


def test_where_there_is_none_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no concept graph"):
        ConceptGraph.open(tmp_path / "nothing")


def test_another_version_is_built_again(folder: Path) -> None:
    head = json.loads((folder / "head.json").read_text())
    (folder / "head.json").write_text(json.dumps(head | {"format": 0}))
    with pytest.raises(StoreError, match="format 0") as raised:
        ConceptGraph.open(folder)
    assert not isinstance(raised.value, StoreCorrupted)


@pytest.mark.parametrize("part", ["names", "order", "offsets", "nodes", "weights", "denied"])
@pytest.mark.parametrize("harm", ["cut", "flipped", "gone"])
def test_damage_is_found(folder: Path, part: str, harm: str) -> None:
    (file,) = folder.glob(f"arrays-*/{part}.npy")
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    if harm == "gone":
        file.unlink()
    else:
        file.write_bytes(content if harm == "flipped" else content[:-3])
    with pytest.raises(StoreCorrupted, match="build it again"):
        ConceptGraph.open(folder)


@pytest.mark.parametrize(
    "head",
    ["", "{", "[]", '{"format": 1}', '{"format": 1, "arrays": 3, "checksums": {}, "about": {}}'],
)
def test_a_damaged_head_is_found_and_saving_mends_it(folder: Path, head: str) -> None:
    (folder / "head.json").write_text(head)
    with pytest.raises(StoreCorrupted, match="build it again"):
        ConceptGraph.open(folder)
    made(1).save(folder)
    assert len(ConceptGraph.open(folder)) == 30


@pytest.mark.parametrize("name", ["", ".", "..", "../elsewhere", "/etc"])
def test_a_head_leads_nowhere_else(folder: Path, name: str) -> None:
    elsewhere = folder.parent / "elsewhere"
    elsewhere.mkdir()
    head = json.loads((folder / "head.json").read_text())
    (folder / "head.json").write_text(json.dumps(head | {"arrays": name}))
    with pytest.raises(StoreCorrupted):
        ConceptGraph.open(folder)
    made(1).save(folder)
    assert elsewhere.is_dir()
    assert len(ConceptGraph.open(folder)) == 30


def test_a_head_that_names_fewer_arrays_is_damaged(folder: Path) -> None:
    head = json.loads((folder / "head.json").read_text())
    del head["checksums"]["weights"]
    (folder / "head.json").write_text(json.dumps(head))
    with pytest.raises(StoreCorrupted, match="weights"):
        ConceptGraph.open(folder)
