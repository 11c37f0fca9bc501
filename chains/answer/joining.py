"""How a draft grows: text is added after it, and the claims of that text move with it."""

from __future__ import annotations

from core.schema import Claim, Draft


def joined(first: Draft, rest: Draft, between: str = " ") -> Draft:
    """A draft with the text of another after it; the choice and its reasons stay those of the first."""
    if not rest.text:
        return first
    before = f"{first.text}{between}" if first.text else ""
    shift = len(before)
    claims = [c.model_copy(update={"span": (c.span[0] + shift, c.span[1] + shift)}) for c in rest.claims]
    return first.model_copy(
        update={
            "text": before + rest.text,
            "claims": (*first.claims, *claims),
            "citations": tuple(dict.fromkeys((*first.citations, *rest.citations))),
        }
    )


def with_sentence(draft: Draft, sentence: str, cited: str, between: str = " ", lead: str = "") -> Draft:
    """A draft with one more sentence, which is a claim that cites a piece of evidence; its place includes its lead."""
    text = lead + sentence
    claim = Claim(text=sentence, span=(0, len(text)), cited=(cited,))
    return joined(draft, Draft(text=text, claims=(claim,), citations=(cited,)), between)
