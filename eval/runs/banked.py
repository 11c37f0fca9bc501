"""A part of a set as the bank of worked examples that the rest is answered with (IMKDG's 7:3 split)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from core.records import made_folder
from core.schema import Exemplar, Method
from core.settings import Settings
from eval.datasets import Example
from graphs.relating import knowledge_of
from graphs.resources import Resources
from tools.exemplars import ExemplarBank

BANK = "bank.jsonl"


class Banked(Resources):
    """Resources whose worked examples are those of one file, and no others; they are kept beside it."""

    def __init__(self, settings: Settings, bank: Path, progress: Callable[[str], None]) -> None:
        super().__init__(settings, progress)
        self._bank = bank
        self._banks: dict[Method, ExemplarBank] = {}

    def exemplars_of(self, method: Method) -> ExemplarBank:
        """The file's, embedded by the encoder of a method's paper where it is on this machine."""
        if method not in self._banks:
            made = ExemplarBank(self._bank.parent, lambda: self.embedder_of(method), ships=False)
            made.import_file(self._bank, partial(knowledge_of, self))
            self._banks[method] = made
        return self._banks[method]


def write(examples: Sequence[Example], folder: Path) -> Path:
    """The examples as a file of worked examples."""
    made_folder(folder)
    lines = (exemplar(example).model_dump_json() for example in examples if example.reference)
    (folder / BANK).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder / BANK


def exemplar(example: Example) -> Exemplar:
    """A consultation with the reply that was given in it."""
    turns = [*map(str, example.history), f"Patient: {example.question}"]
    return Exemplar(
        id=example.id,
        task="dialogue" if example.task == "dialogue" else "open",
        context="\n".join(turns) if example.task == "dialogue" else example.question,
        answer=example.reference[0],
        knowledge=example.knowledge,
        subject=example.subject,
    )
