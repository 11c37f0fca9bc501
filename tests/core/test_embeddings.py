"""The embedder: the published model's vectors, whatever the batch, the length or the state of its cache."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.embeddings import Embeddings

from core.embeddings import MiniLM
from core.errors import DataMissing, StoreError
from core.minilm_onnx import WHEEL, onnx_path, read_weights

# Leading components by sentence-transformers 6.2.0 with torch 2.13.0 on a processor.
PUBLISHED = {
    "": [-0.118838, 0.048299, -0.002548, -0.011011, 0.051951, 0.010292],
    "Marfan syndrome": [-0.062997, 0.062638, -0.068519, 0.063001, 0.031397, 0.004121],
    "Hyperkalaemia é naïve β-blocker 😀": [-0.059886, -0.040664, -0.0591, -0.00298, -0.036745, -0.010937],
    "What is (are) Adult Acute Lymphoblastic Leukemia ?": [
        *(-0.077642, 0.083036, -0.034315, -0.011818, -0.078641, 0.011768)
    ],
    "What are the stages of Childhood Rhabdomyosarcoma ?": [
        *(0.025413, 0.04193, -0.042959, 0.008745, -0.061043, -0.000367)
    ],
}
MIXED = ["", "Fever.", "Ectopia lentis is a displacement of the lens. " * 9, "chorea " * 400, "β-blocker 😀", "Fever."]


def test_vectors_are_those_of_sentence_transformers(embedder: MiniLM) -> None:
    vectors = embedder.encode(list(PUBLISHED))
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors[:, :6], list(PUBLISHED.values()), atol=2e-6)


def test_a_vector_does_not_depend_on_its_company(embedder: MiniLM, model_home: Path) -> None:
    other = MiniLM.load(model_home, threads=1)
    together = embedder.encode(MIXED)
    alone = np.vstack([other.encode([text]) for text in MIXED])
    np.testing.assert_allclose(together, alone, atol=2e-6)
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-6)


def test_a_long_text_is_the_mean_of_its_windows_by_tokens(embedder: MiniLM) -> None:
    words = (["fever", "rash", "heart", "lens", "bone"] * 121)[:601]
    windows = [words[:200], words[200:400], words[400:]]
    mean = sum((len(window) + 2) * embedder.encode([" ".join(window)])[0] for window in windows)
    np.testing.assert_allclose(embedder.encode([" ".join(words)])[0], mean / np.linalg.norm(mean), atol=2e-6)


def test_the_end_of_a_long_text_counts(embedder: MiniLM) -> None:
    plain, ending = embedder.encode(["fever " * 300, "fever " * 300 + "Marfan syndrome"])
    assert float(plain @ ending) < 0.999


def test_no_texts_and_one_bare_text(embedder: MiniLM) -> None:
    assert embedder.encode([]).shape == (0, embedder.dimensions)
    with pytest.raises(TypeError, match="list"):
        embedder.encode("fever")


def test_what_a_caller_does_to_a_vector_stays_with_it(embedder: MiniLM) -> None:
    embedder.encode(["Marfan syndrome"])[:] = 0
    assert embedder.encode(["Marfan syndrome"])[0, 0] == pytest.approx(-0.062997, abs=2e-6)


def test_several_threads_get_the_same_vectors(embedder: MiniLM, model_home: Path) -> None:
    alone = MiniLM.load(model_home, threads=1)
    texts = [[f"{symptom} for {n} days" for symptom in ("fever", "rash", "a cough and chest pain")] for n in range(9)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(embedder.encode, texts))
    for batch, vectors in zip(texts, together, strict=True):
        np.testing.assert_allclose(vectors, alone.encode(batch), atol=2e-6)


def test_langchain_takes_it(embedder: MiniLM) -> None:
    assert isinstance(embedder, Embeddings)
    assert embedder.embed_documents(["fever", "rash"])[1] == pytest.approx(embedder.embed_query("rash"), abs=2e-6)


def test_token_spans_point_at_words_and_their_pieces(embedder: MiniLM) -> None:
    text = "É 😀 Hyperkalaemia\ud800 fever"
    assert [text[start:end] for start, end in embedder.token_spans(text)] == [
        *("É", "😀", "Hyper", "kala", "emia", "\ud800", "fever")
    ]


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=40))
def test_token_spans_rise_and_stay_inside_the_text(embedder: MiniLM, text: str) -> None:
    spans = embedder.token_spans(text)
    assert spans == sorted(spans)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    covered = {place for start, end in spans for place in range(start, end)}
    assert all(place in covered for place, letter in enumerate(text) if letter.isascii() and letter.isalnum())


def test_the_vocabulary_lists_frequent_words_first(embedder: MiniLM) -> None:
    vocabulary = embedder.vocabulary()
    assert vocabulary["the"] < vocabulary["fever"] < len(vocabulary)


def test_what_is_built_is_used_again(embedder: MiniLM, model_home: Path) -> None:
    before = onnx_path(model_home).stat().st_mtime_ns
    MiniLM.load(model_home, threads=1)
    assert onnx_path(model_home).stat().st_mtime_ns == before
    assert WHEEL not in sys.modules


@pytest.mark.parametrize("keep", [0, 1_000_000])
def test_a_damaged_file_is_written_anew(embedder: MiniLM, model_home: Path, home: Path, keep: int) -> None:
    damaged = onnx_path(home)
    damaged.parent.mkdir(parents=True)
    damaged.write_bytes(onnx_path(model_home).read_bytes()[:keep])
    assert MiniLM.load(home, threads=1).encode(["fever"]) == pytest.approx(embedder.encode(["fever"]), abs=2e-6)
    assert [file.name for file in damaged.parent.iterdir()] == [damaged.name]


def test_two_that_build_at_once_both_get_a_model(home: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: MiniLM.load(home, threads=1), range(2))
    assert first.encode(["fever"]) == pytest.approx(second.encode(["fever"]), abs=2e-6)
    assert [file.name for file in onnx_path(home).parent.iterdir()] == [onnx_path(home).name]


def test_a_home_that_cannot_be_written_is_named(home: Path) -> None:
    home.write_text("a file where the folder should be")
    with pytest.raises(StoreError, match="MEDATTEST_HOME"):
        MiniLM.load(home, threads=1)


def test_a_missing_wheel_is_named_with_its_remedy(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(DataMissing, match="make setup"):
        MiniLM.load(home, threads=1)


def test_other_weights_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "model.safetensors"
    other.write_bytes(b"\x02\0\0\0\0\0\0\0{}")
    with pytest.raises(DataMissing, match="sha256"):
        read_weights(other)


def test_naming_the_protocol_does_not_load_langchain() -> None:
    code = "import sys, core.embeddings; sys.exit('langchain_core' in sys.modules or 'onnxruntime' in sys.modules)"
    root = Path(__file__).parents[2]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0
