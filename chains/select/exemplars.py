"""The worked examples that a prompt shows, chosen for a question by H2ES (IMKDG)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from langchain_core.runnables import Runnable, RunnableLambda

from chains.select.h2es import h2es
from chains.select.mmr import Matrix
from core.schema import Exemplar, Outcome, Task, Triple
from tools.exemplars import Instances, embedded_text


class Bank(Protocol):
    """Where exemplars come from, such as ``tools.exemplars.ExemplarBank``."""

    def instances(self, task: Task) -> Instances:
        """The exemplars of a task with their embeddings."""
        ...

    def get(self, ids: Sequence[str]) -> list[Exemplar]:
        """The exemplars of these ids, in this order."""
        ...


class ExemplarInput(NamedTuple):
    """A question's task, its context (the question, or the consultation's turns, a line each) and its knowledge."""

    task: Task
    context: str
    knowledge: tuple[Triple, ...] = ()


def exemplar_selector(
    bank: Bank,
    encode: Callable[[Sequence[str]], Matrix],
    count: int,
    pool: int,
    lambda_: float,
    scaled: bool,
    fixed: Sequence[str] = (),
) -> Runnable[ExemplarInput, Outcome[tuple[Exemplar, ...]]]:
    """A Runnable from a question to its exemplars, in the order in which they go into the prompt.

    Only exemplars of the question's task are chosen from, and none that asks the question itself: its answer would be
    given away.

    Args:
        bank: what is chosen from.
        encode: embeddings of texts, n × d, by the bank's embedder.
        count: how many are chosen.
        pool: how many of the most similar they are chosen from.
        lambda_: relevance against diversity, in [0, 1].
        scaled: whether H2ES's distances are divided by their maximum.
        fixed: ids of the examples that every multiple-choice question is shown instead, ``count`` of them at most.
    """

    def select(given: ExemplarInput) -> Outcome[tuple[Exemplar, ...]]:
        if not count:
            return Outcome(value=())
        if fixed and given.task == "choice":
            return Outcome(value=tuple(e for e in bank.get(fixed) if e.context != given.context)[:count])
        instances = bank.instances(given.task)
        vectors, places = instances.vectors, np.arange(len(instances.ids))
        if itself := instances.asking(given.context):
            vectors, places = np.delete(vectors, itself, axis=0), np.delete(places, itself)
        query = encode([embedded_text(given.context, map(str, given.knowledge))])[0]
        chosen = h2es(query, vectors, pool, count, lambda_, scaled, unit=True)
        return Outcome(value=tuple(bank.get([instances.ids[places[i]] for i, _ in chosen])))

    return RunnableLambda(select, name="exemplars")


def without_knowledge(exemplar: Exemplar) -> Exemplar:
    """The example as IMKDG's ablation shows it: where the question has no knowledge, it has none either."""
    return exemplar.model_copy(update={"knowledge": ()})


def no_exemplars() -> Runnable[ExemplarInput, Outcome[tuple[Exemplar, ...]]]:
    """A Runnable to no exemplars: without a model nobody reads them."""

    def none(_: ExemplarInput) -> Outcome[tuple[Exemplar, ...]]:
        return Outcome(value=())

    return RunnableLambda(none, name="exemplars")
