"""What a question takes for granted: why vaccines cause diabetes is answered by nothing that does not say they do."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from langchain_core.runnables import Runnable, RunnableLambda

from chains.understanding import Understanding
from chains.verify.comparing import Learned, examine
from chains.verify.finding import Finding
from chains.verify.statements.vocabulary import Vocabulary
from core.embeddings import Encode
from core.rarity import Rarity
from core.schema import Claim, Evidence, Outcome

LEAST_TOLD = 0.76
"""How likely a passage must say what a question takes for granted. Of 25 questions with a premise that were written for
this (``typed.seen``), all 12 false ones are stopped then and 6 of 13 true ones."""
_LEAST_RELEVANCE = 0.05
_ASKS_REASON = re.compile(
    r"(?:.*[.,;!?]\s+)?(?:(?:so|and|but)\s+)?(?:why|how)\s+"
    r"(?P<verb>do|does|did|is|are|was|were|can|has|have)\s+"
    r"(?!(?:i|we|you|my|our|your|he|she|his|her|it|its|they|their|this|that|these|those|there|doctors?)\b)"
    r"(?P<rest>\S+\s+\S.*?)\W*",
    re.I | re.S,
)
_GRANTS = re.compile(
    r"(?:.*[.;!?]\s+)?(?:(?:so|and|but)\s+)?since\s+"
    r"(?!(?:i|we|my|our|he|she|his|her|last|this|that|then|when|\d+|mon|tues|wednes|thurs|fri|satur|sun|yesterday|early|late)\w{0,3}\b)"
    r"(?P<told>\S+\s+[^.;!?]*?\S),?\s+(?:(?:and|then|so)\s+)?"
    r"(?=(?:how|when|what|whats|which|who|where|why|do|does|is|are|can|should|will|would)\b[^,]*\W*\Z)",
    re.I,
)
"""What a question begins with that takes something for granted: "since the gallbladder grows back, how long …"."""
_TRUE = "is it true that "
_PEOPLE = re.compile(
    r"\w+\s+(?:(?:older|elderly|old|younger|young|pregnant|many|most|some|so)\s+)*"
    r"(?:people|adults?|seniors?|women|men|woman|man|kids?|child(?:ren)?|bab(?:y|ies)|infants?|newborns?|toddlers?|"
    r"teen(?:ager)?s?|girls?|boys?|parents?|patients?|athletes?|smokers?)\b(?!['’]s|\s+(?:who|with|that|whose|on|of)\b)",
    re.I,
)
"""What people do, or what befalls them, is rarely a false belief about medicine: "why do older adults fall"."""
_WAY = re.compile(
    r"\bhow (?:is|are|was|were|(?:do|does|can) (?:people|someone|somebody|one|an? \w+))\b|"
    r"\bhow .*\b(?:works?|spreads?|feels?|looks?|starts?|begins?|develops?|happens?|differs?|progress(?:es)?|"
    r"shows?|presents?|manifests?|appears?|acts?|behaves?|goes|travels?|grows?)\b",
    re.I,
)
"""What asks for the way and not for the reason takes nothing for granted that is worth asking."""


class PremiseInput(NamedTuple):
    """A question as understood, and the evidence with how likely each piece answers it."""

    understanding: Understanding
    evidence: Sequence[Evidence]
    relevance: Mapping[str, float]


def premiser(
    encode: Encode, rarity: Rarity, vocabulary: Vocabulary, learned: Learned | None
) -> Runnable[PremiseInput, Outcome[tuple[str, ...]]]:
    """A Runnable to the premises, as yes/no questions, that no evidence states; none where no reader can tell."""

    def run(given: PremiseInput) -> Outcome[tuple[str, ...]]:
        if learned is None or given.understanding.language != "en":
            return Outcome(value=())
        premises = [premise for part in given.understanding.questions if (premise := premise_of(part.text))]
        usable = [e for e in given.evidence if not e.retracted and given.relevance.get(e.id, 0.0) >= _LEAST_RELEVANCE]
        stated = [premise.removeprefix(_TRUE) for premise in premises]
        claims = [Claim(text=text, span=(0, len(text))) for text in stated]
        found = examine(claims, usable, encode, rarity, vocabulary, learned)
        likely = [max((_told(finding) for finding in findings), default=0.0) for findings in found]
        return Outcome(value=tuple(p for p, told in zip(premises, likely, strict=True) if told < LEAST_TOLD))

    return RunnableLambda(run, name="premise")


def _told(finding: Finding) -> float:
    """How likely evidence says so: no likelier than the reader that has learned thinks, where it was asked."""
    read = finding.signals.get("read_support")
    return finding.probabilities.supported if read is None else min(finding.probabilities.supported, read)


def premise_of(question: str) -> str:
    """What a question takes for granted, as a question of its own; empty where that is nothing.

    >>> premise_of("Why do vaccines cause diabetes?")
    'do vaccines cause diabetes?'
    """
    granted = _GRANTS.match(question.strip())
    if granted:
        return f"{_TRUE}{granted['told'].rstrip(',')}?"
    match = _ASKS_REASON.fullmatch(question.strip())
    if match is None or _WAY.search(question):
        return ""
    premise = f"{match['verb']} {' '.join(match['rest'].split())}?"
    return "" if _PEOPLE.match(premise) else premise
