"""The verdicts that ``medattest verify --pairs`` gives, held against what others judged.

Each claim of SciFact that no reader saw, against the abstract that it cites, as one text and as a list of its
sentences; and HealthVer, on which nothing is fitted. ``eval.experiments.entailment`` measures the fitted function
alone; a verdict also needs what the passage states, and is surer of its support.

    python -m eval.experiments.verdicts --data ../data
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from core.schema import Label
from core.settings import load_settings
from eval.experiments.reading import Collaborators, collaborators, verdict_on
from eval.experiments.verification_data import healthver, scifact, scifact_listed
from eval.metrics.classification import f1_by_class, macro_f1
from eval.training.scifact import kept_out


class Held(NamedTuple):
    """A claim, the texts that it is held against together, and what others judged."""

    claim: str
    texts: tuple[str, ...]
    label: Label


def held(data: Path) -> dict[str, list[Held]]:
    """The sets by their names, from the folder of ``scifact`` and ``healthver``."""
    abstracts = [pair for pair in scifact(data / "scifact") if kept_out(int(pair.group))]
    listed = scifact_listed(data / "scifact", abstracts)
    return {
        "scifact, one text": [Held(p.claim, (p.evidence.text,), p.label) for p in abstracts],
        "scifact, sentences": [Held(p.claim, texts, p.label) for p, texts in zip(abstracts, listed, strict=True)],
        "healthver": [
            Held(p.claim, (p.evidence.text,), p.label) for p in healthver(data / "healthver" / "healthver_dev.csv")
        ],
    }


def verdicts(cases: Sequence[Held], by: Collaborators) -> list[Label]:
    """What is said of each claim."""
    return [verdict_on(case.claim, case.texts, by).label for case in cases]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print macro-F1 of the verdicts, set by set and class by class."""
    parser = argparse.ArgumentParser(prog="python -m eval.experiments.verdicts", description=main.__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of scifact and healthver")
    parser.add_argument("--n", type=int, help="claims drawn of each set by seed 0; all where it is left out")
    given = parser.parse_args(arguments)
    settings = load_settings()
    by = collaborators(settings.home, settings.threads)
    for name, cases in held(given.data).items():
        drawn = [cases[i] for i in np.random.default_rng(0).permutation(len(cases))[: given.n]]
        gold, said = [case.label for case in drawn], verdicts(drawn, by)
        by_class = ", ".join(f"{label} {value:.3f}" for label, value in f1_by_class(gold, said).items())
        sys.stdout.write(f"{name}: macro-F1 {macro_f1(gold, said):.3f} over {len(gold)} claims ({by_class})\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
