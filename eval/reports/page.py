"""A report as one page that needs nothing else: tables, plots, the worst cases, and two runs case by case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from eval.reports.cases import Pairing, worst
from eval.reports.grids import Grid
from eval.reports.plots import Plot, svg
from eval.runs.experiment import Case, Experiment

_MARKS = {"supported": "good", "contradicted": "bad", "unverifiable": "unsure"}
_SHOWN_EVIDENCE = 8


def page(
    experiment: Experiment,
    tables: Sequence[Grid],
    drawn: Sequence[Plot],
    pairings: Sequence[Pairing],
    told: Sequence[str],
) -> str:
    """The page."""
    template = Template(files("eval.reports").joinpath("page.html").read_text(encoding="utf-8"))
    body = [
        *(f'<p class="notice">{escape(notice)}</p>' for notice in told),
        *(_table(grid) for grid in tables[:1]),
        _plots(drawn),
        *(_table(grid) for grid in tables[1:]),
        *_worst(experiment),
        *(_pairing(pairing) for pairing in pairings),
    ]
    return template.substitute(
        title=escape(f"{experiment.manifest['dataset']['name']}: {', '.join(experiment.systems)}"),
        facts="".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in facts(experiment)),
        body="\n".join(body),
    )


def facts(experiment: Experiment) -> Iterator[tuple[str, str]]:
    """What another needs to repeat it, in short; the manifest has all."""
    manifest = experiment.manifest
    dataset = manifest["dataset"]
    yield "data", f"{dataset['name']}, {dataset['examples']:,} examples, SHA-256 {dataset['files_sha256'][:16]}…"
    yield "licence of the data", dataset["licence"]
    yield "commit", manifest["commit"]
    yield (
        "model",
        ", ".join(
            dict.fromkeys(
                str(system["overrides"].get("model", manifest["settings"]["model"]) or "none")
                for system in manifest["systems"]
            )
        ),
    )
    yield "seed", str(manifest["seed"])
    sessions = manifest.get("sessions", [])
    if sessions:
        yield "run", f"{sessions[-1]['at']}, {sum(s['seconds'] for s in sessions):,.0f} s in {len(sessions)} session(s)"


def _table(grid: Grid) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in grid.header)
    rows = "".join(
        "<tr>"
        + "".join(f"<td{_class(grid, row, column, cell)}>{escape(cell)}</td>" for column, cell in enumerate(cells))
        + "</tr>"
        for row, cells in enumerate(grid.rows)
    )
    note = f"<p class='note'>{escape(grid.note)}</p>" if grid.note else ""
    return (
        f"<section><h2>{escape(grid.title)}</h2>{note}<div class='wide'>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></section>"
    )


def _class(grid: Grid, row: int, column: int, cell: str) -> str:
    names = ["best"] if (row, column) in grid.best else []
    names += ["number"] if cell[:1].isdigit() or cell[:1] in "+−-" else []
    return f' class="{" ".join(names)}"' if names else ""


def _plots(drawn: Iterable[Plot]) -> str:
    figures = "".join(f"<figure><figcaption>{escape(plot.title)}</figcaption>{svg(plot)}</figure>" for plot in drawn)
    return f"<section class='plots'>{figures}</section>" if figures else ""


def _worst(experiment: Experiment) -> Iterator[str]:
    for name, cases in experiment.systems.items():
        found = worst(cases)
        if found:
            yield f"<section><h2>Worst cases of {escape(name)}</h2>{''.join(map(_case, found))}</section>"


def _pairing(pairing: Pairing) -> str:
    counts = f"{len(pairing.won):,} gained, {len(pairing.lost):,} lost"
    groups = (("Lost", pairing.lost), ("Gained", pairing.won))
    shown = "".join(
        f"<h3>{title}</h3>" + "".join(_both(pairing, *pair) for pair in pairs) for title, pairs in groups if pairs
    )
    title = escape(f"{pairing.second} against {pairing.first}")
    return f"<section><h2>{title}</h2><p class='note'>{counts}, by {escape(pairing.lead)}</p>{shown}</section>"


def _both(pairing: Pairing, first: Case, second: Case) -> str:
    cells = "".join(
        f"<div><h4>{escape(name)}</h4>{_said(case)}</div>"
        for name, case in ((pairing.first, first), (pairing.second, second))
    )
    return f"<details><summary>{_asked(first)}</summary>{_known(first)}<div class='both'>{cells}</div></details>"


def _case(case: Case) -> str:
    return f"<details><summary>{_asked(case)}</summary>{_known(case)}{_said(case)}</details>"


def _asked(case: Case) -> str:
    text = case.example.question or case.example.claim
    short = text if len(text) <= 180 else text[:179] + "…"
    risk = "" if case.risk is None else f" <span class='tick'>risk {case.risk:.2f}</span>"
    return f"{escape(short)}{risk}"


def _known(case: Case) -> str:
    example = case.example
    lines = [("question", example.question), *((f"option {k}", v) for k, v in example.options.items())]
    lines += [("wanted", example.gold or ""), *(("reference", text) for text in example.reference[:2])]
    if example.hallucinated is not None:
        lines.append(("the text is", "hallucinated" if example.hallucinated else "faithful"))
    return "<dl>" + "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in lines if v) + "</dl>"


def _said(case: Case) -> str:
    claims = "".join(_claim(verdict) for verdict in case.line.get("verdicts") or ())
    evidence = "".join(
        f"<li><b>{escape(piece['id'])}</b> {escape(piece.get('title') or '')}<br>{escape(piece['text'])}</li>"
        for piece in (case.line.get("evidence") or ())[:_SHOWN_EVIDENCE]
    )
    choice = f"<b>{escape(case.choice)}</b>: " if case.choice else ""
    return (
        f"<p class='said'>{choice}{escape(case.text)}</p>"
        + (f"<ul class='claims'>{claims}</ul>" if claims else "")
        + (f"<details><summary>Evidence</summary><ul>{evidence}</ul></details>" if evidence else "")
    )


def _claim(verdict: Mapping[str, Any]) -> str:
    quoted = " ".join(f"<q>{escape(quote['text'])}</q>" for quote in verdict.get("quotes") or ())
    judged = f"<span class='tick'>{verdict['label']}, risk {verdict['risk']:.2f}</span>"
    return f"<li class='{_MARKS[verdict['label']]}'>{escape(verdict['claim']['text'])} {judged} {quoted}</li>"
