"""Whether general texts can answer a question: what only the asker's record or clinician knows, they cannot."""

from __future__ import annotations

import re

from langchain_core.runnables import Runnable, RunnableLambda

from chains.link import Link
from chains.parts import asking
from chains.scope.learned import Kind, inputs_of, learned_reader
from core.embeddings import Encode
from core.schema import Outcome, Probability, Value
from prompts import prompt

__all__ = ["Kind", "Scope", "reason_of", "scope_of", "screener"]

PICTURED = 1.0
"""How likely a question on a picture that was sent is outside: here nothing sees, whatever is known of its subject."""
_PICTURE = re.compile(
    r"\b(?:(?:attach(?:ed|ing)?|upload(?:ed|ing)?|sen[dt](?:ing)?|posted|posting|look(?:ing)? at|took"
    r"|here(?:'s| is| are)) (?:you )?(?:(?:an?|the|this|these|my|some|two|few|attached) ){0,2}"
    r"|(?:see|from|in|on) (?:this|these|my|attached|the attached) )"
    r"(?:photo|picture|pic|selfie|snapshot|screenshot)(?:graph)?s?\b"
    r"|\b(?:photo|picture|pic|selfie|snapshot|screenshot)(?:graph)?s? (?:that )?"
    r"(?:i|we)(?:'ve)? (?:just |have |already )*(?:sent|attached|uploaded|posted|took|shared)\b",
    re.IGNORECASE,
)
LIKELY = 0.5
"""A question that is outside with this probability is told of the kind that it is likeliest of."""


class Scope(Value):
    """How likely it is that no general text answers a question, and the kind that it is likeliest of then."""

    outside: Probability = 0.0
    kind: Kind | None = None

    @property
    def likely(self) -> Kind | None:
        """Its kind where it is likelier outside than not."""
        return self.kind if self.outside >= LIKELY else None


def screener(encode: Encode, link: Link) -> Runnable[str, Outcome[Scope]]:
    """A Runnable from a question to its scope."""
    return RunnableLambda(lambda text: Outcome(value=scope_of(text, encode, link)), name="screen")


def scope_of(text: str, encode: Encode, link: Link) -> Scope:
    """The scope of that of a text's questions that general texts answer best, or of the text as a whole."""
    if _PICTURE.search(text):
        return Scope(outside=PICTURED, kind="picture")
    reader = learned_reader()
    shares = reader.shares(inputs_of(list(dict.fromkeys((text, *asking(text).questions))), encode, link))
    outside = shares.sum(axis=1)
    least = int(outside.argmin())
    return Scope(outside=min(1.0, float(outside[least])), kind=reader.kinds[int(shares[least].argmax())])


def reason_of(kind: Kind) -> str:
    """Why a question of this kind is not answered, and what to do instead."""
    return prompt(f"fixed/scope_{kind}.txt").strip()
