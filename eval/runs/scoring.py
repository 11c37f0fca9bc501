"""Scores of what an experiment's systems said, in ``scores.jsonl``: those that stand are not computed again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.errors import UsageError
from core.records import Output, open_output
from eval.metrics import ALONE, METRICS, Cited, Scored, Scorers, instrument, notices, score
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
    if not wanted:
        raise UsageError(f"--metrics names none: use {ALL}, {TEXTS}, or some of {', '.join(METRICS)}")
    return wanted


def score_all(experiment: Experiment, folder: Path, names: Sequence[str], by: Scorers) -> tuple[str, ...]:
    """Score every case that lacks one of these metrics; what a reader of the figures must know.

    Without a reference a case gets those that compare with none. What cannot be had now is not kept, and a figure of
    another encoder or model is made anew. The manifest keeps what must be known, for the report.
    """
    cases = [case for own in experiment.systems.values() for case in own if not case.failed]
    names = [name for name in names if name not in DECISIONS]
    wanted = {True: names, False: [name for name in names if name in ALONE]}
    if not any(wanted[bool(case.example.reference)] for case in cases):
        return ()
    with open_output(folder / SCORES) as output:
        for compared, own in wanted.items():
            usable = [name for name in own if METRICS[name].available(by)]
            of = [c for c in cases if bool(c.example.reference) is compared and not _stands(c, usable, by, output)]
            found = score([scored(case) for case in of], usable, by)
            for place, case in enumerate(of):
                _keep(case, {name: found[name][place] for name in usable}, by, output)
        output.settle()
    told = notices(names, by)
    manifest = {**experiment.manifest, "metrics": {"names": names, "notices": list(told)}}
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


def _keep(case: Case, metrics: Mapping[str, float | None], by: Scorers, output: Output) -> None:
    """A line of the case's figures, those that stand among them, each with the encoder or model that it depends on."""
    before = output.lines.get(case.line["id"], {})
    before = before if before.get("record") == case.line["record"] else {}
    depends = {name: on for name in metrics if (on := instrument(name, by))}
    output.write(
        {
            "id": case.line["id"],
            "record": case.line["record"],
            "metrics": {**before.get("metrics", {}), **metrics},
            "by": {**before.get("by", {}), **depends},
        }
    )


def _stands(case: Case, names: Sequence[str], by: Scorers, output: Output) -> bool:
    line = output.lines.get(case.line["id"])
    if line is None or line["record"] != case.line["record"]:
        return False
    depends = line.get("by", {})
    return all(name in line["metrics"] and depends.get(name, "") == instrument(name, by) for name in names)
