"""Scores of what an experiment's systems said, in ``scores.jsonl``: those that stand are not computed again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.errors import UsageError
from core.records import open_output
from eval.metrics import METRICS, Cited, Scored, Scorers, notices, score
from eval.runs.experiment import SCORES, Case, Experiment
from eval.runs.manifest import MANIFEST

ALL, TEXTS = "all", "texts"
DECISIONS = ("accuracy", "coverage", "accuracy_answered")
"""Reports take these from the cases themselves, which need no reference."""


def chosen(names: str) -> list[str]:
    """The metrics of a list with commas; all of them, or those that need nothing but the texts, by one word."""
    if names in (ALL, TEXTS):
        return [name for name, m in METRICS.items() if name not in DECISIONS and (names == ALL or not m.need)]
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    if unknown := [name for name in wanted if name not in METRICS]:
        raise UsageError(f"there is no metric {unknown[0]!r}: use {ALL}, {TEXTS}, or some of {', '.join(METRICS)}")
    return wanted


def score_all(experiment: Experiment, folder: Path, names: Sequence[str], by: Scorers) -> tuple[str, ...]:
    """Score every case that has a reference and lacks one of these metrics; what a reader of them must know.

    The manifest keeps that too, for the report.
    """
    if not names or not any(case.example.reference for cases in experiment.systems.values() for case in cases):
        return ()
    with open_output(folder / SCORES) as output:
        left = [
            case
            for cases in experiment.systems.values()
            for case in cases
            if case.example.reference and not case.failed and not _stands(case, names, output.lines)
        ]
        found = score([scored(case) for case in left], names, by)
        for place, case in enumerate(left):
            before = output.lines.get(case.line["id"], {})
            kept = before.get("metrics", {}) if before.get("record") == case.line["record"] else {}
            metrics = {**kept, **{name: found[name][place] for name in names}}
            output.write({"id": case.line["id"], "record": case.line["record"], "metrics": metrics})
        output.settle()
    told = notices(names, by)
    manifest = {**experiment.manifest, "metrics": {"names": list(names), "notices": list(told)}}
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return told


def scored(case: Case) -> Scored:
    """The case as metrics take it."""
    example, line = case.example, case.line
    evidence = {piece["id"]: piece["text"] for piece in line.get("evidence", ())}
    context = example.context or tuple(evidence.values())
    claims = [verdict["claim"] for verdict in line.get("verdicts", ())]
    return Scored(
        id=line["id"],
        question=example.question,
        answer=case.text if case.answered else None,
        reference=example.reference or None,
        context="\n".join(context) or None,
        language=example.language,
        choice=case.choice,
        gold=example.gold,
        risk=case.risk,
        knowledge="\n".join([*example.knowledge, *_known(evidence)]) or None,
        history="\n".join(map(str, example.history)) or None,
        passages=tuple(evidence.values()) or None,
        statements=tuple(
            Cited(claim["text"], tuple(evidence[i] for i in claim.get("cited", ()) if i in evidence))
            for claim in claims
        )
        or None,
    )


def _known(evidence: Mapping[str, str]) -> list[str]:
    return [text for identifier, text in evidence.items() if identifier.startswith("knowledge:")]


def _stands(case: Case, names: Sequence[str], lines: Mapping[str, Mapping[str, object]]) -> bool:
    line = lines.get(case.line["id"])
    if line is None or line["record"] != case.line["record"]:
        return False
    held = json.loads(json.dumps(line["metrics"]))
    return all(name in held for name in names)
