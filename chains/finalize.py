"""The answer as a reader gets it: attested, or withheld with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import NamedTuple

from chains.plan import Plan
from chains.safety import DANGERS, Alarm, urgent_notices
from chains.scope import Scope, reason_of
from chains.suggest import suggestions
from chains.understanding import Understanding, names_something
from chains.widen import Widened
from core.schema import EVIDENCE_ONLY, Draft, Evidence, Failure, Question, Usage, Verdict, VerifiedAnswer
from core.text import STOPWORDS
from core.text import words as words_of
from prompts import abstention, prompt

_PERSONAL = frozenset({"record", "decision", "future"})
_SAID_ALREADY = "nothing found attests it; "
"""With what the verdict on a claim that nothing attests begins."""
RELEVANT = 0.5
"""Evidence at least this likely answers the question."""


class Ending(NamedTuple):
    """Everything known of one question when it ends."""

    question: Question
    resolved: str
    understanding: Understanding
    draft: Draft
    verdicts: tuple[Verdict, ...]
    evidence: tuple[Evidence, ...]
    relevance: Mapping[str, float]
    queries: tuple[str, ...]
    exemplars: tuple[str, ...]
    failures: tuple[Failure, ...]
    usage: Usage
    rounds: int
    engine: str
    notices: tuple[str, ...]
    alarms: tuple[Alarm, ...]
    scope: Scope
    missing: tuple[str, ...]
    unfounded: tuple[str, ...]
    widened: Widened | None
    plan: Plan
    today: date


def answered(ending: Ending) -> VerifiedAnswer:
    """The draft as an answer; its risk is that of its riskiest claim, 1 where nothing was verified."""
    draft = ending.draft
    cited = [e for e in ending.evidence if e.id in draft.citations]
    verified = ending.plan.verification != "none"
    risk = max((v.risk for v in ending.verdicts), default=1.0) if verified else 1.0
    general = [prompt("fixed/general.txt").strip()] if ending.scope.kind in _PERSONAL and ending.scope.likely else []
    notices = [
        prompt("fixed/no_advice.txt"),
        *general,
        *widening_notices(ending),
        *ending.notices,
        *source_notices(cited),
        *retraction_notices(ending),
    ]
    notices += [*expiry_notices(cited, ending.today), *omission_notices(ending)]
    if not verified:
        notices.insert(0, prompt("fixed/unverified.txt"))
    elif not ending.plan.gate:
        notices.insert(0, prompt("fixed/ungated.txt", method=ending.question.settings.method))
    return _answer(ending, draft, risk, tuple(notices))


def widening_notices(ending: Ending) -> list[str]:
    """Of which medicines the answer is, or that it tells all symptoms, where nothing answers just what was asked."""
    wider = ending.widened
    if wider is None:
        return []
    if not wider.kind:
        return [prompt("fixed/symptoms.txt", named=wider.named).strip()]
    return [prompt("fixed/wider.txt", named=wider.named, kind=wider.kind).strip()]


def withheld(ending: Ending) -> VerifiedAnswer:
    """The fixed sentence with the reason; the risk is that of the best there was to open an answer, 1 without any."""
    language = ending.understanding.language
    draft = Draft(text=abstention(language), reasoning=ending.draft.reasoning, omitted=ending.draft.omitted)
    least = _opening(ending).risk if ending.verdicts else 1.0
    return _answer(
        ending,
        draft,
        least,
        (
            prompt("fixed/no_advice.txt"),
            *ending.notices,
            *retraction_notices(ending),
            *omission_notices(ending),
        ),
        reason_to_withhold(ending),
    )


def reason_to_withhold(ending: Ending) -> str:
    """Why nothing is answered, in words for the reader."""
    of_question = _reason_in_question(ending)
    if of_question and any(alarm.kind in DANGERS for alarm in ending.alarms):
        return prompt("fixed/danger_first.txt").strip()
    if of_question:
        return of_question
    about = _about(ending)
    if _nothing_certified(ending):
        return "no certified document was found: index them with medattest index --certified"
    if ending.draft.omitted and ending.draft.omitted >= sum(not e.retracted for e in ending.evidence):
        return (
            "no piece of the evidence fits the model's window: raise MEDATTEST_MODEL_WINDOW, or index shorter passages"
        )
    if of_failures := _reason_in_failures(ending):
        return of_failures
    if not ending.evidence:
        return f"nothing was found{about}: name other --sources, or index documents about it"
    usable = [e for e in ending.evidence if not e.retracted]
    if all(ending.relevance.get(e.id, 0.0) < RELEVANT for e in usable) and retraction_notices(ending):
        return f"all that was found{about} has been retracted"
    if ending.draft.text and not ending.verdicts:
        return f"what was found{about} makes no statement that can be checked"
    if ending.verdicts:
        return _reason_in_verdict(_opening(ending), about)
    return f"what was found{about} does not answer this question"


_SAYABLE = frozenset({"DISO", "CHEM", "PROC", "ANAT", "DEVI", "GENE", "PHYS", "LIVB"})
_FEW = 4


def _about(ending: Ending) -> str:
    """Of what something was looked for, where that is known: of a medicine and at last of all of its kind."""
    if ending.widened and ending.widened.kind:
        return f" about {ending.widened.named} or {ending.widened.kind} in general"
    named = _sayable(ending.understanding) if ending.understanding.sure else ""
    return f" about {named}" if named else ""


def _sayable(asked: Understanding) -> str:
    """The subject where it can be said back: what the vocabularies know of it, or a few words that name something.

    What a question is about is cut out of it, and what is cut out of chats is often no name: "it likely to be".
    """
    subject = asked.subject.lower()
    known = [m.text for m in asked.mentions if m.concept.group in _SAYABLE and m.text.lower() in subject]
    words = [word.text.lower() for word in words_of(subject)]
    plain = len(words) <= _FEW and not any(word in STOPWORDS or word.isdigit() for word in words)
    return asked.subject if plain or subject in map(str.lower, known) else max(known, key=len, default="")


def _reason_in_verdict(best: Verdict, about: str) -> str:
    """Why what an answer could open with is not given."""
    if best.label != "supported":
        return f"nothing found attests an answer: {best.why.removeprefix(_SAID_ALREADY)}"
    if best.risk == 1.0:
        return f"what was found{about} is true, and does not answer this question"
    unsure = f"what was found{about} does not surely answer this question: the least risk is {best.risk:.2f}"
    return f"{unsure}; its sources do not agree" if best.signals.get("opposing_sources") else unsure


def _reason_in_question(ending: Ending) -> str | None:
    """What is in the way in the question itself, whatever was found."""
    if ending.understanding.language != "en" and ending.engine == EVIDENCE_ONLY:
        return f"the question looks like language “{ending.understanding.language}”; the offline engine reads English"
    if ending.missing and not _nothing_certified(ending):
        return prompt("fixed/unknown_word.txt", word=ending.missing[0]).strip()
    if ending.unfounded:
        return prompt("fixed/premise.txt", premise=ending.unfounded[0]).strip()
    kind = ending.scope.likely
    return reason_of(kind) if kind and not (kind == "vague" and names_something(ending.understanding)) else None


def _reason_in_failures(ending: Ending) -> str | None:
    """What failed without anything in its place: a source, or the model of a method that shows it no evidence."""
    if not ending.evidence and (failures := _of_sources(ending)):
        return "nothing was found, and this failed: " + _told(failures)
    if not ending.plan.passages and not ending.draft.text and ending.failures:
        return "the model failed: " + _told(ending.failures)
    return None


def _opening(ending: Ending) -> Verdict:
    """What an answer could open with: of a model's claims the surest, of quoted sentences none but the first."""
    return (
        ending.verdicts[0] if ending.engine == EVIDENCE_ONLY else min(ending.verdicts, key=lambda verdict: verdict.risk)
    )


