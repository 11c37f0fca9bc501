"""How weights move: AdamW that decays matrices alone, a rate that rises and falls, gradients that are clipped."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from eval.training.bert import Weights

DECAY, WARM_UP, LONGEST = 0.01, 0.06, 1.0
"""The decay of matrices, the share of the steps in which the rate rises, and how long a gradient may be."""


class Descent:
    """Moves the named weights over so many steps; it makes leaves of them that a gradient flows into."""

    def __init__(self, weights: Weights, names: Sequence[str], rate: float, steps: int) -> None:
        """Begin before the first step; ``step`` may be set to go on from another."""
        self.rate, self.steps, self.step = rate, steps, 0
        for name in names:
            weights[name] = weights[name].clone().requires_grad_()
        self.moved = [weights[name] for name in names]
        undecayed = [n.endswith("bias") or "norm" in n.lower() for n in names]
        groups = [
            {"params": [w for w, u in zip(self.moved, undecayed, strict=True) if u is plain], "weight_decay": decay}
            for plain, decay in ((False, DECAY), (True, 0.0))
        ]
        self.optimiser = torch.optim.AdamW(groups, lr=rate, fused=self.moved[0].device.type == "cuda")

    def move(self, loss: torch.Tensor) -> None:
        """One step against the gradient of a loss."""
        warm = max(1, int(self.steps * WARM_UP))
        share = min((self.step + 1) / warm, (self.steps - self.step) / max(1, self.steps - warm))
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate * share
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.moved, LONGEST)
        self.optimiser.step()
        self.step += 1
