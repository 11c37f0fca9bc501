"""A second opinion on what the rules find supported, from a reader that has learned: support needs both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from chains.verify.finding import Finding
from chains.verify.passage import read_passage
from core.schema import Claim

Learned = Callable[[Sequence[tuple[str, str, str]]], Sequence[tuple[float, float]]]
"""How likely each (claim, passage, title) is supported and contradicted."""


def asked_again(
    claims: Sequence[Claim], findings: Sequence[Sequence[Finding]], learned: Learned
) -> list[list[Finding]]:
    """The findings; those that support, copies apart, with what the reader makes of their place in the evidence.

    It reads the window that decided, by itself and with the sentences beside it, all in one call.
    """
    places = [
        (i, j)
        for i, found in enumerate(findings)
        for j, finding in enumerate(found)
        if finding.supports and not finding.verbatim
    ]
    texts = [_around(findings[i][j]) for i, j in places]
    asked = [
        (claims[i].text, text, findings[i][j].evidence.title)
        for (i, j), around in zip(places, texts, strict=True)
        for text in around
    ]
    told = iter(learned(asked) if asked else ())
    again = [list(found) for found in findings]
    for (i, j), around in zip(places, texts, strict=True):
        again[i][j] = _weighed(findings[i][j], max(next(told)[0] for _ in around))
    return again


def _weighed(finding: Finding, learned: float) -> Finding:
    """The finding with the reader's opinion; where that is a veto, no surer of support than the reader."""
    seen = replace(finding, learned=learned)
    p = finding.probabilities
    return replace(seen, probabilities=p._replace(supported=min(p.supported, learned))) if seen.vetoed else seen


def _around(finding: Finding) -> list[str]:
    """The window, and the window with the sentence before and the one after it."""
    window, text = finding.window, finding.evidence.text
    told = read_passage(text, finding.evidence.title).sentences
    before = [s.start for s in told if s.end <= window.start][-1:] or [window.start]
    after = [s.end for s in told if s.start >= window.end][:1] or [window.end]
    wider = text[before[0] : after[0]]
    return [window.text] if wider == window.text else [window.text, wider]
