"""The metrics of a record by name, and scoring by them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.errors import UsageError
from eval.metrics.alone import ALONE
from eval.metrics.base import Compare, Pair
from eval.metrics.embedding import bertscores, word_similarities
from eval.metrics.exact import exact_match
from eval.metrics.metric import Column, Metric, Need, spread
from eval.metrics.nmiss import nmiss
from eval.metrics.record import Scored
from eval.metrics.rouge import rouge
from eval.metrics.scorers import Scorers
from eval.metrics.translation import bleu4, meteor

AT_ONCE = 256
"""Records whose vectors are held at the same time."""
_FIGURES = (("p", "precision"), ("r", "recall"), ("f1", "F1"))
_LACKING: Mapping[Need, str] = {
    "encoder": "the embedded encoder (run `make setup`)",
    "linker": "the vocabularies (run `make setup`)",
    "model": "a model (MEDATTEST_MODEL)",
    "log-probabilities": "a model behind an OpenAI-compatible server that tells log-probabilities (MEDATTEST_MODEL)",
    "verifier": "the embedded encoder and the vocabularies (run `make setup`)",
}
Compared = tuple[Mapping[str, Metric], Compare]

_BASE: tuple[Compared, ...] = (
    (
        {"bleu4": Metric("BLEU-4 of the answer, unsmoothed (sacrebleu)")},
        lambda pairs, by: [{"bleu4": bleu4(*pair)} for pair in pairs],
    ),
    (
        {"meteor": Metric("METEOR (nltk)")},
        lambda pairs, by: [{"meteor": meteor(*pair, by.wordnet)} for pair in pairs],
    ),
    (
        {f"rouge{n}_{f}": Metric(f"ROUGE-{n}, {said} (as rouge-score)") for n in "12L" for f, said in _FIGURES},
        lambda pairs, by: [rouge(*pair) for pair in pairs],
    ),
    (
        {f"bertscore_{f}": Metric(f"BERTScore, {said}, on vectors of tokens", "encoder") for f, said in _FIGURES},
        bertscores,
    ),
)
"""What NMISS is put on."""
_OTHERS: tuple[Compared, ...] = (
    (
        {"exact_match": Metric("1 where the answer is the reference, but for case, punctuation and articles")},
        lambda pairs, by: [{"exact_match": exact_match(*pair)} for pair in pairs],
    ),
    (
        {
            "embedding_average": Metric("cosine of the mean word vectors", "encoder"),
            "vector_extrema": Metric("cosine of the word vectors' extrema", "encoder"),
            "greedy_matching": Metric("mean cosine of each word with its nearest, both ways", "encoder"),
        },
        word_similarities,
    ),
)


def _tabled(tables: Sequence[Compared]) -> dict[str, Metric]:
    return {name: metric for metrics, _ in tables for name, metric in metrics.items()}


METRICS: Mapping[str, Metric] = {
    **_tabled(_OTHERS),
    **_tabled(_BASE),
    **{f"nmiss_{name}": metric._replace(doc=f"NMISS over {metric.doc}") for name, metric in _tabled(_BASE).items()},
    **{name: metric for name, (metric, _) in ALONE.items()},
}
"""Every metric of a record, by name."""


def instrument(name: str, by: Scorers) -> str:
    """The encoder or model that a metric's figures depend on; empty where they depend on none."""
    need = METRICS[name].need
    if need == "encoder" and by.encoder is not None:
        return by.encoder.name
    return by.asked if need in ("model", "log-probabilities") else ""


def score(records: Sequence[Scored], names: Sequence[str], by: Scorers) -> Mapping[str, Column]:
    """Each metric's values, one a record, in order; None where it is not available for the record.

    Raises UsageError for a metric that there is not.
    """
    if unknown := [name for name in names if name not in METRICS]:
        raise UsageError(f"there is no metric {', '.join(unknown)}: there are {', '.join(METRICS)}")
    wanted = frozenset(name for name in names if METRICS[name].available(by))
    columns: dict[str, Column] = {name: [] for name in names}
    for start in range(0, len(records), AT_ONCE):
        part = records[start : start + AT_ONCE]
        found = _scored(part, wanted, by)
        for name, column in columns.items():
            column += found.get(name, [None] * len(part))
    return columns


def notices(names: Sequence[str], by: Scorers) -> tuple[str, ...]:
    """What a reader of these figures must know: what is not available and why, which encoder, and which METEOR."""
    missing: dict[Need, list[str]] = {}
    for name in names:
        if (need := METRICS[name].need) and not METRICS[name].available(by):
            missing.setdefault(need, []).append(name)
    told = [f"not available without {_LACKING[need]}: {', '.join(found)}" for need, found in missing.items()]
    encoded = [name for name in names if METRICS[name].need == "encoder"]
    if by.encoder is not None and encoded:
        told.append(f"on the vectors of {by.encoder.name}: {', '.join(encoded)}")
    asked = [name for name in names if METRICS[name].need in ("model", "log-probabilities")]
    if by.asked and (told_by := [name for name in asked if METRICS[name].available(by)]):
        told.append(f"asked of {by.asked}: {', '.join(told_by)}")
    if by.whole and (raised := [name for name in names if name.startswith("nmiss_")]):
        told.append(f"the whole answer against the context, X(s, c): {', '.join(raised)}")
    if by.wordnet is None and not {"meteor", "nmiss_meteor"}.isdisjoint(names):
        told.append("METEOR matches words and stems alone: WordNet is not there")
    return tuple(told)


def _scored(records: Sequence[Scored], wanted: frozenset[str], by: Scorers) -> dict[str, Column]:
    found = {name: ALONE[name][1](records, by) for name in wanted & ALONE.keys()}
    for metrics, compare in _OTHERS:
        if not wanted.isdisjoint(metrics):
            found |= _compared(records, metrics, compare, by, with_nmiss=False)
    for metrics, compare in _BASE:
        raised = [f"nmiss_{name}" for name in metrics]
        if not wanted.isdisjoint([*metrics, *raised]):
            found |= _compared(records, metrics, compare, by, with_nmiss=not wanted.isdisjoint(raised))
    return found


def _compared(
    records: Sequence[Scored], names: Mapping[str, Metric], compare: Compare, by: Scorers, *, with_nmiss: bool
) -> dict[str, Column]:
    """A metric's figures where there are an answer and a reference, and NMISS over them where there is a context."""
    places = [n for n, record in enumerate(records) if record.answer is not None and record.references]
    base = compare([Pair(records[n].answer or "", records[n].references, records[n].language) for n in places], by)
    columns = {name: spread(len(records), places, [figures[name] for figures in base]) for name in names}
    if with_nmiss:
        inside = [(n, figures) for n, figures in zip(places, base, strict=True) if records[n].context is not None]
        raised = nmiss(compare, [records[n] for n, _ in inside], [figures for _, figures in inside], by)
        own = [n for n, _ in inside]
        columns |= {f"nmiss_{name}": spread(len(records), own, [f[name] for f in raised]) for name in names}
    return columns
