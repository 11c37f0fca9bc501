"""What the bank gives: exemplars to choose from with their embeddings, and what an import did."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.schema import Exemplar

Floats = NDArray[np.float32]
REFUSED_SHOWN = 100


@dataclass(frozen=True, slots=True)
class Instances:
    """The exemplars of one task: ids, and embeddings (exemplars by dimensions, rows of norm 1) in the same order."""

    ids: Sequence[str]
    vectors: Floats
    asked: Mapping[bytes, Sequence[int]]

    def asking(self, context: str) -> Sequence[int]:
        """Places of the exemplars that ask just this, whatever their case and spacing."""
        return self.asked.get(asks(context), ())


@dataclass(frozen=True, slots=True)
class Refused:
    """A record of a file that makes no exemplar: the line where it begins, and why."""

    line: int
    reason: str

    def __str__(self) -> str:
        """As a line for the user."""
        return f"line {self.line}: {self.reason}"


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did, counted in exemplars; ``refused`` are the first of ``refused_count``.

    ``changed`` ones ask and answer what is in the bank already, with other steps, knowledge, subject, source or review.
    """

    path: Path
    new: int = 0
    changed: int = 0
    same: int = 0
    refused: tuple[Refused, ...] = ()
    refused_count: int = 0

    def plus(
        self, new: int, changed: int, same: int, refused: Sequence[Refused], most: int | None = REFUSED_SHOWN
    ) -> ImportReport:
        """The report with that much more; it names ``most`` of the refused, all for None."""
        return ImportReport(
            self.path,
            self.new + new,
            self.changed + changed,
            self.same + same,
            (*self.refused, *refused)[:most],
            self.refused_count + len(refused),
        )


def embedded_text(context: str, knowledge: Iterable[str]) -> str:
    """What is encoded of an exemplar, and of a question that looks for some: its context and its knowledge (IMKDG)."""
    return "\n".join((context, *knowledge))


def content_id(exemplar: Exemplar) -> str:
    """An id that is the same whenever the same is asked and answered."""
    content = [exemplar.task, exemplar.context, sorted(exemplar.options.items()), exemplar.choice, exemplar.answer]
    return f"{exemplar.task}-{digest(json.dumps(content, ensure_ascii=False)).hex()}"


def asks(context: str) -> bytes:
    """A digest of what is asked, without its case and spacing."""
    return digest(" ".join(context.casefold().split()))


def digest(text: str) -> bytes:
    """Sixteen bytes: no two of millions of texts share them."""
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
