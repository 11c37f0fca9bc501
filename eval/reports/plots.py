"""Plots as SVG within a page: axes, lines and points, and nothing that must be fetched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

import numpy as np

from eval.metrics.abstention import reliability, risk_coverage
from eval.reports.figures import risked, withheld, wrongs
from eval.runs.experiment import Case, Experiment

WIDTH, HEIGHT, MARGIN = 380, 300, 46
COLOURS = ("#1f6fb4", "#d1602b", "#2f8f4e", "#8a4fb0", "#b3263f", "#7a6a00", "#00788c", "#555555")
_STYLE = "text{font-size:12px;fill:#222222}.tick{font-size:10px;fill:#666666}.grid{stroke:#dddddd;fill:none}"
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
Point = tuple[float, float]


class Series(NamedTuple):
    """Points of one system; drawn as a line, or as dots of these radii."""

    points: Sequence[Point]
    radii: Sequence[float] = ()


class Plot(NamedTuple):
    """What is shown, over axes that both run from 0 to 1."""

    title: str
    across: str
    up: str
    series: Mapping[str, Series]
    diagonal: bool = False


def plots(experiment: Experiment) -> list[Plot]:
    """Every plot that an experiment has something for."""
    known = {name: [case for case in cases if risked(case)] for name, cases in experiment.systems.items()}
    known = {name: cases for name, cases in known.items() if len(cases) > 1}
    silent = {name: sum(map(withheld, cases)) for name, cases in experiment.systems.items()}
    areas = {name: risk_coverage(*wrongs(cases), withheld=silent[name]).area for name, cases in known.items()}
    known = {name: known[name] for name in sorted(areas, key=areas.__getitem__)[: len(COLOURS)]}
    of = f", the {len(known)} of least area of {len(areas)}" if len(known) < len(areas) else ""
    made = []
    if known:
        curves = {name: coverage(*wrongs(cases), silent[name]) for name, cases in known.items()}
        made.append(Plot(f"Risk–coverage{of}", "share answered, the surest first", "share wrong", curves))
        dots = {name: calibration(*wrongs(cases)) for name, cases in known.items()}
        made.append(Plot("Reliability", "risk told", "share wrong", dots, diagonal=True))
        roc = {name: Series(points) for name, cases in known.items() if (points := _roc(cases))}
        if roc:
            made.append(Plot("ROC of the risk", "right ones flagged", "wrong ones flagged", roc, diagonal=True))
    if against := _nmiss(experiment):
        name, series = against
        made.append(Plot("NMISS and hallucination", name, "risk told", series))
    return made


def coverage(wrong: Sequence[bool], risks: Sequence[float], silent: int = 0) -> Series:
    """The risk–coverage curve as a line; it ends where the rest was not answered."""
    curve = risk_coverage(wrong, risks, withheld=silent)
    return Series(list(zip(curve.coverage, curve.risk, strict=True)))


def calibration(wrong: Sequence[bool], risks: Sequence[float]) -> Series:
    """The reliability diagram's bins as dots, bigger where there are more texts."""
    bins = reliability(wrong, risks)
    return Series([(b.told, b.wrong) for b in bins], [3 + 12 * (b.answers / len(risks)) ** 0.5 for b in bins])


def svg(plot: Plot) -> str:
    """The plot as an SVG element."""
    parts = [
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT + 18 * len(plot.series)}" role="img" aria-label="{escape(plot.title)}">',
        *_axes(plot),
    ]
    if plot.diagonal:
        parts.append(f'<path class="grid" stroke-dasharray="4" d="M{_at(0, 0)} L{_at(1, 1)}"/>')
    for place, (name, series) in enumerate(plot.series.items()):
        colour = COLOURS[place % len(COLOURS)]
        parts.extend(_drawn(series, colour))
        y = HEIGHT + 18 * place
        parts.append(f'<rect x="{MARGIN}" y="{y}" width="12" height="12" fill="{colour}"/>')
        parts.append(f'<text x="{MARGIN + 18}" y="{y + 10}">{escape(name)}</text>')
    return "".join([*parts, "</svg>"])


def standalone(plot: Plot) -> str:
    """The plot as a file of its own, with its title, on white, as a page that shows it may be of any colour."""
    inner = svg(plot)
    head, body = inner[: inner.index(">")], inner[inner.index(">") + 1 :]
    height = HEIGHT + 18 * len(plot.series)
    return (
        f'{head} xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" font-family="sans-serif">'
        f"<title>{escape(plot.title)}</title><style>{_STYLE}</style>"
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>{body}\n'
    )


def _axes(plot: Plot) -> Iterator[str]:
    for tick in _TICKS:
        yield f'<path class="grid" d="M{_at(tick, 0)} L{_at(tick, 1)} M{_at(0, tick)} L{_at(1, tick)}"/>'
        x, y = _place(tick, tick)
        yield f'<text class="tick" text-anchor="middle" x="{x:.1f}" y="{HEIGHT - MARGIN + 14}">{tick:g}</text>'
        yield f'<text class="tick" text-anchor="end" x="{MARGIN - 6}" y="{y + 4:.1f}">{tick:g}</text>'
    yield f'<text text-anchor="middle" x="{WIDTH / 2}" y="{HEIGHT - 12}">{escape(plot.across)}</text>'
    middle = (HEIGHT - MARGIN) / 2
    yield f'<text text-anchor="middle" transform="translate(12 {middle}) rotate(-90)">{escape(plot.up)}</text>'


def _drawn(series: Series, colour: str) -> Iterator[str]:
    if series.radii:
        for (x, y), radius in zip(series.points, series.radii, strict=True):
            left, top = _place(x, y)
            yield f'<circle cx="{left:.1f}" cy="{top:.1f}" r="{radius:.1f}" fill="{colour}" fill-opacity="0.6"/>'
    elif series.points:
        path = " L".join(_at(x, y) for x, y in series.points)
        yield f'<path fill="none" stroke="{colour}" stroke-width="2" d="M{path}"/>'


def _place(x: float, y: float) -> Point:
    inner = WIDTH - MARGIN - 14, HEIGHT - MARGIN - 10
    return MARGIN + x * inner[0], 10 + (1 - y) * inner[1]


def _at(x: float, y: float) -> str:
    left, top = _place(x, y)
    return f"{left:.1f} {top:.1f}"


def _roc(cases: Sequence[Case]) -> list[Point]:
    """Ties of risk are one step; nothing where all are right, or all wrong."""
    wrong, risks = (np.asarray(part) for part in wrongs(cases))
    if wrong.all() or not wrong.any():
        return []
    steps = [1.1, *sorted(set(risks.tolist()), reverse=True)]
    return [(float((risks[~wrong] >= s).mean()), float((risks[wrong] >= s).mean())) for s in steps]


def _nmiss(experiment: Experiment) -> tuple[str, dict[str, Series]] | None:
    """Every text's NMISS beside its risk: a big dot is known to be hallucinated."""
    cases = [case for own in experiment.systems.values() for case in own]
    names = [name for case in cases for name in case.scores if name.startswith("nmiss_")]
    if not names:
        return None
    name = "nmiss_rougeL_f1" if "nmiss_rougeL_f1" in names else names[0]
    series = {}
    for system, own in list(experiment.systems.items())[: len(COLOURS)]:
        both = [(c, x, c.risk) for c in own if (x := c.scores.get(name)) is not None and c.risk is not None]
        if both:
            series[system] = Series([(x, y) for _, x, y in both], [6.0 if c.wrong else 3.0 for c, _, _ in both])
    return (name, series) if series else None
