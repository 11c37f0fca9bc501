"""Claims split by a model: each statement by itself, tied to the sentence of the text that makes it."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.runnables import Runnable, RunnableLambda

from chains.claims import ClaimInput
from chains.fallback import or_else
from chains.replies import ClaimList, ClaimReply
from core.model.client import Model, Prompt
from core.schema import Claim, Outcome
from core.text import content_terms
from prompts import system_and_user

LEAST_SAID = 0.75
"""Share of a claim's words that its sentence, or the sentences before it, must have: the rest a model has added."""
LEAST_OWN = 0.4
"""Share that the sentence itself must have."""


def model_claim_splitter(
    model: Model, rules: Runnable[ClaimInput, Outcome[tuple[Claim, ...]]]
) -> Runnable[ClaimInput, Outcome[tuple[Claim, ...]]]:
    """A Runnable to the claims of a text.

    What the rules find stays unless the model splits it: no statement escapes verification because a model left it
    out, and none enters that the text does not make. A text of one plain statement is not asked about.
    """

    def split(given: ClaimInput) -> Outcome[tuple[Claim, ...]]:
        by_rules = rules.invoke(given)
        if not by_rules.value:
            return by_rules

        def ask() -> Outcome[tuple[Claim, ...]]:
            reply = model.ask(ClaimList, Prompt(*system_and_user("claims", text=given.text)))
            return Outcome(value=tied(reply.value.claims, by_rules.value), usage=reply.usage)

        return or_else("claims", ask, lambda: by_rules)

    return RunnableLambda(split, name="split_claims")


def tied(replies: Sequence[ClaimReply], by_rules: Sequence[Claim]) -> tuple[Claim, ...]:
    """The model's claims in place of those of the rules that they come from, in the order of the text."""
    terms = [frozenset(content_terms(claim.text)) for claim in by_rules]
    found: dict[int, list[Claim]] = {}
    for reply in {" ".join(reply.text.split()): reply for reply in replies}.values():
        place = _source(frozenset(content_terms(reply.text)), terms)
        if place is not None:
            found.setdefault(place, []).append(_claim(reply, by_rules[place]))
    return tuple(
        claim for place, rule in enumerate(by_rules) for claim in _instead(found.get(place, []), rule, terms[place])
    )


def _source(said: frozenset[str], terms: Sequence[frozenset[str]]) -> int | None:
    """The statement that a claim comes from: the one with most of its words; None where the text does not say it."""
    if not said:
        return None
    place = max(range(len(terms)), key=lambda i: (len(said & terms[i]), -i))
    before = frozenset[str]().union(*terms[: place + 1])
    own, known = len(said & terms[place]) / len(said), len(said & before) / len(said)
    return place if own >= LEAST_OWN and known >= LEAST_SAID else None


def _instead(claims: Sequence[Claim], rule: Claim, terms: frozenset[str]) -> Sequence[Claim]:
    """The model's claims where they say all that the statement says, otherwise the statement itself."""
    said = frozenset[str]().union(*(content_terms(claim.text) for claim in claims))
    whole = bool(claims) and len(terms & said) >= LEAST_SAID * len(terms)
    return claims if whole else [rule]


def _claim(reply: ClaimReply, rule: Claim) -> Claim:
    """The model's words, in the place, with the doubt and the citations of the statement that they come from."""
    fields = {"text": " ".join(reply.text.split()), "subject": reply.subject or rule.subject}
    return rule.model_copy(
        update={**fields, "predicate": reply.predicate or rule.predicate, "object": reply.object or rule.object}
    )