def _nothing_certified(ending: Ending) -> bool:
    """Whether there is no certified document to know a word by."""
    return ending.plan.certified and not ending.evidence and not _of_sources(ending)


def _of_sources(ending: Ending) -> list[Failure]:
    return [failure for failure in ending.failures if not failure.of_model]


def _told(failures: Iterable[Failure]) -> str:
    return "; ".join(f"{failure.source}: {failure.error}" for failure in failures)


def source_notices(cited: Iterable[Evidence]) -> list[str]:
    """What a reader must know of the cited sources, such as an expression of concern."""
    return list(dict.fromkeys(f"{e.title or e.id}: {e.notice}" for e in cited if e.notice))


def retraction_notices(ending: Ending) -> list[str]:
    """The retracted texts that would have answered the question: they are named, and support nothing."""
    retracted = (e for e in ending.evidence if e.retracted and ending.relevance.get(e.id, 0.0) >= RELEVANT)
    return [prompt("fixed/retracted.txt", title=e.title or e.id, id=e.id) for e in retracted]


def omission_notices(ending: Ending) -> list[str]:
    """How much evidence the model was not shown because its window is full."""
    omitted = ending.draft.omitted
    return [prompt("fixed/omitted.txt", count=str(omitted))] if omitted else []


def expiry_notices(cited: Iterable[Evidence], today: date) -> list[str]:
    """A warning for every cited text that is past its date."""
    expired = {e.title or e.id: e for e in cited if e.expires and date.fromisoformat(e.expires) < today}
    return [
        prompt("fixed/expired.txt", title=title, expires=e.expires or "", owner=e.owner or "its owner")
        for title, e in expired.items()
    ]


def _answer(
    ending: Ending, draft: Draft, risk: float, notices: tuple[str, ...], withheld_because: str | None = None
) -> VerifiedAnswer:
    return VerifiedAnswer(
        id=ending.question.key,
        question=ending.question.question,
        resolved=None if ending.question.history or _same(ending) else ending.resolved,
        method=ending.question.settings.method,
        urgent=urgent_notices(ending.alarms),
        text=draft.text,
        choice=draft.choice,
        reasoning=draft.reasoning,
        verdicts=ending.verdicts,
        evidence=ending.evidence,
        citations=draft.citations,
        pointers=tuple(e.id for e in ending.evidence) if ending.plan.certified else (),
        exemplars=ending.exemplars,
        omitted=draft.omitted,
        queries=ending.queries,
        risk=risk,
        abstained=withheld_because is not None,
        reason=withheld_because,
        suggestions=suggestions(ending.evidence, ending.relevance) if withheld_because and not_lost(ending) else (),
        notices=notices,
        failures=ending.failures,
        engine=ending.engine,
        rounds=ending.rounds,
        usage=ending.usage,
    )


def not_lost(ending: Ending) -> bool:
    """Whether what was found may be near to what was meant."""
    return not ending.missing and ending.scope.likely in (None, *_PERSONAL)


def _same(ending: Ending) -> bool:
    return ending.resolved == ending.question.question
