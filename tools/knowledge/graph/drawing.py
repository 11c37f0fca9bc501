"""Paths between two concepts as a picture: a standalone SVG, a row for each path, with the numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

from tools.knowledge.graph.scores import Balance, ConceptPath, PathEvidence

BOX, GAP, ROW, MARGIN, SIDE = 150, 64, 48, 20, 130
"""Pixels: width of a concept's box, between boxes, height of a row, around everything, for a row's probability."""

LETTERS = 20
"""Letters of a name that a box has room for; the whole name stands in the box's title."""

SUPPORT, CONTRADICTION = "#1b6e3c", "#a8201a"

# XML 1.0 has no place for these, not even escaped.
_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_svg(evidence: PathEvidence, names: Mapping[str, str] | None = None, rows: int = 5) -> str:
    """Draw the best paths and counter-paths, ``rows`` of each at most; ``names`` gives a name for an id.

    Without a name a concept shows its id. The picture needs no font, script or file; its ``title`` and ``desc`` say in
    words what it shows, so that it can be read aloud.
    """
    called = names or {}
    source, target = (_text(called.get(end, end)) for end in (evidence.source, evidence.target))
    groups = [("Support: P = Π α μ", evidence.support[:rows], SUPPORT)]
    groups.append(("Contradiction: P = Π (1 − α μ)", evidence.contradiction[:rows], CONTRADICTION))
    width = 2 * MARGIN + SIDE + _length(max((p for _, paths, _ in groups for p in paths), key=_length, default=None))
    width = max(width, 2 * MARGIN + 560)
    body, y = [_words(MARGIN, MARGIN + 16, f"{source} — {target}", size=16, bold=True)], MARGIN + 44
    for line in _summary(evidence):
        body.append(_words(MARGIN, y, line))
        y += 18
    for heading, paths, colour in groups:
        y += 22
        body.append(_words(MARGIN, y, heading if paths else f"{heading}: no path", colour=colour, bold=True))
        y += 12
        for path in paths:
            body.append(_row(path, y, called, colour))
            y += ROW
    height = y + MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'role="img" aria-labelledby="title desc" font-family="sans-serif" font-size="12">\n'
        f'<title id="title">Paths between {source} and {target}</title>\n'
        f'<desc id="desc">{_text(_aloud(evidence))}</desc>\n'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n' + "\n".join(body) + "\n</svg>\n"
    )


def _summary(evidence: PathEvidence) -> list[str]:
    balances = {"best path": evidence.best, "sum": evidence.total, "noisy-or": evidence.noisy_or}
    lines = [f"{way}: {_numbers(balance)}" for way, balance in balances.items()]
    return lines + ["A vocabulary states that the two do not go together."] * evidence.denied


def _numbers(balance: Balance) -> str:
    return (
        f"support {balance.support:.3f}, contradiction {balance.contradiction:.3f}, "
        f"P net {balance.p_net:.3f}, risk {balance.risk:.3f}"
    )


def _aloud(evidence: PathEvidence) -> str:
    counts = f"{len(evidence.support)} supporting paths, {len(evidence.contradiction)} counter-paths."
    return " ".join([counts, *(line.removesuffix(".") + "." for line in _summary(evidence))])


def _row(path: ConceptPath, y: int, called: Mapping[str, str], colour: str) -> str:
    """Boxes of concepts, the membership over each line between two, the probability after the last."""
    parts: list[str] = []
    middle = y + ROW // 2
    for place, concept in enumerate(path.ids):
        x = MARGIN + place * (BOX + GAP)
        if place:
            parts.append(f'<path d="M{x - GAP} {middle}H{x}" stroke="{colour}"/>')
            weight = f"{path.weights[place - 1]:.3f}"
            parts.append(_words(x - GAP // 2, middle - 5, weight, anchor="middle"))
        name = called.get(concept, concept)
        short = name if len(name) <= LETTERS else name[: LETTERS - 1] + "…"
        parts.append(
            f"<g><title>{_text(name)} ({_text(concept)})</title>"
            f'<rect x="{x}" y="{y + 8}" width="{BOX}" height="{ROW - 16}" rx="6" fill="#f5f5f5" stroke="{colour}"/>'
            + _words(x + BOX // 2, middle + 4, short, anchor="middle")
            + "</g>"
        )
    parts.append(_words(MARGIN + _length(path) + 12, middle + 4, f"P = {path.probability:.4f}", colour=colour))
    return "".join(parts)


def _length(path: ConceptPath | None) -> int:
    """Pixels from the first box's left side to the last one's right side."""
    return (BOX + (BOX + GAP) * len(path.weights)) if path else 0


def _words(
    x: int, y: int, text: str, *, size: int = 12, colour: str = "#222222", bold: bool = False, anchor: str = "start"
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" fill="{colour}" text-anchor="{anchor}"{weight}>{_text(text)}</text>'
    )


def _text(text: str) -> str:
    """Text as XML holds it."""
    return escape(_ILLEGAL.sub("�", text))
