"""A BERT encoder written as an ONNX graph: what the embedder and the readers that grew out of it have in common.

It is written in onnxruntime's fused operators, so that no optimiser and no torch is needed to load it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from onnx import ModelProto, NodeProto, TensorProto

EPSILON: Final = 1e-12
_HEADS = 12
_FUSED = "com.microsoft"

Weights = dict[str, NDArray[np.float32]]
Inputs = dict[str, tuple[int, list[str | int]]]
"""Type and shape of each input of a model."""


def depth(weights: Iterable[str]) -> int:
    """How many layers the encoder of weights with these names has."""
    return 1 + max(int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer."))


class BertGraph:
    """Collects nodes and constants while the model's parts are laid one after the other."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.nodes: list[NodeProto] = []
        self.constants: list[TensorProto] = []

    def model(self, name: str, inputs: Inputs, output: str, width: int) -> ModelProto:
        """What was laid, as a model from inputs (type and shape) to one float32 output (texts by width)."""
        from onnx import TensorProto, helper

        return helper.make_model(
            helper.make_graph(
                self.nodes,
                name,
                [helper.make_tensor_value_info(key, kind, shape) for key, (kind, shape) in inputs.items()],
                [helper.make_tensor_value_info(output, TensorProto.FLOAT, ["texts", width])],
                self.constants,
            ),
            opset_imports=[helper.make_opsetid("", 18), helper.make_opsetid(_FUSED, 1)],
            ir_version=9,
            producer_name="medattest",
        )

    def encode(self, hidden: str, prefix: str) -> str:
        """One layer: self-attention and feed-forward network, each added to its input and normalised."""
        context = self._attend(hidden, f"{prefix}.attention.self")
        attended = self._add_norm(context, hidden, f"{prefix}.attention.output")
        wide = self._project(attended, f"{prefix}.intermediate.dense")
        active = self.fused("BiasGelu", [wide, self._bias(f"{prefix}.intermediate.dense")], f"{prefix}.gelu")
        return self._add_norm(active, attended, f"{prefix}.output")

    def _attend(self, hidden: str, prefix: str) -> str:
        parts = [f"{prefix}.{part}" for part in ("query", "key", "value")]
        projected = [self._project(hidden, part) for part in parts]
        bias = self.constant(f"{prefix}.bias", np.concatenate([self.weights[f"{part}.bias"] for part in parts]))
        return self.fused("MultiHeadAttention", [*projected, bias, "mask"], f"{prefix}.context", num_heads=_HEADS)

    def _add_norm(self, hidden: str, skipped: str, prefix: str) -> str:
        inputs = [self._project(hidden, f"{prefix}.dense"), skipped, *self.norm(f"{prefix}.LayerNorm")]
        inputs.append(self._bias(f"{prefix}.dense"))
        return self.fused("SkipLayerNormalization", inputs, f"{prefix}.norm", epsilon=EPSILON)

    def _project(self, hidden: str, prefix: str) -> str:
        matrix = self.constant(f"{prefix}.matrix", self.weights[f"{prefix}.weight"].T)
        return self.node("MatMul", [hidden, matrix], f"{prefix}.product")

    def norm(self, prefix: str) -> list[str]:
        """The scale and the shift of a normalisation."""
        return [self.constant(f"{prefix}.{part}", self.weights[f"{prefix}.{part}"]) for part in ("weight", "bias")]

    def _bias(self, prefix: str) -> str:
        return self.constant(f"{prefix}.bias", self.weights[f"{prefix}.bias"])

    def constant(self, name: str, value: NDArray[np.float32] | NDArray[np.int64]) -> str:
        """A constant under its name."""
        from onnx import numpy_helper

        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def fused(self, operator: str, inputs: list[str], *outputs: str, **attributes: Any) -> str:
        """A node of onnxruntime's own operators; its first output."""
        return self.node(operator, inputs, *outputs, domain=_FUSED, **attributes)

    def node(self, operator: str, inputs: list[str], *outputs: str, domain: str = "", **attributes: Any) -> str:
        """A node; its first output."""
        from onnx import helper

        self.nodes.append(helper.make_node(operator, inputs, outputs, domain=domain, **attributes))
        return outputs[0]
