"""Verification by the signals and a model: it judges each claim by the nearest evidence, and is checked."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.runnables import Runnable, RunnableLambda

from chains.fallback import model_failure
from chains.fit import estimated_tokens, fit
from chains.guard.shown import shown
from chains.replies import Judgement
from chains.verify import VerifyInput, ready, verifier
from chains.verify.comparing import Learned, examine
from chains.verify.finding import Finding
from chains.verify.judged import MOST_CERTAIN, answering, judged
from chains.verify.risk import judge
from chains.verify.signals.containment import share
from chains.verify.statements.vocabulary import PLAIN, Vocabulary
from chains.verify.wary import wary
from core.embeddings import Encode
from core.errors import ModelError
from core.language import sentences
from core.model.client import Model, Prompt
from core.rarity import Rarity
from core.schema import Claim, Evidence, Failure, Outcome, Usage, Verdict
from core.text import content_terms
from prompts import prompt, system_and_user

MOST_SHOWN = 4
"""Pieces of evidence that a claim is judged by at most, the nearest ones."""
MARGIN = 1_500
"""Tokens of the window for the rules, the reply and what a server adds."""


def model_verifier(
    model: Model, encode: Encode, rarity: Rarity, vocabulary: Vocabulary = PLAIN, learned: Learned | None = None
) -> Runnable[VerifyInput, Outcome[tuple[Verdict, ...]]]:
    """The chain; a claim that the model fails on keeps the verdict of the signals, and the failure is told once."""
    by_signals = verifier(encode, rarity, vocabulary, learned)

    def run(given: VerifyInput) -> Outcome[tuple[Verdict, ...]]:
        if given.quoted:
            return by_signals.invoke(given)
        findings = examine(ready(given.claims, vocabulary.link), given.evidence, encode, rarity, vocabulary, learned)
        judgeable = zip(given.claims, findings, strict=True)
        rules = [wary(judge(claim, found, given.relevance)) for claim, found in judgeable]
        asked = "\n".join([given.question, *given.options])
        room = model.window - MARGIN - estimated_tokens(prompt("judge/system.txt") + asked)
        near = {i: _nearest(given.claims[i], findings[i], room) for i, v in enumerate(rules) if not _is_copied(v)}
        read = {i: evidence for i, evidence in near.items() if evidence}
        prompts = {i: _prompt(asked, given.claims[i], read[i]) for i in read}
        distinct = list(dict.fromkeys(prompts.values()))
        replies = dict(zip(distinct, model.ask_all(Judgement, distinct), strict=True))
        verdicts = list(rules)
        for i in read:
            reply = replies[prompts[i]]
            if not isinstance(reply, ModelError):
                verdicts[i] = judged(rules[i], reply.value, read[i], findings[i])
        answers = (_answers(given, claim, rarity) for claim in given.claims)
        failed = {str(reply): reply for reply in replies.values() if isinstance(reply, ModelError)}
        failures: tuple[Failure, ...] = tuple(model_failure("verify", error) for error in failed.values())
        usage = sum((reply.usage or Usage() for reply in replies.values()), Usage())
        return Outcome(value=tuple(map(answering, verdicts, answers)), failures=failures, usage=usage)

    return RunnableLambda(run, name="verify")


def _is_copied(verdict: Verdict) -> bool:
    """What stands word for word in the evidence needs no judge."""
    return verdict.label == "supported" and verdict.signals.get("verbatim") == 1.0


def _nearest(claim: Claim, findings: Sequence[Finding], room: int) -> tuple[Evidence, ...]:
    """The evidence to judge by: what the claim cites, then what comes nearest; as much as fits into so many tokens."""
    near = sorted(findings, key=lambda f: (f.evidence.id not in claim.cited, -sum(f.probabilities)))
    usable = [f.evidence for f in near if not f.evidence.retracted][:MOST_SHOWN]
    return fit(usable, room - estimated_tokens(claim.text), shown).shown


def _prompt(question: str, claim: Claim, evidence: Sequence[Evidence]) -> Prompt:
    blocks = "\n".join(shown(e) for e in evidence)
    return Prompt(*system_and_user("judge", question=question or "none", claim=claim.text, evidence=blocks))


def _answers(given: VerifyInput, claim: Claim, rarity: Rarity) -> float | None:
    """How likely a claim is about the choice that a model made; None where nothing was to be chosen.

    One that shares no word with the question or an option is as likely as not about something else; what it shares with
    one sentence of the question, or with one option, counts for it. Where nothing is chosen, its own text tells.
    """
    if given.relevance is None or not given.options:
        return None
    held = frozenset(content_terms(claim.text))
    asked = (content_terms(s.text) for text in (given.question, *given.options) for s in sentences(text))
    spoken = (share(set(terms), rarity, lambda stem: 1.0 if stem in held else 0.0) or 0.0 for terms in asked)
    return min(MOST_CERTAIN, 0.5 + max(spoken, default=0.0))
