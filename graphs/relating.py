"""What the vocabularies state of a text's concepts, as worked examples show it."""

from __future__ import annotations

from chains.understand import understand
from graphs.resources import Resources

TRIPLES = 4
"""Relations of an exemplar that brings none; a prompt has to hold several exemplars."""


def knowledge_of(resources: Resources, context: str) -> list[str]:
    """What is stated of an exemplar's concepts, which are found as those of a question are."""
    said = [line.removeprefix("Patient: ") for line in context.splitlines() if line.startswith("Patient: ")] or [
        context
    ]
    mentions = resources.linker.link("\n\n".join(said))
    understanding = understand(said[-1], lambda _: mentions, synonyms=resources.names)
    return [str(triple) for triple in resources.evidence_only.relater.invoke(understanding).value[:TRIPLES]]
