"""Which encoder each method asks for, and what is said where it is not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.encoders import OF_COLLECTIONS, PAPER_CROSS_ENCODERS, PAPER_ENCODERS, paper_cross_encoder, paper_encoder
from core.hf.folders import extra_installed
from core.schema import Method


@pytest.fixture(autouse=True)
def _empty_hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))


@pytest.mark.parametrize("method", sorted(set(PAPER_ENCODERS) - OF_COLLECTIONS))
def test_what_stands_in_is_said_with_how_to_get_the_papers(method: Method, home: Path) -> None:
    name, notice = paper_encoder(method, home)
    assert name is None
    assert notice is not None
    assert f"all-MiniLM-L6-v2 stands in for {PAPER_ENCODERS[method]}" in notice
    assert f"MEDATTEST_EMBEDDER={PAPER_ENCODERS[method]}" in notice
    assert ("pip install" in notice) is not extra_installed()


@pytest.mark.parametrize("method", sorted(OF_COLLECTIONS))
def test_what_has_embedded_the_documents_is_said(method: Method, home: Path) -> None:
    name, notice = paper_encoder(method, home)
    assert name is None
    assert notice is not None
    assert PAPER_ENCODERS[method] in notice
    assert "index them again" in notice


def test_the_fused_score_stands_in_for_the_cross_encoder(home: Path) -> None:
    name, notice = paper_cross_encoder("certified", home)
    assert name is None
    assert notice is not None
    assert f"the fused score stands in for {PAPER_CROSS_ENCODERS['certified']}" in notice
    assert "MEDATTEST_CROSS_ENCODER=" in notice


@pytest.mark.parametrize("method", ["vanilla", "rag", "full"])
def test_a_method_without_an_encoder_of_its_own_asks_for_none(method: Method, home: Path) -> None:
    assert paper_encoder(method, home) == (None, None)
    assert paper_cross_encoder(method, home) == (None, None)


def test_a_model_in_the_data_directory_is_used_where_the_extra_is(home: Path) -> None:
    pytest.importorskip("sentence_transformers")
    folder = home / "models" / PAPER_ENCODERS["imkdg"]
    folder.mkdir(parents=True)
    (folder / "modules.json").write_text("[]")
    (folder / "model.safetensors").touch()
    assert paper_encoder("imkdg", home) == (PAPER_ENCODERS["imkdg"], None)
