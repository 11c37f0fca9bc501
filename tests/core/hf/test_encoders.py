"""Encoders through sentence-transformers: vectors are those computed by hand from the model's hidden states."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("sentence_transformers")

from core.embeddings import Embedder, encode_queries
from core.errors import DataMissing
from core.hf.encoders import load_encoder
from core.hf.recipes import Recipe

TEXTS = ["fever", "the rash is the heart", "", "what is the lens ?"]


def hidden_states(folder: Path, ids: list[int], kind: str = "AutoModel") -> NDArray[np.float32]:
    """Of the model itself, without anything between (tokens by dimensions)."""
    import torch
    import transformers

    model = getattr(transformers, kind).from_pretrained(folder).eval()
    with torch.inference_mode():
        states: NDArray[np.float32] = model(input_ids=torch.tensor([ids])).last_hidden_state[0].numpy()
    return states


def ids_of(folder: Path, text: str) -> list[int]:
    from transformers import AutoTokenizer

    found: list[int] = AutoTokenizer.from_pretrained(folder)(text)["input_ids"]
    return found


def unit(vector: Any) -> Any:
    return vector / np.linalg.norm(vector)


def test_biobert_is_the_first_tokens_vector(biobert: Path, home: Path) -> None:
    encoder: Embedder = load_encoder(str(biobert), home, 1)
    states = hidden_states(biobert, [2, 4, 6, 3])  # [CLS] fever rash [SEP]
    np.testing.assert_allclose(encoder.encode(["fever rash"])[0], unit(states[0]), atol=1e-6)


def test_biobert_keeps_case(biobert: Path, home: Path) -> None:
    encoder = load_encoder(str(biobert), home, 1)
    states = hidden_states(biobert, [2, 5, 3])  # [CLS] Fever [SEP]
    np.testing.assert_allclose(encoder.encode(["Fever"])[0], unit(states[0]), atol=1e-6)
    assert abs(float(encoder.encode(["Fever"])[0] @ encoder.encode(["fever"])[0])) < 0.999


def test_roberta_is_the_mean_of_its_tokens_in_any_company(roberta: Path, home: Path) -> None:
    encoder = load_encoder(str(roberta), home, 1)
    vectors = encoder.encode(["rash", "what is lens", ""])
    for text, vector in zip(["rash", "what is lens", ""], vectors, strict=True):
        states = hidden_states(roberta, ids_of(roberta, text))
        np.testing.assert_allclose(vector, unit(states.mean(axis=0)), atol=1e-6)


def test_a_pooling_may_be_named(biobert: Path, home: Path) -> None:
    encoder = load_encoder(f"{biobert}#mean", home, 1)
    states = hidden_states(biobert, [2, 4, 6, 3])
    np.testing.assert_allclose(encoder.encode(["fever rash"])[0], unit(states.mean(axis=0)), atol=1e-6)
    assert "#mean@" in encoder.name


def test_instructor_reads_questions_and_passages_by_their_instructions(instructor: Path, home: Path) -> None:
    encoder = load_encoder(str(instructor), home, 1)
    query = encode_queries(encoder, ["what is fever ?"])[0]
    passage = encoder.encode(["what is fever ?"])[0]
    assert float(query @ passage) < 0.9999
    instruction = "Represent the Medicine question for retrieving supporting documents: "
    np.testing.assert_allclose(query, instructed(instructor, instruction, "what is fever ?"), atol=1e-6)
    instruction = "Represent the Medicine document for retrieval: "
    np.testing.assert_allclose(passage, instructed(instructor, instruction, "what is fever ?"), atol=1e-6)


def instructed(folder: Path, instruction: str, text: str) -> Any:
    """The mean over what follows the instruction, projected and normalised."""
    from safetensors.numpy import load_file

    states = hidden_states(folder, ids_of(folder, instruction + text), "T5EncoderModel")
    counted = states[-len(ids_of(folder, text)) :]
    projection = load_file(next(folder.glob("*Dense/model.safetensors")))["linear.weight"]
    return unit(counted.mean(axis=0) @ projection.T)


def test_vectors_are_those_of_sentence_transformers(instructor: Path, home: Path) -> None:
    from sentence_transformers import SentenceTransformer

    published = SentenceTransformer(str(instructor), device="cpu")
    published.set_pooling_include_prompt(False)
    expected = published.encode(TEXTS, prompt="Represent the Medicine document for retrieval: ")
    np.testing.assert_allclose(load_encoder(str(instructor), home, 1).encode(TEXTS), expected, atol=1e-6)


def test_a_recipe_given_replaces_the_tables(instructor: Path, home: Path) -> None:
    plain = load_encoder(str(instructor), home, 1, Recipe(query="", passage=""))
    np.testing.assert_allclose(plain.encode(["fever"])[0], instructed(instructor, "", "fever"), atol=1e-6)
    assert np.array_equal(plain.encode(["fever"]), plain.encode_queries(["fever"]))
    assert plain.name != load_encoder(str(instructor), home, 1).name


def test_instructions_of_a_models_own_configuration_are_used(instructor: Path, home: Path, tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer

    folder = tmp_path / "another"
    published = SentenceTransformer(str(instructor), device="cpu", prompts={"query": "what is: ", "document": "the: "})
    published.save(str(folder))
    encoder = load_encoder(str(folder), home, 1)
    np.testing.assert_allclose(encoder.encode_queries(TEXTS), published.encode_query(TEXTS), atol=1e-6)
    np.testing.assert_allclose(encoder.encode(TEXTS), published.encode_document(TEXTS), atol=1e-6)


@pytest.mark.parametrize("model", ["bert", "biobert", "roberta", "instructor"])
def test_rows_have_norm_1_and_the_dimensions_said(model: str, home: Path, request: pytest.FixtureRequest) -> None:
    encoder = load_encoder(str(request.getfixturevalue(model)), home, 1)
    vectors = encoder.encode([*TEXTS, "fever \ud800 " * 50])
    assert vectors.shape == (5, encoder.dimensions)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    alone = np.vstack([load_encoder(encoder.name.partition("#")[0], home, 1).encode([text]) for text in TEXTS])
    np.testing.assert_allclose(vectors[:4], alone, atol=2e-6)


def test_a_long_text_is_the_mean_of_its_windows_by_tokens(biobert: Path, home: Path) -> None:
    encoder = load_encoder(str(biobert), home, 1)
    words = ["fever", "rash", "heart", "lens", "bone"] * 8
    windows = [words[:13], words[13:26], words[26:]]
    assert encoder.max_tokens == 16
    mean = sum((len(window) + 2) * encoder.encode([" ".join(window)])[0] for window in windows)
    np.testing.assert_allclose(encoder.encode([" ".join(words)])[0], unit(mean), atol=1e-6)


def test_every_window_has_the_instruction(instructor: Path, home: Path) -> None:
    encoder = load_encoder(str(instructor), home, 1, Recipe(passage="what is: ", instruction_pooled=False))
    words = ["fever", "rash"] * 60
    assert encoder.max_tokens < 64
    vector = encoder.encode([" ".join(words)])[0]
    room = encoder.max_tokens - 1
    count = -(-len(words) // room)
    parts = [words[n * len(words) // count : (n + 1) * len(words) // count] for n in range(count)]
    mean = sum((len(part) + 1) * encoder.encode([" ".join(part)])[0] for part in parts)
    np.testing.assert_allclose(vector, unit(mean), atol=1e-6)


def test_the_longest_window_of_roberta_fits_its_table(roberta: Path, home: Path) -> None:
    encoder = load_encoder(str(roberta), home, 1)
    assert encoder.max_tokens == 16
    assert np.isfinite(encoder.encode(["x" * 14])).all()


def test_token_spans(biobert: Path, roberta: Path, instructor: Path, home: Path) -> None:
    text = "É fevers  \ud800 rash"
    spans = load_encoder(str(biobert), home, 1).token_spans(text)
    assert [text[start:end] for start, end in spans] == ["É", "fever", "s", "\ud800", "rash"]
    spans = load_encoder(str(instructor), home, 1).token_spans("the  fever ?")
    assert ["the  fever ?"[start:end] for start, end in spans] == ["the", "fever", "?"]
    spans = load_encoder(str(roberta), home, 1).token_spans("é a")
    assert spans == [(0, 1), (0, 1), (2, 3)]


def test_the_name_tells_weights_and_reading_apart(bert: Path, roberta: Path, home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(bert, folder)
    name = load_encoder(str(folder), home, 1).name
    assert name.startswith(f"{folder}#mean@")
    assert load_encoder(name, home, 1).name == name
    weights = bytearray((folder / "model.safetensors").read_bytes())
    weights[-1] ^= 1
    (folder / "model.safetensors").write_bytes(weights)
    assert load_encoder(str(folder), home, 1).name != name


def test_a_name_is_looked_for_in_the_data_directory(bert: Path, home: Path) -> None:
    shutil.copytree(bert, home / "models" / "owner" / "bert")
    assert load_encoder("owner/bert", home, 1).name.startswith("owner/bert#mean@")


def test_several_threads_get_the_same_vectors(biobert: Path, home: Path) -> None:
    encoder, other = load_encoder(str(biobert), home, 1), load_encoder(str(biobert), home, 1)
    batches = [[f"{word} is the {end}" for end in ("rash", "lens", "bone")] for word in ("fever", "heart", "Fever")]
    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(encoder.encode, batches))
    for batch, vectors in zip(batches, together, strict=True):
        np.testing.assert_allclose(vectors, other.encode(batch), atol=1e-6)


def test_no_texts_and_one_bare_text(biobert: Path, home: Path) -> None:
    encoder = load_encoder(str(biobert), home, 1)
    assert encoder.encode([]).shape == (0, encoder.dimensions)
    with pytest.raises(TypeError, match="list"):
        encoder.encode("fever")


def test_damaged_weights_are_named(bert: Path, home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "damaged"
    shutil.copytree(bert, folder)
    (folder / "model.safetensors").write_bytes(b"\xff" * 100)
    with pytest.raises(DataMissing, match="put a whole model there"):
        load_encoder(str(folder), home, 1)


def test_code_that_comes_with_a_model_is_never_run(instructor: Path, home: Path, tmp_path: Path) -> None:
    folder, mark = tmp_path / "planted", tmp_path / "ran"
    shutil.copytree(instructor, folder)
    (folder / "planted.py").write_text(f"open({str(mark)!r}, 'w')\nclass Planted: ...\n")
    modules = (folder / "modules.json").read_text()
    first = modules.index("sentence_transformers")
    (folder / "modules.json").write_text(modules[:first] + "planted.Planted" + modules[modules.index('"', first) :])
    with pytest.raises(DataMissing, match="planted"):
        load_encoder(str(folder), home, 1)
    assert not mark.exists()


def test_the_states_are_the_models_own_token_by_token(roberta: Path, home: Path) -> None:
    encoder = load_encoder(str(roberta), home, 1)
    windows = [window for n, text in enumerate(["fever", "rash is"]) for window in encoder.tokens.windows(n, text)]
    found = encoder.states(windows)
    for window, vectors in zip(windows, found, strict=True):
        expected = hidden_states(roberta, window.ids)
        np.testing.assert_allclose(vectors[: len(window.ids)], expected, atol=1e-5)
    assert encoder.tokens.edges == (1, 1)
    assert encoder.tokens.words("rash is") == [0] * 4 + [1] * 3
