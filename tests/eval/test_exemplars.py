from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from core.embeddings import MiniLM
from core.errors import InputError
from eval.exemplars import Dialogue, dialogues, kept, main, measure, table
from tests.tools.exemplars.conftest import Letters

SUBJECTS = {"ALLERGY": "aaaa", "CC": "zzzz", "ROS": "mmmm"}


def some(count: int, other: str) -> list[Dialogue]:
    return [
        Dialogue(f"Doctor: {word} {other * n}", section) for section, word in SUBJECTS.items() for n in range(count)
    ]


def test_relevance_alone_finds_the_section_and_diversity_costs_likeness() -> None:
    figures = measure(some(8, "b"), some(2, "c"), Letters().encode, pool=24, seed=0)
    assert figures["H2ES scaled, λ = 1"].precision == 1.0
    assert figures["H2ES scaled, λ = 1"] == figures["H2ES literal, λ = 1"]
    assert figures["H2ES scaled, λ = 0.2"].likeness < figures["H2ES scaled, λ = 1"].likeness
    assert figures["random"].precision < 0.7
    assert figures["BM25"].precision == 1.0
    assert "| BM25 | 1.000 |" in "\n".join(table(figures))


def test_vectors_are_kept_a_text_list_and_embedder(tmp_path: Path) -> None:
    letters = Letters()
    first = kept(letters, tmp_path / "vectors", ["one", "two"])
    np.testing.assert_array_equal(kept(letters, tmp_path / "vectors", ["one", "two"]), first)
    assert letters.read == ["one", "two"]
    kept(letters, tmp_path / "vectors", ["two", "one"])
    assert len(letters.read) == 4


def test_the_command_prints_every_way(
    tmp_path: Path,
    model_home: Path,
    embedder: MiniLM,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("MEDATTEST_HOME", str(model_home))
    rows = "".join(f'{n},{d.section},note,"{d.text}"\n' for n, d in enumerate(some(3, "b")))
    for name in ("Training", "Validation"):
        (tmp_path / f"MTS-Dialog-{name}Set.csv").write_text("ID,section_header,section_text,dialogue\n" + rows)
    main(["--data", str(tmp_path), "--sample", "2", "--json"])
    figures = json.loads(capsys.readouterr().out)
    assert figures["H2ES scaled, λ = 1"]["precision"] > 0


def test_a_file_that_is_none_of_theirs_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--data"):
        dialogues(tmp_path / "none.csv")
    (tmp_path / "other.csv").write_text("colour\nblue\n")
    with pytest.raises(InputError, match="dialogue"):
        dialogues(tmp_path / "other.csv")
