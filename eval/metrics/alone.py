"""The metrics that do not compare an answer with a reference text, each with what measures it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from core.model.client import Model
from eval.metrics.entities import entity_f1
from eval.metrics.metric import Column, Measure, Metric, spread
from eval.metrics.perplexity import perplexity
from eval.metrics.questioning import feqa, questeval, source
from eval.metrics.record import Scored
from eval.metrics.scorers import Scorers
from eval.metrics.support import (
    Claims,
    Supports,
    citation_precision,
    citation_recall,
    claim_support_rate,
    context_precision,
    context_recall,
)


def _each(measure: Callable[[Scored, Scorers], float | None]) -> Measure:
    return lambda records, by: [measure(record, by) for record in records]


def _accuracy(record: Scored, by: Scorers) -> float | None:
    return None if record.gold is None else float(record.choice == record.gold)


def _coverage(record: Scored, by: Scorers) -> float | None:
    return None if record.gold is None else float(record.choice is not None)


def _accuracy_answered(record: Scored, by: Scorers) -> float | None:
    return None if record.choice is None else _accuracy(record, by)


def _perplexity(record: Scored, by: Scorers) -> float | None:
    if by.log_probabilities is None or not record.answer:
        return None
    return perplexity(by.log_probabilities(record.question, record.answer) or ())


def _entities(record: Scored, by: Scorers) -> float | None:
    return None if by.link is None or record.answer is None else entity_f1(record, by.link)


def _asked(measure: Callable[[Sequence[Scored], Model], Column]) -> Measure:
    """Asks a model about the records that have an answer and what it was drawn from."""

    def run(records: Sequence[Scored], by: Scorers) -> Column:
        places = [n for n, record in enumerate(records) if record.answer and source(record)] if by.model else []
        return spread(len(records), places, measure([records[n] for n in places], by.model) if by.model else [])

    return run


def _verified(measure: Callable[[Scored, Claims, Supports], float | None]) -> Measure:
    """Asks the verifier; what is not English is not read."""

    def run(record: Scored, by: Scorers) -> float | None:
        if by.claims is None or by.supports is None or record.language != "en":
            return None
        return measure(record, by.claims, by.supports)

    return _each(run)


def _cited(measure: Callable[[Scored, Supports], float | None]) -> Measure:
    return _verified(lambda record, _, supports: None if record.statements is None else measure(record, supports))


ALONE: Mapping[str, tuple[Metric, Measure]] = {
    "accuracy": (Metric("1 where the choice is the gold one; a withheld choice is wrong (strict)"), _each(_accuracy)),
    "coverage": (Metric("1 where there is a choice"), _each(_coverage)),
    "accuracy_answered": (Metric("accuracy where there is a choice"), _each(_accuracy_answered)),
    "perplexity": (
        Metric("perplexity of the answer after the question", "log-probabilities", higher_is_better=False),
        _each(_perplexity),
    ),
    "entity_f1": (Metric("F1 of the answer's concepts against dialogue and knowledge", "linker"), _each(_entities)),
    "feqa": (Metric("FEQA: the source answers questions about the answer alike", "model"), _asked(feqa)),
    "questeval": (Metric("QuestEval: answer and source answer each other's questions", "model"), _asked(questeval)),
    "claim_support_rate": (
        Metric("share of the answer's claims that context and knowledge support", "verifier"),
        _verified(claim_support_rate),
    ),
    "context_recall": (
        Metric("share of the reference's claims that the context supports", "verifier"),
        _verified(context_recall),
    ),
    "context_precision": (
        Metric("mean precision of the context at its useful passages", "verifier"),
        _verified(context_precision),
    ),
    "citation_recall": (
        Metric("share of statements that what they cite supports", "verifier"),
        _cited(lambda record, supports: citation_recall(record.statements or (), supports)),
    ),
    "citation_precision": (
        Metric("share of citations that are needed", "verifier"),
        _cited(lambda record, supports: citation_precision(record.statements or (), supports)),
    ),
}
